import { expect, onTestFinished, vi } from "vitest";
import { deadAddress } from "./peers.ts";
import type { Run, World } from "./run.ts";

/** A `campaign listen` under way. */
export interface Listener {
  /** The address that replies go to. */
  url: string;
  /** Returns the lines on standard output so far. */
  lines: () => string[];
  /** The same, of `-o ndjson`. */
  events: () => ReplyLine[];
  /** Stops it as Ctrl-C does. */
  stop: () => Promise<Run>;
  ended: Promise<Run>;
}

/** A line of `campaign listen -o ndjson`. */
export interface ReplyLine {
  event: string;
  at: string;
  campaign_id: string | null;
  external_ref: string | null;
  send_id: string | null;
  name: string | null;
  repeated: boolean;
  body: unknown;
}

/** A port that nobody listens on. */
export const freePort = async (): Promise<string> => new URL(await deadAddress()).port;

/** Resolves when somebody listens there. */
async function answering(url: string): Promise<void> {
  await vi.waitFor(async () => expect(await (await fetch(url)).text()).toBe("bpos listens here\n"), {
    timeout: 10_000,
    interval: 10,
  });
}

/** Starts `campaign listen` in a shell and waits until it listens; it is stopped when the test ends. */
export async function listenIn(
  run: (argv: string[], world?: World) => Promise<Run>,
  argv: string[] = ["-o", "ndjson"],
  { port, ...world }: World & { port?: string } = {},
): Promise<Listener> {
  const own = port ?? (await freePort());
  let stop = (): void => undefined;
  let out = "";
  const ended = run(["campaign", "listen", "--port", own, ...argv], {
    ...world,
    onStart: (means) => {
      stop = means;
    },
    onOutput: (text) => {
      out = text;
    },
  });
  const url = `http://127.0.0.1:${own}/`;
  const stopped = (): Promise<Run> => {
    stop();
    return ended;
  };
  onTestFinished(() => void stopped());
  await Promise.race([answering(url), ended]);
  const lines = (): string[] => out.split("\n").slice(0, -1);
  return {
    url,
    lines,
    events: () => lines().map((line) => JSON.parse(line) as ReplyLine),
    stop: stopped,
    ended,
  };
}

/** Posts a reply; a text is posted as it is. */
export function postReply(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}
