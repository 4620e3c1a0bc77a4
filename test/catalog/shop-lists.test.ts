import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixture, shell, temporaryFolder } from "../support/run.ts";

// Text that shops write around and between the rows of their price lists.

interface Report {
  without_price: number;
  mapping: Record<string, string | null>;
  first: { codigo: string; precio?: number }[];
  rejected: { line: number; codigo: string | null; error: string }[];
  notices: string[];
}

function written(...lines: string[]): string {
  const file = join(temporaryFolder(), "lista.csv");
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

const check = async (file: string, ...flags: string[]): Promise<Report> =>
  JSON.parse((await shell()(["catalog", "check", file, "--json", ...flags])).stdout) as Report;
const codesOf = (rows: readonly { codigo: string | null }[]) => rows.map(({ codigo }) => codigo);

describe("headings and sums that a calculated column stands beside", () => {
  it.each(["xlsx", "csv"])("are no products in a list as a %s", async (kind) => {
    const { first, rejected } = await check(fixture(`price-lists/valued-stock.${kind}`));
    expect(codesOf(first)).toEqual(["A1", "A2", "B1"]);
    expect(rejected.map(({ line, codigo }) => [line, codigo])).toEqual([
      [2, "PIZZAS"],
      [5, "Total Pizzas"],
      [7, "Suma"],
      [8, "Cantidad de productos"],
      [9, "Total productos: 3"],
    ]);
  });

  it("are told from codes that begin like one, and from products without a name", async () => {
    const lines = [
      "TOTAL-1;;100",
      "SUMA2;;100",
      "Total Fit;Cereal;100",
      "X1;Total Pizzas;100",
      "TOTAL 5;;100",
    ];
    const { first, rejected } = await check(written("codigo;nombre;precio", ...lines));
    expect([codesOf(first), rejected]).toEqual([["TOTAL-1", "SUMA2", "Total Fit", "X1", "TOTAL 5"], []]);
    const codes = await check(written("codigo;precio", "Total Fit;100", "Suma;5"));
    expect(codesOf(codes.first)).toEqual(["Total Fit", "Suma"]);
  });

  it("a stock of more than nothing beside a code alone is a product still", async () => {
    const { first, rejected } = await check(written("codigo;nombre;precio;stock", "A1;;;5", "A2;;;0,00"));
    expect([codesOf(first), codesOf(rejected)]).toEqual([["A1"], ["A2"]]);
  });
});

describe("prices by the names that shops give them", () => {
  it.each(["P.V.P.", "Precio1", "PrecioVenta", "Pcio.", "Pcio. Vta.", "Prec."])(
    "%s is one",
    async (header) => {
      const report = await check(written(`codigo;nombre;${header}`, "A1;Muzza;100"));
      expect(report.first).toMatchObject([{ precio: 100 }]);
    },
  );

  it.each([
    ["Precio de lista", "Contado"],
    ["Precio mayorista", "Minorista"],
    ["Mayorista", "Minorista"],
    ["Precio salón", "Delivery"],
    ["c/IVA", "s/IVA"],
    ["Precio", "Precio2"],
    ["Precio", "Precio con aumento"],
    ["Precio", "Precio actualizado"],
  ])("%s beside %s is asked for", async (one, other) => {
    const file = written(`codigo;nombre;${one};${other}`, "A1;Muzza;100;200");
    const { code, stderr } = await shell()(["--mock", "catalog", "push", file]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`--map "precio=${one}"`)]);
  });

  it.each(["Vigencia precio", "Últ. modif. precio", "% aumento de precio", "Actualización de precios"])(
    "%s is none",
    async (header) => {
      const { first } = await check(written(`codigo;nombre;Precio;${header}`, "A1;Muzza;100;5"));
      expect(first).toMatchObject([{ precio: 100 }]);
    },
  );

  it.each([
    ["Delivery", "Salón"],
    ["Compare At Price", "Cost per item"],
  ])("%s and %s beside Precio ask nothing", async (one, other) => {
    const { first } = await check(written(`codigo;nombre;${one};${other};Precio`, "A1;Muzza;1;2;100"));
    expect(first).toMatchObject([{ precio: 100 }]);
  });

  it("PrecioCosto is none, and Precio beside it needs no question", async () => {
    const { first } = await check(written("codigo;nombre;PrecioCosto;Precio", "A1;Muzza;50;100"));
    expect(first).toMatchObject([{ precio: 100 }]);
    expect((await check(written("codigo;nombre;PrecioCosto", "A1;Muzza;50"))).without_price).toBe(1);
  });
});

it("of two lists side by side one is named step by step, each flag behind the last one", async () => {
  const head = "Código;Producto;Precio";
  const file = written(`${head};;${head}`, "A1;Muzza;100;;B1;Soda;200");
  const flags: string[] = [];
  for (const [field, letter] of [
    ["codigo", "E"],
    ["nombre", "F"],
    ["precio", "G"],
  ] as const) {
    const { code, stderr } = await shell()(["--mock", "catalog", "check", file, ...flags]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`--map ${field}=${letter}`)]);
    flags.push("--map", `${field}=${letter}`);
  }
  expect((await check(file, ...flags)).first).toEqual([{ codigo: "B1", nombre: "Soda", precio: 200 }]);
});

describe("lines above the header", () => {
  it("a code of something else there is no header", async () => {
    const lines = ["Cliente;Juan;", "Código;1234;", "Código;Producto;Precio", "A1;Muzza;100"];
    const { first, notices } = await check(written(...lines));
    expect(first).toEqual([{ codigo: "A1", nombre: "Muzza", precio: 100 }]);
    expect(notices[0]).toContain("Line 3 was read as the header; ");
  });

  it("inches there do not open a quote", async () => {
    const lines = ['PIZZAS DE 14" GRANDES;;', "Código;Producto;Precio", "A1;Muzza;100", 'A2;Fuga 14";200'];
    const { first } = await check(written(...lines));
    expect(first).toMatchObject([{ codigo: "A1" }, { codigo: "A2", nombre: 'Fuga 14"', precio: 200 }]);
  });
});
