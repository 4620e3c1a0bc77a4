import { expect, test } from "vitest";
import { rowProblemWords } from "../../src/i18n/en/rows.ts";
import { readCatalog } from "../../src/input/catalog.ts";
import { openInput } from "../../src/input/file.ts";
import { readRecipients } from "../../src/input/recipients.ts";
import { noInput, rowsOf } from "./support.ts";

const fixture = (name: string) => openInput(`fixtures/${name}`, noInput, process.cwd());

test("catalog.csv: 300 rows, 7 of them refused here, each for another reason", async () => {
  const reading = await readCatalog(await fixture("catalog.csv"));
  expect(reading).toMatchObject({ read: 300, collapsed: 0, notices: [] });
  expect(rowsOf(reading)).toHaveLength(293);
  expect([...reading.rejected].map(({ line, problem }) => `${line}: ${rowProblemWords(problem)}`)).toEqual([
    "25: the code is empty: every product needs its own",
    '64: Precio "consultar" is not a number: write a plain amount, or leave the cell empty',
    '99: Precio "-3.900,00" is below zero: write an amount of zero or more, or leave the cell empty',
    '121: Código: the spreadsheet has lost digits of "7,79123E+12": format the column as text and export again',
    '152: Activo "quizás" is neither yes nor no: write sí or no, or leave the cell empty',
    "189: the row has 6 cells and the header 5: put quotation marks around a text that holds the delimiter, or take out what is too much",
    '217: Precio "1e3" is not a number: write a plain amount, or leave the cell empty',
  ]);
});

test("catalog.json: 300 items, 7 of them refused here, each for another reason", async () => {
  const reading = await readCatalog(await fixture("catalog.json"));
  expect(reading).toMatchObject({ read: 300, collapsed: 0, notices: [] });
  expect(rowsOf(reading)).toHaveLength(293);
  expect([...reading.rejected].map(({ line, problem }) => `${line}: ${problem.kind}`)).toEqual([
    "26: code_missing",
    "64: price_not_number",
    "99: price_negative",
    "121: digits_lost",
    "152: boolean_unknown",
    "189: not_an_object",
    "217: code_is_number",
  ]);
});

test("both catalogs hold the same products, and two that only the service refuses", async () => {
  const csv = rowsOf(await readCatalog(await fixture("catalog.csv"))).map(({ item }) => item);
  const json = rowsOf(await readCatalog(await fixture("catalog.json"))).map(({ item }) => item);
  expect(json).toEqual(csv);
  expect(csv.filter(({ codigo }) => codigo.length > 64)).toHaveLength(1);
  expect(csv.filter(({ nombre }) => nombre === undefined)).toHaveLength(1);
  expect(csv.filter(({ nombre }) => nombre?.includes("\n"))).toHaveLength(1);
  expect(csv.filter(({ nombre }) => nombre?.includes(";"))).toHaveLength(1);
});

test("recipients.csv: 60 people, 6 of them refused, each for another reason, nobody twice", async () => {
  const reading = await readRecipients(await fixture("recipients.csv"));
  expect(reading).toMatchObject({ read: 60, duplicates: [], notices: [], paramNames: ["nombre", "pedido"] });
  expect(reading.recipients).toHaveLength(54);
  expect(reading.invalid.map(({ line, problem }) => `${line}: ${problem.kind}`)).toEqual([
    "9: digits_lost",
    "18: phone_country_missing",
    "27: phones_several",
    "36: variable_empty",
    "47: phone_invalid",
    "54: cell_count",
  ]);
  const magic = reading.recipients
    .map(({ phone }) => phone.slice(-4))
    .filter((end) => /^000[0-4]$/.test(end));
  expect(magic.sort()).toEqual(["0000", "0001", "0002", "0003", "0004"]);
});
