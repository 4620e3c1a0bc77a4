import { isLosslessNumber } from "lossless-json";
import { answerText } from "./answer-text.ts";

/** A number as a service may write it: as a number of any length, or as text; undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  const known =
    typeof value === "number" ||
    typeof value === "bigint" ||
    isLosslessNumber(value) ||
    (typeof value === "string" && value.trim() !== "");
  const number = known ? Number(String(value)) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** A value as text: a text as it came, null when absent, anything else as JSON. */
export function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  // Of JSON, only a text is not written as it is read.
  return typeof value === "string" ? value : answerText(value);
}
