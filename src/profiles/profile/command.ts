import type { Command, OptionValues } from "@commander-js/extra-typings";
import { argument, type FlagsOf, flag, profileName, whole } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import { hoursFlags } from "../../cli/line/hours-flags.ts";
import { printerFlags } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { T } from "../../texts/texts.ts";

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

/** Adds the flags of the settings that a profile keeps of its branch. */
function settingFlags<Args extends unknown[], Flags extends OptionValues>(
  command: Command<Args, Flags>,
  t: T,
) {
  const hours = hoursFlags(t);
  return command
    .optionsGroup(t("Settings:"))
    .addOption(
      flag(
        "--key-command <command>",
        t("command that prints the key, run when needed; instead of --api-key-file"),
      ),
    )
    .addOption(
      flag(
        "--country <code>",
        t("country of the branch, for example AR; used for phones without a plus, currency and numbers"),
      ),
    )
    .addOption(
      flag(
        "--area-code <digits>",
        t("area code of the branch, for example 11; used in hints about phones without one"),
        whole(10, 9999),
      ),
    )
    .addOption(flag("--currency <code>", t("currency shown with amounts (default: the country's, or ARS)")))
    .addOption(
      flag(
        "--store-id <id>",
        t("store id sent with each push; the service refuses it if the key belongs to another branch"),
      ),
    )
    .addOption(flag("--header-field <name>", t("body field for a campaign's header URL")))
    .addOption(hours.between)
    .addOption(hours.days)
    .addOption(hours.timeZone)
    .addOption(flag("--sandbox", t("a demo branch: every table says SANDBOX")))
    .addOption(flag("--no-sandbox", t("the real branch")))
    .addOption(flag("--default", t("make it the default (the first profile always is)")));
}

export function declareAdd(profile: AnyCommand, runtime: Runtime) {
  const { t } = runtime.texts;
  const { printer, paper, language, drawer, beep, layout } = printerFlags(runtime);
  const words = {
    description: t("Save a profile from flags; bpos init asks instead"),
    examples: {
      "bpos profile add centro --base-url https://pos.example.com --campaigns-url https://msg.example.com --api-key-file key.txt":
        t("the key comes from a file; - is standard input"),
      "bpos profile add norte --base-url https://pos.example.com --key-command 'pass show bpos/norte'": t(
        "the key stays in the password manager",
      ),
      "bpos profile add centro --update --api-key-file new-key.txt": t("change the key"),
    },
  };

  const command = verb(profile, "add", words, {
    exits: exits.ask,
    variables: ["BPOS_HOME"],
    common: [
      ...["--base-url", "--campaigns-url", "--api-key-file", "--key-command", "--country"],
      ...["--printer", "--sandbox", "--default", "--update", "--no-check"],
    ],
  }).argument("<name>", t("name of the profile, for example centro"));
  return settingFlags(command, t)
    .optionsGroup(t("Printer:"))
    .addOption(printer)
    .addOption(paper)
    .addOption(language)
    .addOption(drawer)
    .addOption(flag("--no-drawer", t("do not open the cash drawer")))
    .addOption(beep)
    .addOption(flag("--no-beep", t("do not sound the buzzer")))
    .addOption(layout)
    .optionsGroup(t("Checks and confirmation:"))
    .addOption(flag("--update", t("change an existing profile; other settings stay the same")))
    .addOption(flag("--no-check", t("do not check the key")));
}

export type AddFlags = FlagsOf<typeof declareAdd>;

const facts = { exits: exits.file, variables: ["BPOS_HOME"] };

export const declareProfileList = (profile: AnyCommand, { texts: { t } }: Runtime) =>
  verb(
    profile,
    "list",
    {
      description: t("List profiles, with masked keys"),
      examples: { "bpos profile list": t("* marks the default") },
    },
    { ...facts, exits: exits.local, fields },
  ).alias("ls");

export function declareUse(profile: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Make a profile the default"),
    examples: { "bpos profile use norte": t("for every command without -p") },
  };

  return verb(profile, "use", words, facts).addArgument(
    argument("<name>", t("name of the profile"), profileName),
  );
}

export function declareProfileShow(profile: AnyCommand, { texts: { t } }: Runtime) {
  const all = [...new Set([...variables.orders, ...variables.campaigns])];
  const words = {
    description: t("Show the settings in effect and where each comes from"),
    examples: {
      "bpos profile show": t("each setting and where it comes from"),
      "bpos profile show norte": t("the settings of -p norte"),
    },
  };

  return verb(profile, "show", words, { exits: exits.file, variables: all }).addArgument(
    argument("[name]", t("a profile (default: the one in use)"), profileName),
  );
}

export function declareRename(profile: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Rename a profile; its record of deliveries and sends is kept"),
    examples: { "bpos profile rename centro microcentro": t("everything else stays") },
  };

  return verb(profile, "rename", words, facts)
    .addArgument(argument("<name>", t("name of the profile"), profileName))
    .argument("<new-name>", t("new name of the profile"));
}

export function declareRemove(profile: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Remove a profile and its key"),
    examples: { "bpos profile remove norte": t("asks first") },
  };

  return verb(profile, "remove", words, facts)
    .addArgument(argument("<name>", t("name of the profile"), profileName))
    .optionsGroup(t("Checks and confirmation:"))
    .addOption(flag("-y, --yes", t("do not ask")));
}
