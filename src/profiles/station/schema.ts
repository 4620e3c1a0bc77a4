import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";

const kept = z.object({
  ...keys(z.string(), "name", "printer"),
  categories: z.array(z.string()).optional(),
  everything: z.boolean().optional(),
  copies: z.int().optional(),
});
const row = kept.required();
export const add = { document: z.object({ profile: z.string(), station: kept }) };
export const list = { document: z.object({ profile: z.string(), stations: z.array(row) }), line: row };
export const remove = { document: z.object(keys(z.string(), "profile", "removed")) };
