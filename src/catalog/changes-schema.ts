import * as z from "zod";
import { keys } from "../contract/json-schema.ts";

/** Numbers of products, by what a push changes in them. */
export const counts = z.object(
  keys(z.int(), "new", "changed", "deactivated", "missing", "unchanged", "unknown"),
);

const value = z.union([z.string(), z.number(), z.boolean()]);
const field = z.object({ from: value.nullable(), to: value }).optional();
export const change = z.object({
  codigo: z.string(),
  kind: z.enum(["new", "changed", "deactivated", "missing", "unknown"]),
  fields: z.object(keys(field, "precio", "nombre", "categoria", "activo", "deshabilitado")),
});

export type ChangeCounts = z.infer<typeof counts>;
export type ChangeDocument = z.infer<typeof change>;
