import { unescape as decodePercents } from "node:querystring";
import { backoffMs } from "../contract/limits.ts";
import { formatInstant } from "./clock.ts";
import type { RequestLog } from "./control.ts";
import type { LiveWorld } from "./live-world.ts";
import { badInput } from "./refusal.ts";
import { type Reply, repliesUpTo } from "./replies.ts";

/** A pause of real milliseconds; it resolves early, without an error, when the signal aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

type WebhookParts = Readonly<{ live: LiveWorld; log: RequestLog; url: URL; sleep: Sleep }>;

const pollEveryMs = 250;
const timeoutMs = 10_000;
const maxAttempts = 4;
const backoff = { firstMs: 1_000, maxMs: 4_000 };

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

/** Posts each reply that becomes due from now on, in order; the request log shows every attempt. */
export class Webhook {
  readonly #parts: WebhookParts;
  /** The URL without its credentials, which fetch refuses to take there. */
  readonly #target: URL;
  readonly #headers: Record<string, string> = { "content-type": "application/json" };
  #worldId: string;
  #ending = new AbortController();
  /** The replies that have become due, by id: one process may hear of another's only after a later one. */
  readonly #seen: Set<string>;
  /** Ends with the first attempt of the reply that became due last. */
  #queue = Promise.resolve();
  #isPolling = false;

  constructor(parts: WebhookParts) {
    const { live, url } = parts;
    this.#parts = parts;
    this.#target = new URL(url);
    this.#target.username = this.#target.password = this.#target.hash = "";
    const pair = `${decodePercents(url.username)}:${decodePercents(url.password)}`;
    if (pair !== ":") this.#headers["authorization"] = `Basic ${Buffer.from(pair).toString("base64")}`;
    const { world, age } = live.look();
    this.#worldId = live.worldId();
    this.#seen = new Set(repliesUpTo(world.replies, age).map(({ id }) => id));
    live.onChange = () => this.#poll();
    this.#poll();
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
      this.#seen.clear();
      this.#queue = Promise.resolve();
    }
    const { signal } = this.#ending;
    for (const reply of repliesUpTo(world.replies, age)) {
      if (this.#seen.has(reply.id)) continue;
      this.#seen.add(reply.id);
      const first = this.#queue.then(() => this.#attempt(reply, signal));
      this.#queue = first.then((isOver) => {
        if (!isOver) void this.#retry(reply, signal);
      });
    }
    // A clock that stands still brings nothing until an event moves it.
    return (world.replies.replies.at(-1)?.age ?? 0) > age && world.clock.speed > 0;
  }

  async #retry(reply: Reply, signal: AbortSignal): Promise<void> {
    for (let failures = 1; failures < maxAttempts; failures++) {
      await this.#parts.sleep(backoffMs(failures, backoff), signal);
      if (await this.#attempt(reply, signal)) return;
    }
  }

  /** True when there is nothing to try again: it arrived, or the mock or its world has ended. */
  async #attempt(reply: Reply, signal: AbortSignal): Promise<boolean> {
    const hasEnded = (): boolean => signal.aborted;
    if (hasEnded()) return true;
    const { live, log, sleep } = this.#parts;
    const { campaign_id, external_ref, phone, text, at: repliedAt } = reply;
    const began = live.real();
    const over = new AbortController();
    void sleep(timeoutMs, AbortSignal.any([signal, over.signal])).then(() => {
      over.abort(new Error(`no answer within ${timeoutMs / 1_000} s`));
    });
    // The real service's payload is not specified (`docs/service.md` 6): only the two ids may be relied on.
    const body = { event: "reply", campaign_id, external_ref, phone, text, at: formatInstant(repliedAt) };
    let [at, status, error] = ["", 0, ""];
    try {
      at = formatInstant(live.look().date);
      const post = { method: "POST", headers: this.#headers, body: JSON.stringify(body) };
      ({ status } = await fetch(this.#target, { ...post, redirect: "manual", signal: over.signal }));
    } catch (caught) {
      error = reasonOf(caught);
    } finally {
      // Ends the pause, and an answer's body, which nobody reads.
      over.abort();
    }
    if (hasEnded()) return true;
    log.add({
      direction: "out",
      at,
      method: "POST",
      path: this.#target.origin + this.#target.pathname,
      query: this.#target.search.slice(1),
      status,
      ms: live.real() - began,
      key: null,
      reply_id: reply.id,
      ...(error !== "" && { error }),
    });
    return status >= 200 && status < 300;
  }
}
