import { argument, type FlagsOf, flag, profileName, whole } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import { hoursFlags } from "../../cli/line/hours-flags.ts";
import { printerFlags } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";

const fields = [
  "name",
  "default",
  "base_url",
  "campaigns_base_url",
  "api_key",
  "key_command",
  "store_id",
  "country",
  "currency",
  "header_field",
  "sandbox",
] as const;

export const declareInit = (program: AnyCommand, runtime: Runtime) =>
  verb(program, "init", runtime.texts.help.init, { exits: exits.local, variables: ["BPOS_HOME"] });

export function declareAdd(profile: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.profile.add;
  const { groups } = runtime.texts.helpPage;
  const { printer, paper, language, drawer, beep, layout } = printerFlags(runtime);
  const hours = hoursFlags(runtime);
  return verb(profile, "add", words, { exits: exits.ask, variables: ["BPOS_HOME"] })
    .argument("<name>", words.name)
    .optionsGroup(groups.settings)
    .addOption(flag("--key-command <command>", words.keyCommand))
    .addOption(flag("--country <code>", words.country))
    .addOption(flag("--area-code <digits>", words.areaCode, whole(10, 9999)))
    .addOption(flag("--currency <code>", words.currency))
    .addOption(flag("--store-id <id>", words.storeId))
    .addOption(flag("--header-field <name>", words.headerField))
    .addOption(hours.between)
    .addOption(hours.days)
    .addOption(hours.timeZone)
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
    .addOption(layout)
    .optionsGroup(groups.safety)
    .addOption(flag("--update", words.update))
    .addOption(flag("--no-check", words.check));
}

export type AddFlags = FlagsOf<typeof declareAdd>;

const facts = { exits: exits.file, variables: ["BPOS_HOME"] };

export const declareProfileList = (profile: AnyCommand, { texts }: Runtime) =>
  verb(profile, "list", texts.help.profile.list, { ...facts, exits: exits.local, fields }).alias("ls");

export function declareUse(profile: AnyCommand, { texts }: Runtime) {
  const words = texts.help.profile;
  return verb(profile, "use", words.use, facts).addArgument(argument("<name>", words.name, profileName));
}

export function declareProfileShow(profile: AnyCommand, { texts }: Runtime) {
  const words = texts.help.profile.show;
  const all = [...new Set([...variables.orders, ...variables.campaigns])];
  return verb(profile, "show", words, { exits: exits.file, variables: all }).addArgument(
    argument("[name]", words.name, profileName),
  );
}

export function declareRename(profile: AnyCommand, { texts }: Runtime) {
  const words = texts.help.profile;
  return verb(profile, "rename", words.rename, facts)
    .addArgument(argument("<name>", words.name, profileName))
    .argument("<new-name>", words.rename.newName);
}

export function declareRemove(profile: AnyCommand, { texts }: Runtime) {
  const words = texts.help.profile;
  return verb(profile, "remove", words.remove, facts)
    .addArgument(argument("<name>", words.name, profileName))
    .optionsGroup(texts.helpPage.groups.safety)
    .addOption(flag("-y, --yes", words.remove.yes));
}
