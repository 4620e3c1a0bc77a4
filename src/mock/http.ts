import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";
import type { ArmedFault } from "./faults.ts";
import { badInput, MockRefusal } from "./refusal.ts";
import type { MockKey } from "./scenarios.ts";

/** What hono carries through a request. */
export interface HttpEnv {
  Bindings: HttpBindings;
  Variables: {
    /** The key of the request, once it was found good. */
    key: MockKey;
    /** The body's own key, for the request log. */
    bodyKey: { event_id?: string; idempotency_key?: string };
    /** The body, read once. */
    body: Promise<Buffer> | undefined;
    /** The fault that fired, for the request log. */
    fault: string | undefined;
    /** The fault `late`, once it took the request. */
    late: ArmedFault | undefined;
    /** What answers in place of a good answer. */
    standIn: ((json: string) => Response) | undefined;
  };
}

/** A request under way. */
export type Call = Context<HttpEnv>;

const maxBodyBytes = 32 * 1024 * 1024;

/**
 * Answers with JSON text. It writes to Node's response itself: a web Response would be read back through a stream, which
 * halves the requests that the mock can answer in a second.
 */
export function sendJson(call: Call, status: number, json: string, headers: object = {}): Response {
  const standIn = status === 200 ? call.get("standIn") : undefined;
  if (standIn) {
    call.set("standIn", undefined);
    return standIn(json);
  }
  const { outgoing } = call.env;
  outgoing.writeHead(status, {
    ...headers,
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(json),
  });
  outgoing.end(json);
  return RESPONSE_ALREADY_SENT;
}

/** Answers a refusal with the error body of section 7. */
export function sendRefusal(call: Call, refusal: MockRefusal): Response {
  return sendJson(call, refusal.status, refusal.toBody(), refusal.headers);
}

/** The answer to a request of another method than those of its path. */
export function wrongMethod(...allowed: readonly string[]): () => never {
  return () => {
    const allow = allowed.join(", ");
    throw new MockRefusal(405, `the method must be ${allow}`, { allow });
  };
}

/** Throws MockRefusal 415 unless the content type is JSON. */
export function requireJson(call: Call): void {
  const [type = ""] = (call.req.header("content-type") ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/json") {
    throw new MockRefusal(415, "Content-Type must be application/json");
  }
}

const tooLarge = (): MockRefusal => new MockRefusal(413, "the body is larger than 32 MiB");

// A loop over the stream would destroy the connection when it stops early, and the 413 with it.
function readBytes(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(incoming.headers["content-length"] ?? 0) > maxBodyBytes) {
      reject(tooLarge());
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= maxBodyBytes) {
        chunks.push(chunk);
        return;
      }
      incoming.off("data", onData);
      incoming.resume();
      reject(tooLarge());
    };
    incoming.on("data", onData);
    incoming.once("end", () => {
      resolve(Buffer.concat(chunks));
    });
    incoming.once("error", () => {
      reject(badInput("the body broke off"));
    });
    incoming.once("close", () => {
      reject(badInput("the body broke off"));
    });
  });
}

/** The JSON body of a request, or `whenEmpty` where one may be absent. Throws MockRefusal 415, 413 or 400. */
export async function readJson(call: Call, whenEmpty?: object): Promise<unknown> {
  requireJson(call);
  const body = call.get("body") ?? readBytes(call.env.incoming);
  call.set("body", body);
  const bytes = await body;
  if (bytes.length === 0 && whenEmpty) return whenEmpty;
  try {
    if (!isUtf8(bytes)) throw new SyntaxError("not UTF-8");
    const text = bytes.toString("utf8");
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) as unknown;
  } catch {
    throw badInput("the body is not JSON in UTF-8");
  }
}

/** The JSON body of a request to the API; its own key is noted for the request log. Throws as readJson does. */
export async function readKeyed(call: Call): Promise<unknown> {
  const body = await readJson(call);
  if (typeof body !== "object" || body === null) return body;
  const { event_id, idempotency_key } = body as Record<string, unknown>;
  call.set("bodyKey", {
    ...(typeof event_id === "string" && { event_id: event_id.slice(0, 200) }),
    ...(typeof idempotency_key === "string" && { idempotency_key: idempotency_key.slice(0, 200) }),
  });
  return body;
}
