import * as z from "zod";
import { type OrderState, orderStates } from "../contract/order-states.ts";
import { similarTo } from "../errors/similar.ts";
import type { ValueProblem } from "../errors/usage-problem.ts";
import { BposError } from "../errors.ts";
import { fileFormats } from "./choices.ts";

/** Makes a check of a schema say what is wrong with the value. */
export const refusal = (problem: ValueProblem): { params: { problem: ValueProblem } } => ({
  params: { problem },
});

function refuse(context: z.RefinementCtx, problem: ValueProblem): void {
  context.addIssue({ code: "custom", ...refusal(problem) });
}

/** The error for an address that is none, of a flag or a variable. */
export const notAddress = (flag: string, text: string): BposError =>
  new BposError("usage_flag", { problem: { kind: "value", flag, problem: { kind: "not_address", text } } });

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a duration such as `90s`, `2m` or `1h30m`; undefined when it is none. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+(ms|s|m|h|d))+$/.test(text)) return undefined;
  return [...text.matchAll(/(\d+)(ms|s|m|h|d)/g)].reduce(
    (sum, [, n, unit]) => sum + Number(n) * (units[unit ?? ""] ?? 0),
    0,
  );
}

/** A duration flag, in milliseconds. */
export const duration = z.string().transform((text, context) => {
  const ms = parseDuration(text);
  if (ms === undefined) refuse(context, { kind: "not_duration", text });
  return ms ?? 0;
});

/** A whole-number flag from `min` to `max`. */
export function whole(min: number, max: number | null = null): z.ZodType<number> {
  return z.string().transform((text, context) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= (max ?? Number.MAX_SAFE_INTEGER)))
      refuse(context, { kind: "not_whole", text, min, max });
    return value;
  });
}

/** A share such as `20%`, or a whole number. */
export const shareOrCount = z.string().transform((text, context): { share: number } | { count: number } => {
  const [, digits = "", percent] = /^(\d+)(%?)$/.exec(text) ?? [];
  const value = Number(digits);
  if (digits === "" || (percent === "%" && value > 100)) refuse(context, { kind: "not_share", text });
  return percent === "%" ? { share: value / 100 } : { count: value };
});

/** A duration flag of at least a millisecond. */
export const timeLimit = duration.refine((ms) => ms > 0, refusal({ kind: "zero" }));

/** The format of an input file. */
export const fileFormat = z.enum(fileFormats);

/** A flag of names separated by commas. */
export const names = z.string().transform((text) =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== ""),
);

/** A flag of `field=column` pairs separated by commas. */
export const fieldMap = z.string().transform((text, context) => {
  const pairs = text.split(",").map((pair) => pair.split("=").map((part) => part.trim()));
  const broken = pairs.find((pair) => pair.length !== 2 || pair.includes(""));
  if (broken) refuse(context, { kind: "not_pair", text: broken.join("=") });
  return Object.fromEntries(pairs) as Record<string, string>;
});

/** Order states separated by commas, or `all`. */
export const states = z.string().transform((text, context): OrderState[] => {
  if (text === "all") return [...orderStates];
  const wanted = text.split(",").map((name) => name.trim());
  const unknown = wanted.find((name) => !(orderStates as readonly string[]).includes(name));
  if (unknown !== undefined)
    refuse(context, {
      ...{ kind: "not_state", text: unknown, states: orderStates },
      similar: similarTo(unknown, orderStates),
    });
  return [...new Set(wanted)] as OrderState[];
});

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Options without those that nobody gave. */
export function given<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** What an issue of a schema says of the value. */
function problemOf(issue: z.core.$ZodIssue): ValueProblem {
  if (issue.code === "custom" && issue.params !== undefined) return issue.params["problem"] as ValueProblem;
  if (issue.code === "invalid_value") return { kind: "not_choice", choices: issue.values.map(String) };
  if (issue.code === "too_small" && issue.origin === "string") return { kind: "empty" };
  return { kind: "invalid", said: issue.message };
}

/** An argument through its schema; throws `usage_flag` naming it and its command, such as `bpos mock advance`. */
export function parseArgument<S extends z.ZodType>(
  schema: S,
  text: string,
  { argument, command }: { argument: string; command: string },
): z.infer<S> {
  const parsed = schema.safeParse(text);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue === undefined) throw parsed.error;
  const problem = { kind: "argument_value", argument, command, text, problem: problemOf(issue) } as const;
  throw new BposError("usage_flag", { problem });
}

/** Raw options through their schema; throws `usage_flag` naming the flag. */
export function parseFlags<S extends z.ZodType>(schema: S, raw: unknown): z.infer<S> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue === undefined) throw parsed.error;
  // The one flag that every command line may hold and not every command takes.
  if (issue.code === "unrecognized_keys" && issue.keys.includes("fields"))
    throw new BposError("usage_flag", { problem: { kind: "fields_refused" } });
  const [name] = issue.path;
  // A flag that is declared and not read: a defect of ours.
  if (name === undefined) throw parsed.error;
  const flag = `--${kebab(String(name))}`;
  const typed = (raw as Record<PropertyKey, unknown>)[name];
  const text = typeof typed === "string" ? { text: typed } : {};
  throw new BposError("usage_flag", { problem: { kind: "value", flag, ...text, problem: problemOf(issue) } });
}
