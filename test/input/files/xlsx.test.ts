import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { isReason } from "../../../src/errors.ts";
import { type CatalogOptions, readCatalog } from "../../../src/input/catalog.ts";
import { openInput } from "../../../src/input/files/file.ts";
import { readRecipients } from "../../../src/input/recipients.ts";
import { fixture } from "../../support/run.ts";
import { randomOf, sized, soakIt } from "../../support/soak.ts";
import { inWords, refusal, rowsOf } from "../support.ts";
import { head, numbers, texts, workbook } from "./sheets.ts";

const bytesOf = (name: string): Buffer => readFileSync(fixture(`input/${name}`));
const read = (name: string, options: CatalogOptions = {}) =>
  readCatalog({ name, bytes: bytesOf(name) }, options);
const itemsOf = async (name: string, options: CatalogOptions = {}) =>
  rowsOf(await read(name, options)).map(({ item }) => item);

describe("a workbook", () => {
  it("gives codes as they are displayed and prices as they are stored", async () => {
    expect(await itemsOf("cells.xlsx")).toEqual([
      { codigo: "00123", nombre: "código con formato 00000", precio: 1450.5, deshabilitado: false },
      { codigo: "00124", nombre: "texto con formato", precio: 0.3, deshabilitado: true },
      { codigo: "1E5", nombre: "fórmulas por su valor", precio: 2901, deshabilitado: false },
      {
        codigo: "7790895000997",
        nombre: "código de barras como número",
        precio: 2.007,
        deshabilitado: false,
      },
      { codigo: "00127", nombre: "precio escrito como texto", precio: 1450.5, deshabilitado: false },
      expect.objectContaining({ codigo: "00129" }),
    ]);
    const [rejected] = (await read("cells.xlsx")).rejected;
    expect(rejected).toMatchObject({
      line: 7,
      problem: { kind: "cell_error", column: "precio", text: "#DIV/0!" },
    });
  });

  it.each(["libreoffice.xlsx", "openpyxl.xlsx", "hidden-rows.xlsx"])("%s is read whole", async (name) => {
    const reading = await read(name);
    expect(reading.rejected.length).toBe(0);
    expect(reading.items.length).toBeGreaterThan(2);
  });

  it("names hidden sheets and rows, and reads those rows", async () => {
    const { notices, read: rows } = await read("hidden-rows.xlsx");
    expect(inWords(notices)).toEqual([
      'Hidden sheets were not read: "Notas". Use --sheet to read one.',
      "1 hidden row was read (3). Delete any that you do not want.",
    ]);
    expect(rows).toBe(3);
  });

  it("with several sheets needs one named", async () => {
    expect(await refusal(read("two-sheets.xlsx"))).toBe(
      'it has several sheets: "Salón", "Delivery" → Choose one with --sheet NAME.',
    );
    expect(await refusal(read("two-sheets.xlsx", { sheet: "Cocina" }))).toContain('it has no sheet "Cocina"');
    expect((await read("two-sheets.xlsx", { sheet: "delivery" })).items.length).toBeGreaterThan(0);
  });

  it.each([
    ["excel-97.xls", "old format (.xls) → Open it in the spreadsheet program and save it as .xlsx."],
    ["password.xlsx", "with a password → Save it without the password."],
    ["truncated.xlsx", "it is a damaged workbook: "],
    ["broken-xml.xlsx", "it is a damaged workbook: unexpected end of file →"],
    ["no-sheet.xlsx", "it is a damaged workbook: it has no xl/worksheets/sheet1.xml →"],
    ["no-workbook.xlsx", "it is a damaged workbook: it has no workbook →"],
  ])("%s is refused in one sentence", async (name, words) => {
    expect(await refusal(read(name))).toContain(words);
  });

  it("on standard input is read like a file", async () => {
    const stdin = Readable.from([
      bytesOf("openpyxl.xlsx").subarray(0, 500),
      bytesOf("openpyxl.xlsx").subarray(500),
    ]);
    const file = await openInput("-", stdin, "/");
    expect((await readCatalog(file)).items.length).toBe(3);
  });

  it("gives phones with all their digits, and other numbers and dates as they are displayed", async () => {
    const name = "recipients-numbers.xlsx";
    const { recipients, invalid } = await readRecipients({ name, bytes: bytesOf(name) }, { country: "AR" });
    expect(recipients.slice(0, 2)).toMatchObject([
      { line: 2, phone: "+5491155550017", params: '["Cliente 1","$ 1.450,50","01/11/2026","15%"]' },
      { line: 3, phone: "+5491155550025", params: '["Cliente 2","$ 2.901,00","02/11/2026","15%"]' },
    ]);
    expect(invalid.map(({ line, cells, problem }) => [line, cells[0], problem.kind])).toEqual([
      [5, "91155550017.5", "phone_invalid"],
      [6, "5,49112E+12", "digits_lost"],
      [9, "5491155500000000000", "phone_invalid"],
    ]);
  });

  it("of an old Macintosh counts its days from 1904", async () => {
    const name = "date-1904.xlsx";
    const { recipients } = await readRecipients({ name, bytes: bytesOf(name) }, { country: "AR" });
    expect(recipients.map(({ params }) => params)).toEqual(['["Martina","22/11/2026"]']);
  });
});

describe("cells as other programs write them", () => {
  const header = texts("codigo", "nombre", "precio");
  const of = async (rows: string, more?: Parameters<typeof workbook>[1]) =>
    rowsOf(await readCatalog(workbook(header + rows, more)));

  it("prefixes, cells without addresses, escapes, CDATA and entities of XML", async () => {
    const row = `<row><c t="str"><v>A_x002D_1</v></c><c t="inlineStr"><is><r><t>Pan &amp; </t></r><r><t><![CDATA[<queso>]]></t></r></is></c></row>`;
    expect((await of(row)).map(({ item }) => item)).toEqual([{ codigo: "A-1", nombre: "Pan & <queso>" }]);
  });

  it.each([
    ["2.2999999999999998", 2.3],
    ["1.8149999999999999E3", 1815],
    ["1754.9839999999999", 1754.984],
    ["1E-3", 0.001],
    ["1E-7", 0.0000001],
    ["1E30", 1e30],
    ["1600", 1600],
    ["2.007", 2.007],
  ])("the stored number %s is the price %d", async (stored, precio) => {
    const rows = `<row><c t="inlineStr"><is><t>A</t></is></c><c/><c><v>${stored}</v></c></row>`;
    expect((await of(rows)).map(({ item }) => item)).toEqual([{ codigo: "A", precio }]);
  });

  it.each(["", "7", "x"])(
    "a text with the number '%s' that there is none of is a damaged workbook",
    async (n) => {
      const rows = `<row><c t="s"><v>${n}</v></c></row>`;
      expect(await refusal(of(rows))).toContain(`it has no text "${n}"`);
    },
  );

  const formatted = (code: string) => ({
    parts: {
      "xl/styles.xml": `${head}<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${code}"/></numFmts><cellXfs><xf/><xf numFmtId="200"/></cellXfs></styleSheet>`,
    },
  });
  const cell = (value: string): string => `<c s="1"><v>${value}</v></c>`;
  const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const faultsOf = async (row: string, code: string) => {
    const { rejected } = await readCatalog(workbook(`${header}<row>${row}</row>`, formatted(code)));
    return [...rejected].map(({ problem }) => problem);
  };

  it.each([
    ["mmm\\-yy", "18598", "dic-50"],
    ["mm.yy", "18598", "12.50"],
    ["0%", "0.21", "21%"],
  ])("a price that its program took for a date or a share (%s) is none", async (code, value, shown) => {
    expect(await faultsOf(text("A") + text("") + cell(value), code)).toEqual([
      { kind: "price_unusable", column: "precio", text: shown },
    ]);
  });

  it.each([
    ["00000", "1234.5", "01235"],
    ["#,##0,", "18598", "19"],
    ["0", "7.7912345678901204E+18", "7791234567890120000"],
  ])("a code that does not show the digits of its number (%s) is none", async (code, value, shown) => {
    expect(await faultsOf(cell(value) + text("") + text("5"), code)).toEqual([
      { kind: "digits_lost", column: "codigo", text: shown },
    ]);
  });

  it.each([
    ["d\\-mmm", "46054", "1-feb", "date"],
    ["h:mm:ss", "0.5", "12:00:00", "time"],
    ["#,##0", "1234", "1.234", "number"],
    ["#,##0.00", "1234", "1.234,00", "number"],
    ["0.00", "123456", "123456,00", "number"],
    ['"$" #,##0', "1234", "$ 1.234", "money"],
  ])("a code that its program shows as %s is none, as in a text", async (code, value, shown, as) => {
    expect(await faultsOf(cell(value) + text("") + text("5"), code.replaceAll('"', "&quot;"))).toEqual([
      { kind: "code_spoiled", column: "codigo", text: shown, as },
    ]);
  });

  it("a code that is a truth value is none", async () => {
    expect(await faultsOf(`<c t="b"><v>1</v></c>${text("")}${text("5")}`, "0")).toEqual([
      { kind: "code_spoiled", column: "codigo", text: "TRUE", as: "truth" },
    ]);
  });

  it("a code with more than the digits of its number is as it is displayed", async () => {
    const row = `<row>${cell("18598")}${text("")}${cell("2.5")}</row>`;
    expect(await of(row, formatted("0000-0000"))).toMatchObject([
      { item: { codigo: "0001-8598", precio: 2.5 } },
    ]);
  });

  it("a value in the last column of every row is read or refused, never kept as columns between", async () => {
    const far = (at: number, text: string): string => `<c r="XFD${at}" t="str"><v>${text}</v></c>`;
    const rows = (count: number): string =>
      Array.from(
        { length: count },
        (_, n) => `<row r="${n + 2}">${text(`A${n}`)}${text("b")}${far(n + 2, "x")}</row>`,
      ).join("");
    const before = process.memoryUsage().heapUsed;
    const many = sized(1_000, 6_000);
    const reading = await readCatalog(workbook(header + rows(many)));
    expect([reading.items.length, reading.columns.length]).toEqual([many, 19]);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 << 20);
    const named = header.replace("</row>", `${far(1, "fin")}</row>`);
    expect(await refusal(readCatalog(workbook(named + rows(6_000))))).toBe(
      "it is too large for a workbook once unpacked: 6001 × 16384 cells → Save it as CSV, or split it.",
    );
    expect((await readCatalog(workbook(named + rows(10)))).items.length).toBe(10);
  });

  it.each([
    ["min='3' max='3' hidden='1'", true],
    ["max='16384' min='3' hidden='true'", true],
    ["min='3' max='3' width='0'", true],
    ["min='3' max='3' hidden='0' width='9'", false],
  ])("a column with %s is hidden: %s", async (attributes, isHidden) => {
    const sheet = `${head}<worksheet><cols><col ${attributes}/></cols><sheetData>${header}${texts("A", "b", "5")}</sheetData></worksheet>`;
    const { notices } = await readCatalog(workbook("", { parts: { "xl/worksheets/a.xml": sheet } }));
    expect(notices.some(({ kind }) => kind === "columns_hidden")).toBe(isHidden);
  });

  it("a hidden column is no variable of a message, and no phone beside a visible one", async () => {
    const cols = `<cols><col min="1" max="1" hidden="1"/><col min="4" max="4" hidden="1"/></cols>`;
    const rows = texts("celular", "telefono", "nombre", "deuda") + texts("1", "+5491155550017", "Ana", "5");
    const sheet = `${head}<worksheet>${cols}<sheetData>${rows}</sheetData></worksheet>`;
    const file = () => workbook("", { parts: { "xl/worksheets/a.xml": sheet } });
    const { recipients, notices } = await readRecipients(file());
    expect(recipients).toMatchObject([{ phone: "+5491155550017", params: '["Ana"]' }]);
    expect(notices).toContainEqual({ kind: "columns_hidden", columns: ["celular", "deuda"], areUsed: false });

    const named = await readRecipients(file(), { params: ["deuda"] });
    expect(named.notices.filter(({ kind }) => kind === "columns_hidden")).toEqual([
      { kind: "columns_hidden", columns: ["deuda"], areUsed: true },
      { kind: "columns_hidden", columns: ["celular"], areUsed: false },
    ]);
  });

  it.each([
    ["<f>X1</f><v>0</v>", "formula_zero"],
    ["<f>X1</f><v></v>", "formula_unstored"],
    ["<f>X1</f><v/>", "formula_unstored"],
    ["<f>X1</f>", "formula_unstored"],
    ["<f>X1</f><v> </v>", "formula_unstored"],
    ["<f>X1</f><v>-0.0</v>", "formula_zero"],
  ])("a price that is the formula %s is none (%s)", async (inner, kind) => {
    const row = `<row>${text("A")}${text("b")}<c>${inner}</c></row>`;
    const { rejected } = await readCatalog(workbook(header + row));
    expect([...rejected].map(({ problem }) => problem.kind)).toEqual([kind]);
  });

  it("a formula whose result is an empty text leaves a price as it is, and 0 of one is a plain Activo", async () => {
    const activo = texts("codigo", "precio", "activo");
    const row = `<row>${text("A")}<c t="str"><f>X1</f><v></v></c><c><f>X1</f><v>0</v></c></row>`;
    const reading = await readCatalog(workbook(activo + row));
    expect(rowsOf(reading).map(({ item }) => item)).toEqual([{ codigo: "A", deshabilitado: true }]);
  });

  it("a name or a category that a formula took from an empty cell is none", async () => {
    const row = `<row>${text("A")}<c><f>X1</f><v>0</v></c><c><v>5</v></c></row>`;
    const { rejected } = await readCatalog(workbook(header + row));
    expect([...rejected].map(({ problem }) => problem)).toEqual([
      { kind: "formula_zero", column: "nombre", text: "0" },
    ]);
  });

  soakIt("a stray cell in the last column does not fill the memory with empty ones", async () => {
    const rows = Array.from({ length: 5_000 }, (_, n) => `<row>${text(`A${n}`)}${text("x")}</row>`).join("");
    const before = process.memoryUsage().heapUsed;
    const reading = await readCatalog(
      workbook(`${header}${rows}<row><c r="XFD9" t="str"><v>x</v></c></row>`),
    );
    expect(reading.items.length).toBe(5_000);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(300 << 20);
  });

  it("a text price beside number cells follows the rules of texts", async () => {
    const rows = `<row><c t="inlineStr"><is><t>A</t></is></c><c/><c><v>99.9</v></c></row>${texts("B", "", "1.600")}`;
    expect(await refusal(of(rows))).toMatch(/^line 3: .*"1.600".*--decimal/);
  });

  it("a formula whose result was not saved is named, a failed one in an unused column is not", async () => {
    const rows = `<row><c t="inlineStr"><is><t>A</t></is></c><c/><c><f>B1*2</f></c><c t="e"><v>#N/A</v></c></row>`;
    const reading = await readCatalog(workbook(header + rows));
    expect([...reading.rejected].map(({ problem }) => problem.kind)).toEqual(["formula_unstored"]);
    expect((await of(rows.replace("<f>B1*2</f>", "<v>1</v>"))).map(({ item }) => item)).toEqual([
      { codigo: "A", precio: 1 },
    ]);
  });

  it("empty rows and columns around the table are no part of it; lines are those of the sheet", async () => {
    const cell = (at: string, text: string): string =>
      `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
    const rows = `<row r="3">${cell("C3", "codigo")}</row><row r="4"><c r="C4" s="0"/></row><row r="7">${cell("C7", "A-1")}</row>`;
    const [first] = rowsOf(await readCatalog(workbook(rows)));
    expect([first?.line, first?.item]).toEqual([7, { codigo: "A-1" }]);
  });

  it("shared texts leave out how they are pronounced", async () => {
    const shared = `${head}<sst><si><t>x</t></si><si><r><t>Ra</t></r><rPh><t>zz</t></rPh><r><t>bas</t></r></si></sst>`;
    const row = '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>';
    expect((await of(row, { parts: { "xl/strings.xml": shared } }))[0]?.item.nombre).toBe("Rabas");
  });
});

describe("what is made to do harm", () => {
  it("a sheet that unpacks to a gigabyte is refused before it is unpacked", async () => {
    const { bytes } = workbook(numbers("1"));
    const bomb = Buffer.from(bytes);
    // The size that the archive's directory gives for each part.
    for (let at = bomb.indexOf("PK\u0001\u0002"); at >= 0; at = bomb.indexOf("PK\u0001\u0002", at + 4))
      bomb.writeUInt32LE(1 << 30, at + 24);
    expect(await refusal(readCatalog({ name: "bomb.xlsx", bytes: bomb }))).toMatch(
      /^it is too large for a workbook/,
    );
  });

  it("a part that unpacks to more than it says is refused", async () => {
    const zipped = Buffer.from(workbook(texts("codigo") + texts("A").repeat(50_000)).bytes);
    for (let at = zipped.indexOf("PK\u0001\u0002"); at >= 0; at = zipped.indexOf("PK\u0001\u0002", at + 4))
      zipped.writeUInt32LE(100, at + 24);
    expect(await refusal(readCatalog({ name: "liar.xlsx", bytes: zipped }))).toMatch(
      /^it is a damaged workbook/,
    );
  });

  it("entities that grow are no entities here", async () => {
    const sheet = `${head}<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><worksheet><sheetData>${texts("codigo")}${texts("&b;")}</sheetData></worksheet>`;
    const reading = await readCatalog(workbook("", { parts: { "xl/worksheets/a.xml": sheet } }));
    expect(rowsOf(reading).map(({ item }) => item.codigo)).toEqual(["&b;"]);
  });

  it("a workbook with bytes changed at random is read or refused in words", {
    timeout: 120_000,
  }, async () => {
    const random = randomOf("damaged workbooks");
    const whole = bytesOf("cells.xlsx");
    let refused = 0;
    for (let n = sized(40, 5_000); n > 0; n--) {
      const bytes = Buffer.from(whole);
      for (let m = 1 + random() * 6; m > 0; m--) bytes[Math.floor(random() * bytes.length)] = random() * 256;
      const cut = bytes.subarray(0, random() < 0.2 ? Math.floor(random() * bytes.length) : bytes.length);
      await readCatalog({ name: "damaged.xlsx", bytes: cut }).catch((error: unknown) => {
        if (!isReason(error, "input_unusable")) throw error;
        refused += 1;
      });
    }
    expect(refused).toBeGreaterThan(0);
  });
});
