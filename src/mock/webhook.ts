import { unescape as decodePercents } from "node:querystring";
import type { LiveWorld } from "./live-world.ts";
import { badInput } from "./refusal.ts";
import { type Reply, repliesUpTo } from "./reply-book.ts";
import type { RequestLog } from "./request-log.ts";
import { formatInstant } from "./time.ts";

/** What is posted. The real service's payload is not specified (`spec.md` section 6): only the first two may be relied on. */
interface WebhookBody {
  campaign_id: string;
  external_ref: string;
  event: "reply";
  phone: string;
  text: string;
  /** When the reply was given, RFC 3339. */
  at: string;
}

/** The posting of a reply, as `GET /_mock/webhooks` shows it. */
export interface WebhookRow {
  reply_id: string;
  /** Credentials masked. */
  url: string;
  state: "trying" | "delivered" | "failed";
  attempts: number;
  /** Of the last attempt's answer; null when none came. */
  status: number | null;
  /** Why no answer came; null when one did. */
  error: string | null;
  /** The world's date at the last attempt, RFC 3339; empty before the first. */
  at: string;
  body: WebhookBody;
}

/** A pause of real milliseconds; it resolves early, without an error, when the signal aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** What a webhook is made of. */
export interface WebhookParts {
  readonly live: LiveWorld;
  readonly log: RequestLog;
  readonly url: URL;
  readonly sleep: Sleep;
}

interface Delivery {
  readonly row: WebhookRow;
  readonly stop: AbortController;
  /** Resolves when the first attempt is over. */
  readonly first: Promise<void>;
}

/** What belongs to one world and ends with it. */
interface Run {
  readonly stop: AbortController;
  readonly deliveries: Delivery[];
  /** Ends with the first attempt of the delivery that was started last. */
  queue: Promise<void>;
  /** The replies that have become due, by id: one process may hear of another's only after a later one. */
  readonly seen: Set<string>;
  waiting: boolean;
}

const lookEveryMs = 250;
const timeoutMs = 10_000;
const pausesMs = [1_000, 2_000, 4_000];
const capacity = 10_000;

const newRun = (due: readonly Reply[]): Run => ({
  stop: new AbortController(),
  deliveries: [],
  queue: Promise.resolve(),
  seen: new Set(due.map(({ id }) => id)),
  waiting: false,
});

/** The URL of a webhook. Throws MockRefusal 400 unless it is http or https. */
export function parseWebhookUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw badInput("webhookUrl: an http or https URL is required");
  }
  return url;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // fetch says "fetch failed" and keeps why in the cause.
  const cause = error.cause instanceof Error ? error.cause : error;
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.message;
}

/**
 * Posts each reply once it is due, in the order in which they are; whether any is, it finds out by looking at the world.
 * Outcomes are of this process alone: replies that were due before it began are not posted unless `send` is asked to.
 */
export class Webhook {
  readonly #parts: WebhookParts;
  readonly #shown: string;
  /** The URL without its credentials, which fetch refuses to take there. */
  readonly #target: URL;
  readonly #headers: Readonly<Record<string, string>>;
  #run: Run;
  #isStopped = false;

  constructor(parts: WebhookParts) {
    const { live, url } = parts;
    this.#parts = parts;
    const shown = new URL(url);
    const target = new URL(url);
    target.username = target.password = target.hash = "";
    this.#target = target;
    this.#headers = { "content-type": "application/json" };
    if (url.username !== "" || url.password !== "") {
      const pair = `${decodePercents(url.username)}:${decodePercents(url.password)}`;
      this.#headers = { ...this.#headers, authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
      shown.username = "***";
      shown.password = "";
    }
    this.#shown = shown.href;
    const { world, age } = live.look();
    this.#run = newRun(repliesUpTo(world.replies, age));
    live.subscribe((event) => {
      if (this.#isStopped) return;
      if (event.type === "world_started") {
        this.#run.stop.abort();
        this.#run = newRun([]);
      }
      const run = this.#run;
      // Later, because who committed the event has not finished with the world.
      queueMicrotask(() => this.#look(run));
    });
    this.#look(this.#run);
  }

  /** The deliveries of this process, oldest first, the last 10,000. */
  rows(): WebhookRow[] {
    return this.#run.deliveries.map(({ row }) => ({ ...row }));
  }

  /** Posts a reply again. It answers after the first attempt; a delivery that fails then is tried on like any other. */
  async send(reply: Reply): Promise<WebhookRow> {
    for (const { row, stop } of this.#run.deliveries) {
      if (row.reply_id !== reply.id || row.state !== "trying") continue;
      row.state = "failed";
      row.error = "given up: sent again";
      stop.abort();
    }
    const { row, first } = this.#deliver(reply, Promise.resolve());
    await first;
    return { ...row };
  }

  /** Ends all that is under way. */
  stop(): void {
    this.#isStopped = true;
    this.#run.stop.abort();
  }

  #look(run: Run): void {
    if (run.stop.signal.aborted) return;
    let isMoreToCome = true;
    try {
      isMoreToCome = this.#postDue(run);
    } catch {
      // A world that is kept cannot be read at this moment. Requests say why; here it is looked at again.
    }
    if (run.waiting || !isMoreToCome) return;
    run.waiting = true;
    void this.#parts.sleep(lookEveryMs, run.stop.signal).then(() => {
      run.waiting = false;
      this.#look(run);
    });
  }

  /** Posts the replies that have become due; true when time alone will bring another. */
  #postDue(run: Run): boolean {
    const { world, age } = this.#parts.live.look();
    for (const reply of repliesUpTo(world.replies, age)) {
      if (run.seen.has(reply.id)) continue;
      run.seen.add(reply.id);
      run.queue = this.#deliver(reply, run.queue).first;
    }
    const last = world.replies.replies.at(-1);
    // A clock that stands still brings nothing until an event moves it.
    return last !== undefined && last.age > age && world.clock.speed > 0;
  }

  #deliver(reply: Reply, after: Promise<void>): Delivery {
    const { id, campaign_id, external_ref, phone, text, at } = reply;
    const row: WebhookRow = {
      reply_id: id,
      url: this.#shown,
      state: "trying",
      attempts: 0,
      status: null,
      error: null,
      at: "",
      body: { event: "reply", campaign_id, external_ref, phone, text, at: formatInstant(at) },
    };
    const { deliveries, stop: stopAll } = this.#run;
    const stop = new AbortController();
    const signal = AbortSignal.any([stopAll.signal, stop.signal]);
    const first = after.then(() => this.#attempt(row, signal));
    void first.then(() => this.#retry(row, signal));
    const delivery = { row, stop, first };
    deliveries.push(delivery);
    if (deliveries.length > capacity) deliveries.shift();
    return delivery;
  }

  async #retry(row: WebhookRow, signal: AbortSignal): Promise<void> {
    for (const pause of pausesMs) {
      if (row.state !== "trying") return;
      await this.#parts.sleep(pause, signal);
      await this.#attempt(row, signal);
    }
  }

  async #attempt(row: WebhookRow, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { live, log } = this.#parts;
    const began = live.real();
    row.attempts += 1;
    const outcome = await this.#post(row, signal);
    if (!outcome) return;
    const { status, error } = outcome;
    row.status = status;
    row.error = error;
    if (status !== null && status >= 200 && status < 300) row.state = "delivered";
    else if (row.attempts > pausesMs.length) row.state = "failed";
    log.add({
      direction: "out",
      at: row.at,
      method: "POST",
      path: this.#target.origin + this.#target.pathname,
      query: this.#target.search.slice(1),
      status: status ?? 0,
      ms: live.real() - began,
      key: null,
      reply_id: row.reply_id,
      ...(error === null ? {} : { error }),
    });
  }

  /** Null when it was stopped. */
  async #post(row: WebhookRow, signal: AbortSignal): Promise<Pick<WebhookRow, "status" | "error"> | null> {
    const { live, sleep } = this.#parts;
    const over = new AbortController();
    void sleep(timeoutMs, AbortSignal.any([signal, over.signal])).then(() => {
      over.abort(new Error(`no answer within ${timeoutMs / 1_000} s`));
    });
    try {
      row.at = formatInstant(live.look().date);
      const response = await fetch(this.#target, {
        method: "POST",
        headers: this.#headers,
        body: JSON.stringify(row.body),
        redirect: "manual",
        signal: over.signal,
      });
      return { status: response.status, error: null };
    } catch (error) {
      return signal.aborted ? null : { status: null, error: reasonOf(error) };
    } finally {
      // Ends the pause, and an answer's body, which nobody reads.
      over.abort();
    }
  }
}
