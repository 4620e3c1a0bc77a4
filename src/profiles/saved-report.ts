import * as z from "zod";
import { keys } from "../contract/json-schema.ts";

const document = z.object({
  ...keys(z.string(), "profile", "config_file"),
  default: z.string().nullable().describe("The default profile."),
});

/** A profile that `init` or `profile add` saved, as JSON has it. */
export type SavedReport = z.infer<typeof document>;

export const forms = { document };
