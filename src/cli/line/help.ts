import type { Command, CommandUnknownOpts, Help, Option } from "@commander-js/extra-typings";
import type { UsageProblem } from "../../errors/problems.ts";
import { type ExitName, exitCodes } from "../../errors.ts";
import { placeholderText, spokenFlag } from "../../texts/flags.ts";
import type { T } from "../../texts/texts.ts";
import { wrap } from "../display/text.ts";
import { chooseColors, createTheme } from "../display/ui.ts";
import type { Runtime } from "../runtime.ts";
import { topics } from "./flags.ts";

export type AnyCommand = CommandUnknownOpts;

export interface HelpFacts {
  examples: readonly (readonly string[])[];
  exits: readonly ExitName[];
  variables: readonly string[];
  /** The names for `--fields`, without those below them; undefined for a command without `--fields`. */
  fields?: readonly string[] | undefined;
  /** The subcommands and long flags that `-h` shows, for a command with more than ten of them. */
  common?: readonly string[];
  /** The flag without which a line is refused, or one like it. */
  needs?: string;
  /** It sends products or messages. */
  sends?: true;
  /** A long list on a terminal goes through the pager. */
  isPaged?: boolean;
}

const nothing: HelpFacts = { examples: [], exits: [], variables: [] };
const factsByCommand = new WeakMap<AnyCommand, HelpFacts>();

export const exits = {
  local: ["ok", "usage", "config", "interrupted"],
  read: ["ok", "usage", "partial", "config", "not_found", "interrupted"],
  ask: ["ok", "usage", "denied", "refused", "unavailable", "config", "not_found", "interrupted"],
  send: [
    "ok",
    "usage",
    "partial",
    "denied",
    "refused",
    "unavailable",
    "unknown",
    "config",
    "held",
    "not_found",
    "interrupted",
  ],
  unguarded: [
    "ok",
    "usage",
    "partial",
    "denied",
    "refused",
    "unavailable",
    "unknown",
    "config",
    "not_found",
    "interrupted",
  ],
  follow: [
    "ok",
    "usage",
    "denied",
    "refused",
    "unavailable",
    "unknown",
    "pending",
    "config",
    "not_found",
    "interrupted",
  ],
  watch: ["ok", "usage", "partial", "denied", "unavailable", "config", "not_found", "interrupted"],
  compare: ["ok", "usage", "partial", "denied", "config", "not_found", "interrupted"],
  recall: ["ok", "usage", "denied", "config", "not_found", "interrupted"],
  file: ["ok", "usage", "config", "not_found", "interrupted"],
  check: ["ok", "usage", "unavailable", "config", "not_found", "interrupted"],
  talk: ["ok", "usage", "refused", "unavailable", "config", "interrupted"],
  find: ["ok", "usage", "refused", "unavailable", "config", "not_found", "interrupted"],
} as const satisfies Record<string, readonly ExitName[]>;

export const variables = {
  orders: ["BPOS_API_KEY", "BPOS_BASE_URL", "BPOS_PROFILE", "BPOS_JOURNAL", "BPOS_MOCK"],
  campaigns: ["BPOS_API_KEY", "BPOS_CAMPAIGNS_URL", "BPOS_PROFILE", "BPOS_JOURNAL", "BPOS_MOCK"],
  watch: ["BPOS_API_KEY", "BPOS_BASE_URL", "BPOS_PROFILE", "BPOS_JOURNAL", "BPOS_MOCK"],
  listen: ["BPOS_WEBHOOK_SECRET", "BPOS_API_KEY", "BPOS_PROFILE", "BPOS_JOURNAL", "BPOS_MOCK"],
  mock: ["BPOS_MOCK"],
} as const;

export function verb(
  parent: AnyCommand,
  name: string,
  { description, examples }: { description: string; examples: Readonly<Record<string, string>> },
  facts: Omit<HelpFacts, "examples"> = nothing,
): Command {
  const command = parent.command(name).description(description);
  setFacts(command, { ...facts, examples: Object.entries(examples) });
  return command;
}

type Declare<Declared> = (parent: AnyCommand, runtime: Runtime) => Declared;

/** The arguments and the flags that commander gives to the action of a declared command. */
type Given<Declared> = Declared extends Command<infer Args, infer Flags> ? [...Args, Flags] : never;

/** A declared command, and the function that runs it, which `load` imports only then: to declare loads none. */
export function runs<Declared extends AnyCommand>(
  declare: Declare<Declared>,
  load: () => Promise<(runtime: Runtime, ...given: Given<Declared>) => Promise<void>>,
): Declare<AnyCommand> {
  return (parent, runtime) => {
    const command = declare(parent, runtime);
    return (command as AnyCommand).action(async (...given) => {
      const run = await load();
      // Behind the flags commander gives the command itself.
      await run(runtime, ...(given.slice(0, -1) as Given<Declared>));
    });
  };
}

export const setFacts = (command: AnyCommand, facts: HelpFacts) => factsByCommand.set(command, facts);
export const readFacts = (command: AnyCommand): HelpFacts => factsByCommand.get(command) ?? nothing;

export const commandPath = (command: AnyCommand): string =>
  command.parent === null ? command.name() : `${commandPath(command.parent)} ${command.name()}`;

export const findRoot = (command: AnyCommand): AnyCommand =>
  command.parent === null ? command : findRoot(command.parent);

export const isCalled = (command: AnyCommand, word: string): boolean =>
  command.name() === word || command.aliases().includes(word);

export function commandAt(program: AnyCommand, words: readonly string[]): AnyCommand | undefined {
  let at: AnyCommand | undefined = program;
  for (const word of words) at = at?.commands.find((each) => isCalled(each, word));
  return at;
}

export function visibleCommands(command: AnyCommand): AnyCommand[] {
  const all = command.createHelp().visibleCommands(command);
  // Without commander's own `help`.
  return all.filter((each) => command.commands.includes(each));
}

export function unknownCommand(command: AnyCommand, name: string, similar: string | null): UsageProblem {
  const known = visibleCommands(command).map((each) => each.name());
  return { kind: "command_unknown", name, similar, command: commandPath(command), known };
}

const anyFlags = (t: T): string => t("[flags]");
const anyCommand = (t: T): string => t("<command>");

export function usageLines(command: AnyCommand, t: T): string[] {
  const path = commandPath(command);
  const words = command.registeredArguments.map((argument) => {
    const name = placeholderText(argument.name(), t) + (argument.variadic ? "..." : "");
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  const { needs } = readFacts(command);
  const own = [path, ...words, ...(needs === undefined ? [] : [spokenFlag(needs, t)]), anyFlags(t)].join(" ");
  if (command.commands.length === 0) return [own];
  const below = `${path} ${anyCommand(t)} ${anyFlags(t)}`;
  return command.parent !== null && command.options.length > 0 ? [own, below] : [below];
}

export function groupBy<T>(items: readonly T[], readHeading: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(readHeading(item), [...(groups.get(readHeading(item)) ?? []), item]);
  return groups;
}

/** Returns the heading of a flag. */
export const flagHeading = ({ helpGroupHeading }: Option, t: T): string => helpGroupHeading ?? t("Flags:");

type Item = readonly [term: string, description: string, heading: string];

function listItems(command: AnyCommand, helper: Help, t: T): Item[] {
  const isRoot = command.parent === null;
  // Those of every command are a topic of their own.
  const own = isRoot
    ? helper.visibleOptions(command).filter(({ long }) => long === "--version" || long === "--help")
    : command.options.filter(({ hidden }) => !hidden);
  const flags = own.map((each): Item => [spokenFlag(each.flags, t), each.description, flagHeading(each, t)]);
  const commands = visibleCommands(command).map(
    (each): Item => [
      [each.name(), ...each.aliases()].join(", "),
      each.description(),
      each.helpGroup() || t("Commands:"),
    ],
  );
  const words = helper
    .visibleArguments(command)
    .map((each): Item => [placeholderText(each.name(), t), each.description, t("Arguments:")]);
  return isRoot ? [...words, ...commands, ...flags] : [...words, ...flags, ...commands];
}

const maxTerm = 32;
const minDescription = 28;

/** Terms, and what they mean beside them; a term too long for the column that `all` of them share stands above. */
export function termList(
  rows: readonly (readonly [term: string, description: string, ...unknown[]])[],
  columns: number,
  style: (term: string) => string = (term) => term,
  all = rows,
): string[] {
  const widest = Math.max(...all.map(([term]) => term.length));
  const column = Math.min(widest, maxTerm, columns - 4 - minDescription);
  return rows.flatMap(([term, description]) => {
    const lines = wrap(description, columns - column - 4);
    if (term.length > column) lines.unshift("");
    return lines.map((line, at) => {
      const [lead, length] = at === 0 ? [style(term), term.length] : ["", 0];
      return `  ${lead}${" ".repeat(Math.max(0, column - length))}  ${line}`.trimEnd();
    });
  });
}

/** An exit code in two words. */
const exitWords = (t: T): Readonly<Record<ExitName, string>> => ({
  ok: t("ok"),
  bug: t("a bug in bpos"),
  usage: t("usage"),
  partial: t("partly done"),
  denied: t("denied"),
  refused: t("refused // an exit code"),
  unavailable: t("unavailable"),
  unknown: t("unknown outcome"),
  pending: t("pending // an exit code"),
  config: t("config"),
  held: t("held"),
  not_found: t("not found"),
  interrupted: t("interrupted"),
});

export function helpPage(command: AnyCommand, helper: Help, t: T): string {
  const { examples, exits, variables, fields = [] } = readFacts(command);
  const columns = helper.helpWidth ?? 80;
  const items = listItems(command, helper, t);
  const list = (heading: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [helper.styleTitle(heading), ...lines, ""];
  const labelLines = (heading: string, words: readonly string[]): string[] => {
    if (words.length === 0) return [];
    const [first = "", ...more] = wrap(`${heading} ${words.join(" · ")}`, columns);
    return [first.replace(heading, helper.styleTitle(heading)), ...more.map((line) => `  ${line}`)];
  };
  const commandHelp = t("Run {command} --help for its flags and examples.", {
    command: `${commandPath(command)} ${anyCommand(t)}`,
  });
  const isRoot = command.parent === null;
  const meanings = exitWords(t);
  const codes = exits.map((name) => `${exitCodes[name]} ${meanings[name]}`);
  const usageHeading = t("Usage:");
  const [usage = "", ...otherUsage] = usageLines(command, t);
  const lines = [
    ...wrap(command.description(), columns),
    "",
    `${helper.styleTitle(usageHeading)} ${usage}`,
    ...otherUsage.map((line) => `${" ".repeat(usageHeading.length)} ${line}`),
    "",
    ...list(
      t("Examples:"),
      examples.flatMap(([line = "", what = ""]) => [
        `  $ ${helper.styleCommandText(line)}`,
        ...wrap(what, columns - 6).map((each) => `      ${each}`),
      ]),
    ),
    ...[...groupBy(items, ([, , heading]) => heading)].flatMap(([heading, group]) =>
      list(heading, termList(group, columns, undefined, items)),
    ),
    ...wrap(
      t("bpos help flags lists the flags of every command, such as -p, --mock, --json and -q."),
      columns,
    ),
    ...(command.commands.length > 0 ? wrap(commandHelp, columns) : []),
    ...labelLines(t("Names for --fields:"), fields),
    ...labelLines(t("Environment:"), variables),
    ...labelLines(t("Exit codes:"), codes),
    ...(isRoot ? labelLines(t("Topics:"), [`bpos help ${topics.join("|")}`]) : []),
  ];
  return `${lines.join("\n")}\n`;
}

export function helpOptions({ system, flags }: Runtime): Partial<Help> {
  const { stdout } = system;
  const { heading, accent } = createTheme(chooseColors(stdout, system, flags));
  const helpWidth = Math.min(stdout.columns() ?? 80, 100);
  return { helpWidth, styleTitle: heading, styleCommandText: accent };
}

export const isEndlessWatch = (command: AnyCommand): boolean =>
  command.name() === "watch" && (command.opts() as { once?: boolean }).once !== true;

/** True if a command, with its flags, runs until it is stopped, or for hours. */
export function runsLong(command: AnyCommand): boolean {
  const { watch, follow, serve } = command.opts() as { watch?: true; follow?: true; serve?: unknown };
  const isServer =
    ["bpos mock", "bpos campaign listen"].includes(commandPath(command)) || serve !== undefined;
  return isServer || watch === true || follow === true || isEndlessWatch(command);
}
