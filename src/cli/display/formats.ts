/** Output formats, as -o names them. */
export const formats = ["table", "json", "ndjson", "csv"] as const;
export type Format = (typeof formats)[number];

/** Formats of standard error, as --log-format names them. */
export const logFormats = ["text", "json"] as const;
