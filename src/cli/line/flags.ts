import type { Argument, Option } from "@commander-js/extra-typings";
import * as commander from "commander";
import { type OrderState, orderStates } from "../../contract/limits.ts";
import type { UsageProblem, ValueProblem } from "../../errors/problems.ts";
import { BposError } from "../../errors.ts";
import type { Remembered } from "../../journal/upkeep/inspect-queries.ts";
import type { T } from "../../texts/texts.ts";
import { type Format, formats } from "../display/formats.ts";
import { meantBy, spelledAs } from "./spellings.ts";

/** Outputs of orders, each by its flag. */
export const orderOutputs = ["out-dir", "exec", "printer", "notify", "stdout"] as const;
export const fileFormats = ["csv", "json", "ndjson"] as const;
export const shells = ["bash", "zsh", "fish", "powershell"] as const;
export const topics = ["flags", "exit-codes", "environment", "files", "json", "errors"] as const;
export const recipientStatuses = ["pending", "sent", "delivered", "read", "responded", "failed"] as const;

export type Source =
  | { of: "words"; words: readonly string[]; list?: true }
  | { of: "profiles" }
  | { of: "journal"; what: Remembered }
  | { of: "files" }
  | { of: "folders" };

type Refuse = (problem: ValueProblem) => never;

type Declared = { source?: Source; repeats?: true };

/** Turns the text of a flag or an argument into its value. Nothing here may load zod: every start builds the command tree. */
export interface Value<T> extends Declared {
  /** Returns the value, or calls `refuse`, which throws; `before` is the value so far of a flag that repeats. */
  read: (text: string, refuse: Refuse, before: T | undefined) => T;
}

const textFrom = (source: Source): Value<string> => ({ read: (text) => text, source });
export const file = textFrom({ of: "files" });
export const profileName = textFrom({ of: "profiles" });
export const suggest = (...words: string[]): Value<string> => textFrom({ of: "words", words });
/** A time, read when the command runs: it may be relative to the clock. */
export const time = suggest("today", "yesterday", "2h");

export const nonEmpty: Value<string> = {
  read: (text, refuse) => (text === "" ? refuse({ kind: "empty" }) : text),
};

export const folder: Value<string> = { ...nonEmpty, source: { of: "folders" } };

export const fromJournal = (what: Remembered): Value<string> => ({
  ...nonEmpty,
  source: { of: "journal", what },
});

export const matching = (form: RegExp, problem: ValueProblem, source?: Source): Value<string> => ({
  read: (text, refuse) => (form.test(text) ? text : refuse(problem)),
  ...(source !== undefined && { source }),
});

export const notChoice = (text: string | undefined, choices: readonly string[]): ValueProblem => ({
  kind: "not_choice",
  choices,
  similar: text === undefined ? null : meantBy(text, choices),
});

export function oneOf<const T extends string>(...choices: readonly T[]): Value<T> {
  return {
    read: (text, refuse) => choices.find((choice) => choice === text) ?? refuse(notChoice(text, choices)),
    source: { of: "words", words: choices },
  };
}

/** An output of orders: its flag, with a station's name behind that of the printer. */
export const orderOutput: Value<string> = {
  read: (text, refuse) =>
    /^printer:./.test(text) ? text : oneOf(...orderOutputs).read(text, refuse, undefined),
  source: { of: "words", words: orderOutputs },
};

/** The global `--output`. Of `orders forget` it is an output of orders: `checkFormat` reads it once it is known which command it is for. */
export const outputFormat: Value<Format> = { ...oneOf(...formats), read: (text) => text as Format };

export function checkFormat(text: string | undefined): void {
  if (text === undefined || formats.some((format) => format === text)) return;
  const problem = notChoice(text, formats);
  throw new BposError("usage_flag", { problem: { kind: "value", flag: "--output", text, problem } });
}

export const whole = (min: number, max: number | null = null): Value<number> => ({
  read(text, refuse) {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= (max ?? Number.MAX_SAFE_INTEGER)) return value;
    return refuse({ kind: "not_whole", text, min, max });
  },
});

export const decimal: Value<number> = {
  read: (text, refuse) => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : refuse({ kind: "not_number" })),
};

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export function parseDuration(text: string): number | undefined {
  if (!/^(\d+(ms|s|m|h|d))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+)(ms|s|m|h|d)/g)];
  return parts.reduce((sum, [, n, unit = ""]) => sum + Number(n) * (units[unit] ?? 0), 0);
}

/** A duration with its unit, such as `5 min`; the unit of a number alone is unknown. */
function meantDuration(text: string): string | null {
  const [, number = "", word = ""] = /^(\d+)\s*(\p{L}+)$/u.exec(text.trim()) ?? [];
  const unit = spelledAs(word, Object.keys(units));
  return unit === null ? null : `${number}${unit}`;
}

export const duration: Value<number> = {
  read: (text, refuse) =>
    text === "0"
      ? 0
      : (parseDuration(text) ?? refuse({ kind: "not_duration", text, similar: meantDuration(text) })),
};

/** One of at least `min`, which is written as a duration. */
export const durationFrom = (min: string): Value<number> => ({
  read(text, refuse) {
    const value = duration.read(text, refuse, undefined);
    return value >= duration.read(min, refuse, undefined) ? value : refuse({ kind: "too_short", min });
  },
});

export const timeLimit: Value<number> = {
  read: (text, refuse) => duration.read(text, refuse, undefined) || refuse({ kind: "zero" }),
};

export const shareOrCount: Value<{ share: number } | { count: number }> = {
  read(text, refuse) {
    const value = Number.parseInt(text, 10);
    if (/^\d+$/.test(text)) return { count: value };
    return /^\d+%$/.test(text) && value <= 100 ? { share: value / 100 } : refuse({ kind: "not_share", text });
  },
};

export const percentage: Value<number> = {
  read(text, refuse) {
    const value = /^\d{1,4}%$/.test(text) ? Number.parseInt(text, 10) : 0;
    const [, number] = /^(\d{1,3})\s*%?$/.exec(text.trim()) ?? [];
    const similar = value === 0 && Number(number) > 0 ? `${Number(number)}%` : null;
    return value >= 1 && value <= 1000 ? value : refuse({ kind: "not_percentage", text, similar });
  },
};

const splitParts = (text: string): string[] => text.split(",").map((part) => part.trim());

export const names = (none?: ValueProblem, words?: readonly string[]): Value<string[]> => ({
  read(text, refuse) {
    const all = splitParts(text).filter((name) => name !== "");
    return none !== undefined && all.length === 0 ? refuse(none) : all;
  },
  ...(words !== undefined && { source: { of: "words", words, list: true } }),
});

export const fieldMap: Value<Record<string, string>> = {
  read(text, refuse, before = {}) {
    const pairs = splitParts(text).map((pair) => pair.split("=").map((part) => part.trim()));
    const broken = pairs.find((pair) => pair.length !== 2 || pair.includes(""));
    if (broken !== undefined) refuse({ kind: "not_pair", text: broken.join("=") });
    return { ...before, ...(Object.fromEntries(pairs) as Record<string, string>) };
  },
  // People append the pair that an error proposes to the pairs already there.
  repeats: true,
};

export const states: Value<OrderState[]> = {
  read(text, refuse) {
    if (text === "all") return [...orderStates];
    const wanted = splitParts(text).map(
      (name) =>
        orderStates.find((state) => state === name) ??
        refuse({
          kind: "not_state",
          text: name,
          similar: meantBy(name, [...orderStates, "all"]),
          states: orderStates,
        }),
    );
    return [...new Set(wanted)];
  },
  source: { of: "words", words: [...orderStates, "all"], list: true },
};

export const several = <T>(one: Value<T>): Value<T[]> => ({
  ...one,
  read: (text, refuse, before = []) => [...before, one.read(text, refuse, undefined)],
  repeats: true,
});

const declared = new WeakMap<object, Declared>();

/** Returns what a flag or an argument accepts; undefined if it takes nothing or any text. */
export const findDeclared = (of: object): Declared | undefined => declared.get(of);

function declare<T>(
  of: commander.Option | commander.Argument,
  value: Value<T>,
  told: (text: string, problem: ValueProblem) => UsageProblem,
): void {
  declared.set(of, value);
  of.argParser((text: string, before: T | undefined) => {
    const refuse: Refuse = (problem) => {
      throw new BposError("usage_flag", { problem: told(text, problem) });
    };
    return value.read(text, refuse, before);
  });
}

export function flag<U extends string>(usage: U, description?: string): Option<U>;
export function flag<U extends string, T>(
  usage: U,
  description: string | undefined,
  value: Value<T>,
): Option<U, undefined, undefined, T>;
export function flag<T>(usage: string, description?: string, value?: Value<T>): commander.Option {
  const option = new commander.Option(usage, description);
  const flag = option.long ?? usage;
  if (value !== undefined)
    declare(option, value, (text, problem) => ({ kind: "value", flag, text, problem }));
  return option;
}

export function argument<U extends string, T>(
  usage: U,
  description: string | undefined,
  value: Value<T>,
  command?: string,
): Argument<U, undefined, T>;
export function argument<T>(
  usage: string,
  description: string | undefined,
  value: Value<T>,
  command = "",
): commander.Argument {
  const word = new commander.Argument(usage, description);
  const about = { kind: "argument_value", argument: word.name(), command } as const;
  declare(word, value, (text, problem) => ({ ...about, text, problem }));
  return word;
}

type Given<Flags> = {
  [K in keyof Flags]?: (Flags[K] extends true | undefined ? boolean : Flags[K]) | undefined;
};

export const onFailureFlag = (t: T) =>
  flag(
    "--on-failure <command>",
    t(
      "run this command if the exit code is not 0. It gets the report on stdin, and BPOS_EXIT_CODE, BPOS_OUTCOME and BPOS_COMMAND",
    ),
    nonEmpty,
  );

export const lockWaitFlag = (t: T) =>
  flag(
    "--lock-wait <duration>",
    t("how long to wait for another bpos doing the same work for this branch (default 60s)"),
    duration,
  );

export type FlagsOf<Declare extends (...args: never[]) => { opts: () => unknown }> = Given<
  ReturnType<ReturnType<Declare>["opts"]>
>;

export const notAddress = (flag: string, text: string): BposError =>
  new BposError("usage_flag", { problem: { kind: "value", flag, problem: { kind: "not_address", text } } });

export const exclusive = (one: string, other: string): BposError =>
  new BposError("usage_flag", { problem: { kind: "exclusive", flags: [one, other] } });

export const needsFlag = (flag: string, other: string): BposError =>
  new BposError("usage_flag", { problem: { kind: "needs_flag", flag, other } });

export function onlyGiven<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const known = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as ReturnType<typeof onlyGiven<T>>;
}
