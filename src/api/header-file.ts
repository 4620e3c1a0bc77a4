import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Detail } from "../errors/problems.ts";
import { BposError, type HeaderProblem } from "../errors.ts";
import { userAgent } from "./call.ts";
import {
  type DispatchController,
  type Dispatcher,
  type DispatchHandler,
  explainFailure,
  TransportError,
} from "./transport.ts";

/** What one GET showed of a header's file. */
export interface HeaderFile {
  /** Where it was found, after redirects. */
  url: URL;
  status: number;
  contentType: string | undefined;
  /** The encoding in which it came unasked and which cannot be undone: then nothing else of it is known. */
  unknownEncoding: string | undefined;
  /** Its first bytes, at most 4096. */
  head: Buffer;
  /** Its size in bytes, or how many were counted before the counting ended. */
  bytes: number;
  /** False when the counting ended before the file did. */
  exact: boolean;
}

/** How a header's file is fetched. */
export interface HeaderFetch {
  dispatcher: Dispatcher;
  /** Milliseconds for all of it, redirects included. */
  timeoutMs: number;
  signal: AbortSignal | undefined;
  /** What speaks against fetching from there; asked for the target of each redirect. */
  problemOf: (target: URL) => HeaderProblem | undefined;
  /** How many bytes of a file that begins so are counted, where the host does not say its size. */
  limitOf: (head: Buffer) => number;
}

const mostRedirects = 5;
// More than enough for the signatures of files, `%PDF-` within the first 1024 bytes included.
const headBytes = 4096;
// A timer beyond 2^31 - 1 ms fires at once.
const longestTimerMs = 2 ** 31 - 1;
const redirectStatuses = [301, 302, 303, 307, 308];

// As a stream: the head of a file is enough, and its limit may be 100 MB.
const decoders = new Map<string, () => Transform>([
  ["gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/** A URL as it may be shown: a query may be the signature that opens the file. */
export function shownUrl(url: URL): string {
  return `${url.origin}${url.pathname}${url.search === "" ? "" : "?…"}`;
}

type Seen = Omit<HeaderFile, "url"> & { location: string | undefined };

/** One GET, ended as soon as what is asked is known. Nothing but the head of the file is kept. */
class Look implements DispatchHandler {
  readonly #how: HeaderFetch;
  readonly #deadline: AbortSignal;
  readonly #settle: { resolve: (seen: Seen) => void; reject: (error: TransportError) => void };
  readonly #head: Buffer[] = [];
  #kept = 0;
  #bytes = 0;
  #status = 0;
  #headers: Readonly<Record<string, string | string[] | undefined>> = {};
  #declared: number | undefined;
  #enough: number | undefined;
  #decoder: Transform | undefined;
  #controller: DispatchController | undefined;
  #settled = false;

  constructor(
    how: HeaderFetch,
    deadline: AbortSignal,
    settle: { resolve: (seen: Seen) => void; reject: (error: TransportError) => void },
  ) {
    this.#how = how;
    this.#deadline = deadline;
    this.#settle = settle;
    how.signal?.addEventListener("abort", this.#onAbort);
    deadline.addEventListener("abort", this.#onDeadline);
  }

  readonly #onAbort = (): void => this.#fail("aborted", { kind: "given_up" });

  readonly #onDeadline = (): void => {
    // What it is is known by then, and that it was not too large so far.
    if (this.#enough !== undefined) this.#done(false);
    else this.#fail("timeout", { kind: "too_slow", ms: this.#how.timeoutMs, complete: false });
  };

  #finish(): void {
    this.#settled = true;
    this.#decoder?.destroy();
    this.#how.signal?.removeEventListener("abort", this.#onAbort);
    this.#deadline.removeEventListener("abort", this.#onDeadline);
  }

  #fail(kind: TransportError["kind"], detail: Detail): void {
    if (this.#settled) return;
    this.#finish();
    const mayHaveArrived = this.#controller !== undefined;
    const error = new TransportError(kind, detail, { mayHaveArrived });
    this.#settle.reject(error);
    this.#controller?.abort(error);
  }

  #done(exact: boolean, { unknownEncoding }: { unknownEncoding?: string } = {}): void {
    if (this.#settled) return;
    this.#finish();
    this.#settle.resolve({
      status: this.#status,
      location: this.#header("location"),
      contentType: this.#header("content-type"),
      unknownEncoding,
      head: Buffer.concat(this.#head),
      bytes: this.#declared ?? this.#bytes,
      exact,
    });
    this.#controller?.abort(new Error("enough was read"));
  }

  #header(name: string): string | undefined {
    return [this.#headers[name]].flat()[0];
  }

  #decode(encoding: string): void {
    const create = decoders.get(encoding);
    if (create === undefined) {
      this.#done(false, { unknownEncoding: encoding });
      return;
    }
    this.#decoder = create()
      .on("data", (chunk: Buffer) => this.#take(chunk))
      .on("end", () => this.#done(true))
      .on("error", ({ message: detail }) =>
        this.#fail("protocol", { kind: "encoding_broken", of: "header_file", encoding, detail }),
      );
  }

  #take(chunk: Buffer): void {
    if (this.#settled) return;
    this.#bytes += chunk.length;
    if (this.#kept < headBytes) {
      const part = chunk.subarray(0, headBytes - this.#kept);
      this.#kept += part.length;
      this.#head.push(part);
    }
    if (this.#kept < headBytes) return;
    if (this.#declared !== undefined) {
      this.#done(true);
      return;
    }
    this.#enough ??= this.#how.limitOf(Buffer.concat(this.#head));
    if (this.#bytes > this.#enough) this.#done(false);
  }

  onRequestStart(controller: DispatchController): void {
    this.#controller = controller;
    if (this.#settled) controller.abort(new Error("given up before it was sent"));
  }

  onResponseStart(
    _controller: DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (status >= 300) {
      this.#done(false);
      return;
    }
    const encoding = (this.#header("content-encoding") ?? "").trim().toLowerCase().replace(/^x-/, "");
    if (encoding !== "" && encoding !== "identity") this.#decode(encoding);
    else if (headers["content-length"] !== undefined) this.#declared = Number(this.#header("content-length"));
  }

  onResponseData(controller: DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    if (this.#decoder === undefined) {
      this.#take(chunk);
    } else if (!this.#decoder.write(chunk)) {
      controller.pause();
      this.#decoder.once("drain", () => controller.resume());
    }
  }

  onResponseEnd(): void {
    if (this.#decoder === undefined) this.#done(true);
    else this.#decoder.end();
  }

  onResponseError(_controller: DispatchController, error: Error): void {
    const { kind, detail } = explainFailure(error, this.#controller !== undefined);
    this.#fail(kind, detail);
  }
}

function look(url: URL, how: HeaderFetch, deadline: AbortSignal): Promise<Seen> {
  return new Promise((resolve, reject) => {
    // No credential of ours: the service downloads the file without one, too.
    const headers = { accept: "*/*", "accept-encoding": "identity", "user-agent": userAgent };
    // Both time-outs of undici are off: the deadline bounds the whole.
    const timeouts = { headersTimeout: 0, bodyTimeout: 0 };
    const path = url.pathname + url.search;
    const handler = new Look(how, deadline, { resolve, reject });
    how.dispatcher.dispatch({ origin: url.origin, path, method: "GET", headers, ...timeouts }, handler);
  });
}

/** Where a header's file is, as the facts of an error about it. */
export function whereabouts(given: URL, found: URL): { url: string; redirectedTo?: string } {
  return { url: shownUrl(given), ...(found.href !== given.href && { redirectedTo: shownUrl(found) }) };
}

function errorOf(error: unknown, where: ReturnType<typeof whereabouts>): unknown {
  if (!(error instanceof TransportError)) return error;
  if (error.kind === "aborted") return new BposError("interrupted", { during: "work" });
  // Bodies are counted, never refused for their size.
  const kind = error.kind === "too_large" ? "protocol" : error.kind === "proxy_denied" ? "proxy" : error.kind;
  return new BposError(
    "header_unreachable",
    { ...where, problem: { kind, detail: error.detail } },
    { cause: error },
  );
}

function redirectTarget({ status, location }: Seen, from: URL): URL | undefined {
  if (!redirectStatuses.includes(status) || location === undefined) return undefined;
  return URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

/**
 * Fetches as much of a header's file as tells what it is and how large, following five redirects at most. Throws BposError
 * header_unreachable, header_unusable (a redirect that cannot be followed) and interrupted.
 */
export async function fetchHeaderFile(given: URL, how: HeaderFetch): Promise<HeaderFile> {
  if (how.signal?.aborted === true) throw new BposError("interrupted", { during: "work" });
  const deadline = AbortSignal.timeout(Math.min(how.timeoutMs, longestTimerMs));
  let url = given;
  for (let redirects = 0; ; redirects++) {
    const from = url;
    const seen = await look(from, how, deadline).catch((error: unknown) => {
      throw errorOf(error, whereabouts(given, from));
    });
    const target = redirectTarget(seen, from);
    const { location: _, ...file } = seen;
    if (target === undefined) return { ...file, url: from };
    const problem =
      redirects === mostRedirects
        ? ({ kind: "redirects", limit: mostRedirects } as const)
        : how.problemOf(target);
    if (problem) throw new BposError("header_unusable", { ...whereabouts(given, target), problem });
    url = target;
  }
}
