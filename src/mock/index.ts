import { campaignsBase, createApp } from "./app.ts";
import { createControl, type MockControl } from "./control.ts";
import { LiveWorld } from "./live-world.ts";
import { badInput } from "./refusal.ts";
import { RequestLog } from "./request-log.ts";
import { activeKeys, type MockKey, type ScenarioName } from "./scenarios.ts";
import { listen } from "./server.ts";
import { parseInstant } from "./time.ts";

export type { MockControl } from "./control.ts";
export type { MockKey } from "./scenarios.ts";

/** How a mock starts. */
export interface StartMockOptions {
  /** Default 0, a free port. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Default demo. */
  scenario?: ScenarioName;
  /** A whole number; the same seed, clock and calls make the same world. Default 1. */
  seed?: number;
  /** RFC 3339 with seconds and an offset: time stands still there until it is moved. */
  clock?: string;
  /** World milliseconds for each real one. Default 1. */
  speed?: number;
  /** The real time, epoch milliseconds. Default this machine's. */
  now?: () => number;
}

/** A mock that runs. */
export interface RunningMock {
  baseUrl: string;
  campaignsBaseUrl: string;
  /** The active keys. */
  keys: readonly MockKey[];
  /** The control API, without HTTP. */
  control: MockControl;
  /** Stops at once; connections that are open are ended. */
  close(): Promise<void>;
}

/**
 * Starts the whole service of `spec.md` on a loopback port; several at once share nothing. Rejects with Node's error when
 * it cannot listen (EADDRINUSE), and with a MockRefusal when an option is none.
 *
 * @example
 * const mock = await startMock({ scenario: "demo", clock: "2026-01-01T12:00:00-03:00" });
 * await fetch(`${mock.baseUrl}/v1/orders`, { headers: { "X-API-Key": "bpk_demo_centro" } });
 * await mock.control.moveClock({ advance_ms: 60_000 });
 * await mock.close();
 */
export async function startMock(options: StartMockOptions = {}): Promise<RunningMock> {
  const { port = 0, host = "127.0.0.1", scenario = "demo", seed = 1, clock, speed = 1 } = options;
  const frozenAt = clock === undefined ? null : parseInstant(clock);
  if (clock !== undefined && frozenAt === null) {
    throw badInput("clock: RFC 3339 with seconds and an offset is required");
  }
  if (!Number.isFinite(speed) || speed < 0) throw badInput("speed: a number from 0 up is required");
  if (!Number.isSafeInteger(seed)) throw badInput("seed: a whole number is required");
  // eslint-disable-next-line no-restricted-syntax -- the default of a public option: a test file that starts a mock has no System
  const now = options.now ?? (() => Date.now());
  // Nothing is kept on disk: the events are applied and forgotten.
  const record = (): void => undefined;
  const live = new LiveWorld({ scenario, seed, speed, frozenAt, now, record });
  const log = new RequestLog();
  const control = createControl(live, log);
  const server = await listen(createApp({ live, control, log }), host, port);
  const baseUrl = `http://${host.includes(":") ? `[${host}]` : host}:${server.port}`;
  return {
    baseUrl,
    campaignsBaseUrl: baseUrl + campaignsBase,
    keys: activeKeys.map((key) => ({ ...key })),
    control,
    close: server.close,
  };
}
