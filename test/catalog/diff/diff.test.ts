import { existsSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import type { CatalogItem } from "../../../src/contract/catalog.ts";
import { callsOf, fileOf } from "../../support/push.ts";
import { listFile, randomList, worldOf } from "../../support/random-lists.ts";
import { type Run, shell, temporaryFolder, type World } from "../../support/run.ts";
import { realService } from "../../support/service.ts";
import { randomOf, seed, sized } from "../../support/soak.ts";

const header = "codigo,nombre,categoria,precio,deshabilitado";

interface Diff {
  counts: Record<string, number>;
  changes: { codigo: string; kind: string; fields: Record<string, { from: unknown; to: unknown }> }[];
}
const parse = ({ stdout }: Run): Diff => JSON.parse(stdout) as Diff;

/** A service that has confirmed four products, one of which is deactivated. */
async function shop() {
  const { mock, env } = await realService({ scenario: "empty" });
  const run = shell({ env });
  const before = fileOf(
    header,
    "A,Agua,Bebidas,10,",
    "B,Bife,Platos,20,",
    "C,Café,Bebidas,30,",
    "D,Dulce,,40,",
  );
  expect((await run(["catalog", "push", before])).code).toBe(0);
  expect((await run(["catalog", "delete", "D"])).code).toBe(0);
  return { mock, run };
}

const after = [header, "A,Agua,Bebidas,15,", "B,Bife chorizo,Platos,20,no", "D,Dulce,,40,", "N,Nuevo,,5,"];

describe("catalog diff", () => {
  it("tells what a push would change, by what the journal knows, and sends nothing", async () => {
    const { mock, run } = await shop();
    const calls = await callsOf(mock);
    const { code, stdout } = await run(["catalog", "diff", fileOf(...after), "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      counts: { new: 1, changed: 2, deactivated: 0, missing: 1, unchanged: 0, unknown: 1 },
      changes: [
        { codigo: "A", kind: "changed", fields: { precio: { from: 10, to: 15 } } },
        {
          codigo: "B",
          kind: "changed",
          fields: { nombre: { from: "Bife", to: "Bife chorizo" }, deshabilitado: { from: null, to: false } },
        },
        { codigo: "D", kind: "new", fields: { activo: { from: false, to: true } } },
        { codigo: "C", kind: "missing", fields: {} },
        {
          codigo: "N",
          kind: "unknown",
          fields: { nombre: { from: null, to: "Nuevo" }, precio: { from: null, to: 5 } },
        },
      ],
    });
    expect(await callsOf(mock)).toEqual(calls);
  });

  it.each([
    ["en", "Change", "+50 %", "new or unknown", "not in the file"],
    ["es", "Cambio", "+50 %", "nuevo o desconocido", "no está en el archivo"],
  ])(
    "shows the largest changes first, each below its category, in 80 columns (%s)",
    async (lang, ...said) => {
      const { run } = await shop();
      const shown = await run(["catalog", "diff", fileOf(...after), "--lang", lang], { terminal: 80 });
      const stdout = stripVTControlCharacters(shown.stdout);
      for (const text of said) expect(stdout.replaceAll(/\s+/g, " ")).toContain(text);
      expect(stdout.indexOf("Agua")).toBeLessThan(stdout.indexOf("Bife"));
      expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    },
  );

  it("has one row for a new product on a terminal, and a row a field in a pipe", async () => {
    const { run } = await shop();
    const file = fileOf(header, "N,Nuevo,Platos,5,no", "O,Otro,Platos,6,sí");
    const rowsOf = async (world: World): Promise<string[]> => {
      const { stdout } = await run(["catalog", "diff", file], world);
      return stdout.split("\n").filter((line) => /\b[NO] {2,}|Nuevo|Otro/.test(line));
    };
    const shown = await rowsOf({ terminal: 100, env: { NO_COLOR: "1" } });
    expect(shown.filter((row) => row.includes("Nuevo"))).toEqual([
      expect.stringMatching(/N +Nuevo +new or unknown +— +\$ 5,00$/),
    ]);
    // A product that is not on sale says so.
    expect(shown.find((row) => row.includes("Otro"))).toMatch(/ O +Otro +price /);
    expect(await rowsOf({})).toHaveLength(8);
  });

  it("exits with 3 on request where something differs, also a row that could not be compared", async () => {
    const { run } = await shop();
    const same = fileOf("codigo,precio", "A,10", "B,20", "C,30");
    const diff = (file: string, ...more: string[]) => run(["catalog", "diff", file, ...more]);
    expect(await diff(same, "--exit-code", "-q")).toEqual({ code: 0, stdout: "", stderr: "" });
    expect((await diff(fileOf("codigo,precio", "A,11"))).code).toBe(0);
    expect((await diff(fileOf("codigo,precio", "A,11"), "--exit-code")).code).toBe(3);
    const rejected = await diff(fileOf("codigo,precio", "A,10", "B,x", "C,30"), "--exit-code", "-q");
    expect(rejected).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("1 row was rejected") as string,
    });
  });

  it("writes all of it to a workbook, and replaces none unasked", async () => {
    const { run } = await shop();
    const report = join(temporaryFolder(), "diff.xlsx");
    const argv = ["catalog", "diff", fileOf(...after), "--report", report];
    expect((await run(argv)).code).toBe(0);
    const checked = await run(["catalog", "check", report, "--map", "precio=precio_to", "--json"]);
    expect(JSON.parse(checked.stdout)).toMatchObject({ products: 5 });
    expect((await run(argv)).code).toBe(2);
    expect((await run([...argv, "--force"])).code).toBe(0);
    expect((await run(["catalog", "diff", fileOf(...after), "--report", "diff.csv"])).code).toBe(2);
    const csv = await run(["catalog", "diff", fileOf(...after), "-o", "csv"]);
    expect(csv.stdout).toContain("\nA,changed,Agua,Bebidas,10,15,,,,,,,50\r\n".replace("\n", ""));
  });

  it("makes no journal, and takes every product for new or unknown without one", async () => {
    const { env } = await realService({ scenario: "empty" });
    const home = temporaryFolder();
    const run = shell({ env: { ...env, BPOS_HOME: home } });
    const found = parse(await run(["catalog", "diff", fileOf(...after), "--json"]));
    expect(found.counts).toMatchObject({ new: 0, unknown: 4, missing: 0 });
    expect(existsSync(join(home, "state", "journal.db"))).toBe(false);
  });
});

describe("catalog push", () => {
  it("ends a dry run with what would change, in JSON as its counts", async () => {
    const { run } = await shop();
    const dry = [
      "catalog",
      "push",
      fileOf(...after),
      "--dry-run",
      "--deactivate-missing",
      "--max-deactivate",
      "1",
    ];
    const { stdout } = await run(dry);
    expect(stdout.slice(stdout.indexOf("Changes compared"))).toMatch(
      /Changed +2[\s\S]*Deactivated +1[\s\S]*\+50 %/,
    );
    const { diff } = JSON.parse((await run([...dry, "--json"])).stdout) as { diff: object };
    expect(diff).toEqual({ new: 1, changed: 2, deactivated: 1, missing: 0, unchanged: 0, unknown: 1 });
  });

  it("--confirm shows what changes and asks; a guard refuses before anybody is asked", async () => {
    const { mock, run } = await shop();
    const calls = (await callsOf(mock)).length;
    const push = ["catalog", "push", fileOf(...after), "--confirm"];
    const no = await run(push, { terminal: 80, answers: [false] });
    expect(no).toMatchObject({ code: 2, stdout: "" });
    expect(no.stderr).toMatch(/Changes compared[\s\S]*\+50 %[\s\S]*Nothing was sent/);
    expect((await run([...push, "--max-price-change", "10%"], { terminal: 80 })).code).toBe(10);
    expect((await run(push)).stderr).toContain("--confirm needs a terminal to ask on.");
    expect(await callsOf(mock)).toHaveLength(calls);
    expect((await run([...push, "--changed-only"], { terminal: 80, answers: [true] })).code).toBe(0);
    // There is nothing left to ask about.
    expect((await run([...push, "--changed-only"], { terminal: 80 })).code).toBe(0);
  });
});

it(`predicts exactly what a push then changes, whatever was pushed before (seed ${seed})`, async () => {
  const random = randomOf("diff");
  for (let world = 0; world < sized(1, 20); world++) {
    const { mock, env } = await realService({ scenario: "empty" });
    const run = shell({ env });
    for (let turn = 0; turn < 4; turn++) {
      const items = randomList(random);
      const file = listFile(items);
      const flags = ["--changed-only", "--deactivate-missing", "--max-deactivate", "100%"].slice(
        random() < 0.5 ? 1 : 0,
      );
      const before = await worldOf(mock);
      const { changes } = parse(await run(["catalog", "diff", file, "--json"]));
      expect((await run(["catalog", "push", file, ...flags])).code).toBe(0);
      const now = await worldOf(mock);
      const told = new Map(changes.map((change) => [change.codigo, change]));
      for (const codigo of new Set([...Object.keys(before), ...Object.keys(now)])) {
        const { kind, fields = {} } = told.get(codigo) ?? {};
        const [was, is] = [before[codigo], now[codigo]];
        if (kind === undefined) expect(is, codigo).toEqual(was);
        else if (kind === "missing") expect([was?.active, is?.active]).toEqual([true, false]);
        else if (kind === "unknown") expect(was, codigo).toBeUndefined();
        else if (kind === "new") expect([was?.active, is?.active], codigo).toEqual([false, true]);
        for (const [field, { from, to }] of Object.entries(fields)) {
          const name = field as keyof CatalogItem;
          if (field !== "activo") expect(is?.[name], `${codigo} ${field}`).toBe(to);
          if (was?.active === true && from !== null) expect(was[name], `${codigo} ${field}`).toBe(from);
        }
        if (kind === "changed" || kind === "deactivated")
          for (const name of ["nombre", "precio", "categoria", "deshabilitado"] as const)
            if (was?.[name] !== is?.[name]) expect(fields, codigo).toHaveProperty(name);
      }
    }
  }
}, 60_000);
