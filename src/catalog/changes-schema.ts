import * as z from "zod";
import { keys } from "../contract/json-schema.ts";

/** Numbers of products, by what a push changes in them. */
export const counts = z
  .object(keys(z.int(), "new", "changed", "deactivated", "missing", "unchanged", "unknown"))
  .describe("Numbers of products by kind of change.");

const value = z.union([z.string(), z.number(), z.boolean()]);
const field = z.object({ from: value.nullable(), to: value }).optional();
export const change = z.object({
  codigo: z.string(),
  kind: z
    .enum(["new", "changed", "deactivated", "missing", "unknown"])
    .describe(
      "missing: not in the file. unknown: the service has not confirmed the product to this journal.",
    ),
  fields: z
    .object(keys(field, "precio", "nombre", "categoria", "activo", "deshabilitado"))
    .describe("Each field that changes. activo is false for a deactivated product."),
});

export type ChangeCounts = z.infer<typeof counts>;
export type ChangeDocument = z.infer<typeof change>;
