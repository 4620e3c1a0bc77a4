import { isLosslessNumber } from "lossless-json";
import type * as z from "zod";
import { type Endpoint, endpoints, problemSchema } from "../contract/endpoints.ts";
import type { Detail } from "../errors/problems.ts";
import type { CallFacts } from "../errors.ts";
import { isTooDeep, maxJsonDepth, nestingOf, parseJson } from "./json.ts";

const maxQuote = 80;

// Controls, bidirectional and other invisible marks, line separators, halves of pairs, unassigned and private ones.
const unsafe = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

const visible = (character: string): string =>
  unsafe.test(character) ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}` : character;

function shortened(text: string): string {
  let result = "";
  for (const character of text.replaceAll(/[ \t\r\n]+/g, " ").trim()) {
    const next = visible(character);
    if (result.length + next.length > maxQuote - 1) return `${result}…`;
    result += next;
  }
  return result;
}

/** At most 80 characters of what came from elsewhere, on one line, each invisible one as `\u{…}`; nothing of a blank text. */
export function quoteOf(text: string): { quote?: string } {
  return text.trim() === "" ? {} : { quote: shortened(text) };
}

/** A body without what `mask` takes out. JSON stays JSON: a key of digits alone may be a number there. */
export function maskedBody(text: string, mask: (text: string) => string): string {
  const masked = mask(text);
  if (masked === text || tryJson(masked) || !tryJson(text)) return masked;
  return text.replace(/"(?:[^"\\]|\\.)*"/g, mask);
}

export type Reading =
  | { kind: "usable"; body: unknown; mismatches: readonly string[] }
  | { kind: "unreadable" | "wrong_shape"; detail: Detail };

const maxMismatches = 20;
const maxMessage = 1000;

function whyNotJson(text: string): Detail {
  const start = text.trimStart();
  if (start === "") return { kind: "answer_empty" };
  if (start.startsWith("<")) return { kind: "answer_html" };
  return { kind: /^[{[]/.test(start) && nestingOf(start).isOpen ? "answer_cut_off" : "answer_not_json" };
}

function tryJson(text: string): { value: unknown } | undefined {
  try {
    return { value: parseJson(text) };
  } catch {
    return undefined;
  }
}

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      // It is a number all the same; whoever reads it as a double loses digits.
      if (typeof issue.input === "bigint" || isLosslessNumber(issue.input))
        return "a number that no double holds";
      return `expected ${issue.expected}`;
    case "invalid_union": {
      const kinds = issue.errors.flatMap((issues) => issues.slice(0, 1).map(expectation));
      return `expected ${kinds.map((kind) => kind.replace("expected ", "")).join(" or ")}`;
    }
    default:
      return issue.message;
  }
}

const mismatch = (issue: z.core.$ZodIssue): string => `${issue.path.join(".")}: ${expectation(issue)}`;

function whyUnusable(issue: z.core.$ZodIssue): Detail {
  if (issue.code !== "invalid_type") return mismatch(issue);
  return { kind: "answer_lacks", path: issue.path.join("."), type: issue.expected };
}

/** Reads the text of a 2xx: generously, so that what differs from the specification is listed and left as it came. */
export function readAnswer(endpoint: Endpoint, text: string): Reading {
  const json = tryJson(text);
  if (json === undefined) return { kind: "unreadable", detail: whyNotJson(text) };
  // Of a page of orders, one that is too deep takes nothing from the others.
  if (endpoint !== endpoints.listOrders && isTooDeep(json.value))
    return { kind: "unreadable", detail: { kind: "answer_too_deep", maxDepth: maxJsonDepth } };
  const [unusable] = endpoint.usable.safeParse(json.value).error?.issues ?? [];
  if (unusable !== undefined) return { kind: "wrong_shape", detail: whyUnusable(unusable) };
  const issues = endpoint.response.safeParse(json.value, { reportInput: true }).error?.issues ?? [];
  return { kind: "usable", body: json.value, mismatches: issues.slice(0, maxMismatches).map(mismatch) };
}

/** Reads the text of an answer that is no 2xx: the error body of `docs/service.md` 7, or a quote of what came instead. */
export function readProblem(
  text: string,
): Pick<CallFacts, "serviceCode" | "serviceMessage" | "detail" | "quote"> {
  const json = tryJson(text);
  const problem = problemSchema.safeParse(json?.value).data;
  const { code, message } = problem ?? {};
  if (typeof code === "string" || typeof message === "string") {
    return {
      ...(typeof code === "string" && { serviceCode: code.slice(0, maxMessage) }),
      ...(typeof message === "string" && { serviceMessage: message.slice(0, maxMessage) }),
    };
  }
  const detail: Detail = json === undefined ? whyNotJson(text) : { kind: "answer_no_problem" };
  return { detail, ...quoteOf(text) };
}
