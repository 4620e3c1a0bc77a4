import { resolve } from "node:path";
import { startProgress } from "../../cli/display/progress.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { OpenJournal, Session } from "../../cli/session/session.ts";
import { BposError } from "../../errors.ts";
import { journalFailure } from "../../journal/engine/engine.ts";
import type { T } from "../../texts/texts.ts";
import { trackConfirmed } from "./confirmed-products.ts";
import type { PushReport } from "./report.ts";
import { keepReport } from "./report-json.ts";
import type { UnboundRequest } from "./request.ts";
import { sendBatches } from "./send-batches.ts";

/** A 403 may be about the store id as well as about the key, unless products were accepted with it. */
function withFacts(
  error: BposError,
  { storeId }: UnboundRequest,
  isNothingSent: boolean,
  accepted = 0,
): BposError {
  const { reason, facts } = error;
  if (!("endpoint" in facts)) return error;
  const isDoubtful = facts.status === 403 && accepted === 0 && storeId !== undefined;
  const told = {
    ...facts,
    ...(isDoubtful && { storeId }),
    ...(isNothingSent && { nothingSent: true as const }),
  };
  return new BposError(reason, told, { cause: error });
}

/** Says that the service lacks products that this journal knows; `gone` are codes that were confirmed. */
function knownWrongText(gone: readonly string[], unchanged: number, t: T): string {
  const codes = gone.slice(0, 3).join(", ");
  const wrong =
    gone.length === 0
      ? t("Warning: the service has later data than this journal has for some confirmed products.")
      : gone.length > 3
        ? t("Warning: the service no longer has {codes} and {more} more, confirmed before.", {
            codes,
            more: gone.length - 3,
          })
        : t("Warning: the service no longer has {codes}, confirmed before.", { codes });
  const mayDiffer = t(
    "{count, plural, one {The # row skipped as unchanged may differ too: push the file once without --changed-only.} other {The # rows skipped as unchanged may differ too: push the file once without --changed-only.}}",
    { count: unchanged },
  );
  return `${wrong} ${mayDiffer}`;
}

/** Sends the batches of one request, and keeps its report. `probes` sends the first batch alone, where the service's time is unknown. */
async function sendRequest(
  { system, signal, texts }: Runtime,
  { client, output, clockAheadMs, now }: Session,
  { journal, branch, probes }: Pick<OpenJournal, "journal" | "branch"> & { probes: boolean },
  request: UnboundRequest,
): Promise<PushReport> {
  const confirmed = (await journal.catalog.isKept(branch)) ? trackConfirmed(branch, request) : undefined;

  const { t } = texts;
  const doing = request.action === "upsert" ? t("Pushing products") : t("Deactivating products");
  const bar = startProgress(system, output, doing);
  const tools = {
    client,
    journal,
    clock: { now },
    uuid: system.uuid,
    signal,
    onProgress: bar.update,
    ...(confirmed && { confirmed }),
    ...(probes && { clockAheadMs }),
  };
  // The journal names the file as it can be pushed again from any folder.
  const file = request.file && (request.file === "-" ? "-" : resolve(system.cwd, request.file));
  const report = await sendBatches({ ...request, branch, file }, tools).finally(bar.clear);
  if (request.items.length === 0) report.lastPushAt = await journal.pushes.lastAnswered(branch);
  await keepReport(output, journal, report);

  const { gone: found, stale = false } = confirmed?.contradictions ?? {};
  const gone = [...(found ?? [])];
  // If every row was sent, no row was skipped because of what the journal knew.
  if (request.unchanged > 0 && (gone.length > 0 || stale))
    await output.warning(knownWrongText(gone, request.unchanged, t));
  return report;
}

/** Sends one request after another, until one is stopped. Throws what stopped the first one before anything was sent. */
export async function sendRequests(
  runtime: Runtime,
  session: Session,
  opened: Parameters<typeof sendRequest>[2],
  requests: readonly UnboundRequest[],
): Promise<{ reports: PushReport[]; stopped: BposError | undefined }> {
  const reports: PushReport[] = [];
  let leader: string | undefined;
  for (const request of requests) {
    const isFirst = reports.length === 0;
    try {
      const report = await sendRequest(runtime, session, opened, { partOf: leader, ...request });
      // The journal has no record of an empty push.
      if (request.items.length > 0) leader ??= report.push_id;
      reports.push(report);
      const { failure, batches, accepted } = report;
      if (failure === undefined) continue;
      return { reports, stopped: withFacts(failure, request, isFirst && batches === 0, accepted) };
    } catch (error) {
      const under = isFirst ? undefined : ({ work: "push" } as const);
      const known = error instanceof BposError ? error : journalFailure(error, under);
      const stopped = withFacts(known, request, isFirst);
      if (isFirst) throw stopped;
      // Earlier requests must still be reported.
      return { reports, stopped };
    }
  }
  return { reports, stopped: undefined };
}
