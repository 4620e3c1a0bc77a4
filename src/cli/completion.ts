import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Argument, Option } from "@commander-js/extra-typings";
import { exitNameOf } from "../errors.ts";
import { folders, profileNames } from "../settings/folders.ts";
import { Flag, type Source, shells, topics, Word } from "./flags.ts";
import { visible } from "./format.ts";
import { type AnyCommand, commandAt, rootOf, visibleCommands } from "./help.ts";
import { askedMock, type Runtime } from "./runtime.ts";

type Shell = (typeof shells)[number];

interface TypedWords {
  words: string[];
  quote: "'" | '"' | "";
  /** How much of the last word the shell leaves alone: it replaces only what is behind that. */
  kept: number;
}

function unquoted(raw: string): { text: string; quote: TypedWords["quote"] } {
  let quote: TypedWords["quote"] = "";
  let text = "";
  for (let at = 0; at < raw.length; at++) {
    const sign = raw[at] ?? "";
    const next = raw[at + 1] ?? "";
    const escapes = quote === "" || (quote === '"' && '"$`\\'.includes(next));
    if (sign === "\\" && quote !== "'" && escapes) {
      text += next;
      at++;
    } else if (quote === "" && (sign === "'" || sign === '"')) quote = sign;
    else if (sign === quote) quote = "";
    else text += sign;
  }
  return { text, quote };
}

/** bash breaks words at `=` and `:`; here they are whole again, as far as they belong to a flag or stand alone. */
function rejoined(raw: readonly string[]): { words: string[]; kept: number } {
  const words: string[] = [];
  let kept = 0;
  let glue = false;
  for (const word of raw) {
    const isBreak = word !== "" && Array.from(word).every((sign) => sign === "=" || sign === ":");
    const before = isBreak || glue ? (words.pop() ?? "") : "";
    // A break that is typed last stands before an empty word.
    kept = before === "" ? 0 : before.length + (isBreak ? word.length : 0);
    words.push(before + word);
    glue = isBreak;
  }
  return { words, kept };
}

function typedWords(shell: Shell, raw: readonly string[]): TypedWords {
  // Windows PowerShell drops empty arguments, so that each comes behind a sign of its own.
  if (shell === "powershell") return { words: raw.map((word) => word.slice(1)), quote: "", kept: 0 };
  if (shell !== "bash") return { words: [...raw], quote: "", kept: 0 };
  const { words, kept } = rejoined(raw);
  const clean = words.map(unquoted);
  const last = words.at(-1) ?? "";
  return {
    words: clean.map(({ text }) => text),
    quote: clean.at(-1)?.quote ?? "",
    kept: unquoted(last.slice(0, kept)).text.length,
  };
}

const PLAIN = /^[\p{L}\p{N}_@%+=:,./-]+$/u;

function forBash(value: string, quote: TypedWords["quote"]): string | undefined {
  // Inside an open quote nothing can stand for itself that ends it, or that the history expands.
  if (quote === "'") return value.includes("'") ? undefined : value;
  if (quote === '"') return value.includes("!") ? undefined : value.replace(/["$`\\]/g, "\\$&");
  return PLAIN.test(value) ? value : value.replace(/[^\p{L}\p{N}_@%+=:,./-]/gu, "\\$&");
}

/** As its shell may insert it; undefined for what acts or hides, and for what the open quote cannot hold. zsh and fish quote by themselves. */
function insertable(shell: Shell, value: string, quote: TypedWords["quote"] = ""): string | undefined {
  if (value === "" || visible(value) !== value) return undefined;
  if (shell === "bash") return forBash(value, quote);
  // PowerShell takes typographic quotes for plain ones.
  if (shell === "powershell" && !/^[\w+./-]+$/.test(value)) return `'${value.replace(/['‘’‚‛]/g, "$&$&")}'`;
  return value;
}

type Candidate = Readonly<Record<"value" | "note", string>>;

/** Everything that may stand at a place: these words, or files or folders, which the shell finds by itself. */
interface Answer {
  kind: "words" | "files" | "folders";
  candidates: readonly Candidate[];
}

const answer = (candidates: readonly Candidate[] = []): Answer => ({ kind: "words", candidates });
const plain = (values: readonly string[]): Candidate[] => values.map((value) => ({ value, note: "" }));

const maxRemembered = 100;

async function valuesOf(
  { system }: Runtime,
  of: Option | Argument,
  { typed, mock }: { typed: string; mock: boolean },
): Promise<Answer> {
  const source: Source | undefined = of instanceof Flag || of instanceof Word ? of.source : undefined;
  switch (source?.of) {
    case undefined:
      return answer();
    case "files":
    case "folders":
      return { kind: source.of, candidates: [] };
    case "profiles":
      return answer(plain(profileNames(system)));
    case "words": {
      const head = source.list === true ? typed.slice(0, typed.lastIndexOf(",") + 1) : "";
      return answer(plain(source.words.map((word) => head + word)));
    }
    case "journal": {
      const file = join(folders(system).state, mock ? "mock-journal.db" : "journal.db");
      // To load SQLite for nothing would be felt at every Tab.
      if (!existsSync(file)) return answer();
      const { remembered } = await import("../journal/inspect.ts");
      const rows = remembered(file, source.what, maxRemembered);
      return answer(rows.flatMap(({ value, note }) => (value === null ? [] : [{ value, note: note ?? "" }])));
    }
  }
}

const flagsOf = (command: AnyCommand): Option[] => [
  ...new Set([...command.options, ...rootOf(command).options]),
];
const flagNamed = (command: AnyCommand, name: string): Option | undefined =>
  flagsOf(command).find(({ long, short }) => name === long || name === short);

function placeOf(program: AnyCommand, before: readonly string[]) {
  let command = program;
  const operands: string[] = [];
  const given = new Set<string>();
  let pending: Option | undefined;
  let ended = false;
  for (const word of before) {
    if (pending !== undefined) pending = undefined;
    else if (!ended && word === "--") ended = true;
    else if (!ended && word.startsWith("-") && word !== "-") {
      const [name = "", value] = word.split("=", 2);
      const option = flagNamed(command, name);
      if (option?.long !== undefined) given.add(option.long);
      if (option?.required === true && value === undefined) pending = option;
    } else {
      const below = operands.length === 0 && command.commands.find((each) => each.name() === word);
      if (below) command = below;
      else operands.push(word);
    }
  }
  return { command, operands, given, pending, ended };
}

type Place = ReturnType<typeof placeOf>;

const commandsBelow = (command: AnyCommand): Candidate[] =>
  visibleCommands(command).map((each) => ({ value: each.name(), note: each.description() }));

function flagCandidates({ command, given }: Place): Candidate[] {
  const flags = flagsOf(command).flatMap((option) => {
    const { long, description, hidden } = option;
    const isOver = given.has(long ?? "") && !(option instanceof Flag && option.repeats);
    return long === undefined || hidden || isOver ? [] : [{ value: long, note: description }];
  });
  return [...flags, ...plain(["--help"])];
}

function helpCandidates(program: AnyCommand, operands: readonly string[], { texts }: Runtime): Candidate[] {
  const [first] = operands;
  if (first === "errors") return operands.length > 1 ? [] : plain(Object.keys(exitNameOf));
  const at = commandAt(program, operands);
  const ofTopics = topics.map((value) => ({ value, note: texts.helpPage.help.topics[value] }));
  return [...(at ? commandsBelow(at) : []), ...(first === undefined ? ofTopics : [])];
}

async function answerAt(
  runtime: Runtime,
  program: AnyCommand,
  place: Place,
  current: string,
): Promise<Answer> {
  const { command, operands, given, pending, ended } = place;
  const mock = askedMock(runtime.system.env, given.has("--mock")) === "embedded";
  if (pending !== undefined) return valuesOf(runtime, pending, { typed: current, mock });
  if (!ended && current.startsWith("--") && current.includes("=")) {
    const head = current.slice(0, current.indexOf("=") + 1);
    const option = flagNamed(command, head.slice(0, -1));
    if (option?.required !== true) return answer();
    const values = await valuesOf(runtime, option, { typed: current.slice(head.length), mock });
    return {
      ...values,
      candidates: values.candidates.map((each) => ({ ...each, value: head + each.value })),
    };
  }
  if (current.startsWith("-") && !ended && current !== "-") return answer(flagCandidates(place));
  if (command.name() === "help" && command.parent === program)
    return answer(helpCandidates(program, operands, runtime));
  const { registeredArguments } = command;
  const argument =
    registeredArguments[operands.length] ?? registeredArguments.findLast(({ variadic }) => variadic);
  if (argument !== undefined) {
    const values = await valuesOf(runtime, argument, { typed: current, mock });
    // It would be taken for a flag.
    return {
      ...values,
      candidates: values.candidates.filter(({ value }) => ended || !value.startsWith("-")),
    };
  }
  const below = operands.length === 0 ? commandsBelow(command) : [];
  if (below.length > 0) return answer(below);
  return answer(ended ? [] : flagCandidates(place));
}

/** Prints `words`, `files` or `folders`, then a line for each candidate. Fails silently: at a Tab nobody wants a message. */
export async function printCandidates(
  runtime: Runtime,
  program: AnyCommand,
  shell: string,
  raw: readonly string[],
): Promise<void> {
  const known = shells.find((each) => each === shell);
  if (known === undefined) return;
  const { words, quote, kept } = typedWords(known, raw);
  const current = words.at(-1) ?? "";
  let found = answer();
  try {
    found = await answerAt(runtime, program, placeOf(program, words.slice(0, -1)), current);
  } catch {
    // A profile file or a journal that cannot be read: there is nothing to offer.
  }
  const lines = found.candidates
    .filter(({ value }) => value.startsWith(current))
    .flatMap(({ value, note }) => {
      const text = insertable(known, value.slice(kept), quote);
      return text === undefined ? [] : [`${text}\t${visible(note)}`];
    });
  await runtime.system.stdout.write(`${[found.kind, ...lines].join("\n")}\n`);
}
