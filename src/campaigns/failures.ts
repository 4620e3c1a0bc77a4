import { toText } from "../api/json.ts";
import { list } from "../cli/display/values.ts";
import type { MessageFailure } from "../errors/problems.ts";

/** A message of the service without the phones in it, and how many recipients have it; null where it gave none. */
export type FailureCount = { error_message: string | null; recipients: number };

/** Says a recipient that failed, or has an error at least, in the words of the service; "" where it gave none. */
export const failureMessages = (recipients: unknown): string[] =>
  list(recipients).flatMap(({ status, error_message }) => {
    const message = toText(error_message) ?? "";
    return status === "failed" || message !== "" ? [message] : [];
  });

/** Counts equal messages, those apart that differ in more than a phone. */
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

/** The specification names no messages (`docs/service.md` 4.3, 4.4): these are the ones that the mock has. */
const failureForms = {
  not_on_platform: /\bnot on the (?:\w+ )?platform\b/i,
  not_delivered: /\bnot be delivered\b/i,
  refused: /\bplatform refused\b/i,
  params: /\btemplate takes \d+ params\b/i,
} as const;

export function classifyFailure(message: string): MessageFailure {
  const found = Object.entries(failureForms).find(([, form]) => form.test(message));
  return (found?.[0] as MessageFailure | undefined) ?? "other";
}
