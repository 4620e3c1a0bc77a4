/** Why the file of the mock's world cannot be used. Words are made in `text/`; `said` is what the system or SQLite said. */
export type WorldProblem =
  | { kind: "not_a_file" }
  | { kind: "not_sqlite" }
  | { kind: "other_program" }
  | { kind: "newer" }
  | { kind: "older" }
  | { kind: "busy" }
  | { kind: "damaged"; said: string }
  | { kind: "unwritable"; said: string }
  /** It was started otherwise than is asked for now: `of` names what differs. */
  | { kind: "other_world"; of: readonly string[] };
