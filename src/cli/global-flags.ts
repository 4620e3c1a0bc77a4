import type { Command } from "@commander-js/extra-typings";
import * as commander from "commander";
import { languages } from "../i18n/language.ts";
import type { Texts } from "../i18n/texts.ts";
import {
  Flag,
  type FlagsOf,
  file,
  flag,
  formats,
  names,
  oneOf,
  profileName,
  timeLimit,
  type Value,
  whole,
} from "./flags.ts";

/** How often a flag stands in the line. */
const times: Value<number> = { read: (_text, _refuse, before = 0) => before + 1, repeats: true };

/** Each name once, in the order of the first. */
const fields: Value<string[]> = {
  read: (...how) => [...new Set(names({ kind: "empty" }).read(...how))],
};

/** A program without commands, with the flags that every command takes; commander accepts them before and after a subcommand. */
export function newProgram(texts?: Pick<Texts, "help" | "helpPage">) {
  const flags = texts?.help.flags;
  const groups = texts?.helpPage.groups;
  // The same class, of which the types know the options too.
  const program = new commander.Command("bpos") as unknown as Command;
  return program
    .optionsGroup(groups?.settings ?? "")
    .addOption(flag("-p, --profile <name>", flags?.profile, profileName))
    .addOption(flag("--mock", flags?.mock))
    .addOption(flag("--api-key-file <file>", flags?.apiKeyFile, file))
    .addOption(flag("--base-url <url>", flags?.baseUrl))
    .addOption(flag("--campaigns-url <url>", flags?.campaignsUrl))
    .optionsGroup(groups?.display ?? "")
    .addOption(flag("-o, --output <format>", flags?.output, oneOf(...formats)))
    .addOption(flag("--json", flags?.json))
    .addOption(flag("--fields <names>", flags?.fields, fields))
    .addOption(flag("-q, --quiet", flags?.quiet))
    .addOption(flag("-v, --verbose", flags?.verbose, times).preset(""))
    .addOption(flag("--curl", flags?.curl))
    .addOption(flag("--no-color", flags?.color))
    .addOption(flag("--no-input", flags?.input))
    .addOption(flag("--lang <language>", flags?.lang, oneOf(...languages)))
    .optionsGroup(groups?.connection ?? "")
    .addOption(flag("--timeout <duration>", flags?.timeout, timeLimit))
    .addOption(flag("--retries <n>", flags?.retries, whole(0, 20)))
    .addOption(flag("--ca-file <file>", flags?.caFile, file))
    .optionsGroup(groups?.help ?? "");
}

/** What every command understands beside its own flags. */
export type GlobalFlags = FlagsOf<typeof newProgram>;

/**
 * The global flags of a command line as they decide how anything is said, also of an error in the line itself: unchecked, by the
 * parser that will read the line, without the commands. Of a line that cannot be parsed it returns those before the mistake.
 */
export function askedFlags(argv: readonly string[]): GlobalFlags {
  const parser = newProgram()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  for (const option of parser.options) {
    // A value that is refused must not hide the flags behind it.
    if (option instanceof Flag && !option.repeats) option.argParser((text) => text);
  }
  try {
    parser.parseOptions([...argv]);
  } catch {
    // The command tree meets the same mistake and reports it.
  }
  return parser.opts();
}
