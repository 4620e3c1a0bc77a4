import * as z from "zod";
import { languages } from "../i18n/language.ts";
import { formats } from "./choices.ts";
import { timeLimit, whole } from "./flag-values.ts";

/** A form in which data is written. */
export type Format = (typeof formats)[number];

/** What every command understands beside its own flags. */
export const globalShape = {
  profile: z.string().optional(),
  mock: z.boolean().optional(),
  output: z.enum(formats).optional(),
  json: z.boolean().optional(),
  quiet: z.boolean().optional(),
  verbose: z.number().optional(),
  curl: z.boolean().optional(),
  color: z.boolean().optional(),
  input: z.boolean().optional(),
  timeout: timeLimit.optional(),
  retries: whole(0, 20).optional(),
  caFile: z.string().optional(),
  baseUrl: z.string().optional(),
  campaignsUrl: z.string().optional(),
  apiKeyFile: z.string().optional(),
  lang: z.enum(languages).optional(),
};

/** The global flags as parsed. */
export type GlobalFlags = z.infer<z.ZodObject<typeof globalShape>>;
