import { mockHelp, mockTalkHelp } from "./help-mock.ts";
import { healthHelp, openapiHelp, schemaHelp, statusHelp } from "./help-operations.ts";
import { optoutHelp } from "./help-optout.ts";
import { doctorHelp, initHelp, journalHelp, printerHelp, profileHelp } from "./help-setup.ts";

/** The words of `--help`: what each command and flag is for, and the examples that come first. */
export const help = {
  program: "Orders, catalogs and campaigns of a point of sale, from the command line.",
  programExamples: {
    "bpos demo": "a guided tour, without setup",
    "bpos --mock orders list": "rehearse a command against the embedded mock",
    "bpos orders watch -o ndjson": "deliver each new order to your program",
    "bpos catalog push prices.csv": "push a price list, with a report of rejected rows",
    "bpos campaign send customers.csv --template pedido_listo": "message customers",
  },
  onFailure:
    "run this command when the exit code is not 0: report on stdin; BPOS_EXIT_CODE, BPOS_OUTCOME, BPOS_COMMAND set",
  lockWait: "time to wait for another bpos that does the same work for this branch (default 60s)",
  hours: {
    between: "message people only between these hours of their country, such as 09:00-21:00; others wait",
    days: "and only on these days, such as mon-sat",
    timeZone: "the time zone that counts for a country that has several; may be repeated",
  },
  flags: {
    profile: "profile of the branch to use",
    mock: "use the embedded mock: no setup, nothing real happens",
    output: "table, json, ndjson or csv",
    json: "same as -o json",
    jq: "filter the JSON with this jq program; strings print raw (implies -o json)",
    fields: "only these fields of a list, in this order: a,b,c (JSON names)",
    quiet: "no notices, and no report when all went well",
    verbose:
      "print requests on stderr; -vv adds headers and bodies, with the key and values of persons masked",
    curl: "print requests on stderr as curl commands, key as $BPOS_API_KEY, values of persons masked; with --dry-run, what would be sent",
    logFormat: "text, or json: each line of stderr is an object, and nothing is asked (or BPOS_LOG_FORMAT)",
    color: "no colours",
    input: "never ask a question",
    timeout: "maximum time of one request (default 30s)",
    retries: "retries of a failed request (default 4)",
    caFile: "also trust the certificates in this PEM file",
    baseUrl: "address of orders and catalog",
    campaignsUrl: "address of campaigns",
    apiKeyFile: "read the API key from a file; - is standard input",
    lang: "language of texts: en, es, or es-AR with the words of Argentina (default: BPOS_LANG, then the locale)",
    version: "print the version",
    help: "show this help",
  },
  orders: {
    description: "List, show and watch orders",
    examples: { "bpos orders list": "orders in state pendiente" },
    list: {
      description: "List orders by state, oldest first",
      status: "one or more states, or all (default pendiente)",
      since: "created after 2026-01-31T08:00:00-03:00, 31/1/2026 (day first), 2h, today or yesterday",
      page: "page number, 20 orders each",
      all: "every page",
      limit: "maximum number of orders",
      examples: {
        "bpos orders list": "orders in state pendiente",
        "bpos orders list --status all --since today --all --json": "all of today's orders, for a script",
      },
    },
    show: {
      description: "Show one order as a kitchen ticket",
      id: "order number",
      print: "also print it as a receipt",
      examples: {
        "bpos orders show 1042": "in any state",
        "bpos orders show 1042 --print": "on the printer of the profile",
      },
    },
    watch: {
      description:
        "Poll, and deliver each new order once to each output; after a crash possibly again, marked repeated",
      interval: "time between polls (default 60s, 3s with a local mock; under 10s needs --mock or --force)",
      once: "poll once and exit",
      consumer: 'name under which progress is kept; each consumer gets every order (default "default")',
      outDir: "write each order to ORDER_ID.json in this folder",
      exec: "run this command for each order: JSON on stdin; BPOS_ORDER_ID, BPOS_BRANCH, BPOS_EVENT set",
      execTimeout: "maximum time of the command for one order (default 30s)",
      execChanges: "also run it for order.changed: another state, or an edit",
      printer:
        "print each new, cancelled or edited order: tcp://HOST[:PORT], file:DEVICE or lp:QUEUE; without a value, the profile's",
      bell: "do not ring the terminal's bell for new and edited orders",
      notify: "show a desktop notification for each new order",
      late: "ring again and report when an order waits in pendiente for longer than this, for example 10m",
      compact:
        "one line per order: on a terminal a screen of waiting orders, in a pipe a line for each new order",
      skipExisting: "skip the orders that exist before this consumer's first run",
      allProfiles: "watch the branches of all profiles in one process",
      standby: "if another process watches, wait and take over within 5s when it ends",
      force: "allow an interval under 10s",
      examples: {
        "bpos orders watch": "tickets on this screen until Ctrl-C",
        "bpos orders watch --compact --late 10m": "waiting orders, one line each; red after ten minutes",
        "bpos orders watch --printer tcp://192.168.1.50": "each new order on paper; cancelled ones too",
        "bpos orders watch --once --out-dir orders -q": "from cron: one file per order",
        "bpos orders watch -o ndjson": "one JSON object per line, for a program",
      },
    },
    forget: {
      description: "Give up the orders that an output of orders watch has not received; asks first",
      output: "the output, by the name of its flag (or stdout)",
      consumer: 'consumer whose orders to give up (default "default")',
      yes: "do not ask",
      examples: {
        "bpos orders forget --output printer": "orders that wait for a printer that is gone",
        "bpos orders forget --output exec --consumer erp --yes": "without a question, of another consumer",
      },
    },
  },
  catalog: {
    description: "Check and push products",
    examples: { "bpos catalog check prices.csv": "see what would be sent and what is wrong" },
    check: {
      description: "Report what a catalog file would send and what is wrong with it, without network",
      force: "overwrite the file",
      strict: "exit with 3 also if a product has no price",
      fixed: "write the valid rows to this file, ready to push",
      examples: {
        "bpos catalog check prices.csv": "how it is read, the first products, each problem with its line",
        "bpos catalog check prices.csv --fixed clean.csv": "also write a clean copy",
      },
    },
    delete: {
      description: "Deactivate products",
      codes: "product codes",
      file: "CSV, Excel (.xlsx), JSON or NDJSON file with a column of codes; - is standard input",
      map: "the column of the codes, for example codigo=SKU",
      rejected:
        "write rejected codes to this file, a workbook if it ends in .xlsx; correct it and pass it with --file",
      force: "deactivate although this machine's clock is an hour ahead of the service's",
      examples: {
        "bpos catalog delete PIZ-001 PIZ-002": "deactivate two products",
        "bpos catalog delete --file gone.csv --dry-run": "preview the products of a file",
      },
    },
    diff: {
      description: "Show what a push of a file would change, by what the journal knows; sends nothing",
      exitCode: "exit with 3 if anything differs, and with 0 if nothing does",
      report: "also write all changes to this workbook (.xlsx)",
      examples: {
        "bpos catalog diff prices.csv": "by category, the largest changes of prices first",
        "bpos catalog diff prices.csv --exit-code -q": "for a script: 0 the same, 3 it differs",
      },
    },
    history: {
      description: "List pushes in the journal, newest first",
      limit: "maximum number of pushes (default 20)",
      examples: { "bpos catalog history": "each push and its outcome" },
    },
    push: {
      description: "Push a catalog file in batches, with a report of rejected rows",
      file: "CSV, Excel (.xlsx), JSON or NDJSON file; - is standard input",
      format: "csv, json or ndjson, when the file name has no known extension",
      sheet: "sheet of an .xlsx workbook that has several",
      headerRow: "line of the header, when bpos does not find it",
      delimiter: "character between cells",
      encoding: "for example windows-1252",
      decimal: "decimal sign of prices, , or .",
      map: "field=column pairs, for example codigo=SKU,precio=Importe; the profile's mapping fills the rest",
      saveMap: "save the mapping in the profile for later files",
      onDuplicate: "which of two different rows with one codigo counts: first or last",
      batchSize: "products per request (default 500)",
      inFlight: "batches in flight, 1 to 8 (default 1); with more than one, all carry one stamp",
      confirm: "show what changes and ask before sending",
      changedOnly: "skip rows that the service has confirmed before",
      deactivateMissing: "deactivate products that were confirmed earlier and are not in the file",
      maxDeactivate: "maximum to deactivate: a share such as 20%, or a number (default 20%)",
      maxPriceChange:
        "send nothing if a price known to the journal would rise or fall by more, for example 50%",
      force: "push although this machine's clock is an hour ahead of the service's",
      storeId: "cross-check against the branch of the key",
      dryRun: "read and check, send nothing",
      strict: "send nothing if any row is rejected; exit with 3 if a product has no price",
      rejected: "write rejected rows to this file, a workbook if it ends in .xlsx; correct it and push it",
      examples: {
        "bpos catalog push prices.csv --dry-run": "see what would be sent and what is wrong",
        "bpos catalog push prices.csv --rejected rejected.csv": "then correct rejected.csv and push it",
        "export-prices | bpos catalog push - --format ndjson -q":
          "from another program, silent when all is well",
      },
    },
    undo: {
      description: "Push the products of an earlier push as they were before it; asks first",
      push: "id of a push, or how it begins (default: the last one)",
      dryRun: "show what would be sent, send nothing",
      yes: "do not ask",
      examples: {
        "bpos catalog undo --dry-run": "what the inverse of the last push would send",
        "bpos catalog undo 4c1f02ae": "of the push whose id begins so",
      },
    },
  },
  campaign: {
    description: "Send campaigns and follow them",
    examples: { "bpos campaign send customers.csv --template pedido_listo": "asks before sending" },
    send: {
      description: "Send an approved template to the recipients in a file",
      file: "CSV, Excel (.xlsx) or JSON file with a phone column; - is standard input",
      template: "exact name of an approved template; this or --template-id is needed",
      templateId: "id of the template, instead of its name",
      language: "for example es_AR, when the template has several",
      ref: "your reference (default: file name and hash)",
      name: "visible name of the campaign",
      headerUrl: "public https address of the header image, video or PDF",
      headerField: "name of the body field for --header-url",
      phoneColumn: "column with the phone",
      params: "columns with the template's variables, in order; '' for a template without any",
      country: "country of phones without a plus, for example AR",
      fixPhones: "apply the corrections that the warnings propose",
      exclude: "skip the recipients in this file, phones alone or with a header; may be repeated",
      errors:
        "write the rows left out to this file, a workbook if it ends in .xlsx; correct it and send it with the same --ref",
      format: "csv, json or ndjson, when the file name has no known extension",
      sheet: "sheet of an .xlsx workbook that has several; also of the files of --exclude that have it",
      headerRow: "line of the header, when bpos does not find it",
      delimiter: "character between cells",
      encoding: "for example windows-1252",
      dryRun: "show what would be sent, send nothing",
      yes: "do not ask",
      expect: "send only if exactly this many recipients would be messaged",
      testTo: "send only the first row's message, to this phone, as a test",
      templateText:
        "file with the template's text, {{1}} for its variables, to show the message before it is sent",
      trackAll: "calls of 100 recipients, so that the service lists everybody in the status",
      inFlight: "calls in flight, 1 to 8 (default 1); a canary goes out one call at a time",
      onlyFailedOf:
        "of the file, only recipients whom the service says it did not reach under this reference",
      notAfter: "stop sending after this time: 15:00, 2h (from now) or an ISO time",
      at: 'begin at this time: 15:00, 2h (from now), "2030-12-01 10:00" or an ISO time',
      pace: "spread the calls to so many recipients: 300/h, 10/min or 2/s",
      canary:
        "message this share or number of recipients first, drawn by the reference, and the rest if few of them fail",
      canaryWait: "how long to wait for the status of the canary (default 10m)",
      maxFailed: "share or number of the canary that may fail (default 10%)",
      noPreflight: "do not fetch the file of --header-url to check it",
      allowRepeat: "also message recipients who got this template within 24 hours under another reference",
      examples: {
        "bpos campaign send customers.csv --template pedido_listo --dry-run": "see who would get what",
        "bpos campaign send customers.csv --template pedido_listo --yes --json": "from a script",
        "bpos campaign send customers.csv --template pedido_listo --between 09:00-21:00 --days mon-sat --canary 5%":
          "at hours that suit people, with a trial",
      },
    },
    resume: {
      description: "Finish interrupted sends with the same keys: nobody is messaged twice",
      send: "id or reference of a send (default: all pending sends)",
      allowRepeat: "also message recipients who got this template under another reference meanwhile",
      ignoreCanary: "send the rest whatever came of the canary, also where its outcome stays unknown",
      inFlight: "calls in flight, 1 to 8 (default 1); a canary or a pace goes out one call at a time",
      examples: {
        "bpos campaign resume": "all pending sends",
        "bpos campaign resume enero-1f2e3d4c": "the send with that reference",
      },
    },
    status: {
      description: "Show a campaign's counts and recipients",
      ids: "campaign ids; a phone with its + shows the sends to that person, as campaign find",
      ref: "the campaigns in the journal under this reference",
      only: "only recipients in these statuses, for example failed,pending",
      watch: "poll every 5s to 60s until every status is final: nobody pending, no listed recipient sent",
      wait: "like --watch, for at most this long, for example 10m; exits with 8 if that is too short",
      examples: {
        "bpos campaign status cmp_1": "one campaign",
        "bpos campaign status --ref enero --watch":
          "every call of a send, until every status is final or Ctrl-C",
        "bpos campaign status --ref enero --wait 10m --only failed -o csv":
          "who did not get it, for a script",
        "bpos campaign status --ref enero -o csv": "a line per recipient, for a spreadsheet",
      },
    },
    find: {
      description: "Show every send to a person: its status now, and the replies",
      phone: "phone in any spelling",
      country: "country of a phone without a plus, for example AR",
      examples: {
        "bpos campaign find +5491155550101": "what this person got and answered",
        "bpos campaign find 011 15 5555-0101 --country AR": "as the person dials it",
      },
    },
    list: {
      description: "List sends in the journal, newest first, without asking the service",
      limit: "maximum number of sends (default 20)",
      examples: {
        "bpos campaign list": "each send, its size and whether it is finished",
        "bpos campaign list -o csv": "a line per send with its counts, for a spreadsheet",
      },
    },
    listen: {
      description: "Receive the replies that the service posts, and show each with its send, until Ctrl-C",
      port: "port to listen on, 0 for any free one (default 4020)",
      host: "address to listen on (default 127.0.0.1)",
      exec: "run this command for each reply: JSON on stdin; BPOS_CAMPAIGN_ID, BPOS_EXTERNAL_REF, BPOS_PHONE set",
      forwardTo: "post each reply there unchanged, until it is answered with a 2xx",
      optOutWords:
        "more words that opt a person out as a whole message, one a line, beside BAJA, STOP and the like",
      publicUrl: "public address of a tunnel or reverse proxy that leads here: its Host is accepted too",
      trustAnyHost: "accept any Host, for a tunnel that sends its own host name",
      secretFile:
        "accept only posts to a path that ends in /SECRET, kept in this file (or BPOS_WEBHOOK_SECRET)",
      examples: {
        "bpos campaign listen":
          "replies on this screen; rehearse with bpos mock --webhook-url http://127.0.0.1:4020/",
        "bpos campaign listen --exec ./reply.sh -q": "to a command, retried until it exits with 0",
        "bpos campaign listen -o ndjson": "one JSON object per line, for a program",
        "bpos campaign listen --public-url https://hooks.example.com/bpos/ --secret-file secret.txt":
          "behind a reverse proxy, for the service alone",
      },
    },
    optout: optoutHelp,
  },
  mock: mockHelp,
  mockTalk: mockTalkHelp,
  demo: {
    description: "Take a guided tour against the embedded mock",
    yes: "do not wait for Enter between the scenes: under 15 seconds",
    examples: { "bpos demo": "needs no key and no network" },
  },
  init: initHelp,
  profile: profileHelp,
  printer: printerHelp,
  doctor: doctorHelp,
  health: healthHelp,
  status: statusHelp,
  journal: journalHelp,
  openapi: openapiHelp,
  schema: schemaHelp,
};
