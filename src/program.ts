import { Command } from "commander";
import { declareCampaign } from "./commands/campaign.ts";
import { declareCatalog } from "./commands/catalog.ts";
import { declareDemo } from "./commands/demo.ts";
import { declareGlobalFlags } from "./commands/global-flags.ts";
import { addExamples } from "./commands/help-text.ts";
import { declareMock } from "./commands/mock.ts";
import { declareOpenapi } from "./commands/openapi.ts";
import { declareOrders } from "./commands/orders.ts";
import type { Runtime } from "./commands/runtime.ts";

/** Every text that commander wants to write, in order; main writes it, so that output drains. */
export interface ProgramText {
  out: string;
  err: string;
}

/** Settles how a command and all below it fail and write: nothing exits, nothing writes past the System. */
function tame(command: Command, text: ProgramText, columns: number): void {
  command
    .exitOverride()
    .helpOption("-h, --help")
    .configureHelp({ showGlobalOptions: command.commands.length === 0, helpWidth: columns })
    .configureOutput({
      writeOut: (part) => {
        text.out += part;
      },
      writeErr: (part) => {
        text.err += part;
      },
    });
  for (const child of command.commands) tame(child, text, columns);
}

/** The command tree. Parsing it runs the command; `text` receives help and usage errors. */
export function createProgram(runtime: Runtime, version: string, text: ProgramText): Command {
  const { help } = runtime.texts;
  const program = new Command("bpos")
    .description(help.program)
    .version(version, "-V, --version", help.flags.version);
  addExamples(program, help.programExamples, runtime.texts);
  program.addHelpText("after", `\n${help.headings.exitCodes} ${help.exitCodes}`);
  declareGlobalFlags(program, help.flags);
  declareOrders(program, runtime);
  declareCatalog(program, runtime);
  declareCampaign(program, runtime);
  declareMock(program, runtime);
  declareDemo(program, runtime);
  declareOpenapi(program, runtime);
  tame(program, text, Math.min(runtime.system.stdout.columns() ?? 80, 100));
  return program;
}
