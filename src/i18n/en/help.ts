import { doctorHelp } from "./doctor.ts";
import { initHelp, profileHelp } from "./profiles.ts";

/** The words of `--help`: what each command and flag is for, and the examples that come first. */
export const help = {
  program: "Orders, catalogs and campaigns of a point of sale, from the command line.",
  programExamples: [
    ["bpos demo", "see all of it in ten seconds, no set-up"],
    ["bpos --mock orders list", "rehearse a command against the embedded mock"],
    ["bpos orders watch -o ndjson", "hand each new order to your program"],
    ["bpos catalog push prices.csv", "send a price list, with a report of rejected rows"],
    ["bpos campaign send customers.csv --template pedido_listo", "message customers"],
  ],
  flags: {
    profile: "the branch to work for, by its profile's name",
    mock: "run against the embedded mock: no set-up, nothing real happens",
    output: "table, json, ndjson or csv",
    json: "the same as -o json",
    fields: "only these fields of a list, in this order: a,b,c under their JSON names",
    quiet: "no notices; when all went well, no report either",
    verbose:
      "print each request on standard error; twice (-vv), its headers and bodies too, key and phones masked",
    curl: "print each request on standard error as a curl command, with $BPOS_API_KEY for the key and the body as it is, phones included; with --dry-run, what would be sent",
    color: "no colours",
    input: "never ask a question",
    timeout: "time one request may take (default 30s)",
    retries: "how often a failed request is tried again (default 4)",
    caFile: "trust the certificates of this PEM file too, in a network with a CA of its own",
    baseUrl: "address of orders and catalog",
    campaignsUrl: "address of campaigns",
    apiKeyFile: "read the API key from a file; - is standard input",
    lang: "language of what people read, en or es (default: BPOS_LANG, then the locale)",
    version: "print the version",
    help: "show this help",
  },
  orders: {
    description: "List, show and watch orders",
    examples: [["bpos orders list", "what is pendiente now"]],
    list: {
      description: "List the orders of a state, oldest first",
      status: "one or more states, or all (default pendiente)",
      since:
        "created after this time: 2026-01-31T08:00:00-03:00, 31/1/2026 (day first), 2h, today, yesterday",
      page: "which page of 20",
      all: "every page",
      limit: "at most this many orders",
      examples: [
        ["bpos orders list", "what is pendiente now"],
        ["bpos orders list --status all --since today --all --json", "everything of today, for a script"],
      ],
    },
    show: {
      description: "Show one order as a kitchen ticket",
      id: "the order's number",
      examples: [["bpos orders show 1042", "looks through all eight states"]],
    },
    watch: {
      description:
        "Poll, and deliver each new order once to each output; after a crash possibly again, marked repeated",
      interval:
        "time between two polls (default 60s, 3s with a mock on this machine; under 10s needs --mock or --force)",
      once: "poll once and end",
      consumer: 'whose memory it is: each consumer gets every order (default "default")',
      outDir: "write each order as a file ORDER_ID.json into this folder",
      exec: "run this command for each order: its JSON is on standard input, BPOS_ORDER_ID, BPOS_BRANCH, BPOS_EVENT in the environment",
      execTimeout: "time the command may take for one order (default 30s)",
      execChanges: "run it for order.changed too",
      bell: "ring the terminal's bell",
      skipExisting: "leave out what is there before the first run of this consumer",
      allProfiles: "watch every profile's branch in one process",
      force: "allow an interval under 10s",
      examples: [
        ["bpos orders watch", "tickets on this screen until Ctrl-C"],
        [
          "bpos orders watch --exec 'lp -d kitchen' --consumer printer",
          "each order to a command, tried again until it takes it",
        ],
        ["bpos orders watch --once --out-dir orders -q", "for cron: a file an order, none is written twice"],
        ["bpos orders watch -o ndjson", "one JSON object a line, for a program that reads along"],
      ],
    },
  },
  catalog: {
    description: "Check and push products",
    examples: [["bpos catalog check prices.csv", "see what would be sent and what is wrong"]],
    check: {
      description: "Read a catalog file and say what would be sent and what is wrong, without a network",
      force: "let --fixed replace a file that exists",
      fixed: "write a clean copy here, with the usable rows only: push it as it is",
      examples: [
        ["bpos catalog check prices.csv", "how it is read, the first products, each problem with its line"],
        ["bpos catalog check prices.csv --fixed clean.csv", "and a copy that pushes without a complaint"],
      ],
    },
    delete: {
      description: "Deactivate products",
      codes: "their codes",
      file: "a CSV, JSON or NDJSON file with a column of codes; - is standard input",
      map: "the column of the codes, for example codigo=SKU",
      rejected: "write the rejected codes here: correct them and name that file with --file",
      force: "deactivate although this machine's clock is an hour ahead of the service's",
      examples: [
        ["bpos catalog delete PIZ-001 PIZ-002", "deactivate two products"],
        ["bpos catalog delete --file gone.csv --dry-run", "see which ones a file names"],
      ],
    },
    history: {
      description: "List the pushes that were made from this machine, newest first",
      limit: "how many at most (default 20)",
      examples: [["bpos catalog history", "what was pushed, and what came of it"]],
    },
    push: {
      description: "Send a catalog file in batches, with a report of rejected rows",
      file: "a CSV, JSON or NDJSON file; - is standard input",
      format: "csv, json or ndjson, when the file's name does not tell",
      delimiter: "the character between two cells",
      encoding: "for example windows-1252",
      decimal: "the decimal sign of prices, , or .",
      map: "field=column pairs, for example codigo=SKU,precio=Importe; for other fields the profile's own mapping counts",
      saveMap:
        "keep the mapping in the profile, beside what it holds for other fields: later files are read by it",
      onDuplicate: "which of two different rows of one codigo counts: first or last",
      batchSize: "products a request (default 500)",
      inFlight:
        "batches that are out at once, 1 to 8 (default 1); with more than one all carry one stamp, since they may arrive in any order",
      changedOnly: "leave out rows that the service has confirmed already, as far as this machine knows",
      deactivateMissing: "deactivate products that were confirmed earlier and are not in the file",
      maxDeactivate: "how many that may be: a share such as 20%, or a number (default 20%)",
      lockWait: "how long to wait for another push of this branch (default 0)",
      force: "push although this machine's clock is an hour ahead of the service's",
      storeId: "cross-check against the branch of the key",
      dryRun: "read and check, send nothing",
      strict: "send nothing if any row is bad",
      rejected: "write the rejected rows here: fix them and push that file",
      examples: [
        ["bpos catalog push prices.csv --dry-run", "see what would be sent and what is wrong"],
        ["bpos catalog push prices.csv --rejected rejected.csv", "fix rejected.csv and push it as it is"],
        [
          "export-prices | bpos catalog push - --format ndjson -q",
          "from another program, silent when all is well",
        ],
      ],
    },
  },
  campaign: {
    description: "Send campaigns and follow them",
    examples: [["bpos campaign send customers.csv --template pedido_listo", "asks before anything goes out"]],
    send: {
      description: "Send an approved template to the recipients of a file",
      file: "a CSV or JSON file with a phone column; - is standard input",
      template: "exact name of an approved template",
      templateId: "the template's id, instead of its name",
      language: "for example es_AR, when the template has several",
      ref: "your reference (default: the file's name and its hash)",
      name: "the campaign's visible name",
      headerUrl: "public https address of the header image, video or PDF",
      headerField: "name of the body field for --header-url",
      phoneColumn: "the column with the phone",
      params: "the columns with the template's variables, in order; '' for a template without any",
      country: "country of phones without a plus, for example AR",
      fixPhones: "apply the corrections that the warnings propose",
      exclude: "leave out the people of this file, phones alone or with a header; may be repeated",
      errors: "write the rows that are left out, to be corrected and sent with the same --ref",
      format: "csv, json or ndjson, when the file's name does not tell",
      delimiter: "the character between two cells",
      encoding: "for example windows-1252",
      dryRun: "show what would be sent, send nothing",
      yes: "do not ask",
      expect: "send only if exactly this many people would be messaged",
      testTo: "send only what the first row would get, to this phone, as a test",
      trackAll: "calls of 100 people, so that the service lists everybody in the status",
      notAfter: "do not send what has not left by then: 15:00, 2h (from now) or an ISO time",
      noPreflight: "do not fetch the file of --header-url to look at it",
      allowRepeat: "message people again who got this template within 24 hours under another reference",
      examples: [
        ["bpos campaign send customers.csv --template pedido_listo --dry-run", "see who would get what"],
        ["bpos campaign send customers.csv --template pedido_listo --yes --json", "from a script"],
      ],
    },
    resume: {
      description: "Finish sends that were interrupted, with the same keys: nobody is messaged twice",
      send: "id or reference of a send (default: all that are open)",
      allowRepeat: "message people although they got this template under another reference meanwhile",
      examples: [
        ["bpos campaign resume", "whatever is open"],
        ["bpos campaign resume enero-1f2e3d4c", "the send of that reference"],
      ],
    },
    status: {
      description: "Show a campaign's counts and recipients",
      ids: "campaign ids",
      ref: "the campaigns sent from this machine under this reference",
      only: "only recipients of these statuses, for example failed,pending",
      watch:
        "look again, after 5s and then less and less often up to 60s, until everything is final: nobody is counted as pending, and no listed recipient is pending or sent",
      wait: "wait for that so long at most, for example 10m; ends with 8 when it was too short",
      examples: [
        ["bpos campaign status cmp_1", "one campaign"],
        ["bpos campaign status --ref customers-1f2e3d4c", "every call of a send"],
        ["bpos campaign status --ref enero --watch", "until everything is final, or Ctrl-C"],
        [
          "bpos campaign status --ref enero --wait 10m --only failed -o csv",
          "who did not get it, for a script",
        ],
      ],
    },
    list: {
      description:
        "List the sends that were made from this machine, newest first, without asking the service",
      limit: "how many at most (default 20)",
      examples: [["bpos campaign list", "what was sent, to how many, and whether it is finished"]],
    },
    listen: {
      description: "Receive the replies that the service posts, and show each with its send, until Ctrl-C",
      port: "port to listen on, 0 takes a free one (default 4020)",
      host: "address to listen on (default 127.0.0.1)",
      exec: "run this command for each reply: its JSON is on standard input, BPOS_CAMPAIGN_ID, BPOS_EXTERNAL_REF, BPOS_PHONE in the environment",
      forwardTo: "post each reply there as it came, until it is answered with a 2xx",
      publicUrl:
        "address that leads here from outside, through a tunnel or a reverse proxy: any Host is taken then",
      secretFile:
        "take only what is posted to a path that ends in /SECRET; the file holds it (or BPOS_WEBHOOK_SECRET)",
      examples: [
        [
          "bpos campaign listen",
          "replies on this screen; for a rehearsal run bpos mock --webhook-url http://127.0.0.1:4020/",
        ],
        [
          "bpos campaign listen --exec ./reply.sh -q",
          "each reply to a command, tried again until it takes it",
        ],
        ["bpos campaign listen -o ndjson", "one JSON object a line, for a program that reads along"],
        [
          "bpos campaign listen --public-url https://hooks.example.com/bpos/ --secret-file secret.txt",
          "behind a reverse proxy, for the service alone",
        ],
      ],
    },
  },
  mock: {
    description: "Run the mock service until Ctrl-C",
    port: "port to listen on, 0 takes a free one (default 4010)",
    host: "address to listen on (default 127.0.0.1)",
    scenario: "demo, empty, rush, busy, or a JSON file of your own (default demo)",
    fault: "fail in a chosen way, for example 'POST /campaigns status=502 times=2'; may be repeated",
    webhookUrl: "where replies of recipients are posted",
    seed: "another seed, another world",
    data: "keep the world in this file (default: in memory, until Ctrl-C)",
    clock: "freeze the world's time there, for example 2026-01-01T12:00:00-03:00",
    speed: "how fast the world's time runs (default 1)",
    examples: [
      [
        "bpos mock",
        "then: BPOS_BASE_URL=http://127.0.0.1:4010 BPOS_API_KEY=bpk_demo_centro bpos orders list",
      ],
      ["bpos mock --port 0 --scenario empty", "a free port, and a world without orders"],
    ],
  },
  mockTalk: {
    url: "the mock to talk to (default: the one that runs, else the world of --mock)",
    order: {
      description: "Place orders on the mock",
      count: "how many (default 1)",
      branch: "which branch (default demo)",
      status: "their state (default pendiente)",
      examples: [["bpos mock order --count 3", "three customers order"]],
    },
    reply: {
      description: "Reply to the last campaign that reached a phone",
      examples: [["bpos mock reply +5491155550003 sí, gracias", "the webhook gets it too"]],
    },
    advance: {
      description: "Move the mock's clock on",
      examples: [["bpos mock advance 5m", "messages are delivered and read, orders arrive"]],
    },
    fault: {
      description: "Make the mock fail in a chosen way",
      list: "show the armed faults and how often each fired",
      clear: "disarm all",
      examples: [
        ["bpos mock fault 'POST /campaigns commit-drop times=1'", "applied, but the answer is lost"],
        ["bpos mock fault 'GET /v1/orders status=503 rate=0.2'", "every fifth poll fails"],
      ],
    },
    reset: {
      description: "Start the mock's world again",
      scenario: "demo, empty, rush or busy",
      seed: "another seed, another world",
      examples: [["bpos mock reset", "an empty log, the first orders, the first catalog"]],
    },
    log: {
      description: "Show the requests that the mock received",
      follow: "go on until Ctrl-C",
      limit: "how many of the last ones (default 100)",
      examples: [["bpos mock log --follow", "beside another terminal that sends"]],
    },
  },
  demo: {
    description: "A guided tour against the embedded mock, under 15 seconds",
    examples: [["bpos demo", "needs no key and no network"]],
  },
  init: initHelp,
  profile: profileHelp,
  doctor: doctorHelp,
  openapi: {
    description: "Print the OpenAPI 3.1 description of the service",
    examples: [["bpos openapi > openapi.json", "for your code generator"]],
  },
};
