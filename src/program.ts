import type { Help, HelpConfiguration } from "@commander-js/extra-typings";
import { CommanderError } from "commander";
import { declareFind } from "./campaigns/find/command.ts";
import { declareList as declareCampaignList } from "./campaigns/list/command.ts";
import { declareListen } from "./campaigns/listen/command.ts";
import { declareResume } from "./campaigns/resume/command.ts";
import { declareSend } from "./campaigns/send/command.ts";
import { declareStatus } from "./campaigns/status/command.ts";
import { declareCheck } from "./catalog/check/command.ts";
import { declareDelete } from "./catalog/delete/command.ts";
import { declareHistory } from "./catalog/history/command.ts";
import { declarePush } from "./catalog/push/command.ts";
import { openPager } from "./cli/display/pager.ts";
import { textStream, withSafePrompts } from "./cli/display/terminal.ts";
import { declareHelp, handDown, lineError, newProgram, readGlobalFlags } from "./cli/line/command-line.ts";
import { checkFormat } from "./cli/line/flags.ts";
import {
  type AnyCommand,
  commandPath,
  helpLook,
  helpPage,
  readFacts,
  setFacts,
  verb,
} from "./cli/line/help.ts";
import { asksJson, commandJson } from "./cli/line/help-json.ts";
import { chooseLanguage, loadTexts, type Runtime } from "./cli/runtime.ts";
import { BposError, type ExitName, exitCodes, isReason } from "./errors.ts";
import { declareDoctor } from "./maintenance/doctor/command.ts";
import {
  declareJournalAccept,
  declareJournalCopy,
  declareJournalPrune,
  declareJournalStatus,
} from "./maintenance/journal/command.ts";
import { declareOpenapi } from "./maintenance/openapi/command.ts";
import { declarePrinterTest } from "./maintenance/printer/command.ts";
import { declareDemo, declareMock, declareMockTalk, declareMockWorld } from "./mock/command/command.ts";
import { declareForget } from "./orders/forget/command.ts";
import { declareList } from "./orders/list/command.ts";
import { declareShow } from "./orders/show/command.ts";
import { declareWatch } from "./orders/watch/command.ts";
import { declareAdd, declareInit, declareProfileFile } from "./profiles/profile/command.ts";

type Declare = (parent: AnyCommand, runtime: Runtime) => unknown;

const groups = {
  orders: [declareList, declareShow, declareWatch, declareForget],
  catalog: [declareCheck, declarePush, declareDelete, declareHistory],
  campaign: [declareSend, declareStatus, declareFind, declareResume, declareCampaignList, declareListen],
  profile: [declareAdd, declareProfileFile],
  printer: [declarePrinterTest],
  journal: [declareJournalStatus, declareJournalCopy, declareJournalPrune, declareJournalAccept],
} satisfies Record<string, Declare[]>;

/** All commands. Of a line that begins with the name of a group, `first`, the commands of that group alone: to declare all takes as long as a small answer. */
export function createProgram(runtime: Runtime, version: string, first = "") {
  const { help, helpPage } = runtime.texts;
  const program = newProgram(runtime.texts)
    .description(help.program)
    .version(version, "-V, --version", help.flags.version)
    .helpOption("-h, --help", help.flags.help);
  const exits = Object.keys(exitCodes) as ExitName[];
  setFacts(program, { examples: Object.entries(help.programExamples), exits, variables: [] });
  const declare = (parent: AnyCommand, ...all: Declare[]): void => {
    for (const each of all) each(parent, runtime);
  };
  const declareGroups = (...names: (keyof typeof groups)[]): void => {
    for (const name of names) {
      const group = verb(program, name, help[name]);
      if (first === name || !Object.hasOwn(groups, first)) declare(group, ...groups[name]);
    }
  };
  program.commandsGroup(helpPage.groups.work);
  declareGroups("orders", "catalog", "campaign");
  program.commandsGroup(helpPage.groups.setUp);
  declare(program, declareInit);
  declareGroups("profile", "printer");
  declare(program, declareDoctor);
  declareGroups("journal");
  program.commandsGroup(helpPage.groups.rehearse);
  declare(program, declareDemo);
  declare(declareMock(program, runtime), declareMockTalk, declareMockWorld);
  program.commandsGroup(helpPage.groups.more);
  declare(program, declareHelp, declareOpenapi);
  return program;
}

/** Whether errors go out as JSON: asked by flag or environment, even when the flags themselves are the error. */
export function wantsJsonErrors({ flags, system }: Pick<Runtime, "flags" | "system">): boolean {
  return (
    flags.json === true ||
    flags.jq !== undefined ||
    ["json", "ndjson"].includes(flags.output ?? system.env["BPOS_OUTPUT"] ?? "")
  );
}

export async function openRuntime(
  argv: readonly string[],
  { system, signal, main }: Pick<Runtime, "signal" | "main" | "system">,
): Promise<Runtime> {
  // Of a line that is completed, what stands in it.
  const flags = readGlobalFlags(argv[0] === "__complete" ? argv.slice(argv.indexOf("--") + 1) : argv);
  const texts = await loadTexts(chooseLanguage(flags, system.env));
  return { system: withSafePrompts(system), texts, signal, flags, exitCode: exitCodes.ok, main };
}

const formatPage = (command: AnyCommand, helper: Help, { texts, flags }: Runtime): string =>
  asksJson(flags) ? `${JSON.stringify(commandJson(command), null, 2)}\n` : helpPage(command, helper, texts);

function tame(
  command: AnyCommand,
  how: { runtime: Runtime; argv: readonly string[]; look: HelpConfiguration; text: string[] },
): void {
  const { runtime, argv, look, text } = how;
  const write = (part: string): unknown => text.push(part);
  const [getOutHasColors, getErrHasColors] = [() => true, () => false];
  command
    .exitOverride((error) => {
      const { code, exitCode } = error;
      // A group without a subcommand (`bpos orders`) answers with its help; everything else is a wrong line.
      const isHelp = exitCode === 0 || (code === "commander.help" && !wantsJsonErrors(runtime));
      throw isHelp ? error : lineError(code, command, argv);
    })
    .configureHelp({ ...look, formatHelp: (of, helper) => formatPage(of, helper, runtime) })
    .configureOutput({ getOutHasColors, getErrHasColors, writeOut: write, writeErr: write });
  if (command.parent !== null) command.hook("preSubcommand", handDown);
  for (const child of command.commands) tame(child, how);
}

export async function run(argv: readonly string[], runtime: Runtime, version: string): Promise<number> {
  if (argv.length === 0) {
    const { showStart } = await import("./cli/line/help-topics.ts");
    await showStart(runtime);
    return exitCodes.ok;
  }
  const { stdout, stderr, clock, env } = runtime.system;
  const text: string[] = [];
  const isJson = asksJson(runtime.flags);
  const program = createProgram(runtime, isJson ? JSON.stringify({ version }) : version, argv[0]);
  tame(program, { runtime, argv, look: helpLook(runtime), text });
  program.hook("preAction", async (_, command) => {
    runtime.flags = program.opts();
    const { jq, output } = runtime.flags;
    if (!command.options.some(({ long }) => long === "--output")) checkFormat(output);
    // Before anything is done: afterwards nobody would see what came of it.
    if (jq !== undefined) await (await import("./cli/display/jq.ts")).checkProgram(jq);
    if (runtime.flags.fields !== undefined && readFacts(command).takesFields !== true)
      throw new BposError("usage_flag", { problem: { kind: "fields_refused" } });
    // In such a zone no time has an ISO 8601 form, which would only be met in the middle of the work.
    if (Math.abs(new Date(clock.now()).getTimezoneOffset()) >= 24 * 60)
      throw new BposError("usage_flag", { problem: { kind: "time_zone", zone: env["TZ"] ?? "" } });
    const { onFailure: line, once } = command.opts() as { onFailure?: string; once?: boolean };
    if (line === undefined) return;
    const { onFailure } = await import("./cli/line/on-failure.ts");
    const isEndless = command.name() === "watch" && once !== true;
    runtime.onFailure = onFailure(runtime, {
      line,
      command: commandPath(command).slice("bpos ".length),
      isEndless,
    });
  });
  let showPaged = (): Promise<void> => Promise.resolve();
  program.hook("preAction", (_, command) => {
    showPaged = openPager(runtime, command);
  });
  try {
    await program.parseAsync([...argv], { from: "user" }).finally(() => showPaged());
    return runtime.exitCode || (runtime.jqFailed ? exitCodes.usage : exitCodes.ok);
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      if (!isReason(error, "usage_flag") || error.facts.problem.kind !== "argument_missing") throw error;
      const { mayAsk } = await import("./cli/display/output.ts");
      if (!mayAsk(runtime)) throw error;
      const { completeLine: completedLine } = await import("./cli/line/ask.ts");
      return run(await completedLine(runtime, program, { argv, ...error.facts.problem }), runtime, version);
    }
    if (error.exitCode !== 0) {
      await stderr.write(text.join(""));
      return exitCodes.usage;
    }
    if (isJson) {
      const { openOutput } = await import("./cli/display/output.ts");
      await openOutput(runtime, ["table", "json"]).data(text.join(""));
    } else await textStream(stdout, runtime.system).write(text.join(""));
    return runtime.jqFailed ? exitCodes.usage : exitCodes.ok;
  }
}
