import type { Command } from "@commander-js/extra-typings";
import * as commander from "commander";
import type { Texts } from "../../i18n/en.ts";
import { languages } from "../../texts/texts.ts";
import { logFormats } from "../display/log.ts";
import {
  type FlagsOf,
  file,
  findDeclared,
  flag,
  names,
  nonEmpty,
  oneOf,
  outputFormat,
  profileName,
  timeLimit,
  type Value,
  whole,
} from "./flags.ts";

const times: Value<number> = { read: (_text, _refuse, before = 0) => before + 1, repeats: true };

const fields: Value<string[]> = { read: (...how) => [...new Set(names({ kind: "empty" }).read(...how))] };

export function newProgram(texts?: Pick<Texts, "help" | "helpPage">) {
  const flags = texts?.help.flags;
  const groups = texts?.helpPage.groups;
  const client = texts?.help.profile.client;
  // The same class at run time: extra-typings only adds types.
  return (new commander.Command("bpos") as unknown as Command)
    .optionsGroup(groups?.settings ?? "")
    .addOption(flag("-p, --profile <name>", flags?.profile, profileName))
    .addOption(flag("--mock", flags?.mock))
    .addOption(flag("--api-key-file <file>", flags?.apiKeyFile, file))
    .addOption(flag("--base-url <url>", flags?.baseUrl))
    .addOption(flag("--campaigns-url <url>", flags?.campaignsUrl))
    .optionsGroup(groups?.display ?? "")
    .addOption(flag("-o, --output <format>", flags?.output, outputFormat))
    .addOption(flag("--json", flags?.json))
    .addOption(flag("--jq <program>", flags?.jq, nonEmpty))
    .addOption(flag("--fields <names>", flags?.fields, fields))
    .addOption(flag("-q, --quiet", flags?.quiet))
    .addOption(flag("-v, --verbose", flags?.verbose, times).preset(""))
    .addOption(flag("--curl", flags?.curl))
    .addOption(flag("--log-format <format>", flags?.logFormat, oneOf(...logFormats)))
    .addOption(flag("--no-color", flags?.color))
    .addOption(flag("--no-input", flags?.input))
    .addOption(flag("--lang <language>", flags?.lang, oneOf(...languages)))
    .optionsGroup(groups?.connection ?? "")
    .addOption(flag("--timeout <duration>", flags?.timeout, timeLimit))
    .addOption(flag("--retries <n>", flags?.retries, whole(0, 20)))
    .addOption(flag("--ca-file <file>", flags?.caFile, file))
    .addOption(flag("--client-cert <file>", client?.cert, file))
    .addOption(flag("--client-key <file>", client?.key, file))
    .optionsGroup(groups?.help ?? "");
}

export type GlobalFlags = FlagsOf<typeof newProgram>;

/** The global flags of a line, unchecked: they decide how anything is said, also of an error in the line itself. */
export function readGlobalFlags(argv: readonly string[]): GlobalFlags {
  const parser = newProgram()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  for (const option of parser.options) {
    // A value that is refused must not hide the flags behind it.
    if (findDeclared(option)?.repeats === undefined) option.argParser((text) => text);
  }
  try {
    parser.parseOptions([...argv]);
  } catch {
    // The command tree meets the same mistake and reports it.
  }
  return parser.opts();
}
