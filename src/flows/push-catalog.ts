import { createHash } from "node:crypto";
import type { Client } from "../api/client.ts";
import type { CatalogAction, CatalogEvent, CatalogResult } from "../contract/catalog.ts";
import { BposError, isReason } from "../errors.ts";
import type { CatalogReading, CatalogRow } from "../input/catalog-items.ts";
import type { RowProblem } from "../input/problems.ts";
import { atomically, type Journal } from "../journal/open.ts";
import {
  beginPush,
  closePush,
  findOpenPush,
  forgetEvent,
  lastStamp,
  type PushEvent,
  type PushIdentity,
  recordEvent,
  recordEventAnswer,
} from "../journal/pushes.ts";
import { isoWithOffset } from "./instants.ts";

/** One product that was left out: by us (`file`) or by the service. */
export type RejectedProduct =
  | {
      source: "file";
      codigo: string | null;
      line: number | null;
      problem: RowProblem;
      cells: readonly string[];
    }
  | {
      source: "service";
      codigo: string | null;
      line: number | null;
      error: string;
      cells: readonly string[];
    };

/** How a push ended; see "JSON shapes" in the contract of the command line. */
type PushOutcome = "complete" | "partial" | "refused" | "stale" | "unknown" | "nothing";

/** What came of a push, in the words of the command line's JSON. */
export interface PushReport {
  push_id: string;
  action: CatalogAction;
  occurred_at: string;
  /** Rows read from the file. */
  read: number;
  /** Items that were sent (would be, in a dry run). */
  sent: number;
  batches: number;
  accepted: number;
  skipped_stale: number;
  duplicate_batches: number;
  unchanged: number;
  rejected: RejectedProduct[];
  rejected_file: string | null;
  outcome: PushOutcome;
  dry_run: boolean;
}

/** What to push, and how. */
export interface PushRequest {
  reading: CatalogReading;
  action: CatalogAction;
  /** Address and fingerprint of the key, see `branchId`. */
  branch: string;
  batchSize: number;
  storeId: string | number | undefined;
  dryRun: boolean;
}

/** What a push works with. */
export interface PushTools {
  client: Pick<Client, "pushCatalog">;
  journal: Journal;
  clock: { now(): number };
  uuid: () => string;
  signal: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

/** The report, and what stopped the push before its end, if anything did. */
export interface PushResult {
  report: PushReport;
  failure?: BposError;
  /** Batches whose accepted, rejected and stale do not add up to what was sent. */
  sumsDiffer: number;
}

function contentHash(request: PushRequest): string {
  const hash = createHash("sha256").update(
    `${request.action}\n${String(request.storeId ?? "")}\n${request.batchSize}\n`,
  );
  for (const { item } of request.reading.rows) hash.update(`${JSON.stringify(item)}\n`);
  return hash.digest("hex");
}

/** Same branch, action, instant and items: same id, so that sending again is safe and A, B, A is three events. */
function eventId(
  branch: string,
  action: CatalogAction,
  occurredAt: string,
  rows: readonly CatalogRow[],
): string {
  const hash = createHash("sha256").update(`${branch}\n${action}\n${occurredAt}\n`);
  for (const { item } of rows) hash.update(`${JSON.stringify(item)}\n`);
  return hash.digest("hex");
}

function newReport(request: PushRequest, pushId: string, occurredAt: string): PushReport {
  const { reading } = request;
  return {
    push_id: pushId,
    action: request.action,
    occurred_at: occurredAt,
    read: reading.read,
    sent: 0,
    batches: 0,
    accepted: 0,
    skipped_stale: 0,
    duplicate_batches: 0,
    unchanged: 0,
    rejected: reading.rejected.map((row) => ({ source: "file", ...row })),
    rejected_file: null,
    outcome: "nothing",
    dry_run: request.dryRun,
  };
}

function countSent(report: PushReport, products: number): void {
  report.batches += 1;
  report.sent += products;
}

/** Adds one answer to the report; true when its sums are those of the batch. */
function tally(report: PushReport, rows: readonly CatalogRow[], answer: CatalogResult): boolean {
  const byCode = new Map(rows.map((row) => [row.item.codigo, row]));
  const rejected = answer.rejected ?? [];
  countSent(report, rows.length);
  report.accepted += answer.accepted;
  report.skipped_stale += answer.skipped_stale ?? 0;
  if (answer.duplicate === true) report.duplicate_batches += 1;
  for (const { codigo, error } of rejected) {
    const row = codigo == null ? undefined : byCode.get(codigo);
    report.rejected.push({
      source: "service",
      codigo: codigo ?? null,
      line: row?.line ?? null,
      error: error ?? "",
      cells: row?.cells ?? [],
    });
  }
  return answer.accepted + rejected.length + (answer.skipped_stale ?? 0) === rows.length;
}

/** The next range of rows: its stamp is later than any that this branch ever used. */
function planEvent(
  tools: PushTools,
  request: PushRequest,
  pushId: string,
  next: { n: number; from: number; size: number },
): PushEvent {
  const rows = request.reading.rows.slice(next.from, next.from + next.size);
  return atomically(tools.journal, () => {
    const stamp = Math.max(tools.clock.now(), lastStamp(tools.journal, request.branch) + 1);
    const occurredAt = isoWithOffset(stamp);
    const event: PushEvent = {
      n: next.n,
      event_id: eventId(request.branch, request.action, occurredAt, rows),
      occurred_at: occurredAt,
      stamp,
      first_row: next.from,
      row_count: rows.length,
      answer: null,
    };
    recordEvent(tools.journal, pushId, request.branch, event);
    return event;
  });
}

function eventBody(request: PushRequest, event: PushEvent): CatalogEvent {
  const rows = request.reading.rows.slice(event.first_row, event.first_row + event.row_count);
  return {
    event_id: event.event_id,
    occurred_at: event.occurred_at,
    action: request.action,
    items: rows.map((row) => row.item),
    ...(request.storeId !== undefined && { store_id: request.storeId }),
  };
}

function outcomeOf(report: PushReport, failure: BposError | undefined): PushOutcome {
  if (failure?.reason === "outcome_unknown") return "unknown";
  if (report.batches === 0) return failure?.reason === "input_refused" ? "refused" : "nothing";
  if (failure) return "partial";
  return report.skipped_stale > 0 ? "stale" : "complete";
}

/** What pushing this would come to, without sending or writing anything down; `sent` and `batches` are what would go out. */
export function previewPush(request: PushRequest, tools: Pick<PushTools, "clock" | "uuid">): PushReport {
  const sent = request.reading.rows.length;
  const report = newReport(request, tools.uuid(), isoWithOffset(tools.clock.now()));
  return { ...report, sent, batches: Math.ceil(sent / request.batchSize) };
}

/**
 * Pushes a catalog in batches, strictly in order, each written down before it leaves (`spec.md` 4.2).
 * The same content pushed again after an unknown outcome takes up where it stopped, with the same stamps and ids.
 * Throws `access_denied`, `unavailable` and `interrupted` when nothing was sent.
 *
 * @example
 * const { report } = await pushCatalog(request, { client, journal, clock, uuid, signal });
 */
export async function pushCatalog(request: PushRequest, tools: PushTools): Promise<PushResult> {
  const now = tools.clock.now();
  if (request.reading.rows.length === 0) {
    return { report: newReport(request, tools.uuid(), isoWithOffset(now)), sumsDiffer: 0 };
  }
  const identity: PushIdentity = {
    branch: request.branch,
    action: request.action,
    contentHash: contentHash(request),
  };
  const begun = findOpenPush(tools.journal, identity);
  const pushId = begun?.push_id ?? tools.uuid();
  if (!begun) beginPush(tools.journal, pushId, identity, now);
  const result = await sendEvents(request, tools, pushId, begun?.events ?? []);
  if (!result.failure) closePush(tools.journal, pushId);
  return result;
}

/** Sends one event, or takes its answer from the journal. What is known not to have been applied is forgotten. */
async function settleEvent(
  request: PushRequest,
  tools: PushTools,
  pushId: string,
  { event, tried }: { event: PushEvent; tried: boolean },
): Promise<CatalogResult> {
  if (event.answer) return event.answer;
  try {
    const { body } = await tools.client.pushCatalog(eventBody(request, event), { signal: tools.signal });
    recordEventAnswer(tools.journal, pushId, event.n, body);
    return body;
  } catch (error) {
    const notApplied =
      isReason(error, "input_refused") || isReason(error, "access_denied") || isReason(error, "unavailable");
    if (!notApplied) throw error;
    // An earlier try of this event may have landed, and a refusal now proves nothing about it: only "too large" does.
    if (tried && error.facts.status !== 413)
      throw new BposError("outcome_unknown", error.facts, { cause: error });
    forgetEvent(tools.journal, pushId, event.n);
    throw error;
  }
}

async function sendEvents(
  request: PushRequest,
  tools: PushTools,
  pushId: string,
  recorded: readonly PushEvent[],
): Promise<PushResult> {
  const { rows } = request.reading;
  const report = newReport(request, pushId, recorded[0]?.occurred_at ?? "");
  const waiting = [...recorded];
  let size = request.batchSize;
  let cursor = 0;
  let n = 0;
  let sumsDiffer = 0;
  let failure: BposError | undefined;
  while (cursor < rows.length && !failure) {
    const earlier = waiting.shift();
    const event = earlier ?? planEvent(tools, request, pushId, { n, from: cursor, size });
    report.occurred_at ||= event.occurred_at;
    try {
      const answer = await settleEvent(request, tools, pushId, { event, tried: earlier !== undefined });
      const batch = rows.slice(event.first_row, event.first_row + event.row_count);
      if (!tally(report, batch, answer)) sumsDiffer += 1;
      cursor += event.row_count;
      n = event.n + 1;
      tools.onProgress?.(cursor, rows.length);
    } catch (error) {
      if (!(error instanceof BposError)) throw error;
      if (isReason(error, "input_refused") && error.facts.status === 413 && event.row_count > 1) {
        size = Math.ceil(event.row_count / 2);
        n = event.n;
      } else {
        failure = error;
        // It may have landed: it counts as sent, and nobody knows as what.
        if (isReason(error, "outcome_unknown")) countSent(report, event.row_count);
      }
    }
  }
  if (
    failure &&
    report.batches === 0 &&
    !isReason(failure, "outcome_unknown") &&
    !isReason(failure, "input_refused")
  )
    throw failure;
  report.outcome = outcomeOf(report, failure);
  return { report, sumsDiffer, ...(failure && { failure }) };
}
