import { type ExitName, exitCodes } from "../../errors.ts";
import type { T } from "../../texts/texts.ts";

/** One part of a topic: a paragraph alone, or a heading, a paragraph, rows of a term and what it is, lines shown as they are. */
export type TopicPart = string | TopicSection;

interface TopicSection {
  heading?: string;
  text?: string;
  rows?: Readonly<Record<string, string>>;
  code?: readonly string[];
}

/** A topic of `bpos help TOPIC`. */
export interface Topic {
  title: string;
  parts: readonly TopicPart[];
}

/** Rows by heading. */
type Groups = readonly (readonly [heading: string, rows: Readonly<Record<string, string>>])[];

/** The flags of every command, by heading. */
export const flagsTopic = (flags: Groups, t: T): Topic => ({
  title: t("Flags of every command"),
  parts: [
    t("They may stand before the command and behind it."),
    ...flags.map(([heading, rows]) => ({ heading, rows })),
  ],
});

/** Explains an exit code, and what to do. */
const exitMeanings = (t: T): Readonly<Record<ExitName, string>> => ({
  ok: t("Done; an empty list too. Nothing to do."),
  bug: t("Unexpected: a defect of bpos. Report it."),
  usage: t("Invalid flag, or input that cannot be read or used; nothing was sent. Correct the call."),
  partial: t("Done, but rows, recipients or orders were left out, or are stale. Read the report."),
  denied: t("403, or no key. Correct the key."),
  refused: t("The service answered 400 or refused otherwise; nothing was applied. Correct the input."),
  unavailable: t(
    "Network, TLS, time-out, 5xx or 429 after all retries. Run it again later: rerunning is safe.",
  ),
  unknown: t(
    "The outcome of a request is unknown. Push again, or run bpos campaign resume: the keys are the same.",
  ),
  pending: t("--wait ran out and work is still in progress. Wait."),
  config: t(
    "No address of the service, profiles or a journal that cannot be used, or another bpos holds the lock. Correct it on this machine.",
  ),
  held: t(
    "A guard stopped it: prices, deactivations, --expect, 24 hours, a reference in use. Nothing was sent. Look, then confirm or correct.",
  ),
  not_found: t("No such order, campaign, reference, phone, push, profile or station."),
  interrupted: t("Ctrl-C, SIGTERM or SIGHUP, after a clean stop."),
});

/** A shell script that reads exit codes: the same in every language. */
const exitScript = [
  "bpos catalog push prices.csv -q --rejected rejected.csv",
  "case $? in",
  "  0) ;;",
  "  3) mail -s 'rejected prices' me@example.com < rejected.csv ;;",
  "  6|7) sleep 300; bpos catalog push prices.csv -q ;;",
  "  10) echo 'held: nothing was sent' | mail -s 'check prices.csv' me@example.com ;;",
  "  *) exit 1 ;;",
  "esac",
];

export function exitCodesTopic(t: T): Topic {
  const meanings = exitMeanings(t);
  const names = Object.keys(exitCodes) as ExitName[];
  return {
    title: t("Exit codes"),
    parts: [
      { rows: Object.fromEntries(names.map((name) => [`${exitCodes[name]} ${name}`, meanings[name]])) },
      t(
        "With -o json or ndjson an error is one line of JSON on standard error: its code is the name above, its reason says more (bpos help errors).",
      ),
      { heading: t("In a shell script"), code: exitScript },
    ],
  };
}

const branchVariables = (t: T): TopicPart => ({
  heading: t("Which branch"),
  rows: {
    BPOS_PROFILE: t("the profile to use, as -p"),
    BPOS_API_KEY: t("the branch's key; no flag takes the key itself: ps and the history would show it"),
    BPOS_BASE_URL: t("address of orders and catalog, as --base-url"),
    BPOS_CAMPAIGNS_URL: t("address of campaigns, as --campaigns-url"),
    BPOS_MOCK: t("1 uses the embedded mock, as --mock; an http address is that of a running bpos mock"),
    BPOS_WEBHOOK_SECRET: t("the secret of campaign listen, as in the file of --secret-file"),
  },
});

const displayVariables = (t: T): TopicPart => ({
  heading: t("Display"),
  rows: {
    BPOS_OUTPUT: t("table, json, ndjson or csv, as -o"),
    BPOS_LOG_FORMAT: t("text or json, as --log-format"),
    BPOS_LANG: t("en, es or es-AR, as --lang; without it the locale counts: LC_ALL, LC_MESSAGES, LANG"),
    "BPOS_PAGER, PAGER": t("pager for a long list on a terminal; empty or cat: none"),
    NO_COLOR: t("any value: no colours, as --no-color"),
    FORCE_COLOR: t("colours in a pipe too; 0 or false: none"),
    TERM: t("dumb: no colours, nothing is redrawn, ASCII instead of lines and signs"),
    LC_CTYPE: t("with LC_ALL and LANG: a character set other than UTF-8 gets ASCII too"),
    CI: t("any value: never ask a question, as --no-input"),
  },
});

const fileVariables = (t: T): TopicPart => ({
  heading: t("Files and network"),
  rows: {
    BPOS_HOME: t("one folder for configuration and state; bpos help files names the folders without it"),
    BPOS_JOURNAL: t(
      "postgres://USER@HOST/DATABASE: the journal is there, and several machines share it; without it, a file",
    ),
    "PGHOST, PGUSER, PGPASSWORD…": t(
      "what the address of BPOS_JOURNAL leaves out, as psql reads it; ~/.pgpass too",
    ),
    "HTTPS_PROXY, HTTP_PROXY, ALL_PROXY": t("the proxy to use; in lower case too"),
    NO_PROXY: t("hosts to reach without it; in lower case too"),
    NODE_EXTRA_CA_CERTS: t("a PEM file of certificates to trust in addition, as --ca-file"),
  },
});

const execVariables = (t: T): TopicPart => ({
  heading: t("Set for --exec"),
  rows: {
    "orders watch": t(
      "BPOS_EVENT, BPOS_BRANCH, BPOS_ORDER_ID, BPOS_REPEATED; for a change BPOS_FROM, BPOS_TO and BPOS_CHANGES",
    ),
    "campaign listen":
      "BPOS_EVENT, BPOS_AT, BPOS_CAMPAIGN_ID, BPOS_EXTERNAL_REF, BPOS_PHONE, BPOS_SEND_ID, BPOS_REPEATED",
  },
});

/** Every variable that bpos reads or sets. */
export const environmentTopic = (t: T): Topic => ({
  title: t("Environment variables"),
  parts: [
    t(
      "A flag takes precedence over the environment, and the environment over the profile. A profile named with -p takes precedence over the environment.",
    ),
    branchVariables(t),
    displayVariables(t),
    fileVariables(t),
    execVariables(t),
  ],
});

const stateFiles = (t: T): TopicPart => ({
  heading: t("State"),
  text: t(
    "The folder has mode 0700, so that nobody else reads its files: they hold phones of customers. The key is in none of them.",
  ),
  rows: {
    "journal.db": t(
      'the journal, SQLite: what was delivered, pushed and sent, so that nothing is done twice; not used with BPOS_JOURNAL. Rehearsals on a running mock (BPOS_MOCK=http://…) are in it too, each world apart. Back it up by `sqlite3 journal.db ".backup FILE"`, or copy it with its -wal while no bpos runs; never delete it',
    ),
    "seen.db": t(
      "what this machine did with its journals, so that bpos notices a restored one: leave it as it is when you restore a backup",
    ),
    "locks/": t("which processes are running; may be deleted when no bpos runs"),
    "quarantine/": t(
      "orders and replies that cannot be delivered (no usable order_id, nested too deep), as they came; at most 1,000",
    ),
    "mock-world.db": t("the world of --mock; bpos mock reset empties it"),
    "mock-journal.db": t("the journal of --mock, apart from the real one"),
    "mocks/": t("where each bpos mock runs, for bpos mock order and similar commands"),
  },
});

const platformFolders = (t: T): TopicPart => ({
  heading: t("By platform"),
  rows: {
    Linux: t(
      "configuration in $XDG_CONFIG_HOME/bpos (~/.config/bpos), state in $XDG_STATE_HOME/bpos (~/.local/state/bpos), cache in $XDG_CACHE_HOME/bpos (~/.cache/bpos)",
    ),
    macOS: t("~/Library/Application Support/bpos, state in its folder state; cache in ~/Library/Caches/bpos"),
    Windows: t(
      "%APPDATA%\\bpos and %LOCALAPPDATA%\\bpos; modes do not exist there: only the user can read these folders",
    ),
    BPOS_HOME: t("on every platform: configuration in it, state and cache in its folders state and cache"),
  },
});

/** The folders of configuration and state on this machine. */
interface Folders {
  config: string;
  state: string;
  cache: string;
}

export const filesTopic = ({ config, state, cache }: Folders, t: T): Topic => ({
  title: t("Files"),
  parts: [
    {
      heading: t("On this machine"),
      rows: {
        [config]: t("configuration"),
        [state]: t("state"),
        [cache]: t("compiled code of bpos, for quicker starts; may be deleted"),
      },
    },
    {
      heading: t("Configuration"),
      rows: {
        "config.json": t(
          "the profiles: keys, addresses, columns; journal, the address of a shared journal. Mode 0600, its folder 0700. Written by bpos profile, bpos init and --save-map",
        ),
      },
    },
    stateFiles(t),
    platformFolders(t),
  ],
});

/** An example of each JSON that commands print; the same in every language. */
const jsonShapes = {
  ordersList: ['{"orders":[…],"page":1,"per_page":20,"total":57,"has_more":true}'],
  ordersWatch: [
    '{"event":"order.new","at":"…","branch":"centro","order":{…},"repeated":false}',
    '{"event":"order.changed","at":"…","branch":"centro","order_id":7,"from":"pendiente","to":"cancelado"}',
    '{"event":"order.changed",…,"from":"pendiente","to":"pendiente","changes":["lineas","total"],"order":{…}}',
  ],
  catalogPush: [
    '{"push_id":"…","action":"upsert","occurred_at":"…","read":1240,"sent":1230,"batches":3,',
    ' "accepted":1228,"skipped_stale":0,"duplicate_batches":0,"unchanged":0,',
    ' "rejected":[{"codigo":"A1","error":"…","source":"service","line":17}],',
    ' "rejected_file":null,"outcome":"complete","dry_run":false}',
  ],
  campaignSend: [
    '{"send_id":"…","template":"…","external_ref":"…",',
    ' "recipients":{"read":10,"planned":8,"added":8,"duplicates":0,"invalid":2,"excluded":0,"already_sent":0,"errors":[]},',
    ' "campaigns":[{"campaign_id":"…","idempotency_key":"…","status":"sent","campaign_name":"…","replayed":false,"recipients":{…}}],',
    ' "invalid":[{"line":3,"phone":"…","error":"…"}],"outcome":"sent","dry_run":false}',
  ],
  campaignFind: [
    '{"phone":"+5491155550101","sends":[{"send_id":"…","at":"…","template":"…","external_ref":"…",',
    ' "campaign_id":"…","status":"read","error":null,"params":["Ana","118"],',
    ' "replies":[{"at":"…","text":"…","body":{…}}]}]}',
  ],
  campaignStatus: [
    '{"campaigns":[…],"counts":{…},"recipients_hidden":4200,"errors":[{"error_message":"…","recipients":12}]}',
  ],
  error: [
    '{"error":{"code":"denied","message":"…","hint":"…","status":403,',
    '          "service_code":"ERROR_CODE_ACCESS_DENIED","reason":"access_denied"}}',
  ],
} as const;

/** Explains the JSON that commands print. */
export const jsonTopic = (t: T): Topic => ({
  title: "JSON",
  parts: [
    t(
      "-o json (or --json) prints one document, -o ndjson one object per line as it becomes known. Keys are the service's own names, unknown fields included; nothing is rounded or translated. Everything else goes to standard error.",
    ),
    { heading: "orders list", code: jsonShapes.ordersList },
    { heading: "orders show", text: t("The order as the service sends it.") },
    { heading: t("orders watch (ndjson, one event per line)"), code: jsonShapes.ordersWatch },
    { heading: "catalog push, catalog delete", code: jsonShapes.catalogPush },
    t(
      'source is file (bpos refused the row) or service. outcome is complete, partial, refused, stale, unknown or nothing. catalog history prints {"pushes":[…]}.',
    ),
    { heading: "campaign send, campaign resume", code: jsonShapes.campaignSend },
    t(
      'outcome is sent, replayed (nothing new was sent), partial, refused, unknown or nothing. resume prints {"sends":[…]} for several; campaign list prints {"sends":[…]}, each with at.',
    ),
    {
      heading: "campaign status",
      text: t("One id: the service's document unchanged. Several, or --ref:"),
      code: jsonShapes.campaignStatus,
    },
    { heading: "campaign find", code: jsonShapes.campaignFind },
    t("status is null if it is unknown, and error then says why."),
    t("--jq PROGRAM filters any of this with jq: --jq '.orders[].order_id'. Strings print as they are."),
    { heading: t("An error, on standard error"), code: jsonShapes.error },
    t(
      "code is the name of the exit code (bpos help exit-codes), reason says more (bpos help errors); message and hint are for people.",
    ),
    t(
      "bpos schema COMMAND prints the JSON Schema of any of these; bpos openapi prints the shapes of the service itself.",
    ),
  ],
});

/** The reasons of errors by their exit code, each with its cause in a sentence. */
export const errorsTopic = (reasons: Groups, t: T): Topic => ({
  title: t("Errors"),
  parts: [
    t(
      "With -o json or ndjson an error is one line of JSON on standard error, and its reason is one of these, by exit code.",
    ),
    ...reasons.map(([heading, rows]) => ({ heading, rows })),
    t("bpos help errors REASON explains one of them and what to do."),
  ],
});
