import { exclusive, needsFlag } from "../../cli/line/flags.ts";
import { envWord } from "../../delivery/outputs.ts";
import type { WatchFlags } from "./command.ts";
import type { Watching } from "./notices.ts";
import { OutageAlarm } from "./outage-alarm.ts";

const defaultOutageMs = 10 * 60_000;
const minAgeMs = 3 * 60_000;

export function checkHealthFlags({ health, ping, once, maxAge, onFailure, outageAfter }: WatchFlags): void {
  if (health !== undefined && once === true) throw exclusive("--health", "--once");
  if (maxAge !== undefined && health === undefined && ping === undefined)
    throw needsFlag("--max-age", "--health");
  if (outageAfter !== undefined && onFailure === undefined) throw needsFlag("--outage-after", "--on-failure");
}

/** Tells others how the branches fare, as the flags ask for it. What it returns ends that. */
export async function openListeners(watching: Watching): Promise<() => Promise<void>> {
  const { flags } = watching;
  const { listeners } = watching.health;
  const maxAgeMs = flags.maxAge ?? Math.max(3 * watching.intervalMs, minAgeMs);
  if (watching.runtime.onEvent !== undefined) openEvents(watching);
  const closing: (() => Promise<void>)[] = [];

  if (flags.ping !== undefined) {
    const ping = await openPing(watching, flags.ping, maxAgeMs);
    listeners.ping = ping;
    closing.push(() => ping.close());
  }
  if (flags.health !== undefined) {
    const { Metrics } = await import("../../cli/health/metrics.ts");
    const { openHealthServer } = await import("../../cli/health/server.ts");
    const { runtime, health, screen } = watching;
    const metrics = new Metrics("watch");
    listeners.metrics = metrics;
    const { branches } = health;
    const source = { branches, maxAgeMs, metrics, askOwed: () => health.askOwed() };
    closing.push(await openHealthServer(runtime, flags.health, source, screen));
  }
  return async () => {
    await Promise.all(closing.map((close) => close()));
  };
}

/** Runs --on-failure in an outage that lasts, and after it. */
function openEvents({ runtime, flags, health }: Watching): void {
  const tell = (event: "outage" | "recovered", branch: string): void =>
    runtime.onEvent?.({ event, branch: envWord(branch) });
  const alarm = new OutageAlarm({
    afterMs: flags.outageAfter ?? defaultOutageMs,
    clock: runtime.system.clock,
    due: (branch) => tell("outage", branch),
    over: (branch) => tell("recovered", branch),
  });
  health.listeners.alarms.push(alarm);
}

async function openPing(
  { runtime, flags, health, screen, ending }: Watching,
  address: string,
  maxAgeMs: number,
) {
  const { Ping, readPingUrl } = await import("../../cli/health/ping.ts");
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
