import { describe, expect, it } from "vitest";
import type { CatalogOptions } from "../../../src/input/catalog.ts";
import { texts, workbook } from "../files/sheets.ts";
import { catalog, inWords, reasons, rowsOf } from "../support.ts";

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** One list of those codes in each format; the rows of all of them have the same judgement. */
const formats: Record<string, (codes: readonly string[]) => string | Uint8Array> = {
  CSV: (codes) => `codigo;nombre\n${codes.map((code) => `${code};Pan\n`).join("")}`,
  NDJSON: (codes) => codes.map((codigo) => `${JSON.stringify({ codigo, nombre: "Pan" })}\n`).join(""),
  JSON: (codes) => JSON.stringify(codes.map((codigo) => ({ codigo, nombre: "Pan" }))),
  workbook: (codes) =>
    workbook(texts("codigo", "nombre") + codes.map((code) => texts(escaped(code), "Pan")).join("")).bytes,
};

/** Which codes are rejected, and which are sent with a warning. */
async function judge(content: string | Uint8Array, options?: CatalogOptions) {
  const reading = await catalog(content, options);
  const [notice] = reading.notices.filter(({ kind }) => kind === "codes_doubtful");
  return {
    rejected: reading.rejected.map(({ codigo }) => codigo),
    doubtful: notice?.kind === "codes_doubtful" ? notice.count : 0,
    sent: rowsOf(reading).map(({ item }) => item.codigo),
  };
}

const spoiled = [
  // Dates as Excel, LibreOffice and Google Sheets show them in Spanish, English and Portuguese.
  ..."1-feb,01-feb,feb-26,1-ene,ene-26,dic-50,1-feb.,feb.-26,sept-26,set/26,1-Feb,Feb-26,01-fev,01/fev,fev/26".split(
    ",",
  ),
  ..."01/02/2026,1/2/2026,01/02/26,12/31/2026,2026-02-01,2026/02/01,01-02-2026,01.02.2026".split(","),
  ..."1-feb-26,01-feb-2026,1-Feb-2026,2026-02-01 00:00:00,01/02/2026 0:00,2026-02-01T00:00:00.000Z".split(
    ",",
  ),
  ...["1 de febrero de 2026", "domingo, 1 de febrero de 2026", "1 de março de 2026", "febrero de 2026"],
  ...["February 1, 2026", "Sunday, February 1, 2026", "Feb 1, 2026", "1 feb 2026", "marzo-2026"],
  "Sun Feb 01 2026 00:00:00 GMT-0300 (hora estándar de Argentina)",
  ...["12:30:00", "1:30:00 PM", "1:30 p. m.", "36:30:00", "12:30:00.000", "0 days 00:00:00"],
  ..."#¡REF!,#REF!,#N/D,#N/A,#VALUE!,#¡VALOR!,#VALOR!,#NAME?,#¿NOMBRE?,#NOMBRE?,#NOME?,#DIV/0!,#¡DIV/0!,#NÚM!,#NULL!".split(
    ",",
  ),
  ..."#SPILL!,#¡DESBORDAMIENTO!,#CALC!,#GETTING_DATA,#OBTENIENDO_DATOS,##,#####,Err:502,Loading...,Cargando…,Carregando...".split(
    ",",
  ),
  ..."7.79E+12,7.79123E+12,-7.79E+12,12.3E+9,7.79123E12,1.5E-05,123456.0,123456.00".split(","),
  ...["7,79E+12", "1,5E-05", "123456,00", "1.234,00", "12,345.67"],
  ...["7791234567890120000", "779123456789000000"],
  ...["VERDADERO", "FALSO", "TRUE", "False", "VERDADEIRO"],
  ...["'00123", "'A1", "=A1", "=00123", '="00123', "=CONCAT(A1;B1)", "=BUSCARV(A2;Hoja2!A:B;2;0)"],
  ...["$ 123", "$123,00", "$ 1.234,50", "R$ 12", "12,50 €", "S/ 12.00", "-$ 12.00"],
];
const doubtful = [
  ..."1/2,12/2026,02-2026,2026/02,1-FEB,FEB-26,SET-20,feb-1,1 feb,set 12,01-02-26,12:30".split(","),
  ..."12.0,5E+5,1E-05,12.345.678,12%,$123,7791234567890120".split(","),
  ...["1,234", "12,0", "12 %", "7 790 001"],
];
const codes = [
  ..."219E01BE,FEB-26X,ENE1,MAR10,marmol-1,mayonesa-2,1E5,12E5,1.10,1.1.1,1-2,1-2-3,01.02.03,A-1,ABC-123,1-A".split(
    ",",
  ),
  ..."00123,7790001000017,123456789012345,1234567890123456,779123456789012345,45/99,13/13/2026,1/2/3,99:99".split(
    ",",
  ),
  ..."#1,#A12,#,N/A,S/N,A'1,A=1,A$1,5$A,-5,+5,Err-502,T-1,truev,falsa,Loading,10-CAN,junio,Sepia,dia-feb".split(
    ",",
  ),
  ...["café-1", "x 1", "a:b", "A/1"],
];

describe.each(Object.entries(formats))("%s", (name, file) => {
  it("what cannot be a code is rejected", async () => {
    // A cell of a workbook or a CSV that is `="…"` is the text in it, and a break within a cell is not plain.
    const given = spoiled.filter((code) => name !== "CSV" || !/[";]/.test(code));
    expect(await judge(file(given))).toEqual({ rejected: given, doubtful: 0, sent: [] });
  });

  it("what may be one is sent, with one warning for all of them", async () => {
    expect(await judge(file(doubtful))).toEqual({ rejected: [], doubtful: doubtful.length, sent: doubtful });
  });

  it("what is one is sent without a word", async () => {
    expect(await judge(file(codes))).toEqual({ rejected: [], doubtful: 0, sent: codes });
  });
});

it("the warning names the first five, by their lines", async () => {
  const rows = ["A1", ...doubtful.slice(0, 7)].map((code) => `${code};Pan\n`).join("");
  expect(inWords((await catalog(`codigo;nombre\n${rows}`)).notices)).toEqual([
    '7 codes look altered by a spreadsheet (line 3: "1/2"; line 4: "12/2026"; line 5: "02-2026"; line 6: "2026/02"; line 7: "1-FEB"; and 2 more). Codes are sent as written. If they are wrong, format the column as text and retype them.',
  ]);
});

it("a rejected row is not counted among those that are sent with a warning", async () => {
  const { notices } = await catalog("codigo;nombre;precio\n1/2;Pan;x\n1/3;Pan;5\n1/3;Pan;6\n1/4;Pan;7\n");
  expect(notices).toEqual([{ kind: "codes_doubtful", codes: [{ line: 5, code: "1/4" }], count: 1 }]);
});

it("each says what it was taken for", async () => {
  const cells = ["1-feb", "12:30:00", "123456.0", "$ 5", "TRUE", "=A1", "'7", "#N/A", "7.79E12"];
  expect(await reasons(`codigo;nombre\n${cells.map((code) => `${code};Pan\n`).join("")}`)).toEqual([
    '2: codigo: a spreadsheet turned a code into a date ("1-feb"): format the column as text and type the code again',
    '3: codigo: a spreadsheet turned a code into a time ("12:30:00"): format the column as text and type the code again',
    '4: codigo: a spreadsheet turned a code into a number ("123456.0"): format the column as text and type the code again',
    '5: codigo: a spreadsheet turned a code into an amount of money ("$ 5"): format the column as text and type the code again',
    `6: codigo "TRUE" is a spreadsheet's true or false, not a code: check which column contains the codes`,
    '7: codigo "=A1" is a formula, not its result: type the code itself',
    `8: codigo "'7" starts with the apostrophe that spreadsheets put before text: delete it`,
    "9: codigo: the calculation of the cell failed (#N/A): correct it in the spreadsheet",
    '10: codigo: the spreadsheet lost digits of "7.79E12": format the column as text and export again',
  ]);
});

it("a failed calculation is no name and no category, in a text as in a workbook", async () => {
  const rows = "A;#¡REF!;x\nB;x;#N/D\nC;#1 en ventas;Loading\nD;Err:502;\nE;Loading...;\n";
  expect(await reasons(`codigo;nombre;categoria\n${rows}`)).toEqual([
    "2: nombre: the calculation of the cell failed (#¡REF!): correct it in the spreadsheet",
    "3: categoria: the calculation of the cell failed (#N/D): correct it in the spreadsheet",
    "5: nombre: the calculation of the cell failed (Err:502): correct it in the spreadsheet",
    "6: nombre: the calculation of the cell failed (Loading...): correct it in the spreadsheet",
  ]);
});

it("`catalog delete` rejects such a code too", async () => {
  expect(await judge("codigo\n1-feb\nA1\n", { action: "delete" })).toMatchObject({
    rejected: ["1-feb"],
    sent: ["A1"],
  });
});
