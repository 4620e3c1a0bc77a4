import { Command } from "commander";
import { declareCampaign } from "./campaigns/declare.ts";
import { declareCatalog } from "./catalog/declare.ts";
import { declareGlobalFlags } from "./cli/declare-global.ts";
import { declareHelp } from "./cli/declare-help.ts";
import { type HelpLook, helpPage, pathOf } from "./cli/help-page.ts";
import { describe } from "./cli/help-text.ts";
import type { Runtime } from "./cli/runtime.ts";
import { BposError, type ExitName, exitCodes } from "./errors.ts";
import { declareDoctor } from "./maintenance/declare.ts";
import { declareOpenapi } from "./maintenance/openapi/command.ts";
import { declareMock } from "./mock/command/declare.ts";
import { declareDemo } from "./mock/command/declare-demo.ts";
import { declareOrders } from "./orders/declare.ts";
import { declareProfile } from "./profiles/declare.ts";

/** Every text that commander wants to write, in order; main writes it, so that output drains. */
export interface ProgramText {
  out: string;
  err: string;
  /** The command that wrote to `err`. */
  failed?: Command;
}

/** Refuses a flag that was given to a command whose subcommand runs, and which that one does not take. */
function refuseUnread(command: Command, below: Command): void {
  const taken = new Set(below.options.map((option) => option.attributeName()));
  for (const option of command.options) {
    const name = option.attributeName();
    if (taken.has(name) || command.getOptionValueSource(name) !== "cli") continue;
    const flag = option.long ?? option.flags;
    const problem = { kind: "flag_unknown", flag, similar: null, command: pathOf(below) } as const;
    throw new BposError("usage_flag", { problem });
  }
}

/** Settles how a command and all below it fail and write: nothing exits, nothing writes past the System. */
function tame(
  command: Command,
  { texts }: Pick<Runtime, "texts">,
  { text, look }: { text: ProgramText; look: HelpLook },
): void {
  command
    .exitOverride()
    .configureHelp({
      helpWidth: look.columns,
      showGlobalOptions: true,
      formatHelp: (of, helper) => helpPage({ command: of, helper, texts, look }),
    })
    .configureOutput({
      getOutHasColors: () => true,
      getErrHasColors: () => false,
      writeOut: (part) => {
        text.out += part;
      },
      writeErr: (part) => {
        text.err += part;
        text.failed = command;
      },
    });
  // The flags of the root are everybody's.
  if (command.parent !== null) command.hook("preSubcommand", refuseUnread);
  for (const child of command.commands) tame(child, { texts }, { text, look });
}

/** The command tree. Parsing it runs the command; `text` receives help and usage errors. */
export function createProgram(
  runtime: Runtime,
  version: string,
  { text, look }: { text: ProgramText; look: HelpLook },
): Command {
  const { help, helpPage } = runtime.texts;
  const program = new Command("bpos");
  const words = { description: help.program, examples: help.programExamples };
  describe(program, words, { exits: Object.keys(exitCodes) as ExitName[], variables: [] });
  declareGlobalFlags(program, runtime.texts);
  program
    .version(version, "-V, --version", help.flags.version)
    .helpOption("-h, --help", help.flags.help)
    .commandsGroup(helpPage.groups.work);
  declareOrders(program, runtime);
  declareCatalog(program, runtime);
  declareCampaign(program, runtime);
  program.commandsGroup(helpPage.groups.setUp);
  declareProfile(program, runtime);
  declareDoctor(program, runtime);
  program.commandsGroup(helpPage.groups.rehearse);
  declareDemo(program, runtime);
  declareMock(program, runtime);
  program.commandsGroup(helpPage.groups.more);
  declareHelp(program, runtime);
  declareOpenapi(program, runtime);
  tame(program, runtime, { text, look });
  return program;
}
