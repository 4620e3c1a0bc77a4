import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileOf } from "../../support/push.ts";
import { worldOf } from "../../support/random-lists.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
import { realService } from "../../support/service.ts";
import { watchLists } from "../../support/watch-lists.ts";
import { cellsIn } from "../../support/workbooks.ts";

const header = "codigo,nombre,precio\n";
const list = (...rows: string[]): string => header + rows.map((row) => `${row}\n`).join("");
/** Looks until a list that is there from the beginning, or was saved right before, is pushed. */
const enough = 8;

async function shop() {
  const { mock, env } = await realService({ scenario: "empty" });
  const folder = temporaryFolder();
  const file = join(folder, "prices.csv");
  const run = shell({ env });
  const prices = async (): Promise<Record<string, unknown>> =>
    Object.fromEntries(Object.entries(await worldOf(mock)).map(([code, { precio }]) => [code, precio]));
  const sent = async () =>
    (await mock.control.requests(1000)).filter(({ method }) => method === "POST").length;
  return { mock, env, folder, file, run, prices, sent };
}

const kinds = (events: readonly { event: string }[]): string[] => events.map(({ event }) => event);

describe("catalog watch", () => {
  it("pushes a list that is there, and what changed in it whenever it is saved, never the same content twice", async () => {
    const { file, run, prices, sent } = await shop();
    writeFileSync(file, list("A,Agua,10", "B,Bife,20"));
    const first = await watchLists(run, file, {
      looks: 30,
      after(look) {
        if (look === 10) writeFileSync(file, list("A,Agua,10", "B,Bife,25"));
        // The same content, saved again.
        if (look === 20) writeFileSync(file, list("A,Agua,10", "B,Bife,25"));
      },
    });
    expect(first.code, first.stderr).toBe(130);
    expect(first.events).toMatchObject([
      { event: "catalog.pushed", file, push: { accepted: 2, unchanged: 0 } },
      { event: "catalog.pushed", file, push: { accepted: 1, unchanged: 1, outcome: "complete" } },
    ]);
    expect(await prices()).toEqual({ A: 10, B: 25 });
    const calls = await sent();
    const again = await watchLists(run, file, { looks: enough });
    expect(again.events).toEqual([]);
    expect(await sent()).toBe(calls);
  });

  it("waits until a list is whole: grown for ten seconds, cut in the middle of a line", async () => {
    const { file, run, prices } = await shop();
    const rows = Array.from({ length: 20 }, (_, n) => `K${n},Pan ${n},1${n}.50\n`);
    const seen: unknown[] = [];
    const { events } = await watchLists(run, file, {
      looks: 62,
      async after(look) {
        if (look === 1) writeFileSync(file, "");
        if (look === 6) writeFileSync(file, header);
        // Half a line each time, 10 s long.
        if (look > 6 && look <= 26) {
          const row = rows[look - 7]!;
          appendFileSync(file, look === 26 ? row.slice(0, -3) : row);
        }
        // A pause of 4 s in the middle of the last price.
        if (look === 34) {
          seen.push(await prices());
          appendFileSync(file, rows.at(-1)!.slice(-3));
        }
      },
    });
    expect(seen).toEqual([{}]);
    expect(events).toMatchObject([{ event: "catalog.pushed", push: { read: 20, accepted: 20 } }]);
    expect((await prices())["K19"]).toBe(119.5);
  });

  it("is at the service within 4 s of its last byte", async () => {
    const { file, run, mock } = await shop();
    writeFileSync(file, list("A,Agua,10"));
    let wholeAt = 0;
    const pushedAt: number[] = [];
    const looks = { n: 0 };
    await watchLists(run, file, {
      looks: 24,
      async after(look) {
        looks.n = look;
        if (look === 12) {
          wholeAt = look;
          writeFileSync(file, list("A,Agua,11"));
        }
        const [product] = await mock.control.catalog();
        if (product?.precio === 11) pushedAt.push(look);
      },
    });
    expect((pushedAt[0]! - wholeAt) * 500).toBeLessThanOrEqual(3_500);
  });

  it("waits for Excel and LibreOffice to close it, and says so once", async () => {
    const { folder, file, run, prices } = await shop();
    writeFileSync(join(folder, "~$prices.csv"), "ana");
    const during: unknown[] = [];
    const { events, stderr } = await watchLists(run, folder, {
      looks: 40,
      async after(look) {
        // As Excel saves: another file, which then takes the name.
        if (look === 2) writeFileSync(join(folder, "5F3A9C00"), list("A,Agua,10"));
        if (look === 4) renameSync(join(folder, "5F3A9C00"), file);
        if (look === 20) {
          during.push(await prices());
          rmSync(join(folder, "~$prices.csv"));
          writeFileSync(join(folder, ".~lock.prices.csv#"), "");
        }
        if (look === 30) {
          during.push(await prices());
          rmSync(join(folder, ".~lock.prices.csv#"));
        }
      },
    });
    expect(during).toEqual([{}, {}]);
    expect(kinds(events)).toEqual(["catalog.pushed"]);
    expect(stderr.match(/is open in another program/g)).toHaveLength(1);
  });

  it("leaves what a guard refuses, with the rows and the reasons beside it, once, until it is saved again", async () => {
    const { folder, file, run, prices } = await shop();
    const report = join(folder, "prices.refused.xlsx");
    writeFileSync(file, list("A,Agua,10", "B,Bife,20", "C,Café,30"));
    const argv = ["--max-price-change", "50%"];
    await watchLists(run, file, { looks: enough, argv });
    writeFileSync(file, list("A,Agua,100", "B,Bife,21", "C,Café,30"));
    const refused = await watchLists(run, file, { looks: enough, argv });
    expect(refused.events).toMatchObject([
      { event: "catalog.refused", file, reason: "price_change_too_large", refused_file: report },
    ]);
    expect(refused.stderr).toContain("prices.csv was not pushed");
    expect(await prices()).toEqual({ A: 10, B: 20, C: 30 });
    const [head, row, ...others] = cellsIn(readFileSync(report));
    expect(head!.map((cell) => cell?.text)).toEqual(["codigo", "nombre", "precio", "error"]);
    expect(row!.map((cell) => cell?.text).slice(0, 3)).toEqual(["A", "Agua", "100"]);
    expect(row![3]?.text).toMatch(/from .*10.* to .*100.*\+900/);
    expect(row!.every((cell) => cell?.isMarked)).toBe(true);
    expect(others).toEqual([]);
    // Neither a restart nor another look refuses it again.
    expect((await watchLists(run, file, { looks: enough, argv })).events).toEqual([]);
    writeFileSync(file, list("A,Agua,11", "B,Bife,21", "C,Café,30"));
    const corrected = await watchLists(run, file, { looks: enough, argv });
    expect(corrected.events).toMatchObject([{ event: "catalog.pushed", push: { accepted: 2 } }]);
    expect(existsSync(report)).toBe(false);
    expect(await prices()).toEqual({ A: 11, B: 21, C: 30 });
  });

  it("keeps rejected rows beside the list, with --strict all of it, and names what cannot be read at all", async () => {
    const { folder, file, run, prices } = await shop();
    const report = join(folder, "prices.refused.xlsx");
    writeFileSync(file, list("A,Agua,10", "B,Bife,consultar"));
    const partial = await watchLists(run, file, { looks: enough });
    expect(partial.events).toMatchObject([
      { event: "catalog.pushed", push: { accepted: 1, outcome: "partial", rejected_file: report } },
    ]);
    expect(partial.stderr).toMatch(/1 row was rejected, and is in .*prices\.refused\.xlsx/);
    expect(cellsIn(readFileSync(report))[1]![2]).toMatchObject({ text: "consultar", isMarked: true });
    writeFileSync(file, list("A,Agua,99", "B,Bife,consultar"));
    const strict = await watchLists(run, file, { looks: enough, argv: ["--strict"] });
    expect(strict.events).toMatchObject([{ event: "catalog.refused", reason: "rows_rejected_strict" }]);
    expect(cellsIn(readFileSync(report))).toHaveLength(2);
    writeFileSync(file, "una,lista\nsin,código\n");
    const unusable = await watchLists(run, file, { looks: enough });
    expect(unusable.events).toMatchObject([{ event: "catalog.refused", reason: "input_unusable" }]);
    expect(cellsIn(readFileSync(report)).flat()).toMatchObject([{ text: "error" }, { isMarked: true }]);
    expect(await prices()).toEqual({ A: 10 });
  });

  it("deactivates what is missing within the limit, and names beside the list what would be over it", async () => {
    const { folder, file, run, mock } = await shop();
    const argv = ["--deactivate-missing", "--max-deactivate", "1"];
    writeFileSync(file, list("A,Agua,10", "B,Bife,20", "C,Café,30"));
    await watchLists(run, file, { looks: enough, argv });
    writeFileSync(file, list("A,Agua,10"));
    const refused = await watchLists(run, file, { looks: enough, argv });
    expect(refused.events).toMatchObject([{ event: "catalog.refused", reason: "too_many_missing" }]);
    const [, ...rows] = cellsIn(readFileSync(join(folder, "prices.refused.xlsx")));
    expect(rows.map(([code]) => code?.text)).toEqual(["B", "C"]);
    writeFileSync(file, list("A,Agua,10", "B,Bife,20"));
    const { events } = await watchLists(run, file, { looks: enough, argv });
    expect(events).toMatchObject([{ push: { accepted: 0, deactivated: { accepted: 1 } } }]);
    expect((await worldOf(mock))["C"]).toEqual({ active: false });
  });

  it("lets no old price win over a newer one: of a list that is restored, or that a later push overtook", async () => {
    const { folder, file, run, prices } = await shop();
    const old = new Date(Date.now() - 3_600_000);
    writeFileSync(file, list("A,Agua,10", "B,Bife,20"));
    utimesSync(file, old, old);
    await watchLists(run, file, { looks: enough });
    writeFileSync(file, list("A,Agua,15", "B,Bife,20"));
    await watchLists(run, file, { looks: enough });
    // A backup, with its old date.
    writeFileSync(file, list("A,Agua,10", "B,Bife,21"));
    utimesSync(file, old, old);
    const restored = await watchLists(run, file, { looks: enough });
    expect(restored.events).toMatchObject([{ event: "catalog.refused", reason: "list_older" }]);
    expect(cellsIn(readFileSync(join(folder, "prices.refused.xlsx"))).map(([code]) => code?.text)).toEqual([
      "codigo",
      "A",
    ]);
    expect(await prices()).toEqual({ A: 15, B: 20 });
    // Saved while nothing watched, and overtaken by a push by hand.
    writeFileSync(file, list("A,Agua,16", "B,Bife,20"));
    utimesSync(file, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
    await run(["catalog", "push", fileOf("codigo,precio", "A,17")]);
    const overtaken = await watchLists(run, file, { looks: enough });
    expect(overtaken.events).toMatchObject([{ event: "catalog.refused", reason: "list_older" }]);
    expect(await prices()).toEqual({ A: 17, B: 20 });
    // What nothing newer has changed is pushed, however old the list.
    writeFileSync(file, list("A,Agua,17", "B,Bife,22"));
    utimesSync(file, old, old);
    expect((await watchLists(run, file, { looks: enough })).events).toMatchObject([
      { push: { accepted: 1 } },
    ]);
  });

  it("refuses an old list where it is not known what a later push changed", async () => {
    const { file, run, prices } = await shop();
    const many = Array.from({ length: 5_001 }, (_, n) => `P${n},Plato ${n},${n + 20}`);
    await run(["catalog", "push", fileOf("codigo,nombre,precio", "A,Agua,15", ...many)]);
    writeFileSync(file, list("A,Agua,10"));
    utimesSync(file, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
    const refused = await watchLists(run, file, { looks: enough });
    expect(refused.events).toMatchObject([{ event: "catalog.refused", reason: "list_older" }]);
    expect(await prices()).toMatchObject({ A: 15 });
  });

  it("pushes the lists of a folder one after the other, the oldest first, and leaves all else alone", async () => {
    const { folder, run, prices } = await shop();
    const minutesAgo = (file: string, minutes: number): void => {
      const at = new Date(Date.now() - minutes * 60_000);
      utimesSync(file, at, at);
    };
    const [a, b] = [join(folder, "b.csv"), join(folder, "a.json")];
    writeFileSync(a, list("A,Agua,10"));
    writeFileSync(b, JSON.stringify([{ codigo: "A", nombre: "Agua", precio: 11 }]));
    minutesAgo(a, 2);
    minutesAgo(b, 1);
    for (const name of [
      ".hidden.csv",
      "~$x.csv",
      "x.refused.xlsx",
      "x.refused-2.xlsx",
      "x.csv.tmp",
      "notas.txt",
    ])
      writeFileSync(join(folder, name), list("X,Nada,1"));
    mkdirSync(join(folder, "sub.csv"));
    writeFileSync(join(folder, "sub.csv", "y.csv"), list("Y,Nada,1"));
    const { events } = await watchLists(run, folder, { looks: enough });
    expect(events.map(({ file }) => file)).toEqual([a, b]);
    expect(await prices()).toEqual({ A: 11 });
    const refused = await run(["catalog", "watch", folder, "--deactivate-missing"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("not for a folder");
  });
});
