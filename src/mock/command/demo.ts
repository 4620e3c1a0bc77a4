import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mayAsk } from "../../cli/display/output.ts";
import { textStream } from "../../cli/display/terminal.ts";
import { heading, paragraph } from "../../cli/display/text.ts";
import { canRedraw, type Ui, uiFor } from "../../cli/display/ui.ts";
import { termList } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { isoWithOffset, type OrderState } from "../../contract/limits.ts";
import { BposError, exitCodes } from "../../errors.ts";
import { readOwnFile } from "../../own-files.ts";
import { folders } from "../../settings/folders.ts";
import type { OutStream, System } from "../../system.ts";
import { shellWord } from "../../texts/phrases.ts";
import { type RunningMock, startMock } from "../index.ts";
import type { DemoFlags } from "./command.ts";
import { recordOutput } from "./cut-output.ts";
import { beganMs, listScenes, liveScene, nextCommands, type Scene } from "./demo-scenes.ts";
import { type EnterKey, openEnterKey } from "./enter-key.ts";

/** How long the live scene lasts if nobody presses Enter. */
const liveMs = 4_000;
const arrivalMs = { watched: 4_000, unwatched: 1_200 };

/** The next state of an order, once there are more than `kept` of them in its state: of those that are seen for a minute some reach the end. */
const ways: readonly { from: OrderState; kept: number; to: OrderState }[] = [
  { from: "pendiente", kept: 5, to: "en_preparacion" },
  { from: "en_preparacion", kept: 2, to: "listo" },
  { from: "listo", kept: 1, to: "asignado" },
  { from: "asignado", kept: 1, to: "en_camino" },
  { from: "en_camino", kept: 1, to: "entregado" },
];
/** One order in nine is cancelled in the kitchen. */
const cancelledOf = 9;

const files = ["prices.csv", "new-prices.csv", "customers.csv"];

export async function demo(runtime: Runtime, flags: DemoFlags): Promise<void> {
  const { system, outTexts: texts, signal } = runtime;
  const isWatched = !flags.yes && system.stdout.isTerminal && mayAsk(runtime);
  const home = await makeHome(folders(system).state);
  // A frozen world: the day is the same in every run, however long it takes.
  const mock = await startMock({ scenario: "empty", clock: isoWithOffset(system.clock.now() - beganMs) });
  const enter = isWatched ? openEnterKey(system.stdin, signal) : undefined;
  const stdout = textStream(system.stdout, system);
  const ui = uiFor(stdout, runtime);
  const stage = { runtime, mock, stdout, ui, enter, inside: makeDemoSystem(runtime, home, mock) };

  try {
    const intro = texts.t("A day at a shop with bpos, on a mock: nothing here is real.");
    await stdout.write(`${paragraph(intro, ui).join("\n")}\n`);
    const scenes = listScenes(texts.t, mock);
    await showScenes(stage, scenes);
    await showLive(stage, scenes.length + 1);
    await stdout.write(`\n${heading(texts.t("That was the day. To go on:"), ui).join("\n")}\n`);
    await stdout.write(`${termList(nextCommands(texts.t), ui.width ?? 80, ui.theme.accent).join("\n")}\n`);
  } finally {
    await enter?.release();
    await mock.close();
    await rm(home, { recursive: true, force: true });
  }
}

/** The same system with a separate home folder, pointed at the mock, without questions. */
function makeDemoSystem({ system, plain, outTexts }: Runtime, home: string, mock: RunningMock): System {
  const env = Object.fromEntries(Object.entries(plain.env).filter(([name]) => !name.startsWith("BPOS_")));
  const own = { BPOS_HOME: home, BPOS_MOCK: mock.baseUrl, BPOS_LANG: outTexts.language, BPOS_PAGER: "" };
  const log = system.log === undefined ? {} : { BPOS_LOG_FORMAT: "json" };
  return { ...plain, cwd: join(home, "shop"), env: { ...env, ...own, ...log } };
}

async function makeHome(state: string): Promise<string> {
  try {
    await mkdir(state, { recursive: true, mode: 0o700 });
    const home = await mkdtemp(join(state, "demo-"));
    const shop = join(home, "shop");
    await mkdir(shop);
    for (const name of files) await writeFile(join(shop, name), readOwnFile(`fixtures/demo/${name}`));
    return home;
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
  /** The demo's world, in which the commands run. */
  inside: System;
};

/** Waits for Enter, then moves what was shown off the screen, where one can scroll back to it. */
async function pause({ runtime, stdout, ui, enter }: Stage): Promise<void> {
  checkInterruption(runtime);
  if (enter === undefined) return;
  const hint = runtime.outTexts.t("Enter: next scene · Ctrl-C: end");
  await stdout.write(`\n${ui.theme.dim(hint)}`);
  await enter.pressed();
  if (runtime.signal.aborted) await stdout.write("\n");
  checkInterruption(runtime);
  if (canRedraw(stdout, runtime.system)) await stdout.write(`${"\n".repeat(stdout.rows() ?? 0)}\u001b[H`);
}

const newInterruption = (): BposError => new BposError("interrupted", { during: "question" });

function checkInterruption({ signal }: Runtime): void {
  if (signal.aborted) throw newInterruption();
}

/** Makes what happened before the scene, and shows its title and why it matters. */
async function openScene(stage: Stage, { title, why, prepare }: Scene, n: number, hint?: string) {
  const { stdout, ui } = stage;
  await prepare?.();
  const lines = [...heading(`${n}. ${title}`, ui), ...paragraph(why, ui)];
  if (hint !== undefined) lines.push(ui.theme.dim(hint));
  await stdout.write(`\n${lines.join("\n")}\n\n`);
}

/** Shows a command and runs it in the demo's world. */
async function runCommand(
  { runtime, stdout, ui }: Stage,
  { argv, shows }: Scene,
  inside: System,
): Promise<void> {
  const shown = argv.map(shellWord).join(" ");
  await stdout.write(`${ui.theme.dim("$")} ${ui.theme.strong(`bpos ${shown}`)}\n`);
  const color = runtime.flags.color === false ? ["--no-color"] : [];
  const record = shows && recordOutput(inside);
  const code = await runtime.main([...argv, ...color], record?.system ?? inside);
  // Rejected rows are part of the day; anything else is not.
  const isExpected = code === exitCodes.ok || code === exitCodes.partial;
  await record?.play(isExpected ? shows : undefined, ui);
  if (isExpected) return;
  if (code === exitCodes.interrupted) throw newInterruption();
  throw new BposError("bug", { detail: `the demo's "bpos ${shown}" ended with exit code ${code}` });
}

/** Runs a watch until Ctrl-C or until `ended` resolves. `told` resolves when the watch has delivered an order and printed a notice after it. */
async function watchUntil(
  stage: Stage,
  scene: Scene,
  ended: (told: Promise<void>) => Promise<void>,
): Promise<void> {
  const { inside } = stage;
  const { stdout, stderr } = inside;
  const over = new AbortController();
  const stopped = AbortSignal.any([over.signal, stage.runtime.signal]);

  let isDelivered = false;
  let tell = (): void => undefined;
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });

  const watched: System = {
    ...inside,
    stdout: {
      ...stdout,
      write(text) {
        isDelivered = true;
        return stdout.write(text);
      },
    },
    stderr: {
      ...stderr,
      async write(text) {
        const isSentence = !/^[\r\u0007]/.test(text);
        // The last message of a watch is for the person who pressed Ctrl-C; the watch still removes what it drew.
        if (!isSentence || !stopped.aborted) await stderr.write(text);
        if (isSentence && isDelivered) tell();
      },
    },
    onSignal(handler) {
      if (over.signal.aborted) handler();
      over.signal.addEventListener("abort", handler, { once: true });
      return inside.onSignal(handler);
    },
  };

  const watching = runCommand(stage, scene, watched).catch((error: unknown) => {
    if (!stopped.aborted) throw error;
  });
  await Promise.race([watching, ended(told)]);
  over.abort();
  await watching;
}

async function showScenes(stage: Stage, scenes: readonly Scene[]): Promise<void> {
  const { inside } = stage;
  for (const [index, scene] of scenes.entries()) {
    await openScene(stage, scene, index + 1);
    const endsByItself = scene.argv[1] !== "watch" || scene.argv.includes("--once");
    if (endsByItself) await runCommand(stage, scene, inside);
    else await watchUntil(stage, scene, (told) => told);
    await pause(stage);
  }
}

/** Moves the oldest order of each state on; somebody may have moved it on the page. */
async function moveOldest({ control }: RunningMock, own: ReadonlySet<number>): Promise<void> {
  for (const { from, kept, to } of ways) {
    const there = (await control.orders()).filter((each) => each.status === from && own.has(each.order_id));
    const [oldest] = there.length > kept ? there : [];
    if (oldest === undefined) continue;

    const isPickedUp = from === "listo" && oldest.delivery_type === "pick_up";
    const isCancelled = from === "en_preparacion" && oldest.order_id % cancelledOf === 0;
    const end = isCancelled ? "cancelado" : isPickedUp ? "entregado" : to;
    await control.setOrderStatus(oldest.order_id, end);
  }
}

/** Places orders and moves them on, until the signal aborts. Those that somebody else places stay where they are. */
async function keepSelling({ runtime, mock, enter }: Stage, signal: AbortSignal): Promise<void> {
  const own = new Set((await mock.control.orders()).map(({ order_id }) => order_id));
  for (;;) {
    const pauseMs = enter === undefined ? arrivalMs.unwatched : arrivalMs.watched;
    await runtime.system.clock.sleep(pauseMs, signal);
    if (signal.aborted) return;

    for (const { order_id } of await mock.control.placeOrders()) own.add(order_id);
    await moveOldest(mock, own);
  }
}

/** A watch with live orders, until Enter or Ctrl-C; for a few seconds without a terminal. */
async function showLive(stage: Stage, n: number): Promise<void> {
  const { runtime, mock, enter } = stage;
  const { system, outTexts: texts, signal } = runtime;
  const over = new AbortController();
  const scene = liveScene(texts.t, mock);
  await openScene(stage, scene, n, enter && texts.t("Enter: end"));
  await mock.control.moveClock({ now: isoWithOffset(system.clock.now()) });
  await mock.control.moveClock({ frozen: false });

  const selling = keepSelling(stage, AbortSignal.any([signal, over.signal]));
  const watched = watchUntil(stage, scene, async () => {
    if (enter === undefined) return system.clock.sleep(liveMs, signal);

    await enter.pressed();
    // Enter has moved the cursor off the line that the watch draws.
    if (!signal.aborted) await system.stderr.write("\u001b[A");
  });
  // After a failed watch, no more orders may be placed on the closed mock.
  await watched.finally(() => over.abort());
  await selling;
}
