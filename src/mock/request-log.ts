/** A request as `GET /_mock/requests` shows it. */
export interface RequestRow {
  /** Counts up from 1, so that a reader can tell what is new. */
  id: number;
  /** The world's date, RFC 3339. */
  at: string;
  method: string;
  /** Without the query. */
  path: string;
  /** The query without its question mark; empty when there was none. */
  query: string;
  /** 0 when the connection was reset instead of an answer. */
  status: number;
  /** Real milliseconds until the answer was written. */
  ms: number;
  /** The API key, masked; null when there was none. */
  key: string | null;
  event_id?: string;
  idempotency_key?: string;
  /** The effect of the fault that fired, for example `status=502`. */
  fault?: string;
  /** Only in an attempt of the webhook: its `path` is a URL, its `status` 0 when no answer came. */
  direction?: "out";
  reply_id?: string;
  /** Why no answer came. */
  error?: string;
}

const capacity = 1_000;

/** The last 1,000 requests to the service. */
export class RequestLog {
  readonly #rows: RequestRow[] = [];
  #nextId = 1;

  add(row: Omit<RequestRow, "id">): void {
    this.#rows.push({ id: this.#nextId, ...row });
    this.#nextId += 1;
    if (this.#rows.length > capacity) this.#rows.shift();
  }

  /** The last `limit` of them, oldest first. */
  last(limit: number): RequestRow[] {
    return this.#rows.slice(-limit);
  }

  clear(): void {
    this.#rows.length = 0;
  }
}

/** A key that can be shown: `bpk_…ntro`. Too short a one shows nothing. */
export function maskKey(key: string): string {
  return key.length < 12 ? "…" : `${/^[a-z]{1,8}_/.exec(key)?.[0] ?? ""}…${key.slice(-4)}`;
}
