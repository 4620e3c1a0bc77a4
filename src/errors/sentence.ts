import type { CallFacts, ErrorReason } from "../errors.ts";

/** What users of the library meet; of every other reason the name says it. */
const known: Partial<Record<ErrorReason, string>> = {
  bug: "Unexpected error",
  usage_flag: "An argument cannot be used",
  address_missing: "No address of the service is set",
  key_unreadable: "The key cannot be used",
  access_denied: "The service does not accept this key",
  input_refused: "The service refused the request",
  unavailable: "The service is not available",
  unreadable_answer: "The answer of the service cannot be read",
  outcome_unknown: "The request may have been applied, or not: send the same again",
  interrupted: "Stopped before the work was done",
};

const addSpaces = (name: string): string => name.replaceAll("_", " ");

/** What facts hold, in words: a kind by its name, the texts and numbers as they are. */
function splitParts(value: unknown): string[] {
  // The first line of a text, without what could move a cursor.
  if (typeof value === "string") return [(value.split("\n", 1)[0] ?? "").replace(/\p{Cc}+/gu, " ")];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    name === "kind" ? [addSpaces(String(each))] : splitParts(each),
  );
}

function callParts({ endpoint, origin, attempts, ...facts }: CallFacts): string[] {
  const { status, serviceCode, serviceMessage = facts.quote, detail } = facts;
  const answer = [status, serviceCode, serviceMessage, detail]
    .flatMap(splitParts)
    .filter((part) => part !== "");
  const tries = attempts > 1 ? ` after ${attempts} attempts` : "";
  return [`${endpoint} at ${origin}${tries}: ${answer.join(", ") || "no answer"}`];
}

/** An error as an English sentence, with what is known. The command line says it in its own words (`i18n/`). */
export function toSentence(reason: ErrorReason, facts: object): string {
  const name = addSpaces(reason);
  const what = known[reason] ?? name.charAt(0).toUpperCase() + name.slice(1);
  const parts = "endpoint" in facts ? callParts(facts as CallFacts) : splitParts(facts);
  const isSaid = reason === "interrupted" || parts.length === 0;
  return `${isSaid ? what : `${what} (${parts.join(", ")})`}.`;
}
