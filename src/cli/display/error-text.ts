import type { Detail } from "../../errors/problems.ts";
import { isUnsent } from "../../errors/unsent.ts";
import { detailWords } from "../../errors/words/details.ts";
import { errorWords } from "../../errors/words/reasons.ts";
import { BposError, exitNames, type Failure } from "../../errors.ts";
import { english, type T } from "../../texts/texts.ts";
import { visible } from "./format.ts";
import { snakeCase } from "./json.ts";
import { pad, paragraph, textWidth } from "./text.ts";
import type { Ui } from "./ui.ts";

function toFailure(error: unknown): Failure {
  // The class ties its facts to its reason; a union of pairs is what a destructured error loses.
  if (error instanceof BposError) return error as Failure;
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { reason: "bug", facts: { detail } };
}

function readStack(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  // It begins with the message, which may hold anything, line breaks too.
  const calls = stack.startsWith(String(error)) ? stack.slice(String(error).length) : stack;
  return calls.split("\n").slice(1).map(visible);
}

/** Returns the labels of an error's lines. */
export const errorLabels = (t: T) => ({
  what: t("Error:"),
  stopped: t("Note:"),
  why: t("Why:"),
  next: t("Next:"),
  more: t("More:"),
});

/** The last line of an error of a command that would have sent something. */
const nothingSent = (t: T): string => t("Nothing was sent.");

/** Returns an error as text; `sends`: the command would have sent something. */
export function errorText(
  error: unknown,
  ui: Ui,
  { stack = false, sends = false }: { stack?: boolean; sends?: boolean } = {},
): string {
  const { t } = ui.texts;
  const failure = toFailure(error);
  const { reason, facts } = failure;
  const { what, why, next } = errorWords(reason, facts, t);
  if (reason === "declined") return `${visible(what)}\n`;
  const labels = errorLabels(t);
  const inset = Math.max(...Object.values(labels).map(textWidth)) + 1;
  const part = (label: string, text: string, style: (text: string) => string): string => {
    const [first = "", ...more] = paragraph(text, { width: ui.width && ui.width - inset });
    return [style(pad(label, inset)) + first, ...more.map((line) => " ".repeat(inset) + line)].join("\n");
  };
  const { bad, strong, dim, accent } = ui.theme;
  const isStop = reason === "interrupted";
  // A wrong line already points to the command's own help.
  const isObvious = ui.width === undefined || isStop || reason === "usage_flag";
  const more = isObvious ? "" : ` ${labels.more} \`bpos help errors ${reason}\``;
  const lines = [
    isStop ? part(labels.stopped, what, strong) : part(labels.what, what, (text) => bad(strong(text))),
    ...(why === "" ? [] : [part(labels.why, why, dim)]),
    part(labels.next, next + more, accent),
    ...(stack ? readStack(error).map(dim) : []),
    ...(sends && isUnsent(failure) ? [nothingSent(t)] : []),
  ];
  return `${lines.join("\n")}\n`;
}

const joinSentences = (...sentences: string[]): string =>
  sentences.filter((sentence) => sentence !== "").join(" ");

export function errorSentence(error: unknown, { t }: { t: T }, { advises = false } = {}): string {
  const failure = toFailure(error);
  const { reason, facts } = failure;
  const { what, why, next } = errorWords(reason, facts, t);
  // Why a service is unavailable names the call, its address and the answer; only a proxy is named before it.
  const isTold = failure.reason === "unavailable" && failure.facts.proxy === undefined && why !== "";
  return joinSentences(isTold ? "" : what, why, ...(advises ? [next] : []));
}

/** Returns a fact with the reasons of a failure in English, at any depth. */
function inEnglish(name: string, value: unknown): unknown {
  if (name === "detail") return detailWords(value as Detail, english);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inEnglish(key, each)]));
}

/** Returns an error as one line of JSON: in English, with every fact; `sends`: the command would have sent something. */
export function errorJson(
  error: unknown,
  { sends = false }: { sends?: boolean } = {},
): { error: Record<string, unknown> } {
  const failure = toFailure(error);
  const { reason, facts } = failure;
  const words = errorWords(reason, facts, english);
  const own = {
    code: exitNames[reason],
    message: joinSentences(words.what, words.why, sends && isUnsent(failure) ? nothingSent(english) : ""),
    hint: words.next,
    reason,
    docs: `bpos help errors ${reason}`,
    // Scripts read here what happened.
    ...(["usage_flag", "world_unusable"].includes(reason) && { detail: words.what.replace(/\.$/, "") }),
  };
  const known = Object.entries(facts).map(([name, value]) => [snakeCase(name), inEnglish(name, value)]);
  // The keys that are promised win.
  return { error: { ...own, ...(Object.fromEntries(known) as Record<string, unknown>), ...own } };
}
