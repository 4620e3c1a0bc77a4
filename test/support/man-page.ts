import type { Option } from "commander";
import { type ExitName, exitCodes } from "../../src/errors.ts";
import { topics } from "../../src/i18n/en/topics.ts";
import type { Topic } from "../../src/i18n/shapes.ts";
import { type CommandEntry, commandEntries } from "./command-tree.ts";

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

function commandSection({ path, description, usage, examples, ...entry }: CommandEntry): string[] {
  return [
    `.SS ${roff(path)}`,
    roff(description),
    ...usage.flatMap((line) => [".PP", `.B ${roff(line)}`]),
    ...entry.arguments.flatMap(({ name, description: what }) => (what ? item(name, what) : [])),
    ...entry.groups.flatMap(([, own]) => flags(own)),
    ...examples.flatMap(([line = "", what = ""]) => [".PP", ".EX", `$ ${roff(line)}`, ".EE", roff(what)]),
  ];
}

function topicSection(heading: string, { parts }: Topic): string[] {
  return [
    `.SH ${heading}`,
    ...parts.flatMap(({ heading: title, text, rows = [], code }) => [
      ...(title === undefined ? [] : [`.SS ${roff(title)}`]),
      ...(text === undefined ? [] : [".PP", roff(text)]),
      ...rows.flatMap(([term, what]) => item(term, what)),
      ...(code === undefined ? [] : [".PP", ".EX", ...code.map(roff), ".EE"]),
    ]),
  ];
}

/** man/bpos.1: every command as it is declared, and the topics of `bpos help` that a manual has. */
export function manPage(): string {
  const [root, ...commands] = commandEntries();
  if (root === undefined) throw new Error("there is no command");
  const exits = (Object.keys(exitCodes) as ExitName[]).map((name) => [exitCodes[name], name] as const);
  const facts = { exits, reasons: [], folders: { config: "", state: "" } };
  const files = topics.files(facts);
  const lines = [
    '.TH BPOS 1 "" "bpos" "User Commands"',
    ".SH NAME",
    `bpos \\- ${roff(root.description.replace(/\.$/, "").toLowerCase())}`,
    ".SH SYNOPSIS",
    ...root.usage.map((line) => `.B ${roff(line)}`),
    ".SH DESCRIPTION",
    roff(root.description),
    ...root.examples.flatMap(([line = "", what = ""]) => [
      ".PP",
      ".EX",
      `$ ${roff(line)}`,
      ".EE",
      roff(what),
    ]),
    ".SH GLOBAL FLAGS",
    "Every command understands these, before it and behind it.",
    ...root.groups.flatMap(([, own]) => flags(own)),
    ".SH COMMANDS",
    ...commands.flatMap(commandSection),
    ...topicSection("EXIT STATUS", topics["exit-codes"](facts)),
    ...topicSection("ENVIRONMENT", topics.environment(facts)),
    // Its first part is about the machine that asks.
    ...topicSection("FILES", { ...files, parts: files.parts.slice(1) }),
  ];
  return `${lines.join("\n")}\n`;
}
