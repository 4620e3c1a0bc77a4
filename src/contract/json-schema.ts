import type * as z from "zod";

/** The document that a command prints with `-o json`, and a line of `-o ndjson` where that differs. */
export interface JsonForms {
  document?: z.ZodType;
  line?: z.ZodType;
}

/** Returns an object in which each key has the same type. */
export const keys = <T extends z.ZodType, const Name extends string>(
  type: T,
  ...names: readonly Name[]
): Record<Name, T> => Object.fromEntries(names.map((name) => [name, type])) as Record<Name, T>;

type Override = NonNullable<z.core.JSONSchemaGeneratorParams["override"]>;

/** Writes what this program's schemas mean, where zod would write how JavaScript keeps it. */
export const plainJsonSchema: Override = ({ zodSchema, jsonSchema }) => {
  const { def } = zodSchema._zod;
  // order_id: bigint is how this program keeps all digits; on the wire it is an integer of any size.
  if (def.type === "union" && def.options.some((option) => option._zod.def.type === "bigint")) {
    delete jsonSchema.anyOf;
    jsonSchema.type = "integer";
  }
  // The format says it, and is readable.
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
  // The bounds of a number in JavaScript are not the service's.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
};
