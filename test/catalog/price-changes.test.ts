import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changeBeyond } from "../../src/catalog/price-changes.ts";
import type { RunningMock } from "../../src/mock/index.ts";
import { callsOf, fileOf } from "../support/push.ts";
import { type Run, shell } from "../support/run.ts";
import { realService } from "../support/service.ts";

const header = "codigo,nombre,precio";
const before = ["A,Agua,0.30", "B,Bife,1600", "C,Café,10", "Z,Zapallo,0"];

interface Shop {
  mock: RunningMock;
  push: (rows: readonly string[], ...flags: string[]) => Promise<Run>;
}

/** A service that has confirmed four products. */
async function shop(): Promise<Shop> {
  const { mock, env } = await realService({ scenario: "empty" });
  const run = shell({ env });
  const push: Shop["push"] = (rows, ...flags) =>
    run(["catalog", "push", fileOf(header, ...rows), "--max-price-change", "50%", ...flags]);
  const { code, stderr } = await push(before);
  expect(code).toBe(0);
  expect(stderr).toBe(
    "Note: 4 codes have no known price in this journal, so --max-price-change did not check them.\n",
  );
  return { mock, push };
}

describe("catalog push --max-price-change", () => {
  it.each([
    ["goes up by just as much", "A,Agua,0.45"],
    ["goes down by just as much", "B,Bife,800"],
    ["stays 0", "Z,Zapallo,0"],
    ["is left as it is", "B,Bife,"],
    ["belongs to a new code", "NEW,Nuevo,99999"],
  ])("sends where a price %s", async (_, row) => {
    const { mock, push } = await shop();
    expect((await push([row])).code).toBe(0);
    expect((await callsOf(mock)).filter((call) => call.startsWith("POST"))).toHaveLength(2);
  });

  it.each([
    ["goes up by more", "A,Agua,0.451", [0.3, 0.451, 50.4]],
    ["loses its thousands", "B,Bife,1.6", [1600, 1.6, -99.9]],
    ["goes down by a cent more", "B,,799.99", [1600, 799.99, -50.1]],
    ["was 0", "Z,Zapallo,0.01", [0, 0.01, null]],
    ["becomes 0", "C,Café,0", [10, 0, -100]],
  ])("refuses where one %s: nothing is sent, nothing deactivated", async (_, row, [from, to, change]) => {
    const { mock, push } = await shop();
    const calls = await callsOf(mock);
    for (const more of [[], ["--dry-run"], ["--changed-only", "--deactivate-missing"]]) {
      const { code, stdout, stderr } = await push(["NEW,Nuevo,1", row], "--json", ...more);
      expect({ code, stdout }).toEqual({ code: 10, stdout: "" });
      expect(JSON.parse(stderr)).toMatchObject({
        error: {
          code: "held",
          reason: "price_change_too_large",
          limit: "50%",
          count: 1,
          prices: [{ codigo: row[0], old_price: from, new_price: to, change_percent: change }],
        },
      });
    }
    expect(await callsOf(mock)).toEqual(calls);
    // A refused price is not taken for confirmed.
    expect((await push([row])).code).toBe(10);
  });

  it("lists the worst ten, by how many times as much or as little", async () => {
    const { env } = await realService({ scenario: "empty" });
    const run = shell({ env });
    const push = (price: (n: number) => number, flags: string[], width?: number): Promise<Run> => {
      const rows = Array.from({ length: 12 }, (_, n) => `P${n},Product ${n},${price(n)}`);
      const argv = ["catalog", "push", fileOf(header, ...rows), ...flags];
      return run(argv, width === undefined ? {} : { terminal: width });
    };
    await push(() => 1000, ["--changed-only"]);
    const prices = (n: number): number => (n === 7 ? 1 : 2000 + n * 1000);
    const { code, stdout, stderr } = await push(prices, ["--max-price-change", "50%"]);
    expect(code).toBe(10);
    expect(stdout).toMatch(
      /^Catalog push · .*prices\.csv · \S+ · \d{4}-\d\d-\d\d \d\d:\d\d\nNothing was sent: 12 known/,
    );
    const listed = [...stdout.matchAll(/^(P\d+) .*?(\S+ %)$/gm)].map(([, codigo, change]) => [
      codigo,
      change,
    ]);
    expect(listed.slice(0, 3)).toEqual([
      ["P7", "-99,9 %"],
      ["P11", "+1.200 %"],
      ["P10", "+1.100 %"],
    ]);
    expect(listed).toHaveLength(10);
    expect(stdout).toContain("\n2 more are not shown.\n");
    expect(stderr).toContain("most of all P7 from 1000 to 1.");
    const narrow = await push(prices, ["--max-price-change", "50%"], 40);
    for (const line of stripVTControlCharacters(narrow.stdout).split("\n"))
      expect(line.length).toBeLessThanOrEqual(40);
    // With more allowed, a price can still fall by all of it and no more.
    expect((await push((n) => (n === 7 ? 0 : 2000), ["--max-price-change", "100%"])).code).toBe(0);
  });

  it.each(["0%", "-5", "abc", "1000000%", "1001%", "50", "12.5%", "%", ""])(
    "does not take %j",
    async (text) => {
      const run = shell();
      const { code, stderr } = await run(["catalog", "push", "x.csv", `--max-price-change=${text}`]);
      expect(code).toBe(2);
      expect(stderr).toContain("It takes a whole percentage from 1% to 1000%, such as 50%.");
    },
  );

  it("compares amounts as they are written, not as they are in binary", () => {
    const cents = fc.integer({ min: 1, max: 10 ** 12 });
    fc.assert(
      fc.property(cents, fc.integer({ min: 1, max: 1000 }), fc.constantFrom(1, 1e-7), (n, limit, unit) => {
        const amount = (units: number): number => Number(`${units}e${unit === 1 ? -2 : -7}`);
        const most = n * 100 + n * limit;
        expect(changeBeyond(limit, amount(n * 100), amount(most))).toBeUndefined();
        expect(changeBeyond(limit, amount(n * 100), amount(most + 1))).toBeGreaterThan(limit);
      }),
    );
  });
});
