import * as z from "zod";
import { endpoints } from "../contract/endpoints.ts";
import { parseInput } from "./parse.ts";
import { apiPaths, campaignsBase } from "./paths.ts";
import { hash } from "./random.ts";
import { badInput, MockRefusal } from "./refusal.ts";

const written = [
  "status=NNN",
  "commit-status=NNN",
  "commit-drop",
  "drop",
  "delay=3s",
  "truncate",
  "html",
  "garbage",
  "shift",
  "late",
  "retry-after=N",
];

const effects = written.map((effect) => effect.replace(/=.*/, ""));

const methods = ["*", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** True when `path` is `prefix` or lies below it. */
const isBelow = (path: string, prefix: string): boolean =>
  path === prefix || path.startsWith(prefix.endsWith("/") ? prefix : `${prefix}/`);

/** The path as a rule may name it too: `/campaigns` without the campaigns' base address. */
const shortened = (path: string): string =>
  isBelow(path, campaignsBase) ? path.slice(campaignsBase.length) : path;

const everyPath = [...apiPaths, ...apiPaths.map(shortened)];

const pathSchema = z
  .string()
  .regex(/^\/[^\s?#]*$/, "must start with / and have no query")
  .transform((path) => path.replace(/(?<=.)\/+$/, ""))
  .refine(
    (path) => everyPath.some((known) => isBelow(known, path) || isBelow(path, known)),
    `no endpoint lies there; there are ${apiPaths.join(", ")}`,
  );

const unitsMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const longestDelayMs = 3_600_000;

/** `500ms`, `3s`, `1m30s` in milliseconds; anything else as it came. */
function durationMs(text: unknown): unknown {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smh]))+$/.test(String(text))) return text;
  const parts = [...String(text).matchAll(/([\d.]+)(ms|[smh])/g)];
  return Math.round(
    parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * unitsMs[unit as keyof typeof unitsMs], 0),
  );
}

const shared = {
  method: z.string().toUpperCase().pipe(z.enum(methods)),
  path: pathSchema,
  /** How often it fires; null is always. */
  times: z.int().min(1).nullable().default(null),
  /** The part of the requests that it fits on which it fires; null is all. */
  rate: z.number().gt(0).max(1).nullable().default(null),
};

const ruleSchema = z.discriminatedUnion(
  "effect",
  [
    z.strictObject({
      ...shared,
      effect: z.enum(["status", "commit-status"]),
      status: z.int("NNN is 400 to 599").min(400, "NNN is 400 to 599").max(599, "NNN is 400 to 599"),
    }),
    z.strictObject({
      ...shared,
      effect: z.literal("delay"),
      ms: z.preprocess(
        durationMs,
        z
          .int("a duration such as 500ms, 3s or 1m is required")
          .min(0)
          .max(longestDelayMs, "an hour is the longest delay"),
      ),
    }),
    z.strictObject({ ...shared, effect: z.literal("retry-after"), seconds: z.int().min(0).max(86_400) }),
    z.strictObject({
      ...shared,
      effect: z.enum(["commit-drop", "drop", "truncate", "html", "garbage", "shift", "late"]),
    }),
  ],
  "method, path and one of the effects are required",
);

/** What goes wrong, with which requests, and how often. */
export type FaultRule = z.infer<typeof ruleSchema>;
/** A fault as JSON: `times` and `rate` may be left out. */
export type FaultInput = z.input<typeof ruleSchema>;
/** A fault as `GET /_mock/faults` shows it. */
export type ArmedFault = FaultRule & {
  readonly id: number;
  /** The requests that it fitted and that no rule before it took. */
  readonly matched: number;
  readonly fired: number;
};

/** The field that holds the number of an effect. */
const parameterOf: Readonly<Record<string, string>> = {
  status: "status",
  "commit-status": "status",
  delay: "ms",
  "retry-after": "seconds",
};

// An effect may be spelled with _, and its number may stand under the effect's own name.
function respelled(given: unknown): unknown {
  if (typeof given !== "object" || given === null || !("effect" in given)) return given;
  if (typeof given.effect !== "string") return given;
  const effect = given.effect.toLowerCase().replaceAll("_", "-");
  const entries = Object.entries(given).map(([name, value]): [string, unknown] => {
    const same = name.replaceAll("_", "-") === effect;
    return [same ? (parameterOf[effect] ?? name) : name, value];
  });
  return { ...Object.fromEntries(entries), effect };
}

const help = `a fault is METHOD PATH EFFECT [times=N] [rate=0.1]; the effects are ${written.join(", ")}`;
const refusal = (message: string): MockRefusal => badInput(`fault: ${message}; ${help}`);

function readRule(given: unknown): FaultRule {
  let rule: FaultRule;
  try {
    rule = parseInput(ruleSchema, respelled(given));
  } catch (error) {
    throw error instanceof MockRefusal ? refusal(error.message) : error;
  }
  if (listsOnly(rule) && !fits({ ...rule, effect: "drop" }, "GET", endpoints.listOrders.path)) {
    throw refusal(`${rule.effect} acts on GET ${endpoints.listOrders.path} only`);
  }
  return rule;
}

/**
 * The rule that a text such as `POST /campaigns status=502 times=2` writes. Throws MockRefusal 400, with a message that
 * lists the effects.
 *
 * @example
 * parseFaultRule("GET /v1/orders delay=3s rate=0.1");
 */
export function parseFaultRule(text: string): FaultRule {
  const [method, path, ...words] = text.trim().split(/\s+/);
  const rule: Record<string, unknown> = { method, path };
  const set = (name: string, value: unknown): void => {
    if (name in rule) throw refusal(`${name} is given twice`);
    rule[name] = value;
  };
  for (const word of words) {
    const [name = "", value] = word.split("=", 2);
    const number = value !== undefined && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
    if (name === "times" || name === "rate") set(name, number ?? "");
    else {
      const parameter = parameterOf[name];
      if (!effects.includes(name)) throw refusal(`there is no effect ${name}`);
      if (value !== undefined && parameter === undefined) throw refusal(`${name} takes no value`);
      set("effect", name);
      if (parameter !== undefined) set(parameter, name === "delay" ? value : number);
    }
  }
  if (!("effect" in rule)) throw refusal("an effect is missing");
  return readRule(rule);
}

/** The rule in what a caller gives: text, `{"rule":"text"}` or JSON. Throws MockRefusal 400. */
export function readFault(given: unknown): FaultRule {
  if (typeof given === "string") return parseFaultRule(given);
  const isText = typeof given === "object" && given !== null && "rule" in given;
  return isText
    ? parseFaultRule(parseInput(z.strictObject({ rule: z.string() }), given).rule)
    : readRule(given);
}

/** The effect as a rule writes it, for example `status=502`. */
export function effectText(rule: FaultRule): string {
  switch (rule.effect) {
    case "status":
    case "commit-status":
      return `${rule.effect}=${rule.status}`;
    case "delay":
      return `delay=${rule.ms}ms`;
    case "retry-after":
      return `retry-after=${rule.seconds}`;
    default:
      return rule.effect;
  }
}

const listsOnly = ({ effect }: Pick<FaultRule, "effect">): boolean => effect === "shift" || effect === "late";

function fits(rule: FaultRule, method: string, path: string): boolean {
  if (rule.method !== "*" && rule.method !== method) return false;
  if (listsOnly(rule) && !(method === "GET" && path === endpoints.listOrders.path)) return false;
  return isBelow(path, rule.path) || isBelow(shortened(path), rule.path);
}

/** The faults that are armed, in the order in which they were. */
export interface FaultBook {
  readonly armed: ArmedFault[];
  nextId: number;
}

/** A book without faults. */
export function startFaults(): FaultBook {
  return { armed: [], nextId: 1 };
}

/** Arms a fault. */
export function armFault(book: FaultBook, rule: FaultRule): void {
  book.armed.push({ ...rule, id: book.nextId, matched: 0, fired: 0 });
  book.nextId += 1;
}

/** Disarms all. Ids go on, so that a fault is not taken for one that was there before. */
export function clearFaults(book: FaultBook): void {
  book.armed.length = 0;
}

/** What is counted of a fault. */
export type FaultCount = "matched" | "fired";

/** Counts that a fault met a request or fired. */
export function countFault(book: FaultBook, id: number, what: FaultCount): void {
  const index = book.armed.findIndex((fault) => fault.id === id);
  const fault = book.armed[index];
  if (fault) book.armed[index] = { ...fault, [what]: fault[what] + 1 };
}

/** True while a fault may fire: it is armed and not used up. */
export function mayFire(book: FaultBook, id: number): boolean {
  const fault = book.armed.find((one) => one.id === id);
  return fault !== undefined && fault.fired < (fault.times ?? Infinity);
}

/**
 * The faults that a request meets, in order, up to and including the one that takes it; `taken` says whether there is
 * one. Chance is drawn from the seed and from how many requests the rule met before, so that a run can be repeated.
 */
export function meetFaults(
  book: FaultBook,
  seed: number,
  method: string,
  path: string,
): { readonly met: readonly ArmedFault[]; readonly taken: ArmedFault | undefined } {
  const met: ArmedFault[] = [];
  for (const fault of book.armed) {
    if (!fits(fault, method, path)) continue;
    met.push(fault);
    const drawn = hash(seed, "fault", fault.id, fault.matched) / 2 ** 32 < (fault.rate ?? 1);
    if (drawn && mayFire(book, fault.id)) return { met, taken: fault };
  }
  return { met, taken: undefined };
}
