import { LosslessNumber as KeptNumber } from "lossless-json";

/** A number of an answer that no double holds. */
export interface LosslessNumber {
  /** Its digits as they came. */
  readonly value: string;
  valueOf(): number | bigint;
  toString(): string;
}

/** The class of those numbers, for `instanceof`; its type names no package that is bundled. */
export const LosslessNumber: new (digits: string) => LosslessNumber = KeptNumber;
