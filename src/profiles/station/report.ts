import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";

const kept = z.object({
  ...keys(z.string(), "name", "printer"),
  categories: z.array(z.string()).optional(),
  everything: z.boolean().optional(),
  copies: z.int().optional(),
});
const row = kept.required();
export type StationReport = z.infer<typeof row>;

const added = z.object({ profile: z.string(), station: kept });
export type AddReport = z.infer<typeof added>;
export const add = { document: added };

export const list = { document: z.object({ profile: z.string(), stations: z.array(row) }), line: row };

const removed = z.object(keys(z.string(), "profile", "removed"));
export type RemoveReport = z.infer<typeof removed>;
export const remove = { document: removed };
