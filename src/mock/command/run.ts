import { once } from "node:events";
import { resolve } from "node:path";
import * as z from "zod";
import { type Output, openOutput } from "../../cli/display/output.ts";
import { onlyGiven } from "../../cli/line/flags.ts";
import { meantBy } from "../../cli/line/spellings.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { announceMock, livingMocks, worldFailure } from "../../cli/session/mocks.ts";
import { BposError } from "../../errors.ts";
import type { System } from "../../system.ts";
import type { PageTools } from "../core/shop/orders.ts";
import {
  type RequestRow,
  type RunningMock,
  readScenarioDefinition,
  type Scenario,
  type StartMockOptions,
  scenarioNames,
  startMock,
} from "../index.ts";
import type { MockFlags } from "./command.ts";
import { formatGreeting, formatPointing, mockUpText } from "./greeting.ts";
import { formatRequest } from "./requests.ts";

const defaultPort = 4010;
const maxWaiting = 1_000;

export async function run(runtime: Runtime, flags: MockFlags, tools: PageTools): Promise<void> {
  const { system, signal } = runtime;
  const output = openOutput(runtime, ["table", "json", "ndjson"]);
  const options = await readOptions(runtime, flags);
  const mock = await startMock(options, tools).catch(async (error: unknown) => {
    throw await explainFailure(system, error, options);
  });
  const forget = await announceMock(system, mock.baseUrl);

  try {
    const pointing = formatPointing(mock, system.platform);
    const isForPeople = output.format === "table" && system.stdout.isTerminal;
    if (isForPeople) {
      const { scenario } = await mock.control.world();
      await output.data(formatGreeting(mock, scenario, pointing, output.ui));
    } else {
      const { baseUrl: base_url, campaignsBaseUrl: campaigns_base_url, consoleUrl: console_url, keys } = mock;
      const started = { base_url, campaigns_base_url, console_url, keys, pid: system.pid };
      await output.data(`${JSON.stringify(started)}\n`);
      if (system.stderr.isTerminal) await output.block(`${mockUpText(pointing, runtime.texts.t)}\n`);
    }
    if (flags.open) void openConsole(runtime, mock, output);

    if (isForPeople) {
      await printRequests(mock, output, signal);
      // After the ^C that the terminal shows.
      await output.data("\n");
    } else if (!signal.aborted) {
      await once(signal, "abort");
    }
  } finally {
    forget();
    await mock.close();
  }
}

async function readScenario({ system }: Runtime, wanted: string): Promise<Scenario> {
  const name = scenarioNames.find((each) => each === wanted);
  if (name !== undefined) return name;
  if (!/[./\\]/.test(wanted)) {
    const similar = meantBy(wanted, scenarioNames);
    const problem = { kind: "scenario_unknown", text: wanted, similar, names: scenarioNames } as const;
    throw new BposError("usage_flag", { problem });
  }

  // Loaded here: the built-in scenarios start without it.
  const { openInput } = await import("../../input/files/file.ts");
  const { bytes, name: file } = await openInput(wanted, system.stdin, system.cwd);
  try {
    const text = Buffer.from(bytes).toString("utf8");
    return readScenarioDefinition(JSON.parse(text) as unknown);
  } catch (error) {
    const problem = { kind: "scenario_broken", file, said: (error as Error).message } as const;
    throw new BposError("usage_flag", { problem }, { cause: error });
  }
}

async function readOptions(runtime: Runtime, flags: MockFlags): Promise<StartMockOptions> {
  const { system } = runtime;
  const { host, port = defaultPort, seed, clock, speed, webhookUrl, fault: faults } = flags;
  if (clock !== undefined && !z.iso.datetime({ offset: true }).safeParse(clock).success) {
    const problem = { kind: "value", flag: "--clock", text: clock, problem: { kind: "not_clock" } } as const;
    throw new BposError("usage_flag", { problem });
  }

  const scenario = flags.scenario === undefined ? undefined : await readScenario(runtime, flags.scenario);
  const data = flags.data === undefined ? undefined : resolve(system.cwd, flags.data);
  const { lang } = runtime.flags;
  const options = onlyGiven({ host, port, scenario, seed, clock, speed, data, faults, webhookUrl, lang });
  return { ...options, now: () => system.clock.now() };
}

async function explainFailure(system: System, error: unknown, options: StartMockOptions): Promise<unknown> {
  const { host = "127.0.0.1", port = 0 } = options;
  const { code, message, name } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") {
    const mocks = await livingMocks(system);
    const known = mocks.find(({ url }) => new URL(url).port === String(port));
    return new BposError("port_busy", {
      host,
      port,
      pid: known?.pid ?? (await system.findListener(port)) ?? null,
    });
  }
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EACCES")
    return new BposError("usage_flag", { problem: { kind: "host_unusable", host, port, detail: message } });
  if (name === "MockRefusal")
    return new BposError("usage_flag", { problem: { kind: "mock_refused", said: message } });
  return worldFailure(error);
}

/** Prints each request until the signal aborts; if the terminal is too slow, only the newest. */
async function printRequests(mock: RunningMock, output: Output, signal: AbortSignal): Promise<void> {
  const waiting: RequestRow[] = [];
  let isPrinting = false;
  const print = async (): Promise<void> => {
    if (isPrinting) return;
    isPrinting = true;
    while (waiting.length > 0) {
      const lines = waiting.splice(0).map((row) => formatRequest({ ...row }, output.ui));
      await output.data(lines.join(""));
    }
    isPrinting = false;
  };

  await new Promise<void>((resolve, reject) => {
    const stop = mock.onRequest((row) => {
      waiting.push(row);
      if (waiting.length > maxWaiting) waiting.shift();
      print().catch(reject);
    });
    const end = (): void => {
      stop();
      resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}

async function openConsole({ system }: Runtime, { consoleUrl }: RunningMock, output: Output): Promise<void> {
  if (await system.openUrl(consoleUrl)) return;
  await output.warning(output.texts.t("Could not open a browser. Open {url} yourself.", { url: consoleUrl }));
}
