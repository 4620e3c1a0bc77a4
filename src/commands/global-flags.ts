import type { Command } from "commander";
import * as z from "zod";
import { languages } from "../text/language.ts";
import type { Texts } from "../text/texts.ts";
import { timeLimit, whole } from "./flag-values.ts";

/** The forms in which data is written. */
const formats = ["table", "json", "ndjson", "csv"] as const;
/** A form in which data is written. */
export type Format = (typeof formats)[number];

/** What every command understands beside its own flags. */
export const globalShape = {
  profile: z.string().optional(),
  mock: z.boolean().optional(),
  output: z.enum(formats, { error: `choose one of ${formats.join(", ")}` }).optional(),
  json: z.boolean().optional(),
  quiet: z.boolean().optional(),
  verbose: z.boolean().optional(),
  color: z.boolean().optional(),
  input: z.boolean().optional(),
  timeout: timeLimit.optional(),
  retries: whole(0, 20).optional(),
  baseUrl: z.string().optional(),
  campaignsUrl: z.string().optional(),
  apiKeyFile: z.string().optional(),
  lang: z.enum(languages, { error: `choose one of ${languages.join(", ")}` }).optional(),
};

/** The global flags as parsed. */
export type GlobalFlags = z.infer<z.ZodObject<typeof globalShape>>;

/** Declares the global flags on the root command; commander accepts them before and after a subcommand. */
export function declareGlobalFlags(program: Command, flags: Texts["help"]["flags"]): void {
  program
    .option("-p, --profile <name>", flags.profile)
    .option("--mock", flags.mock)
    .option("-o, --output <format>", flags.output)
    .option("--json", flags.json)
    .option("-q, --quiet", flags.quiet)
    .option("-v, --verbose", flags.verbose)
    .option("--no-color", flags.color)
    .option("--no-input", flags.input)
    .option("--timeout <duration>", flags.timeout)
    .option("--retries <n>", flags.retries)
    .option("--base-url <url>", flags.baseUrl)
    .option("--campaigns-url <url>", flags.campaignsUrl)
    .option("--api-key-file <file>", flags.apiKeyFile)
    .option("--lang <language>", flags.lang);
}
