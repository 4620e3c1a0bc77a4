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
    description: t("Manage who opted out: no send of this journal messages them"),
    examples: {
      "bpos campaign optout list": t("who opted out, when and how"),
      "bpos campaign optout review": t("decide about replies that may be an opt-out"),
    },
  });

const countryFlag = (t: T) =>
  flag(
    "--country <code>",
    t("country of phones without a plus, for example AR (default: that of the profile)"),
  );

export function declareAdd(optout: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Opt people out, in all spellings of their phones and for every branch of this journal"),
    examples: { "bpos campaign optout add +5491155550101 '011 15 5555-0102' --country AR": t("two people") },
  };

  return verb(optout, "add", words, { exits: exits.file, variables })
    .addArgument(argument("<phone...>", t("phone of the person; several may follow"), several(nonEmpty)))
    .addOption(countryFlag(t));
}

export function declareRemove(optout: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Take a person off the list; the journal keeps the entry and the reason"),
    examples: {
      "bpos campaign optout remove +5491155550101 --reason 'asked for the newsletter on 2026-11-20'":
        t("without --reason it asks"),
    },
  };

  return verb(optout, "remove", words, { exits: exits.file, variables })
    .addArgument(argument("<phone>", t("phone of the person"), nonEmpty))
    .addOption(flag("--reason <text>", t("why this person may be messaged again"), nonEmpty))
    .addOption(countryFlag(t));
}

export function declareList(optout: AnyCommand, { texts: { t } }: Runtime) {
  const facts = { exits: exits.file, variables, fields: optOutNames, isPaged: true };
  const words = {
    description: t("List who opted out"),
    examples: {
      "bpos campaign optout list": t("with the words that they wrote"),
      "bpos campaign optout list --jq '.opt_outs[].phone'": t("the phones alone"),
    },
  };

  return verb(optout, "list", words, facts).alias("ls");
}

export function declareImport(optout: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Opt out everybody in a file: a CSV or a workbook with a phone column, or phones alone"),
    examples: { "bpos campaign optout import optouts.csv": t("reports the rows without a usable phone") },
  };

  return verb(optout, "import", words, { exits: fileExits, variables })
    .addArgument(argument("<file>", t("file with the phones, - for standard input"), file))
    .addOption(countryFlag(t))
    .addOption(flag("--phone-column <column>", t("column with the phone")))
    .addOption(
      flag(
        "--sheet <name>",
        t("sheet of an .xlsx workbook that has several; also of the files of --exclude that have it"),
        nonEmpty,
      ),
    );
}

export function declareExport(optout: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Write the list to a new .csv or .xlsx file"),
    examples: { "bpos campaign optout export optouts.csv": t("for another journal, or for another program") },
  };

  return verb(optout, "export", words, { exits: fileExits, variables })
    .addArgument(argument("<file>", t("file to write"), file))
    .addOption(flag("--force", t("overwrite the file")));
}

export function declareReview(optout: AnyCommand, { texts: { t } }: Runtime) {
  const words = {
    description: t("Decide about replies that contain a word such as BAJA among others, one by one"),
    examples: {
      "bpos campaign optout review": t("asks: opted out, not, or later"),
      "bpos campaign optout review --json": t("lists them, changes nothing"),
    },
  };

  return verb(optout, "review", words, { exits: exits.file, variables });
}

export type AddFlags = FlagsOf<typeof declareAdd>;
export type RemoveFlags = FlagsOf<typeof declareRemove>;
export type ImportFlags = FlagsOf<typeof declareImport>;
export type ExportFlags = FlagsOf<typeof declareExport>;
