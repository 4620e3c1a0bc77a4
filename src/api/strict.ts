import * as z from "zod";
import type { EndpointId } from "../contract/endpoints.ts";
import { BposError } from "../errors.ts";

/** The same schema, refusing keys that it does not name, at every depth. */
function strictly(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodObject) {
    const entries = Object.entries<z.core.$ZodType>(schema.def.shape);
    const shape = Object.fromEntries(entries.map(([name, field]) => [name, strictly(field)]));
    return schema.clone({ ...schema.def, shape, catchall: z.never() });
  }
  // Cloning keeps the checks, for example how many elements there may be.
  if (schema instanceof z.ZodArray)
    return schema.clone({ ...schema.def, element: strictly(schema.def.element) });
  return schema;
}

const strictSchemas = new WeakMap<z.ZodObject, z.core.$ZodType>();

function strictOf(schema: z.ZodObject): z.core.$ZodType {
  const strict = strictSchemas.get(schema) ?? strictly(schema);
  strictSchemas.set(schema, strict);
  return strict;
}

/**
 * What is about to be sent, validated to the letter and in the contract's order of keys. Throws BposError bug:
 * whoever called us had to know better, so nothing leaves.
 */
export function validated<S extends z.ZodObject>(id: EndpointId, schema: S, value: unknown): z.output<S> {
  const result = z.safeParse(strictOf(schema), value);
  if (result.success) return result.data as z.output<S>;
  const issues = result.error.issues.slice(0, 3).map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new BposError("bug", { detail: `${id}: ${issues.join("; ")}` });
}
