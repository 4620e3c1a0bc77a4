import { stringify } from "lossless-json";

/** A service's answer as it is kept: a number beyond 2^53, which arrives as a bigint, keeps its digits. */
export function answerText(answer: object): string {
  return stringify(answer) ?? "{}";
}
