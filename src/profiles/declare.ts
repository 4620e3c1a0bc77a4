import type { Command } from "commander";
import { describe, exits, variables } from "../cli/help-text.ts";
import type { Runtime } from "../cli/runtime.ts";

function declareAdd(profile: Command, runtime: Runtime): void {
  const words = runtime.texts.help.profile.add;
  const { groups } = runtime.texts.helpPage;
  describe(profile.command("add"), words, { exits: exits.ask, variables: ["BPOS_HOME"] })
    .argument("<name>", words.name)
    .optionsGroup(groups.settings)
    .option("--key-command <command>", words.keyCommand)
    .option("--country <code>", words.country)
    .option("--currency <code>", words.currency)
    .option("--store-id <id>", words.storeId)
    .option("--header-field <name>", words.headerField)
    .option("--sandbox", words.sandbox)
    .option("--no-sandbox", words.live)
    .option("--default", words.default)
    .optionsGroup(groups.safety)
    .option("--update", words.update)
    .option("--no-check", words.check)
    .action(async (name: string, _options, command: Command) => {
      const { add } = await import("./profile/add.ts");
      await add(runtime, name, command.optsWithGlobals());
    });
}

/** The commands that look at the file of profiles or change it; loaded when one of them runs. */
const edit = (): Promise<typeof import("./profile/command.ts")> => import("./profile/command.ts");

/** Declares `bpos init` and `bpos profile …`. */
export function declareProfile(program: Command, runtime: Runtime): void {
  const { init, profile: words } = runtime.texts.help;
  const { groups } = runtime.texts.helpPage;
  const facts = { exits: exits.file, variables: ["BPOS_HOME"] };
  describe(program.command("init"), init, { exits: exits.file, variables: ["BPOS_HOME"] }).action(
    async (_options, command: Command) => {
      const { init: run } = await import("./init/command.ts");
      await run(runtime, command.optsWithGlobals());
    },
  );
  const profile = describe(program.command("profile"), words);
  declareAdd(profile, runtime);
  describe(profile.command("list"), words.list, facts).action(async (_options, command: Command) =>
    (await edit()).list(runtime, command.optsWithGlobals()),
  );
  describe(profile.command("use"), words.use, facts)
    .argument("<name>", words.name)
    .action(async (name: string, _options, command: Command) =>
      (await edit()).use(runtime, name, command.optsWithGlobals()),
    );
  const all = [...new Set([...variables.orders, ...variables.campaigns])];
  describe(profile.command("show"), words.show, { exits: exits.file, variables: all })
    .argument("[name]", words.show.name)
    .action(async (name: string | undefined, _options, command: Command) =>
      (await edit()).show(runtime, name, command.optsWithGlobals()),
    );
  describe(profile.command("rename"), words.rename, facts)
    .argument("<name>", words.name)
    .argument("<new-name>", words.rename.newName)
    .action(async (from: string, to: string, _options, command: Command) =>
      (await edit()).rename(runtime, { from, to }, command.optsWithGlobals()),
    );
  describe(profile.command("remove"), words.remove, facts)
    .argument("<name>", words.name)
    .optionsGroup(groups.safety)
    .option("-y, --yes", words.remove.yes)
    .action(async (name: string, _options, command: Command) =>
      (await edit()).remove(runtime, name, command.optsWithGlobals()),
    );
}
