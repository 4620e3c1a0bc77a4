import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";
import { report } from "../sending/schema.ts";

const leftOut = z.int().optional().describe("How many the history left out; only beyond 10,000.");

/** A push of the history. */
const past = z.object({
  ...report,
  at: z.string().describe("When the push began."),
  file: z.string().nullable(),
  ...keys(leftOut, "rejected_left_out", "codes_left_out"),
});
const document = z.object({ pushes: z.array(past).describe("Newest first.") });
export const forms = { document, line: past };

export type PastDocument = z.infer<typeof past>;
