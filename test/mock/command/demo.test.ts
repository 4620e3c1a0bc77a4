import { readdirSync } from "node:fs";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { quickClock, speed } from "../../support/quick-clock.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
import { sized } from "../../support/soak.ts";

const env = { NO_COLOR: "1" };
const scene = /^\d\. .*\n(?:.+\n)?\$ bpos /gm;

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
        if (text.endsWith("Enter: more · Ctrl-C: end")) stdin.write("\n");
        url = /http:\S+\/\n/.exec(text)?.[0].trim() ?? "";
        leave = () => (end === "Enter" ? void stdin.write("\n") : stop());
      },
      onError(text) {
        // Four wait when it begins: one has come in live.
        if (url !== "" && !isLooking && / [5-9] waiting/.test(text)) void look().catch(() => undefined);
      },
    });
    expect(code).toBe(0);
    expect(scenesAtHints).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    // The list that is looked at moves on.
    expect(seen[0]?.world).toMatchObject({ frozen: false, scenario: "empty" });
    if (end === "Enter") expect(seen.at(-1)?.states).toContain("entregado");
    expect(stdout).toMatch(/\nThat was the day\. To go on:\n(?: {2}bpos .*\n){3}$/);
    expect(stderr).not.toContain("Stopped by Ctrl-C");
  },
);

it.each([24, 30])("bpos demo on a terminal of %s rows waits before it scrolls a title away", async (rows) => {
  const stdin = new PassThrough();
  const hints = /Enter: (?:more|next scene) · Ctrl-C: end$|\nEnter: end\n$/;
  const shown: string[] = [];
  const { code, stdout } = await shell()(["demo"], {
    ...{ env, stdin, terminal: 80, rows, clock: quickClock() },
    onOutput(text) {
      if (!hints.test(text)) return;
      shown.push(text);
      stdin.write("\n");
    },
  });
  expect(code).toBe(0);
  // Each hint stands in the last row at the latest, and what it follows begins below the hint before.
  const pages = shown.map((text, index) => text.slice(shown[index - 1]?.length ?? 0));
  for (const page of pages) {
    const begun = page.replace(/^[\s\S]*(?=\n1\. )|^.*\u001b\[2K/, "");
    expect(begun.split("\n").length).toBeLessThanOrEqual(rows + 1);
  }
  expect(pages.filter((page) => page.includes("Enter: more")).length).toBeGreaterThan(2);
  // The words on a screen hold of what it shows.
  expect(stdout).not.toContain("--retries 0");
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
    expect(clock.now() - began).toBeLessThan(15_000 * speed);
    expect(stdout.match(scene)).toHaveLength(9);
    expect(stdout).not.toContain("Enter");
    const told = [
      /^\$ bpos catalog push prices.csv\n(.*\n)+?.*POS-01.*"consultar" is not a price/m,
      /^Sent {2,}2\n/m,
      /Order \d+ .* CANCELADO/,
      /REPLAYED/,
      /\+5491155550003 .* responded/,
      /http:\/\/127\.0\.0\.1:\d+\/\n\$ bpos orders watch --compact\n/,
    ];
    for (const part of told) expect(stdout).toMatch(part);
    const tables = stdout.split(/^─+$/m).slice(1);
    for (const table of tables)
      expect((table.split("\n\n")[0] ?? "").trim().split("\n").length).toBeLessThanOrEqual(12);
    expect(tables.length > 5).toBe(terminal !== undefined);
    expect(stderr).toMatch(/No response: .*503.*The service is responding again/s);
    expect(stdout + stderr).not.toContain("bpk_");
    expect(readdirSync(home, { recursive: true })).toEqual(["state"]);
  },
);
