import type { Argument, Option } from "@commander-js/extra-typings";
import { exitNameOf } from "../errors.ts";
import { type Candidate, candidatesOf } from "./complete-values.ts";
import { Flag, type Source, shells, topics, Word } from "./flags.ts";
import { visible } from "./format.ts";
import { rootOf } from "./help-page.ts";
import type { AnyCommand } from "./help-text.ts";
import { askedMock } from "./mock-variable.ts";
import type { Runtime } from "./runtime.ts";
import { insertable, typedWords } from "./shell-words.ts";

/** Where in a command line somebody is typing. */
interface Place {
  command: AnyCommand;
  /** The arguments of that command so far. */
  operands: readonly string[];
  /** The long names of the flags that were given. */
  given: ReadonlySet<string>;
  /** The flag whose value is being typed. */
  pending: Option | undefined;
  /** Whether `--` ended the flags. */
  ended: boolean;
}

/** The flags that a command understands, its own first. */
function flagsOf(command: AnyCommand): Option[] {
  return command.parent === null ? [...command.options] : [...command.options, ...rootOf(command).options];
}

const sourceOf = (of: Option | Argument): Source | undefined =>
  of instanceof Flag || of instanceof Word ? of.source : undefined;

const takesValue = (option: Option): boolean => option.required || option.optional;

function placeOf(program: AnyCommand, before: readonly string[]): Place {
  let command = program;
  let operands: string[] = [];
  const given = new Set<string>();
  let pending: Option | undefined;
  let ended = false;
  for (const word of before) {
    if (pending !== undefined) pending = undefined;
    else if (!ended && word === "--") ended = true;
    else if (!ended && word.startsWith("-") && word !== "-") {
      const [name = ""] = word.split("=", 1);
      const option = flagsOf(command).find(({ long, short }) => [long, short].includes(name));
      if (option?.long !== undefined) given.add(option.long);
      if (option !== undefined && takesValue(option) && !word.includes("=")) pending = option;
    } else {
      const below = operands.length === 0 && command.commands.find((each) => each.name() === word);
      if (below) command = below;
      else operands = [...operands, word];
    }
  }
  return { command, operands, given, pending, ended };
}

const visibleBelow = (command: AnyCommand): Candidate[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => command.commands.includes(each))
    .map((each) => ({ value: each.name(), note: each.description() }));

function flagCandidates({ command, given }: Place): Candidate[] {
  const flags = flagsOf(command).flatMap((option) => {
    const { long, description, hidden } = option;
    const isOver = given.has(long ?? "") && !(option instanceof Flag && option.repeats);
    return long === undefined || hidden || isOver ? [] : [{ value: long, note: description }];
  });
  return [...flags, { value: "--help", note: "" }];
}

/** What `bpos help` takes: commands, a topic, the reason of an error. */
function helpCandidates(program: AnyCommand, operands: readonly string[], { texts }: Runtime): Candidate[] {
  const [first] = operands;
  if (first === "errors")
    return operands.length > 1 ? [] : Object.keys(exitNameOf).map((value) => ({ value, note: "" }));
  let at: AnyCommand | undefined = program;
  for (const word of operands) at = at?.commands.find((each) => each.name() === word);
  const ofTopics = topics.map((value) => ({ value, note: texts.helpPage.help.topics[value] }));
  return [...(at ? visibleBelow(at) : []), ...(first === undefined ? ofTopics : [])];
}

/** What a value may be; the last of several behind commas is completed alone. */
async function valuesOf(
  runtime: Runtime,
  source: Source | undefined,
  { current, mock }: { current: string; mock: boolean },
): Promise<Answer> {
  if (source === undefined) return { kind: "words", candidates: [] };
  if (source.of === "files" || source.of === "folders") return { kind: source.of, candidates: [] };
  const found = await candidatesOf(runtime.system, source, { mock });
  const head = source.of === "words" && source.list ? current.slice(0, current.lastIndexOf(",") + 1) : "";
  return {
    kind: "words",
    candidates: found.map(({ value, note }) => ({ value: head + value, note })),
  };
}

interface Answer {
  kind: "words" | "files" | "folders";
  candidates: readonly Candidate[];
}

/** Everything that may stand where somebody is typing `current`. */
async function answerAt(
  runtime: Runtime,
  program: AnyCommand,
  place: Place,
  current: string,
): Promise<Answer> {
  const { command, operands, given, pending, ended } = place;
  const mock = askedMock(runtime.system.env, given.has("--mock")) === "embedded";
  if (pending !== undefined) return valuesOf(runtime, sourceOf(pending), { current, mock });
  const flag = ended ? undefined : /^(--[^=]+=)(.*)$/s.exec(current);
  if (flag) {
    const [, name = "", typed = ""] = flag;
    const option = flagsOf(command).find(({ long }) => `${long ?? ""}=` === name);
    if (option === undefined || !takesValue(option)) return { kind: "words", candidates: [] };
    const values = await valuesOf(runtime, sourceOf(option), { current: typed, mock });
    const candidates = values.candidates.map(({ value, note }) => ({ value: name + value, note }));
    return { ...values, candidates };
  }
  if (current.startsWith("-") && !ended && current !== "-")
    return { kind: "words", candidates: flagCandidates(place) };
  if (command.name() === "help" && command.parent === program)
    return { kind: "words", candidates: helpCandidates(program, operands, runtime) };
  const below = operands.length === 0 ? visibleBelow(command) : [];
  const argument =
    command.registeredArguments[operands.length] ??
    command.registeredArguments.findLast(({ variadic }) => variadic);
  if (argument === undefined && below.length > 0) return { kind: "words", candidates: below };
  if (argument === undefined) return { kind: "words", candidates: ended ? [] : flagCandidates(place) };
  const values = await valuesOf(runtime, sourceOf(argument), { current, mock });
  // It would be taken for a flag.
  const candidates = values.candidates.filter(({ value }) => ended || !value.startsWith("-"));
  return { ...values, candidates };
}

/**
 * Prints what a shell may offer for a command line, its last word being typed: first a line `words`, `files` or
 * `folders`, then a line for each candidate, its explanation behind a tab. Fails silently: nobody who presses Tab
 * wants a message in the middle of the line.
 */
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
  let answer: Answer = { kind: "words", candidates: [] };
  try {
    answer = await answerAt(runtime, program, placeOf(program, words.slice(0, -1)), current);
  } catch {
    // A profile file or a journal that cannot be read: there is nothing to offer.
  }
  const lines = answer.candidates
    .filter(({ value }) => value.startsWith(current))
    .flatMap(({ value, note }) => {
      const text = insertable(known, value.slice(kept), quote);
      return text === undefined ? [] : [`${text}\t${visible(note)}`];
    });
  await runtime.system.stdout.write(`${[answer.kind, ...lines].join("\n")}\n`);
}
