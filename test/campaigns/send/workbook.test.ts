import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import writeExcelFile from "write-excel-file/node";
import { workbookChunks } from "../../../src/cli/files/workbook.ts";
import { desk, parse, send } from "../../support/campaigns.ts";
import { fixture } from "../../support/run.ts";
import { typedInto } from "../../support/workbooks.ts";

const workbook = (...rows: string[][]): Buffer =>
  Buffer.concat([
    ...workbookChunks(
      rows.map((cells) => cells.map((text) => ({ text }))),
      [20],
    ),
  ]);
/** A workbook by another program, with these sheets. */
const sheets = (data: Record<string, string[][]>): Promise<Buffer> =>
  writeExcelFile(Object.entries(data).map(([sheet, rows]) => ({ sheet, data: rows }))).toBuffer();
const numbers = fixture("input/recipients-numbers.xlsx");

it("sends a workbook once, under its name and hash, to whoever --expect counts", async () => {
  const { run, phones } = await desk();
  const file = fixture("recipients.xlsx");
  const argv = send(file, "--params", "nombre,pedido", "--country", "AR", "--yes", "--json", "--expect", "9");
  const first = await run(argv);
  const hash = createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 8);
  expect(first.code).toBe(3);
  expect(parse(first.stdout)).toMatchObject({
    external_ref: `recipients-${hash}`,
    recipients: { read: 10, planned: 9, added: 9, invalid: 1 },
    invalid: [{ line: 9, phone: "5,49112E+12" }],
  });
  expect(await phones()).toHaveLength(9);
  const again = await run([...argv.slice(0, -1), "0"]);
  expect(parse(again.stdout)).toMatchObject({
    outcome: "replayed",
    recipients: { planned: 0, already_sent: 9 },
  });
  expect(await phones()).toHaveLength(9);
});

it("takes the stored digits of a phone and what other cells show, in the region of the message", async () => {
  const { run } = await desk();
  const dryRun = (...more: string[]) => run(send(numbers, "--dry-run", ...more));
  const shown = (await dryRun("--country", "AR")).stdout;
  expect(shown).toContain("+5491155550017  Cliente 1 · $ 1.450,50 · 01/11/2026 · 15%");
  expect(shown).toContain("+5491155550025  Cliente 2 · $ 2.901,00 · 02/11/2026 · 15%");
  expect((await dryRun("--country", "AR", "--language", "en_US")).stdout).toContain(
    "Cliente 1 · $ 1,450.50 ·",
  );
  // A plus that the format shows counts; without one a number needs its country.
  const { invalid, recipients } = parse((await dryRun("--json")).stdout);
  expect(recipients).toMatchObject({ planned: 2 });
  expect(invalid.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 9]);
  expect(invalid[0]?.error).toBe(
    '"5491155550017" has no + and country code: write it as +54 9 11 …, or name the country with --country AR',
  );
});

it("shows in --errors the phone that is stored, not one that its format rounds to", async () => {
  const { run, path } = await desk();
  const errors = path("e.csv");
  const { stdout } = await run(send(numbers, "--dry-run", "--country", "AR", "--errors", errors, "--json"));
  expect(parse(stdout).invalid.map(({ phone }) => phone)).toEqual([
    "91155550017.5",
    "5,49112E+12",
    "5491155500000000000",
  ]);
  // As a spreadsheet in Spanish writes it.
  expect(readFileSync(errors, "utf8").split("\r\n").slice(0, 2)).toEqual([
    "\ufefftelefono;nombre;importe;fecha;descuento;error",
    '91155550017.5;Cliente 4;$ 5.802,00;04/11/2026;15%;"""91155550017.5"" is not a phone number of AR: check its digits"',
  ]);
});

it("--exclude reads a workbook, by the person; --sheet counts there too", async () => {
  const { run, file } = await desk();
  const header = ["telefono", "nombre", "pedido"];
  const people = file(
    "p.xlsx",
    workbook(
      header,
      ["+5491155550017", "Ana", "1"],
      ["+5491155550025", "Bea", "2"],
      ["+5491155550033", "Cy", "3"],
    ),
  );
  const excluded = async (...more: string[]) => {
    const { stdout, stderr, code } = await run(
      send(people, "--dry-run", "--json", "--country", "AR", ...more),
    );
    return code === 2 ? stderr : parse(stdout).excluded_rows.map(({ phone }) => phone);
  };
  // The landline form of the same person; phones alone, without a header.
  const bajas = file("bajas.xlsx", workbook(["teléfono"], ["+54 11 5555-0017"]));
  const alone = file("alone.xlsx", workbook(["11 5555 0025"], ["1155550033"]));
  expect(await excluded("--exclude", bajas)).toEqual(["+5491155550017"]);
  expect(await excluded("--exclude", bajas, "--exclude", alone)).toHaveLength(3);
  const two = file(
    "two.xlsx",
    await sheets({ Bajas: [["tel"], ["+5491155550025"]], bpos: [["tel"], ["+5491155550033"]] }),
  );
  expect(await excluded("--exclude", two)).toContain(
    'it has several sheets: \\"Bajas\\", \\"bpos\\".","hint":"Hide the other sheets',
  );
  // The sheet of the recipients; where another file has none of that name, its only one.
  const text = file("text.csv", "+5491155550017\n");
  const named = ["--sheet", "BPOS", "--exclude", two, "--exclude", text];
  expect(await excluded(...named)).toEqual(["+5491155550017", "+5491155550033"]);
  expect(await excluded("--exclude", fixture("input/hidden-rows.xlsx"), "--sheet", "bpos")).toContain(
    "no column holds the phone",
  );
});

it("the workbook of --errors is sent once its cells are corrected, and only whom it was about", async () => {
  const { run, file, path, phones } = await desk();
  const people = file(
    "p.xlsx",
    workbook(
      ["telefono", "nombre", "pedido"],
      ["+5491155550017", "Ana", "1"],
      ["11 5555 00", "Bea", "0012"],
      ["+5491155550017", "Ana dos", "3"],
      ["+5491155550033", "'=Cy", ""],
    ),
  );
  const errors = path("e.xlsx");
  const ref = ["--ref", "enero", "--country", "AR", "--yes", "--json"];
  await run(send(people, ...ref, "--errors", errors));
  expect(await phones()).toEqual(["+5491155550017"]);
  // As it is, nobody is messaged.
  await run(send(errors, ...ref));
  expect(await phones()).toHaveLength(1);
  writeFileSync(errors, typedInto(readFileSync(errors), { A2: 1155550025, C4: "7" }));
  const corrected = await run(send(errors, ...ref, "--fix-phones"));
  expect(parse(corrected.stdout)).toMatchObject({ recipients: { read: 3, added: 2, invalid: 1 } });
  expect(await phones()).toEqual(["+5491155550017", "+5491155550025", "+5491155550033"]);
});
