import type { Option } from "@commander-js/extra-typings";
import { similarTo } from "../../errors/problems.ts";
import { findDeclared } from "./flags.ts";
import { type AnyCommand, commandAt, commandPath, findRoot, visibleCommands } from "./help.ts";
import { meaningsOf, spelledAs } from "./spellings.ts";

const namesIn = (group: AnyCommand): string[] => visibleCommands(group).map((each) => each.name());
export const longNames = (command: AnyCommand): string[] => command.options.flatMap(({ long }) => long ?? []);

/** All commands below, those of the upper levels first. */
function commandsBelow(group: AnyCommand): AnyCommand[] {
  const own = visibleCommands(group);
  return [...own, ...own.flatMap(commandsBelow)];
}

/** Finds the whole path of another command for these words in this group. */
function findLine(group: AnyCommand, [name = "", next]: readonly string[]): string | undefined {
  const above = commandPath(group).split(" ").slice(1);
  const alone = above.length === 0 ? [] : [name, ...meaningsOf(name)];
  const typed = next === undefined ? alone : [`${name} ${next}`, ...alone];
  const lines = typed.flatMap((words) => meaningsOf([...above, words].join(" ")));
  const whole = meaningsOf(name).filter((meaning) => /^\w+ |^--version$/.test(meaning));
  return [...lines, ...whole].find((line) => {
    const path = line.split(" ").filter((word) => !word.startsWith("-"));
    return commandAt(findRoot(group), path) !== undefined;
  });
}

/** The flag that takes this value: people leave it out. */
function findFlagTaking(options: readonly Option[], value: string): string | undefined {
  for (const option of options) {
    const source = findDeclared(option)?.source;
    const meant = source?.of === "words" ? spelledAs(value, source.words) : null;
    if (meant !== null) return `${option.long ?? ""} ${meant}`;
  }
  return undefined;
}

/** The command of this group that takes such a word: an order's number, a phone. */
function findTaker(group: AnyCommand, word: string): string | undefined {
  const path = commandPath(group);
  if (path === "bpos orders" && /^#?\d+$/.test(word)) return `${path} show ${word.replace("#", "")}`;
  return path === "bpos campaign" && /^\+\d+$/.test(word) ? `${path} find ${word}` : undefined;
}

/** The flag or sibling command that an unexpected word means. */
export const meantByExcess = (command: AnyCommand, word: string): string | null =>
  (command.parent && findTaker(command.parent, word)) ??
  findFlagTaking([...command.options, ...findRoot(command).options], word) ??
  null;

/** The command that the words after the name of a group, or of `bpos`, mean; null if none. */
export function meantCommand(group: AnyCommand, words: readonly string[]): string | null {
  const [name = "", ...rest] = words;
  const line = findLine(group, words);
  if (line !== undefined) return `${findRoot(group).name()} ${line}`;

  const names = namesIn(group);
  const withRest = (child: string): string => {
    const below = commandAt(group, [child]);
    const isGroup = below !== undefined && below.commands.length > 0 && rest.length > 0;
    return (isGroup ? meantCommand(below, rest) : null) ?? `${commandPath(group)} ${child}`;
  };
  const child = spelledAs(name, names);
  if (child !== null) return withRest(child);

  if (group.parent === null) {
    const all = commandsBelow(group);
    const [below] = [name, ...meaningsOf(name)].flatMap(
      (word) => all.find((each) => each.name() === word) ?? [],
    );
    if (below !== undefined) return commandPath(below);
  } else {
    const taker = findTaker(group, name);
    if (taker !== undefined) return taker;
    for (const each of [...visibleCommands(group), group]) {
      const flag = findFlagTaking(each.options, name);
      if (flag !== undefined) return `${commandPath(each)} ${flag}`;
    }
  }
  const similar = similarTo(name, names);
  return similar === null ? null : withRest(similar);
}

/** The flag, argument or sibling command that an unknown flag means; null if none. */
export function meantFlag(flag: string, command: AnyCommand, known: readonly string[]): string | null {
  const [typed = ""] = flag.split("=");
  const isLong = typed.startsWith("--");
  const same = spelledAs(typed, known);
  const names = isLong ? [typed] : [typed, typed.slice(1, 2)];
  const found = [...names.flatMap(meaningsOf), typed.replace(/^-+/, "")].flatMap((meaning) => {
    if (known.includes(meaning)) return meaning;
    if (/^-\w /.test(meaning)) return meaning;
    if (command.registeredArguments.some((each) => meaning === `<${each.name()}>`))
      return `${commandPath(command)} ${meaning}`;
    const sibling = command.parent === null ? undefined : commandAt(command.parent, [meaning]);
    return sibling === undefined || sibling === command ? [] : commandPath(sibling);
  });
  return same ?? found[0] ?? (isLong ? similarTo(typed, known) : null);
}
