import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { shell, temporaryFolder } from "../../support/run.ts";
import { service } from "../../support/service.ts";

interface Report {
  read: number;
  products: number;
  collapsed: number;
  first: object[];
  rejected: { line: number; codigo: string | null; error: string }[];
  notices: string[];
  mapping: Record<string, string | null>;
  inverse: boolean;
  unused: string[];
  fixed_file: string | null;
}
const parse = (text: string): Report => JSON.parse(text) as Report;

/** A file of that text in a folder of its own. */
function fileWith(text: string, name = "prices.csv"): { folder: string; file: string } {
  const folder = temporaryFolder();
  writeFileSync(join(folder, name), text);
  return { folder, file: join(folder, name) };
}

const messy =
  "Código;Descripción;Precio;Activo;Stock\r\n1;Pan;1.250,50;no;3\r\n1;Pan;1.250,50;no;4\r\n2;Leche;consultar;sí;5\r\n";

describe("catalog check", () => {
  it("shows how the file was read, the columns, the counts, the first products and each problem", async () => {
    const { file } = fileWith(messy);
    const { code, stdout, stderr } = await shell()(["catalog", "check", file]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: "" });
    expect(stdout).toContain("1 of 3 rows needs a correction; the others are valid.");
    expect(stdout).toContain("Read as CSV in utf-8 · delimiter ; · decimal sign ,.");
    expect(stdout).toMatch(/deshabilitado +Activo \(inverted: yes means not disabled\)/);
    expect(stdout).toMatch(/not used +Stock/);
    expect(stdout).toMatch(/Read +3\nProducts to send +1\nDuplicate rows +1\nRejected +1/);
    expect(stdout).toMatch(/1 +Pan +\$ 1\.250,50 +yes/);
    expect(stdout).toMatch(/4 +2 +Precio "consultar" is not a price: write an amount of 0 or more/);
  });

  it("writes one JSON document, and the rejected rows as a push writes them", async () => {
    const { file } = fileWith(messy);
    const run = shell();
    const json = await run(["catalog", "check", file, "--json"]);
    expect(parse(json.stdout)).toMatchObject({
      read: 3,
      products: 1,
      collapsed: 1,
      inverse: true,
      unused: ["Stock"],
      fixed_file: null,
      mapping: {
        codigo: "Código",
        nombre: "Descripción",
        categoria: null,
        precio: "Precio",
        deshabilitado: "Activo",
      },
      first: [{ codigo: "1", nombre: "Pan", precio: 1250.5, deshabilitado: true }],
      rejected: [{ line: 4, codigo: "2" }],
    });
    expect((await run(["catalog", "check", file, "-o", "ndjson"])).stdout.split("\n")).toHaveLength(2);
    const csv = await run(["catalog", "check", file, "-o", "csv"]);
    const pushed = await run(["--mock", "catalog", "push", file, "--dry-run", "-o", "csv"]);
    expect(csv.stdout).toBe(pushed.stdout);
    expect(csv.stdout).toMatch(/^Código,Descripción,Precio,Activo,Stock,error\r\n2,Leche,consultar,sí,5,/);
  });

  it("says what to do next, and nothing when there is nothing to do", async () => {
    const check = (text: string) => shell()(["catalog", "check", fileWith(text).file]);
    const good = "codigo,nombre,precio\n1,Pan,2.5\n";
    expect((await check(good)).stdout).toMatch(/1 +Pan .*\n$/);
    expect((await check(`${good}2,Leche,consultar\n`)).stdout).toContain(
      "Correct these rows and check again",
    );
    expect((await check("codigo,Leyenda,Stock,precio\n1,Pan,3,2\n")).stdout).toMatch(
      /\n\nNo column contains nombre\. If one of the unused columns does, pass --map nombre=HEADER\.\n$/,
    );
    expect((await check("codigo,nombre,precio\n1,CafÃ©,2.5\n")).stdout).toContain(
      "--fixed FILE writes a copy with the double-encoded names repaired.",
    );
  });
});

/** A home whose profile file is that. */
function homeWith(config: object | string): { home: string; config: string; env: Record<string, string> } {
  const home = temporaryFolder();
  const file = join(home, "config.json");
  writeFileSync(file, typeof config === "string" ? config : JSON.stringify(config), { mode: 0o600 });
  return { home, config: file, env: { BPOS_HOME: home } };
}

const odd = "Artículo Nº;Nombre;Precio\n00123;Pan;10,50\n";

describe("a column of codes that is not known", () => {
  it.each([["check"], ["push"]])("is asked for on a terminal by catalog %s", async (command) => {
    const { mock, env } = await service({ scenario: "empty" });
    const { file } = fileWith(odd);
    const run = shell({ env, terminal: 80 });
    const { code } = await run(["catalog", command, file], { answers: ["Artículo Nº"] });
    expect(code).toBe(0);
    const stored = (await mock.control.catalog("demo")).map(({ codigo }) => codigo);
    expect(stored).toEqual(command === "push" ? ["00123"] : []);
  });

  it("comes with the mapping that is used, and how to be asked no more", async () => {
    const { file } = fileWith(odd);
    const answers = ["Artículo Nº"];
    const run = shell({ terminal: 200 });
    const check = ["catalog", "check", file];
    const used = 'Columns used: codigo from "Artículo Nº", nombre from "Nombre", precio from "Precio".\n';
    expect((await run(check, { answers })).stderr).toBe(
      `${used}To skip this question next time, pass --map "codigo=Artículo Nº", or choose a profile with -p and add --save-map.\n`,
    );
    const { env } = homeWith({ default: "centro", profiles: { centro: {} } });
    const inProfile = await run([...check, "--map", "nombre=Precio"], { answers, env });
    expect(inProfile.stderr).toContain(
      'pass --map "nombre=Precio,codigo=Artículo Nº", or add --save-map to save the mapping in the profile "centro".',
    );
    // Now nobody has to be told.
    expect((await run([...check, "--save-map"], { answers, env })).stderr).toBe(
      `${used}The column mapping was saved in the profile "centro".\n`,
    );
    expect((await run(check, { env })).stderr).toBe("");
  });

  it("is an error where nobody may be asked", async () => {
    const { file } = fileWith(odd);
    const run = shell();
    for (const result of [
      await run(["catalog", "check", file]),
      await run(["catalog", "check", file, "--no-input"], { terminal: 80 }),
      await run(["catalog", "check", "-"], { terminal: 80, stdin: odd }),
    ]) {
      expect(result.code).toBe(2);
      expect(result.stderr).toContain("--map codigo=HEADER");
    }
  });
});

describe("--save-map", () => {
  const profiles = { centro: { api_key: "bpk_x", store_id: 1 }, norte: { color: "red" } };

  it("keeps the mapping in the profile, nothing else changed, and later files are read by it", async () => {
    const { config, env } = homeWith(
      '{"default":"centro","more":[1.0],"profiles":{"centro":{"store_id":12345678901234567890},"norte":{"color":"red"}}}',
    );
    const { folder, file } = fileWith(odd);
    const run = shell({ env, cwd: folder });
    const saved = await run(["catalog", "check", file, "--map", "codigo=Artículo Nº", "--save-map"]);
    expect(saved).toMatchObject({
      code: 0,
      stderr: 'The column mapping was saved in the profile "centro".\n',
    });
    const text = readFileSync(config, "utf8");
    expect(text.replace(/\s/g, "")).toBe(
      '{"default":"centro","more":[1.0],"profiles":{"centro":{"store_id":12345678901234567890,"map":{"codigo":"ArtículoNº"}},"norte":{"color":"red"}}}',
    );
    expect(statSync(config).mode & 0o777).toBe(0o600);
    const later = await run(["catalog", "check", file, "--json", "--fixed", "clean.csv"]);
    expect(parse(later.stdout).first).toEqual([{ codigo: "00123", nombre: "Pan", precio: 10.5 }]);
    // The corrected copy has other headers: what is kept must not be in its way.
    expect(parse((await run(["catalog", "check", "clean.csv", "--json"])).stdout)).toMatchObject({
      products: 1,
      mapping: { codigo: "codigo" },
    });
  });

  it("is used by a push and given up for --map", async () => {
    const { mock, env } = await service({ scenario: "empty" });
    const { home } = homeWith({
      default: "centro",
      profiles: { centro: { map: { codigo: "Artículo Nº" } } },
    });
    const { file } = fileWith("Artículo Nº;Interno;Nombre;Precio\n1;A;Pan;2\n");
    const run = shell({ env: { ...env, BPOS_HOME: home } });
    await run(["catalog", "push", file]);
    await run(["catalog", "push", file, "--map", "codigo=Interno"]);
    expect((await mock.control.catalog("demo")).map(({ codigo }) => codigo)).toEqual(["1", "A"]);
  });

  it.each([
    ["check", []],
    ["push", ["--mock", "-p", "centro", "--dry-run"]],
  ])("keeps what was asked for by catalog %s", async (command, flags) => {
    const { config, env } = homeWith({ default: "centro", profiles });
    const { file } = fileWith(odd);
    const run = shell({ env, terminal: 80 });
    const { code } = await run(["catalog", command, file, "--save-map", ...flags], {
      answers: ["Artículo Nº"],
    });
    expect(code).toBe(0);
    expect(JSON.parse(readFileSync(config, "utf8"))).toEqual({
      default: "centro",
      profiles: { ...profiles, centro: { ...profiles.centro, map: { codigo: "Artículo Nº" } } },
    });
  });

  it("needs a profile and a mapping", async () => {
    const { file } = fileWith("codigo\n1\n");
    const without = await shell()(["catalog", "check", file, "--map", "codigo=codigo", "--save-map"]);
    expect(without.code).toBe(2);
    expect(without.stderr).toContain("--save-map requires -p");
    const { env } = homeWith({ default: "centro", profiles });
    const nothing = await shell({ env })(["catalog", "check", file, "--save-map"]);
    expect(nothing.code).toBe(2);
    expect(nothing.stderr).toContain("--save-map requires --map");
  });
});
