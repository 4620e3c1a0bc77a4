import { readdirSync } from "node:fs";
import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { startMock } from "../../../src/mock/index.ts";
import { languages } from "../../../src/texts/texts.ts";
import { quickClock, speed } from "../../support/quick-clock.ts";
import { fixture, shell, temporaryFolder } from "../../support/run.ts";
import { sized } from "../../support/soak.ts";

const env = { NO_COLOR: "1" };
const scene = /^\d\. .+\n.+\n(?:Enter: end\n)?\n\$ bpos /gm;

it.each(sized(["Enter"], ["Enter", "Ctrl-C"]))(
  "bpos demo on a terminal goes on at each Enter, and shows orders live beside its console until %s",
  async (end) => {
    const stdin = new PassThrough();
    const scenesAtHints: number[] = [];
    let url = "";
    let leave = (): void => undefined;
    let isLooking = false;
    const seen: { world: unknown; states: string[] }[] = [];
    const ask = async (what: string) => (await fetch(`${url}_mock/${what}`)).json();
    const look = async (): Promise<void> => {
      isLooking = true;
      const { orders } = (await ask("orders")) as { orders: { status: string }[] };
      seen.push({ world: await ask("world"), states: orders.map(({ status }) => status) });
      isLooking = false;
      // Who stays for a while sees an order through to its end.
      if (end === "Ctrl-C" || seen.at(-1)?.states.includes("entregado")) leave();
    };
    const { code, stdout, stderr } = await shell()(["demo"], {
      ...{ env, stdin, terminal: 120, clock: quickClock() },
      onOutput(text, stop) {
        if (text.endsWith("\nEnter: next scene · Ctrl-C: end")) {
          scenesAtHints.push(text.match(scene)?.length ?? 0);
          stdin.write("\n");
        }
        url = /http:\S+\/\n/.exec(text)?.[0].trim() ?? "";
        leave = () => (end === "Enter" ? void stdin.write("\n") : stop());
      },
      onError(text) {
        // Four wait when it begins: one has come in live.
        if (url !== "" && !isLooking && / [5-9] waiting/.test(text)) void look().catch(() => undefined);
      },
    });
    expect(code).toBe(0);
    expect(scenesAtHints).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    // The list that is looked at moves on.
    expect(seen[0]?.world).toMatchObject({ frozen: false, scenario: "empty" });
    if (end === "Enter") expect(seen.at(-1)?.states).toContain("entregado");
    expect(stdout).toMatch(/\nThat was the day\. To go on:\n(?: {2}bpos .*\n){3}$/);
    expect(stderr).not.toContain("Stopped by Ctrl-C");
  },
);

/** Columns of a line of a terminal without the signs of its colours. */
const widthOf = (line: string): number => stripVTControlCharacters(line).length;

it.each(languages)(
  "bpos demo in %s shows each scene on a screen of 80 x 24, with one command",
  async (lang) => {
    const stdin = new PassThrough();
    const [columns, rows] = [80, 24];
    const screens = [""];
    const seen = { stdout: 0, stderr: 0 };
    let isLive = false;
    /** The two streams as a terminal shows them; what a watch draws over itself stands in the rows below. */
    const show = (name: "stdout" | "stderr", text: string): void => {
      const added = text.slice(seen[name]);
      seen[name] = text.length;
      if (isLive || added.startsWith("\r")) return;
      screens.push(...`${screens.pop() ?? ""}${added}`.split(/\n+\u001b\[H/));
    };
    const { code, stdout } = await shell()(["demo"], {
      ...{ env: { ...env, BPOS_LANG: lang }, stdin, terminal: columns, rows, clock: quickClock() },
      onOutput(text) {
        show("stdout", text);
        isLive = text.endsWith("$ bpos orders watch --compact\n");
        if (isLive || /Ctrl-C: \w+$/.test(text)) stdin.write("\n");
      },
      onError: (text) => show("stderr", text),
    });
    expect(code).toBe(0);
    expect(screens).toHaveLength(9);
    for (const [n, screen] of screens.entries()) {
      const lines = screen.split("\n");
      const rowsOf = (line: string): number => Math.max(1, Math.ceil(widthOf(line) / columns));
      expect(
        lines.reduce((sum, line) => sum + rowsOf(line), 0),
        screen,
      ).toBeLessThanOrEqual(rows);
      expect(Math.max(...lines.map(widthOf)), screen).toBeLessThanOrEqual(columns);
      // Title, sentence, command: one of each.
      expect(screen, screen).toMatch(
        new RegExp(`^(?:.+\n)?\n${n + 1}\\. .+\n.+\n(?:Enter: .+\n)?\n\\$ bpos .+\n`),
      );
      expect(screen.match(/^\$ /gm), screen).toHaveLength(1);
    }
    expect(stdout).toMatch(/\n.+:\n(?: {2}bpos .*\n){3}$/);
  },
);

it("bpos demo shows the output of its command, and says how many lines it leaves out", async () => {
  const run = shell();
  const { stdout: day } = await run(["demo", "--yes"], { env, clock: quickClock() });
  const mock = await startMock({ scenario: "empty" });
  onTestFinished(() => mock.close());
  const pushed = await run(["catalog", "push", "prices.csv"], {
    env: { ...env, BPOS_MOCK: mock.baseUrl },
    cwd: fixture("demo"),
  });
  const linesOf = (text: string): string[] =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .slice(1);
  const real = linesOf(pushed.stdout);
  const shown = linesOf(/^\$ bpos catalog push prices\.csv\n(.*?)\n\n2\. /ms.exec(day)?.[1] ?? "");
  const [left = ""] = shown.filter((line) => !real.includes(line));
  expect(left).toMatch(/^… \d+ lines left out$/);
  expect(shown.length - 1 + Number(/\d+/.exec(left)?.[0])).toBe(real.length);
});

it("bpos demo is interrupted by Ctrl-C between two scenes", async () => {
  const { code, stdout } = await shell()(["demo"], {
    ...{ env, stdin: new PassThrough(), terminal: 120 },
    onOutput: (text, stop) => {
      if (text.endsWith("Ctrl-C: end")) stop();
    },
  });
  expect(code).toBe(130);
  expect(stdout.match(scene)).toHaveLength(1);
});

const waitingForNobody = [
  [["demo", "--yes"], 120],
  [["demo"], undefined],
  [["demo", "--no-input"], 120],
] as const;
it.each(waitingForNobody.slice(0, sized(1, 3)))(
  "bpos %s on a terminal of %s columns tells the whole day and waits for nobody",
  async (argv, terminal) => {
    const clock = quickClock();
    const world = terminal === undefined ? {} : { terminal };
    const began = clock.now();
    const home = temporaryFolder();
    const { code, stdout, stderr } = await shell()([...argv], {
      ...world,
      env: { ...env, BPOS_HOME: home },
      clock,
      stdin: new PassThrough(),
    });
    expect(code).toBe(0);
    // Without the time that the commands take.
    expect(clock.now() - began).toBeLessThan(12_000 * speed);
    expect(stdout.match(scene)).toHaveLength(9);
    expect(stdout).not.toContain("Enter");
    const told = [
      /^\$ bpos catalog push prices.csv\n(.*\n)+?.*POS-01.*"consultar" is not a price/m,
      /^Done\. 8 rows: 2 accepted, 6 unchanged\.$/m,
      /Order \d+ .* CANCELADO/,
      /REPLAYED/,
      /^Responded +3 +50 %/m,
      /http:\/\/127\.0\.0\.1:\d+\/\n\n\$ bpos orders watch --compact\n/,
    ];
    for (const part of told) expect(stdout).toMatch(part);
    expect(stderr).toMatch(/No response: .*503.*The service is responding again/s);
    expect(stdout + stderr).not.toContain("bpk_");
    expect(readdirSync(home, { recursive: true })).toEqual(["state"]);
  },
);
