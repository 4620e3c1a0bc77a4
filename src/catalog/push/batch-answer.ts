import { isLosslessNumber } from "lossless-json";
import { numberOf, parseJson, textOf } from "../../api/json.ts";

/** What the service says of one batch, in shapes that can be counted on. */
export interface BatchAnswer {
  duplicate: boolean;
  accepted: number;
  stale: number;
  rejected: { codigo: string | null; error: string | null }[];
}

function rejectedOf(entry: unknown): BatchAnswer["rejected"][number] {
  // What is no object names no product, but it may say why.
  if (typeof entry !== "object" || entry === null || isLosslessNumber(entry))
    return { codigo: null, error: textOf(entry) };
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
    accepted: numberOf(answer["accepted"]) ?? 0,
    stale: numberOf(answer["skipped_stale"]) ?? 0,
    rejected: Array.isArray(rejected) ? rejected.map(rejectedOf) : [],
  };
}
