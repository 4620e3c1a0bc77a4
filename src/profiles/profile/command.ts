import { argument, type FlagsOf, flag, profileName, whole } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import { printerFlags } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";

export function declareInit(program: AnyCommand, runtime: Runtime): void {
  const facts = { exits: exits.file, variables: ["BPOS_HOME"] };
  verb(program, "init", runtime.texts.help.init, facts).action(async () => {
    const { init } = await import("../init/init.ts");
    await init(runtime);
  });
}

export function declareAdd(profile: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.profile.add;
  const { groups } = runtime.texts.helpPage;
  const { printer, paper, language, drawer, beep } = printerFlags(runtime);
  return verb(profile, "add", words, { exits: exits.ask, variables: ["BPOS_HOME"] })
    .argument("<name>", words.name)
    .optionsGroup(groups.settings)
    .addOption(flag("--key-command <command>", words.keyCommand))
    .addOption(flag("--country <code>", words.country))
    .addOption(flag("--area-code <digits>", words.areaCode, whole(10, 9999)))
    .addOption(flag("--currency <code>", words.currency))
    .addOption(flag("--store-id <id>", words.storeId))
    .addOption(flag("--header-field <name>", words.headerField))
    .addOption(flag("--sandbox", words.sandbox))
    .addOption(flag("--no-sandbox", words.live))
    .addOption(flag("--default", words.default))
    .optionsGroup(groups.printer)
    .addOption(printer)
    .addOption(paper)
    .addOption(language)
    .addOption(drawer)
    .addOption(flag("--no-drawer", words.noDrawer))
    .addOption(beep)
    .addOption(flag("--no-beep", words.noBeep))
    .optionsGroup(groups.safety)
    .addOption(flag("--update", words.update))
    .addOption(flag("--no-check", words.check))
    .action(async (name, flags) => {
      const { add } = await import("./add.ts");
      await add(runtime, name, flags);
    });
}

export type AddFlags = FlagsOf<typeof declareAdd>;

const run = (): Promise<typeof import("./profile.ts")> => import("./profile.ts");

export function declareProfileFile(profile: AnyCommand, runtime: Runtime): void {
  const words = runtime.texts.help.profile;
  const facts = { exits: exits.file, variables: ["BPOS_HOME"] };
  const known = argument("<name>", words.name, profileName);
  verb(profile, "list", words.list, { ...facts, takesFields: true })
    .alias("ls")
    .action(async () => (await run()).list(runtime));
  verb(profile, "use", words.use, facts)
    .addArgument(known)
    .action(async (name) => (await run()).use(runtime, name));
  const all = [...new Set([...variables.orders, ...variables.campaigns])];
  verb(profile, "show", words.show, { exits: exits.file, variables: all })
    .addArgument(argument("[name]", words.show.name, profileName))
    .action(async (name) => (await run()).show(runtime, name));
  verb(profile, "rename", words.rename, facts)
    .addArgument(known)
    .argument("<new-name>", words.rename.newName)
    .action(async (from, to) => (await run()).rename(runtime, from, to));
  verb(profile, "remove", words.remove, facts)
    .addArgument(known)
    .optionsGroup(runtime.texts.helpPage.groups.safety)
    .addOption(flag("-y, --yes", words.remove.yes))
    .action(async (name, { yes = false }) => (await run()).remove(runtime, name, yes));
}
