/** The help of `bpos mock …`. */
export const mockHelp = {
  description: "Run the mock service until Ctrl-C",
  open: "open the console in the default browser",
  port: "port to listen on, 0 for any free one (default 4010)",
  host: "address to listen on (default 127.0.0.1)",
  scenario: "demo, empty, rush, busy, or a JSON file of your own (default demo)",
  fault: "inject a fault, for example 'POST /campaigns status=502 times=2'; may be repeated",
  webhookUrl: "where to post the replies of recipients",
  seed: "another seed, another world",
  data: "keep the world in this file (default: in memory, until Ctrl-C)",
  clock: "freeze the world's time, for example at 2026-01-01T12:00:00-03:00",
  speed: "how fast the world's time runs (default 1)",
  examples: {
    "bpos mock": "then, in another terminal: export BPOS_MOCK=http://127.0.0.1:4010",
    "bpos mock --open": "with its console in the browser",
    "bpos mock --port 0 --scenario empty": "any free port, no orders",
  },
};

/** The help of the commands that talk to a running mock. */
export const mockTalkHelp = {
  url: "address of the mock (default: the running one, else the world of --mock)",
  order: {
    description: "Place orders on the mock",
    count: "number of orders (default 1)",
    branch: "branch (default demo)",
    status: "state of the orders (default pendiente)",
    examples: { "bpos mock order --count 3": "three customers order" },
  },
  reply: {
    description: "Reply to the last campaign that reached a phone",
    examples: { "bpos mock reply +5491155550003 sí, gracias": "also posted to the webhook" },
  },
  advance: {
    description: "Advance the mock's clock",
    examples: { "bpos mock advance 5m": "messages are delivered and read, orders arrive" },
  },
  fault: {
    description: "Inject a fault into the mock",
    list: "list the active faults and how often each fired",
    clear: "remove all faults",
    remove: "remove one fault, by the number that --list shows",
    examples: {
      "bpos mock fault 'POST /campaigns commit-drop times=1'": "applied, but the answer is lost",
      "bpos mock fault 'GET /v1/orders status=503 rate=0.2'": "about one poll in five fails, at random",
    },
  },
  reset: {
    description: "Reset the mock's world",
    scenario: "demo, empty, rush or busy",
    seed: "another seed, another world",
    examples: { "bpos mock reset": "an empty log, the first orders, the first catalog" },
  },
  log: {
    description: "Show the requests that the mock received",
    follow: "continue until Ctrl-C",
    limit: "number of requests (default 100)",
    examples: { "bpos mock log --follow": "beside another terminal that sends" },
  },
  orders: {
    description: "Change orders of the mock",
    examples: { "bpos mock orders set 1001 listo": "the kitchen is done with order 1001" },
    set: {
      description: "Move an order to a state, any of the eight",
      id: "order number",
      state: "state",
      examples: { "bpos mock orders set 1001 cancelado": "the customer cancels" },
    },
  },
  templates: {
    description: "List the templates of the mock",
    examples: { "bpos mock templates": "names, languages, headers and numbers of params" },
  },
  clock: {
    description: "Show the mock's clock, freeze it or change its speed",
    freeze: "freeze the clock",
    resume: "resume at the previous speed",
    speed: "seconds of the mock for each real one; 0 freezes it",
    now: "set the date; for a later one, the time until then passes",
    examples: {
      "bpos mock clock --speed 60": "an hour of the shop takes a minute",
      "bpos mock clock --freeze": "nothing happens until you move it",
    },
  },
  webhook: {
    description: "Show or set where the mock posts replies",
    address: "URL that gets each reply from now on",
    off: "stop posting replies",
    examples: { "bpos mock webhook http://127.0.0.1:8787/": "where `bpos campaign listen` waits" },
  },
  export: {
    description: "Write the mock's world to a file",
    file: "file to write; - is standard output",
    force: "overwrite the file",
    examples: { "bpos mock export world.json": "to show it again, or to send it to support" },
  },
  import: {
    description: "Replace the mock's world with an exported one",
    file: "file that `bpos mock export` wrote; - is standard input",
    examples: { "bpos mock import world.json": "it continues from the date of the export" },
  },
};
