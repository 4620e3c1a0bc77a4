import type { Command } from "commander";
import { describe, exits, variables } from "../../cli/help-text.ts";
import type { Runtime } from "../../cli/runtime.ts";

/** The commands that talk to a running mock; loaded when one of them runs. */
const talk = (): Promise<typeof import("./control-commands.ts")> => import("./control-commands.ts");

/** Declares `bpos mock order|reply|advance|fault|reset|log` below `bpos mock`. */
function declareMockTalk(mock: Command, runtime: Runtime): void {
  const words = runtime.texts.help.mockTalk;
  const declare = (usage: string, of: { description: string; examples: string[][] }): Command =>
    describe(mock.command(usage), of, { exits: exits.talk, variables: variables.mock }).option(
      "--url <url>",
      words.url,
    );
  declare("order", words.order)
    .option("--count <n>", words.order.count)
    .option("--branch <name>", words.order.branch)
    .option("--status <state>", words.order.status)
    .action(async (_options, command: Command) => (await talk()).order(runtime, command.optsWithGlobals()));
  declare("reply <phone> <text...>", words.reply).action(
    async (phone: string, text: string[], _options, command: Command) =>
      (await talk()).reply(runtime, phone, text, command.optsWithGlobals()),
  );
  declare("advance <duration>", words.advance).action(async (by: string, _options, command: Command) =>
    (await talk()).advance(runtime, by, command.optsWithGlobals()),
  );
  declare("fault [rule...]", words.fault)
    .option("--list", words.fault.list)
    .option("--clear", words.fault.clear)
    .action(async (rule: string[], _options, command: Command) =>
      (await talk()).fault(runtime, rule, command.optsWithGlobals()),
    );
  declare("reset", words.reset)
    .option("--scenario <name>", words.reset.scenario)
    .option("--seed <n>", words.reset.seed)
    .action(async (_options, command: Command) => (await talk()).reset(runtime, command.optsWithGlobals()));
  declare("log", words.log)
    .option("--follow", words.log.follow)
    .option("--limit <n>", words.log.limit)
    .action(async (_options, command: Command) => (await talk()).log(runtime, command.optsWithGlobals()));
}

/** Declares `bpos mock …`. */
export function declareMock(program: Command, runtime: Runtime): void {
  const words = runtime.texts.help.mock;
  const { groups } = runtime.texts.helpPage;
  const mock = describe(program.command("mock"), words, { exits: exits.serve, variables: [] })
    .optionsGroup(groups.world)
    .option("--scenario <name>", words.scenario)
    .option("--fault <rule>", words.fault, (rule: string, rules?: string[]) => [...(rules ?? []), rule])
    .option("--clock <time>", words.clock)
    .option("--speed <factor>", words.speed)
    .option("--seed <n>", words.seed)
    .option("--data <file>", words.data)
    .optionsGroup(groups.listening)
    .option("--port <n>", words.port)
    .option("--host <address>", words.host)
    .option("--webhook-url <url>", words.webhookUrl)
    .action(async (_options, command: Command) => {
      const { run } = await import("./command.ts");
      await run(runtime, command.optsWithGlobals());
    });
  declareMockTalk(mock, runtime);
}
