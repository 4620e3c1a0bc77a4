import * as z from "zod";
import { type OrderState, orderStates } from "../contract/order.ts";
import { BposError } from "../errors.ts";

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a duration such as `90s`, `2m` or `1h30m`; undefined when it is none. */
function parseDuration(text: string): number | undefined {
  if (!/^(\d+(ms|s|m|h|d))+$/.test(text)) return undefined;
  return [...text.matchAll(/(\d+)(ms|s|m|h|d)/g)].reduce(
    (sum, [, n, unit]) => sum + Number(n) * (units[unit ?? ""] ?? 0),
    0,
  );
}

/** A duration flag, in milliseconds. */
export const duration = z.string().transform((text, context) => {
  const ms = parseDuration(text);
  if (ms === undefined)
    context.addIssue({ code: "custom", message: `"${text}" is not a duration such as 90s, 2m or 1h30m` });
  return ms ?? 0;
});

/** A whole-number flag from `min` to `max`. */
export function whole(min: number, max = Number.MAX_SAFE_INTEGER): z.ZodType<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  return z.string().transform((text, context) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) {
      context.addIssue({ code: "custom", message: `"${text}" is not a whole number ${range}` });
    }
    return value;
  });
}

/** A share such as `20%`, or a whole number. */
export const shareOrCount = z.string().transform((text, context): { share: number } | { count: number } => {
  const [, digits = "", percent] = /^(\d+)(%?)$/.exec(text) ?? [];
  const value = Number(digits);
  if (digits === "" || (percent === "%" && value > 100))
    context.addIssue({
      code: "custom",
      message: `"${text}" is neither a share such as 20% nor a whole number`,
    });
  return percent === "%" ? { share: value / 100 } : { count: value };
});

/** A duration flag of at least a millisecond. */
export const timeLimit = duration.refine((ms) => ms > 0, { error: "must be longer than nothing" });

/** The format of an input file. */
export const fileFormat = z.enum(["csv", "json", "ndjson"], { error: "choose csv, json or ndjson" });

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
  if (broken) {
    context.addIssue({ code: "custom", message: `"${broken.join("=")}" is not a pair such as codigo=SKU` });
  }
  return Object.fromEntries(pairs) as Record<string, string>;
});

/** Order states separated by commas, or `all`. */
export const states = z.string().transform((text, context): OrderState[] => {
  if (text === "all") return [...orderStates];
  const wanted = text.split(",").map((name) => name.trim());
  const unknown = wanted.find((name) => !(orderStates as readonly string[]).includes(name));
  if (unknown !== undefined) {
    context.addIssue({
      code: "custom",
      message: `"${unknown}" is not a state; the states are ${orderStates.join(", ")}, or all`,
    });
  }
  return [...new Set(wanted)] as OrderState[];
});

function startOfDay(now: number, daysBack: number): Date {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysBack);
}

/**
 * An instant as epoch milliseconds: ISO 8601 (local time when it has no offset), `2h` or `30m` ago, `today`, `yesterday`.
 * Undefined when it is none of these.
 */
export function parseInstant(text: string, now: number): number | undefined {
  if (text === "today") return startOfDay(now, 0).getTime();
  if (text === "yesterday") return startOfDay(now, 1).getTime();
  const ago = parseDuration(text);
  if (ago !== undefined) return ago <= now ? now - ago : undefined;
  if (!/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/i.test(text))
    return undefined;
  // A date alone would be read as UTC; people mean the start of that day where they are.
  const instant = new Date(text.length === 10 ? `${text}T00:00:00` : text.replace(" ", "T")).getTime();
  return Number.isNaN(instant) ? undefined : instant;
}

/**
 * An instant to come as epoch milliseconds: ISO 8601 (local time when it has no offset), a time of today, or `2h` from now.
 * Undefined when it is none of these.
 */
export function parseComing(text: string, now: number): number | undefined {
  const ahead = parseDuration(text);
  if (ahead !== undefined) return now + ahead;
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours === undefined) return parseInstant(text, now);
  return startOfDay(now, 0).setHours(Number(hours), Number(minutes));
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Options without those that nobody gave. */
export function given<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** Raw options through their schema; throws `usage_flag` naming the flag. */
export function parseFlags<S extends z.ZodType>(schema: S, raw: unknown): z.infer<S> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const flag = issue?.path[0] === undefined ? "" : `--${kebab(String(issue.path[0]))}: `;
  throw new BposError("usage_flag", { detail: `${flag}${issue?.message ?? "not valid"}` });
}
