import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";

const textOrNull = z.string().nullable();

const row = z.object({
  name: z.string(),
  ...keys(z.boolean(), "default", "key_command", "sandbox"),
  ...keys(textOrNull, "base_url", "campaigns_base_url", "store_id", "country", "currency", "header_field"),
  api_key: textOrNull.describe("Masked."),
});
export const list = { document: z.object({ profiles: z.array(row), default: textOrNull }), line: row };

const setting = z.object({
  setting: z.string(),
  value: z.unknown(),
  source: z.enum(["flag", "environment", "profile", "config", "default"]).nullable(),
  from: textOrNull,
});
const shown = { ...keys(textOrNull, "profile", "journal_file", "journal"), config_file: z.string() };
export const show = { document: z.object({ ...shown, settings: z.array(setting) }), line: setting };

export const add = {
  document: z.object({ ...keys(z.string(), "profile", "config_file"), default: textOrNull }),
};
export const use = { document: z.object({ default: z.string() }) };
export const remove = { document: z.object({ removed: z.string(), default: textOrNull }) };
export const rename = {
  document: z.object({ ...keys(z.string(), "renamed", "profile"), default: z.boolean() }),
};
