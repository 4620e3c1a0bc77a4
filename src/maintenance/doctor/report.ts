import * as z from "zod";

const line = z.object({
  name: z.string(),
  status: z.enum(["pass", "warn", "fail"]),
  detail: z.string(),
  remedy: z.string().nullable(),
});

/** A check as JSON has it. */
export type CheckReport = z.infer<typeof line>;

const document = z.object({ ok: z.boolean(), checks: z.array(line) });
export const forms = { document, line };
