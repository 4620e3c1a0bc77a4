import type { ExitName } from "../../errors.ts";
import { exitScript, jsonShapes, type Topics } from "../shapes.ts";

const exits: Readonly<Record<ExitName, string>> = {
  ok: "Done; an empty list too. Nothing to do.",
  bug: "Unexpected: a defect of bpos. Report it.",
  usage: "Invalid flag, or input that cannot be read or used; nothing was sent. Correct the call.",
  partial: "Done, but rows, recipients or orders were left out, or are stale. Read the report.",
  denied: "403, or no key. Correct the key.",
  refused: "The service answered 400 or refused otherwise; nothing was applied. Correct the input.",
  unavailable: "Network, TLS, time-out, 5xx or 429 after all retries. Run it again later: rerunning is safe.",
  unknown:
    "The outcome of a request is unknown. Push again, or run bpos campaign resume: the keys are the same.",
  pending: "--wait ran out and work is still in progress. Wait.",
  config:
    "No address of the service, profiles or a journal that cannot be used, or another bpos holds the lock. Correct it on this machine.",
  held: "A guard stopped it: prices, deactivations, --expect, 24 hours, a reference in use. Nothing was sent. Look, then confirm or correct.",
  not_found: "No such order, campaign, reference, phone, push, profile or station.",
  interrupted: "Ctrl-C, SIGTERM or SIGHUP, after a clean stop.",
};

/** The topics of `bpos help`. */
export const topics: Topics = {
  flags: ({ flags }) => ({
    title: "Flags of every command",
    parts: [
      "They may stand before the command and behind it.",
      ...flags.map(([heading, rows]) => ({ heading, rows })),
    ],
  }),
  "exit-codes": ({ exits: codes }) => ({
    title: "Exit codes",
    parts: [
      { rows: Object.fromEntries(codes.map(([code, name]) => [`${code} ${name}`, exits[name]])) },
      "With -o json or ndjson an error is one line of JSON on standard error: its code is the name above, its reason says more (bpos help errors).",
      { heading: "In a shell script", code: exitScript },
    ],
  }),
  environment: () => ({
    title: "Environment variables",
    parts: [
      "A flag takes precedence over the environment, and the environment over the profile. A profile named with -p takes precedence over the environment.",
      {
        heading: "Which branch",
        rows: {
          BPOS_PROFILE: "the profile to use, as -p",
          BPOS_API_KEY: "the branch's key; no flag takes the key itself: ps and the history would show it",
          BPOS_BASE_URL: "address of orders and catalog, as --base-url",
          BPOS_CAMPAIGNS_URL: "address of campaigns, as --campaigns-url",
          BPOS_MOCK: "1 uses the embedded mock, as --mock; an http address is that of a running bpos mock",
          BPOS_WEBHOOK_SECRET: "the secret of campaign listen, as in the file of --secret-file",
        },
      },
      {
        heading: "Display",
        rows: {
          BPOS_OUTPUT: "table, json, ndjson or csv, as -o",
          BPOS_LOG_FORMAT: "text or json, as --log-format",
          BPOS_LANG: "en, es or es-AR, as --lang; without it the locale counts: LC_ALL, LC_MESSAGES, LANG",
          "BPOS_PAGER, PAGER": "pager for a long list on a terminal; empty or cat: none",
          NO_COLOR: "any value: no colours, as --no-color",
          FORCE_COLOR: "colours in a pipe too; 0 or false: none",
          TERM: "dumb: no colours, nothing is redrawn, ASCII instead of lines and signs",
          LC_CTYPE: "with LC_ALL and LANG: a character set other than UTF-8 gets ASCII too",
          CI: "any value: never ask a question, as --no-input",
        },
      },
      {
        heading: "Files and network",
        rows: {
          BPOS_HOME: "one folder for configuration and state; bpos help files names the folders without it",
          BPOS_JOURNAL:
            "postgres://USER@HOST/DATABASE: the journal is there, and several machines share it; without it, a file",
          "PGHOST, PGUSER, PGPASSWORD…":
            "what the address of BPOS_JOURNAL leaves out, as psql reads it; ~/.pgpass too",
          "HTTPS_PROXY, HTTP_PROXY, ALL_PROXY": "the proxy to use; in lower case too",
          NO_PROXY: "hosts to reach without it; in lower case too",
          NODE_EXTRA_CA_CERTS: "a PEM file of certificates to trust in addition, as --ca-file",
        },
      },
      {
        heading: "Set for --exec",
        rows: {
          "orders watch":
            "BPOS_EVENT, BPOS_BRANCH, BPOS_ORDER_ID, BPOS_REPEATED; for a change BPOS_FROM, BPOS_TO and BPOS_CHANGES",
          "campaign listen":
            "BPOS_EVENT, BPOS_AT, BPOS_CAMPAIGN_ID, BPOS_EXTERNAL_REF, BPOS_PHONE, BPOS_SEND_ID, BPOS_REPEATED",
        },
      },
    ],
  }),
  files: ({ folders: { config, state, cache } }) => ({
    title: "Files",
    parts: [
      {
        heading: "On this machine",
        rows: {
          [config]: "configuration",
          [state]: "state",
          [cache]: "compiled code of bpos, for quicker starts; may be deleted",
        },
      },
      {
        heading: "Configuration",
        rows: {
          "config.json":
            "the profiles: keys, addresses, columns; journal, the address of a shared journal. Mode 0600, its folder 0700. Written by bpos profile, bpos init and --save-map",
        },
      },
      {
        heading: "State",
        text: "The folder has mode 0700, so that nobody else reads its files: they hold phones of customers. The key is in none of them.",
        rows: {
          "journal.db":
            'the journal, SQLite: what was delivered, pushed and sent, so that nothing is done twice; not used with BPOS_JOURNAL. Rehearsals on a running mock (BPOS_MOCK=http://…) are in it too, each world apart. Back it up by `sqlite3 journal.db ".backup FILE"`, or copy it with its -wal while no bpos runs; never delete it',
          "seen.db":
            "what this machine did with its journals, so that bpos notices a restored one: leave it as it is when you restore a backup",
          "locks/": "which processes are running; may be deleted when no bpos runs",
          "quarantine/":
            "orders and replies that cannot be delivered (no usable order_id, nested too deep), as they came; at most 1,000",
          "mock-world.db": "the world of --mock; bpos mock reset empties it",
          "mock-journal.db": "the journal of --mock, apart from the real one",
          "mocks/": "where each bpos mock runs, for bpos mock order and similar commands",
        },
      },
      {
        heading: "By platform",
        rows: {
          Linux:
            "configuration in $XDG_CONFIG_HOME/bpos (~/.config/bpos), state in $XDG_STATE_HOME/bpos (~/.local/state/bpos), cache in $XDG_CACHE_HOME/bpos (~/.cache/bpos)",
          macOS:
            "~/Library/Application Support/bpos, state in its folder state; cache in ~/Library/Caches/bpos",
          Windows:
            "%APPDATA%\\bpos and %LOCALAPPDATA%\\bpos; modes do not exist there: only the user can read these folders",
          BPOS_HOME: "on every platform: configuration in it, state and cache in its folders state and cache",
        },
      },
    ],
  }),
  json: () => ({
    title: "JSON",
    parts: [
      "-o json (or --json) prints one document, -o ndjson one object per line as it becomes known. Keys are the service's own names, unknown fields included; nothing is rounded or translated. Everything else goes to standard error.",
      { heading: "orders list", code: jsonShapes.ordersList },
      { heading: "orders show", text: "The order as the service sends it." },
      { heading: "orders watch (ndjson, one event per line)", code: jsonShapes.ordersWatch },
      { heading: "catalog push, catalog delete", code: jsonShapes.catalogPush },
      'source is file (bpos refused the row) or service. outcome is complete, partial, refused, stale, unknown or nothing. catalog history prints {"pushes":[…]}.',
      { heading: "campaign send, campaign resume", code: jsonShapes.campaignSend },
      'outcome is sent, replayed (nothing new was sent), partial, refused, unknown or nothing. resume prints {"sends":[…]} for several; campaign list prints {"sends":[…]}, each with at.',
      {
        heading: "campaign status",
        text: "One id: the service's document unchanged. Several, or --ref:",
        code: jsonShapes.campaignStatus,
      },
      { heading: "campaign find", code: jsonShapes.campaignFind },
      "status is null if it is unknown, and error then says why.",
      "--jq PROGRAM filters any of this with jq: --jq '.orders[].order_id'. Strings print as they are.",
      { heading: "An error, on standard error", code: jsonShapes.error },
      "code is the name of the exit code (bpos help exit-codes), reason says more (bpos help errors); message and hint are for people.",
      "bpos schema COMMAND prints the JSON Schema of any of these; bpos openapi prints the shapes of the service itself.",
    ],
  }),
  errors: ({ reasons }) => ({
    title: "Errors",
    parts: [
      "With -o json or ndjson an error is one line of JSON on standard error, and its reason is one of these, by exit code.",
      ...reasons.map(([heading, rows]) => ({ heading, rows })),
      "bpos help errors REASON explains one of them and what to do.",
    ],
  }),
};
