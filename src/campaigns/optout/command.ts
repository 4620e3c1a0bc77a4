import { argument, type FlagsOf, file, flag, nonEmpty, several } from "../../cli/line/flags.ts";
import { type AnyCommand, exits, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { T } from "../../texts/texts.ts";

/** The names that `--fields` takes. */
export const optOutNames = ["phone", "at", "source", "text"] as const;

const fileExits = ["ok", "usage", "partial", "config", "not_found", "interrupted"] as const;
const variables = ["BPOS_PROFILE", "BPOS_JOURNAL", "BPOS_HOME", "BPOS_MOCK"];

export const declareOptouts = (campaign: AnyCommand, { texts: { t } }: Runtime) =>
  verb(campaign, "optout", {
    description: t("Manage the opt-out list: sends from this journal skip everyone on it"),
    examples: {
      "bpos campaign optout list": t("who opted out, when and how"),
      "bpos campaign optout review": t("decide which unclear replies are opt-outs"),
    },
  });

const countryFlag = (t: T) =>
  flag("--country <code>", t("country of phones without +, for example AR (default: from the profile)"));

export function declareAdd(optout: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Opt people out by phone, in any format, for every branch of this journal"),
    examples: { "bpos campaign optout add +5491155550101 '011 15 5555-0102' --country AR": t("two people") },
  };

  return verb(optout, "add", words, { exits: exits.file, variables })
    .addArgument(argument("<phone...>", t("one or more phone numbers"), several(nonEmpty)))
    .addOption(countryFlag(t));
}

export function declareRemove(optout: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Remove a person from the list; the journal keeps the entry and the reason"),
    examples: {
      "bpos campaign optout remove +5491155550101 --reason 'asked for the newsletter on 2026-11-20'": t(
        "without --reason, asks for the reason",
      ),
    },
  };

  return verb(optout, "remove", words, { exits: exits.file, variables })
    .addArgument(argument("<phone>", t("phone number of the person"), nonEmpty))
    .addOption(flag("--reason <text>", t("why this person can be messaged again"), nonEmpty))
    .addOption(countryFlag(t));
}

export function declareList(optout: AnyCommand, { texts: { t } }: Runtime) {
  const facts = { exits: exits.file, variables, fields: optOutNames, isPaged: true };
  const words = {
    description: t("List who opted out"),
    examples: {
      "bpos campaign optout list": t("including what they wrote"),
      "bpos campaign optout list --jq '.opt_outs[].phone'": t("only the phones"),
    },
  };

  return verb(optout, "list", words, facts).alias("ls");
}

export function declareImport(optout: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Opt out everyone in a file: a CSV or workbook with a phone column, or a list of phones"),
    examples: { "bpos campaign optout import optouts.csv": t("reports rows without a usable phone") },
  };

  return verb(optout, "import", words, { exits: fileExits, variables })
    .addArgument(argument("<file>", t("file with the phones; - is standard input"), file))
    .addOption(countryFlag(t))
    .addOption(flag("--phone-column <column>", t("name of the phone column")))
    .addOption(
      flag(
        "--sheet <name>",
        t("sheet to read, in an .xlsx workbook with several, and in --exclude files with that sheet"),
        nonEmpty,
      ),
    );
}

export function declareExport(optout: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Write the list to a new .csv or .xlsx file"),
    examples: { "bpos campaign optout export optouts.csv": t("for another journal or program") },
  };

  return verb(optout, "export", words, { exits: fileExits, variables })
    .addArgument(argument("<file>", t("file to write"), file))
    .addOption(flag("--force", t("overwrite the file")));
}

export function declareReview(optout: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Review replies with a word such as BAJA in a longer text, one by one"),
    examples: {
      "bpos campaign optout review": t("asks about each reply: opted out, not opted out, or later"),
      "bpos campaign optout review --json": t("lists them without changing anything"),
    },
  };

  return verb(optout, "review", words, { exits: exits.file, variables });
}

export type AddFlags = FlagsOf<typeof declareAdd>;
export type RemoveFlags = FlagsOf<typeof declareRemove>;
export type ImportFlags = FlagsOf<typeof declareImport>;
export type ExportFlags = FlagsOf<typeof declareExport>;
