import { describe, expect, it } from "vitest";
import { lacksSigns, withSafePrompts } from "../../src/cli/display/terminal.ts";
import { canRedraw } from "../../src/cli/display/ui.ts";
import { questionWords } from "../../src/cli/line/questions.ts";
import type { OutStream, System } from "../../src/system.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { campaignServer, person, statusOf } from "../support/campaign-server.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { fixedServer, orderOf, pageOf } from "../support/peers.ts";
import { shell } from "../support/run.ts";
import { pointedAt } from "../support/service.ts";

describe("a terminal", () => {
  it.each<[boolean, NodeJS.Platform, Record<string, string>]>([
    [false, "linux", {}],
    [false, "linux", { TERM: "xterm-256color", LANG: "es_AR.UTF-8" }],
    [false, "linux", { LANG: "es_AR" }],
    [false, "linux", { LC_ALL: "C.utf8", LANG: "C" }],
    [true, "linux", { LC_ALL: "C", LANG: "es_AR.UTF-8" }],
    [true, "linux", { LC_CTYPE: "POSIX", LANG: "es_AR.UTF-8" }],
    [false, "linux", { LC_ALL: "", LANG: "es_AR.UTF-8@euro" }],
    [true, "linux", { LANG: "es_AR.ISO-8859-1" }],
    [true, "linux", { TERM: "linux", LANG: "es_AR.UTF-8" }],
    [true, "darwin", { TERM: "dumb", LANG: "es_AR.UTF-8" }],
    [true, "win32", {}],
    [true, "win32", { TERM: "dumb", WT_SESSION: "1" }],
    [false, "win32", { WT_SESSION: "6f1a" }],
    [false, "win32", { TERM: "xterm", LANG: "C.UTF-8" }],
    [false, "win32", { TERM_PROGRAM: "vscode" }],
  ])("lacks our signs: %s on %s with %j", (lacks, platform, env) =>
    expect(lacksSigns(env, platform)).toBe(lacks),
  );

  it("is drawn over unless it is dumb; a pipe is not", () => {
    const stream = (isTerminal: boolean) => ({ isTerminal }) as OutStream;
    expect(canRedraw(stream(true), { env: { TERM: "xterm" } })).toBe(true);
    expect(canRedraw(stream(true), { env: { TERM: "dumb" } })).toBe(false);
    expect(canRedraw(stream(false), { env: {} })).toBe(false);
  });

  it("gets questions in which no name acts, in its own signs", async () => {
    const asked: string[] = [];
    const ask =
      <T>(value: T) =>
      (question: string) => {
        asked.push(question);
        return Promise.resolve(value);
      };
    const world = (env: Record<string, string>): System["prompts"] =>
      withSafePrompts({
        ...{ env, platform: "linux", stderr: { isTerminal: true } },
        prompts: { confirm: ask(true), choose: ask(0), text: ask(""), secret: ask("") },
      } as unknown as System).prompts;
    const { signal } = new AbortController();
    const words = questionWords(textsIn("en").t);
    await world({}).confirm("Remove \u001b[2Jcentro…?", signal, words);
    await world({ LC_ALL: "C" }).confirm("Remove \u202ecentro…?", signal, words);
    await world({}).choose("Which\n?", ["a"], { signal, words });
    await world({}).text("\tName", { check: () => undefined }, signal);
    await world({ LC_ALL: "C" }).secret("Key · \u0007", { check: () => undefined, words }, signal);
    expect(asked).toEqual(["Remove ␛[2Jcentro…?", "Remove <U+202E>centro~?", "Which⏎?", "␉Name", "Key - ?"]);
  });
});

const strange = orderOf(1, { cliente: { nombre: "Ñandú · 寿司 …", telefono: "+5491155550000" } });
const shop = (): Promise<string> => fixedServer(() => ({ body: pageOf([strange]) }));
/** Signs beyond ASCII that are no letters. */
const SIGNS = /[^\n\x20-\x7e\p{L}¿¡]/u;

describe("on a terminal that lacks our signs", () => {
  const env = async (more: Record<string, string> = {}) => ({
    ...pointedAt(await shop()),
    ...{ LC_ALL: "C", NO_COLOR: "1" },
    ...more,
  });

  it.each([
    ["a list", ["orders", "list"]],
    ["a ticket", ["orders", "show", "1"]],
    ["the help", ["orders", "--help"]],
    ["all help", ["--help"]],
    ["an error", ["orders", "show", "x…"]],
    ["a refused flag", ["orders", "list", "--page", "…"]],
    ["a missing file", ["catalog", "push", "no…file.csv"]],
  ])("%s is plain, in both languages", async (_what, argv) => {
    const run = shell({ env: await env(), terminal: 80 });
    for (const lang of ["en", "es"]) {
      const { stdout, stderr } = await run([...argv, "--lang", lang]);
      expect(stdout + stderr).not.toMatch(SIGNS);
      expect(stdout + stderr).not.toBe("");
    }
  });
});

it("a dumb terminal gets neither colours nor anything that moves its cursor", async () => {
  const moves = /[\u001b\r]/;
  const { url } = await campaignServer({ body: statusOf("c1", [person(1, "read")]) });
  const env = { ...pointedAt(url), TERM: "dumb" };
  const run = shell({ env, terminal: 80, clock: fakeClock() });
  const watched = await run(["campaign", "status", "c1", "--watch"]);
  expect(watched.stdout).toContain("All 1");
  expect(watched.stdout + watched.stderr).not.toMatch(moves);
  const orders = { ...pointedAt(await shop()), TERM: "dumb" };
  let stopNow = (): void => undefined;
  const seen = await shell({ env: orders, terminal: 80 })(["orders", "watch"], {
    onStart: (stop) => {
      stopNow = stop;
    },
    onOutput: () => stopNow(),
  });
  expect([seen.code, seen.stdout + seen.stderr]).toEqual([130, expect.not.stringMatching(moves)]);
});

it("colours are forced and forbidden as people know it", async () => {
  const url = await shop();
  const colored = async (env: Record<string, string>, terminal?: number, argv: string[] = []) => {
    const world = terminal === undefined ? {} : { terminal };
    const { stdout } = await shell({ env: { ...pointedAt(url), ...env }, ...world })([
      "orders",
      "list",
      ...argv,
    ]);
    return stdout.includes("\u001b[");
  };
  expect(await colored({}, 80)).toBe(true);
  expect(await colored({}, 80, ["--no-color"])).toBe(false);
  expect(await colored({ NO_COLOR: "1" }, 80)).toBe(false);
  expect(await colored({ NO_COLOR: "" }, 80)).toBe(true);
  expect(await colored({ TERM: "dumb" }, 80)).toBe(false);
  expect(await colored({ FORCE_COLOR: "0" }, 80)).toBe(false);
  expect(await colored({})).toBe(false);
  expect(await colored({ FORCE_COLOR: "1" })).toBe(true);
  expect(await colored({ FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(false);
  expect(await colored({ FORCE_COLOR: "1" }, 80, ["--no-color"])).toBe(false);
});
