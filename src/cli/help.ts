import type { Command, CommandUnknownOpts, Help, Option } from "@commander-js/extra-typings";
import { type ExitName, exitCodes } from "../errors.ts";
import type { Texts } from "../i18n/en.ts";
import { topics } from "./flags.ts";
import type { Runtime } from "./runtime.ts";
import { wrap } from "./text.ts";

export type AnyCommand = CommandUnknownOpts;

type Example = readonly string[];

export interface HelpFacts {
  examples: readonly Example[];
  exits: readonly ExitName[];
  variables: readonly string[];
  takesFields?: boolean;
}

const nothing: HelpFacts = { examples: [], exits: [], variables: [] };
const factsByCommand = new WeakMap<AnyCommand, HelpFacts>();

/** The exit codes that matter, by what a command does. */
export const exits = {
  read: ["ok", "usage", "partial"],
  ask: ["ok", "usage", "denied", "refused", "unavailable", "config"],
  send: ["ok", "usage", "partial", "denied", "refused", "unavailable", "unknown", "config", "interrupted"],
  follow: ["ok", "usage", "denied", "refused", "unavailable", "pending", "config", "interrupted"],
  watch: ["ok", "usage", "partial", "denied", "unavailable", "config", "interrupted"],
  recall: ["ok", "usage", "denied", "config"],
  file: ["ok", "usage", "config"],
  serve: ["ok", "usage", "config", "interrupted"],
  talk: ["ok", "usage", "refused", "unavailable", "config"],
} as const satisfies Record<string, readonly ExitName[]>;

export const variables = {
  orders: ["BPOS_API_KEY", "BPOS_BASE_URL", "BPOS_PROFILE", "BPOS_MOCK"],
  campaigns: ["BPOS_API_KEY", "BPOS_CAMPAIGNS_URL", "BPOS_PROFILE", "BPOS_MOCK"],
  listen: ["BPOS_WEBHOOK_SECRET", "BPOS_API_KEY", "BPOS_PROFILE", "BPOS_MOCK"],
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

export function setFacts(command: AnyCommand, facts: HelpFacts): void {
  factsByCommand.set(command, facts);
}

export const factsOf = (command: AnyCommand): HelpFacts => factsByCommand.get(command) ?? nothing;

export function pathOf(command: AnyCommand): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

export function rootOf(command: AnyCommand): AnyCommand {
  return command.parent === null ? command : rootOf(command.parent);
}

export function commandAt(program: AnyCommand, words: readonly string[]): AnyCommand | undefined {
  let at: AnyCommand | undefined = program;
  for (const word of words) at = at?.commands.find((each) => each.name() === word);
  return at;
}

/** The commands below one that people may see, without commander's own `help`. */
export function visibleCommands(command: AnyCommand): AnyCommand[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => command.commands.includes(each));
}

export function usageLines(command: AnyCommand, texts: Texts): string[] {
  const { placeholder, placeholders } = texts.helpPage;
  const { flags, command: any } = placeholders;
  const path = pathOf(command);
  const words = command.registeredArguments.map((argument) => {
    const name = placeholder(argument.name()) + (argument.variadic ? "..." : "");
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  const own = [path, ...words, flags].join(" ");
  if (command.commands.length === 0) return [own];
  const below = `${path} ${any} ${flags}`;
  return command.parent !== null && command.options.length > 0 ? [own, below] : [below];
}

function grouped<T>(items: readonly T[], headingOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(headingOf(item), [...(groups.get(headingOf(item)) ?? []), item]);
  return groups;
}

export const flagGroups = (options: readonly Option[], usual: string): Map<string, Option[]> =>
  grouped(options, ({ helpGroupHeading }) => helpGroupHeading ?? usual);

type Item = readonly [heading: string, term: string, description: string];

/** Arguments, flags and the commands below; the root's flags are everybody's, and come last. */
function itemsOf(command: AnyCommand, helper: Help, texts: Texts): Item[] {
  const { headings, spoken, placeholder } = texts.helpPage;
  const isRoot = command.parent === null;
  const options = isRoot ? helper.visibleOptions(command) : command.options;
  const flags = [...flagGroups(options, headings.flags)].flatMap(([heading, group]) =>
    group.map(({ flags, description }): Item => [heading, spoken(flags), description]),
  );
  const commands = visibleCommands(command).map(
    (each): Item => [each.helpGroup() || headings.commands, each.name(), each.description()],
  );
  const words = helper
    .visibleArguments(command)
    .map((each): Item => [headings.arguments, placeholder(each.name()), each.description]);
  return isRoot ? [...words, ...commands, ...flags] : [...words, ...flags, ...commands];
}

/** An explanation of fewer columns than this stands below its term, not beside it. */
const narrowest = 24;

export function helpPage(command: AnyCommand, helper: Help, texts: Texts): string {
  const { headings, exits: exitWords, globalHelp, commandHelp, placeholders } = texts.helpPage;
  const { examples, exits, variables } = factsOf(command);
  const columns = helper.helpWidth ?? 80;
  const below = (text: string): string[] => wrap(text, columns - 6).map((line) => `      ${line}`);
  const list = (heading: string, lines: string[]): string[] => helper.formatItemList(heading, lines, helper);
  const items = itemsOf(command, helper, texts);
  const width = Math.max(0, ...items.map(([, term]) => term.length));
  const itemLines = ([, term, description]: Item): string[] => {
    if (description === "") return [`  ${term}`];
    if (columns - width - 4 < narrowest) return [`  ${term}`, ...below(description)];
    return wrap(description, columns - width - 4).map(
      (line, at) => `  ${(at === 0 ? term : "").padEnd(width)}  ${line}`,
    );
  };
  const labelled = (heading: string, words: readonly string[]): string[] => {
    if (words.length === 0) return [];
    const [first = "", ...more] = wrap(`${heading} ${words.join(" · ")}`, columns);
    return [first.replace(heading, helper.styleTitle(heading)), ...more.map((line) => `  ${line}`)];
  };
  const isRoot = command.parent === null;
  const [usage = "", ...otherUsage] = usageLines(command, texts);
  const lines = [
    ...wrap(command.description(), columns),
    "",
    `${helper.styleTitle(headings.usage)} ${usage}`,
    ...otherUsage.map((line) => `${" ".repeat(headings.usage.length)} ${line}`),
    "",
    ...list(
      headings.examples,
      examples.flatMap(([line = "", what = ""]) => [`  $ ${helper.styleCommandText(line)}`, ...below(what)]),
    ),
    ...[...grouped(items, ([heading]) => heading)].flatMap(([heading, group]) =>
      list(heading, group.flatMap(itemLines)),
    ),
    ...(isRoot ? [] : wrap(globalHelp, columns)),
    ...(command.commands.length > 0
      ? wrap(commandHelp(`${pathOf(command)} ${placeholders.command}`), columns)
      : []),
    ...labelled(headings.environment, variables),
    ...labelled(
      headings.exitCodes,
      exits.map((name) => `${exitCodes[name]} ${exitWords[name]}`),
    ),
    ...(isRoot ? labelled(headings.topics, [`bpos help ${topics.join("|")}`]) : []),
  ];
  return `${lines.join("\n")}\n`;
}

const widest = 100;

/** How help pages look where they stand; colours are loaded only for a page on a terminal. */
export async function helpLook(argv: readonly string[], runtime: Runtime): Promise<Partial<Help>> {
  const { stdout, env } = runtime.system;
  const helpWidth = Math.min(stdout.columns() ?? 80, widest);
  if (!argv.some((word) => ["-h", "--help", "help"].includes(word))) return { helpWidth };
  const { createTheme, wantsColor } = await import("./theme.ts");
  const { heading, accent } = createTheme(wantsColor(stdout, env, runtime.flags));
  return { helpWidth, styleTitle: heading, styleCommandText: accent };
}
