import { stringify } from "lossless-json";

/** A service's answer as it is kept: a number that no double holds keeps its digits. */
export function answerText(answer: object): string {
  return stringify(answer) ?? "{}";
}
