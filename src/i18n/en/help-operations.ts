/** The help of `bpos openapi`. */
export const openapiHelp = {
  description: "Print the OpenAPI 3.1 description of the service",
  examples: { "bpos openapi > openapi.json": "for your code generator" },
};

/** The help of `bpos schema`, and its list. */
export const schemaHelp = {
  description: "Print the JSON Schema of what a command prints as JSON",
  command: "a command, or error, log or version; without it, the list of all",
  lines: "of a line of -o ndjson, where a command prints one object per line",
  examples: {
    "bpos schema orders list": "JSON Schema, draft 2020-12, of `bpos orders list --json`",
    "bpos schema orders watch": "the events of -o ndjson",
    "bpos schema error": "an error with --json",
  },
  title: "JSON Schemas",
  columns: { command: "Command", formats: "Formats" },
  next: "bpos schema COMMAND prints one.",
};

/** The flags by which others see how a watch fares. */
export const healthHelp = {
  health: "answer /healthz, /livez and /metrics on this port: [HOST:]PORT; by default for this machine alone",
  maxAge:
    "fail when the last complete poll of a branch is older than this (default: three intervals, at least 3m)",
  ping: "GET this URL after a poll with which all is delivered, at most once a minute, and URL/fail once in an outage",
  outageAfter: "how long an outage must last before --on-failure runs (default 10m)",
  onFailure:
    "run this command when the watch or a branch ends with an error, in a long outage, after it: BPOS_EVENT, BPOS_BRANCH",
};

/** The help of `bpos status`. */
export const statusHelp = {
  description:
    "Show how each branch fares: who watches it or stands by, undelivered orders, unfinished sends, pushes, replies",
  maxAge: "exit with 6 where a watched branch has had no complete poll for so long, for example 5m",
  watch: "stay, and show changes as they come",
  examples: {
    "bpos status": "what is not well, and the command that mends it",
    "bpos status --max-age 5m -q": "for cron, monit or Nagios: silent when all is well",
    "bpos status --watch": "on a screen that stays on",
  },
};
