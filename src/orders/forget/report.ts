import * as z from "zod";
import { orderOutputs } from "../../cli/line/flags.ts";
import { keys } from "../../contract/json-schema.ts";

const document = z.object({
  ...keys(z.string(), "branch", "consumer"),
  output: z.string().describe(`One of ${orderOutputs.join(", ")}, or printer:STATION.`),
  orders: z.int().describe("Orders discarded."),
  changes: z.int().describe("Changes discarded."),
});

/** The orders and changes that an output will never receive, as JSON has it. */
export type ForgetReport = z.infer<typeof document>;

export const forms = { document };
