import type { Command, OptionValues } from "@commander-js/extra-typings";
import * as commander from "commander";
import { languages, type T } from "../../texts/texts.ts";
import { logFormats } from "../display/formats.ts";
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

/** Adds the flags of the branch and its service. */
const settingFlags = (program: Command, t: T) =>
  program
    .optionsGroup(t("Settings:"))
    .addOption(flag("-p, --profile <name>", t("use this profile"), profileName))
    .addOption(flag("--mock", t("use the embedded mock; no setup, and nothing is real")))
    .addOption(flag("--api-key-file <file>", t("read the API key from a file; - is standard input"), file))
    .addOption(flag("--base-url <url>", t("service address for orders and catalog")))
    .addOption(flag("--campaigns-url <url>", t("service address for campaigns")));

/** Adds the flags of the output. */
const outputFlags = <Args extends unknown[], Flags extends OptionValues>(
  program: Command<Args, Flags>,
  t: T,
) =>
  program
    .optionsGroup(t("Output:"))
    .addOption(flag("-o, --output <format>", t("table, json, ndjson or csv"), outputFormat))
    .addOption(flag("--json", t("same as -o json")))
    .addOption(
      flag(
        "--jq <program>",
        t("filter the JSON with this jq program; strings print without quotes (implies -o json)"),
        nonEmpty,
      ),
    )
    .addOption(
      flag(
        "--fields <names>",
        t("show only these fields of a list, in this order: a,b,c (JSON names)"),
        fields,
      ),
    )
    .addOption(flag("-q, --quiet", t("print no notices, and no report on success")))
    .addOption(
      flag(
        "-v, --verbose",
        t("print requests to stderr; -vv adds headers and bodies, with the key and personal data masked"),
        times,
      ).preset(""),
    )
    .addOption(
      flag(
        "--curl",
        t(
          "print requests to stderr as curl commands, with the key as $BPOS_API_KEY and personal data masked; with --dry-run, those it would send",
        ),
      ),
    )
    .addOption(
      flag(
        "--log-format <format>",
        t("format of stderr: text, or json with one object per line and no questions (or BPOS_LOG_FORMAT)"),
        oneOf(...logFormats),
      ),
    )
    .addOption(flag("--no-color", t("no colours")))
    .addOption(flag("--no-input", t("never ask questions")))
    .addOption(
      flag(
        "--lang <language>",
        t("language: en, es, or es-AR for Argentina (default: BPOS_LANG, then the locale)"),
        oneOf(...languages),
      ),
    );

/** Adds the flags of requests and of mTLS. */
const connectionFlags = <Args extends unknown[], Flags extends OptionValues>(
  program: Command<Args, Flags>,
  t: T,
) =>
  program
    .optionsGroup(t("Connection:"))
    .addOption(flag("--timeout <duration>", t("maximum time for one request (default 30s)"), timeLimit))
    .addOption(flag("--retries <n>", t("retries of a failed request (default 4)"), whole(0, 20)))
    .addOption(flag("--ca-file <file>", t("also trust the certificates in this PEM file"), file))
    .addOption(
      flag(
        "--client-cert <file>",
        t("client certificate, a PEM file, for services that require one (client_cert in the profile)"),
        file,
      ),
    )
    .addOption(
      flag(
        "--client-key <file>",
        t("private key of the client certificate, an unencrypted PEM file (client_key in the profile)"),
        file,
      ),
    );

/** The program with its global flags; without `t` only to parse a line. */
export function newProgram(t: T = (message) => message) {
  // The same class at run time: extra-typings only adds types.
  const program = new commander.Command("bpos") as unknown as Command;
  return connectionFlags(outputFlags(settingFlags(program, t), t), t).optionsGroup(t("Help:"));
}

export type GlobalFlags = FlagsOf<typeof newProgram>;

/** The global flags of a line, unchecked: they decide how messages are shown, even an error in the line itself. */
export function readGlobalFlags(argv: readonly string[]): GlobalFlags {
  const parser = newProgram()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  for (const option of parser.options) {
    // A refused value must not hide the flags after it.
    if (findDeclared(option)?.repeats === undefined) option.argParser((text) => text);
  }
  try {
    parser.parseOptions([...argv]);
  } catch {
    // The command tree meets the same mistake and reports it.
  }
  return parser.opts();
}
