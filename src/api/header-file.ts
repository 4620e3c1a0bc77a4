import { BposError, type HeaderProblem } from "../errors.ts";
import { userAgent } from "./call.ts";
import { type Dispatcher, headerOf, maxTimerMs, stream, TransportError } from "./transport.ts";

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
}

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

const maxRedirects = 5;
// More than enough for the signatures of files, `%PDF-` within the first 1024 bytes included.
const headBytes = 4096;
const redirectStatuses = [301, 302, 303, 307, 308];

/** A URL as it may be shown: a query may be the signature that opens the file. */
export function shownUrl(url: URL): string {
  return `${url.origin}${url.pathname}${url.search === "" ? "" : "?…"}`;
}

export function whereabouts(given: URL, found: URL): { url: string; redirectedTo?: string } {
  return { url: shownUrl(given), ...(found.href !== given.href && { redirectedTo: shownUrl(found) }) };
}

type Seen = HeaderFile & { location: string | undefined };

/** One GET, ended as soon as what is asked is known. Nothing but the head of the file is kept. */
async function look(
  url: URL,
  { dispatcher, limitOf, signal: stop }: HeaderFetch,
  deadline: AbortSignal,
): Promise<Seen> {
  const file: Seen = {
    ...{ url, status: 0, contentType: undefined, unknownEncoding: undefined, location: undefined },
    ...{ head: Buffer.alloc(0), bytes: 0 },
  };
  let declared: number | undefined;
  let limit: number | undefined;
  try {
    const request = {
      ...({ method: "GET", origin: url.origin, path: url.pathname + url.search, body: undefined } as const),
      // No credential of ours: the service downloads the file without one, too.
      headers: { accept: "*/*", "accept-encoding": "identity", "user-agent": userAgent },
      ...{ timeoutMs: maxTimerMs, maxBytes: Number.POSITIVE_INFINITY },
      signal: AbortSignal.any(stop ? [stop, deadline] : [deadline]),
    };
    await stream(dispatcher, request, {
      begin(status, headers) {
        const encoding = headerOf(headers, "content-encoding") ?? "identity";
        const length = headerOf(headers, "content-length");
        if (encoding === "identity" && length !== undefined) declared = Number(length);
        file.status = status;
        file.contentType = headerOf(headers, "content-type");
        file.location = headerOf(headers, "location");
        return status < 300;
      },
      take(bytes) {
        file.bytes += bytes.length;
        if (file.head.length < headBytes)
          file.head = Buffer.concat([file.head, bytes]).subarray(0, headBytes);
        if (file.head.length < headBytes) return true;
        limit ??= limitOf(file.head);
        return declared === undefined && file.bytes <= limit;
      },
    });
    return { ...file, bytes: declared ?? file.bytes };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const { detail } = error;
    if (typeof detail === "object" && detail.kind === "encoding_unasked")
      return { ...file, unknownEncoding: detail.encoding };
    if (deadline.aborted && stop?.aborted !== true && limit !== undefined) return file;
    throw error;
  }
}

function errorOf(error: unknown, { signal, timeoutMs: ms }: HeaderFetch, given: URL, found: URL): unknown {
  if (!(error instanceof TransportError)) return error;
  if (signal?.aborted === true) return new BposError("interrupted", { during: "work" });
  const problem =
    error.kind === "aborted"
      ? ({ kind: "timeout", detail: { kind: "too_slow", ms, complete: false } } as const)
      : ({
          // Bodies are counted, never refused for their size.
          kind:
            error.kind === "too_large" ? "protocol" : error.kind === "proxy_denied" ? "proxy" : error.kind,
          detail: error.detail,
        } as const);
  return new BposError("header_unreachable", { ...whereabouts(given, found), problem }, { cause: error });
}

function redirectTarget({ status, location, url }: Seen): URL | undefined {
  if (!redirectStatuses.includes(status) || location === undefined) return undefined;
  return URL.canParse(location, url.href) ? new URL(location, url) : undefined;
}

/** Fetches what tells a header's file and its size. Throws BposError header_unreachable, header_unusable (a redirect that cannot be followed), interrupted. */
export async function fetchHeaderFile(given: URL, how: HeaderFetch): Promise<HeaderFile> {
  const deadline = AbortSignal.timeout(Math.min(how.timeoutMs, maxTimerMs));
  let url = given;
  for (let redirects = 0; ; redirects++) {
    const seen = await look(url, how, deadline).catch((error: unknown) => {
      throw errorOf(error, how, given, url);
    });
    const target = redirectTarget(seen);
    const { location: _, ...file } = seen;
    if (target === undefined) return file;
    const problem =
      redirects === maxRedirects
        ? ({ kind: "redirects", limit: maxRedirects } as const)
        : how.problemOf(target);
    if (problem) throw new BposError("header_unusable", { ...whereabouts(given, target), problem });
    url = target;
  }
}
