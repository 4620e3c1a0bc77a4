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

const scenario = suggest(...scenarioNames);
const text = { read: (word: string): string => word };

export function declareMock(program: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.mock;
  const { groups } = runtime.texts.helpPage;
  return verb(program, "mock", words, { exits: exits.serve, variables: [] })
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
    .addOption(flag("--webhook-url <url>", words.webhookUrl))
    .action(async (flags) => {
      const { run } = await import("./run.ts");
      await run(runtime, flags);
    });
}

export type MockFlags = FlagsOf<typeof declareMock>;
const talk = (): Promise<typeof import("./control-commands.ts")> => import("./control-commands.ts");

/** Declares commands that control a mock: that of `--url`, or the one that runs. */
function talkTo(parent: AnyCommand, { texts }: Runtime) {
  const { url } = texts.help.mockTalk;
  return (name: string, of: { description: string; examples: Record<string, string> }, takesFields = false) =>
    verb(parent, name, of, { exits: exits.talk, variables: variables.mock, takesFields }).addOption(
      flag("--url <url>", url),
    );
}

export function declareMockTalk(mock: AnyCommand, runtime: Runtime): void {
  const words = runtime.texts.help.mockTalk;
  const declare = talkTo(mock, runtime);
  declare("order", words.order)
    .addOption(flag("--count <n>", words.order.count, whole(1, 10_000)))
    .addOption(flag("--branch <name>", words.order.branch))
    .addOption(flag("--status <state>", words.order.status, oneOf(...orderStates)))
    .action(async (flags) => (await talk()).order(runtime, flags));
  declare("reply", words.reply)
    .argument("<phone>")
    .argument("<text...>")
    .action(async (phone, text, flags) => (await talk()).reply(runtime, phone, text, flags));
  declare("advance", words.advance)
    .addArgument(argument("<duration>", "", duration, "bpos mock advance"))
    .action(async (ms, flags) => (await talk()).advance(runtime, ms, flags));
  declare("fault", words.fault)
    .argument("[rule...]")
    .addOption(flag("--list", words.fault.list))
    .addOption(flag("--clear", words.fault.clear))
    .addOption(flag("--remove <id>", words.fault.remove, whole(1)))
    .action(async (rule, flags) => (await talk()).fault(runtime, rule, flags));
  declare("reset", words.reset)
    .addOption(flag("--scenario <name>", words.reset.scenario, scenario))
    .addOption(flag("--seed <n>", words.reset.seed, whole(0)))
    .action(async (flags) => (await talk()).reset(runtime, flags));
  declare("log", words.log, true)
    .addOption(flag("--follow", words.log.follow))
    .addOption(flag("--limit <n>", words.log.limit, whole(1, 1000)))
    .action(async (flags) => (await import("./requests.ts")).log(runtime, flags));
}

const world = (): Promise<typeof import("./world-commands.ts")> => import("./world-commands.ts");

export function declareMockWorld(mock: AnyCommand, runtime: Runtime): void {
  const words = runtime.texts.help.mockTalk;
  const declare = talkTo(mock, runtime);
  const { set } = words.orders;
  const declareOrders = talkTo(verb(mock, "orders", words.orders), runtime);
  declareOrders("set", set)
    .addArgument(argument("<id>", set.id, whole(1), "bpos mock orders set"))
    .addArgument(argument("<state>", set.state, oneOf(...orderStates), "bpos mock orders set"))
    .action(async (id, state, flags) => (await world()).setState(runtime, id, state, flags));
  declare("templates", words.templates).action(async (flags) => (await world()).templates(runtime, flags));
  declare("clock", words.clock)
    .addOption(flag("--freeze", words.clock.freeze))
    .addOption(flag("--resume", words.clock.resume))
    .addOption(flag("--speed <factor>", words.clock.speed, decimal))
    .addOption(flag("--now <time>", words.clock.now))
    .action(async (flags) => (await world()).clock(runtime, flags));
  declare("webhook", words.webhook)
    .argument("[url]", words.webhook.address)
    .addOption(flag("--off", words.webhook.off))
    .action(async (url, flags) => (await world()).webhook(runtime, url, flags));
  declare("export", words.export)
    .addArgument(argument("<file>", words.export.file, file))
    .addOption(flag("--force", words.export.force))
    .action(async (path, flags) => (await world()).exportWorld(runtime, path, flags));
  declare("import", words.import)
    .addArgument(argument("<file>", words.import.file, file))
    .action(async (path, flags) => (await world()).importWorld(runtime, path, flags));
}

export function declareDemo(program: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.demo;
  return verb(program, "demo", words)
    .addOption(flag("-y, --yes", words.yes))
    .action(async (flags) => {
      const { demo } = await import("./demo.ts");
      await demo(runtime, flags);
    });
}

export type DemoFlags = FlagsOf<typeof declareDemo>;
