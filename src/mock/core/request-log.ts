import { MockRefusal } from "./refusal.ts";

/** A request as `GET /_mock/requests` shows it. */
export interface RequestRow {
  /** Counts up from 1, so that clients can tell which are new. */
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
  /** The error of the response, or why the webhook did not respond. */
  error?: string;
  /** Only in a webhook attempt: its `path` is a URL, its `status` 0 if no response came. */
  direction?: "out";
  reply_id?: string;
}

/** The rest of a request and its answer, which a row does not show. */
export interface Exchange {
  readonly key?: string | undefined;
  readonly contentType?: string | undefined;
  /** Set in a request that was sent again. */
  readonly replay?: string | undefined;
  /** Null if it was not read, is too large, or was dropped for newer ones; empty if there was none. */
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

/** The last 10,000 requests to the service and webhook attempts, and the newest 8 MiB of their bodies. */
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
  /** How many of the oldest exchanges no longer have bodies. */
  #emptied = 0;
  /** The bodies of requests, one after another: copies are cheaper than a thousand buffers for the garbage collector. */
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
    if (!row || !exchange) throw new MockRefusal(404, `request ${id} is not in the log`);

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
