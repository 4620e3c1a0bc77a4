// Apart from the schemas, because help and completion must not wait for those to be built.

/** The forms in which data is written. */
export const formats = ["table", "json", "ndjson", "csv"] as const;

/** The forms of a file that is read. */
export const fileFormats = ["csv", "json", "ndjson"] as const;

/** The shells that can be told what to complete. */
export const shells = ["bash", "zsh", "fish", "powershell"] as const;

/** What `bpos help` explains beside the commands. */
export const topics = ["exit-codes", "environment", "files", "json", "errors"] as const;

/** The statuses that the service gives the recipients of a campaign. */
export const recipientStatuses = ["pending", "sent", "delivered", "read", "responded", "failed"] as const;
