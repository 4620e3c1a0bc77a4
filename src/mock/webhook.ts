import { unescape as decodePercents } from "node:querystring";
import { formatInstant } from "./clock.ts";
import type { LiveWorld } from "./live-world.ts";
import { badInput } from "./refusal.ts";
import { type Reply, repliesUpTo } from "./replies.ts";
import type { RequestLog } from "./request-log.ts";

/** The posting of a reply, as `GET /_mock/webhooks` shows it. */
export interface WebhookRow {
  reply_id: string;
  url: string;
  state: "trying" | "delivered" | "failed";
  attempts: number;
  status: number | null;
  error: string | null;
  /** The world's date at the last attempt, RFC 3339; empty before the first. */
  at: string;
  /** The real service's payload is not specified (`docs/service.md` 6): only the two ids may be relied on. */
  body: {
    campaign_id: string;
    external_ref: string;
    event: "reply";
    phone: string;
    text: string;
    at: string;
  };
}

/** A pause of real milliseconds; it resolves early, without an error, when the signal aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

type WebhookParts = Readonly<{ live: LiveWorld; log: RequestLog; url: URL; sleep: Sleep }>;

interface Run {
  readonly worldId: string;
  readonly stop: AbortController;
  readonly rows: WebhookRow[];
  /** The replies that have become due, by id: one process may hear of another's only after a later one. */
  readonly seen: Set<string>;
  /** Ends with the first attempt of the row that was added last. */
  queue: Promise<void>;
  isPolling: boolean;
}

const pollEveryMs = 250;
const timeoutMs = 10_000;
const backoffMs = [1_000, 2_000, 4_000];
const maxRows = 10_000;

export function parseWebhookUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw badInput("webhookUrl: an http or https URL is required");
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // fetch says "fetch failed" and keeps why in the cause.
  const cause = error.cause instanceof Error ? error.cause : error;
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.message;
}

// Delivered, failed, sent again or stopped.
const isOver = (row: WebhookRow, signal: AbortSignal): boolean => row.state !== "trying" || signal.aborted;

/** Posts each reply once it is due, in order. Replies that were due before it began are not posted unless `send` is called. */
export class Webhook {
  readonly #parts: WebhookParts;
  readonly #shown: string;
  /** The URL without its credentials, which fetch refuses to take there. */
  readonly #target: URL;
  readonly #headers: Readonly<Record<string, string>>;
  #run: Run;

  constructor(parts: WebhookParts) {
    const { live, url } = parts;
    this.#parts = parts;
    const [shown, target] = [new URL(url), new URL(url)];
    target.username = target.password = target.hash = "";
    const pair = `${decodePercents(url.username)}:${decodePercents(url.password)}`;
    if (pair !== ":") {
      shown.username = "***";
      shown.password = "";
    }
    this.#shown = shown.href;
    this.#target = target;
    this.#headers = {
      "content-type": "application/json",
      ...(pair !== ":" && { authorization: `Basic ${Buffer.from(pair).toString("base64")}` }),
    };
    const { world, age } = live.look();
    this.#run = this.#newRun(repliesUpTo(world.replies, age));
    live.subscribe(() => this.#poll());
    this.#poll();
  }

  #newRun(posted: readonly Reply[]): Run {
    const seen = new Set(posted.map(({ id }) => id));
    const worldId = this.#parts.live.worldId();
    const stop = new AbortController();
    return { worldId, stop, rows: [], seen, queue: Promise.resolve(), isPolling: false };
  }

  rows(): WebhookRow[] {
    return this.#run.rows.map((row) => ({ ...row }));
  }

  async send(reply: Reply): Promise<WebhookRow> {
    for (const row of this.#run.rows) {
      if (row.reply_id !== reply.id || row.state !== "trying") continue;
      row.state = "failed";
      row.error = "given up: sent again";
    }
    const { signal } = this.#run.stop;
    const row = this.#add(reply);
    await this.#attempt(row, signal);
    void this.#retry(row, signal);
    return { ...row };
  }

  stop(): void {
    this.#run.stop.abort();
  }

  #poll(): void {
    if (this.#run.stop.signal.aborted) return;
    let isMoreToCome = true;
    try {
      isMoreToCome = this.#parts.live.transact(() => this.#postDue());
    } catch {
      // A world in a file cannot be read at this moment. Requests say why; here it is tried again.
    }
    const run = this.#run;
    if (run.isPolling || !isMoreToCome) return;
    run.isPolling = true;
    void this.#parts.sleep(pollEveryMs, run.stop.signal).then(() => {
      run.isPolling = false;
      this.#poll();
    });
  }

  #postDue(): boolean {
    const { live } = this.#parts;
    const { world, age } = live.look();
    if (live.worldId() !== this.#run.worldId) {
      this.#run.stop.abort();
      this.#run = this.#newRun([]);
    }
    const run = this.#run;
    for (const reply of repliesUpTo(world.replies, age)) {
      if (run.seen.has(reply.id)) continue;
      run.seen.add(reply.id);
      const row = this.#add(reply);
      run.queue = run.queue.then(() => this.#attempt(row, run.stop.signal));
      void run.queue.then(() => this.#retry(row, run.stop.signal));
    }
    // A clock that stands still brings nothing until an event moves it.
    return (world.replies.replies.at(-1)?.age ?? 0) > age && world.clock.speed > 0;
  }

  #add({ id, campaign_id, external_ref, phone, text, at }: Reply): WebhookRow {
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
    this.#run.rows.push(row);
    if (this.#run.rows.length > maxRows) this.#run.rows.shift();
    return row;
  }

  async #retry(row: WebhookRow, signal: AbortSignal): Promise<void> {
    for (const pause of backoffMs) {
      if (isOver(row, signal)) return;
      await this.#parts.sleep(pause, signal);
      await this.#attempt(row, signal);
    }
  }

  async #attempt(row: WebhookRow, signal: AbortSignal): Promise<void> {
    if (isOver(row, signal)) return;
    const { live, log } = this.#parts;
    const began = live.real();
    row.attempts += 1;
    const { status, error } = await this.#post(row, signal);
    if (isOver(row, signal)) return;
    row.status = status;
    row.error = error;
    if (status !== null && status >= 200 && status < 300) row.state = "delivered";
    else if (row.attempts > backoffMs.length) row.state = "failed";
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
      ...(error !== null && { error }),
    });
  }

  async #post(row: WebhookRow, signal: AbortSignal): Promise<Pick<WebhookRow, "status" | "error">> {
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
      return { status: null, error: reasonOf(error) };
    } finally {
      // Ends the pause, and an answer's body, which nobody reads.
      over.abort();
    }
  }
}
