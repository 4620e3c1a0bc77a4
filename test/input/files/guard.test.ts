import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { guardCell, guardText, unguardCell } from "../../../src/input/files/own-rows.ts";
import { startMock } from "../../../src/mock/index.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
import { pointedAt } from "../../support/service.ts";

const seed = inject("seed");
const cells = fc.string({
  unit: fc.constantFrom(...Array.from("=+-@＝＋－＠;|,'\" \t\r\n\u00a0a15.")),
  maxLength: 12,
});
/** Formulas that a spreadsheet runs where it splits a line; a signed number or a phone is none. */
const runs = (part: string): boolean =>
  /^\s*[=+\-@＝＋－＠]/.test(part) && !/^\s*[+-]\d+([., ]\d+)*$/.test(part);

describe("a guarded cell", () => {
  it("has no part that a spreadsheet runs, wherever it splits the line", () => {
    fc.assert(
      fc.property(cells, (cell) => {
        for (const separator of [";", "|", "\t", "\n", /[;|\t\r\n]/])
          expect(guardText(cell).split(separator).filter(runs)).toEqual([]);
        expect(
          guardCell(cell)
            .split(/[;|,\t\r\n]/)
            .filter(runs),
        ).toEqual([]);
      }),
      { seed, numRuns: 3_000 },
    );
  });

  it("is what it was when our reader has taken the guards off", () => {
    fc.assert(
      fc.property(cells, (cell) => {
        expect(unguardCell(guardCell(cell))).toBe(cell);
      }),
      { seed, numRuns: 3_000 },
    );
  });

  it.each([
    ["Ana;=cmd|' /C calc'!A0", "Ana;'=cmd|' /C calc'!A0"],
    ['Ana;"=1+1', "Ana;'\"=1+1"],
    ["Ana\t@SUM(A1)|＝1", "Ana\t'@SUM(A1)|'＝1"],
    ["dos\n-x\r\n+y", "dos\n'-x\r\n'+y"],
    ["Ana; =1", "Ana;' =1"],
    ["Ana;-5;+5491155550000", "Ana;'-5;+5491155550000"],
    ["Ana; y Eva - 2 x 1", "Ana; y Eva - 2 x 1"],
  ])("%j is %j", (cell, guarded) => {
    expect(guardText(cell)).toBe(guarded);
  });

  it("takes no longer than its length, whatever it is", () => {
    for (const part of ["'", ";'", '"', " ", "=", "+1 ", ";-1."]) {
      const long = part.repeat(2 ** 20 / part.length);
      expect(unguardCell(guardCell(long)) === long).toBe(true);
    }
  });
});

const hostile = "Ana;=cmd|' /C calc'!A0";

it("a rejected file holds no formula behind a separator, and a push takes the guards off", async () => {
  const mock = await startMock({ clock: "2026-01-01T12:00:00-03:00" });
  onTestFinished(() => mock.close());
  const folder = temporaryFolder();
  const run = shell({ env: pointedAt(mock.baseUrl, mock.campaignsBaseUrl, mock.keys[0]!.key), cwd: folder });
  const file = join(folder, "prices.csv");
  writeFileSync(file, `codigo;nombre;precio\nA1;"${hostile}";consultar\n`);
  const rejected = join(folder, "rejected.csv");
  expect((await run(["catalog", "push", file, "--rejected", rejected])).code).toBe(3);

  const text = readFileSync(rejected, "utf8");
  expect(text.split(/[;,|\t\r\n]/).filter(runs)).toEqual([]);
  expect(text).toContain(`"Ana;'=cmd|' /C calc'!A0"`);

  writeFileSync(rejected, text.replace("consultar", "900"));
  const { stdout } = await run(["catalog", "push", rejected, "--dry-run"]);
  expect(stdout).toContain(hostile);
});

it("-o csv has no formula behind a separator", async () => {
  const mock = await startMock({ clock: "2026-01-01T12:00:00-03:00" });
  onTestFinished(() => mock.close());
  await mock.control.placeOrders({ order: { cliente: { nombre: hostile, telefono: "+5491155550000" } } });
  const run = shell({ env: pointedAt(mock.baseUrl, mock.campaignsBaseUrl, mock.keys[0]!.key) });
  const { stdout } = await run(["orders", "list", "--all", "-o", "csv"]);
  expect(stdout).toContain("Ana;'=cmd|' /C calc'!A0");
  expect(stdout).toContain("+5491155550000");
});
