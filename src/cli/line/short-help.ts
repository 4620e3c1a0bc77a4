import type { Help } from "@commander-js/extra-typings";
import { spokenFlag } from "../../texts/flags.ts";
import type { T } from "../../texts/texts.ts";
import { wrap } from "../display/text.ts";
import {
  type AnyCommand,
  commandPath,
  findRoot,
  readFacts,
  termList,
  usageLines,
  visibleCommands,
} from "./help.ts";

/** A screen of 24 lines has room for so many examples, and for so many commands or flags. */
const [maxExamples, maxItems] = [3, 10];

/** True for a line with `-h`: `--help` shows everything. */
export const asksShortHelp = (argv: readonly string[]): boolean =>
  argv.includes("-h") && !argv.includes("--help");

/** Returns the first clause of a help text: details follow a colon, a semicolon, a full stop, a parenthesis or an example. */
const firstClause = (text: string): string =>
  /^.*?(?=[:;.] | \(|, (?:for example|such as|por ejemplo|como) )/.exec(text)?.[0] ?? text;

/** Returns rows in which a text that is too long for its line ends at a comma, if it has one. */
function fitRows(rows: readonly Row[], columns: number): Row[] {
  const widest = Math.max(...rows.map(([term]) => term.length));
  const room = columns - widest - 4;
  return rows.map(([term, text]) => {
    const end = text.length > room ? text.lastIndexOf(", ", room) : -1;
    return [term, end > 0 ? text.slice(0, end) : text];
  });
}

type Row = readonly [term: string, description: string];

/** Returns the examples that fit on a line, filled up with longer ones, in their order. */
function chooseExamples(command: AnyCommand, columns: number): string[] {
  const lines = readFacts(command).examples.map(([line = ""]) => line);
  const fits = (line: string): boolean => line.length + 4 <= columns;
  const chosen = [...lines.filter(fits), ...lines.filter((line) => !fits(line))].slice(0, maxExamples);
  return lines.filter((line) => chosen.includes(line));
}

const visibleFlags = (command: AnyCommand) => command.options.filter(({ hidden }) => !hidden);

/** Returns what people use most: the commands and flags that `common` names, otherwise all commands, or the first flags. */
function commonItems(command: AnyCommand) {
  const { common } = readFacts(command);
  const commands = visibleCommands(command);
  const flags = visibleFlags(command);
  if (common === undefined) return { commands, flags: commands.length > 0 ? [] : flags.slice(0, maxItems) };
  // Flags of every command, such as --base-url, may matter most.
  const known = [...flags, ...findRoot(command).options];
  return {
    commands: common.flatMap((name) => commands.find((each) => each.name() === name) ?? []),
    flags: common.flatMap((name) => known.find(({ long }) => long === name) ?? []),
  };
}

/** Returns what `-h` prints: usage, three examples, what people use most, and where the rest is. */
export function shortHelpPage(command: AnyCommand, helper: Help, t: T): string {
  const columns = helper.helpWidth ?? 80;
  const { commands, flags } = commonItems(command);
  const list = (heading: string, rows: readonly Row[]): string[] =>
    rows.length === 0 ? [] : [helper.styleTitle(heading), ...termList(fitRows(rows, columns), columns), ""];

  const count = visibleFlags(command).length;
  const path = commandPath(command);
  const isAll = command.commands.length > 0 || count <= maxItems;
  const more = isAll
    ? t("{command} --help shows everything.", { command: path })
    : t("{command} --help shows all {count} flags.", { command: path, count });

  const [usage = "", ...otherUsage] = usageLines(command, t);
  const usageHeading = t("Usage:");
  return [
    ...wrap(command.description().replace(/(?<=\.) .*/s, ""), columns),
    "",
    `${helper.styleTitle(usageHeading)} ${usage}`,
    ...otherUsage.map((line) => `${" ".repeat(usageHeading.length)} ${line}`),
    "",
    helper.styleTitle(t("Examples:")),
    ...chooseExamples(command, columns).map((line) => `  $ ${helper.styleCommandText(line)}`),
    "",
    ...list(
      t("Commands:"),
      commands.map((each) => [each.name(), firstClause(each.description())]),
    ),
    ...list(
      t("Flags:"),
      flags.map((each) => [spokenFlag(each.flags, t), firstClause(each.description)]),
    ),
    more,
    "",
  ].join("\n");
}
