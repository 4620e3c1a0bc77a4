import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import writeExcelFile from "write-excel-file/node";
import { desk, send } from "../support/campaigns.ts";
import { fixture } from "../support/run.ts";
import { soakIt } from "../support/soak.ts";
import { cellsIn, typedInto } from "../support/workbooks.ts";

/** The rows of a workbook of ours, an exclamation mark at each cell that is marked. */
const shown = (workbook: string): string[] =>
  cellsIn(readFileSync(workbook)).map((cells) =>
    Array.from(cells, (cell) => `${cell?.text.slice(0, 40) ?? ""}${cell?.isMarked ? "!" : ""}`).join("|"),
  );

it("--rejected x.xlsx marks the cell that is wrong, or the row, and says why behind it", async () => {
  const { run, path } = await desk();
  const file = path("r.xlsx");
  const push = await run(["catalog", "push", fixture("catalog.csv"), "--rejected", file, "--json"]);
  expect(push.code).toBe(3);
  expect(JSON.parse(push.stdout)).toMatchObject({ rejected_file: file });
  expect(shown(file)).toMatchInlineSnapshot(`
    [
      "Código|Descripción|Rubro|Precio|Activo|error",
      "!|Pizza Fugazzeta rellena chica|Pizzas|8.600,00|Sí|the code is empty: every product needs i!",
      "PL-004|Suprema maryland|Platos|consultar!|Sí|Precio "consultar" is not a price: write!",
      "EG-04|Papas fritas chicas|Entradas y guarniciones|-3.900,00!|Sí|Precio "-3.900,00" is not a price: write!",
      "7,79123E+12!|Arroz con leche|Postres|3.100,00|Sí|Código: the spreadsheet lost digits of "!",
      "7790895000430|Coca-Cola 1,5 l|Bebidas|3.480,00|quizás!|Activo "quizás" is neither yes nor no: w!",
      "7790480008216!|Chandon extra brut 750 ml!|(sin TACC)!|Bebidas!|14.900,00!|the row has 6 cells and the header 5: pu!|Sí",
      "7790270336512|Bizcochos Don Satur dulces 200 g|Kiosco|1e3!|Sí|Precio "1e3" is not a price: write an am!",
      "PROMO-ANIVERSARIO-LOCAL-CENTRO-SOLO-EFEC!|Manteca La Serenísima 200 g!|Almacén!|3.290,00!|Sí!|codigo must have 1 to 64 characters!",
      "7791290006782!|!|Limpieza y perfumería!|1.890,00!|Sí!|nombre is required for a new product!",
    ]
  `);
});

it("--errors x.xlsx keeps texts that a spreadsheet would run or shorten, and what keeps a row out", async () => {
  const { run, file, path } = await desk();
  const people = file(
    "people.csv",
    [
      "Teléfono;Nombre;Pedido",
      "+54 9 11 6123-4567;José;1",
      "+54 9 11 6123-4568;;0012",
      "+54 9 11 6123-4567;=Pepe;'=3",
      "+54 9 11 6123-45;constructor;1,5",
      "+54 9 11 6123-4577;Zoë;5",
      `+54 9 11 6123-4578;${"x".repeat(40_000)};6`,
    ].join("\n"),
  );
  const bajas = file("bajas.txt", "+5491161234577\n");
  const errors = path("e.xlsx");
  await run(send(people, "--dry-run", "--exclude", bajas, "--errors", errors));
  expect(shown(errors)).toMatchInlineSnapshot(`
    [
      "Teléfono|Nombre|Pedido|error|bpos_info|bpos_hold",
      "+54 9 11 6123-4568|!|0012|Nombre is empty: the template needs a te!",
      "+54 9 11 6123-4567!|=Pepe|''=3|the same person as line 2, with other va!|check this row, then delete the cell on |unchecked",
      "+54 9 11 6123-45!|constructor|1,5|"+54 9 11 6123-45" is not a phone number!",
      "+54 9 11 6123-4577!|Zoë|5|excluded by line 1 of /dev/shm/bpos-suit!|this person is excluded: delete this row|excluded",
      "+54 9 11 6123-4578|xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx!|6|Nombre has 40000 characters: at most 102!|check this row, then delete the cell on |unchecked",
    ]
  `);
  // Another run with other rows makes another report; the same rows make the same bytes.
  const first = readFileSync(errors);
  await run(send(people, "--dry-run", "--exclude", bajas, "--errors", errors));
  expect(readFileSync(errors).equals(first)).toBe(true);
});

it("a workbook of rejected rows is pushed once its cell is corrected; a nightly push keeps the correction", async () => {
  const { run, path } = await desk();
  const file = path("r.xlsx");
  const push = (from: string) => run(["catalog", "push", from, "--rejected", file, "--json"]);
  await push(fixture("catalog.xlsx"));
  expect(shown(file)).toEqual([
    "Código|Descripción|Rubro|Precio de venta|Activo|Actualizado|error",
    '00203|Helado 1/4 kg|Postres|consultar!|Sí|20/11/2026|Precio de venta "consultar" is not a pri!',
  ]);
  writeFileSync(file, typedInto(readFileSync(file), { D2: 5400.5 }));
  const nightly = await push(fixture("catalog.xlsx"));
  expect(JSON.parse(nightly.stdout)).toMatchObject({ rejected_file: path("r-2.xlsx") });
  const corrected = await run(["catalog", "push", file, "--json"]);
  expect(JSON.parse(corrected.stdout)).toMatchObject({ read: 1, accepted: 1, rejected: [] });
  const check = await run(["catalog", "check", file, "--json"]);
  expect(JSON.parse(check.stdout)).toMatchObject({
    first: [{ codigo: "00203", nombre: "Helado 1/4 kg", precio: 5400.5, deshabilitado: false }],
  });
});

it("a row whose formula has no result is not taken for one without a price", async () => {
  const { run, file, path } = await desk();
  const formula = { value: "=10*2", type: "Formula" } as const;
  const prices = await writeExcelFile([
    ["codigo", "nombre", "precio"],
    ["00101", "Pan", formula],
  ]).toBuffer();
  const rejected = path("r.xlsx");
  await run(["catalog", "push", file("p.xlsx", prices), "--rejected", rejected]);
  expect(shown(rejected)[1]).toMatch(
    /^00101\|Pan\|!\|precio: the result.*\|check this row, then delete the cell on \|unchecked$/,
  );
  const asItIs = await run(["catalog", "push", rejected, "--json"]);
  expect(JSON.parse(asItIs.stdout)).toMatchObject({ accepted: 0, rejected: [{ line: 2 }] });
  writeFileSync(rejected, typedInto(readFileSync(rejected), { C2: 20, F2: null }));
  const corrected = await run(["catalog", "push", rejected, "--json"]);
  expect(JSON.parse(corrected.stdout)).toMatchObject({ accepted: 1, rejected: [] });
});

it("a code that became a date stays out until somebody looked at it, also as the text that is written back", async () => {
  const { run, file, path } = await desk();
  const day = { value: new Date("2026-02-01T00:00:00Z"), type: Date, format: "d\\-mmm" } as const;
  const codes = await writeExcelFile([
    ["codigo", "nombre", "precio"],
    [day, "Pan", 20],
  ]).toBuffer();
  const rejected = path("r.xlsx");
  await run(["catalog", "push", file("p.xlsx", codes), "--rejected", rejected]);
  expect(shown(rejected)[1]).toMatch(/^1-feb!\|Pan\|20\|codigo: a spreadsheet turned a code/);
  const asItIs = await run(["catalog", "push", rejected, "--json"]);
  expect(JSON.parse(asItIs.stdout)).toMatchObject({ accepted: 0, rejected: [{ line: 2 }] });
});

it("numbers that the service refuses are written so that they mean the same", async () => {
  const { run, file, path } = await desk();
  const list = file("p.csv", `codigo,nombre,precio\n${"X".repeat(70)},Pan,2.007\n2,Té,99.90\n`);
  const csv = await run(["catalog", "check", list, "--json", "--decimal", ".", "--fixed", path("f.xlsx")]);
  expect(csv.code).toBe(0);
  for (const name of ["r.xlsx", "r.csv"]) {
    await run(["catalog", "push", path("f.xlsx"), "--rejected", path(name)]);
    const again = await run(["catalog", "check", path(name), "--json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({ first: [{ nombre: "Pan", precio: 2.007 }] });
  }
});

soakIt(
  "has room for as many rows as a sheet; more go to a CSV, which is said",
  async () => {
    const { run, file, path } = await desk();
    const many = file("many.csv", `codigo,precio\n${"1,x\n".repeat(1_048_576)}`);
    const push = await run(["catalog", "push", many, "--rejected", path("r.xlsx"), "-q"]);
    expect(push.stderr).toContain(`More were left out, so they are in ${path("r.csv")}.`);
    expect(readFileSync(path("r.csv"), "utf8").split("\n")).toHaveLength(1_048_578);
  },
  120_000,
);
