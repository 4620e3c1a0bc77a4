import * as z from "zod";
import { endpoints } from "../../contract/endpoints.ts";
import { parseDuration } from "./clock.ts";
import { hash } from "./random.ts";
import { badInput, type MockRefusal, parseInput } from "./refusal.ts";

export const campaignsBase = "/messaging";

const apiPaths: readonly string[] = Object.values(endpoints).map(({ base, path }) =>
  base === "base_url" ? path : campaignsBase + path,
);

const effects =
  "status=NNN, commit-status=NNN, commit-drop, drop, delay=3s, truncate, html, garbage, shift, late, retry-after=N";
const effectNames = effects.split(", ").map((each) => each.split("=")[0]);

/** The field of a rule that holds an effect's value. */
const fields: Readonly<Record<string, string>> = {
  status: "status",
  "commit-status": "status",
  delay: "ms",
  "retry-after": "seconds",
};

const methods = ["*", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

const isBelow = (path: string, prefix: string): boolean =>
  path === prefix || path.startsWith(prefix.endsWith("/") ? prefix : `${prefix}/`);

/** The path as a rule may name it too: `/campaigns` without the campaigns' base address. */
const shorten = (path: string): string =>
  isBelow(path, campaignsBase) ? path.slice(campaignsBase.length) : path;

const everyPath = [...apiPaths, ...apiPaths.map(shorten)];

const pathSchema = z
  .string()
  .regex(/^\/[^\s?#]*$/, "must start with / and have no query")
  .transform((path) => path.replace(/(?<=.)\/+$/, ""))
  .refine(
    (path) => everyPath.some((known) => isBelow(known, path) || isBelow(path, known)),
    `no endpoint has this path; the paths are ${apiPaths.join(", ")}`,
  );

const whole = (low: number, high: number, message: string) =>
  z.custom<number>((n) => Number.isInteger(n) && Number(n) >= low && Number(n) <= high, message);

const shared = {
  method: z.string().toUpperCase().pipe(z.enum(methods)),
  path: pathSchema,
  /** How often it fires; null for always. */
  times: z.int().min(1).nullable().default(null),
  /** The fraction of matching requests on which it fires; null for all. */
  rate: z.number().gt(0).max(1).nullable().default(null),
};

const status = whole(400, 599, "NNN is 400 to 599");
const ms = whole(0, 3_600_000, "a duration such as 500ms, 3s or 1m, at most an hour, is required");
const seconds = whole(0, 86_400, "N is 0 to 86400");
const plainEffects = ["commit-drop", "drop", "truncate", "html", "garbage", "shift", "late"] as const;

const ruleSchema = z.discriminatedUnion(
  "effect",
  [
    z.strictObject({ ...shared, effect: z.enum(["status", "commit-status"]), status }),
    z.strictObject({ ...shared, effect: z.literal("delay"), ms }),
    z.strictObject({ ...shared, effect: z.literal("retry-after"), seconds }),
    z.strictObject({ ...shared, effect: z.enum(plainEffects) }),
  ],
  "method, path and one of the effects are required",
);

export type FaultRule = z.infer<typeof ruleSchema>;
export type FaultInput = z.input<typeof ruleSchema>;
export type ArmedFault = FaultRule & {
  readonly id: number;
  /** The matching requests that no earlier rule took. */
  readonly matched: number;
  readonly fired: number;
};

const grammar = `a fault is METHOD PATH EFFECT [times=N] [rate=0.1]; the effects are ${effects}`;
const refuse = (message: string): MockRefusal => badInput(`fault: ${message}; ${grammar}`);

function readRule(given: unknown): FaultRule {
  let rule: FaultRule;
  try {
    rule = parseInput(ruleSchema, given);
  } catch (error) {
    throw refuse((error as MockRefusal).message);
  }

  const { path } = endpoints.listOrders;
  const fitsList = ["*", "GET"].includes(rule.method) && isBelow(path, rule.path);
  if (isForLists(rule) && !fitsList) throw refuse(`${rule.effect} acts on GET ${path} only`);
  return rule;
}

/**
 * Reads a rule that is written as a text. Throws MockRefusal 400.
 *
 * @example
 * parseFaultRule("GET /v1/orders delay=3s rate=0.1");
 */
export function parseFaultRule(text: string): FaultRule {
  const [method, path, ...words] = text.trim().split(/\s+/);
  const rule: Record<string, unknown> = { method, path };
  const set = (name: string, value: unknown): void => {
    if (name in rule) throw refuse(`${name} is given twice`);
    rule[name] = value;
  };

  for (const word of words) {
    const [name = "", value = ""] = word.split("=", 2);
    const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
    const field = fields[name];
    if (name === "times" || name === "rate") set(name, number);
    else if (!effectNames.includes(name)) throw refuse(`unknown effect ${name}`);
    else {
      if (field === undefined && word !== name) throw refuse(`${name} takes no value`);
      set("effect", name);
      if (field !== undefined) set(field, name === "delay" ? parseDuration(value) : number);
    }
  }

  if (!("effect" in rule)) throw refuse("an effect is missing");
  return readRule(rule);
}

export function readFault(given: unknown): FaultRule {
  if (typeof given === "string") return parseFaultRule(given);
  const text = z.strictObject({ rule: z.string() }).safeParse(given);
  return text.success ? parseFaultRule(text.data.rule) : readRule(given);
}

export function formatEffect(rule: FaultRule): string {
  if ("status" in rule) return `${rule.effect}=${rule.status}`;
  if ("ms" in rule) return `delay=${rule.ms}ms`;
  return "seconds" in rule ? `retry-after=${rule.seconds}` : rule.effect;
}

/** A rule as `parseFaultRule` reads it. */
export function formatRule(rule: FaultRule): string {
  const { method, path, times, rate } = rule;
  const words = [method, path, formatEffect(rule)];
  if (times !== null) words.push(`times=${times}`);
  if (rate !== null) words.push(`rate=${rate}`);
  return words.join(" ");
}

const isForLists = ({ effect }: Pick<FaultRule, "effect">): boolean =>
  effect === "shift" || effect === "late";

function fits(rule: FaultRule, method: string, path: string): boolean {
  if (rule.method !== "*" && rule.method !== method) return false;
  if (isForLists(rule) && !(method === "GET" && path === endpoints.listOrders.path)) return false;
  return isBelow(path, rule.path) || isBelow(shorten(path), rule.path);
}

/** Whether the fault is used up. */
export const isUsedUp = ({ fired, times }: ArmedFault): boolean => fired >= (times ?? Infinity);

export const startFaults = () => ({ armed: [] as ArmedFault[], nextId: 1 });

type FaultBook = ReturnType<typeof startFaults>;

export function armFault(book: FaultBook, rule: FaultRule): void {
  book.armed.push({ ...rule, id: book.nextId, matched: 0, fired: 0 });
  book.nextId += 1;
}

export function removeFault(book: FaultBook, id: number): void {
  book.armed = book.armed.filter((fault) => fault.id !== id);
}

export type FaultCount = "matched" | "fired";

export function countFault(book: FaultBook, id: number, what: FaultCount): void {
  const index = book.armed.findIndex((fault) => fault.id === id);
  const fault = book.armed[index];
  if (fault) book.armed[index] = { ...fault, [what]: fault[what] + 1 };
}

export const mayFire = (book: FaultBook, id: number): boolean =>
  book.armed.some((fault) => fault.id === id && fault.fired < (fault.times ?? Infinity));

/** Returns the faults that match a request, up to the one that takes it. Chance depends on the seed, so that runs can be repeated. */
export function meetFaults(book: FaultBook, seed: number, method: string, path: string) {
  const met: ArmedFault[] = [];
  for (const fault of book.armed) {
    if (!fits(fault, method, path)) continue;
    met.push(fault);

    const drawn = hash(seed, "fault", fault.id, fault.matched) / 2 ** 32 < (fault.rate ?? 1);
    if (drawn && mayFire(book, fault.id)) return { met, taken: fault };
  }
  return { met, taken: undefined };
}
