import type { Command, OptionValues } from "@commander-js/extra-typings";
import {
  argument,
  type FlagsOf,
  file,
  fileFormats,
  flag,
  fromJournal,
  lockWaitFlag,
  names,
  nonEmpty,
  oneOf,
  onFailureFlag,
  several,
  shareOrCount,
  suggest,
  timeLimit,
  type Value,
  whole,
} from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import { hoursFlags } from "../../cli/line/hours-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { templateLanguage } from "../../contract/limits.ts";
import type { T } from "../../texts/texts.ts";
import type { SendRate } from "../sending/schedule.ts";

const language: Value<string> = {
  ...fromJournal("language"),
  read(text, refuse) {
    const [, code = "", country = ""] = /^([a-z]{2,3})[-_]([a-z]{2})$/i.exec(text) ?? [];
    const similar = code === "" ? null : `${code.toLowerCase()}_${country.toUpperCase()}`;
    return templateLanguage.test(text) ? text : refuse({ kind: "not_language", similar });
  },
};

const hourMs = 3_600_000;
const paceUnits: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, m: 60_000, h: hourMs };

const pace: Value<SendRate> = {
  ...suggest("300/h", "10/min"),
  read(text, refuse) {
    const [, rate = "", unit = ""] = /^(\d+(?:\.\d+)?)\/(s|min|m|h)$/.exec(text) ?? [];
    const [people, perMs] = [Number(rate), paceUnits[unit]];
    if (perMs === undefined) return refuse({ kind: "not_pace", text });
    if ((people * hourMs) / perMs < 1) refuse({ kind: "pace_too_low", text });
    return { text, people, perMs };
  },
};

/** Adds the flags of the message itself. */
function messageFlags<Args extends unknown[], Flags extends OptionValues>(
  command: Command<Args, Flags>,
  t: T,
) {
  return command
    .optionsGroup(t("Message:"))
    .addOption(
      flag(
        "--template <name>",
        t("exact name of an approved template; required without --template-id"),
        fromJournal("template"),
      ),
    )
    .addOption(flag("--template-id <id>", t("template id, instead of the name"), fromJournal("template_id")))
    .addOption(
      flag(
        "--language <code>",
        t("template language, for example es_AR, if the template has several"),
        language,
      ),
    )
    .addOption(
      flag(
        "--params <columns>",
        t("columns for the template variables, in order; '' if the template has none"),
        names(),
      ),
    )
    .addOption(flag("--header-url <url>", t("public https URL of the header image, video or PDF")))
    .addOption(flag("--header-field <name>", t("name of the request field for --header-url")))
    .addOption(
      flag(
        "--ref <ref>",
        t("your reference for this send (default: file name and hash)"),
        fromJournal("ref"),
      ),
    )
    .addOption(flag("--name <name>", t("display name of the campaign")));
}

/** Adds the flags that check before anything is sent, and those that pass a check. */
function guardFlags<Args extends unknown[], Flags extends OptionValues>(command: Command<Args, Flags>, t: T) {
  return command
    .optionsGroup(t("Checks and confirmation:"))
    .addOption(flag("--dry-run", t("show what would be sent, without sending anything")))
    .addOption(flag("-y, --yes", t("do not ask")))
    .addOption(flag("--test-to <phone>", t("send one test message to this phone, from the first row")))
    .addOption(
      flag(
        "--template-text <file>",
        t("file with the template text, with {{1}} for its variables, to preview the message"),
        file,
      ),
    )
    .addOption(
      flag("--expect <n>", t("send only if exactly this many recipients would be messaged"), whole(0)),
    )
    .addOption(
      flag(
        "--allow-repeat",
        t("also message recipients who received this template under another reference in the last 24 hours"),
      ),
    )
    .addOption(flag("--no-preflight", t("do not download and check the --header-url file")))
    .addOption(lockWaitFlag(t));
}

/** Adds the flags of when people are messaged, and how many of them first. */
function scheduleFlags<Args extends unknown[], Flags extends OptionValues>(
  command: Command<Args, Flags>,
  t: T,
) {
  const hours = hoursFlags(t);
  return command
    .optionsGroup(t("Schedule:"))
    .addOption(
      flag("--at <time>", t('start at this time: 15:00, 2h (from now), "2030-12-01 10:00" or an ISO time')),
    )
    .addOption(hours.between)
    .addOption(hours.days)
    .addOption(hours.timeZone)
    .addOption(
      flag("--not-after <time>", t("stop sending after this time: 15:00, 2h (from now) or an ISO time")),
    )
    .addOption(flag("--pace <rate>", t("limit the rate, in recipients: 300/h, 10/min or 2/s"), pace))
    .addOption(
      flag(
        "--canary <share>",
        t("message a random share or number of recipients first; the rest only if few of them fail"),
        shareOrCount,
      ),
    )
    .addOption(
      flag(
        "--canary-wait <duration>",
        t("how long to wait for the canary's status (default 10m)"),
        timeLimit,
      ),
    )
    .addOption(
      flag(
        "--max-failed <share>",
        t("share or number of canary recipients allowed to fail (default 10%)"),
        shareOrCount,
      ),
    );
}

/** Adds the flags of who is messaged, and of where the others are written. */
function recipientFlags<Args extends unknown[], Flags extends OptionValues>(
  command: Command<Args, Flags>,
  t: T,
) {
  return command
    .optionsGroup(t("Recipients:"))
    .addOption(
      flag(
        "--only-failed-of <ref>",
        t("only recipients that failed under this reference"),
        fromJournal("ref"),
      ),
    )
    .addOption(
      flag(
        "--exclude <file>",
        t("skip the recipients in this file (a table or a list of phones); can be repeated"),
        several(file),
      ),
    )
    .addOption(flag("--country <code>", t("country of phones without +, for example AR")))
    .addOption(flag("--fix-phones", t("apply the phone corrections that the warnings suggest")))
    .addOption(flag("--phone-column <column>", t("name of the phone column")))
    .optionsGroup(t("Output:"))
    .addOption(
      flag(
        "--errors <file>",
        t(
          "write the rows left out to this file (a workbook if it ends in .xlsx), to correct and send with the same --ref",
        ),
        file,
      ),
    )
    .addOption(onFailureFlag(t));
}

/** Adds the flags that say how the file is read, and in how many calls it is sent. */
function readingFlags<Args extends unknown[], Flags extends OptionValues>(
  command: Command<Args, Flags>,
  t: T,
) {
  return command
    .optionsGroup(t("File format:"))
    .addOption(
      flag(
        "--sheet <name>",
        t("sheet to read, in an .xlsx workbook with several, and in --exclude files with that sheet"),
        nonEmpty,
      ),
    )
    .addOption(flag("--header-row <n>", t("line number of the header, if bpos does not find it"), whole(1)))
    .addOption(
      flag(
        "--format <format>",
        t("csv, json or ndjson, if the file name has no known extension"),
        oneOf(...fileFormats),
      ),
    )
    .addOption(flag("--delimiter <character>", t("character between cells")))
    .addOption(
      flag(
        "--encoding <name>",
        t("text encoding, for example windows-1252"),
        suggest("utf-8", "utf-16le", "windows-1252"),
      ),
    )
    .optionsGroup(t("Requests:"))
    .addOption(flag("--track-all", t("send in calls of 100 recipients, so the status lists everyone")))
    .addOption(
      flag(
        "--in-flight <n>",
        t("calls in flight, 1 to 8 (default 1); canary calls go out one at a time"),
        whole(1, 8),
      ),
    );
}

export function declareSend(campaign: AnyCommand, { texts: { t } }: Runtime) {
  const facts = {
    exits: exits.send,
    common: [
      ...["--template", "--params", "--dry-run", "--yes", "--test-to"],
      ...["--exclude", "--at", "--between", "--canary", "--errors"],
    ],
    sends: true as const,
    variables: variables.campaigns,
    needs: "--template <name>",
  };
  const words = {
    description: t("Send an approved template to the recipients in a file"),
    examples: {
      "bpos campaign send customers.csv --template pedido_listo --dry-run": t(
        "preview who would get which message",
      ),
      "bpos campaign send customers.csv --template pedido_listo --yes --json": t("send from a script"),
      "bpos campaign send customers.csv --template pedido_listo --canary 5%": t(
        "message 5 % first, and the rest if few of them fail",
      ),
    },
  };

  const command = verb(campaign, "send", words, facts).addArgument(
    argument("<file>", t("CSV, Excel (.xlsx) or JSON file with a phone column; - is standard input"), file),
  );

  const worded = messageFlags(command, t);
  const guarded = guardFlags(worded, t);
  const timed = scheduleFlags(guarded, t);
  return readingFlags(recipientFlags(timed, t), t);
}

export type SendFlags = FlagsOf<typeof declareSend>;
