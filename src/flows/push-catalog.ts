import { createHash } from "node:crypto";
import type { Client } from "../api/client.ts";
import type { CatalogAction, CatalogEvent } from "../contract/catalog.ts";
import { BposError, isReason } from "../errors.ts";
import type { CatalogReading, CatalogRow } from "../input/catalog-items.ts";
import type { RowProblem } from "../input/problems.ts";
import { answerText } from "../journal/answer-text.ts";
import type { Journal } from "../journal/open.ts";
import {
  beginPush,
  closePush,
  eventsOf,
  halveEvents,
  nextEvent,
  type PlannedEvent,
  type PushEvent,
  recordAnswer,
  recordAttempt,
  recordNotApplied,
} from "../journal/pushes.ts";
import { type BatchAnswer, readBatchAnswer } from "./batch-answer.ts";
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
      /** In the service's words; null when it gave none. */
      error: string | null;
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
  /** Items that were sent, those of a batch without a clear answer included. */
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
  /** Where the answers of this run differ from the specification. */
  mismatches: readonly string[];
}

function contentHash(request: PushRequest): string {
  const { action, storeId, batchSize } = request;
  const hash = createHash("sha256").update(`${JSON.stringify([action, storeId ?? null, batchSize])}\n`);
  for (const { item } of request.reading.rows) hash.update(`${JSON.stringify(item)}\n`);
  return hash.digest("hex");
}

const rowsOf = (request: PushRequest, event: { first_row: number; row_count: number }): CatalogRow[] =>
  request.reading.rows.slice(event.first_row, event.first_row + event.row_count);

/** Same branch, action, instant and items: same id, so that sending again is safe and A, B, A is three events. */
function eventId(request: PushRequest, occurredAt: string, rows: readonly CatalogRow[]): string {
  const hash = createHash("sha256").update(`${request.branch}\n${request.action}\n${occurredAt}\n`);
  for (const { item } of rows) hash.update(`${JSON.stringify(item)}\n`);
  return hash.digest("hex");
}

function planEvent(
  request: PushRequest,
  { stamp, occurred_at }: Pick<PlannedEvent, "stamp" | "occurred_at">,
  range: { first_row: number; row_count: number },
): PlannedEvent {
  return { ...range, event_id: eventId(request, occurred_at, rowsOf(request, range)), occurred_at, stamp };
}

/** All batches of a push, each a millisecond later than the one before. */
function planEvents(request: PushRequest, firstStamp: number): PlannedEvent[] {
  const { reading, batchSize } = request;
  return Array.from({ length: Math.ceil(reading.rows.length / batchSize) }, (_, n) => {
    const first = n * batchSize;
    const count = Math.min(batchSize, reading.rows.length - first);
    const stamp = firstStamp + n;
    const at = { stamp, occurred_at: isoWithOffset(stamp) };
    return planEvent(request, at, { first_row: first, row_count: count });
  });
}

/** An event in two, at the same instant. */
function halvesOf(request: PushRequest, event: PushEvent): PlannedEvent[] {
  const { first_row: first, row_count: count } = event;
  const half = Math.ceil(count / 2);
  return [
    planEvent(request, event, { first_row: first, row_count: half }),
    planEvent(request, event, { first_row: first + half, row_count: count - half }),
  ];
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

/** Adds one answer to the report; true when its sums are those of the batch. */
function tally(report: PushReport, rows: readonly CatalogRow[], answer: BatchAnswer): boolean {
  const byCode = new Map(rows.map((row) => [row.item.codigo, row]));
  const { accepted, stale, duplicate, rejected } = answer;
  report.accepted += accepted;
  report.skipped_stale += stale;
  if (duplicate) report.duplicate_batches += 1;
  for (const { codigo, error } of rejected) {
    const row = codigo === null ? undefined : byCode.get(codigo);
    report.rejected.push({
      source: "service",
      codigo,
      line: row?.line ?? null,
      error,
      cells: row?.cells ?? [],
    });
  }
  return accepted + rejected.length + stale === rows.length;
}

function eventBody(request: PushRequest, event: PushEvent): CatalogEvent {
  return {
    event_id: event.event_id,
    occurred_at: event.occurred_at,
    action: request.action,
    items: rowsOf(request, event).map((row) => row.item),
    ...(request.storeId !== undefined && { store_id: request.storeId }),
  };
}

/** True for a 413, which proves that the batch was not applied, whatever happened to earlier tries of it. */
function isTooLarge(error: unknown): error is BposError<"input_refused" | "outcome_unknown"> {
  return (
    (isReason(error, "input_refused") || isReason(error, "outcome_unknown")) && error.facts.status === 413
  );
}

/** What a failed call says of an event whose outcome may be open from before: a refusal now proves nothing about that. */
function settleFailure(tools: PushTools, pushId: string, event: PushEvent, error: unknown): unknown {
  const options = { cause: error };
  if (isTooLarge(error)) {
    recordNotApplied(tools.journal, pushId, event);
    return new BposError("input_refused", error.facts, options);
  }
  if (
    !isReason(error, "input_refused") &&
    !isReason(error, "access_denied") &&
    !isReason(error, "unavailable")
  )
    return error;
  if (event.state === "attempted") return new BposError("outcome_unknown", error.facts, options);
  recordNotApplied(tools.journal, pushId, event);
  return error;
}

/** Sends one event, writing down what happens before and after; where its answer differs from the specification. */
async function sendEvent(
  request: PushRequest,
  tools: PushTools,
  pushId: string,
  event: PushEvent,
): Promise<readonly string[]> {
  if (tools.signal.aborted) throw new BposError("interrupted", { during: "work" });
  recordAttempt(tools.journal, pushId, event);
  const options = { signal: tools.signal };
  const { body, mismatches } = await tools.client
    .pushCatalog(eventBody(request, event), options)
    .catch((error: unknown) => {
      throw settleFailure(tools, pushId, event, error);
    });
  recordAnswer(tools.journal, pushId, event, answerText(body));
  return mismatches;
}

/** Sends, in order, what the service has not answered yet, until something stops it. */
async function sendEvents(
  request: PushRequest,
  tools: PushTools,
  pushId: string,
): Promise<Pick<PushResult, "failure" | "mismatches">> {
  const { journal } = tools;
  const mismatches: string[] = [];
  let event = nextEvent(journal, pushId, 0);
  while (event !== undefined) {
    const { first_row: first, row_count: count } = event;
    try {
      mismatches.push(...(await sendEvent(request, tools, pushId, event)));
      tools.onProgress?.(first + count, request.reading.rows.length);
    } catch (error) {
      if (!(error instanceof BposError)) throw error;
      if (!isTooLarge(error) || count === 1) return { failure: error as BposError, mismatches };
      halveEvents(journal, pushId, event, (each) => halvesOf(request, each));
    }
    event = nextEvent(journal, pushId, first);
  }
  return { mismatches };
}

function outcomeOf(
  report: PushReport,
  failure: BposError | undefined,
  events: readonly PushEvent[],
): PushOutcome {
  if (events.some(({ state }) => state === "attempted")) return "unknown";
  if (report.batches === 0) return failure?.reason === "input_refused" ? "refused" : "nothing";
  if (failure) return "partial";
  return report.skipped_stale > 0 ? "stale" : "complete";
}

/** What the journal holds of a push, as a report. */
function reportOf(
  request: PushRequest,
  pushId: string,
  events: readonly PushEvent[],
  failure: BposError | undefined,
): Pick<PushResult, "report" | "sumsDiffer"> {
  const report = newReport(request, pushId, events[0]?.occurred_at ?? "");
  let sumsDiffer = 0;
  for (const event of events) {
    if (event.state === "planned") continue;
    // One without an answer may have landed: it counts as sent, and nobody knows as what.
    report.batches += 1;
    report.sent += event.row_count;
    if (event.answer === null) continue;
    if (!tally(report, rowsOf(request, event), readBatchAnswer(event.answer))) sumsDiffer += 1;
  }
  report.outcome = outcomeOf(report, failure, events);
  return { report, sumsDiffer };
}

/** The report of a push that is not made: nothing is sent or written down. */
export function previewPush(request: PushRequest, tools: Pick<PushTools, "clock" | "uuid">): PushReport {
  return newReport(request, tools.uuid(), isoWithOffset(tools.clock.now()));
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
  const { journal } = tools;
  if (request.reading.rows.length === 0) {
    return { report: previewPush(request, tools), sumsDiffer: 0, mismatches: [] };
  }
  const { branch, action } = request;
  const push = { push_id: tools.uuid(), branch, action, contentHash: contentHash(request) };
  const pushId = beginPush(journal, { ...push, at: tools.clock.now() }, (stamp) =>
    planEvents(request, stamp),
  );
  const { failure, mismatches } = await sendEvents(request, tools, pushId);
  if (!failure) closePush(journal, pushId);
  const { report, sumsDiffer } = reportOf(request, pushId, eventsOf(journal, pushId), failure);
  if (failure && report.outcome === "nothing") throw failure;
  return { report, sumsDiffer, mismatches, ...(failure && { failure }) };
}
