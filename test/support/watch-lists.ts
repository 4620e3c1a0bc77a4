import { type FakeClock, fakeClock } from "./fake-clock.ts";
import type { Run, World } from "./run.ts";
import { eventsOf, type WatchEvent } from "./watch.ts";

type Shell = (argv: string[], world?: World) => Promise<Run>;

/** The pause of `catalog watch` between two looks. */
const lookMs = 500;

interface Looking {
  /** It is stopped in the pause after so many looks. */
  looks: number;
  /** What happens in the pause after the nth look, 1 being the first. */
  after?: (look: number) => unknown;
  argv?: string[];
  clock?: FakeClock;
  world?: World;
}

/** Runs `catalog watch PLACE -o ndjson` on a fake clock that begins now, as the times of files do, and stops it. */
export async function watchLists(
  run: Shell,
  place: string,
  { looks, after, argv = [], clock = fakeClock(Date.now()), world = {} }: Looking,
): Promise<Run & { events: WatchEvent[] }> {
  let done = 0;
  let stop = (): void => undefined;
  const ended = await run(["catalog", "watch", place, "-o", "ndjson", "--retries", "0", ...argv], {
    ...world,
    clock: {
      now: () => clock.now(),
      async sleep(ms, signal) {
        if (ms === lookMs) {
          done += 1;
          await after?.(done);
          if (done >= looks) stop();
        }
        await clock.sleep(ms, signal);
      },
    },
    onStart: (means) => {
      stop = means;
    },
  });
  return { ...ended, events: eventsOf(ended) };
}
