import { BposError, type HeaderProblem } from "../errors.ts";
import { userAgent } from "./call.ts";
import { type Dispatcher, readHeader, stream, TransportError } from "./transport.ts";

export interface HeaderFile {
  url: URL;
  status: number;
  contentType: string | undefined;
  /** An encoding that bpos did not ask for and cannot decode: nothing else is known about the file. */
  unknownEncoding: string | undefined;
  head: Buffer;
  /** Its size in bytes, or the number that was counted before counting ended. */
  bytes: number;
}

export interface HeaderFetch {
  dispatcher: Dispatcher;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  findProblem: (target: URL) => HeaderProblem | undefined;
  /** Bytes that are counted of a file that begins so, where the host does not say its size. */
  findLimit: (head: Buffer) => number;
}

const maxRedirects = 5;
const headBytes = 4096;

/** Returns a URL as it may be shown, without its query, which may be the signature that opens the file. */
export const shownUrl = (url: URL): string => `${url.origin}${url.pathname}${url.search === "" ? "" : "?…"}`;

export function whereabouts(given: URL, found: URL): { url: string; redirectedTo?: string } {
  return { url: shownUrl(given), ...(found.href !== given.href && { redirectedTo: shownUrl(found) }) };
}

type Seen = HeaderFile & { location: string | undefined };

async function look(
  url: URL,
  { dispatcher, findLimit: limitOf, timeoutMs, signal }: HeaderFetch,
): Promise<Seen> {
  const file: Seen = {
    url,
    status: 0,
    contentType: undefined,
    unknownEncoding: undefined,
    location: undefined,
    head: Buffer.alloc(0),
    bytes: 0,
  };
  const request = {
    method: "GET" as const,
    origin: url.origin,
    path: url.pathname + url.search,
    body: undefined,
    // Without credentials, since the service downloads the file without them, too.
    headers: { accept: "*/*", "accept-encoding": "identity", "user-agent": userAgent },
    timeoutMs,
    maxBytes: Number.POSITIVE_INFINITY,
    signal,
  };
  let declared: number | undefined;
  let limit: number | undefined;
  try {
    await stream(dispatcher, request, {
      begin(status, headers) {
        const length = readHeader(headers, "content-length");
        if ((readHeader(headers, "content-encoding") ?? "identity") === "identity" && length !== undefined)
          declared = Number(length);
        const contentType = readHeader(headers, "content-type");
        Object.assign(file, { status, contentType, location: readHeader(headers, "location") });
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
    const { kind, detail } = error as TransportError;
    if (typeof detail === "object" && detail.kind === "encoding_unasked")
      return { ...file, unknownEncoding: detail.encoding };
    // The type of the file is known, and the counted part is within the limit.
    if (kind === "timeout" && limit !== undefined) return file;
    throw error;
  }
}

function failure(error: unknown, where: ReturnType<typeof whereabouts>): unknown {
  if (!(error instanceof TransportError)) return error;
  const { kind, detail } = error;
  if (kind === "aborted") return new BposError("interrupted", { during: "work" });
  if (kind === "memory") return new BposError("memory_short", { detail }, { cause: error });
  const known = kind === "proxy_denied" ? "proxy" : kind === "too_large" ? "protocol" : kind;
  return new BposError(
    "header_unreachable",
    { ...where, problem: { kind: known, detail } },
    { cause: error },
  );
}

export async function fetchHeaderFile(given: URL, how: HeaderFetch): Promise<HeaderFile> {
  let url = given;
  for (let redirects = 0; ; redirects++) {
    const { location, ...file } = await look(url, how).catch((error: unknown) => {
      throw failure(error, whereabouts(given, url));
    });
    const isRedirect = [301, 302, 303, 307, 308].includes(file.status);
    if (location === undefined || !isRedirect || !URL.canParse(location, url.href)) return file;
    const target = new URL(location, url);
    const problem =
      redirects < maxRedirects
        ? how.findProblem(target)
        : ({ kind: "redirects", limit: maxRedirects } as const);
    if (problem) throw new BposError("header_unusable", { ...whereabouts(given, target), problem });
    url = target;
  }
}
