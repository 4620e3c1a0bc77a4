import * as z from "zod";
import { orderOutputs } from "../../cli/line/flags.ts";
import { keys } from "../../contract/json-schema.ts";

const document = z.object({
  ...keys(z.string(), "branch", "consumer"),
  output: z.string().describe(`One of ${orderOutputs.join(", ")}, or printer:STATION.`),
  ...keys(z.int(), "orders", "changes"),
});
export const forms = { document };
