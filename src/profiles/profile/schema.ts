import * as z from "zod";

const textOrNull = z.string().nullable();

const row = z.object({
  name: z.string(),
  default: z.boolean(),
  base_url: textOrNull,
  campaigns_base_url: textOrNull,
  api_key: textOrNull.describe("Masked."),
  key_command: z.boolean(),
  store_id: textOrNull,
  country: textOrNull,
  currency: textOrNull,
  header_field: textOrNull,
  sandbox: z.boolean(),
});
export const list = {
  document: z.object({ profiles: z.array(row), default: textOrNull }),
  line: row,
};

const setting = z.object({
  setting: z.string(),
  value: z.unknown(),
  source: z.enum(["flag", "environment", "profile", "config", "default"]).nullable(),
  from: textOrNull,
});
export const show = {
  document: z.object({
    profile: textOrNull,
    config_file: z.string(),
    journal_file: textOrNull,
    journal: textOrNull,
    settings: z.array(setting),
  }),
  line: setting,
};

export const add = {
  document: z.object({ profile: z.string(), default: textOrNull, config_file: z.string() }),
};
export const use = { document: z.object({ default: z.string() }) };
export const remove = { document: z.object({ removed: z.string(), default: textOrNull }) };
export const rename = {
  document: z.object({ renamed: z.string(), profile: z.string(), default: z.boolean() }),
};
