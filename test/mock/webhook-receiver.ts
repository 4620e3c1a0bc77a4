import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { expect, onTestFinished, vi } from "vitest";

interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** Answers a request: with a status, or by itself. */
export type Answerer = number | ((response: ServerResponse, received: Received) => void);

/** A receiver of webhooks: answers with the given statuses one after another, then with 200. */
export async function receiver(...answers: Answerer[]): Promise<{ url: string; got: Received[] }> {
  const got: Received[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url = "", headers } = request;
    const received = { method, url, headers, body: JSON.parse(await readText(request)) as Received["body"] };
    got.push(received);
    const next = answers.shift() ?? 200;
    if (typeof next === "number") response.writeHead(next, { location: "/elsewhere" }).end("a body");
    else next(response, received);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, got };
}

/** Pauses that end when a test says so. */
export function manualPauses() {
  const pauses = new Set<{ ms: number; end: () => void }>();
  return {
    lengths: () => Array.from(pauses, ({ ms }) => ms).sort((one, other) => one - other),
    sleep: (ms: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        const pause = {
          ms,
          end: () => {
            pauses.delete(pause);
            signal.removeEventListener("abort", pause.end);
            resolve();
          },
        };
        pauses.add(pause);
        signal.addEventListener("abort", pause.end);
        if (signal.aborted) pause.end();
      }),
    /** Waits until there is a pause of this length, then ends it. */
    async end(ms: number): Promise<void> {
      await until(() => expect([...pauses].some((pause) => pause.ms === ms)).toBe(true));
      for (const pause of pauses) if (pause.ms === ms) pause.end();
    },
  };
}

/** Waits until a check holds. */
export const until = (check: () => unknown): Promise<unknown> =>
  vi.waitFor(check, { interval: 2, timeout: 10_000 });
