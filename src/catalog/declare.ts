import type { Command } from "commander";
import { describe, exits, variables } from "../cli/help-text.ts";
import type { Runtime } from "../cli/runtime.ts";

const sends = { exits: exits.send, variables: variables.orders };

/** The flags that say how a catalog file is read. */
function addReading(command: Command, { texts }: Runtime): Command {
  const { push: words } = texts.help.catalog;
  return command
    .optionsGroup(texts.helpPage.groups.reading)
    .option("--map <pairs>", words.map)
    .option("--save-map", words.saveMap)
    .option("--decimal <sign>", words.decimal)
    .option("--on-duplicate <which>", words.onDuplicate)
    .option("--format <format>", words.format)
    .option("--delimiter <character>", words.delimiter)
    .option("--encoding <name>", words.encoding);
}

function declareCheck(catalog: Command, runtime: Runtime): void {
  const { check: words, push } = runtime.texts.help.catalog;
  const { groups } = runtime.texts.helpPage;
  const command = describe(catalog.command("check"), words, { exits: exits.read, variables: [] })
    .argument("<file>", push.file)
    .optionsGroup(groups.output)
    .option("--fixed <file>", words.fixed)
    .option("--force", words.force);
  addReading(command, runtime).action(async (file: string, _options, command: Command) => {
    const { check } = await import("./check/command.ts");
    await check(runtime, file, command.optsWithGlobals());
  });
}

function declarePush(catalog: Command, runtime: Runtime): void {
  const words = runtime.texts.help.catalog.push;
  const { groups } = runtime.texts.helpPage;
  const command = describe(catalog.command("push"), words, sends)
    .argument("<file>", words.file)
    .optionsGroup(groups.sent)
    .option("--dry-run", words.dryRun)
    .option("--strict", words.strict)
    .option("--changed-only", words.changedOnly)
    .option("--deactivate-missing", words.deactivateMissing)
    .option("--max-deactivate <limit>", words.maxDeactivate)
    .optionsGroup(groups.output)
    .option("--rejected <file>", words.rejected);
  addReading(command, runtime)
    .optionsGroup(groups.sending)
    .option("--batch-size <n>", words.batchSize)
    .option("--in-flight <n>", words.inFlight)
    .optionsGroup(groups.safety)
    .option("--store-id <id>", words.storeId)
    .option("--lock-wait <duration>", words.lockWait)
    .option("--force", words.force)
    .action(async (file: string, _options, command: Command) => {
      const { push } = await import("./push/command.ts");
      await push(runtime, file, command.optsWithGlobals());
    });
}

function declareDelete(catalog: Command, runtime: Runtime): void {
  const { delete: words, push } = runtime.texts.help.catalog;
  const { groups } = runtime.texts.helpPage;
  describe(catalog.command("delete"), words, sends)
    .argument("[codes...]", words.codes)
    .optionsGroup(groups.sent)
    .option("--dry-run", push.dryRun)
    .option("--file <file>", words.file)
    .optionsGroup(groups.output)
    .option("--rejected <file>", words.rejected)
    .optionsGroup(groups.reading)
    .option("--map <pairs>", words.map)
    .option("--format <format>", push.format)
    .option("--delimiter <character>", push.delimiter)
    .option("--encoding <name>", push.encoding)
    .optionsGroup(groups.sending)
    .option("--batch-size <n>", push.batchSize)
    .optionsGroup(groups.safety)
    .option("--store-id <id>", push.storeId)
    .option("--lock-wait <duration>", push.lockWait)
    .option("--force", words.force)
    .action(async (codes: string[], _options, command: Command) => {
      const { remove } = await import("./delete/command.ts");
      await remove(runtime, codes, command.optsWithGlobals());
    });
}

function declareHistory(catalog: Command, runtime: Runtime): void {
  const words = runtime.texts.help.catalog.history;
  describe(catalog.command("history"), words, { exits: exits.recall, variables: variables.orders })
    .optionsGroup(runtime.texts.helpPage.groups.which)
    .option("--limit <n>", words.limit)
    .action(async (_options, command: Command) => {
      const { history } = await import("./history/command.ts");
      await history(runtime, command.optsWithGlobals());
    });
}

/** Declares `bpos catalog …`. */
export function declareCatalog(program: Command, runtime: Runtime): void {
  const catalog = describe(program.command("catalog"), runtime.texts.help.catalog);
  declareCheck(catalog, runtime);
  declarePush(catalog, runtime);
  declareDelete(catalog, runtime);
  declareHistory(catalog, runtime);
}
