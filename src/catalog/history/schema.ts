import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";
import { report } from "../sending/schema.ts";

const leftOut = z.int().optional().describe("How many more there were.");

/** A push of the history. */
const past = z.object({
  ...report,
  at: z.string(),
  file: z.string().nullable(),
  ...keys(leftOut, "rejected_left_out", "codes_left_out"),
});
const document = z.object({ pushes: z.array(past) });
export const forms = { document, line: past };

export type PastDocument = z.infer<typeof past>;
