import type { Runtime } from "../../../cli/runtime.ts";
import { envWord } from "../../../delivery/outputs.ts";
import type { WatchFlags } from "../command.ts";
import type { Health } from "./health.ts";
import { OutageAlarm } from "./outage-alarm.ts";
import type { Ping } from "./ping.ts";

const defaultOutageMs = 10 * 60_000;
const minAgeMs = 3 * 60_000;

/** The parts of a watch that its listeners need. */
interface Heard {
  runtime: Runtime;
  flags: WatchFlags;
  /** The time from one poll to the next. */
  intervalMs: number;
  health: Health;
  screen: Record<"say" | "warn", (text: string) => Promise<void>>;
  ending: { signal: AbortSignal };
}

/**
 * Opens what the flags ask for: alarms, a ping, a health server, until health is closed. Throws `usage_flag` for the URL of a ping,
 * and as `startServer` does.
 */
export async function openListeners(heard: Heard): Promise<void> {
  const { runtime, flags, health, screen } = heard;
  const { listeners, branches } = health;
  const maxAgeMs = flags.maxAge ?? Math.max(3 * heard.intervalMs, minAgeMs);
  const { onEvent } = runtime;
  if (onEvent !== undefined)
    listeners.alarms.push(
      new OutageAlarm({
        afterMs: flags.outageAfter ?? defaultOutageMs,
        clock: runtime.system.clock,
        due: (branch) => onEvent({ event: "outage", branch: envWord(branch) }),
        over: (branch) => onEvent({ event: "recovered", branch: envWord(branch) }),
      }),
    );

  if (flags.ping !== undefined) {
    const ping = await openPing(heard, flags.ping, maxAgeMs);
    listeners.ping = ping;
    listeners.closing.push(() => ping.close());
  }
  const { metrics } = health;
  if (flags.health !== undefined && metrics !== undefined) {
    const { openHealthServer } = await import("./server.ts");
    const source = { branches, maxAgeMs, metrics, askOwed: () => health.askOwed() };
    listeners.closing.push(await openHealthServer(runtime, flags.health, source, screen));
  }
}

async function openPing(
  { runtime, flags, health, screen, ending }: Heard,
  address: string,
  maxAgeMs: number,
): Promise<Ping> {
  const { Ping, readPingUrl } = await import("./ping.ts");
  const url = readPingUrl(address);
  const { branches } = health;
  const ping = new Ping(runtime, {
    url,
    maxAgeMs,
    branches,
    askOwed: () => health.askOwed(),
    warn: screen.warn,
    // The ping of a single poll is its last work.
    signal: flags.once === true ? runtime.signal : ending.signal,
  });
  const { clock } = runtime.system;
  health.listeners.alarms.push(new OutageAlarm({ afterMs: maxAgeMs, clock, due: () => ping.failed() }));
  return ping;
}
