/** Formats of what a command prints, as -o names them. */
export const formats = ["table", "json", "ndjson", "csv"] as const;
export type Format = (typeof formats)[number];

/** Formats of what it says on standard error, as --log-format names them. */
export const logFormats = ["text", "json"] as const;
