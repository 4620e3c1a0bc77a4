import type { Command } from "commander";
import { describe, exits, variables } from "../cli/help-text.ts";
import type { Runtime } from "../cli/runtime.ts";

/** Declares `bpos orders …`. */
export function declareOrders(program: Command, runtime: Runtime): void {
  const words = runtime.texts.help.orders;
  const { groups } = runtime.texts.helpPage;
  const facts = { exits: exits.ask, variables: variables.orders };
  const orders = describe(program.command("orders"), words);
  describe(orders.command("list"), words.list, facts)
    .optionsGroup(groups.which)
    .option("--status <states>", words.list.status)
    .option("--since <time>", words.list.since)
    .option("--limit <n>", words.list.limit)
    .option("--all", words.list.all)
    .option("--page <n>", words.list.page)
    .action(async (_options, command: Command) => {
      const { list } = await import("./list/command.ts");
      await list(runtime, command.optsWithGlobals());
    });
  describe(orders.command("show"), words.show, facts)
    .argument("<id>", words.show.id)
    .action(async (id: string, _options, command: Command) => {
      const { show } = await import("./list/command.ts");
      await show(runtime, id, command.optsWithGlobals());
    });
  declareWatch(orders, runtime);
}

function declareWatch(orders: Command, runtime: Runtime): void {
  const words = runtime.texts.help.orders.watch;
  const { groups } = runtime.texts.helpPage;
  describe(orders.command("watch"), words, { exits: exits.watch, variables: variables.orders })
    .optionsGroup(groups.when)
    .option("--once", words.once)
    .option("--interval <duration>", words.interval)
    .optionsGroup(groups.where)
    .option("--exec <command>", words.exec)
    .option("--exec-timeout <duration>", words.execTimeout)
    .option("--exec-changes", words.execChanges)
    .option("--out-dir <folder>", words.outDir)
    .option("--bell", words.bell)
    .optionsGroup(groups.which)
    .option("--consumer <name>", words.consumer)
    .option("--skip-existing", words.skipExisting)
    .option("--all-profiles", words.allProfiles)
    .optionsGroup(groups.safety)
    .option("--force", words.force)
    .action(async (_options, command: Command) => {
      const { watch } = await import("./watch/command.ts");
      await watch(runtime, command.optsWithGlobals());
    });
}
