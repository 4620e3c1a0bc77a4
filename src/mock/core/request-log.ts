import { MockRefusal } from "./refusal.ts";

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
  /** The branch of the key, or of the campaign that was replied to. */
  branch: string | null;
  event_id?: string;
  idempotency_key?: string;
  fault?: string;
  /** Why it was refused, as it was answered, or why the webhook gave no answer. */
  error?: string;
  /** Only in an attempt of the webhook: its `path` is a URL, its `status` 0 when no answer came. */
  direction?: "out";
  reply_id?: string;
}

/** The rest of a request and its answer, which a row does not show. */
export interface Exchange {
  readonly key?: string | undefined;
  readonly contentType?: string | undefined;
  /** Set in a request that was sent again. */
  readonly replay?: string | undefined;
  /** Null where it was not read, is too large, or made room; empty where there was none. */
  request: Buffer | string | null;
  response: Buffer | string | null;
}

const maxRows = 10_000;
const maxBody = 1024 * 1024;
const maxBodies = 8 * 1024 * 1024;
/** Room for the kept bodies, a new one, and twice what stays free at the end, so that no new body overwrites a kept one. */
const memoryBytes = maxBodies + 3 * maxBody;

const measure = ({ request, response }: Exchange): number => (request?.length ?? 0) + (response?.length ?? 0);

const dropLarge = <T extends Buffer | string>(body: T | null) =>
  body !== null && body.length > maxBody ? null : body;

/** The last 10,000 requests to the service and attempts of the webhook, and the newest 8 MiB of their bodies. */
export class RequestLog {
  readonly rows: RequestRow[] = [];
  /** Called with each new row. */
  readonly onAdd = new Set<(row: RequestRow, exchange: Exchange) => void>();
  /** The mock's address, once it listens. */
  origin = "";
  /** One for each row. */
  #exchanges: Exchange[] = [];
  #nextId = 1;
  #size = 0;
  /** How many of the oldest exchanges have no bodies any more. */
  #emptied = 0;
  /** The bodies of requests, one behind the other: copies cost less than a thousand buffers cost the garbage collector. */
  #memory: Buffer | undefined;
  #written = 0;

  add(fields: Omit<RequestRow, "id">, exchange: Exchange): void {
    const row = { id: this.#nextId, ...fields };
    this.#nextId += 1;

    exchange.request = this.#keep(dropLarge(exchange.request));
    exchange.response = dropLarge(exchange.response);
    this.rows.push(row);
    this.#exchanges.push(exchange);
    this.#size += measure(exchange);

    while (this.#size > maxBodies) this.#empty(this.#exchanges[this.#emptied++]);
    if (this.rows.length > maxRows) {
      this.rows.shift();
      this.#empty(this.#exchanges.shift());
      this.#emptied = Math.max(0, this.#emptied - 1);
    }

    for (const listener of this.onAdd) listener(row, exchange);
  }

  find(id: number): { row: RequestRow; exchange: Exchange } {
    const index = id - (this.rows[0]?.id ?? 0);
    const [row, exchange] = [this.rows[index], this.#exchanges[index]];
    if (!row || !exchange) throw new MockRefusal(404, `there is no request ${id} in the log`);

    // A copy: the log may write over its own.
    const { request: kept } = exchange;
    const request = Buffer.isBuffer(kept) ? Buffer.from(kept) : kept;
    return { row, exchange: { ...exchange, request } };
  }

  clear(): void {
    this.rows.length = 0;
    this.#exchanges.length = 0;
    this.#size = 0;
    this.#emptied = 0;
  }

  #keep(body: Buffer | string | null): Buffer | string | null {
    if (!Buffer.isBuffer(body)) return body;

    this.#memory ??= Buffer.allocUnsafeSlow(memoryBytes);
    const from = this.#written + body.length > memoryBytes ? 0 : this.#written;
    this.#written = from + body.length;
    body.copy(this.#memory, from);
    return this.#memory.subarray(from, this.#written);
  }

  #empty(exchange: Exchange | undefined): void {
    if (!exchange) return;

    this.#size -= measure(exchange);
    // An empty body stays known as empty.
    if (exchange.request !== "") exchange.request = null;
    exchange.response = null;
  }
}
