import { unescape as decodePercents } from "node:querystring";
import { formatInstant } from "./clock.ts";
import type { LiveWorld } from "./live-world.ts";
import { badInput } from "./refusal.ts";
import { type Reply, repliesUpTo } from "./replies.ts";
import type { RequestLog } from "./request-log.ts";

/** A pause of real milliseconds; it resolves early, without an error, when the signal aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;
type WebhookParts = Readonly<{ live: LiveWorld; log: RequestLog; url: URL; sleep: Sleep }>;
const pollEveryMs = 250;
const timeoutMs = 10_000;
const pausesMs = [1_000, 2_000, 4_000];
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

/** The posting of a reply, as `GET /_mock/webhooks` shows it. */
const rowOf = ({ id, branch, campaign_id, external_ref, phone, text, at }: Reply, url: string) => ({
  reply_id: id,
  branch,
  url,
  state: "trying" as "trying" | "delivered" | "failed",
  attempts: 0,
  status: null as number | null,
  error: null as string | null,
  /** The world's date at the last attempt, RFC 3339; empty before the first. */
  at: "",
  /** The real service's payload is not specified (`docs/service.md` 6): only the two ids may be relied on. */
  body: { event: "reply" as const, campaign_id, external_ref, phone, text, at: formatInstant(at) },
});
type WebhookRow = ReturnType<typeof rowOf>;
const isOver = (row: WebhookRow, signal: AbortSignal): boolean => row.state !== "trying" || signal.aborted;

/** Posts each reply once it is due, in order. Replies that were due before it began are posted by `send` alone. */
export class Webhook {
  readonly #parts: WebhookParts;
  readonly #shown: string;
  /** The URL without its credentials, which fetch refuses to take there. */
  readonly #target: URL;
  readonly #headers: Record<string, string> = { "content-type": "application/json" };
  #worldId: string;
  #ending = new AbortController();
  #rows: WebhookRow[] = [];
  /** The replies that have become due, by id: one process may hear of another's only after a later one. */
  readonly #seen: Set<string>;
  #queue = Promise.resolve();
  #isPolling = false;

  constructor(parts: WebhookParts) {
    const { live, url } = parts;
    this.#parts = parts;
    const [shown, target] = [new URL(url), new URL(url)];
    target.username = target.password = target.hash = "";
    const pair = `${decodePercents(url.username)}:${decodePercents(url.password)}`;
    if (pair !== ":") {
      shown.username = "***";
      shown.password = "";
      this.#headers["authorization"] = `Basic ${Buffer.from(pair).toString("base64")}`;
    }
    this.#shown = shown.href;
    this.#target = target;
    const { world, age } = live.look();
    this.#worldId = live.worldId();
    this.#seen = new Set(repliesUpTo(world.replies, age).map(({ id }) => id));
    live.listeners.add(() => this.#poll());
    this.#poll();
  }

  rows(): WebhookRow[] {
    return this.#rows.map((row) => ({ ...row }));
  }

  async send(reply: Reply): Promise<WebhookRow> {
    for (const row of this.#rows)
      if (row.reply_id === reply.id && row.state === "trying")
        Object.assign(row, { state: "failed", error: "given up: sent again" });
    const { signal } = this.#ending;
    const row = this.#add(reply);
    await this.#attempt(row, signal);
    void this.#retry(row, signal);
    return { ...row };
  }

  stop(): void {
    this.#ending.abort();
  }

  #poll(): void {
    if (this.#ending.signal.aborted) return;
    let isMoreToCome = true;
    try {
      isMoreToCome = this.#parts.live.transact(() => this.#postDue());
    } catch {
      // A world in a file cannot be read at this moment. Requests say why; here it is tried again.
    }
    if (this.#isPolling || !isMoreToCome) return;
    this.#isPolling = true;
    void this.#parts.sleep(pollEveryMs, this.#ending.signal).then(() => {
      this.#isPolling = false;
      this.#poll();
    });
  }

  #postDue(): boolean {
    const { live } = this.#parts;
    const { world, age } = live.look();
    if (live.worldId() !== this.#worldId) {
      this.#worldId = live.worldId();
      this.#ending.abort();
      this.#ending = new AbortController();
      this.#rows = [];
      this.#seen.clear();
      this.#queue = Promise.resolve();
    }
    const { signal } = this.#ending;
    for (const reply of repliesUpTo(world.replies, age)) {
      if (this.#seen.has(reply.id)) continue;
      this.#seen.add(reply.id);
      const row = this.#add(reply);
      this.#queue = this.#queue.then(() => this.#attempt(row, signal));
      void this.#queue.then(() => this.#retry(row, signal));
    }
    // A clock that stands still brings nothing until an event moves it.
    return (world.replies.replies.at(-1)?.age ?? 0) > age && world.clock.speed > 0;
  }

  #add(reply: Reply): WebhookRow {
    const row = rowOf(reply, this.#shown);
    this.#rows.push(row);
    if (this.#rows.length > maxRows) this.#rows.shift();
    return row;
  }

  async #retry(row: WebhookRow, signal: AbortSignal): Promise<void> {
    for (const pause of pausesMs) {
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
    Object.assign(row, { status, error });
    if (status !== null && status >= 200 && status < 300) row.state = "delivered";
    else if (row.attempts > pausesMs.length) row.state = "failed";
    const { origin, pathname, search } = this.#target;
    const fields = {
      direction: "out" as const,
      at: row.at,
      method: "POST",
      path: origin + pathname,
      query: search.slice(1),
      status: status ?? 0,
      ms: live.real() - began,
      key: null,
      branch: row.branch,
      reply_id: row.reply_id,
      ...(error !== null && { error }),
    };
    // Nobody reads an answer's body.
    log.add(fields, { request: JSON.stringify(row.body), response: null });
  }

  async #post(row: WebhookRow, signal: AbortSignal): Promise<Pick<WebhookRow, "status" | "error">> {
    const { live, sleep } = this.#parts;
    const over = new AbortController();
    const tooLate = new Error(`no answer within ${timeoutMs / 1_000} s`);
    void sleep(timeoutMs, AbortSignal.any([signal, over.signal])).then(() => over.abort(tooLate));
    try {
      row.at = formatInstant(live.look().date);
      const post = { method: "POST", headers: this.#headers, body: JSON.stringify(row.body) };
      const { status } = await fetch(this.#target, { ...post, redirect: "manual", signal: over.signal });
      return { status, error: null };
    } catch (error) {
      return { status: null, error: reasonOf(error) };
    } finally {
      // Ends the pause, and an answer's body, which nobody reads.
      over.abort();
    }
  }
}
