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
import type { Pace } from "./schedule.ts";

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

const pace: Value<Pace> = {
  ...suggest("300/h", "10/min"),
  read(text, refuse) {
    const [, rate = "", unit = ""] = /^(\d+(?:\.\d+)?)\/(s|min|m|h)$/.exec(text) ?? [];
    const [people, perMs] = [Number(rate), paceUnits[unit]];
    if (perMs === undefined) return refuse({ kind: "not_pace", text });
    if ((people * hourMs) / perMs < 1) refuse({ kind: "pace_too_low", text });
    return { text, people, perMs };
  },
};

export function declareSend(campaign: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.campaign.send;
  const { groups } = runtime.texts.helpPage;
  const hours = hoursFlags(runtime);
  const facts = {
    exits: exits.send,
    sends: true as const,
    variables: variables.campaigns,
    needs: "--template <name>",
  };
  return verb(campaign, "send", words, facts)
    .addArgument(argument("<file>", words.file, file))
    .optionsGroup(groups.message)
    .addOption(flag("--template <name>", words.template, fromJournal("template")))
    .addOption(flag("--template-id <id>", words.templateId, fromJournal("template_id")))
    .addOption(flag("--language <code>", words.language, language))
    .addOption(flag("--params <columns>", words.params, names()))
    .addOption(flag("--header-url <url>", words.headerUrl))
    .addOption(flag("--header-field <name>", words.headerField))
    .addOption(flag("--ref <ref>", words.ref, fromJournal("ref")))
    .addOption(flag("--name <name>", words.name))
    .optionsGroup(groups.safety)
    .addOption(flag("--dry-run", words.dryRun))
    .addOption(flag("-y, --yes", words.yes))
    .addOption(flag("--test-to <phone>", words.testTo))
    .addOption(flag("--template-text <file>", words.templateText, file))
    .addOption(flag("--expect <n>", words.expect, whole(0)))
    .addOption(flag("--allow-repeat", words.allowRepeat))
    .addOption(flag("--no-preflight", words.noPreflight))
    .addOption(lockWaitFlag(runtime.texts))
    .optionsGroup(groups.when)
    .addOption(flag("--at <time>", words.at))
    .addOption(hours.between)
    .addOption(hours.days)
    .addOption(hours.timeZone)
    .addOption(flag("--not-after <time>", words.notAfter))
    .addOption(flag("--pace <rate>", words.pace, pace))
    .addOption(flag("--canary <share>", words.canary, shareOrCount))
    .addOption(flag("--canary-wait <duration>", words.canaryWait, timeLimit))
    .addOption(flag("--max-failed <share>", words.maxFailed, shareOrCount))
    .optionsGroup(groups.people)
    .addOption(flag("--only-failed-of <ref>", words.onlyFailedOf, fromJournal("ref")))
    .addOption(flag("--exclude <file>", words.exclude, several(file)))
    .addOption(flag("--country <code>", words.country))
    .addOption(flag("--fix-phones", words.fixPhones))
    .addOption(flag("--phone-column <column>", words.phoneColumn))
    .optionsGroup(groups.output)
    .addOption(flag("--errors <file>", words.errors, file))
    .addOption(onFailureFlag(runtime.texts))
    .optionsGroup(groups.reading)
    .addOption(flag("--sheet <name>", words.sheet, nonEmpty))
    .addOption(flag("--header-row <n>", words.headerRow, whole(1)))
    .addOption(flag("--format <format>", words.format, oneOf(...fileFormats)))
    .addOption(flag("--delimiter <character>", words.delimiter))
    .addOption(flag("--encoding <name>", words.encoding, suggest("utf-8", "utf-16le", "windows-1252")))
    .optionsGroup(groups.sending)
    .addOption(flag("--track-all", words.trackAll))
    .addOption(flag("--in-flight <n>", words.inFlight, whole(1, 8)));
}

export type SendFlags = FlagsOf<typeof declareSend>;
