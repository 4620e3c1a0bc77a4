import { unescape as decodePercents } from "node:querystring";
import { isLoopback, webUrl } from "../../contract/addresses.ts";
import { formatInstant } from "./clock.ts";
import { badInput } from "./refusal.ts";
import type { RequestLog } from "./request-log.ts";
import { listReplies, type Reply } from "./shop/replies.ts";
import type { LiveWorld } from "./world/live-world.ts";

/** A pause of real milliseconds; it resolves early, without an error, when the signal aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

type WebhookParts = Readonly<{
  live: LiveWorld;
  log: RequestLog;
  sleep: Sleep;
  /** The mock's own address. */
  own: Readonly<{ host: string; port: number }>;
}>;

const pollEveryMs = 250;
const timeoutMs = 10_000;
const pausesMs = [1_000, 2_000, 4_000];
const maxRows = 10_000;

type Target = Readonly<{ given: string; shown: string; url: URL; headers: Record<string, string> }>;

/** Reads the URL that replies are posted to. Throws MockRefusal 400. */
export function readTarget(text: string, { host, port }: WebhookParts["own"]): Target {
  const given = webUrl(text);
  if (!given) throw badInput("webhook: an http or https URL is required");

  const isOwnPort = Number(given.port || (given.protocol === "http:" ? 80 : 443)) === port;
  // The control API would turn each post into another reply.
  if (isOwnPort && (isLoopback(given.hostname) || [host, "0.0.0.0", "[::]"].includes(given.hostname)))
    throw badInput("webhook: this is the mock's own address; use another URL");

  const [shown, url] = [new URL(given), new URL(given)];
  url.username = url.password = url.hash = "";
  const pair = `${decodePercents(given.username)}:${decodePercents(given.password)}`;
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (pair !== ":") {
    shown.username = "***";
    shown.password = "";
    headers["authorization"] = `Basic ${Buffer.from(pair).toString("base64")}`;
  }
  return { given: given.href, shown: shown.href, url, headers };
}

function findReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // fetch says "fetch failed" and keeps why in the cause.
  const cause = error.cause instanceof Error ? error.cause : error;
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.message;
}

/** A posted reply, as `GET /_mock/webhooks` shows it. */
const toRow = ({ id, branch, campaign_id, external_ref, phone, text, at }: Reply, url: string) => ({
  reply_id: id,
  branch,
  url,
  state: "trying" as "trying" | "delivered" | "failed",
  attempts: 0,
  status: null as number | null,
  error: null as string | null,
  /** The world's date at the last attempt, RFC 3339; empty before the first. */
  at: "",
  /** The real service's payload is not specified (`docs/reference/service.md` 6): only the two ids are reliable. */
  body: { event: "reply" as const, campaign_id, external_ref, phone, text, at: formatInstant(at) },
});
export type WebhookRow = ReturnType<typeof toRow>;

/** One reply on its way to one URL, until `signal` aborts it. */
type Posting = Readonly<{ row: WebhookRow; target: Target; signal: AbortSignal }>;

const isOver = ({ row, signal }: Posting): boolean => row.state !== "trying" || signal.aborted;

function giveUp(row: WebhookRow, why: string): void {
  if (row.state === "trying") Object.assign(row, { state: "failed", error: `given up: ${why}` });
}

/** Posts each reply once it is due, in order. Only `send` posts those that were due before the URL was set. */
export class Webhook {
  readonly #parts: WebhookParts;
  #target: Target | null = null;
  #worldId = "";
  #ending = new AbortController();
  #rows: WebhookRow[] = [];
  /** The replies that have become due, by id: a process may learn of another's reply only after a later one. */
  #seen = new Set<string>();
  #queue = Promise.resolve();
  #isPolling = false;

  constructor(parts: WebhookParts) {
    this.#parts = parts;
    parts.live.listeners.add(() => this.#poll());
  }

  /** The webhook URL, with hidden credentials. */
  url = (): string | null => this.#target?.shown ?? null;

  /** Posts to another URL from now on, or to none; pending posts to the previous URL are cancelled. */
  setUrl(text: string | null): void {
    const { live, own } = this.#parts;
    const target = text === null ? null : readTarget(text, own);
    if (target?.given === this.#target?.given) return;

    const { world, age } = live.look();
    this.#renew();
    this.#stopPosting();
    for (const row of this.#rows) giveUp(row, "the webhook was changed");
    this.#target = target;
    this.#markSeen(listReplies(world.replies, age));
    this.#poll();
  }

  #markSeen(replies: readonly Reply[]): void {
    this.#seen = new Set(replies.map(({ id }) => id));
  }

  /** Forgets the posts of a previous world. */
  #renew(): void {
    const { live } = this.#parts;
    const worldId = live.worldId();
    if (worldId === this.#worldId) return;

    this.#worldId = worldId;
    this.#stopPosting();
    this.#rows = [];
    const { replies, importedAge } = live.look().world;
    this.#markSeen(listReplies(replies, importedAge));
  }

  #stopPosting(): void {
    this.#ending.abort();
    this.#ending = new AbortController();
    this.#queue = Promise.resolve();
  }

  rows(): WebhookRow[] {
    this.#renew();
    return this.#rows.map((row) => ({ ...row }));
  }

  /** The last result of each post, by reply id. */
  postings(): Map<string, WebhookRow> {
    this.#renew();
    return new Map(this.#rows.map((row) => [row.reply_id, row]));
  }

  async send(reply: Reply): Promise<WebhookRow> {
    const target = this.#target;
    if (!target) throw badInput("no webhook is set");
    for (const row of this.#rows) {
      if (row.reply_id === reply.id) giveUp(row, "sent again");
    }

    const posting = this.#add(reply, target);
    await this.#attempt(posting);
    void this.#retry(posting);
    return { ...posting.row };
  }

  stop(): void {
    this.#ending.abort();
  }

  #poll(): void {
    const target = this.#target;
    if (!target || this.#ending.signal.aborted) return;

    let isMoreToCome = true;
    try {
      isMoreToCome = this.#parts.live.transact(() => this.#postDue(target));
    } catch {
      // The file of the world cannot be read at this moment. Requests say why; this tries again.
    }

    if (this.#isPolling || !isMoreToCome) return;
    this.#isPolling = true;
    void this.#parts.sleep(pollEveryMs, this.#ending.signal).then(() => {
      this.#isPolling = false;
      this.#poll();
    });
  }

  #postDue(target: Target): boolean {
    const { world, age } = this.#parts.live.look();
    this.#renew();
    for (const reply of listReplies(world.replies, age)) {
      if (this.#seen.has(reply.id)) continue;
      this.#seen.add(reply.id);
      const posting = this.#add(reply, target);
      this.#queue = this.#queue.then(() => this.#attempt(posting));
      void this.#queue.then(() => this.#retry(posting));
    }

    // With a frozen clock nothing is due until an event moves it.
    return (world.replies.replies.at(-1)?.age ?? 0) > age && world.clock.speed > 0;
  }

  #add(reply: Reply, target: Target): Posting {
    const row = toRow(reply, target.shown);
    this.#rows.push(row);
    if (this.#rows.length > maxRows) this.#rows.shift();
    return { row, target, signal: this.#ending.signal };
  }

  async #retry(posting: Posting): Promise<void> {
    for (const pause of pausesMs) {
      if (isOver(posting)) return;
      await this.#parts.sleep(pause, posting.signal);
      await this.#attempt(posting);
    }
  }

  async #attempt(posting: Posting): Promise<void> {
    if (isOver(posting)) return;
    const { row, target } = posting;
    const { live, log } = this.#parts;
    const began = live.real();
    row.attempts += 1;
    const { status, error } = await this.#post(posting);
    if (isOver(posting)) return;

    Object.assign(row, { status, error });
    if (status !== null && status >= 200 && status < 300) row.state = "delivered";
    else if (row.attempts > pausesMs.length) row.state = "failed";

    const { origin, pathname, search } = target.url;
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
    // The response body is not read.
    log.add(fields, { request: JSON.stringify(row.body), response: null });
  }

  async #post({ row, target, signal }: Posting): Promise<Pick<WebhookRow, "status" | "error">> {
    const { live, sleep } = this.#parts;
    const over = new AbortController();
    const tooLate = new Error(`no answer within ${timeoutMs / 1_000} s`);
    const ended = AbortSignal.any([signal, over.signal]);
    void sleep(timeoutMs, ended).then(() => over.abort(tooLate));
    try {
      const { date } = live.look();
      row.at = formatInstant(date);
      const post = { method: "POST", headers: target.headers, body: JSON.stringify(row.body) };
      const { status } = await fetch(target.url, { ...post, redirect: "manual", signal: over.signal });
      return { status, error: null };
    } catch (error) {
      return { status: null, error: findReason(error) };
    } finally {
      // Ends the pause and the response body, which is not read.
      over.abort();
    }
  }
}
