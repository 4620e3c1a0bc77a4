import { setMaxListeners } from "node:events";
import { setTimeout } from "node:timers/promises";
import { Hono } from "hono";
import type { ConsoleSetting } from "./console/console.ts";
import { Control, type MockControl } from "./control/control.ts";
import { controlRoutes, requireLocal } from "./control/routes.ts";
import { lastInstant, parseInstant } from "./core/clock.ts";
import { serviceRoutes } from "./core/endpoints.ts";
import { campaignsBase, type FaultInput, type FaultRule, readFault } from "./core/faults.ts";
import { type Call, type HttpEnv, listen, sendRefusal } from "./core/http.ts";
import { logRequests } from "./core/log-requests.ts";
import { badInput, MockRefusal } from "./core/refusal.ts";
import { RequestLog, type RequestRow } from "./core/request-log.ts";
import type { PageTools } from "./core/shop/orders.ts";
import { readTarget, type Sleep, Webhook } from "./core/webhook.ts";
import { LiveWorld, type WorldStart } from "./core/world/live-world.ts";
import { defineScenario, type MockKey, readScenario, type Scenario } from "./core/world/scenarios.ts";

export { scenarioNames } from "../contract/limits.ts";
export type { MockControl } from "./control/control.ts";
export { type ArmedFault, type FaultInput, type FaultRule, parseFaultRule } from "./core/faults.ts";
export { type MockDataCode, MockDataError, MockRefusal } from "./core/refusal.ts";
export type { RequestRow } from "./core/request-log.ts";
export {
  type MockKey,
  readScenarioDefinition,
  type Scenario,
  type ScenarioDefinition,
} from "./core/world/scenarios.ts";

/** How a mock starts. */
export interface StartMockOptions {
  /** Default 0, a free port. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** A built-in scenario by name, or the user's own. Default demo. */
  scenario?: Scenario;
  /** A whole number; the same seed, clock and calls make the same world. Default: the scenario's seed, or 1. */
  seed?: number;
  /** RFC 3339 with seconds and an offset: the clock is frozen there until it is moved. */
  clock?: string;
  /** World milliseconds for each real one. Default 1. */
  speed?: number;
  /** The http or https URL that receives the replies that become due after the start. Default none. */
  webhookUrl?: string;
  /** The real time, epoch milliseconds. Default this machine's. */
  now?: () => number;
  /**
   * An SQLite file that keeps the world: created if missing, continued otherwise, and open to several
   * processes at the same time. Scenario, seed, clock and speed, if given, must be those it was started with. Default
   * in memory.
   */
  data?: string;
  /** Faults to start with, for example `POST /campaigns status=502 times=2`. They replace those of a kept world. */
  faults?: readonly (string | FaultInput)[];
  /** The language of the mock's page. Default that of the browser. */
  lang?: "en" | "es" | "es-AR";
  /** Time limits for receiving a request, in real milliseconds: its headers, and all of it. Default 10 s and 30 s. */
  timeouts?: { headers: number; request: number };
  /** Pauses of real time, which the webhook and the fault `delay` take. Default this machine's. */
  sleep?: Sleep;
}

/** A running mock. */
export interface RunningMock {
  baseUrl: string;
  campaignsBaseUrl: string;
  /** The URL of its page. */
  consoleUrl: string;
  /** The active keys, those of the scenario. */
  keys: readonly MockKey[];
  /** The control API, without HTTP. */
  control: MockControl;
  /** Calls `listener` with each request to the service and each webhook attempt. Returns a function that stops it. */
  onRequest(listener: (row: RequestRow) => void): () => void;
  /** Random, and renewed by every reset; null for a world in memory. Every answer names it, in the header `Bpos-Mock-World`. */
  readonly worldId: string | null;
  /** Stops immediately and closes open connections. */
  close(): Promise<void>;
}

// Only the server keeps the process alive, no timer does.
const realSleep: Sleep = (ms, signal) =>
  setTimeout(ms, undefined, { ref: false, signal }).catch(() => undefined);

let latestBeginning = 0;

/** A millisecond of this machine's clock in which no world of this process has begun. */
function nextBeginning(): number {
  // eslint-disable-next-line no-restricted-syntax -- a world must not begin twice in one millisecond, whatever clock the caller gives
  latestBeginning = Math.max(Date.now(), latestBeginning + 1);
  return latestBeginning;
}

/** Reads the start of the world. Throws MockRefusal 400 for an invalid option. */
function readStart(options: StartMockOptions): WorldStart {
  const { clock, speed = 1 } = options;
  const scenario = readScenario(options.scenario ?? "demo");
  const seed = options.seed ?? defineScenario(scenario).seed ?? 1;
  const frozenAt = clock === undefined ? null : parseInstant(clock);
  if (clock !== undefined && frozenAt === null)
    throw badInput("clock: RFC 3339 with seconds and an offset is required");
  if (frozenAt !== null && (frozenAt < 0 || frozenAt > lastInstant))
    throw badInput("clock: it runs from 1970 to 9998");
  if (!Number.isFinite(speed) || speed < 0) throw badInput("speed: a number from 0 up is required");
  if (!Number.isSafeInteger(seed)) throw badInput("seed: a whole number is required");
  // eslint-disable-next-line no-restricted-syntax -- the default of a public option: a test file that starts a mock has no System
  const now = options.now ?? (() => Date.now());
  const beginning = options.now === undefined ? { beginning: nextBeginning } : {};
  return { scenario, seed, speed, frozenAt, now, ...beginning };
}

interface OpenWorld {
  readonly live: LiveWorld;
  readonly isKept: boolean;
  readonly close: () => void;
}

/** Opens the world that the file of `data` keeps, or one in memory. */
async function openWorld(options: StartMockOptions, start: WorldStart): Promise<OpenWorld> {
  const { data, scenario } = options;
  if (data === undefined) return { live: new LiveWorld(start), isKept: false, close: () => undefined };

  // SQLite is loaded here, so that a world in memory starts without it.
  const { openKeptWorld } = await import("./core/world/store.ts");
  const asked = { ...options, scenario: scenario && start.scenario };
  return { ...openKeptWorld(data, start, asked), isKept: true };
}

/** Loaded on the first visit: a mock for tests starts without its page. */
function consoleRoutes(app: Hono<HttpEnv>, parts: ConsoleSetting): void {
  let loaded: Promise<Hono<HttpEnv>> | undefined;
  const load = async () => (await import("./console/console.ts")).createConsole(parts);
  for (const path of ["/", "/openapi.json", "/console/*"])
    app.get(path, requireLocal, async (call) => {
      loaded ??= load();
      return (await loaded).fetch(call.req.raw, call.env);
    });
}

function toRefusal(error: Error): MockRefusal {
  if (error instanceof MockRefusal) return error;
  if ("code" in error && String(error.code).startsWith("SQLITE_"))
    return new MockRefusal(503, `the file of the world cannot be used now: ${error.message}`);
  return new MockRefusal(500, "internal error in the mock");
}

function createApp(parts: ConsoleSetting): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError((error, call: Call) => sendRefusal(call, toRefusal(error)));
  app.notFound((call: Call) => {
    const isTaken = (method: string): boolean =>
      app.router.match(method, call.req.path)[0].some(([[, route]]) => route.method === method);
    const allow = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter(isTaken).join(", ");
    if (allow === "") return sendRefusal(call, new MockRefusal(404, "this path does not exist"));
    return sendRefusal(call, new MockRefusal(405, `the method must be ${allow}`, { allow }));
  });
  logRequests(app, parts.live, parts.log);
  serviceRoutes(app, parts);
  controlRoutes(app, parts.control);
  consoleRoutes(app, parts);
  return app;
}

function toRunningMock(
  { live, isKept }: OpenWorld,
  control: MockControl,
  log: RequestLog,
  close: RunningMock["close"],
): RunningMock {
  const baseUrl = log.origin;
  return {
    baseUrl,
    campaignsBaseUrl: baseUrl + campaignsBase,
    consoleUrl: `${baseUrl}/`,
    get keys() {
      return Array.from(live.look().world.keys.values(), (key) => ({ ...key }));
    },
    control,
    onRequest(listener) {
      log.onAdd.add(listener);
      return () => log.onAdd.delete(listener);
    },
    get worldId() {
      return isKept ? live.worldId() : null;
    },
    close,
  };
}

/** Arms faults, which replace those of a kept world. */
function armAlone(live: LiveWorld, faults: readonly FaultRule[]): void {
  live.transact(() => {
    const { age } = live.look();
    live.commit({ type: "faults_cleared", age });
    for (const rule of faults) live.commit({ type: "fault_armed", age, rule });
  });
}

/**
 * Starts the whole service of `docs/reference/service.md` on a loopback port; several mocks share nothing. Rejects with Node's error when
 * it cannot listen (EADDRINUSE), with a MockRefusal for an invalid option, and with a MockDataError (`code` is
 * MOCK_DATA_REFUSED or MOCK_DATA_UNWRITABLE) when the file of `data` cannot be used.
 *
 * @example
 * const mock = await startMock({ scenario: "demo", clock: "2026-01-01T12:00:00-03:00" });
 * await fetch(`${mock.baseUrl}/v1/orders`, { headers: { "X-API-Key": "bpk_demo_centro" } });
 * await mock.control.moveClock({ advance_ms: 60_000 });
 * await mock.close();
 */
export async function startMock(options: StartMockOptions = {}, tools: PageTools = {}): Promise<RunningMock> {
  const { port = 0, host = "127.0.0.1", timeouts = { headers: 10_000, request: 30_000 } } = options;
  const { sleep = realSleep, lang } = options;
  const start = readStart(options);
  const own = { host, port };
  const webhookUrl = options.webhookUrl ?? null;
  // This check comes before a file is created.
  if (webhookUrl !== null) readTarget(webhookUrl, own);
  const faults = options.faults?.map((fault) => readFault(fault));
  const world = await openWorld(options, start);
  const { live } = world;
  if (faults) armAlone(live, faults);

  const log = new RequestLog();
  const webhook = new Webhook({ live, log, sleep, own });
  webhook.setUrl(webhookUrl);
  const control = new Control(live, log, webhook);

  const closing = new AbortController();
  // Any number of requests may be delayed at the same time.
  setMaxListeners(0, closing.signal);
  const app = createApp({ live, control, log, webhook, sleep, closing: closing.signal, lang, ...tools });
  const server = await listen(app, live, { host, port, timeouts }).catch((error: unknown) => {
    webhook.stop();
    world.close();
    throw error;
  });

  own.port = server.port;
  log.origin = `http://${host.includes(":") ? `[${host}]` : host}:${server.port}`;
  return toRunningMock(world, control, log, async () => {
    closing.abort();
    webhook.stop();
    await server.close();
    world.close();
  });
}
