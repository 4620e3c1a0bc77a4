import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addUnchecked, home, secretKey } from "../support/profiles.ts";
import { fileOf } from "../support/push.ts";
import { fixture, type Run, shell, temporaryFolder } from "../support/run.ts";
import { realService } from "../support/service.ts";

// Price lists as shops have them, most of them made by the programs themselves: fixtures/price-lists/README.md.

interface Report {
  read: number;
  products: number;
  without_price: number;
  prices_to_zero: { count: number; first: object[] };
  mapping: Record<string, string | null>;
  first: object[];
  rejected: { line: number; codigo: string | null; error: string }[];
  notices: string[];
}

const listOf = (name: string): string => fixture(`price-lists/${name}`);
const check = async (file: string, ...flags: string[]): Promise<Report> =>
  JSON.parse((await shell()(["catalog", "check", file, "--json", ...flags])).stdout) as Report;
const faultsOf = ({ rejected }: Report): string[] =>
  rejected.map(({ line, error }) => `${line}: ${error.split(":")[0] ?? ""}: ${error.split(": ")[1] ?? ""}`);

async function shop() {
  const { mock, env } = await realService({ scenario: "empty" });
  const run = shell({ env });
  return {
    push: (file: string, ...flags: string[]): Promise<Run> => run(["catalog", "push", file, ...flags]),
    prices: async () =>
      (await mock.control.catalog("demo")).map(({ codigo, precio }) => [codigo, precio] as const),
  };
}

describe("formulas that nobody calculated", () => {
  const unsaved = "the result of the cell's formula was not saved";

  it("as openpyxl writes them are no empty cells: price, Activo, and what an array fills", async () => {
    const report = await check(listOf("openpyxl-formulas.xlsx"));
    expect(faultsOf(report)).toEqual([
      `2: precio: ${unsaved}`,
      `3: activo: ${unsaved}`,
      `4: precio: ${unsaved}`,
      `5: precio: ${unsaved}`,
    ]);
    expect(report.first).toEqual([{ codigo: "A5", nombre: "Cerveza", precio: 3000, deshabilitado: false }]);
  });

  it("as XlsxWriter writes them, with 0 or nothing, are no prices; a 0 that somebody typed is one", async () => {
    const report = await check(listOf("xlsxwriter-formulas.xlsx"));
    const zero = `${unsaved} (the file has 0 instead)`;
    expect(faultsOf(report)).toEqual([
      `2: precio: ${zero}`,
      `3: precio: ${unsaved}`,
      `4: activo: ${zero}`,
      `5: precio: ${zero}`,
      `6: precio: ${zero}`,
    ]);
    expect(report.first).toEqual([{ codigo: "A6", nombre: "Mate", precio: 0 }]);
  });

  it("a push of them sends nothing, and keeps the old prices", async () => {
    const { push, prices } = await shop();
    await push(fileOf("codigo,nombre,precio", "A1,Agua,1500", "A2,Soda,1600"));
    const { code, stdout } = await push(listOf("xlsxwriter-formulas.xlsx"), "--strict");
    expect([code, stdout]).toEqual([2, expect.stringContaining("the file has 0 instead")]);
    expect(await prices()).toEqual([
      ["A1", 1500],
      ["A2", 1600],
    ]);
  });
});

describe("a list with titles, sections, merged cells, a hidden column and notes", () => {
  it.each(["libreoffice-sections.xlsx", "gnumeric-sections.xlsx"])(
    "%s is read as people see it",
    async (name) => {
      const report = await check(listOf(name));
      expect(report.mapping).toMatchObject({ precio: "Precio nuevo" });
      expect(report.first).toMatchObject([
        { codigo: "P1", precio: 9900 },
        { codigo: "P2", precio: 12100 },
        { codigo: "E1", precio: 1320 },
        { codigo: "E2", precio: 1430, deshabilitado: true },
      ]);
      expect(report.rejected.map(({ line, codigo }) => [line, codigo])).toEqual([
        [5, "PIZZAS ESPECIALES"],
        [8, "EMPANADAS"],
        [11, "Total general"],
        [12, "Promedio"],
        [13, "* precios con IVA"],
      ]);
      expect(report.notices).toEqual([
        "Line 4 was read as the header; the lines above it were skipped. Use --header-row N to choose another line.",
        'Column "Precio" is hidden and was not used.',
      ]);
    },
  );

  it("--deactivate-missing knows that a heading is no product without a code", async () => {
    const { push, prices } = await shop();
    await push(listOf("gnumeric-sections.xlsx"), "--changed-only");
    const { code } = await push(listOf("gnumeric-sections.xlsx"), "--changed-only", "--deactivate-missing");
    expect([code, (await prices()).length]).toEqual([3, 4]);
  });
});

describe("headings, totals and notes in a CSV", () => {
  const head = "codigo;nombre;precio";

  it("are rejected as what they are, wherever they stand", async () => {
    const report = await check(
      fileOf(
        head,
        "PIZZAS ESPECIALES;;",
        "P1;Muzza;9000",
        "Subtotal;;9000",
        ";BEBIDAS;",
        "B1;Agua;1500",
        "Total general;;10500",
        "Promedio;;",
        "* precios con IVA;;",
      ),
    );
    expect(report.first).toEqual([
      { codigo: "P1", nombre: "Muzza", precio: 9000 },
      { codigo: "B1", nombre: "Agua", precio: 1500 },
    ]);
    expect(faultsOf(report).map((fault) => fault.split(":")[1])).toEqual([
      ' "PIZZAS ESPECIALES" is alone in its row, like a heading or a note',
      " a Subtotal row is not a product",
      ' "BEBIDAS" is alone in its row, like a heading or a note',
      " a Total general row is not a product",
      " a Promedio row is not a product",
      ' "* precios con IVA" is alone in its row, like a heading or a note',
    ]);
  });

  it("a total above notes is one still, also with a name and an amount of three digits", async () => {
    const report = await check(fileOf(head, "P1;Muzza;9000,50", "TOTAL;lista;12.345", "* con IVA;;"));
    expect(report.rejected.map(({ codigo }) => codigo)).toEqual(["TOTAL", "* con IVA"]);
  });

  it("a rejected heading stays one when the rejected file is pushed", async () => {
    const { push } = await shop();
    const rejected = join(temporaryFolder(), "rejected.csv");
    await push(fileOf(head, "PIZZAS;;", "P1;Muzza;x"), "--rejected", rejected);
    const { rejected: again } = await check(rejected);
    expect(again.map(({ codigo }) => codigo)).toEqual(["PIZZAS", "P1"]);
  });

  it.each([
    ["codes alone", ["codigo", "MUZZA", "FUGA"], [{ codigo: "MUZZA" }, { codigo: "FUGA" }]],
    [
      "codes and what is disabled",
      ["codigo;deshabilitado", "MUZZA;", "A2;sí"],
      [{ codigo: "MUZZA" }, { codigo: "A2", deshabilitado: true }],
    ],
    ["codes and prices", ["codigo;precio", "8;", "A2;5"], [{ codigo: "8" }, { codigo: "A2", precio: 5 }]],
    [
      "a product called Total",
      ["codigo;nombre;precio", "TOTAL;Total Fit;5", "A2;Agua;5"],
      [
        { codigo: "TOTAL", nombre: "Total Fit", precio: 5 },
        { codigo: "A2", nombre: "Agua", precio: 5 },
      ],
    ],
  ])("%s are products", async (_, lines, first) => {
    const report = await check(fileOf(...lines));
    expect([report.first, report.rejected]).toEqual([first, []]);
  });

  it("a delete takes codes alone, whatever other columns its file has", async () => {
    const { push } = await shop();
    await push(fileOf(head, "P1;Muzza;9000", "MUZZA;Otra;9000"));
    const { env } = await realService({ scenario: "empty" });
    const run = shell({ env });
    const { stdout } = await run([
      "catalog",
      "delete",
      "--file",
      fileOf(head, "P1;;", "MUZZA;;"),
      "--dry-run",
      "--json",
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ read: 2, planned: 2, rejected: [] });
  });
});

describe("which column is the price", () => {
  it.each([
    ["Precio chica", "Precio grande"],
    ["Chica", "Grande"],
    ["Precio efectivo", "Precio tarjeta"],
    ["Efectivo", "Tarjeta"],
    ["Precio con IVA", "Precio sin IVA"],
    ["Con IVA", "Sin IVA"],
    ["Precio viejo", "Precio nuevo"],
    ["Precio lista", "Precio promo"],
    ["Precio", "Precio mayorista"],
    ["Precio de lista", "Promo"],
    ["P. Unit.", "PVP"],
  ])("%s beside %s: refused with both flags, and each of them decides", async (one, other) => {
    const file = fileOf(`codigo;nombre;${one};${other}`, "A1;Muzza;100;200");
    for (const command of ["check", "push"]) {
      const { code, stdout, stderr } = await shell()(["--mock", "catalog", command, file]);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain(`--map "precio=${one}" or --map "precio=${other}"`);
    }
    for (const [header, precio] of [
      [one, 100],
      [other, 200],
    ] as const)
      expect((await check(file, "--map", `precio=${header}`)).first).toMatchObject([{ precio }]);
  });

  it.each([
    ["P. Unit.", "Importe", 100],
    ["Importe", "Stock", 100],
    ["Precio", "Precio de costo", 100],
    ["Precio", "Fecha precio", 100],
    ["Lista de precios", "Precio", 200],
  ])("%s beside %s is understood", async (one, other, precio) => {
    const { first } = await check(fileOf(`codigo;nombre;${one};${other}`, "A1;Muzza;100;200"));
    expect(first).toMatchObject([{ precio }]);
  });

  it("a letter that a profile keeps decides between such columns, and means nothing elsewhere", async () => {
    const { run } = home();
    await run(addUnchecked("centro"), { stdin: secretKey });
    const two = fileOf("Código;Código;Precio", "A1;B1;100");
    const first = async (file: string, ...flags: string[]) =>
      (
        JSON.parse(
          (await run(["-p", "centro", "catalog", "check", file, "--json", ...flags])).stdout,
        ) as Report
      ).first;
    expect(await first(two, "--map", "codigo=B", "--save-map")).toMatchObject([{ codigo: "B1" }]);
    expect(await first(two)).toMatchObject([{ codigo: "B1" }]);
    expect(await first(fileOf("Código;Producto;Precio", "A1;Muzza;100"))).toMatchObject([{ codigo: "A1" }]);
  });

  it.each([
    ["a CSV", () => fileOf("Código;Producto;Precio;;Activo", ";;Chica;Grande;", "A1;Muzza;100;200;sí")],
    ["a workbook of merged cells", () => listOf("two-row-header.xlsx")],
  ])("of a header of two rows in %s is asked for by both names", async (_, file) => {
    const path = file();
    const { code, stderr } = await shell()(["catalog", "check", path]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('--map "precio=Precio Chica" or --map "precio=Precio Grande"'),
    ]);
    const { first, read } = await check(path, "--map", "precio=Precio Grande");
    expect([first, read]).toMatchObject([[{ codigo: "A1", precio: 200, deshabilitado: false }], 1]);
  });

  it("two columns of one name are told apart by their letters, which --map and --phone-column take", async () => {
    const file = fileOf("Código;Código;Precio;Precio", "A1;B1;100;200");
    const refused = async (...flags: string[]) =>
      (await shell()(["catalog", "check", file, ...flags])).stderr;
    expect(await refused()).toContain("--map codigo=A or --map codigo=B");
    expect(await refused("--map", "codigo=Código,precio=C")).toContain("--map codigo=A or --map codigo=B");
    expect((await check(file, "--map", "codigo=B,precio=D")).first).toEqual([{ codigo: "B1", precio: 200 }]);
    const rejected = join(temporaryFolder(), "rejected.csv");
    const amounts = fileOf("Código;Precio;Precio", "A1;1.250;1.250", ";1.250;1.250", "A2;1;9,50");
    await shell()([
      "--mock",
      "catalog",
      "push",
      amounts,
      "--map",
      "precio=C",
      "--dry-run",
      "--rejected",
      rejected,
    ]);
    expect(readFileSync(rejected, "utf8")).toContain(";1.250;1.250,00;");
    const odd = fileOf('codigo;"Precio, chica";Precio $', "A1;1;2");
    expect((await shell()(["catalog", "check", odd])).stderr).toContain("--map precio=B or --map precio=C");
  });
});

describe("products without a price", () => {
  const some = ["codigo;nombre;precio", "A1;Muzza;100", "A2;Fuga;", "A3;Fainá;"];

  it("are counted in check and push; --strict ends with 3, and sends them", async () => {
    const file = fileOf(...some);
    const { push, prices } = await shop();
    await push(fileOf("codigo;nombre;precio", "A2;Fuga;200", "A3;Fainá;300"));
    const checked = await shell()(["catalog", "check", file]);
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringMatching(/Products without a price +2/)]);
    expect((await shell()(["catalog", "check", file, "--strict"])).code).toBe(3);
    const pushed = await push(file);
    expect([pushed.code, pushed.stdout]).toEqual([0, expect.stringMatching(/Products without a price +2/)]);
    expect(pushed.stdout).toContain("Done: the service accepted 3 products; 2 products have no price.");
    const strict = await push(file, "--strict", "--json");
    expect([strict.code, JSON.parse(strict.stdout)]).toMatchObject([
      3,
      { without_price: 2, outcome: "partial", accepted: 3 },
    ]);
    expect((await push(file, "--strict", "--dry-run")).code).toBe(3);
    expect(await prices()).toHaveLength(3);
  });

  it("a file of nothing else is never just done, also with -q; one that disables products is", async () => {
    const { push } = await shop();
    await push(fileOf("codigo;nombre;precio", "A1;Muzza;100", "A2;Fuga;200"));
    const file = fileOf("codigo;nombre;Detalle caro", "A1;Muzza;100", "A2;Fuga;200");
    for (const flags of [[], ["-q"]]) {
      const { code, stdout } = await push(file, ...flags);
      expect([code, stdout]).toEqual([
        0,
        expect.stringContaining("The service accepted 2 products without prices, because the file has none."),
      ]);
    }
    expect((await check(file)).without_price).toBe(2);
    const { stdout } = await push(fileOf("codigo;deshabilitado", "A1;sí", "A2;sí"));
    expect(stdout).toContain("Done: the service accepted 2 products.");
    expect(stdout).not.toContain("without a price");
  });
});

describe("a known price that becomes 0", () => {
  it("is warned of, with the first five, in a push and a dry run, whatever the flags", async () => {
    const { push } = await shop();
    const codes = Array.from({ length: 7 }, (_, n) => `A${n}`);
    const head = "codigo,nombre,precio";
    await push(fileOf(head, ...codes.map((code) => `${code},Pan ${code},150`), "Z,Gratis,0"));
    const zeros = fileOf(head, ...codes.map((code) => `${code},Pan ${code},0`), "Z,Gratis,0", "N,Nuevo,0");
    for (const flags of [["--dry-run"], ["--changed-only", "-q"]]) {
      const { stdout, stderr } = await push(zeros, "--json", ...flags);
      expect(stderr).toContain(
        "Warning: 7 known prices become 0: A0 (Pan A0) from $ 150,00, A1 (Pan A1) from $ 150,00, A2 (Pan A2) from $ 150,00, A3 (Pan A3) from $ 150,00, A4 (Pan A4) from $ 150,00, and 2 more.",
      );
      const { prices_to_zero } = JSON.parse(stdout) as Report;
      expect(prices_to_zero.count).toBe(7);
      expect(prices_to_zero.first[0]).toEqual({ codigo: "A0", nombre: "Pan A0", old_price: 150 });
    }
    const { stdout, stderr } = await push(zeros, "--json");
    expect([(JSON.parse(stdout) as Report).prices_to_zero, stderr]).toEqual([{ count: 0, first: [] }, ""]);
  });
});

describe("a header below titles", () => {
  it.each([
    [
      "a title with commas",
      ["Lista de precios, noviembre, 2026", "", "Código;Producto;Precio", "A1;Muzza;100"],
      3,
    ],
    ["a quoted title of two lines", ['"Lista\nde precios";;', "Código;Producto;Precio", "A1;Muzza;100"], 3],
    ["a header of two lines", ["Lista;;", '"Código\ninterno";Producto;Precio', "A1;Muzza;100"], 2],
    ["a sep line", ["sep=;", "Lista;;", "Código;Producto;Precio", "A1;Muzza;100"], 3],
  ])("is found under %s, and said", async (_, lines, line) => {
    const report = await check(fileOf(...lines));
    expect(report.first).toEqual([{ codigo: "A1", nombre: "Muzza", precio: 100 }]);
    expect(report.notices[0]).toContain(`Line ${line} was read as the header; `);
  });

  it("--header-row decides, lines stay those of the file; --map finds a name of one's own", async () => {
    const lines = ["Código;Viejo;Precio", "X1;No;1", "Lista", "Código;Producto;Precio", "A1;Muzza;x"];
    const { first, rejected, notices } = await check(fileOf(...lines), "--header-row", "4");
    expect([first, notices, rejected.map((each) => each.line)]).toEqual([[], [], [5]]);
    const own = await check(fileOf("Lista", "Art;Producto;Precio", "A1;Muzza;5"), "--map", "codigo=Art");
    expect(own.first).toEqual([{ codigo: "A1", nombre: "Muzza", precio: 5 }]);
    for (const [file, row] of [
      [fileOf(...lines), "99"],
      [listOf("openpyxl-sections.xlsx"), "3"],
    ] as const) {
      const { code, stderr } = await shell()(["catalog", "check", file, "--header-row", row]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`line ${row} (--header-row) is empty`)]);
    }
  });

  it("is not looked for beyond the first 20 rows, and the remedy fits the file", async () => {
    const titles = Array.from({ length: 20 }, (_, n) => `Título ${n}`);
    const file = fileOf(...titles, "Código;Precio", "A1;5");
    const refused = async (path: string) => (await shell()(["catalog", "push", path, "--mock"])).stderr;
    expect(await refused(file)).toContain("--header-row N");
    expect((await check(file, "--header-row", "21")).first).toEqual([{ codigo: "A1", precio: 5 }]);
    const workbook = listOf("no-codes.xlsx");
    expect(await refused(workbook)).not.toContain("--delimiter");
    expect(await refused(workbook)).toContain('headers: "Plato", "Precio"');
    const none = await shell()(["--mock", "catalog", "push", listOf("openpyxl-sections.xlsx")]);
    expect(none.stdout).toContain("--header-row");
    expect(none.stdout).not.toContain("--delimiter");
  });
});
