import { dirname, extname } from "node:path";
import { type AnyCommand, commandPath, runsLong } from "../../cli/line/help.ts";
import { BposError } from "../../errors.ts";
import type { System } from "../../system.ts";
import { findDevice, isFlag, isPath, readLine, toAbsolute, type Word } from "./line.ts";

/** A command that a service manager is to run. */
export interface Service {
  /** Such as `bpos-orders-watch`. */
  name: string;
  command: string;
  argv: readonly string[];
  /** It runs until it is stopped. */
  isEndless: boolean;
  /** Folders that it writes to. */
  folders: readonly string[];
  /** Devices that it prints to; `isAny` for printers that only the profiles name. */
  devices: readonly string[];
  isAny: boolean;
  /** Everything that its line names, and where bpos itself is. */
  paths: readonly string[];
  /** Relative paths as they were typed, with what they are now. */
  resolved: Readonly<Record<string, string>>;
  flags: CommandFlags;
}

interface CommandFlags {
  profile?: string;
  mock?: true;
  quiet?: true;
  exec?: string;
  outDir?: string;
  printer?: unknown;
}

/** A report may get another name beside the one that is asked for, and is written beside it first. */
const filesWritten = ["--rejected", "--errors", "--fixed", "--data"];

/** Of what no file of a service manager can hold, a line break or a tab alone is of use, in a command of `--exec`. */
const unwritable = /[\p{Cs}\p{Noncharacter_Code_Point}]|(?![\t\n\r])\p{Cc}/u;

function refuseUnwritable(argv: readonly string[], paths: readonly string[]): void {
  const text = argv.find((word) => unwritable.test(word)) ?? paths.find((path) => /\p{Cc}/u.test(path));
  if (text === undefined) return;
  const about = { argument: "command", command: "bpos service print", text } as const;
  throw new BposError("usage_flag", {
    problem: { kind: "argument_value", ...about, problem: { kind: "control_character" } },
  });
}

function writtenFolders(words: readonly Word[], path: string): string[] {
  const folders = words.flatMap((word) => {
    if (isFlag(word, "--out-dir")) return word.value;
    // What it refuses it writes beside the lists.
    if (path === "bpos catalog watch" && isPath(word) && !("long" in (word.of ?? {})))
      return extname(word.value) === "" ? word.value : dirname(word.value);
    if (filesWritten.some((flag) => isFlag(word, flag))) return dirname(word.value);
    const device = findDevice(word);
    // What is below /dev may be written to as it is.
    return device === undefined || device.startsWith("/dev/") ? [] : dirname(device);
  });
  return [...new Set(folders)];
}

export function describeService(
  words: readonly string[],
  command: AnyCommand,
  { program, cwd }: Pick<System, "program" | "cwd">,
): Service {
  const typed = readLine(words, command);
  const line = typed.map((word) => toAbsolute(word, cwd));
  const changed = line.flatMap((word, n) => {
    const before = typed[n]?.value ?? "";
    return before === word.value ? [] : [[before, word.value] as const];
  });
  const flags: CommandFlags = command.optsWithGlobals();
  const path = commandPath(command);
  const argv = [...program, ...line.map(({ head, value }) => head + value)];
  const named = line.flatMap((word) => findDevice(word) ?? (isPath(word) ? word.value : []));
  refuseUnwritable(argv, named);
  return {
    name: [path, flags.profile ?? ""]
      .join("-")
      .replace(/[^A-Za-z0-9.]+/g, "-")
      .replace(/-$/, ""),
    command: path,
    argv,
    isEndless: runsLong(command),
    folders: writtenFolders(line, path),
    devices: line.flatMap((word) => findDevice(word) ?? []),
    isAny: flags.printer === true,
    paths: [...program, ...named],
    resolved: Object.fromEntries(changed),
    flags,
  };
}
