import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { ReplyRefusal } from "../../errors/reply-refusal.ts";

/** A POST that is refused: its status, why, and what is wrong in the words that its sender gets. */
export class Refusal extends Error {
  readonly status: number;
  readonly reason: ReplyRefusal;
  readonly headers: OutgoingHttpHeaders;

  constructor(status: number, reason: ReplyRefusal, message: string, headers: OutgoingHttpHeaders = {}) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.reason = reason;
    this.headers = headers;
  }
}

/** Who may post. */
export interface Access {
  /** The last part of the path; undefined takes any path. */
  secret?: string | undefined;
  /** Takes only what is sent to a name of this machine, and from no web page of another: `bound` is what it listens on. */
  onlyOwnNames?: { bound: string } | undefined;
}

const withoutPort = (host: string): string =>
  /^(\[[^\]]*\]|[^:]*)(:\d+)?$/.exec(host)?.[1]?.toLowerCase() ?? "";

/** Throws Refusal 421 and 403 for a request that a web page may have sent here. */
export function checkNames({ headers, socket }: IncomingMessage, { onlyOwnNames }: Access): void {
  if (onlyOwnNames === undefined) return;
  const { bound } = onlyOwnNames;
  const local = socket.localAddress?.replace(/^::ffff:/, "") ?? "";
  const own = ["127.0.0.1", "localhost", "[::1]", bound.toLowerCase(), `[${bound}]`, local, `[${local}]`];
  // A web page may let its own name lead to this machine; its address bar then is what the header says.
  const host = withoutPort(headers.host ?? "");
  if (host === "" || !own.includes(host))
    throw new Refusal(421, "foreign_host", "this Host is not served here");
  const { origin } = headers;
  if (origin !== undefined && !(URL.canParse(origin) && own.includes(new URL(origin).hostname)))
    throw new Refusal(403, "foreign_origin", "a page of another origin may not post here");
}

const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest();

function lastPartOf(url: string): string {
  const [path = ""] = url.split("?", 1);
  const part = path.slice(path.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Throws Refusal 404 for a request whose path does not end in the secret. */
export function checkSecret({ url = "" }: IncomingMessage, { secret }: Access): void {
  // Of digests the comparison takes the same time whatever was sent.
  if (secret !== undefined && !timingSafeEqual(digestOf(lastPartOf(url)), digestOf(secret)))
    throw new Refusal(404, "wrong_secret", "there is nothing at this path");
}
