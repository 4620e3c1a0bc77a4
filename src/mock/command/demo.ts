import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { mayAsk, type Ui, uiFor } from "../../cli/output.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { textStream } from "../../cli/terminal.ts";
import { heading } from "../../cli/text.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import type { OrdersResponse } from "../../contract/order.ts";
import { BposError, exitCodes } from "../../errors.ts";
import { folders } from "../../settings/folders.ts";
import type { OutStream, System } from "../../system.ts";
import { type RunningMock, startMock } from "../index.ts";
import type { DemoFlags } from "./command.ts";
import { type EnterKey, enterKey } from "./enter-key.ts";

const ref = "demo";

interface Step {
  say: string;
  argv: string[];
  before?: () => Promise<unknown>;
}

/** Found by the name of the package: the build puts this module into another folder. */
const packageFolder = dirname(createRequire(import.meta.url).resolve("bpos/package.json"));
const fixture = (name: string): string => join(packageFolder, "fixtures", name);

function steps({ texts }: Runtime, mock: RunningMock): Step[] {
  const words = texts.demo;
  const { control } = mock;
  const flags = ["--template", "pedido_listo", "--ref", ref, "--yes"];
  const send = ["campaign", "send", fixture("recipients.csv"), ...flags];
  const customerOrders = async (): Promise<void> => {
    // The kitchen takes what waits, so that the watch has one order to show: the new one.
    for (const id of await waitingIds(mock)) await control.setOrderStatus(id, "en_preparacion");
    await control.placeOrders({ branch: "demo", count: 1 });
  };
  const fiveMinutesPass = () => control.moveClock({ advance_ms: 5 * 60_000 });
  return [
    { say: words.push, argv: ["catalog", "push", fixture("catalog.csv")] },
    { say: words.list, argv: ["orders", "list"] },
    { say: words.watch, argv: ["orders", "watch", "--once"], before: customerOrders },
    { say: words.send, argv: send },
    { say: words.again, argv: send },
    { say: words.status, argv: ["campaign", "status", "--ref", ref], before: fiveMinutesPass },
  ];
}

async function waitingIds({ baseUrl, keys }: RunningMock): Promise<number[]> {
  const answer = await fetch(`${baseUrl}/v1/orders`, { headers: { "X-API-Key": keys[0]?.key ?? "" } });
  const { orders } = (await answer.json()) as OrdersResponse;
  return orders.map((order) => Number(order.order_id));
}

/** The same outside world with a home of its own, pointed at the mock, and nobody to ask. */
function insideDemo({ system, texts }: Runtime, home: string, mock: RunningMock): System {
  const env = Object.fromEntries(Object.entries(system.env).filter(([name]) => !name.startsWith("BPOS_")));
  return {
    ...system,
    env: { ...env, BPOS_HOME: home, BPOS_MOCK: mock.baseUrl, BPOS_LANG: texts.language, BPOS_PAGER: "" },
  };
}

async function temporaryHome(state: string): Promise<string> {
  try {
    await mkdir(state, { recursive: true, mode: 0o700 });
    return await mkdtemp(join(state, "demo-"));
  } catch (error) {
    const facts = { file: state, detail: (error as Error).message, isOwn: true } as const;
    throw new BposError("output_unwritable", facts, { cause: error });
  }
}

type Stage = {
  runtime: Runtime;
  mock: RunningMock;
  stdout: OutStream;
  ui: Ui;
  enter: EnterKey | undefined;
};

/** Enter ends the line of the hint. */
async function pause({ stdout, ui, enter }: Stage, hint: string): Promise<void> {
  if (enter === undefined) return;
  await stdout.write(`\n${ui.theme.dim(hint)}`);
  await enter.pressed();
}

const interrupted = (): BposError => new BposError("interrupted", { during: "work" });

function goOn({ signal }: Runtime): void {
  if (signal.aborted) throw interrupted();
}

async function tour(stage: Stage, home: string): Promise<void> {
  const { runtime, mock, stdout, ui } = stage;
  const inside = insideDemo(runtime, home, mock);
  const color = runtime.flags.color === false ? ["--no-color"] : [];
  for (const [n, { say, argv, before }] of steps(runtime, mock).entries()) {
    if (n > 0) await pause(stage, runtime.texts.demo.next);
    goOn(runtime);
    await before?.();
    const shown = argv.map((word) => word.replace(/^.*[\\/]fixtures[\\/]/, "fixtures/")).join(" ");
    const lines = [...heading(say, ui), ui.theme.dim(`$ bpos --mock ${shown}`)];
    await stdout.write(`\n${lines.join("\n")}\n`);
    const code = await runtime.main([...argv, ...color], inside);
    // Rejected rows are part of the tour; anything else is not.
    if (code === exitCodes.interrupted) throw interrupted();
    goOn(runtime);
    if (code !== exitCodes.ok && code !== exitCodes.partial) {
      const detail = `the demo's step "bpos ${shown}" ended with exit code ${code}`;
      throw new BposError("bug", { detail });
    }
  }
}

/** Leaves the world to whoever looks at it, until Enter or Ctrl-C. */
async function stayOpen(stage: Stage): Promise<void> {
  const { runtime, mock, stdout, ui } = stage;
  const { stays, leave } = runtime.texts.demo;
  await mock.control.moveClock({ frozen: false });
  await stdout.write(`\n${heading(stays, ui).join("\n")}\n  ${ui.theme.accent(mock.consoleUrl)}\n`);
  await pause(stage, leave);
  // Behind the ^C that the terminal shows.
  if (runtime.signal.aborted) await stdout.write("\n");
}

export async function demo(runtime: Runtime, flags: DemoFlags): Promise<void> {
  const { system, texts, signal } = runtime;
  const stdout = textStream(system.stdout, system);
  const ui = uiFor(stdout, runtime);
  const isWatched = !flags.yes && stdout.isTerminal && mayAsk(runtime);
  const home = await temporaryHome(folders(system).state);
  // A frozen world: the tour is the same at every run, however long it takes.
  const mock = await startMock({ clock: isoWithOffset(system.clock.now()) });
  const enter = isWatched ? enterKey(system.stdin, signal) : undefined;
  const stage = { runtime, mock, stdout, ui, enter };
  try {
    await stdout.write(`${heading(texts.demo.title, ui).join("\n")}\n`);
    await tour(stage, home);
    await stdout.write(`\n${heading(texts.demo.end, ui).join("\n")}\n`);
    if (isWatched) await stayOpen(stage);
  } finally {
    await enter?.release();
    await mock.close();
    await rm(home, { recursive: true, force: true });
  }
}
