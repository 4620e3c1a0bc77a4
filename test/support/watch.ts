import { type FakeClock, fakeClock } from "./fake-clock.ts";
import { type Answer, pageOf } from "./peers.ts";
import type { Run, World } from "./run.ts";

/** A function that runs commands, as `shell` makes it. */
type Shell = (argv: string[], world?: World) => Promise<Run>;

/** A line of `orders watch -o ndjson`. */
export type WatchEvent = Record<string, unknown> & { event: string; order?: Record<string, unknown> };

/** The events on standard output, in their order. */
export function eventsOf({ stdout }: Pick<Run, "stdout">): WatchEvent[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as WatchEvent);
}

/** The order_id of each new order, in their order. */
export function newIds(run: Pick<Run, "stdout">): unknown[] {
  return eventsOf(run).flatMap(({ event, order }) => (event === "order.new" ? [order?.["order_id"]] : []));
}

/** The beginning of a line of a long run where standard error is no terminal. */
export const logTime = /^\d{4}-\d\d-\d\dT[\d:]+[+-]\d\d:\d\d /gm;

/** Returns the output of a long run in a pipe without the time that each line of text begins with; a line that lacks it fails the test. */
export function withoutTimes(stderr: string): string {
  return stderr
    .split("\n")
    .map((line) => {
      if (line === "" || line.startsWith('{"error":')) return line;
      const [time = ""] = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d /.exec(line) ?? [];
      if (time === "") throw new Error(`a line without its time: ${line}`);
      return line.slice(time.length);
    })
    .join("\n");
}

/** Polls once: `orders watch --once -o ndjson`. */
export function watchOnce(run: Shell, ...argv: string[]): Promise<Run> {
  return run(["orders", "watch", "--once", "-o", "ndjson", "--retries", "0", ...argv]);
}

/** How a watch is to go that is stopped after a number of polls. */
export interface Polling {
  polls: number;
  argv?: string[];
  /** Acts in the pause after the nth poll, 1 being the first. */
  after?: (poll: number) => unknown;
  clock?: FakeClock;
  world?: World;
}

/** Watches on a fake clock, without retries, and stops in the pause after the last of the polls. */
export function watchPolls(
  run: Shell,
  { polls, argv = [], after, clock = fakeClock(), world = {} }: Polling,
): Promise<Run> {
  let done = 0;
  let stop = (): void => undefined;
  return run(["orders", "watch", "-o", "ndjson", "--retries", "0", ...argv], {
    ...world,
    clock: {
      now: () => clock.now(),
      sleep: async (ms, signal) => {
        done += 1;
        await after?.(done);
        if (done >= polls) stop();
        await clock.sleep(ms, signal);
      },
    },
    onStart: (means) => {
      stop = means;
    },
  });
}

/** Lists orders by state, `since` and page as the service does, and keeps the addresses it was asked for. */
export function orderBook(orders: Record<string, unknown>[]): { answer: Answer; asked: URL[] } {
  const asked: URL[] = [];
  const answer: Answer = (url) => {
    asked.push(url);
    const { status = "pendiente", since, page = "1" } = Object.fromEntries(url.searchParams);
    const from = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since);
    const listed = orders
      .filter((order) => order["status"] === status && Number(order["created_at"]) > from)
      .sort((a, b) => Number(a["created_at"]) - Number(b["created_at"]));
    const first = (Number(page) - 1) * 20;
    return {
      body: pageOf(listed.slice(first, first + 20), {
        page: Number(page),
        total: listed.length,
        has_more: listed.length > first + 20,
      }),
    };
  };
  return { answer, asked };
}
