import { stripVTControlCharacters } from "node:util";
import { programName, withoutLine } from "../../errors/shell-line.ts";
import { execEndWords } from "../../errors/words/details.ts";
import { exitCodes } from "../../errors.ts";
import type { CommandRun } from "../../system.ts";
import type { T } from "../../texts/texts.ts";
import { openNotices } from "../display/output.ts";
import type { BranchEvent, Runtime } from "../runtime.ts";

const timeoutMs = 60_000;
/** In characters. A longer report is cut off, and of standard error the last is kept. */
const maxReport = 64 << 20;
const maxErrors = 64 << 10;

const cutText = (t: T): string =>
  t("The report is cut off here, after {megabytes} MiB.", { megabytes: maxReport >> 20 });

/** Keeps what is written to standard output, piece by piece, so that nothing is in memory twice. */
function keepReport({ system, texts }: Runtime): string[] {
  const kept: string[] = [];
  let size = 0;
  system.tap("stdout", (text) => {
    if (size > maxReport) return;
    size += text.length;
    kept.push(size > maxReport ? `\n${cutText(texts.t)}\n` : text);
  });
  return kept;
}

function keepErrors({ system }: Runtime): string[] {
  const kept: string[] = [];
  let size = 0;
  system.tap("stderr", (text) => {
    kept.push(text);
    size += text.length;
    // On a terminal, earlier output is a redrawn progress line or screen.
    while (kept.length > 1 && (size > maxErrors || system.stderr.isTerminal))
      size -= kept.shift()?.length ?? 0;
  });
  return kept;
}

function findName(exitCode: number): string {
  const known = Object.entries(exitCodes).find(([, code]) => code === exitCode);
  return known?.[0] ?? "";
}

/** The standard input and the environment of the command. */
type Given = Pick<CommandRun, "input" | "env">;

const toEnvironment = ({ event, branch }: BranchEvent) => ({ BPOS_EVENT: event, BPOS_BRANCH: branch });

/** Says how the command of --on-failure failed, with the last line that it wrote. */
const failedText = (program: string, end: string, lastLine: string, t: T): string =>
  lastLine === ""
    ? t("Warning: the --on-failure command `{program}` {end}.", { program, end })
    : t("Warning: the --on-failure command `{program}` {end}: {lastLine}", { program, end, lastLine });

/** Runs the line, and says where that fails. */
async function runLine(runtime: Runtime, line: string, given: Given): Promise<void> {
  const { system, signal, texts } = runtime;
  const ended = await system.run(line, { ...given, keepsSecrets: true, timeoutMs, signal });
  if ((ended.code === 0 && !ended.timedOut) || ended.stopped) return;
  const end = {
    exitCode: ended.code,
    killedBy: ended.signal,
    timedOutMs: ended.timedOut ? timeoutMs : null,
  };
  const lastLine = withoutLine(line, ended.output).trim().split("\n").at(-1) ?? "";
  const said = failedText(programName(line), execEndWords(end, texts.t), lastLine, texts.t);
  await openNotices(runtime, false).warning(said, { event: "on_failure.failed", exit_code: ended.code });
}

/** Runs one event at a time, because hundreds of branches can have an outage together. An outage that ended before its turn is left out. */
class EventQueue {
  readonly #run: (event: BranchEvent) => Promise<void>;
  #waiting: BranchEvent[] = [];
  #running: Promise<void> | undefined;

  constructor(run: (event: BranchEvent) => Promise<void>) {
    this.#run = run;
  }

  add(next: BranchEvent): void {
    const { length } = this.#waiting;
    if (next.event === "recovered")
      this.#waiting = this.#waiting.filter(
        ({ event, branch }) => event !== "outage" || branch !== next.branch,
      );
    if (this.#waiting.length === length) this.#waiting.push(next);
    this.#running ??= this.#runAll();
  }

  /** Resolves when all have run. */
  async done(): Promise<void> {
    await this.#running;
  }

  async #runAll(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
      await this.#run(next);
    this.#running = undefined;
  }
}

/**
 * Begins to keep what the command writes, and sets what `--on-failure` runs its line for: at the end, which gets the report on its
 * standard input, or what standard error holds where there is none. A command that runs on has no report: what it writes is its data. It also runs
 * for what happens to its branches meanwhile.
 */
export function onFailure(
  runtime: Runtime,
  { line, command, isEndless }: { line: string; command: string; isEndless: boolean },
): void {
  const { system, signal } = runtime;
  const report = isEndless ? [] : keepReport(runtime);
  const errors = keepErrors(runtime);
  const take = (from: "stdout" | "stderr"): string[] => {
    const kept = from === "stdout" ? report : errors;
    return system[from].isTerminal ? kept.map(stripVTControlCharacters) : [...kept];
  };
  const events = new EventQueue(async (event) => {
    if (signal.aborted) return;
    const env = { BPOS_COMMAND: command, ...toEnvironment(event) };
    await runLine(runtime, line, { input: take("stderr"), env });
  });
  if (isEndless) runtime.onEvent = (event) => events.add(event);

  runtime.onFailure = async (exitCode) => {
    const { ending, outcome = findName(exitCode) } = runtime;
    await events.done();
    // The person who stopped it knows.
    if (exitCode === exitCodes.ok || signal.aborted) return;
    const input = take(report.length > 0 ? "stdout" : "stderr");
    const env = {
      BPOS_EXIT_CODE: String(exitCode),
      BPOS_OUTCOME: outcome,
      BPOS_COMMAND: command,
      ...(ending !== undefined && toEnvironment(ending)),
    };
    await runLine(runtime, line, { input, env });
  };
}
