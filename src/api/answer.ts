import { isLosslessNumber } from "lossless-json";
import type * as z from "zod";
import { type Endpoint, endpoints } from "../contract/endpoints.ts";
import { problemSchema } from "../contract/problem.ts";
import type { Detail } from "../errors/problems.ts";
import type { CallFacts } from "../errors.ts";
import { answerText, isTooDeep, maxJsonDepth, parseJson } from "./json.ts";

const maxQuote = 80;
const maxMismatches = 20;
const maxMessage = 1000;

// Controls, bidirectional and other invisible marks, line separators, lone surrogates, unassigned and private characters.
const unsafe = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Returns at most 80 characters of a foreign text on one line as `quote`, invisible ones as `\u{…}`; no `quote` for a blank text. */
export function readQuote(text: string): { quote?: string } {
  let quote = "";
  for (const character of text.replaceAll(/[ \t\r\n]+/g, " ").trim()) {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    const next = unsafe.test(character) ? `\\u{${code}}` : character;
    if (quote.length + next.length > maxQuote - 1) return { quote: `${quote}…` };
    quote += next;
  }
  return quote === "" ? {} : { quote };
}

/** Returns a body without what `mask` takes out. JSON stays JSON: a key of digits alone may be a number there. */
export function maskedBody(text: string, mask: (text: string) => string): string {
  const masked = mask(text);
  const json = masked === text || tryJson(masked) ? undefined : tryJson(text);
  if (json === undefined) return masked;
  const strings = text.replace(/"(?:[^"\\]|\\.)*"/g, mask);
  // Its end may stand in the middle of an escape.
  return tryJson(strings) ? strings : answerText(withMasked(json.value, mask) as object);
}

function withMasked(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value);
  if (typeof value !== "object" || value === null || isLosslessNumber(value)) return value;
  if (Array.isArray(value)) return value.map((each) => withMasked(each, mask));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [mask(name), withMasked(each, mask)]),
  );
}

/** Parses JSON, also behind a byte order mark; undefined if it is none. */
function tryJson(text: string): { value: unknown } | undefined {
  try {
    return { value: parseJson(text.replace(/^\ufeff/, "")) };
  } catch {
    return undefined;
  }
}

function whyNotJson(text: string): Detail {
  const start = text.trimStart();
  if (start === "") return { kind: "answer_empty" };
  return { kind: start.startsWith("<") ? "answer_html" : "answer_not_json" };
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_union") {
    const kinds = issue.errors.flatMap((issues) => issues.slice(0, 1).map(expectation));
    return `expected ${kinds.map((kind) => kind.replace("expected ", "")).join(" or ")}`;
  }
  if (issue.code !== "invalid_type") return issue.message;
  const isNumber = typeof issue.input === "bigint" || isLosslessNumber(issue.input);
  return isNumber ? "a number that no double holds" : `expected ${issue.expected}`;
}

const mismatch = (issue: z.core.$ZodIssue): string => `${issue.path.join(".")}: ${expectation(issue)}`;

/** Schemas are not compiled: that takes longer than reading a few pages, and reads no page faster. */
const uncompiled = { jitless: true };

/** Reads the text of a 2xx generously: differences from the specification are listed, and left as they came. */
export function readAnswer(
  endpoint: Endpoint,
  text: string,
):
  | { kind: "usable"; body: unknown; mismatches: readonly string[] }
  | { kind: "unreadable" | "wrong_shape"; detail: Detail } {
  const json = tryJson(text);
  if (json === undefined) return { kind: "unreadable", detail: whyNotJson(text) };
  // One order that is nested too deep must not spoil the others of its page.
  if (endpoint !== endpoints.listOrders && isTooDeep(json.value))
    return { kind: "unreadable", detail: { kind: "answer_too_deep", maxDepth: maxJsonDepth } };
  const [unusable] = endpoint.usable.safeParse(json.value, uncompiled).error?.issues ?? [];
  if (unusable?.code === "invalid_type") {
    const path = unusable.path.join(".");
    return { kind: "wrong_shape", detail: { kind: "answer_lacks", path, type: unusable.expected } };
  }
  if (unusable !== undefined) return { kind: "wrong_shape", detail: mismatch(unusable) };
  const issues =
    endpoint.response.safeParse(json.value, { ...uncompiled, reportInput: true }).error?.issues ?? [];
  return { kind: "usable", body: json.value, mismatches: issues.slice(0, maxMismatches).map(mismatch) };
}

/** The answer of nginx, in HTML, to a missing or refused client certificate. */
const lacksClientCert = /No required SSL certificate was sent|The SSL certificate error/;

export function readProblem(text: string): Partial<CallFacts> {
  const json = tryJson(text);
  const { code, message } = problemSchema.safeParse(json?.value).data ?? {};
  if (typeof code === "string" || typeof message === "string") {
    return {
      ...(typeof code === "string" && { serviceCode: code.slice(0, maxMessage) }),
      ...(typeof message === "string" && { serviceMessage: message.slice(0, maxMessage) }),
    };
  }
  const detail: Detail = json ? { kind: "answer_no_problem" } : whyNotJson(text);
  return { detail, ...readQuote(text), ...(lacksClientCert.test(text) && { clientCert: true }) };
}
