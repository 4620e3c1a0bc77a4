import { stripVTControlCharacters } from "node:util";
import { exitCodes } from "../../errors.ts";
import { openNotices } from "../display/output.ts";
import type { Runtime } from "../runtime.ts";

const timeoutMs = 60_000;
/** In characters. A longer report is cut off, and of standard error the last is kept. */
const maxReport = 64 << 20;
const maxErrors = 64 << 10;

/** What was written to standard output; the pieces themselves are kept, so that nothing is in memory twice. */
function keepReport({ system, texts }: Runtime): string[] {
  const kept: string[] = [];
  let size = 0;
  system.tap("stdout", (text) => {
    if (size > maxReport) return;
    size += text.length;
    kept.push(size > maxReport ? `\n${texts.notices.reportCut(maxReport >> 20)}\n` : text);
  });
  return kept;
}

function keepErrors({ system }: Runtime): string[] {
  const kept: string[] = [];
  let size = 0;
  system.tap("stderr", (text) => {
    kept.push(text);
    size += text.length;
    // On a terminal what came before is a progress line or a screen, drawn again and again.
    while (kept.length > 1 && (size > maxErrors || system.stderr.isTerminal))
      size -= kept.shift()?.length ?? 0;
  });
  return kept;
}

function findName(exitCode: number): string {
  const known = Object.entries(exitCodes).find(([, code]) => code === exitCode);
  return known?.[0] ?? "";
}

/**
 * Begins to keep what the command writes, and returns what to do with its exit code: `--on-failure` runs its line, which gets the report on its
 * standard input, or what standard error holds where there is none. A command that runs on has no report: what it writes is its data.
 */
export function onFailure(
  runtime: Runtime,
  { line, command, isEndless }: { line: string; command: string; isEndless: boolean },
): (exitCode: number) => Promise<void> {
  const report = isEndless ? [] : keepReport(runtime);
  const errors = keepErrors(runtime);
  return async (exitCode) => {
    const { system, signal, texts, outcome = findName(exitCode) } = runtime;
    // Whoever stopped it knows.
    if (exitCode === exitCodes.ok || signal.aborted) return;
    const [stream, input] =
      report.length > 0 ? ([system.stdout, report] as const) : ([system.stderr, errors] as const);
    const env = { BPOS_EXIT_CODE: String(exitCode), BPOS_OUTCOME: outcome, BPOS_COMMAND: command };
    const plain = stream.isTerminal ? input.map(stripVTControlCharacters) : input;
    const ended = await system.run(line, { input: plain, env, keepsSecrets: true, timeoutMs, signal });
    if ((ended.code === 0 && !ended.timedOut) || ended.stopped) return;
    const end = {
      exitCode: ended.code,
      killedBy: ended.signal,
      timedOutMs: ended.timedOut ? timeoutMs : null,
    };
    const lastLine = ended.output.trim().split("\n").at(-1) ?? "";
    const said = texts.notices.onFailureFailed(end, lastLine);
    await openNotices(system, false).warning(said, { event: "on_failure.failed", exit_code: ended.code });
  };
}
