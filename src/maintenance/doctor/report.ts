import * as z from "zod";

const line = z.object({
  name: z.string().describe("The check."),
  status: z.enum(["pass", "warn", "fail"]),
  detail: z.string().describe("What the check found."),
  remedy: z.string().nullable().describe("How to fix it."),
});

/** A check as JSON has it. */
export type CheckReport = z.infer<typeof line>;

const document = z.object({ ok: z.boolean().describe("Whether no check failed."), checks: z.array(line) });
export const forms = { document, line };
