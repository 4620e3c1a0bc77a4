// Writes what is made from the declarations and texts of bpos: docs/reference/commands.md, docs/reference/errors.md, test/docs/surface.txt and
// the picture of the rooms in CONTRIBUTING.md (`npm run docs`), and with `man` the manual.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Option } from "@commander-js/extra-typings";
import { wrap } from "../src/cli/display/text.ts";
import { environmentTopic, exitCodesTopic, filesTopic, type Topic } from "../src/cli/line/topics.ts";
import { readCause } from "../src/errors/words/reasons.ts";
import { type ErrorReason, type ExitName, exitCodes, exitNames } from "../src/errors.ts";
import { textsIn } from "../src/texts/texts.ts";
import { type CommandEntry, commandEntries } from "./command-tree.ts";
import { sampleText } from "./json-sample.ts";

const reasons = Object.keys(exitNames) as ErrorReason[];
const exits = Object.keys(exitCodes) as ExitName[];
const maxLine = 140;

/** A paragraph of the page, in lines that an editor shows whole. */
const paragraph = (text: string): string[] => wrap(text, maxLine);

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

function table(rows: readonly (readonly [string, string])[]): string[] {
  return ["| | |", "|---|---|", ...rows.map(([term, what]) => `| \`${term}\` | ${cell(what)} |`), ""];
}

function commandPart({
  path,
  description,
  usage,
  examples,
  groups,
  exits,
  ...entry
}: CommandEntry): string[] {
  const level = "#".repeat(Math.min(3, path.split(" ").length + 1));
  const lines = examples.flatMap(([line = "", what = ""]) => {
    const beside = `${line}  # ${what}`;
    return beside.length > maxLine ? [`# ${what}`, line] : [beside];
  });
  const json = sampleText(entry.command);
  const codes = exits.map((name) => `${exitCodes[name]} ${name}`).join(" · ");
  return [
    `${level} ${path}`,
    "",
    `${description}.`.replace("..", "."),
    "",
    "```sh",
    ...usage,
    "```",
    "",
    ...(lines.length > 0 ? ["```sh", ...lines, "```", ""] : []),
    ...(entry.arguments.some((each) => each.description)
      ? table(entry.arguments.map((each) => [each.name, each.description]))
      : []),
    ...groups.flatMap(([heading, flags]) => [
      `**${heading.replace(":", "")}**`,
      "",
      ...table(flags.map((flag) => [flag.flags, flag.description])),
    ]),
    ...(codes === "" || path === "bpos" ? [] : [`Exit codes: ${codes}.`, ""]),
    ...(json === undefined ? [] : ["```json", ...json.split("\n"), "```", ""]),
  ];
}

const commandsHead = `# Commands

Made from the declarations of the commands by \`npm run docs\`: do not edit it.

The JSON below a command is a sample of what it prints with \`--json\`, or, for commands that only have \`-o ndjson\`, of a line; \`{…}\` is
what the service sends ([service.md](service.md)). [output.md](output.md#json-keys) explains the keys, \`bpos schema COMMAND\` prints
the JSON Schema.
`;

/** docs/reference/commands.md: every command, argument and flag as it is declared. */
export function commandsPage(): string {
  const parts = commandEntries().flatMap(commandPart);
  return `${commandsHead}\n${parts.join("\n").trimEnd()}\n`;
}

/** Rows of `bpos help exit-codes`. */
const [exitPart0] = exitCodesTopic(textsIn("en").t).parts;
const exitRows = typeof exitPart0 === "object" ? (exitPart0.rows ?? {}) : {};

const reasonPart = (reason: ErrorReason): string[] => {
  const { cause, remedy } = readCause(reason, textsIn("en").t);
  const advice = remedy === undefined ? [] : [...paragraph(`**What to do:** ${remedy}`), ""];
  return [`### ${reason}`, "", ...paragraph(cause), "", ...advice];
};

const exitPart = ([title, meaning]: readonly [string, string], index: number): string[] => [
  `## Exit code ${title}`,
  "",
  meaning,
  "",
  ...reasons.filter((reason) => exitNames[reason] === exits[index]).flatMap(reasonPart),
];

const head = `# Errors

Every error says what happened, why (where there is a reason) and what to do next; of a command that would have sent something, the last
line says "Nothing was sent." where that is certain. Each error has a reason, which never changes its name. With \`-o json\` the error is one
line of JSON on standard error: \`code\` is the name of the exit code, \`reason\` one of the sections below, \`docs\` the command that explains
it: \`bpos help errors REASON\` prints a section in a terminal, with \`--lang es\` in Spanish.

Made from the texts of bpos by \`npm run docs\`: do not edit it.
`;

/** docs/reference/errors.md: every exit code and the reasons that end in it, with cause and remedy. */
export function errorsPage(): string {
  return `${head}\n${Object.entries(exitRows).flatMap(exitPart).join("\n").trimEnd()}\n`;
}

/** A text in which roff finds nothing to do. */
function roff(text: string): string {
  const plain = text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("…", "...")
    .replaceAll("·", "|");
  return plain.replace(/^([.'])/gm, "\\&$1");
}

const item = (term: string, what: string): string[] => [".TP", `.B ${roff(term)}`, roff(what)];
const flags = (all: readonly Option[]): string[] => all.flatMap((each) => item(each.flags, each.description));

function manPart({ path, description, usage, examples, ...entry }: CommandEntry): string[] {
  return [
    `.SS ${roff(path)}`,
    roff(description),
    ...usage.flatMap((line) => [".PP", `.B ${roff(line)}`]),
    ...entry.arguments.flatMap(({ name, description: what }) => (what ? item(name, what) : [])),
    ...entry.groups.flatMap(([, own]) => flags(own)),
    ...examples.flatMap(([line = "", what = ""]) => [".PP", ".EX", `$ ${roff(line)}`, ".EE", roff(what)]),
  ];
}

function topicPart(heading: string, { parts }: Topic): string[] {
  return [
    `.SH ${heading}`,
    ...parts.flatMap((part) => {
      const { heading: title, text, rows = {}, code } = typeof part === "string" ? { text: part } : part;
      return [
        ...(title === undefined ? [] : [`.SS ${roff(title)}`]),
        ...(text === undefined ? [] : [".PP", roff(text)]),
        ...Object.entries(rows).flatMap(([term, what]) => item(term, what)),
        ...(code === undefined ? [] : [".PP", ".EX", ...code.map(roff), ".EE"]),
      ];
    }),
  ];
}

/** man/bpos.1: every command as it is declared, and the topics of `bpos help` that a manual has. */
export function manPage(): string {
  const [bpos, ...commands] = commandEntries();
  if (bpos === undefined) throw new Error("there is no command");
  const files = filesTopic({ config: "", state: "", cache: "" }, textsIn("en").t);
  const lines = [
    '.TH BPOS 1 "" "bpos" "User Commands"',
    ".SH NAME",
    `bpos \\- ${roff(bpos.description.replace(/\.$/, "").toLowerCase())}`,
    ".SH SYNOPSIS",
    ...bpos.usage.map((line) => `.B ${roff(line)}`),
    ".SH DESCRIPTION",
    roff(bpos.description),
    ...bpos.examples.flatMap(([line = "", what = ""]) => [
      ".PP",
      ".EX",
      `$ ${roff(line)}`,
      ".EE",
      roff(what),
    ]),
    ".SH GLOBAL FLAGS",
    "Every command understands these, before it and behind it.",
    ...bpos.groups.flatMap(([, own]) => flags(own)),
    ".SH COMMANDS",
    ...commands.flatMap(manPart),
    ...topicPart("EXIT STATUS", exitCodesTopic(textsIn("en").t)),
    ...topicPart("ENVIRONMENT", environmentTopic(textsIn("en").t)),
    // Its first part is about the machine that asks.
    ...topicPart("FILES", { ...files, parts: files.parts.slice(1) }),
  ];
  return `${lines.join("\n")}\n`;
}

async function referencePages() {
  const { surfaceText } = await import("./surface.ts");
  const { contributingPage } = await import("./rooms.ts");
  return {
    "docs/reference/commands.md": commandsPage,
    "docs/reference/errors.md": errorsPage,
    "test/docs/surface.txt": surfaceText,
    "CONTRIBUTING.md": contributingPage,
  };
}

if (process.argv[1] === import.meta.filename) {
  const wanted = process.argv[2] === "man" ? { "man/bpos.1": manPage } : await referencePages();
  for (const [path, page] of Object.entries(wanted)) {
    const file = join(import.meta.dirname, "..", path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, page());
  }
}
