import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";

const textOrNull = z.string().nullable();

const row = z.object({
  name: z.string(),
  ...keys(z.boolean(), "default", "key_command", "sandbox"),
  ...keys(textOrNull, "base_url", "campaigns_base_url", "store_id", "country", "currency", "header_field"),
  api_key: textOrNull.describe("Masked."),
});

/** A profile as it may be shown: its key masked. */
export type ProfileReport = z.infer<typeof row>;

export const list = { document: z.object({ profiles: z.array(row), default: textOrNull }), line: row };

const setting = z.object({
  setting: z.string(),
  value: z.unknown(),
  source: z.enum(["flag", "environment", "profile", "config", "default"]).nullable(),
  from: textOrNull,
});
/** A setting in force, and where it comes from. */
export type SettingReport = z.infer<typeof setting>;

const shown = { ...keys(textOrNull, "profile", "journal_file", "journal"), config_file: z.string() };
const showDocument = z.object({ ...shown, settings: z.array(setting) });
export type ShowReport = z.infer<typeof showDocument>;
export const show = { document: showDocument, line: setting };

const used = z.object({ default: z.string() });
export type UseReport = z.infer<typeof used>;
export const use = { document: used };

const removed = z.object({ removed: z.string(), default: textOrNull });
export type RemoveReport = z.infer<typeof removed>;
export const remove = { document: removed };

const renamed = z.object({ ...keys(z.string(), "renamed", "profile"), default: z.boolean() });
export type RenameReport = z.infer<typeof renamed>;
export const rename = { document: renamed };
