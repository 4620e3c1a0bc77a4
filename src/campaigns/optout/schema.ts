import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";
import { optOut } from "../person-schema.ts";

const textOrNull = z.string().nullable();

const invalid = z.object({
  line: z.int(),
  phone: textOrNull.describe("The cell as written."),
  error: z.string(),
});

const doubt = z.object({ phone: textOrNull, at: z.string(), text: textOrNull.describe("The reply.") });

const added = z.object({
  read: z.int().describe("Rows read from the file."),
  added: z.int().describe("People added to the list."),
  already: z.int().describe("People already on the list."),
  invalid: z.array(invalid).describe("Rows without a usable phone."),
});
export type AddedJson = z.infer<typeof added>;
export const add = { document: added };

export const remove = { document: z.object(keys(z.string(), "phone", "removed_at", "reason")) };

export const list = {
  document: z.object({ opt_outs: z.array(optOut).describe("People on the list, oldest first.") }),
  line: optOut,
};

const written = z.object({
  file: z.string(),
  opt_outs: z.int().describe("People in the file."),
  without_phone: z.int().describe("People left out because their phone was pruned."),
});
export type ExportedJson = z.infer<typeof written>;
export const exported = { document: written };

export const review = {
  document: z.object({ doubtful: z.array(doubt).describe("Replies that wait for a decision.") }),
  line: doubt,
};
