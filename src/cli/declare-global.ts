import { Command } from "commander";
import type { Texts } from "../i18n/texts.ts";
import type { AskedFlags } from "./runtime.ts";

/** Declares the global flags on the root command; commander accepts them before and after a subcommand. */
export function declareGlobalFlags(program: Command, texts?: Pick<Texts, "help" | "helpPage">): Command {
  const flags = texts?.help.flags;
  const groups = texts?.helpPage.groups;
  return program
    .optionsGroup(groups?.settings ?? "")
    .option("-p, --profile <name>", flags?.profile)
    .option("--mock", flags?.mock)
    .option("--api-key-file <file>", flags?.apiKeyFile)
    .option("--base-url <url>", flags?.baseUrl)
    .option("--campaigns-url <url>", flags?.campaignsUrl)
    .optionsGroup(groups?.display ?? "")
    .option("-o, --output <format>", flags?.output)
    .option("--json", flags?.json)
    .option("--fields <names>", flags?.fields)
    .option("-q, --quiet", flags?.quiet)
    .option("-v, --verbose", flags?.verbose ?? "", (_, times: number | undefined) => (times ?? 0) + 1)
    .option("--curl", flags?.curl)
    .option("--no-color", flags?.color)
    .option("--no-input", flags?.input)
    .option("--lang <language>", flags?.lang)
    .optionsGroup(groups?.connection ?? "")
    .option("--timeout <duration>", flags?.timeout)
    .option("--retries <n>", flags?.retries)
    .option("--ca-file <file>", flags?.caFile)
    .optionsGroup(groups?.help ?? "");
}

/**
 * The global flags of a command line, unchecked: by the parser that will read the line, without the commands. Of a line that
 * cannot be parsed it returns those before the mistake.
 */
export function askedFlags(argv: readonly string[]): AskedFlags {
  const parser = declareGlobalFlags(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  try {
    parser.parseOptions([...argv]);
  } catch {
    // The command tree meets the same mistake and reports it.
  }
  return parser.opts<AskedFlags>();
}
