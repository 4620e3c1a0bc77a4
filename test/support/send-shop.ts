import { type FakeClock, fakeClock } from "./fake-clock.ts";
import { shell, type World } from "./run.ts";
import { service } from "./service.ts";

/** A Thursday, 20:30 in Buenos Aires and São Paulo, 00:30 on Friday in Madrid. */
const evening = Date.UTC(2026, 10, 26, 23, 30);
/** An instant as a date and a time of UTC. */
export const localTime = (instant: number): string => new Date(instant).toISOString().slice(0, 16);

/** A mock whose clock is that of the commands, with the means to see who was messaged when. */
export async function shop(now = evening, world: World = {}) {
  const clock = fakeClock(now);
  const { mock, env } = await service({ scenario: "empty", now: () => clock.now() });
  const run = shell({ clock, ...world, env: { ...env, ...world.env } });
  /** The calls of the service: when each came, and to whom. */
  const calls = async () => {
    const messages = await mock.control.messages();
    const campaigns = (await mock.control.campaigns()) as { campaign_id: string; created_at?: unknown }[];
    return campaigns.map(({ campaign_id: id }) => {
      const own = messages.filter(({ campaign_id }) => campaign_id === id);
      return {
        at: localTime(Date.parse(String((own[0] as { at?: unknown }).at))),
        phones: own.map(({ phone }) => phone),
      };
    });
  };
  return { run, clock, mock, calls };
}

/** Stops the command where it would wait for the first time after `pauses` others. */
export function stopsAfter(clock: FakeClock, pauses: number): World {
  let stop = (): void => undefined;
  let left = pauses;
  return {
    onStart: (means) => {
      stop = means;
    },
    clock: {
      now: () => clock.now(),
      sleep(ms, signal) {
        if (left-- <= 0) stop();
        return clock.sleep(ms, signal);
      },
    },
  };
}
