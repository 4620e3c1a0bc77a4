// `npm run docs:recordings` writes docs/images/{demo,watch,push}.svg: what a terminal shows of a real run against the mock.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { main } from "../src/main.ts";
import { type RunningMock, startMock } from "../src/mock/index.ts";
import { type OutStream, realSystem, type System } from "../src/system.ts";
import { type Size, terminalSvg, type Written } from "./recordings/terminal-svg.ts";

const root = join(import.meta.dirname, "..");
process.env["TZ"] = "America/Argentina/Buenos_Aires";
const began = Date.parse("2026-01-01T12:00:00-03:00");

interface Recording {
  name: string;
  title: string;
  /** As it is typed. */
  line: string;
  argv: string[];
  size: Size;
  /** After what time Enter is pressed, once the command wrote this. */
  enterMs?: (text: string) => number | undefined;
  /** Acts while the command runs, then stops it. */
  play?: (mock: RunningMock, stop: () => void) => Promise<void>;
}

const recordings: readonly Recording[] = [
  {
    name: "demo",
    title: "bpos demo: a shop's day, against a mock",
    line: "bpos demo",
    argv: ["demo"],
    size: { columns: 80, rows: 24 },
    enterMs: (text) =>
      text.includes("Enter: next scene") ? 2_500 : text.includes("Enter: end") ? 12_000 : undefined,
  },
  {
    name: "watch",
    title: "bpos orders watch --compact: the waiting orders on one screen",
    line: "bpos orders watch --compact --late 10m",
    argv: ["orders", "watch", "--compact", "--late", "10m", "--interval", "1s"],
    size: { columns: 92, rows: 14 },
    async play(mock, stop) {
      await pause(2_000);
      await mock.control.placeOrders({ count: 1 });
      await pause(2_500);
      await mock.control.placeOrders({ count: 2 });
      await pause(2_500);
      await mock.control.setOrderStatus(1003, "en_preparacion");
      await pause(2_500);
      stop();
    },
  },
  {
    name: "push",
    title: "bpos catalog push: a price list from Excel, with the row that was rejected",
    line: "bpos catalog push fixtures/catalog.xlsx --rejected rejected.xlsx",
    argv: ["catalog", "push", "fixtures/catalog.xlsx", "--rejected", "rejected.xlsx"],
    size: { columns: 92, rows: 22 },
  },
];

/** The keystrokes of a line, slow enough to read. */
const typed = (line: string): Written[] => [
  { at: 0, text: "\u001b[32m$\u001b[0m " },
  ...Array.from(line.match(/.{1,6}/g) ?? [], (text, n) => ({ at: 600 + n * 130, text })),
  { at: 1_000 + (line.length / 6) * 130, text: "\r\n" },
];

async function record({ line, argv, size, enterMs, play }: Recording): Promise<Written[]> {
  const written = typed(line);
  const startAt = (written.at(-1)?.at ?? 0) + 300;
  const home = mkdtempSync(join(tmpdir(), "bpos-recording-"));
  symlinkSync(join(root, "fixtures"), join(home, "fixtures"));
  const mock = await startMock({ clock: new Date(began).toISOString(), port: 0 });
  let stopped = false;
  const begin = performance.now();
  const now = (): number => Math.round(performance.now() - begin);
  const stdin = new PassThrough();
  const stream: OutStream = {
    isTerminal: true,
    columns: () => size.columns,
    rows: () => size.rows,
    write(text) {
      // The last frame shows the output, not the end of the command.
      if (!stopped) written.push({ at: startAt + now(), text });
      const ms = enterMs?.(text);
      if (ms !== undefined) void pause(ms).then(() => stdin.write("\n"));
      return Promise.resolve();
    },
    isMidLine: () => false,
    isBehind: () => false,
    watch: () => () => undefined,
  };
  const handlers = new Set<(name: "SIGINT") => void>();
  const real = realSystem();
  const system: System = {
    ...real,
    env: {
      BPOS_HOME: home,
      BPOS_MOCK: mock.baseUrl,
      BPOS_LANG: "en",
      // The picture has a palette of its own.
      TERM: "xterm-16color",
      LANG: "en_US.UTF-8",
    },
    cwd: home,
    host: "caja-1",
    stdin: Object.assign(stdin, { isTerminal: enterMs !== undefined }),
    stdout: stream,
    stderr: stream,
    clock: { ...real.clock, now: () => began + now() },
    onSignal(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
  };
  const stop = (): void => {
    stopped = true;
    for (const handler of handlers) handler("SIGINT");
  };
  await Promise.all([main(argv, system), play?.(mock, stop)]);
  await mock.close();
  rmSync(home, { recursive: true, force: true });
  return written;
}

const wanted = process.argv.slice(2);
for (const recording of recordings.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const svg = await terminalSvg(await record(recording), recording.size, recording.title);
  writeFileSync(join(root, "docs/images", `${recording.name}.svg`), svg);
  process.stdout.write(`docs/images/${recording.name}.svg ${Math.round(svg.length / 1024)} kB\n`);
}
