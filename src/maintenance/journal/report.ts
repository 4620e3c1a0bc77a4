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
const state = z.object({
  engine: z.enum(["sqlite", "postgres"]),
  journal: z.string(),
  exists: z.boolean(),
  bytes: z.int().nullable(),
  subjects: z.array(subject),
  owed: z.array(owed),
  locks: z.array(lock),
});
export const status = { document: state, line: subject };

export type SubjectReport = z.infer<typeof subject>;
export type OwedReport = z.infer<typeof owed>;
export type LockReport = z.infer<typeof lock>;

const copied = z.object({
  ...keys(z.string(), "from", "to"),
  ...keys(z.int(), "rows", "resumed"),
  tables: z.record(z.string(), z.int()),
});
export type CopyReport = z.infer<typeof copied>;
export const copy = { document: copied };

const pruned = z.object({
  before: z.string(),
  ...keys(z.int(), "sends", "calls", "recipients", "replies", "opt_outs"),
  dry_run: z.boolean(),
});
export type PruneReport = z.infer<typeof pruned>;
export const prune = { document: pruned };

const lost = z.object(keys(z.string(), "ref", "template", "at"));
const accepted = z.object({ journal: z.string(), accepted: z.boolean(), sends: z.array(lost) });
export type AcceptReport = z.infer<typeof accepted>;
export const accept = { document: accepted };
