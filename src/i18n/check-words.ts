/** What a check of `bpos doctor` found, and what to do about it. */
export interface CheckWords {
  detail: string;
  remedy?: string;
}
