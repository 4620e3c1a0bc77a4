import type { Command, CommandUnknownOpts, Help, Option } from "@commander-js/extra-typings";
import { type ExitName, exitCodes } from "../errors.ts";
import type { Texts } from "../i18n/texts.ts";
import { topics } from "./flags.ts";
import type { Runtime } from "./runtime.ts";
import { wrap } from "./text.ts";

/** A command of whose flags and arguments nothing is known. */
export type AnyCommand = CommandUnknownOpts;

/** A command line and what it is good for. */
type Example = readonly string[];

/** What of the outside a command answers to: the exit codes a script meets, the variables it reads. */
interface Facts {
  exits: readonly ExitName[];
  variables: readonly string[];
  /** Set for a command that lists objects: it takes `--fields`. */
  takesFields?: boolean;
}

/** What a help page says beside commander's own declarations. */
export interface HelpFacts extends Facts {
  examples: readonly Example[];
}

const nothing: HelpFacts = { examples: [], exits: [], variables: [] };
const factsByCommand = new WeakMap<AnyCommand, HelpFacts>();

/** The exit codes that matter, by what a command does. */
export const exits = {
  /** Reads a file and calls nobody. */
  read: ["ok", "usage", "partial"],
  /** Asks the service. */
  ask: ["ok", "usage", "denied", "refused", "unavailable", "config"],
  /** Changes something at the service. */
  send: ["ok", "usage", "partial", "denied", "refused", "unavailable", "unknown", "config", "interrupted"],
  /** Asks until something is final. */
  follow: ["ok", "usage", "denied", "refused", "unavailable", "pending", "config", "interrupted"],
  /** Asks until it is stopped. */
  watch: ["ok", "usage", "partial", "denied", "unavailable", "config", "interrupted"],
  /** Looks into the journal. */
  recall: ["ok", "usage", "denied", "config"],
  /** Looks at the file of profiles, or changes it. */
  file: ["ok", "usage", "config"],
  /** Listens until it is stopped. */
  serve: ["ok", "usage", "config", "interrupted"],
  /** Talks to a mock. */
  talk: ["ok", "usage", "refused", "unavailable", "config"],
} as const satisfies Record<string, readonly ExitName[]>;

/** The environment variables that matter, by what a command talks to. */
export const variables = {
  orders: ["BPOS_API_KEY", "BPOS_BASE_URL", "BPOS_PROFILE", "BPOS_MOCK"],
  campaigns: ["BPOS_API_KEY", "BPOS_CAMPAIGNS_URL", "BPOS_PROFILE", "BPOS_MOCK"],
  listen: ["BPOS_WEBHOOK_SECRET", "BPOS_API_KEY", "BPOS_PROFILE", "BPOS_MOCK"],
  mock: ["BPOS_MOCK"],
} as const;

/** Adds a command with its description, its examples, and what else its help says. */
export function verb(
  parent: AnyCommand,
  name: string,
  { description, examples }: { description: string; examples: readonly Example[] },
  facts: Facts = nothing,
): Command {
  const command = parent.command(name).description(description);
  setFacts(command, { ...facts, examples });
  return command;
}

/** Settles what the help of a command says beside its declarations. */
export function setFacts(command: AnyCommand, facts: HelpFacts): void {
  factsByCommand.set(command, facts);
}

/** What the help of a command says beside its declarations. */
export function factsOf(command: AnyCommand): HelpFacts {
  return factsByCommand.get(command) ?? nothing;
}

/** How a help page looks where it stands. */
export interface HelpLook {
  columns: number;
  title: (text: string) => string;
  command: (text: string) => string;
}

/** A page in the making: whose it is, commander's helper, the words and the look. */
interface Page {
  command: AnyCommand;
  helper: Help;
  texts: Texts;
  look: HelpLook;
}

/** The words that lead to a command, the program's name first. */
export function pathOf(command: AnyCommand): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** The command at the top, whose flags all commands take. */
export function rootOf(command: AnyCommand): AnyCommand {
  return command.parent === null ? command : rootOf(command.parent);
}

/** The commands below one that people may see. */
export function visibleCommands(command: AnyCommand, helper: Help): AnyCommand[] {
  // Without commander's own `help`, which it adds below every group.
  return helper.visibleCommands(command).filter((each) => command.commands.includes(each));
}

/** The ways to call a command, one a line. */
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

/** Flags by their headings, in the order of their declaration. */
export function flagGroups(options: readonly Option[], usual: string): Map<string, Option[]> {
  const groups = new Map<string, Option[]>();
  for (const option of options) {
    const heading = option.helpGroupHeading ?? usual;
    groups.set(heading, [...(groups.get(heading) ?? []), option]);
  }
  return groups;
}

/** An explanation of fewer columns than this stands below its term, not beside it. */
const narrowest = 24;

/** A text below what it explains. */
function below(text: string, { columns }: HelpLook): string[] {
  return wrap(text, columns - 6).map((line) => `      ${line}`);
}

/** A term and what it is, side by side where there is room. */
function itemLines(term: string, width: number, description: string, look: HelpLook): string[] {
  const room = look.columns - width - 4;
  if (description === "") return [`  ${term}`];
  if (room < narrowest) return [`  ${term}`, ...below(description, look)];
  return wrap(description, room).map((line, at) => `  ${(at === 0 ? term : "").padEnd(width)}  ${line}`);
}

function examplesBlock({ command, texts, look }: Page): string[] {
  const { examples } = factsOf(command);
  if (examples.length === 0) return [];
  const lines = examples.flatMap(([line = "", what = ""]) => [
    `  $ ${look.command(line)}`,
    ...below(what, look),
  ]);
  return [look.title(texts.helpPage.headings.examples), ...lines, ""];
}

/** Arguments, flags and commands below, their explanations in one column. */
function itemBlocks({ command, helper, texts, look }: Page): string[] {
  const { headings, spoken } = texts.helpPage;
  type Item = readonly [term: string, description: string];
  const blocks = new Map<string, Item[]>();
  const add = (heading: string, item: Item): unknown =>
    blocks.set(heading, [...(blocks.get(heading) ?? []), item]);
  for (const each of helper.visibleArguments(command))
    add(headings.arguments, [texts.helpPage.placeholder(each.name()), each.description]);
  const commands = (): void => {
    for (const each of visibleCommands(command, helper))
      add(each.helpGroup() || headings.commands, [each.name(), each.description()]);
  };
  const isRoot = command.parent === null;
  if (isRoot) commands();
  const options = isRoot ? helper.visibleOptions(command) : command.options.filter(({ hidden }) => !hidden);
  for (const [heading, group] of flagGroups(options, headings.flags))
    for (const option of group) add(heading, [spoken(option.flags), option.description]);
  if (!isRoot) commands();
  const width = Math.max(0, ...[...blocks.values()].flat().map(([term]) => term.length));
  return [...blocks].flatMap(([heading, items]) => [
    look.title(heading),
    ...items.flatMap(([term, description]) => itemLines(term, width, description, look)),
    "",
  ]);
}

/** Words side by side, as many in a line as fit; only what is too long for a line goes on in the next. */
function flow(words: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const longer = `${lines.at(-1) ?? ""} · ${word}`;
    if (lines.length > 0 && longer.length <= columns) lines[lines.length - 1] = longer;
    else lines.push(...wrap(word, columns));
  }
  return lines;
}

/** A heading and, behind it, words that go on below it. */
function labelled({ look }: Page, heading: string, words: readonly string[]): string[] {
  const [first = "", ...more] = flow(words, look.columns - heading.length - 1);
  return [`${look.title(heading)} ${first}`, ...more.map((line) => `${" ".repeat(heading.length)} ${line}`)];
}

/** The global flags by name alone: every page would be twice as long with their explanations. */
function globalBlock({ command, texts, look }: Page): string[] {
  if (command.parent === null) return [];
  const { headings, globalHelp, spoken } = texts.helpPage;
  const flags = rootOf(command).options.filter(({ long }) => long !== "--version");
  const lines = flow([...flags.map((flag) => spoken(flag.flags)), "-h, --help"], look.columns - 2);
  return [
    look.title(headings.global),
    ...[...lines, ...wrap(globalHelp, look.columns - 2)].map((line) => `  ${line}`),
    "",
  ];
}

function closing(page: Page): string[] {
  const { command, texts } = page;
  const { headings, exits: words, commandHelp, topicHelp } = texts.helpPage;
  const { exits, variables } = factsOf(command);
  const codes = exits.map((name) => `${exitCodes[name]} ${words[name]}`);
  const lines = [
    ...(variables.length > 0 ? labelled(page, headings.environment, variables) : []),
    ...(exits.length > 0 ? labelled(page, headings.exitCodes, codes) : []),
  ];
  if (command.commands.length > 0) {
    const any = `${pathOf(command)} ${texts.helpPage.placeholders.command}`;
    lines.push(...wrap(commandHelp(any), page.look.columns));
  }
  if (command.parent === null) lines.push(...labelled(page, headings.topics, [topicHelp(topics.join("|"))]));
  return lines;
}

/** The help of a command: what it is, how it is called, examples; then its own flags, and what all commands share. */
export function helpPage(page: Page): string {
  const { command, texts, look } = page;
  const { headings } = texts.helpPage;
  const [first = "", ...more] = usageLines(command, texts);
  const usage = [
    `${look.title(headings.usage)} ${first}`,
    ...more.map((line) => `${" ".repeat(headings.usage.length)} ${line}`),
  ];
  const lines = [
    ...wrap(command.description(), look.columns),
    "",
    ...usage,
    "",
    ...examplesBlock(page),
    ...itemBlocks(page),
    ...globalBlock(page),
    ...closing(page),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

const widest = 100;
const asIs = (text: string): string => text;

/** Whether a command line can end in a help page on standard output. */
const asksForHelp = (argv: readonly string[]): boolean =>
  argv.length === 0 || argv.some((word) => ["-h", "--help", "help"].includes(word));

/** The look of help pages; colours are loaded only for a page on a terminal. */
export async function helpLook(argv: readonly string[], runtime: Runtime): Promise<HelpLook> {
  const { stdout } = runtime.system;
  const columns = Math.min(stdout.columns() ?? 80, widest);
  if (!asksForHelp(argv)) return { columns, title: asIs, command: asIs };
  const { createTheme, wantsColor } = await import("./output.ts");
  if (!wantsColor(stdout, runtime.system.env, runtime.flags)) return { columns, title: asIs, command: asIs };
  const theme = createTheme(true);
  return { columns, title: theme.heading, command: theme.accent };
}
