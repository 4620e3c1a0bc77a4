import type { ExitName } from "../../errors.ts";
import { jsonShapes, type Topic, type TopicPart, type Topics } from "../shapes.ts";

/** What a script does about an exit code, in two words. */
const exitWords: Readonly<Record<ExitName, string>> = {
  ok: "ok",
  bug: "a defect of bpos",
  usage: "usage",
  partial: "partly rejected",
  denied: "denied",
  refused: "refused",
  unavailable: "unavailable",
  unknown: "outcome unknown",
  pending: "pending",
  config: "config",
  interrupted: "interrupted",
};

/** The frame of every help page, and the screen of `bpos` alone. */
export const helpPage = {
  exits: exitWords,
  headings: {
    usage: "Usage:",
    examples: "Examples:",
    arguments: "Arguments:",
    commands: "Commands:",
    flags: "Flags:",
    exitCodes: "Exit codes:",
    environment: "Environment:",
    topics: "Topics:",
  },
  /** What stands in a usage line for any flags, and for any command. */
  placeholders: { flags: "[flags]", command: "<command>" },
  /** What stands for a value, by its name in the declarations. */
  placeholder: (name: string) => name,
  /** A flag with what stands for its value. */
  spoken: (flags: string) => flags,
  groups: {
    which: "Which ones:",
    when: "When:",
    where: "Where they go:",
    message: "The message:",
    people: "The people:",
    sent: "What is sent:",
    reading: "How the file is read:",
    sending: "How it is sent:",
    output: "Output:",
    safety: "Safety:",
    listening: "Listening:",
    world: "The world:",
    settings: "Settings:",
    display: "Output:",
    connection: "Connection:",
    work: "Work:",
    setUp: "Set up:",
    rehearse: "Rehearse:",
    more: "More:",
    help: "Help:",
  },
  commandHelp: (command: string) => `${command} --help shows the flags and examples of a command.`,
  globalHelp: "bpos --help shows the flags that every command takes.",
  start: {
    title: "bpos: orders, catalog and campaigns of a point of sale.",
    steps: {
      "bpos demo": "see all of it in ten seconds; nothing real happens",
      "bpos init": "set up your branch: its key and its addresses",
      "bpos orders list": "the orders that wait",
    },
    more: {
      "bpos --help": "every command",
      "bpos help catalog push": "one command, with examples",
      "bpos --mock orders list": "rehearse any command without a key",
    },
    moreTitle: "Then:",
    firstTitle: "Begin here:",
  },
  help: {
    description: "Show the help of a command, or explain a topic",
    words: "a command such as catalog push, or a topic",
    examples: {
      "bpos help catalog push": "the same as bpos catalog push --help",
      "bpos help exit-codes": "what each exit code means to a script",
      "bpos help errors key_missing": "what the reason in a JSON error means",
    },
    topics: {
      "exit-codes": "what each exit code means, and what a script does about it",
      environment: "every variable that bpos reads, and what goes before what",
      files: "which files bpos reads and writes, and where they are",
      json: "the shapes of the JSON that commands print",
      errors: "every reason of an error, with its exit code; with one behind it: what to do",
    },
  },
  completion: {
    description: "Print a script that makes a shell complete commands, flags and values",
    shell: "bash, zsh, fish or powershell",
    examples: {
      'eval "$(bpos completion bash)"': "in ~/.bashrc",
      "source <(bpos completion zsh)": "in ~/.zshrc, after compinit",
      "bpos completion fish > ~/.config/fish/completions/bpos.fish": "once",
      "bpos completion powershell | Out-String | Invoke-Expression": "in $PROFILE",
    },
  },
};

/** The shapes of what commands print as JSON. */
const json = (): Topic => ({
  title: "JSON",
  parts: [
    {
      text: "-o json (or --json) prints one document, -o ndjson one object a line as it becomes known. Keys are the service's own names, fields that bpos does not know are passed through, nothing is rounded or translated. Everything else goes to standard error.",
    },
    {
      heading: "orders list",
      code: jsonShapes.ordersList,
    },
    { heading: "orders show", text: "The order as the service sends it." },
    {
      heading: "orders watch (ndjson, a line an event)",
      code: jsonShapes.ordersWatch,
    },
    {
      heading: "catalog push, catalog delete",
      code: jsonShapes.catalogPush,
    },
    {
      text: 'source is file (bpos refused the row) or service. outcome is complete, partial, refused, stale, unknown or nothing. catalog history prints {"pushes":[…]}.',
    },
    {
      heading: "campaign send, campaign resume",
      code: jsonShapes.campaignSend,
    },
    {
      text: 'outcome is sent, replayed (nothing new went out), partial, refused, unknown or nothing. resume prints {"sends":[…]} for several; campaign list prints {"sends":[…]}, each with at.',
    },
    {
      heading: "campaign status",
      text: "One id: the service's document unchanged. Several, or --ref:",
      code: jsonShapes.campaignStatus,
    },
    {
      heading: "An error, on standard error",
      code: jsonShapes.error,
    },
    {
      text: "code is the name of the exit code (bpos help exit-codes), reason says more (bpos help errors); message and hint are for people.",
    },
    { text: "bpos openapi prints the shapes of the service itself." },
  ],
});

const exits: Readonly<Record<ExitName, string>> = {
  ok: "Done; an empty list too. Nothing to do.",
  bug: "Unexpected: a defect of bpos. Report it.",
  usage: "A wrong flag, or input that cannot be read or used; nothing was sent. Fix the call.",
  partial: "Done, but rows, people or orders were left out, or are stale. Read the report.",
  denied: "403, or there is no key. Fix the key.",
  refused: "The service answered 400 or another refusal; it was not applied. Fix the input.",
  unavailable: "Network, TLS, time-out, 5xx or 429 after all retries. Run it again later: that is safe.",
  unknown:
    "It is not known whether a request landed. Push again, or bpos campaign resume: the keys are the same.",
  pending: "--wait ran out and work is still under way. Wait.",
  config: "The profile file or the journal cannot be used, or another bpos holds the lock. Fix the machine.",
  interrupted: "Ctrl-C, SIGTERM or SIGHUP, after a clean stop.",
};

const ofExec: TopicPart = {
  heading: "What --exec finds",
  rows: {
    "orders watch":
      "BPOS_EVENT, BPOS_BRANCH, BPOS_ORDER_ID, BPOS_REPEATED; of a change BPOS_FROM and BPOS_TO",
    "campaign listen":
      "BPOS_EVENT, BPOS_AT, BPOS_CAMPAIGN_ID, BPOS_EXTERNAL_REF, BPOS_PHONE, BPOS_SEND_ID, BPOS_REPEATED",
  },
};

const byPlatform: TopicPart = {
  heading: "By platform",
  rows: {
    Linux:
      "configuration in $XDG_CONFIG_HOME/bpos (~/.config/bpos), state in $XDG_STATE_HOME/bpos (~/.local/state/bpos)",
    macOS: "~/Library/Application Support/bpos, state in its folder state",
    Windows:
      "%APPDATA%\\bpos and %LOCALAPPDATA%\\bpos; the modes above do not exist there: the folders of a user are that user's own",
    BPOS_HOME: "everywhere: configuration in it, state in its folder state",
  },
};

/** The topics of `bpos help`. */
export const topics: Topics = {
  "exit-codes": ({ exits: codes }) => ({
    title: "Exit codes",
    parts: [
      { rows: Object.fromEntries(codes.map(([code, name]) => [`${code} ${name}`, exits[name]])) },
      {
        text: "With -o json or ndjson an error is one line of JSON on standard error: its code is the name above, its reason says more (bpos help errors).",
      },
      {
        heading: "In a shell script",
        code: [
          "bpos catalog push prices.csv -q --rejected rejected.csv",
          "case $? in",
          "  0) ;;",
          "  3) mail -s 'rejected prices' me@example.com < rejected.csv ;;",
          "  6|7) sleep 300; bpos catalog push prices.csv -q ;;",
          "  *) exit 1 ;;",
          "esac",
        ],
      },
    ],
  }),
  environment: () => ({
    title: "Environment variables",
    parts: [
      {
        text: "A flag goes before the environment, and that before the profile. A profile that is named with -p goes before the environment.",
      },
      {
        heading: "Which branch",
        rows: {
          BPOS_PROFILE: "the profile to use, as -p",
          BPOS_API_KEY:
            "the branch's key; no flag takes the key itself, because ps and the shell's history would show it",
          BPOS_BASE_URL: "address of orders and catalog, as --base-url",
          BPOS_CAMPAIGNS_URL: "address of campaigns, as --campaigns-url",
          BPOS_MOCK:
            "1 rehearses against the embedded mock, as --mock; an http address means a running bpos mock",
          BPOS_WEBHOOK_SECRET: "the secret of campaign listen, as what --secret-file names",
        },
      },
      {
        heading: "How it speaks",
        rows: {
          BPOS_OUTPUT: "table, json, ndjson or csv, as -o",
          BPOS_LANG: "en or es, as --lang; without it the locale counts: LC_ALL, LC_MESSAGES, LANG",
          NO_COLOR: "anything: no colours, as --no-color",
          FORCE_COLOR: "colours in a pipe too; 0 or false: none",
          TERM: "dumb: no colours, nothing is redrawn, ASCII instead of lines and signs",
          LC_CTYPE: "with LC_ALL and LANG: a character set other than UTF-8 gets ASCII too",
          CI: "anything: no question is ever asked, as --no-input",
        },
      },
      {
        heading: "Where files are",
        rows: {
          BPOS_HOME: "one folder for configuration and state",
          XDG_CONFIG_HOME: "the folder above the configuration on Linux (default ~/.config)",
          XDG_STATE_HOME: "the folder above the state on Linux (default ~/.local/state)",
          "APPDATA, LOCALAPPDATA": "the same two on Windows",
        },
      },
      {
        heading: "The network",
        rows: {
          "HTTPS_PROXY, HTTP_PROXY, ALL_PROXY": "the proxy to go through; in small letters too",
          NO_PROXY: "hosts that are reached without it; in small letters too",
          NODE_EXTRA_CA_CERTS: "a PEM file of certificates to trust beside the usual ones, as --ca-file",
        },
      },
      ofExec,
    ],
  }),
  files: ({ folders: { config, state } }) => ({
    title: "Files",
    parts: [
      {
        heading: "On this machine",
        rows: { [config]: "configuration", [state]: "state" },
      },
      {
        heading: "Configuration",
        rows: {
          "config.json":
            "the profiles: keys, addresses, columns. Mode 0600, its folder 0700: it holds keys. Written by bpos profile, bpos init and --save-map",
        },
      },
      {
        heading: "State",
        text: "The folder has mode 0700, every file in it 0600: it holds phones of customers. The key is in none of them.",
        rows: {
          "journal.db":
            "the journal, SQLite: what was handed on, pushed and sent. It is what keeps anything from being done twice: back it up, never delete it. -wal and -shm beside it belong to it",
          "locks/": "who is at work now; may be deleted when no bpos runs",
          "quarantine/":
            "orders that cannot be delivered (no usable order_id, nested too deep), as they came; at most 1,000",
          "mock-world.db": "the world of --mock; bpos mock reset empties it",
          "mock-journal.db": "the journal of rehearsals, apart from the real one",
          "mocks/": "where each bpos mock runs, for bpos mock order and its like",
        },
      },
      byPlatform,
      {
        heading: "Where you say so",
        rows: {
          FILE: "the catalog or the recipients that a command reads; - is standard input",
          "--rejected, --errors": "CSV of the rows that were left out; mode 0600",
          "--fixed": "a corrected copy of a catalog",
          "--out-dir": "an ORDER_ID.json for each order; a file that is there is never written over",
          "--data": "the world of bpos mock",
        },
      },
    ],
  }),
  json,
  errors: ({ reasons }) => ({
    title: "Errors",
    parts: [
      {
        text: "With -o json or ndjson an error is one line of JSON on standard error, and its reason is one of these. They stand below their exit code.",
      },
      ...reasons.map(([heading, rows]) => ({ heading, rows })),
      { text: "bpos help errors REASON says what one of them means and what to do." },
    ],
  }),
};
