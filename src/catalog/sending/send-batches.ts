import { tooFarAheadMs } from "../../api/ask.ts";
import { type CatalogBody, type Client, catalogBody } from "../../api/client.ts";
import { answerText } from "../../api/json.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { BposError } from "../../errors.ts";
import { journalFailure } from "../../journal/engine/engine.ts";
import type { Journal } from "../../journal/journal.ts";
import type { PlannedEvent, PushEvent } from "../../journal/records/pushes.ts";
import { readBatchAnswer } from "./answers.ts";
import { BatchRecords, isTooLarge } from "./batch-records.ts";
import { halve, planBatches, planEvents } from "./batches.ts";
import type { ConfirmedTracker } from "./confirmed-products.ts";
import { newReport, type PushReport, toReport } from "./report.ts";
import type { PushRequest } from "./request.ts";

export interface PushTools {
  client: Pick<Client, "pushCatalog">;
  journal: Journal;
  /** The clock that stamps a push. */
  clock: { now(): number };
  uuid: () => string;
  signal: AbortSignal;
  onProgress?: (done: number, total: number) => void;
  /** Absent where the journal keeps no products of this branch. */
  confirmed?: ConfirmedTracker;
  /** Set if it is unknown whether this machine's clock is ahead: returns the milliseconds by the service's latest answer. */
  clockAheadMs?: () => number | undefined;
}

function eventBody({ storeId, action, items }: PushRequest, event: PlannedEvent): CatalogBody {
  const { event_id, occurred_at, first_row, row_count } = event;
  const store = storeId === undefined ? {} : { store_id: storeId };
  return catalogBody({ event_id, occurred_at, action, ...store }, items.json(first_row, row_count));
}

/** A batch is planned, intended (in the journal), in flight, and answered or taken back: some intents are written ahead of what is in flight. */
class BatchSender {
  readonly mismatches: string[] = [];
  failure: BposError | undefined;
  unknownDuplicates = 0;
  events: PushEvent[] = [];
  readonly #request: PushRequest;
  readonly #tools: PushTools;
  readonly #records: BatchRecords;
  readonly #inFlight = new Set<string>();
  #prepared: { event: PushEvent; body: CatalogBody } | undefined;
  #queue: PushEvent[] = [];
  #done = 0;
  /** Resolves once all that must be recorded before another batch is sent is recorded. */
  #settling: Promise<unknown> = Promise.resolve();

  constructor(request: PushRequest, tools: PushTools, records: BatchRecords) {
    this.#request = request;
    this.#tools = tools;
    this.#records = records;
  }

  async #refill(): Promise<void> {
    const events = await this.#records.read();
    const inFlight = new Map(
      this.events.filter((e) => this.#inFlight.has(e.event_id)).map((e) => [e.event_id, e]),
    );
    this.events = events.map((event) => inFlight.get(event.event_id) ?? event);
    this.#queue = this.events.filter(
      ({ state, event_id }) => state !== "answered" && !inFlight.has(event_id),
    );
  }

  async run(): Promise<void> {
    await this.#refill();
    this.#done = this.#request.items.length - this.#queue.reduce((rows, event) => rows + event.row_count, 0);
    const probed = await Promise.allSettled([this.#probe()]);
    const workers = Array.from({ length: this.#request.inFlight }, () => this.#work());
    const ends = [...probed, ...(await Promise.allSettled(workers))];
    await this.#record(() => this.#takeBack());
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }

  /** Does some work in the journal. Its failure ends the push, and must not hide what was sent before. */
  async #record(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const hasLeft = this.events.some(({ state }) => state !== "planned");
      this.failure = journalFailure(error, hasLeft ? { work: "push" } : undefined);
    }
  }

  /** Sends one batch alone where the service's time is unknown, and no more if its answer shows this clock far ahead. */
  async #probe(): Promise<void> {
    const { clockAheadMs } = this.#tools;
    const event = clockAheadMs && (await this.#next());
    if (event === undefined) return;
    await this.#sendOne(event);
    const aheadMs = clockAheadMs?.() ?? 0;
    if (aheadMs < tooFarAheadMs) return;
    const stamped = event.state === "answered" && { stamped: event.occurred_at };
    this.failure ??= new BposError("clock_ahead", { aheadMs, ...stamped });
  }

  async #work(): Promise<void> {
    for (let event = await this.#next(); event !== undefined; event = await this.#next())
      await this.#sendOne(event);
  }

  async #sendOne(event: PushEvent): Promise<void> {
    this.#inFlight.add(event.event_id);
    try {
      await this.#send(event);
      this.#done += event.row_count;
      this.#tools.onProgress?.(this.#done, this.#request.items.length);
    } catch (error) {
      await this.#settle(() => this.#record(() => this.#fail(event, error)));
    } finally {
      this.#inFlight.delete(event.event_id);
    }
  }

  async #settle<T>(work: () => Promise<T>): Promise<T> {
    const settling = work();
    this.#settling = Promise.allSettled([this.#settling, settling]);
    return await settling;
  }

  /** Returns the next batch; none once something has stopped the push: nothing may pass a batch with an unknown outcome. */
  async #next(): Promise<PushEvent | undefined> {
    for (let settling: unknown; settling !== this.#settling; await settling) settling = this.#settling;
    return this.failure === undefined ? this.#queue.shift() : undefined;
  }

  async #fail(event: PushEvent, error: unknown): Promise<void> {
    if (!(error instanceof BposError)) {
      this.failure ??= new BposError("bug", { detail: String(error) }, { cause: error });
      throw error;
    }
    if (!isTooLarge(error) || event.row_count === 1) {
      this.failure ??= error;
      return;
    }
    await this.#takeBack();
    await this.#records.replace(event, (each) => halve(this.#request, each));
    this.#inFlight.delete(event.event_id);
    await this.#refill();
  }

  async #takeBack(): Promise<void> {
    await this.#records.flush();
    // Only now: another batch may have changed the queue meanwhile.
    await this.#records.takeBack(this.#queue);
  }

  async #send(event: PushEvent): Promise<void> {
    const { client, signal, journal } = this.#tools;
    const { check } = journal;
    if (signal.aborted) throw new BposError("interrupted", { during: "work" });
    const body = this.#prepared?.event === event ? this.#prepared.body : eventBody(this.#request, event);
    await this.#records.intend(event, this.#queue);
    const sent = client.pushCatalog(body, { signal, check }).catch(async (error: unknown) => {
      throw await this.#settle(() => this.#records.settleFailure(event, error));
    });
    const [next] = this.#queue;
    if (next !== undefined) this.#prepared = { event: next, body: eventBody(this.#request, next) };
    const answer = await sent;
    const text = answerText(answer.body);
    const isFirstTry = event.state === "planned" && answer.attempts === 1;
    if (isFirstTry && readBatchAnswer(text).duplicate) this.unknownDuplicates += 1;
    Object.assign(event, { state: "answered", answer: text });
    this.#records.noteAnswer(event, text);
    this.mismatches.push(...answer.mismatches);
  }
}

export function* previewBodies(request: PushRequest, now: number): Generator<CatalogBody> {
  for (const event of planEvents(request, planBatches(request).hashed, now)) yield eventBody(request, event);
}

/** Pushes a catalog; pushing the same content again continues where it stopped. Throws what stopped it before anything was sent. */
export async function sendBatches(request: PushRequest, tools: PushTools): Promise<PushReport> {
  const { journal } = tools;
  if (request.items.length === 0) return newReport(request, tools.uuid(), isoWithOffset(tools.clock.now()));
  const { branch, action, file, undo, partOf, parts = 1 } = request;
  const { contentHash, hashed } = planBatches(request);
  const push = {
    push_id: tools.uuid(),
    branch,
    action,
    file,
    contentHash,
    at: tools.clock.now(),
    undo_of: undo?.of,
    part_of: partOf,
    parts,
  };
  const pushId = await journal.step((tx) =>
    tx.pushes.begin(push, (stamp) => planEvents(request, hashed, stamp)),
  );
  const sender = new BatchSender(request, tools, new BatchRecords(tools, pushId));
  await sender.run();
  const { events, failure, mismatches, unknownDuplicates } = sender;
  const report = toReport(request, pushId, events, failure);
  if (failure && report.batches === 0 && report.outcome !== "refused") throw failure;
  return { ...report, unknownDuplicates, mismatches };
}
