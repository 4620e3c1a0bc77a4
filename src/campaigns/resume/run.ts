import type { Runtime } from "../../cli/runtime.ts";
import { type Session, withSession } from "../../cli/session.ts";
import { exitCodes } from "../../errors.ts";
import { type SendResult, sendExitCode, sendFailure, sendReportJson } from "../send/report.ts";
import { startSending, warnOfDoubts, writeSendReport } from "../send/run.ts";

/** Writes the reports: as `campaign send` does when there is one. */
async function writeResults(
  { output, branchName: branch }: Pick<Session, "output" | "branchName">,
  results: readonly SendResult[],
  isNamed: boolean,
): Promise<void> {
  const [only, ...more] = results;
  if (output.format === "json" && (only === undefined || more.length > 0)) {
    await output.document({ sends: results.map(({ report }) => sendReportJson(report)) });
    return;
  }
  if (only === undefined && output.format === "table" && !isNamed)
    await output.notice(output.texts.notices.nothingOpen);
  for (const result of results) await writeSendReport(output, result, { file: null, branch });
}

/** Runs `bpos campaign resume`. */
export async function resume(
  runtime: Runtime,
  name: string | undefined,
  allowRepeat: boolean,
): Promise<void> {
  const needs = { address: "campaigns_base_url", formats: ["table", "json", "ndjson"] } as const;
  await withSession(runtime, needs, async (session) => {
    const { client, output, openJournal, clockAheadMs } = session;
    const { resumeSends } = await import("./resume.ts");
    const { journal, branch, branchNow, lock } = await openJournal({ asks: true });
    await lock("send");
    const { system, signal } = runtime;
    const bar = startSending(system, output);
    const tools = { client, journal, clock: system.clock, signal, clockAheadMs, onProgress: bar.update };
    const results = await resumeSends(name, branch, { ...tools, allowRepeat }).finally(bar.clear);
    // A mock has told so only with its answers.
    if (branchNow() !== branch)
      for (const { report } of results) await journal.sends.move(report.send_id, branchNow());
    // An outcome that nobody knows comes first: `resume` is what settles it.
    const codes = results.map(sendExitCode);
    const worst = codes.includes(exitCodes.unknown) ? exitCodes.unknown : codes.find((code) => code !== 0);
    runtime.exitCode = worst ?? exitCodes.ok;
    await writeResults(session, results, name !== undefined);
    for (const { mismatches, report } of results) {
      await output.mismatches(mismatches);
      await warnOfDoubts(output, report);
    }
    const worstResult = results[codes.indexOf(runtime.exitCode)];
    const failure = worstResult && sendFailure(worstResult);
    if (failure) throw failure;
  });
}
