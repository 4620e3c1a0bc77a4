import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mayAsk } from "../../cli/display/output.ts";
import { textStream } from "../../cli/display/terminal.ts";
import { heading } from "../../cli/display/text.ts";
import { type Ui, uiFor } from "../../cli/display/ui.ts";
import { termList } from "../../cli/line/help.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { isoWithOffset, type OrderState } from "../../contract/limits.ts";
import { BposError, exitCodes } from "../../errors.ts";
import { readOwnFile } from "../../own-files.ts";
import { folders } from "../../settings/folders.ts";
import type { OutStream, System } from "../../system.ts";
import { shellWord } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import { type RunningMock, startMock } from "../index.ts";
import type { DemoFlags } from "./command.ts";
import { type EnterKey, openEnterKey, openPages, type Pages } from "./enter-key.ts";
import { formatPointing } from "./greeting.ts";

const minuteMs = 60_000;
/** The world begins so long ago, moves on in the scenes, and is at the present when orders come in live. */
const beganMs = 24 * minuteMs;
/** When the last scene ends if nobody presses Enter, in milliseconds from the start: the whole demo takes less than 15 s. */
const wholeMs = 12_500;
const liveMs = { min: 4_000, max: 6_000 };
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

interface Scene {
  say: string;
  /** Makes the events before the scene happen, and runs its commands. */
  commands: () => string[][] | Promise<string[][]>;
}

const watchOnce = ["orders", "watch", "--once"];
/** Her phone is one of those that always get the message. */
const first = { nombre: "Delfina Molina", telefono: "+5491155550003" };
const names = ["Leandro Correa", "Valentina Sosa", "Gustavo Rivero", "Ramiro Ojeda"];

/** The requests that one poll makes with its retries. */
const outageCalls = 5;

const files = ["prices.csv", "new-prices.csv", "customers.csv"];

export async function demo(runtime: Runtime, flags: DemoFlags): Promise<void> {
  const { system, outTexts: texts, signal } = runtime;
  const isWatched = !flags.yes && system.stdout.isTerminal && mayAsk(runtime);
  const home = await makeHome(folders(system).state);
  // A frozen world: the day is the same in every run, however long it takes.
  const mock = await startMock({ scenario: "empty", clock: isoWithOffset(system.clock.now() - beganMs) });
  const enter = isWatched ? openEnterKey(system.stdin, signal) : undefined;
  const pages = openDemoPages(runtime, enter);
  const stdout = pages?.stdout ?? textStream(system.stdout, system);
  const ui = uiFor(stdout, runtime);
  const stage = { runtime, mock, stdout, ui, enter, pages, startedAt: system.clock.now() };
  const inside = makeDemoSystem(runtime, home, mock);

  try {
    const follow = texts.t("To join in from another terminal:");
    const pointing = `${follow} ${ui.theme.strong(formatPointing(mock, system.platform))}`;
    const titleText = texts.t("A day at a shop with bpos, on a mock: nothing here is real.");
    await stdout.write(`${heading(titleText, ui).join("\n")}\n${isWatched ? `${pointing}\n` : ""}`);
    await showScenes(
      stage,
      pages === undefined ? inside : { ...inside, stdout: pages.stdout, stderr: pages.stderr },
    );
    await pause(stage, nextText(texts.t));
    checkInterruption(runtime);

    await showLive(stage, inside);
    await showHeading(stage, texts.t("That was the day. To go on:"));
    await stdout.write(`${termList(nextCommands(texts.t), ui.width ?? 80, ui.theme.accent).join("\n")}\n`);
  } finally {
    await enter?.release();
    await mock.close();
    await rm(home, { recursive: true, force: true });
  }
}

const nextCommands = (t: T): [command: string, what: string][] => [
  ["bpos mock --open", t("the same shop in your browser, with its page")],
  ["bpos --mock orders list", t("rehearse any command without a key")],
  ["bpos init", t("set up your branch: its key and addresses")],
];

const listCatalogScenes = (t: T): Scene[] => [
  {
    say: t("Morning: the price list is pushed. One row is wrong: bpos reports its line and sends the rest."),
    commands: () => [["catalog", "push", "prices.csv"]],
  },
  {
    say: t("A price changes and the wrong row is fixed: only these two rows are sent."),
    commands: () => [["catalog", "push", "new-prices.csv", "--changed-only"]],
  },
];

function listOrderScenes(t: T, { control }: RunningMock): Scene[] {
  let firstId = "";
  const order = async (customer: object): Promise<string> => {
    await control.moveClock({ advance_ms: 2 * minuteMs });
    const [placed] = await control.placeOrders({ order: { cliente: customer } });
    return String(placed?.order_id);
  };

  return [
    {
      say: t("A customer orders. `bpos orders watch` delivers the order once, as a ticket."),
      async commands() {
        firstId = await order(first);
        return [watchOnce];
      },
    },
    {
      say: t("Noon: more orders come in, one line each. The list shows all waiting orders."),
      async commands() {
        for (const nombre of names.slice(1)) await order({ nombre });
        return [
          [...watchOnce, "--compact"],
          ["orders", "list"],
        ];
      },
    },
    {
      say: t("A customer cancels. The next poll reports it before the kitchen starts."),
      commands: () => [["mock", "orders", "set", firstId, "cancelado"], watchOnce],
    },
    {
      say: t("An order comes in while the service is briefly down. bpos retries, and the order is not lost."),
      async commands() {
        await order({ nombre: names[0] });
        return [
          ["mock", "fault", `GET /v1/orders status=503 times=${outageCalls}`],
          ["orders", "watch"],
        ];
      },
    },
  ];
}

function listCampaignScenes(t: T): Scene[] {
  const send = ["campaign", "send", "customers.csv", "--template", "pedido_listo", "--ref", "demo", "--yes"];
  return [
    {
      say: t(
        "Orders are ready: each customer in the file gets a message. One phone is wrong: bpos reports it and sends the rest.",
      ),
      commands: () => [send],
    },
    { say: t("The same file is sent again: nobody is messaged twice."), commands: () => [send] },
    {
      say: t("Five minutes later a customer replies. Who received the message, who read it, who replied?"),
      commands: () => [
        ["mock", "advance", "5m"],
        ["mock", "reply", first.telefono, t("Thanks, on my way"), "-q"],
        ["campaign", "status", "--ref", "demo"],
      ],
    },
  ];
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
  pages: Pages | undefined;
  startedAt: number;
};

/** Enter ends the line of the hint. */
async function pause({ stdout, ui, enter, pages }: Stage, hint: string): Promise<void> {
  if (enter === undefined) return;
  pages?.turn();
  await stdout.write(`\n${ui.theme.dim(hint)}`);
  await enter.pressed();
}

const newInterruption = (): BposError => new BposError("interrupted", { during: "work" });

function checkInterruption({ signal }: Runtime): void {
  if (signal.aborted) throw newInterruption();
}

async function showHeading({ stdout, ui, pages }: Stage, say: string): Promise<void> {
  pages?.turn();
  await stdout.write(`\n${heading(say, ui).join("\n")}\n`);
}

/** Shows a command and runs it in the demo's world. */
async function runCommand({ runtime, stdout, ui }: Stage, argv: string[], inside: System): Promise<void> {
  const shown = argv.map(shellWord).join(" ");
  await stdout.write(`${ui.theme.dim(`$ bpos ${shown}`)}\n`);
  const color = runtime.flags.color === false ? ["--no-color"] : [];
  const code = await runtime.main([...argv, ...color], inside);
  // Rejected rows are part of the day; anything else is not.
  if (code === exitCodes.ok || code === exitCodes.partial) return;
  if (code === exitCodes.interrupted) throw newInterruption();
  throw new BposError("bug", { detail: `the demo's "bpos ${shown}" ended with exit code ${code}` });
}

/** Runs a watch until Ctrl-C or until `ended` resolves. `told` resolves when the watch has delivered an order and printed a notice after it. */
async function watchUntil(
  stage: Stage,
  argv: string[],
  inside: System,
  ended: (told: Promise<void>) => Promise<void>,
) {
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

  const watching = runCommand(stage, argv, watched).catch((error: unknown) => {
    if (!stopped.aborted) throw error;
  });
  await Promise.race([watching, ended(told)]);
  over.abort();
  await watching;
}

const nextText = (t: T): string => t("Enter: next scene · Ctrl-C: end");

async function showScenes(stage: Stage, inside: System): Promise<void> {
  const { runtime, mock } = stage;
  const { t } = runtime.outTexts;
  const scenes = [...listCatalogScenes(t), ...listOrderScenes(t, mock), ...listCampaignScenes(t)];

  for (const [n, { say, commands }] of scenes.entries()) {
    if (n > 0) await pause(stage, nextText(t));
    checkInterruption(runtime);
    await showHeading(stage, `${n + 1}. ${say}`);
    for (const argv of await commands()) {
      const endsByItself = argv[1] !== "watch" || argv.includes("--once");
      if (endsByItself) await runCommand(stage, argv, inside);
      else await watchUntil(stage, argv, inside, (told) => told);
      checkInterruption(runtime);
    }
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
async function showLive(stage: Stage, inside: System): Promise<void> {
  const { runtime, mock, stdout, ui, enter, startedAt } = stage;
  const { system, outTexts: texts, signal } = runtime;
  const over = new AbortController();
  await mock.control.moveClock({ now: isoWithOffset(system.clock.now()) });
  await mock.control.moveClock({ frozen: false });

  const live = texts.t(
    "Evening: orders come in live, here and in the console, where you can place your own:",
  );
  await showHeading(stage, live);
  await stdout.write(`  ${ui.theme.accent(mock.consoleUrl)}\n`);
  if (enter !== undefined) await stdout.write(`${ui.theme.dim(texts.t("Enter: end"))}\n`);

  const selling = keepSelling(stage, AbortSignal.any([signal, over.signal]));
  const watched = watchUntil(stage, ["orders", "watch", "--compact"], inside, async () => {
    const leftMs = startedAt + wholeMs - system.clock.now();
    const untilMs = Math.max(liveMs.min, Math.min(liveMs.max, leftMs));
    if (enter === undefined) return system.clock.sleep(untilMs, signal);

    await enter.pressed();
    // Enter has moved the cursor off the line that the watch draws.
    if (!signal.aborted) await system.stderr.write("\u001b[A");
  });
  // After a failed watch, no more orders may be placed on the closed mock.
  await watched.finally(() => over.abort());
  await selling;
}

/** Streams that wait for Enter at the end of each page. */
function openDemoPages({ plain, outTexts }: Runtime, enter: EnterKey | undefined): Pages | undefined {
  if (enter === undefined) return undefined;
  return openPages(
    { stdout: textStream(plain.stdout, plain), stderr: plain.stderr },
    enter,
    outTexts.t("Enter: more · Ctrl-C: end"),
  );
}
