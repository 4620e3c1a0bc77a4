import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Argument, Option } from "@commander-js/extra-typings";
import { databaseFault } from "../../contract/addresses.ts";
import { exitNames } from "../../errors.ts";
import type { Remembered } from "../../journal/upkeep/inspect-queries.ts";
import { folders, profileNames, sharedJournal } from "../../settings/folders.ts";
import type { T } from "../../texts/texts.ts";
import { visible } from "../display/format.ts";
import { openOutput } from "../display/output.ts";
import { type Runtime, readMockWish } from "../runtime.ts";
import { findDeclared, type shells, topics } from "./flags.ts";
import { type AnyCommand, commandAt, findRoot, isCalled, readFacts, visibleCommands } from "./help.ts";

type Shell = (typeof shells)[number];

/** The words as they are meant, and how much of the last one the shell leaves alone: it replaces only what is behind that. */
function typedWords(shell: string, raw: readonly string[]): { words: string[]; kept: number } {
  // Windows PowerShell drops empty arguments, so each argument has a prefix.
  if (shell === "powershell") return { words: raw.map((word) => word.slice(1)), kept: 0 };
  if (shell !== "bash") return { words: [...raw], kept: 0 };
  // bash breaks words at `=` and `:`, and leaves their backslashes. In an open quote nothing matches, so nothing is offered.
  const joined = raw.join("\n").replace(/\n([=:]+)(?:\n|$)/g, "$1");
  const words = joined.split("\n").map((word) => word.replace(/\\(.)/g, "$1"));
  const tail = raw.at(-1) ?? "";
  const last = joined.slice(joined.lastIndexOf("\n") + 1);
  const kept = /^[=:]+$/.test(tail) ? last : last.slice(0, last.length - tail.length);
  return { words, kept: kept.replace(/\\(.)/g, "$1").length };
}

/** Returns a word as its shell can insert it; undefined if it has characters that act or hide. zsh and fish quote by themselves. */
function insertable(shell: string, value: string): string | undefined {
  if (value === "" || visible(value) !== value) return undefined;
  if (shell === "bash") return value.replace(/[^\p{L}\p{N}_@%+=:,./-]/gu, "\\$&");
  // PowerShell reads typographic quotes as plain ones.
  if (shell === "powershell" && !/^[\w+./-]+$/.test(value)) return `'${value.replace(/['‘’‚‛]/g, "$&$&")}'`;
  return value;
}

export type Candidate = { value: string; note?: string | null };

/** The words that may stand at a place, or `files` or `folders`, which the shell finds by itself. */
type Answer = readonly Candidate[] | "files" | "folders";
const plain = (values: readonly string[]): Candidate[] => values.map((value) => ({ value }));
const maxRemembered = 100;
/** At a Tab, for the session with a database and for each of its answers. */
const maxWaitMs = 500;

async function valuesIn(system: Runtime["system"], mock: boolean, what: Remembered) {
  const { env } = system;
  const database = mock ? undefined : sharedJournal(system);
  if (database !== undefined) {
    if (databaseFault(database, env) !== undefined) return [];
    const { readRememberedIn: rememberedIn } = await import("../../journal/upkeep/inspect-postgres.ts");
    return rememberedIn(database, { env, limitMs: maxWaitMs }, what, maxRemembered);
  }
  const file = join(folders(system).state, mock ? "mock-journal.db" : "journal.db");
  // Loading SQLite without need would slow down every Tab.
  if (!existsSync(file)) return [];
  const { readRemembered: remembered } = await import("../../journal/upkeep/inspect.ts");
  return remembered(file, what, maxRemembered);
}

export async function listValues(
  { system }: Runtime,
  of: Option | Argument,
  { typed, mock, head = "" }: { typed: string; mock: boolean; head?: string },
): Promise<Answer> {
  const source = findDeclared(of)?.source;
  const behindHead = (values: readonly string[]): Candidate[] => plain(values.map((value) => head + value));
  if (source === undefined) return [];
  if (source.of === "files" || source.of === "folders") return source.of;
  if (source.of === "profiles") return behindHead(profileNames(system));
  if (source.of === "words") {
    const before = source.list === true ? typed.slice(0, typed.lastIndexOf(",") + 1) : "";
    return behindHead(source.words.map((word) => before + word));
  }
  const rows = await valuesIn(system, mock, source.what);
  return rows.flatMap(({ value, note }) => (value === null ? [] : [{ value: head + value, note }]));
}

const listFlags = (command: AnyCommand): Option[] => [
  ...new Set([...command.options, ...findRoot(command).options]),
];
const flagNamed = (command: AnyCommand, name: string): Option | undefined =>
  listFlags(command).find(({ long, short }) => name === long || name === short);

function findPlace(program: AnyCommand, before: readonly string[]) {
  let command = program;
  const operands: string[] = [];
  const given = new Set<Option>();
  let pending: Option | undefined;
  let ended = false;
  for (const word of before) {
    if (pending !== undefined) pending = undefined;
    else if (!ended && word === "--") ended = true;
    else if (!ended && word.startsWith("-") && word !== "-") {
      const [name = "", value] = word.split("=", 2);
      const option = flagNamed(command, name);
      if (option !== undefined) given.add(option);
      if (option?.required === true && value === undefined) pending = option;
    } else {
      const below = operands.length === 0 && command.commands.find((each) => isCalled(each, word));
      if (below) command = below;
      else operands.push(word);
    }
  }
  return { command, operands, given, pending, ended };
}

const commandsBelow = (command: AnyCommand): Candidate[] =>
  visibleCommands(command).map((each) => ({ value: each.name(), note: each.description() }));

function flagCandidates({ command, given }: ReturnType<typeof findPlace>): Candidate[] {
  const flags = listFlags(command).flatMap((option) => {
    const { long, description, hidden } = option;
    const isOver = given.has(option) && findDeclared(option)?.repeats !== true;
    return long === undefined || hidden || isOver ? [] : [{ value: long, note: description }];
  });
  return [...flags, { value: "--help" }];
}

/** The names for `--fields`, behind those that were typed already. */
function fieldCandidates(command: AnyCommand, typed: string): Candidate[] {
  const before = typed.slice(0, typed.lastIndexOf(",") + 1);
  const names = (readFacts(command).fields ?? []).filter((name) => !before.split(",").includes(name));
  return plain(names.map((name) => before + name));
}

const topicNote = (topic: (typeof topics)[number], t: T): string =>
  ({
    flags: t("flags of every command"),
    "exit-codes": t("exit codes and how a script handles them"),
    environment: t("environment variables and their precedence"),
    files: t("files of bpos and their folders"),
    json: t("JSON output of each command"),
    errors: t("error reasons by exit code; with REASON, how to fix one"),
  })[topic];

function helpCandidates(
  program: AnyCommand,
  operands: readonly string[],
  { outTexts }: Runtime,
): Candidate[] {
  const [first] = operands;
  if (first === "errors") return operands.length > 1 ? [] : plain(Object.keys(exitNames));
  const at = commandAt(program, operands);
  const ofTopics = topics.map((value) => ({ value, note: topicNote(value, outTexts.t) }));
  return [...(at ? commandsBelow(at) : []), ...(first === undefined ? ofTopics : [])];
}

async function answerAt(runtime: Runtime, program: AnyCommand, words: readonly string[]): Promise<Answer> {
  const place = findPlace(program, words.slice(0, -1));
  const { command, operands, given, pending, ended } = place;
  const current = words.at(-1) ?? "";
  const isMock = [...given].some(({ long }) => long === "--mock");
  const mock = readMockWish(runtime.system.env, isMock) === "embedded";
  if (pending?.long === "--fields") return fieldCandidates(command, current);
  if (pending !== undefined) return listValues(runtime, pending, { typed: current, mock });
  if (!ended && current.startsWith("--") && current.includes("=")) {
    const head = current.slice(0, current.indexOf("=") + 1);
    const option = flagNamed(command, head.slice(0, -1));
    if (option?.required !== true) return [];
    return listValues(runtime, option, { typed: current.slice(head.length), mock, head });
  }
  if (current.startsWith("-") && !ended && current !== "-") return flagCandidates(place);
  if (command.name() === "help" && command.parent === program)
    return helpCandidates(program, operands, runtime);
  if (command.name() === "schema" && command.parent === program)
    return commandsBelow(commandAt(program, operands) ?? command);
  const { registeredArguments } = command;
  const argument =
    registeredArguments[operands.length] ?? registeredArguments.findLast(({ variadic }) => variadic);
  if (argument !== undefined) {
    const values = await listValues(runtime, argument, { typed: current, mock });
    // It would be taken for a flag.
    return typeof values === "string" || ended
      ? values
      : values.filter(({ value }) => !value.startsWith("-"));
  }
  const below = operands.length === 0 ? commandsBelow(command) : [];
  return below.length > 0 || ended ? below : flagCandidates(place);
}

/** Prints `words`, `files` or `folders`, then a line for each candidate. Fails silently: nobody wants a message at Tab. */
export async function printCandidates(
  runtime: Runtime,
  program: AnyCommand,
  shell: string,
  raw: readonly string[],
): Promise<void> {
  const { words, kept } = typedWords(shell, raw);
  const found = await answerAt(runtime, program, words).catch((): Answer => []);
  const [kind, candidates] = typeof found === "string" ? [found, []] : ["words", found];
  const lines = candidates
    .filter(({ value }) => value.startsWith(words.at(-1) ?? ""))
    .flatMap(({ value, note }) => {
      const text = insertable(shell, value.slice(kept));
      return text === undefined ? [] : [`${text}\t${visible(note ?? "")}`];
    });
  await runtime.system.stdout.write(`${[kind, ...lines].join("\n")}\n`);
}

// Each asks `bpos __complete` at every Tab and takes its lines apart: nothing of an answer is ever expanded or run by the shell.

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

export async function printScript(runtime: Runtime, shell: Shell): Promise<void> {
  // It has no JSON output, so a JSON format is refused.
  openOutput(runtime, ["table"]);
  await runtime.system.stdout.write(scripts[shell]);
}
