import {
  argument,
  decimal,
  duration,
  type FlagsOf,
  file,
  flag,
  oneOf,
  several,
  suggest,
  whole,
} from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { orderStates, scenarioNames } from "../../contract/limits.ts";
import type { T } from "../../texts/texts.ts";

/** Fields of a request that `--fields` can name. */
export const requestNames = [
  "id",
  "at",
  "method",
  "path",
  "query",
  "status",
  "ms",
  "key",
  "branch",
  "event_id",
  "idempotency_key",
  "fault",
  "error",
  "direction",
  "reply_id",
] as const;

const scenario = suggest(...scenarioNames);
const text = { read: (word: string): string => word };

export function declareMock(program: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Run the mock service until Ctrl-C"),
    examples: {
      "bpos mock": t("then, in another terminal: export BPOS_MOCK=http://127.0.0.1:4010"),
      "bpos mock --open": t("and open its console in the browser"),
      "bpos mock --port 0 --scenario empty": t("any free port, no orders"),
    },
  };

  return verb(program, "mock", words, {
    exits: exits.local,
    variables: [],
    common: ["order", "reply", "advance", "log", "--port", "--scenario", "--clock", "--fault", "--open"],
  })
    .optionsGroup(t("World:"))
    .addOption(
      flag("--scenario <name>", t("demo, empty, rush, busy, or your own JSON file (default demo)"), scenario),
    )
    .addOption(
      flag(
        "--fault <rule>",
        t("inject a fault, for example 'POST /campaigns status=502 times=2'; can be repeated"),
        several(text),
      ),
    )
    .addOption(
      flag(
        "--clock <time>",
        t("start with the clock frozen at this time, for example 2026-01-01T12:00:00-03:00"),
      ),
    )
    .addOption(
      flag("--speed <factor>", t("clock speed: with 60, an hour takes a minute (default 1)"), decimal),
    )
    .addOption(flag("--seed <n>", t("seed for the generated data"), whole(0, 2 ** 32 - 1)))
    .addOption(
      flag("--data <file>", t("keep the world in this file (default: in memory, until Ctrl-C)"), file),
    )
    .optionsGroup(t("Server:"))
    .addOption(flag("--open", t("open the console in the default browser")))
    .addOption(
      flag("--port <n>", t("port to listen on, 0 for any free one (default 4010)"), whole(0, 65_535)),
    )
    .addOption(flag("--host <address>", t("address to listen on (default 127.0.0.1)")))
    .addOption(flag("--webhook-url <url>", t("URL to post recipients' replies to")));
}

export type MockFlags = FlagsOf<typeof declareMock>;

/** A command that controls a mock: the one of `--url`, or the running one. */
function declareTalk(
  parent: AnyCommand,
  name: string,
  words: { description: string; examples: Record<string, string> },
  { t, fields }: { t: T; fields?: readonly string[] },
) {
  const finds = ["reply", "fault", "set"].includes(name);
  const facts = { exits: finds ? exits.find : exits.talk, variables: variables.mock, fields };
  return verb(parent, name, words, facts).addOption(
    flag("--url <url>", t("URL of the mock (default: the running mock, otherwise the world of --mock)")),
  );
}

export function declareOrder(mock: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Place orders on the mock"),
    examples: { "bpos mock order --count 3": t("three customers order") },
  };

  return declareTalk(mock, "order", words, { t })
    .addOption(flag("--count <n>", t("number of orders (default 1)"), whole(1, 10_000)))
    .addOption(flag("--branch <name>", t("branch (default demo)")))
    .addOption(flag("--status <state>", t("state of the orders (default pendiente)"), oneOf(...orderStates)));
}

export const declareReply = (mock: AnyCommand, { texts: { t } }: Runtime) =>
  declareTalk(
    mock,
    "reply",
    {
      description: t("Reply from a phone to the last campaign it received"),
      examples: {
        "bpos mock reply +5491155550003 sí, gracias": t("the reply is also posted to the webhook"),
      },
    },
    { t },
  )
    .argument("<phone>")
    .argument("<text...>");

export const declareAdvance = (mock: AnyCommand, { texts: { t } }: Runtime) =>
  declareTalk(
    mock,
    "advance",
    {
      description: t("Advance the mock's clock"),
      examples: { "bpos mock advance 5m": t("messages are delivered and read, orders arrive") },
    },
    { t },
  ).addArgument(argument("<duration>", "", duration, "bpos mock advance"));

export function declareFault(mock: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Inject a fault into the mock"),
    examples: {
      "bpos mock fault 'POST /campaigns commit-drop times=1'": t(
        "the call is applied, but its response is lost",
      ),
      "bpos mock fault 'GET /v1/orders status=503 rate=0.2'": t("about one in five polls fails, at random"),
    },
  };

  return declareTalk(mock, "fault", words, { t })
    .argument("[rule...]")
    .addOption(flag("--list", t("list the active faults and how often each fired")))
    .addOption(flag("--clear", t("remove all faults")))
    .addOption(flag("--remove <id>", t("remove one fault, by its number in --list"), whole(1)));
}

export function declareReset(mock: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Reset the mock's world"),
    examples: { "bpos mock reset": t("back to the initial orders and catalog, with an empty log") },
  };

  return declareTalk(mock, "reset", words, { t })
    .addOption(flag("--scenario <name>", t("demo, empty, rush or busy"), scenario))
    .addOption(flag("--seed <n>", t("seed for the generated data"), whole(0)));
}

export function declareLog(mock: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Show the requests the mock received"),
    examples: { "bpos mock log --follow": t("follow requests sent from another terminal") },
  };

  return declareTalk(mock, "log", words, { t, fields: requestNames })
    .addOption(flag("--follow", t("continue until Ctrl-C")))
    .addOption(flag("--limit <n>", t("number of requests (default 100)"), whole(1, 1000)));
}

export function declareSetState(mock: AnyCommand, { texts: { t } }: Runtime) {
  const orders = verb(mock, "orders", {
    description: t("Change orders in the mock"),
    examples: { "bpos mock orders set 1001 listo": t("the kitchen finished order 1001") },
  });
  const words = {
    description: t("Move an order to any of the eight states"),
    examples: { "bpos mock orders set 1001 cancelado": t("the customer cancels") },
  };

  return declareTalk(orders, "set", words, { t })
    .addArgument(argument("<id>", t("order number // to move"), whole(1), "bpos mock orders set"))
    .addArgument(argument("<state>", t("state"), oneOf(...orderStates), "bpos mock orders set"));
}

export const declareTemplates = (mock: AnyCommand, { texts: { t } }: Runtime) =>
  declareTalk(
    mock,
    "templates",
    {
      description: t("List the mock's templates"),
      examples: { "bpos mock templates": t("names, languages, headers and parameter counts") },
    },
    { t },
  );

export function declareClock(mock: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Show the mock's clock, freeze it or change its speed"),
    examples: {
      "bpos mock clock --speed 60": t("an hour takes a minute"),
      "bpos mock clock --freeze": t("no time passes until you advance it"),
    },
  };

  return declareTalk(mock, "clock", words, { t })
    .addOption(flag("--freeze", t("freeze the clock")))
    .addOption(flag("--resume", t("resume at the previous speed")))
    .addOption(flag("--speed <factor>", t("mock seconds per real second; 0 freezes the clock"), decimal))
    .addOption(flag("--now <time>", t("set the date; with a later date, the time until then passes")));
}

export function declareWebhook(mock: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Show or set the mock's reply webhook"),
    examples: { "bpos mock webhook http://127.0.0.1:8787/": t("the address of `bpos campaign listen`") },
  };

  return declareTalk(mock, "webhook", words, { t })
    .argument("[url]", t("URL to post replies to"))
    .addOption(flag("--off", t("stop posting replies")));
}

export function declareExport(mock: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Write the mock's world to a file"),
    examples: { "bpos mock export world.json": t("to show it again or send it to support") },
  };

  return declareTalk(mock, "export", words, { t })
    .addArgument(argument("<file>", t("file to write; - is standard output"), file))
    .addOption(flag("--force", t("overwrite the file")));
}

export function declareImport(mock: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Replace the mock's world with an exported one"),
    examples: { "bpos mock import world.json": t("it continues from the date of the export") },
  };

  return declareTalk(mock, "import", words, { t }).addArgument(
    argument("<file>", t("file written by `bpos mock export`; - is standard input"), file),
  );
}

export function declareDemo(program: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Take a guided tour against the embedded mock"),
    examples: { "bpos demo": t("needs no key and no network") },
  };

  return verb(program, "demo", words).addOption(
    flag("-y, --yes", t("run without waiting for Enter between scenes (under 12 seconds)")),
  );
}

export type DemoFlags = FlagsOf<typeof declareDemo>;
