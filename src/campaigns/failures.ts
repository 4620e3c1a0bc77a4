import { toText } from "../api/json.ts";
import { list } from "../cli/display/values.ts";
import type { MessageFailure } from "../errors/problems.ts";
import type { FailureCount } from "./status-schema.ts";

/** Returns the error of each recipient that failed or has one, in the words of the service; "" where it gave none. */
export const failureMessages = (recipients: unknown): string[] =>
  list(recipients).flatMap(({ status, error_message }) => {
    const message = toText(error_message) ?? "";
    return status === "failed" || message !== "" ? [message] : [];
  });

/** Counts equal messages, the most frequent first. Messages that differ in a phone alone are equal. */
export function countFailures(messages: readonly string[]): FailureCount[] {
  const counts = new Map<string, number>();
  for (const message of messages) {
    const text = message.replace(/\+?\d[\d ()-]{6,}\d/g, "…");
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts]
    .map(([text, recipients]) => ({ error_message: text || null, recipients }))
    .sort((one, other) => other.recipients - one.recipients);
}

/** The messages of the mock: the specification names none (`docs/reference/service.md` 4.3, 4.4), and a real service may word them otherwise. */
const failureForms = {
  not_on_platform: /\bnot on the (?:\w+ )?platform\b/i,
  not_delivered: /\bnot be delivered\b/i,
  refused: /\bplatform refused\b/i,
  params: /\btemplate takes \d+ params\b/i,
} as const;

/** Returns the kind of a failure, on which the advice depends; `other` for a message that the mock does not have. */
export function classifyFailure(message: string): MessageFailure {
  const found = Object.entries(failureForms).find(([, form]) => form.test(message));
  return (found?.[0] as MessageFailure | undefined) ?? "other";
}
