import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixedServer, orderOf, pageOf } from "../support/peers.ts";
import { shell, temporaryFolder, type World } from "../support/run.ts";
import { pointedAt } from "../support/service.ts";

/** A terminal of 24 rows whose service has so many orders, and a pager that keeps what it gets in a file. */
async function screen(count: number) {
  const orders = Array.from({ length: count }, (_, n) => orderOf(n + 1));
  const url = await fixedServer(() => ({ body: pageOf(orders) }));
  const file = join(temporaryFolder(), "paged");
  const env = { ...pointedAt(url), BPOS_PAGER: `cat > '${file}'` };
  const shown = (): string | undefined => (existsSync(file) ? readFileSync(file, "utf8") : undefined);
  return { run: shell({ env, terminal: 100 }), shown, file };
}

const list = (...more: string[]): string[] => ["orders", "list", ...more];

describe("the pager", () => {
  it("gets what is longer than the screen, with its colours, and nothing else", async () => {
    const { run, shown } = await screen(40);
    const plain = await run(list(), { env: { BPOS_PAGER: "" } });
    expect(shown()).toBeUndefined();
    const { code, stdout } = await run(list());
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(shown()).toBe(plain.stdout);
    expect(shown()).toContain("\u001b[");
    expect((await run(list("--json"))).stdout).toBe("");
    expect(shown()).toContain('"order_id": 40');
    const short = await screen(3);
    expect((await short.run(list())).stdout).not.toBe("");
    expect(short.shown()).toBeUndefined();
  });

  it.each<[string, string[], World]>([
    ["in a pipe", list(), { terminal: undefined as unknown as number }],
    ["with cat", list(), { env: { BPOS_PAGER: "cat" } }],
    ["with an empty BPOS_PAGER before PAGER", list(), { env: { BPOS_PAGER: "", PAGER: "false" } }],
    ["with --no-input", list("--no-input"), {}],
    ["on a dumb terminal", list(), { env: { TERM: "dumb" } }],
    ["for lines as they come", list("-o", "ndjson"), {}],
    ["for a watch", ["orders", "watch", "--once"], {}],
    ["for help", ["help", "campaign", "send"], {}],
  ])("is left out %s", async (_, argv, world) => {
    const { run, shown } = await screen(40);
    expect((await run(argv, world)).stdout.split("\n").length).toBeGreaterThan(24);
    expect(shown()).toBeUndefined();
  });

  it("is PAGER where BPOS_PAGER is not set, and one that does not start leaves the text on the screen", async () => {
    const { run, file, shown } = await screen(40);
    const whole = (await run(list(), { env: { BPOS_PAGER: "" } })).stdout;
    const none = undefined as unknown as string;
    expect((await run(list(), { env: { BPOS_PAGER: none, PAGER: `cat > '${file}'` } })).stdout).toBe("");
    expect(shown()).toBe(whole);
    for (const broken of ["bpos-no-such-pager 2>/dev/null", "/dev/null 2>/dev/null"])
      expect(await run(list(), { env: { BPOS_PAGER: broken } })).toMatchObject({ code: 0, stdout: whole });
  });

  it("may be left early, and does not hide an error", async () => {
    const { run, file, shown } = await screen(300);
    const left = await run(list("--json"), { env: { BPOS_PAGER: `head -1 > '${file}'; exit 3` } });
    expect(left).toMatchObject({ code: 0, stdout: "" });
    expect(shown()?.split("\n")).toHaveLength(2);
    const failed = await run(list("--jq", '(.orders[] | .order_id), error("no")'));
    expect(failed.code).toBe(2);
    expect(failed.stderr).toContain("--jq: no");
    expect(shown()?.startsWith("1\n2\n")).toBe(true);
  });
});
