import { BposError } from "../errors.ts";
import type { FieldsOf, UnknownField } from "./chosen-fields.ts";
import type { Format } from "./flags.ts";

/** A table and a CSV have the columns of the CSV to choose of, too. */
export const isFlat = (format: Format): boolean => format === "table" || format === "csv";

/** Throws `usage_flag` for a field that nobody knows. */
export function refuseUnknown(unknown: UnknownField | undefined): void {
  if (unknown !== undefined)
    throw new BposError("usage_flag", { problem: { kind: "field_unknown", ...unknown } });
}

/** The objects of a list as JSON shows them, of each only the fields that are chosen. Throws `usage_flag` for one that nobody knows. */
export async function chosenObjects<Row>(
  of: FieldsOf<Row>,
  rows: readonly Row[],
  { fields, format }: { fields: readonly string[] | undefined; format: Format },
): Promise<unknown[]> {
  const objects = rows.map(of.object);
  if (fields === undefined) return objects;
  const { unknownField, withFields } = await import("./chosen-fields.ts");
  refuseUnknown(unknownField(of, fields, { rows, flat: isFlat(format) }));
  return objects.map((object) => withFields(object, fields));
}
