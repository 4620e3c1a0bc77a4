import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";

const textOrNull = z.string().nullable();

const row = z.object({
  name: z.string(),
  default: z.boolean().describe("Whether it is the default profile."),
  key_command: z.boolean().describe("Whether the key comes from a command."),
  sandbox: z.boolean(),
  ...keys(textOrNull, "base_url", "campaigns_base_url", "store_id", "country", "currency", "header_field"),
  api_key: textOrNull.describe("Masked."),
});

/** A profile as it may be shown: its key masked. */
export type ProfileReport = z.infer<typeof row>;

export const list = { document: z.object({ profiles: z.array(row), default: textOrNull }), line: row };

const setting = z.object({
  setting: z.string(),
  value: z.unknown().describe("The key is masked."),
  source: z
    .enum(["flag", "environment", "profile", "config", "default"])
    .nullable()
    .describe("The kind of source."),
  from: textOrNull.describe("The flag, variable or profile that sets it."),
});
/** A setting in effect, and where it comes from. */
export type SettingReport = z.infer<typeof setting>;

const shown = {
  profile: textOrNull,
  journal_file: textOrNull.describe("Null if the journal is a database."),
  journal: textOrNull.describe("The file, or the database without its password."),
  config_file: z.string(),
};
const showDocument = z.object({ ...shown, settings: z.array(setting) });
export type ShowReport = z.infer<typeof showDocument>;
export const show = { document: showDocument, line: setting };

const used = z.object({ default: z.string().describe("The new default profile.") });
export type UseReport = z.infer<typeof used>;
export const use = { document: used };

const removed = z.object({
  removed: z.string().describe("The removed profile."),
  default: textOrNull.describe("The default profile from now on."),
});
export type RemoveReport = z.infer<typeof removed>;
export const remove = { document: removed };

const renamed = z.object({
  renamed: z.string().describe("The old name."),
  profile: z.string().describe("The new name."),
  default: z.boolean().describe("Whether it is the default profile."),
});
export type RenameReport = z.infer<typeof renamed>;
export const rename = { document: renamed };
