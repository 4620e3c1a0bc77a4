/** Why a profile cannot be kept as it was asked for. Words are made in `text/`. */
export type ProfileProblem =
  /** Neither of these two repeats the name: it may be a key, typed at the wrong question. */
  | { kind: "name_is_key" }
  | { kind: "name_unusable" }
  | { kind: "name_taken"; name: string }
  | { kind: "address_absent" }
  | { kind: "key_absent" }
  | { kind: "command_is_key" }
  | { kind: "country_unknown"; country: string }
  | { kind: "currency_unknown"; currency: string }
  | { kind: "text_unusable"; flag: string }
  | { kind: "rehearsal" };

/** Why the `key_command` of a profile gave no key. What it printed is in none of them. */
export type KeyCommandProblem =
  | { kind: "exit"; code: number }
  | { kind: "killed"; signal: string }
  | { kind: "timeout"; ms: number }
  | { kind: "too_long" }
  | { kind: "not_started"; code: string }
  | { kind: "empty" };

/** A file or folder that others than its owner may use. */
export interface OpenPath {
  path: string;
  /** Its mode in octal digits, such as 644. */
  mode: string;
  /** What the mode should be. */
  fix: string;
}
