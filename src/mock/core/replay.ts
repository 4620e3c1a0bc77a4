import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { badInput, MockRefusal } from "./refusal.ts";
import type { Exchange, RequestLog, RequestRow } from "./request-log.ts";

/** Identifies the row of a replayed request. */
export const replayHeader = "bpos-mock-replay";

function requestAgain(origin: string, { method, path, query }: RequestRow, exchange: Exchange, mark: string) {
  const { key, contentType, request: body } = exchange;
  const headers = {
    [replayHeader]: mark,
    ...(key !== undefined && { "x-api-key": key }),
    ...(contentType !== undefined && { "content-type": contentType }),
    ...(body !== "" && { "content-length": Buffer.byteLength(body ?? "") }),
  };
  const target = query === "" ? path : `${path}?${query}`;
  // node:http sends it: fetch would rewrite a path such as /v1/../orders.
  return request(origin, { method, path: target, headers, agent: false });
}

/** Sends a request of the log again, with the key that it had, and returns the row of the new one. */
export async function replayRequest(log: RequestLog, id: number): Promise<RequestRow> {
  const { row, exchange } = log.find(id);
  if (row.direction === "out")
    throw badInput(
      `request ${id} went to the webhook: POST /_mock/replies/${row.reply_id ?? "ID"}/send posts its reply again`,
    );
  if (exchange.request === null)
    throw badInput(`the body of request ${id} was not kept, so it cannot be sent again`);

  const mark = randomUUID();
  let added: RequestRow | undefined;
  const listener = (each: RequestRow, { replay }: Exchange): void => {
    if (replay === mark) added = each;
  };
  log.onAdd.add(listener);
  try {
    const outgoing = requestAgain(log.origin, row, exchange, mark).end(exchange.request);
    const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
    await once(incoming.resume(), "close");
  } catch {
    // A fault may reset the connection: the row says so.
  } finally {
    log.onAdd.delete(listener);
  }

  if (!added) throw new MockRefusal(503, `request ${id} could not be sent again`);
  return added;
}
