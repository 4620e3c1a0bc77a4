import * as z from "zod";

const textOrNull = z.string().nullable();

const subject = z.object({
  subject: z.enum(["orders", "pushes", "products", "sends", "calls", "recipients", "replies"]),
  entries: z.int(),
  pending: z.int(),
  oldest: textOrNull,
});
export const status = {
  document: z.object({
    engine: z.enum(["sqlite", "postgres"]),
    journal: z.string(),
    exists: z.boolean(),
    bytes: z.int().nullable(),
    subjects: z.array(subject),
    owed: z.array(
      z.object({
        branch: textOrNull,
        branch_id: z.string(),
        consumer: z.string(),
        output: z.string(),
        orders: z.int(),
        changes: z.int(),
      }),
    ),
    locks: z.array(
      z.object({
        work: z.enum(["push", "send", "watch", "listen"]),
        branch: textOrNull,
        branch_id: textOrNull,
        consumer: textOrNull,
        host: textOrNull,
        pid: z.int().nullable(),
        since: textOrNull,
        expires_at: textOrNull,
      }),
    ),
  }),
  line: subject,
};

export const copy = {
  document: z.object({
    from: z.string(),
    to: z.string(),
    rows: z.int(),
    resumed: z.int(),
    tables: z.record(z.string(), z.int()),
  }),
};

export const prune = {
  document: z.object({
    before: z.string(),
    sends: z.int(),
    calls: z.int(),
    recipients: z.int(),
    replies: z.int(),
    dry_run: z.boolean(),
  }),
};

export const accept = {
  document: z.object({
    journal: z.string(),
    accepted: z.boolean(),
    sends: z.array(z.object({ ref: z.string(), template: z.string(), at: z.string() })),
  }),
};
