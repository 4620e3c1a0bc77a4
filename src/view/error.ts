import { BposError, type ErrorFacts, type ErrorReason, exitNameOf, type Failure } from "../errors.ts";
import { en } from "../text/en.ts";
import type { ErrorWords } from "../text/error-words.ts";
import type { Texts } from "../text/texts.ts";
import { visible } from "./format.ts";
import type { Ui } from "./ui.ts";
import { pad, textWidth, wrap } from "./width.ts";

function failureOf(error: unknown): Failure {
  // The class ties its facts to its reason; a union of pairs is what a destructured error loses.
  if (error instanceof BposError) return error as Failure;
  return {
    reason: "bug",
    facts: { detail: error instanceof Error ? `${error.name}: ${error.message}` : String(error) },
  };
}

function wordsOf<R extends ErrorReason>(reason: R, facts: ErrorFacts[R], texts: Texts): ErrorWords {
  return texts.errors[reason](facts);
}

function stackOf(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  return stack.split("\n").slice(1).map(visible);
}

/**
 * An error in three lines: what happened, why, and what to do next. What is no BposError is a defect of ours.
 *
 * @param stack adds the stack trace, for `--verbose`.
 */
export function errorText(error: unknown, ui: Ui, { stack = false }: { stack?: boolean } = {}): string {
  const { reason, facts } = failureOf(error);
  const { what, why, next } = wordsOf(reason, facts, ui.texts);
  const labels = ui.texts.errorLabels;
  const inset = Math.max(...Object.values(labels).map(textWidth)) + 1;
  const part = (label: string, text: string, style: (text: string) => string): string => {
    const clean = visible(text);
    const [first = "", ...more] = ui.width === undefined ? [clean] : wrap(clean, ui.width - inset);
    return [style(pad(label, inset)) + first, ...more.map((line) => " ".repeat(inset) + line)].join("\n");
  };
  const { bad, strong, dim, accent } = ui.theme;
  const lines = [
    reason === "interrupted"
      ? part(labels.stopped, what, strong)
      : part(labels.what, what, (text) => bad(strong(text))),
    part(labels.why, why, dim),
    part(labels.next, next, accent),
    ...(stack ? stackOf(error).map(dim) : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** What an error says in one line: what happened, and why. */
export function errorSentence(error: unknown, texts: Texts): string {
  const { reason, facts } = failureOf(error);
  const { what, why } = wordsOf(reason, facts, texts);
  return `${what} ${why}`;
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * An error as the object that is one line of JSON, in English whatever the language: exit name, reason, message, hint
 * and every fact that exists (`status`, `service_code`, `file`, `line`, `endpoint`, `attempts`, …).
 */
export function errorJson(error: unknown): { error: Record<string, unknown> } {
  const { reason, facts } = failureOf(error);
  const { next } = wordsOf(reason, facts, en);
  const { status, serviceCode } = facts as { status?: number; serviceCode?: string };
  const promised = {
    code: exitNameOf[reason],
    message: errorSentence(error, en),
    hint: next,
    ...(status !== undefined && { status }),
    ...(serviceCode !== undefined && { service_code: serviceCode }),
    reason,
  };
  const known = Object.entries(facts)
    .map(([name, value]) => [snakeCase(name), value as unknown] as const)
    .filter(([name]) => !(name in promised));
  return { error: { ...promised, ...Object.fromEntries(known) } };
}
