/** Why one row of a file is left out. Words are made in `text/`. */
export type RowProblem = { kind: "code_missing" };

/** What a person should know about a file although it can be used. Words are made in `text/`. */
export type Notice = { kind: "read_as_windows_1252" };
