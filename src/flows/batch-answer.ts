import { parseJson } from "../api/json.ts";
import { answerText } from "../journal/answer-text.ts";

/** What the service says of one batch, in shapes that can be counted on. */
export interface BatchAnswer {
  duplicate: boolean;
  accepted: number;
  stale: number;
  rejected: { codigo: string | null; error: string | null }[];
}

function countOf(value: unknown): number {
  const known = typeof value === "number" || typeof value === "bigint" || typeof value === "string";
  const count = known ? Number(value) : 0;
  return Number.isFinite(count) ? count : 0;
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  // Of JSON, only a string is not written as it is read.
  return typeof value === "string" ? value : answerText(value);
}

function rejectedOf(entry: unknown): BatchAnswer["rejected"][number] {
  // What is no object names no product, but it may say why.
  if (typeof entry !== "object" || entry === null) return { codigo: null, error: textOf(entry) };
  const { codigo, error } = entry as { codigo?: unknown; error?: unknown };
  return { codigo: textOf(codigo), error: textOf(error) };
}

/**
 * Reads an answer as the journal keeps it, however odd: nothing in it can stop a report. Where it differs from the
 * specification (`spec.md` 4.2) is in the client's `mismatches`.
 */
export function readBatchAnswer(text: string): BatchAnswer {
  const answer = parseJson(text) as Record<string, unknown>;
  const rejected: unknown = answer["rejected"];
  return {
    duplicate: answer["duplicate"] === true,
    accepted: countOf(answer["accepted"]),
    stale: countOf(answer["skipped_stale"]),
    rejected: Array.isArray(rejected) ? rejected.map(rejectedOf) : [],
  };
}
