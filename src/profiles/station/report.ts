import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";

const kept = z.object({
  ...keys(z.string(), "name", "printer"),
  categories: z.array(z.string()).optional().describe("Product categories that it prints."),
  everything: z.boolean().optional().describe("Whether it prints every line."),
  copies: z.int().optional().describe("Copies of each receipt."),
});
const row = kept.required();
export type StationReport = z.infer<typeof row>;

const added = z.object({ profile: z.string(), station: kept });
export type AddReport = z.infer<typeof added>;
export const add = { document: added };

export const list = { document: z.object({ profile: z.string(), stations: z.array(row) }), line: row };

const removed = z.object({ profile: z.string(), removed: z.string().describe("The removed station.") });
export type RemoveReport = z.infer<typeof removed>;
export const remove = { document: removed };
