import * as z from "zod";
import { orderOutputs } from "../../cli/line/flags.ts";

export const document = z.object({
  branch: z.string(),
  consumer: z.string(),
  output: z.enum(orderOutputs),
  orders: z.int(),
  changes: z.int(),
});
