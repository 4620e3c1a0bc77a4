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
    t("They can go before or after the command."),
    ...flags.map(([heading, rows]) => ({ heading, rows })),
  ],
});

/** Explains an exit code, and what to do. */
const exitMeanings = (t: T): Readonly<Record<ExitName, string>> => ({
  ok: t("Success, even with an empty list."),
  bug: t("A bug in bpos. Please report it."),
  usage: t(
    "Invalid flag, or input that cannot be read or used. Nothing was sent. Correct the command or the input.",
  ),
  partial: t("Partly done: some rows, recipients or orders were left out or stale. Read the report."),
  denied: t("The service answered 403, or there is no key. Correct the key."),
  refused: t("The service answered 400 or refused in another way. Nothing was applied. Correct the input."),
  unavailable: t(
    "Network or TLS error, time-out, 5xx or 429 after all retries. Run the command again later. Rerunning is safe.",
  ),
  unknown: t(
    "The outcome of a request is unknown. Push again, or run bpos campaign resume. The same idempotency keys are used.",
  ),
  pending: t("--wait ended before the work did. Check again later."),
  config: t(
    "No service address, unusable profiles or journal, or another bpos holds the lock. Fix it on this machine.",
  ),
  held: t(
    "A guard stopped the command: prices, deactivations, --expect, 24 hours, or a reference in use. Nothing was sent. Check the file and correct it. Only if it is right, pass the flag that allows it.",
  ),
  not_found: t("No such order, campaign, reference, phone, push, profile or station."),
  interrupted: t("Stopped cleanly by Ctrl-C, SIGTERM or SIGHUP."),
});

/** A shell script that reads exit codes: the same in every language. */
const exitScript = [
  "bpos catalog push prices.csv --changed-only --rejected rejected.csv -q",
  "code=$?",
  "case $code in",
  "  0) ;;",
  "  3) mail -s 'rejected prices' me@example.com < rejected.csv ;;",
  "  10) echo 'held: nothing was sent' | mail -s 'check prices.csv' me@example.com ;;",
  "  *) exit $code ;;  # after 6 and 7 the next run continues",
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
        "With -o json or ndjson, an error is one line of JSON on standard error. Its code is the name above, and its reason is more specific (bpos help errors).",
      ),
      { heading: t("In a shell script"), code: exitScript },
    ],
  };
}

const branchVariables = (t: T): TopicPart => ({
  heading: t("Which branch"),
  rows: {
    BPOS_PROFILE: t("profile to use, like -p"),
    BPOS_API_KEY: t(
      "API key of the branch; no flag takes the key itself, because ps and the shell history would show it",
    ),
    BPOS_BASE_URL: t("service address for orders and catalog, like --base-url"),
    BPOS_CAMPAIGNS_URL: t("service address for campaigns, like --campaigns-url"),
    BPOS_MOCK: t("1 uses the embedded mock, like --mock; an http address uses the bpos mock running there"),
    BPOS_WEBHOOK_SECRET: t("secret of campaign listen, like --secret-file"),
  },
});

const displayVariables = (t: T): TopicPart => ({
  heading: t("Display"),
  rows: {
    BPOS_OUTPUT: t("table, json, ndjson or csv, like -o"),
    BPOS_LOG_FORMAT: t("text or json, like --log-format"),
    BPOS_LANG: t("en, es or es-AR, like --lang (default: the locale, from LC_ALL, LC_MESSAGES or LANG)"),
    "BPOS_PAGER, PAGER": t("pager for long lists on a terminal; empty or cat: none"),
    NO_COLOR: t("any value: no colours, like --no-color"),
    FORCE_COLOR: t("colours even in a pipe; 0 or false: no colours"),
    TERM: t("dumb: no colours, no redrawing, ASCII instead of lines and symbols"),
    LC_CTYPE: t("with LC_ALL and LANG: ASCII for any character set other than UTF-8"),
    CI: t("any value: never ask questions, like --no-input"),
  },
});

const fileVariables = (t: T): TopicPart => ({
  heading: t("Files and network"),
  rows: {
    BPOS_HOME: t("one folder for configuration and state; bpos help files shows the default folders"),
    BPOS_JOURNAL: t(
      "postgres://USER@HOST/DATABASE of a journal that several machines share (default: a file on this machine)",
    ),
    "PGHOST, PGUSER, PGPASSWORD…": t("used for what BPOS_JOURNAL omits, as in psql; also ~/.pgpass"),
    "HTTPS_PROXY, HTTP_PROXY, ALL_PROXY": t("proxy to use; lower case works too"),
    NO_PROXY: t("hosts to reach without the proxy; lower case works too"),
    NODE_EXTRA_CA_CERTS: t("PEM file of more certificates to trust, like --ca-file"),
  },
});

const execVariables = (t: T): TopicPart => ({
  heading: t("Set for --exec"),
  rows: {
    "orders watch": t(
      "BPOS_EVENT, BPOS_BRANCH, BPOS_ORDER_ID, BPOS_REPEATED; for a change also BPOS_FROM, BPOS_TO and BPOS_CHANGES",
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
      "Flags take precedence over the environment, and the environment over the profile. A profile chosen with -p takes precedence over the environment.",
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
    "The folder has mode 0700: its files contain customers' phones, and only you can read them. None of them contains the key.",
  ),
  rows: {
    "journal.db": t(
      'the journal (SQLite): what was delivered, pushed and sent, so that nothing is done twice. Not used with BPOS_JOURNAL. Rehearsals on a running mock (BPOS_MOCK=http://…) are recorded here too, separately for each mock world. Back it up with `sqlite3 journal.db ".backup FILE"`, or copy it together with its -wal file while no bpos runs. Never delete it',
    ),
    "seen.db": t(
      "what this machine did with its journals, to detect a restored one. Do not change it when you restore a backup",
    ),
    "locks/": t("running processes; can be deleted while no bpos runs"),
    "quarantine/": t(
      "orders and replies that cannot be delivered (no usable order_id, nested too deeply), unchanged; at most 1,000",
    ),
    "mock-world.db": t("the world of --mock; bpos mock reset empties it"),
    "mock-journal.db": t("the journal of --mock, separate from the real one"),
    "mocks/": t("addresses of running mocks, for bpos mock order and similar commands"),
  },
});

const platformFolders = (t: T): TopicPart => ({
  heading: t("By platform"),
  rows: {
    Linux: t(
      "configuration in $XDG_CONFIG_HOME/bpos (~/.config/bpos), state in $XDG_STATE_HOME/bpos (~/.local/state/bpos), cache in $XDG_CACHE_HOME/bpos (~/.cache/bpos)",
    ),
    macOS: t(
      "~/Library/Application Support/bpos, with state in its subfolder state; cache in ~/Library/Caches/bpos",
    ),
    Windows: t(
      "%APPDATA%\\bpos and %LOCALAPPDATA%\\bpos; Windows has no file modes, and only the user can read these folders",
    ),
    BPOS_HOME: t(
      "on every platform: configuration in this folder, state and cache in its subfolders state and cache",
    ),
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
        [cache]: t("compiled code, for faster starts; can be deleted"),
      },
    },
    {
      heading: t("Configuration"),
      rows: {
        "config.json": t(
          "profiles (keys, addresses, columns), and the address of a shared journal. Mode 0600, in a folder with mode 0700. Written by bpos profile, bpos init and --save-map",
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
      "-o json (or --json) prints one document. -o ndjson prints one object per line as soon as it is known. Keys are the service's own names, including unknown fields. Nothing is rounded or translated. Everything else goes to standard error.",
    ),
    { heading: "orders list", code: jsonShapes.ordersList },
    { heading: "orders show", text: t("The order as the service sends it.") },
    { heading: t("orders watch (ndjson, one event per line)"), code: jsonShapes.ordersWatch },
    { heading: "catalog push, catalog delete", code: jsonShapes.catalogPush },
    t(
      'source is file (bpos rejected the row) or service. outcome is complete, partial, refused, stale, unknown or nothing. catalog history prints {"pushes":[…]}.',
    ),
    { heading: "campaign send, campaign resume", code: jsonShapes.campaignSend },
    t(
      'outcome is sent, replayed (nothing new was sent), partial, refused, unknown or nothing. For several sends, resume prints {"sends":[…]}. campaign list prints {"sends":[…]} too, each with its time, at.',
    ),
    {
      heading: "campaign status",
      text: t("With one id, the service's document unchanged. With several, or with --ref:"),
      code: jsonShapes.campaignStatus,
    },
    { heading: "campaign find", code: jsonShapes.campaignFind },
    t("status is null if it is unknown. error then says why."),
    t("--jq PROGRAM filters any of this with jq: --jq '.orders[].order_id'. Strings print without quotes."),
    { heading: t("An error, on standard error"), code: jsonShapes.error },
    t(
      "code is the name of the exit code (bpos help exit-codes). reason is more specific (bpos help errors). message and hint are for people.",
    ),
    t(
      "bpos schema COMMAND prints the JSON Schema of any of these. bpos openapi prints the OpenAPI description of the service.",
    ),
  ],
});

/** The reasons of errors by their exit code, each with its cause in a sentence. */
export const errorsTopic = (reasons: Groups, t: T): Topic => ({
  title: t("Errors"),
  parts: [
    t(
      "With -o json or ndjson, an error is one line of JSON on standard error. Its reason is one of these, listed by exit code.",
    ),
    ...reasons.map(([heading, rows]) => ({ heading, rows })),
    t("bpos help errors REASON explains one of them and how to fix it."),
  ],
});
