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

/** What `--fields` can name of a request. */
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

export function declareMock(program: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.mock;
  const { groups } = runtime.texts.helpPage;
  return verb(program, "mock", words, { exits: exits.local, variables: [] })
    .optionsGroup(groups.world)
    .addOption(flag("--scenario <name>", words.scenario, scenario))
    .addOption(flag("--fault <rule>", words.fault, several(text)))
    .addOption(flag("--clock <time>", words.clock))
    .addOption(flag("--speed <factor>", words.speed, decimal))
    .addOption(flag("--seed <n>", words.seed, whole(0, 2 ** 32 - 1)))
    .addOption(flag("--data <file>", words.data, file))
    .optionsGroup(groups.listening)
    .addOption(flag("--open", words.open))
    .addOption(flag("--port <n>", words.port, whole(0, 65_535)))
    .addOption(flag("--host <address>", words.host))
    .addOption(flag("--webhook-url <url>", words.webhookUrl));
}

export type MockFlags = FlagsOf<typeof declareMock>;

/** A command that controls a mock: that of `--url`, or the one that runs. */
function declareTalk(
  parent: AnyCommand,
  name: string,
  words: { description: string; examples: Record<string, string> },
  { texts, fields }: Pick<Runtime, "texts"> & { fields?: readonly string[] },
) {
  const finds = ["reply", "fault", "set"].includes(name);
  const facts = { exits: finds ? exits.find : exits.talk, variables: variables.mock, fields };
  return verb(parent, name, words, facts).addOption(flag("--url <url>", texts.help.mockTalk.url));
}

export function declareOrder(mock: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.mockTalk.order;
  return declareTalk(mock, "order", words, runtime)
    .addOption(flag("--count <n>", words.count, whole(1, 10_000)))
    .addOption(flag("--branch <name>", words.branch))
    .addOption(flag("--status <state>", words.status, oneOf(...orderStates)));
}

export const declareReply = (mock: AnyCommand, runtime: Runtime) =>
  declareTalk(mock, "reply", runtime.texts.help.mockTalk.reply, runtime)
    .argument("<phone>")
    .argument("<text...>");

export const declareAdvance = (mock: AnyCommand, runtime: Runtime) =>
  declareTalk(mock, "advance", runtime.texts.help.mockTalk.advance, runtime).addArgument(
    argument("<duration>", "", duration, "bpos mock advance"),
  );

export function declareFault(mock: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.mockTalk.fault;
  return declareTalk(mock, "fault", words, runtime)
    .argument("[rule...]")
    .addOption(flag("--list", words.list))
    .addOption(flag("--clear", words.clear))
    .addOption(flag("--remove <id>", words.remove, whole(1)));
}

export function declareReset(mock: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.mockTalk.reset;
  return declareTalk(mock, "reset", words, runtime)
    .addOption(flag("--scenario <name>", words.scenario, scenario))
    .addOption(flag("--seed <n>", words.seed, whole(0)));
}

export function declareLog(mock: AnyCommand, { texts }: Runtime) {
  const words = texts.help.mockTalk.log;
  return declareTalk(mock, "log", words, { texts, fields: requestNames })
    .addOption(flag("--follow", words.follow))
    .addOption(flag("--limit <n>", words.limit, whole(1, 1000)));
}

export function declareSetState(mock: AnyCommand, runtime: Runtime) {
  const { orders } = runtime.texts.help.mockTalk;
  const { set } = orders;
  return declareTalk(verb(mock, "orders", orders), "set", set, runtime)
    .addArgument(argument("<id>", set.id, whole(1), "bpos mock orders set"))
    .addArgument(argument("<state>", set.state, oneOf(...orderStates), "bpos mock orders set"));
}

export const declareTemplates = (mock: AnyCommand, runtime: Runtime) =>
  declareTalk(mock, "templates", runtime.texts.help.mockTalk.templates, runtime);

export function declareClock(mock: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.mockTalk.clock;
  return declareTalk(mock, "clock", words, runtime)
    .addOption(flag("--freeze", words.freeze))
    .addOption(flag("--resume", words.resume))
    .addOption(flag("--speed <factor>", words.speed, decimal))
    .addOption(flag("--now <time>", words.now));
}

export function declareWebhook(mock: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.mockTalk.webhook;
  return declareTalk(mock, "webhook", words, runtime)
    .argument("[url]", words.address)
    .addOption(flag("--off", words.off));
}

export function declareExport(mock: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.mockTalk.export;
  return declareTalk(mock, "export", words, runtime)
    .addArgument(argument("<file>", words.file, file))
    .addOption(flag("--force", words.force));
}

export function declareImport(mock: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.mockTalk.import;
  return declareTalk(mock, "import", words, runtime).addArgument(argument("<file>", words.file, file));
}

export function declareDemo(program: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.demo;
  return verb(program, "demo", words).addOption(flag("-y, --yes", words.yes));
}

export type DemoFlags = FlagsOf<typeof declareDemo>;
