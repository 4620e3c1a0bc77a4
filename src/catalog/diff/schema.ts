import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";
import { change, counts } from "../changes-schema.ts";

const document = z.object({
  ...keys(z.string(), "file", "branch"),
  counts,
  changes: z.array(change).describe("Products that differ."),
});
export const forms = { document };

export type DiffDocument = z.infer<typeof document>;
