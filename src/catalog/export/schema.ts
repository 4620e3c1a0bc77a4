import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";

const document = z.object({
  ...keys(z.string(), "file", "branch"),
  products: z.int(),
  left_out: z.object(keys(z.int(), "deactivated", "uncertain")),
});
export const forms = { document };
