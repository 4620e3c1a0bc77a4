import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";

const textOrNull = z.string().nullable();

const subject = z.object({
  subject: z.enum(["orders", "pushes", "products", "sends", "calls", "recipients", "replies", "opt_outs"]),
  entries: z.int(),
  pending: z.int().describe("Entries with work left to do."),
  oldest: textOrNull.describe("When the oldest entry was made."),
});
const owed = z.object({
  branch: textOrNull.describe("The profile's name; null if no profile holds the key."),
  ...keys(z.string(), "branch_id", "consumer", "output"),
  ...keys(z.int(), "orders", "changes"),
});
const lock = z.object({
  work: z.enum(["push", "send", "watch", "listen"]),
  ...keys(textOrNull, "branch", "branch_id", "consumer", "host"),
  pid: z.int().nullable(),
  since: textOrNull.describe("Since when the process holds locks."),
  expires_at: textOrNull.describe("When the lock ends unless it is renewed; null for SQLite."),
});
const state = z.object({
  engine: z.enum(["sqlite", "postgres"]),
  journal: z.string().describe("The file, or the database without user and password."),
  exists: z.boolean(),
  bytes: z.int().nullable(),
  subjects: z.array(subject).describe("The contents by subject."),
  owed: z.array(owed).describe("Orders and changes that an output has not received."),
  locks: z.array(lock).describe("Which process does which work."),
});
export const status = { document: state, line: subject };

export type SubjectReport = z.infer<typeof subject>;
export type OwedReport = z.infer<typeof owed>;
export type LockReport = z.infer<typeof lock>;

const copied = z.object({
  ...keys(z.string(), "from", "to"),
  rows: z.int().describe("Rows in the copy."),
  resumed: z.int().describe("Rows that an interrupted run had copied."),
  tables: z.record(z.string(), z.int()).describe("Rows of each table."),
});
export type CopyReport = z.infer<typeof copied>;
export const copy = { document: copied };

const pruned = z.object({
  before: z.string().describe("Only work that finished before this time is pruned."),
  ...keys(z.int(), "sends", "calls", "recipients", "replies", "opt_outs"),
  dry_run: z.boolean(),
});
export type PruneReport = z.infer<typeof pruned>;
export const prune = { document: pruned };

const lost = z.object(keys(z.string(), "ref", "template", "at"));
const accepted = z.object({
  journal: z.string(),
  accepted: z.boolean(),
  sends: z.array(lost).describe("Sends of this machine that are missing, in whole or in part."),
});
export type AcceptReport = z.infer<typeof accepted>;
export const accept = { document: accepted };
