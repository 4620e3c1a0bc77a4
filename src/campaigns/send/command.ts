import {
  amount,
  argument,
  type FlagsOf,
  file,
  fileFormats,
  flag,
  fromJournal,
  lockWaitFlag,
  matching,
  names,
  nonEmpty,
  oneOf,
  onFailureFlag,
  several,
  suggest,
  whole,
} from "../../cli/line/flags.ts";
import { type AnyCommand, exits, variables, verb } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { templateLanguage } from "../../contract/limits.ts";

const language = matching(templateLanguage, { kind: "not_language" }, { of: "journal", what: "language" });

export function declareSend(campaign: AnyCommand, runtime: Runtime) {
  const words = runtime.texts.help.campaign.send;
  const { groups } = runtime.texts.helpPage;
  const facts = { exits: exits.send, variables: variables.campaigns, needs: "--template <name>" };
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
    .addOption(flag("--max-cost <amount>", words.maxCost, amount))
    .addOption(flag("--not-after <time>", words.notAfter))
    .addOption(flag("--allow-repeat", words.allowRepeat))
    .addOption(flag("--no-preflight", words.noPreflight))
    .addOption(lockWaitFlag(runtime.texts))
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
    .addOption(flag("--track-all", words.trackAll));
}

export type SendFlags = FlagsOf<typeof declareSend>;
