/** A request as `GET /_mock/requests` shows it. */
export interface RequestRow {
  /** Counts up from 1, so that a reader can tell what is new. */
  id: number;
  at: string;
  method: string;
  path: string;
  query: string;
  /** 0 when the connection was reset instead of an answer. */
  status: number;
  ms: number;
  key: string | null;
  event_id?: string;
  idempotency_key?: string;
  fault?: string;
  /** Only in an attempt of the webhook: its `path` is a URL, its `status` 0 when no answer came. */
  direction?: "out";
  reply_id?: string;
  error?: string;
}

const maxRows = 1_000;

export class RequestLog {
  readonly #rows: RequestRow[] = [];
  #nextId = 1;

  add(row: Omit<RequestRow, "id">): void {
    this.#rows.push({ id: this.#nextId, ...row });
    this.#nextId += 1;
    if (this.#rows.length > maxRows) this.#rows.shift();
  }

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
