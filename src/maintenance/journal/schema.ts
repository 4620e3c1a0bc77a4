import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";

const textOrNull = z.string().nullable();

const subject = z.object({
  subject: z.enum(["orders", "pushes", "products", "sends", "calls", "recipients", "replies", "opt_outs"]),
  ...keys(z.int(), "entries", "pending"),
  oldest: textOrNull,
});
const owed = z.object({
  branch: textOrNull,
  ...keys(z.string(), "branch_id", "consumer", "output"),
  ...keys(z.int(), "orders", "changes"),
});
const lock = z.object({
  work: z.enum(["push", "send", "watch", "listen"]),
  ...keys(textOrNull, "branch", "branch_id", "consumer", "host", "since", "expires_at"),
  pid: z.int().nullable(),
});
export const status = {
  document: z.object({
    engine: z.enum(["sqlite", "postgres"]),
    journal: z.string(),
    exists: z.boolean(),
    bytes: z.int().nullable(),
    subjects: z.array(subject),
    owed: z.array(owed),
    locks: z.array(lock),
  }),
  line: subject,
};

const copied = { ...keys(z.string(), "from", "to"), ...keys(z.int(), "rows", "resumed") };
export const copy = { document: z.object({ ...copied, tables: z.record(z.string(), z.int()) }) };

const pruned = {
  before: z.string(),
  ...keys(z.int(), "sends", "calls", "recipients", "replies", "opt_outs"),
};
export const prune = { document: z.object({ ...pruned, dry_run: z.boolean() }) };

const lost = z.object(keys(z.string(), "ref", "template", "at"));
export const accept = {
  document: z.object({ journal: z.string(), accepted: z.boolean(), sends: z.array(lost) }),
};
