import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Argument, Option } from "@commander-js/extra-typings";
import { exitNameOf } from "../errors.ts";
import type { Remembered } from "../journal/peek.ts";
import { folders } from "../settings/folders.ts";
import type { System } from "../system.ts";
import { Flag, type Source, shells, topics, Word } from "./flags.ts";
import { visible } from "./format.ts";
import { type AnyCommand, rootOf, visibleCommands } from "./help.ts";
import { askedMock, type Runtime } from "./runtime.ts";

/** A shell that completes. */
export type Shell = (typeof shells)[number];

/** The words of a command line as a person means them; the last one is being typed. */
export interface TypedWords {
  words: string[];
  /** The quote that the last word has open, or none. */
  quote: "'" | '"' | "";
  /** How much of the last word the shell leaves alone: it replaces only what is behind that. */
  kept: number;
}

/** A word of bash as it was typed, without its quotes and backslashes. */
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
    const isBreak = /^[=:]+$/.test(word);
    const joins = words.length > 0 && (isBreak || glue);
    if (joins) {
      const before = words.at(-1) ?? "";
      // A break that is typed last stands before an empty word.
      kept = isBreak ? before.length + word.length : before.length;
      words[words.length - 1] = before + word;
    } else {
      kept = 0;
      words.push(word);
    }
    glue = isBreak;
  }
  return { words, kept };
}

/** What a shell hands over, as the words that a person means. */
export function typedWords(shell: Shell, raw: readonly string[]): TypedWords {
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

/**
 * A value as its shell may insert it into the line, with whatever quotes it needs; undefined for one that must not get
 * there: control characters and what hides, and what the open quote cannot hold. zsh and fish quote by themselves.
 */
export function insertable(shell: Shell, value: string, quote: TypedWords["quote"] = ""): string | undefined {
  if (value === "" || visible(value) !== value) return undefined;
  if (shell === "bash") return forBash(value, quote);
  // PowerShell takes typographic quotes for plain ones.
  if (shell === "powershell" && !/^[\w+./-]+$/.test(value)) return `'${value.replace(/['‘’‚‛]/g, "$&$&")}'`;
  return value;
}

/** A word that may stand there, and what it is. */
export interface Candidate {
  value: string;
  note: string;
}

const mostRemembered = 100;

async function fromJournal(
  system: System,
  what: Remembered,
  { mock }: { mock: boolean },
): Promise<Candidate[]> {
  const file = join(folders(system).state, mock ? "mock-journal.db" : "journal.db");
  // To load SQLite for nothing would be felt at every Tab.
  if (!existsSync(file)) return [];
  const { remembered } = await import("../journal/peek.ts");
  return remembered(file, what, mostRemembered).flatMap(({ value, note }) =>
    value === null ? [] : [{ value, note: note ?? "" }],
  );
}

/** The words that a source holds on this machine. Throws what reading them throws. */
export async function candidatesOf(
  system: System,
  source: Source,
  { mock }: { mock: boolean },
): Promise<Candidate[]> {
  if (source.of === "words") return source.words.map((value) => ({ value, note: "" }));
  if (source.of === "journal") return fromJournal(system, source.what, { mock });
  if (source.of !== "profiles") return [];
  const { profileNames } = await import("../settings/folders.ts");
  return profileNames(system).map((value) => ({ value, note: "" }));
}

// Each asks `bpos __complete` for every Tab and takes its lines apart by itself: nothing of an answer is ever expanded
// or run by the shell.

const bash = String.raw`# bpos completion for bash
_bpos() {
  local kind='' value note
  COMPREPLY=()
  while IFS=$'\t' read -r value note; do
    if [[ -z $kind ]]; then kind=$value; else COMPREPLY+=("$value"); fi
  done < <(bpos __complete bash -- "${"$"}{COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null </dev/null)
  # The bash of macOS has no compopt.
  case $kind in
    files)
      compopt -o default 2>/dev/null || while IFS= read -r value; do
        COMPREPLY+=("$value")
      done < <(compgen -f -- "${"$"}{COMP_WORDS[COMP_CWORD]}") ;;
    folders)
      compopt -o dirnames 2>/dev/null || while IFS= read -r value; do
        COMPREPLY+=("$value")
      done < <(compgen -d -- "${"$"}{COMP_WORDS[COMP_CWORD]}") ;;
  esac
}
complete -o nosort -F _bpos bpos 2>/dev/null || complete -F _bpos bpos
`;

const zsh = String.raw`#compdef bpos
# bpos completion for zsh
_bpos() {
  local kind='' line value note
  local -a values shown
  while IFS= read -r line; do
    if [[ -z $kind ]]; then kind=$line; continue; fi
    value=${"$"}{line%%$'\t'*}
    note=${"$"}{line#*$'\t'}
    values+=("$value")
    if [[ -n $note ]]; then shown+=("$value  -- $note"); else shown+=("$value"); fi
  done < <(bpos __complete zsh -- "${"$"}{(@Q)words[2,CURRENT]}" 2>/dev/null </dev/null)
  case $kind in
    files) compset -P '--*='; _files ;;
    folders) compset -P '--*='; _files -/ ;;
    *) (( $#values )) && compadd -l -V bpos -d shown -a values ;;
  esac
}
if [[ $funcstack[1] == _bpos ]]; then _bpos "$@"; else compdef _bpos bpos; fi
`;

const fish = String.raw`# bpos completion for fish
function __bpos_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines (bpos __complete fish -- $words[2..-1] "$current" 2>/dev/null </dev/null)
    set -l flag (string match -r -- '^--[^=]+=' "$current")
    set -l path (string replace -r -- '^--[^=]+=' '' "$current")
    switch "$lines[1]"
        case files
            string replace -r -- '^' "$flag" (__fish_complete_path "$path")
        case folders
            string replace -r -- '^' "$flag" (__fish_complete_directories "$path")
        case '*'
            printf '%s\n' $lines[2..-1]
    end
end
complete -c bpos -f -k -a '(__bpos_complete)'
`;

const powershell = `# bpos completion for PowerShell
Register-ArgumentCompleter -Native -CommandName bpos -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -le $cursorPosition } |
        ForEach-Object {
            if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { '=' + $_.Value }
            else { '=' + $_.Extent.Text }
        })
    if ($wordToComplete -eq '') { $words += '=' }
    $lines = @(bpos __complete powershell -- @words 2>$null)
    if ($lines.Count -lt 2 -or $lines[0] -ne 'words') { return }
    $lines | Select-Object -Skip 1 | ForEach-Object {
        $value, $note = $_ -split [char]9, 2
        if (-not $note) { $note = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $note)
    }
}
`;

const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish, powershell };

/** Runs `bpos completion`: prints the script of a shell. */
export async function printCompletion(runtime: Runtime, shell: Shell): Promise<void> {
  await runtime.system.stdout.write(scripts[shell]);
}

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
  visibleCommands(command).map((each) => ({ value: each.name(), note: each.description() }));

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
