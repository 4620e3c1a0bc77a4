import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readScenarioDefinition } from "../../../../src/mock/index.ts";
import { fakeClock } from "../../../support/fake-clock.ts";
import { readable } from "../../../support/printed.ts";
import { shell, temporaryFolder } from "../../../support/run.ts";
import { service } from "../../../support/service.ts";
import { type VirtualPrinter, virtualPrinter } from "../../../support/virtual-printer.ts";
import { newIds, watchOnce } from "../../../support/watch.ts";

const frozen = { clock: "2026-01-01T12:00:00-03:00", scenario: "empty" } as const;

async function stage(mode: Parameters<typeof virtualPrinter>[0] = {}) {
  const { mock, env } = await service(frozen);
  const printer = await virtualPrinter(mode);
  const run = shell({ env: { ...env, BPOS_LANG: "es", BPOS_HOME: temporaryFolder() } });
  return {
    ...{ mock, printer, run },
    print: (...argv: string[]) => watchOnce(run, "--printer", printer.url, ...argv),
    place: async (count = 1) => (await mock.control.placeOrders({ count })).map((order) => order.order_id),
  };
}

/** The order's number on each receipt, with R before it where that is a reprint, and C where it was cancelled. */
const onPaper = ({ receipts }: VirtualPrinter): string[] =>
  receipts
    .filter(({ acts }) => acts.includes("cut"))
    .map((receipt) => {
      const text = readable(receipt);
      const [, id = "?"] = /PEDIDO\s+(\d+)/.exec(text) ?? [];
      return `${text.includes("REIMPRESIÓN") ? "R" : ""}${text.includes("CANCELADO") ? "C" : ""}${id}`;
    });

describe("orders watch --printer", () => {
  it("prints each new order once, in its sequence, and a slip for one that is cancelled", async () => {
    const { mock, printer, print, place } = await stage();
    const [one, two] = await place(2);
    expect(await print("--drawer=always", "--beep")).toMatchObject({ code: 0, stderr: "" });
    expect(printer.receipts[0]?.acts).toEqual(["beep", "drawer", "cut"]);
    await mock.control.setOrderStatus(one!, "cancelado");
    await mock.control.setOrderStatus(two!, "en_preparacion");
    await print();
    expect((await print()).code).toBe(0);
    expect(onPaper(printer)).toEqual([String(one), String(two), `C${one}`]);
  });

  it.each([
    [{ state: "paper_out" }, "sin papel", ""],
    [{ state: "cover_open" }, "tapa", ""],
    [{ resetAfter: 200 }, "cortó", "R"],
    // It says ready, takes a part, closes its side, and resets later.
    [{ diesAfter: 100 }, "no confirmó la impresión", "R"],
    [{ diesAfter: 100, silent: true }, "cortó", "R"],
  ] as const)(
    "%j: says so, ends with 3, and the next run prints the order, as a reprint where it may be on paper",
    async (mode, word, mark) => {
      const { printer, print, place } = await stage(mode);
      const [id] = await place();
      const failed = await print();
      expect(failed.code).toBe(3);
      expect(failed.stderr).toContain(printer.url);
      // The advice, where the printer's state tells it.
      if ("state" in mode) expect(failed.stderr).toMatch(/Ponle papel|Ciérrale la tapa/);
      expect(failed.stderr).toContain(word);
      expect(newIds(failed)).toEqual([id]);
      printer.repair();
      expect((await print()).code).toBe(0);
      expect(onPaper(printer).at(-1)).toBe(`${mark}${id}`);
    },
  );

  it("tries a printer without paper again by itself, says so and rings once, and then prints what waited in its sequence", async () => {
    const { printer, run, place } = await stage({ state: "paper_out" });
    const ids = await place(3);
    const clock = fakeClock();
    let stop = (): void => undefined;
    const pauses: number[] = [];
    const watching = run(["orders", "watch", "--printer", printer.url, "--interval", "1h"], {
      terminal: 100,
      onStart: (means) => (stop = means),
      clock: {
        now: () => clock.now(),
        sleep: async (ms, signal) => {
          // Not the polls, nor the second that the status line stands.
          const isRetry = ms > 1_000 && ms <= 60_000 && signal?.aborted === false;
          if (isRetry) pauses.push(ms);
          if (pauses.length === 7) printer.repair();
          if (isRetry) await clock.sleep(ms, signal);
          else await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
          await turn();
        },
      },
    });
    await printer.printed(3);
    stop();
    const { stderr, stdout } = await watching;
    expect(onPaper(printer)).toEqual(ids.map(String));
    expect(pauses.slice(0, 7)).toEqual([2_000, 4_000, 8_000, 15_000, 15_000, 15_000, 15_000]);
    expect(stderr.split("Impresora tcp://")).toHaveLength(2);
    // Whenever it is read, what is said of the next try is true.
    expect(stderr).toContain("al menos cada 15 s");
    expect(stderr).not.toContain("Próximo intento");
    expect(stderr).toMatch(/impresora: reintento en \d+ s/);
    expect(stderr).toContain("volvió a imprimir");
    expect(stderr).toContain("\u0007");
    // The screen did not wait for it.
    for (const id of ids) expect(stdout).toContain(String(id));
  });

  it("holds no other output up", async () => {
    const { printer, run, place } = await stage({ slowMs: 200 });
    const ids = await place(3);
    let before: number | undefined;
    const result = await run(["orders", "watch", "--once", "-o", "ndjson", "--printer", printer.url], {
      onOutput: (text) => {
        if (text.split("\n").length > ids.length) before ??= onPaper(printer).length;
      },
    });
    expect(before).toBeLessThan(2);
    expect(result.code).toBe(0);
    expect(onPaper(printer)).toEqual(ids.map(String));
  });

  it("prints the orders of all branches, each under its name, on the printer of its profile", async () => {
    const scenario = readScenarioDefinition({
      branches: ["key-one", "key-two"].map((key, n) => ({
        ...{ branch: `b${n}`, store_id: String(n), keys: [key], orders: 2 },
      })),
    });
    const { mock } = await service({ scenario, clock: frozen.clock });
    const [shared, other] = [await virtualPrinter(), await virtualPrinter()];
    const profile = (api_key: string) => ({ base_url: mock.baseUrl, api_key, printer: other.url });
    const home = temporaryFolder();
    const profiles = { centro: profile("key-one"), norte: profile("key-two") };
    const write = (all: object): void =>
      writeFileSync(join(home, "config.json"), JSON.stringify({ profiles: all }), { mode: 0o600 });
    write(profiles);
    const run = shell({ env: { BPOS_HOME: home, BPOS_LANG: "es" } });
    const branchesOn = (printer: VirtualPrinter): string[] =>
      printer.receipts.map((receipt) => /centro|norte/.exec(readable(receipt))?.[0] ?? "?").toSorted();
    const all = ["--all-profiles", "--printer"];
    expect((await watchOnce(run, ...all, shared.url)).code).toBe(0);
    expect(branchesOn(shared)).toEqual(["centro", "centro", "norte", "norte"]);
    expect(other.connections).toBe(0);
    expect((await watchOnce(run, ...all, "--consumer", "b")).code).toBe(0);
    expect(branchesOn(other)).toEqual(["centro", "centro", "norte", "norte"]);
    write({ ...profiles, sur: { base_url: mock.baseUrl, api_key: "key-one" } });
    const refused = await watchOnce(run, ...all, "--consumer", "c");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("sur");
  });

  it.each([
    [["--paper", "58"], "--printer"],
    [["--drawer"], "--printer"],
    [["--printer-language", "star"], "--printer"],
    [["--printer", "192.168.1.50"], "tcp://"],
    [["--printer", "lp:a;b"], "lp:"],
    [["--printer"], "printer"],
    [["--printer", "lp:kitchen", "--paper", "70"], "58"],
    [["--printer", "lp:kitchen", "--drawer", "never"], "always"],
  ])("%s is refused before anything is read", async (argv, word) => {
    const { mock, run } = await stage();
    const result = await run(["orders", "watch", ...argv]);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(word);
    expect(await mock.control.requests()).toEqual([]);
  });
});
