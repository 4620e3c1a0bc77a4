import { tooFarAheadMs } from "../../api/ask.ts";
import { type CatalogBody, type Client, catalogBody } from "../../api/client.ts";
import { answerText } from "../../api/json.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { BposError, isReason, isUnapplied } from "../../errors.ts";
import { JournalError, journalFailure } from "../../journal/engine/engine.ts";
import { type Journal, Steps, type Transaction } from "../../journal/journal.ts";
import type { PlannedEvent, PushEvent } from "../../journal/records/pushes.ts";
import { readBatchAnswer } from "./answers.ts";
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

/** Returns true for a 413, which proves that the batch was not applied, whatever happened to earlier attempts. */
const isTooLarge = (error: unknown): error is BposError<"input_refused" | "outcome_unknown"> =>
  (isReason(error, "input_refused") || isReason(error, "outcome_unknown")) && error.facts.status === 413;

/** Records what a failed call shows about its event, and returns the error to report. A refusal proves nothing about an earlier attempt whose outcome is unknown. */
async function settleFailure(
  { journal: { pushes } }: PushTools,
  pushId: string,
  event: PushEvent,
  error: unknown,
): Promise<unknown> {
  // It was not sent.
  if (error instanceof JournalError) return error;
  const options = { cause: error };
  const isRefused = isUnapplied(error);
  if (!isTooLarge(error) && (!isRefused || event.state === "attempted")) {
    event.state = "attempted";
    return isRefused ? new BposError("outcome_unknown", error.facts, options) : error;
  }
  event.state = "planned";
  await pushes.notApplied(pushId, [event]);
  return isTooLarge(error) ? new BposError("input_refused", error.facts, options) : error;
}

/** Intents that are written together at most, while the service answers that many within `quickMs`. */
const maxAhead = 32;
const quickMs = 100;

interface Answered {
  event: PushEvent;
  answer: string;
}

/** A batch is planned, intended (in the journal), out, and answered or taken back: some intents are written ahead of what is out. */
class Sending {
  readonly mismatches: string[] = [];
  failure: BposError | undefined;
  unknownDuplicates = 0;
  events: PushEvent[] = [];
  readonly #request: PushRequest;
  readonly #tools: PushTools;
  readonly #pushId: string;
  readonly #steps: Steps;
  readonly #out = new Set<string>();
  /** By event_id, what resolves once an intent is on the disk. */
  readonly #intents = new Map<string, Promise<void>>();
  #answers: Answered[] = [];
  #ahead = 1;
  #intendedAt = 0;
  #prepared: { event: PushEvent; body: CatalogBody } | undefined;
  #queue: PushEvent[] = [];
  #done = 0;
  /** What must be recorded before another batch is sent. */
  #settling: Promise<unknown> = Promise.resolve();

  constructor(request: PushRequest, tools: PushTools, pushId: string) {
    this.#request = request;
    this.#tools = tools;
    this.#pushId = pushId;
    // A stale price must not overwrite a newer one: this machine also records what it sends.
    this.#steps = new Steps({ transaction: (work) => tools.journal.step(work) });
  }

  async #refill(): Promise<void> {
    const events = await this.#tools.journal.pushes.events(this.#pushId);
    const out = new Map(this.events.filter((e) => this.#out.has(e.event_id)).map((e) => [e.event_id, e]));
    this.events = events.map((event) => out.get(event.event_id) ?? event);
    this.#queue = this.events.filter(({ state, event_id }) => state !== "answered" && !out.has(event_id));
  }

  async run(): Promise<void> {
    await this.#refill();
    this.#done = this.#request.items.length - this.#queue.reduce((rows, event) => rows + event.row_count, 0);
    const probed = await Promise.allSettled([this.#probe()]);
    const places = Array.from({ length: this.#request.inFlight }, () => this.#work());
    const ends = [...probed, ...(await Promise.allSettled(places))];
    await this.#writeDown(() => this.#takeBack());
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }

  /** Does it; what the journal could not do ends the push, and must not hide what was sent before. */
  async #writeDown(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const hasLeft = this.events.some(({ state }) => state !== "planned");
      this.failure = journalFailure(error, hasLeft ? { work: "push" } : undefined);
    }
  }

  /** Where the service's time is not known, sends one batch alone, and no more when its answer shows this clock far ahead. */
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
    this.#out.add(event.event_id);
    try {
      await this.#send(event);
      this.#done += event.row_count;
      this.#tools.onProgress?.(this.#done, this.#request.items.length);
    } catch (error) {
      await this.#settle(() => this.#writeDown(() => this.#fail(event, error)));
    } finally {
      this.#out.delete(event.event_id);
    }
  }

  async #settle<T>(work: () => Promise<T>): Promise<T> {
    const settling = work();
    this.#settling = Promise.allSettled([this.#settling, settling]);
    return await settling;
  }

  /** The next batch; none once something has stopped the push: what is behind an unknown outcome must not pass it. */
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
    await this.#tools.journal.pushes.halve(this.#pushId, event, (each) => halve(this.#request, each));
    this.#out.delete(event.event_id);
    await this.#refill();
  }

  /** Resolves once an intent is on the disk. fsync can be slower than a request, so to a quick service intents are written in groups. */
  #intent(event: PushEvent): Promise<void> {
    const known = this.#intents.get(event.event_id);
    if (known !== undefined) return known;
    const { confirmed, clock } = this.#tools;
    const now = clock.now();
    // Records of confirmed products are not taken back.
    const most = confirmed === undefined ? maxAhead : 1;
    this.#ahead = now - this.#intendedAt < quickMs ? Math.min(most, this.#ahead * 2) : 1;
    this.#intendedAt = now;
    const events = [event, ...this.#queue.slice(0, this.#ahead - 1)];
    const written = this.#steps.write(async (tx) => {
      await tx.pushes.attempted(this.#pushId, events);
      for (const each of events) await confirmed?.attempted(tx, this.#pushId, each);
    });
    for (const { event_id } of events) this.#intents.set(event_id, written);
    return written;
  }

  /** Safe to repeat if the journal recorded nothing the first time. */
  async #keepAnswers(tx: Transaction, answers: Answered[]): Promise<void> {
    if (this.#answers === answers) this.#answers = [];
    await tx.pushes.answered(this.#pushId, answers);
    for (const { event, answer } of answers) await this.#tools.confirmed?.answered(tx, event, answer);
  }

  async #takeBack(): Promise<void> {
    await this.#steps.flush();
    const unsent = this.#queue.filter(
      ({ state, event_id }) => state === "planned" && this.#intents.delete(event_id),
    );
    await this.#tools.journal.pushes.notApplied(this.#pushId, unsent);
  }

  async #send(event: PushEvent): Promise<void> {
    const { client, signal, journal } = this.#tools;
    const { check } = journal;
    if (signal.aborted) throw new BposError("interrupted", { during: "work" });
    const body = this.#prepared?.event === event ? this.#prepared.body : eventBody(this.#request, event);
    await this.#intent(event);
    const sent = client.pushCatalog(body, { signal, check }).catch(async (error: unknown) => {
      throw await this.#settle(() => settleFailure(this.#tools, this.#pushId, event, error));
    });
    const [next] = this.#queue;
    if (next !== undefined) this.#prepared = { event: next, body: eventBody(this.#request, next) };
    const answer = await sent;
    const text = answerText(answer.body);
    const isFirstTry = event.state === "planned" && answer.attempts === 1;
    if (isFirstTry && readBatchAnswer(text).duplicate) this.unknownDuplicates += 1;
    Object.assign(event, { state: "answered", answer: text });
    const answers = this.#answers;
    answers.push({ event, answer: text });
    if (answers.length === 1) this.#steps.note((tx) => this.#keepAnswers(tx, answers));
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
  const sending = new Sending(request, tools, pushId);
  await sending.run();
  const { events, failure, mismatches } = sending;
  const report = toReport(request, pushId, events, failure);
  if (failure && report.batches === 0 && report.outcome !== "refused") throw failure;
  return { ...report, unknownDuplicates: sending.unknownDuplicates, mismatches };
}
