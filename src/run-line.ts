import { arch } from "node:os";
import type { Help, HelpConfiguration } from "@commander-js/extra-typings";
import { CommanderError } from "commander";
import { logFormats } from "./cli/display/formats.ts";
import { withLog, withTimes } from "./cli/display/log.ts";
import { textStream, withSafePrompts } from "./cli/display/terminal.ts";
import { canRedraw } from "./cli/display/ui.ts";
import { handDown, lineError } from "./cli/line/command-line.ts";
import { checkFormat, notChoice } from "./cli/line/flags.ts";
import { readGlobalFlags } from "./cli/line/global-flags.ts";
import {
  type AnyCommand,
  commandPath,
  helpOptions,
  helpPage,
  isCalled,
  isEndlessWatch,
  readFacts,
  runsLong,
} from "./cli/line/help.ts";
import { asksJson, commandJson } from "./cli/line/help-json.ts";
import { asksShortHelp, shortHelpPage } from "./cli/line/short-help.ts";
import { chooseLanguage, type Runtime } from "./cli/runtime.ts";
import { BposError, exitCodes, isReason } from "./errors.ts";
import { startMock } from "./mock/mock.ts";
import { installedForm } from "./own-files.ts";
import { createProgram } from "./program.ts";
import type { System } from "./system.ts";
import { textsIn } from "./texts/texts.ts";
import { commit, version } from "./version.ts";

/** True if errors are printed as JSON: asked by flag or environment, even when the flags themselves are the error. */
export function wantsJsonErrors({ flags, system }: Pick<Runtime, "flags" | "system">): boolean {
  return (
    system.log !== undefined ||
    flags.json === true ||
    flags.jq !== undefined ||
    ["json", "ndjson"].includes(flags.output ?? system.env["BPOS_OUTPUT"] ?? "")
  );
}

/** True if standard error is JSON; read as typed, so that it holds for a wrong line too. */
const wantsLog = ({ logFormat }: Runtime["flags"], env: System["env"]): boolean =>
  (logFormat ?? env["BPOS_LOG_FORMAT"]) === "json";

export function openRuntime(
  argv: readonly string[],
  { system, signal, main }: Pick<Runtime, "signal" | "main" | "system">,
): Runtime {
  // At Tab, the flags are those of the line that is completed.
  const flags = readGlobalFlags(argv[0] === "__complete" ? argv.slice(argv.indexOf("--") + 1) : argv);
  const texts = textsIn(chooseLanguage(flags, system.env));
  const safe = withSafePrompts(system);
  return {
    system: wantsLog(flags, system.env) ? withLog({ ...safe, stderr: system.stderr }) : safe,
    plain: system,
    texts,
    outTexts: texts,
    signal,
    flags,
    exitCode: exitCodes.ok,
    main,
    startMock,
  };
}

function formatPage(command: AnyCommand, helper: Help, argv: readonly string[], runtime: Runtime): string {
  const { outTexts, flags } = runtime;
  if (asksJson(flags)) return `${JSON.stringify(commandJson(command), null, 2)}\n`;
  return asksShortHelp(argv)
    ? shortHelpPage(command, helper, outTexts.t)
    : helpPage(command, helper, outTexts.t);
}

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
    .configureHelp({ ...look, formatHelp: (of, helper) => formatPage(of, helper, argv, runtime) })
    .configureOutput({ getOutHasColors, getErrHasColors, writeOut: write, writeErr: write });
  if (command.parent !== null)
    command.hook("preSubcommand", (from, below) => {
      // Before the rest of the line is read, which may be what is wrong.
      runtime.sends = readFacts(below).sends === true && !argv.includes("--dry-run");
      handDown(from, below);
    });
  for (const child of command.commands) tame(child, how);
}

/** Prepares standard error for whoever reads it later: JSON in English, or lines of a long run that begin with the time. */
function prepareLog(runtime: Runtime, command: AnyCommand): void {
  const { system, flags } = runtime;
  const { env, stderr, clock } = system;
  const { BPOS_LOG_FORMAT: text = "" } = env;
  if (flags.logFormat === undefined && text !== "" && !logFormats.some((format) => format === text)) {
    const problem = notChoice(text, logFormats);
    throw new BposError("usage_flag", { problem: { kind: "value", flag: "BPOS_LOG_FORMAT", text, problem } });
  }

  if (system.log !== undefined) runtime.texts = textsIn("en");
  else if (!stderr.isTerminal && runsLong(command))
    runtime.system = { ...system, stderr: withTimes(stderr, clock) };
}

/** Checks what every command has in common, before anything is done. */
async function prepare(runtime: Runtime, command: AnyCommand): Promise<void> {
  prepareLog(runtime, command);
  const { clock, env } = runtime.system;
  const { jq, output, fields } = runtime.flags;
  if (!command.options.some(({ long }) => long === "--output")) checkFormat(output);
  // Afterwards nobody would see what came of the command.
  if (jq !== undefined) await (await import("./cli/display/jq.ts")).checkProgram(jq);
  if (fields !== undefined && readFacts(command).fields === undefined)
    throw new BposError("usage_flag", { problem: { kind: "fields_refused" } });
  // In such a zone no time has an ISO 8601 form, which would only be met in the middle of the work.
  const offsetMinutes = new Date(clock.now()).getTimezoneOffset();
  if (Math.abs(offsetMinutes) >= 24 * 60)
    throw new BposError("usage_flag", { problem: { kind: "time_zone", zone: env["TZ"] ?? "" } });

  const { onFailure: line } = command.opts() as { onFailure?: string };
  if (line === undefined) return;
  const { onFailure } = await import("./cli/line/on-failure.ts");
  onFailure(runtime, {
    line,
    command: commandPath(command).slice("bpos ".length),
    isEndless: isEndlessWatch(command),
  });
}

/** Returns the pager for a command's output; undefined where that is not long by nature, or must be seen as it comes. */
function choosePager({ system, flags }: Runtime, command: AnyCommand): string | undefined {
  const { env, stdout } = system;
  const { watch, wait } = command.opts();
  const isFollowed = watch === true || wait !== undefined;
  const isLines = (flags.output ?? (flags.jq === undefined ? env["BPOS_OUTPUT"] : "json")) === "ndjson";
  if (readFacts(command).isPaged !== true || isFollowed || isLines) return undefined;
  // With --no-input nobody is there to press a key.
  if (!canRedraw(stdout, system) || !system.stdin.isTerminal || flags.input === false) return undefined;
  const pager = (env["BPOS_PAGER"] ?? env["PAGER"] ?? "").trim();
  return pager === "" || pager === "cat" ? undefined : pager;
}

/** Keeps what the command prints until the returned function is called, which shows it: through the pager if it is long. */
function openPager(runtime: Runtime, command: AnyCommand): () => Promise<void> {
  const pager = choosePager(runtime, command);
  if (pager === undefined) return () => Promise.resolve();
  const { system } = runtime;
  const { stdout } = system;
  let text = "";
  const write = (part: string): Promise<void> => {
    text += part;
    return Promise.resolve();
  };
  runtime.system = { ...system, stdout: { ...stdout, write } };
  return async () => {
    runtime.system = system;
    // The last line is the shell's.
    const isLong = text.split("\n").length > (stdout.rows() ?? 24);
    if (text !== "" && !(isLong && (await system.page(pager, text)))) await stdout.write(text);
  };
}

/** Returns the command of a line, as far as it was read. */
function findCalled(command: AnyCommand): AnyCommand {
  const below = command.commands.find((each) => isCalled(each, command.args[0] ?? ""));
  return below === undefined ? command : findCalled(below);
}

/** Adds the command to an error about a flag's value, so that the message can name its help. */
function nameCommand(error: unknown, command: AnyCommand): void {
  const problem = isReason(error, "usage_flag") ? error.facts.problem : undefined;
  if (problem?.kind === "value" && problem.flag.startsWith("-")) problem.command = commandPath(command);
}

/** The line once the person was asked for the argument that is missing; undefined where nobody can be asked, and for any other error. */
async function askForMissing(
  error: unknown,
  argv: readonly string[],
  { runtime, program }: { runtime: Runtime; program: AnyCommand },
): Promise<string[] | undefined> {
  if (!isReason(error, "usage_flag") || error.facts.problem.kind !== "argument_missing") return undefined;
  const { mayAsk } = await import("./cli/display/output.ts");
  if (!mayAsk(runtime)) return undefined;
  const { completeLine } = await import("./cli/line/ask.ts");
  return completeLine(runtime, program, { argv, ...error.facts.problem });
}

const toVersionJson = ({ nodeVersion: node, platform: os }: System): string =>
  `${JSON.stringify({ version, commit, node, form: installedForm(), os, arch: arch() })}\n`;

export async function run(argv: readonly string[], runtime: Runtime): Promise<number> {
  if (argv.length === 0) {
    const { showStart } = await import("./cli/line/help-topics.ts");
    await showStart(runtime);
    return exitCodes.ok;
  }

  const { stdout, stderr } = runtime.system;
  const text: string[] = [];
  const isJson = asksJson(runtime.flags);
  const program = createProgram(runtime, version, argv[0]);
  tame(program, { runtime, argv, look: helpOptions(runtime), text });
  let showPaged = (): Promise<void> => Promise.resolve();
  program.hook("preAction", async (_, command) => {
    runtime.flags = program.opts();
    await prepare(runtime, command);
    showPaged = openPager(runtime, command);
  });

  try {
    await program.parseAsync([...argv], { from: "user" }).finally(() => showPaged());
    return runtime.exitCode || (runtime.jqFailed ? exitCodes.usage : exitCodes.ok);
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      nameCommand(error, findCalled(program));
      const line = await askForMissing(error, argv, { runtime, program });
      if (line === undefined) throw error;
      return run(line, runtime);
    }
    // Global flags alone, such as `bpos --lang es`, ask for nothing, and nothing is wrong.
    const isBare = error.code === "commander.help" && program.args.length === 0;
    if (error.exitCode !== 0 && !isBare) {
      await stderr.write(text.join(""));
      return exitCodes.usage;
    }
    if (isJson) {
      const { openOutput } = await import("./cli/display/output.ts");
      const shown = error.code === "commander.version" ? [toVersionJson(runtime.system)] : text;
      await openOutput(runtime, ["table", "json"]).data(shown.join(""));
    } else await textStream(stdout, runtime.system).write(text.join(""));
    return runtime.jqFailed ? exitCodes.usage : exitCodes.ok;
  }
}
