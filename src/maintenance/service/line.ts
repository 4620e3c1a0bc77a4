import { isAbsolute, resolve } from "node:path";
import type { Argument, Option } from "@commander-js/extra-typings";
import { findDeclared } from "../../cli/line/flags.ts";
import { type AnyCommand, commandPath } from "../../cli/line/help.ts";

/** A word of a line: `value` is what it gives the flag or the argument `of`, behind `head`, such as `--out-dir=`. */
export interface Word {
  head: string;
  value: string;
  of?: Option | Argument | undefined;
}

const withParents = (command: AnyCommand | null): AnyCommand[] =>
  command === null ? [] : [command, ...withParents(command.parent)];

const looksLikeFlag = (word: string): boolean => word.startsWith("-") && word !== "-";

/** The flag of a word, and where in the word its value begins; a value that is no part of the word is the next one. */
function findFlag(word: string, options: readonly Option[]): { option?: Option | undefined; start?: number } {
  if (word.startsWith("--")) {
    const [name = ""] = word.split("=", 1);
    const option = options.find(({ long }) => long === name);
    return name === word ? { option } : { option, start: name.length + 1 };
  }
  // Of several short flags in one word the last may have a value.
  const letters = options.flatMap(({ short, required }) => (required ? (short?.slice(1) ?? []) : []));
  const at = word.search(new RegExp(`[${letters.join("")}]`));
  const option = options.find(({ short }) => short === `-${word.charAt(at)}`);
  return at === -1 || at + 1 === word.length ? { option } : { option, start: at + 1 };
}

/** The words of a line that `command` took, each with the flag or argument that it is for. */
export function readLine(words: readonly string[], command: AnyCommand): Word[] {
  const options = withParents(command).flatMap((each) => each.options);
  const names = commandPath(command).split(" ").slice(1);
  const operands = [...names.map(() => undefined), ...command.registeredArguments];
  const rest = operands.at(-1)?.variadic === true ? operands.at(-1) : undefined;
  let pending: Option | undefined;
  let isEnded = false;

  return words.map((word): Word => {
    const of = pending;
    pending = undefined;
    const isValue = of?.required === true || (of?.optional === true && !looksLikeFlag(word));
    if (isValue) return { head: "", value: word, of };
    if (isEnded || !looksLikeFlag(word))
      return { head: "", value: word, of: operands.length > 0 ? operands.shift() : rest };

    isEnded = word === "--";
    const { option, start = 0 } = findFlag(word, options);
    if (start === 0) pending = option;
    return { head: word.slice(0, start), value: word.slice(start), of: start === 0 ? undefined : option };
  });
}

export const isFlag = ({ of }: Word, name: string): boolean =>
  of !== undefined && "long" in of && of.long === name;

export function isPath({ value, of }: Word): boolean {
  const source = of === undefined ? undefined : findDeclared(of)?.source?.of;
  return (source === "files" || source === "folders") && value !== "" && value !== "-";
}

/** The file of `--printer file:DEVICE`. */
export const findDevice = (word: Word): string | undefined =>
  isFlag(word, "--printer") ? /^\s*file:(?:\/\/(?=\/))?(.+?)\s*$/is.exec(word.value)?.[1] : undefined;

/** Whoever starts a service chooses the folder that it runs in: a relative path would lead somewhere else. */
export function toAbsolute(word: Word, cwd: string): Word {
  const device = findDevice(word);
  const path = device ?? (isPath(word) ? word.value : undefined);
  if (path === undefined || isAbsolute(path)) return word;
  return { ...word, value: `${device === undefined ? "" : "file:"}${resolve(cwd, path)}` };
}
