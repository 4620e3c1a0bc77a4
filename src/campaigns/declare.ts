import type { Command } from "commander";
import { describe, exits, variables } from "../cli/help-text.ts";
import type { Runtime } from "../cli/runtime.ts";

const sends = { exits: exits.send, variables: variables.campaigns };

function declareSend(campaign: Command, runtime: Runtime): void {
  const words = runtime.texts.help.campaign.send;
  const { groups } = runtime.texts.helpPage;
  describe(campaign.command("send"), words, sends)
    .argument("<file>", words.file)
    .optionsGroup(groups.message)
    .option("--template <name>", words.template)
    .option("--template-id <id>", words.templateId)
    .option("--language <code>", words.language)
    .option("--params <columns>", words.params)
    .option("--header-url <url>", words.headerUrl)
    .option("--header-field <name>", words.headerField)
    .option("--ref <ref>", words.ref)
    .option("--name <name>", words.name)
    .optionsGroup(groups.safety)
    .option("--dry-run", words.dryRun)
    .option("-y, --yes", words.yes)
    .option("--test-to <phone>", words.testTo)
    .option("--expect <n>", words.expect)
    .option("--not-after <time>", words.notAfter)
    .option("--allow-repeat", words.allowRepeat)
    .option("--no-preflight", words.noPreflight)
    .optionsGroup(groups.people)
    .option("--exclude <file>", words.exclude, (file: string, files?: string[]) => [...(files ?? []), file])
    .option("--country <code>", words.country)
    .option("--fix-phones", words.fixPhones)
    .option("--phone-column <column>", words.phoneColumn)
    .optionsGroup(groups.output)
    .option("--errors <file>", words.errors)
    .optionsGroup(groups.reading)
    .option("--format <format>", words.format)
    .option("--delimiter <character>", words.delimiter)
    .option("--encoding <name>", words.encoding)
    .optionsGroup(groups.sending)
    .option("--track-all", words.trackAll)
    .action(async (file: string, _options, command: Command) => {
      const { send } = await import("./send/command.ts");
      await send(runtime, file, command.optsWithGlobals());
    });
}

function declareStatus(campaign: Command, runtime: Runtime): void {
  const words = runtime.texts.help.campaign.status;
  const { groups } = runtime.texts.helpPage;
  describe(campaign.command("status"), words, { exits: exits.follow, variables: variables.campaigns })
    .argument("[ids...]", words.ids)
    .optionsGroup(groups.which)
    .option("--ref <ref>", words.ref)
    .option("--only <statuses>", words.only)
    .optionsGroup(groups.when)
    .option("--watch", words.watch)
    .option("--wait <duration>", words.wait)
    .action(async (ids: string[], _options, command: Command) => {
      const { status } = await import("./status/command.ts");
      await status(runtime, ids, command.optsWithGlobals());
    });
}

function declareResume(campaign: Command, runtime: Runtime): void {
  const words = runtime.texts.help.campaign.resume;
  describe(campaign.command("resume"), words, sends)
    .argument("[send]", words.send)
    .optionsGroup(runtime.texts.helpPage.groups.safety)
    .option("--allow-repeat", words.allowRepeat)
    .action(async (name: string | undefined, _options, command: Command) => {
      const { resume } = await import("./resume/command.ts");
      await resume(runtime, name, command.optsWithGlobals());
    });
}

function declareList(campaign: Command, runtime: Runtime): void {
  const words = runtime.texts.help.campaign.list;
  describe(campaign.command("list"), words, { exits: exits.recall, variables: variables.campaigns })
    .optionsGroup(runtime.texts.helpPage.groups.which)
    .option("--limit <n>", words.limit)
    .action(async (_options, command: Command) => {
      const { list } = await import("./list/command.ts");
      await list(runtime, command.optsWithGlobals());
    });
}

function declareListen(campaign: Command, runtime: Runtime): void {
  const words = runtime.texts.help.campaign.listen;
  const { groups } = runtime.texts.helpPage;
  describe(campaign.command("listen"), words, { exits: exits.serve, variables: variables.listen })
    .optionsGroup(groups.where)
    .option("--exec <command>", words.exec)
    .option("--forward-to <url>", words.forwardTo)
    .optionsGroup(groups.listening)
    .option("--port <n>", words.port)
    .option("--host <address>", words.host)
    .option("--public-url <url>", words.publicUrl)
    .option("--secret-file <file>", words.secretFile)
    .action(async (_options, command: Command) => {
      const { listen } = await import("./listen/command.ts");
      await listen(runtime, command.optsWithGlobals());
    });
}

/** Declares `bpos campaign …`. */
export function declareCampaign(program: Command, runtime: Runtime): void {
  const campaign = describe(program.command("campaign"), runtime.texts.help.campaign);
  declareSend(campaign, runtime);
  declareStatus(campaign, runtime);
  declareResume(campaign, runtime);
  declareList(campaign, runtime);
  declareListen(campaign, runtime);
}
