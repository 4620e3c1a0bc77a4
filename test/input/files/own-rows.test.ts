import { expect, it } from "vitest";
import { newSheet, rejectedCsv, rejectedSheet } from "../../../src/cli/files/rejected-rows.ts";
import { readRecipients } from "../../../src/input/recipients.ts";
import { textsIn } from "../../../src/texts/texts.ts";
import { catalog, fileOf, rowsOf } from "../support.ts";

const languages = [textsIn("en"), textsIn("es")];

/** The rejected file of a list, line by line. */
async function rejectedLines(list: string, texts = textsIn("en")): Promise<string[]> {
  const reading = await catalog(list);
  const chunks = rejectedCsv(reading.rejected, rejectedSheet(reading), texts);
  return [...chunks].join("").trimEnd().split("\r\n");
}

async function read(lines: readonly string[]) {
  const reading = await catalog(lines.join("\n"));
  return {
    codes: rowsOf(reading).map(({ item }) => item.codigo),
    rejected: reading.rejected.map(({ codigo, problem }) => ({ codigo, problem })),
  };
}

const held = (mark: string) => ({ kind: "row_held", under: "bpos_hold", mark });
const list = 'codigo;nombre;precio\nA;Agua\nB;"Bife\nC;Café;consultar\n';
/** Takes the mark away, as a person does in a spreadsheet: its cell is empty. */
const freed = (line: string): string => line.replace(/;(?:incomplete|unchecked)$/, ";");

it("adds its column for marks only where a row needs one", async () => {
  expect((await rejectedLines("codigo;precio\nC;consultar\n"))[0]).toBe("codigo;precio;error");
  expect((await rejectedLines(list))[0]).toBe("codigo;nombre;precio;error;bpos_info;bpos_hold");
});

it.each(languages)("keeps the rows out that it marked, and no others, in $language", async (texts) => {
  const lines = await rejectedLines(list, texts);
  const said = texts.t("complete this row, then delete the cell on the right");
  expect(lines[1]).toMatch(new RegExp(`;${said};incomplete$`));
  const corrected = lines.map((line) => line.replace("consultar", "20"));
  expect(await read(corrected)).toMatchObject({
    codes: ["C"],
    rejected: [{ problem: held("incomplete") }, { problem: held("incomplete") }],
  });

  const complete = corrected.map(freed).filter((line) => !line.includes("Bife"));
  expect(await read(complete)).toEqual({ codes: ["A", "C"], rejected: [] });
});

it.each(languages)("never takes an excluded person back, in $language", async (texts) => {
  const people = fileOf("telefono,nombre\n+5491161234567,Ana\n+5491161234568,Eva\n");
  const exclusions = new Map([["+5491161234567", { file: "bajas.txt", line: 1 }]]);
  const { columns, phoneColumn, excluded } = await readRecipients(people, { exclusions });
  const rows = excluded.map((row) => ({ ...row, source: "file" as const, codigo: null }));
  const written = [...rejectedCsv(rows, newSheet(columns, phoneColumn), texts)].join("");
  expect(written).toMatch(/,excluded\r\n$/);
  const again = await readRecipients(fileOf(written));
  expect(again).toMatchObject({ recipients: [], excluded: [{ problem: { kind: "excluded_before" } }] });
});

it("does not mind the cells that a spreadsheet adds at the end of every row, or leaves out of one", async () => {
  const corrected = (await rejectedLines(list)).map((line) => line.replace("consultar", "20"));
  expect(await read(corrected.map((line) => `${line};;`))).toMatchObject({
    codes: ["C"],
    rejected: [{ problem: held("incomplete") }, { problem: held("incomplete") }],
  });
  const isFirst = (line: string): boolean => line === corrected[0];
  const short = corrected.map((line) => (isFirst(line) ? line : freed(line).replace(/;+$/, "")));
  expect(await read(short.filter((line) => !line.includes("Bife")))).toEqual({
    codes: ["A", "C"],
    rejected: [],
  });
});

it.each([
  ["stands one cell further left, where one was deleted", "A;Agua;why;do it;unchecked", held("unchecked")],
  ["says anything else", "A;Agua;1;why;do it;x", held("x")],
  ["is written in capitals", "A;Agua;1;why;do it;EXCLUDED", held("EXCLUDED")],
])("holds a row whose mark %s", async (_, row, problem) => {
  const { codes, rejected } = await read(["codigo;nombre;precio;error;bpos_info;bpos_hold", row, "B;b;2;;;"]);
  expect({ codes, problems: rejected.map((each) => each.problem) }).toEqual({
    codes: ["B"],
    problems: [problem],
  });
});

it("holds a row without a mark by the cells that belong to no column, until they are gone", async () => {
  const [header = "", row = ""] = await rejectedLines("codigo;nombre;precio\nA;Agua;sin gas;5\nB;b;1\n");
  expect([header, row.split(";").at(-1)]).toEqual(["codigo;nombre;precio;error", "5"]);
  const rejected = [{ codigo: "A", problem: { kind: "cell_count", expected: 4, found: 5 } }];
  expect(await read([header, row])).toEqual({ codes: [], rejected });
  expect(await read([header, row.replace(/sin gas;(.*);5$/, "5;$1")])).toMatchObject({ codes: ["A"] });
});

it("marks a row whose surplus cells are empty: a spreadsheet does not keep them", async () => {
  const lines = await rejectedLines("codigo;nombre;precio\nA;Agua;1;\nB;b;1\n");
  expect(lines[1]).toMatch(/^A;Agua;1;.*;unchecked$/);
  expect(await read(lines)).toMatchObject({ codes: [], rejected: [{ problem: held("unchecked") }] });
  expect(await read(lines.map(freed))).toEqual({ codes: ["A"], rejected: [] });
});

it("says the same of a row that is rejected once more", async () => {
  const lines = await rejectedLines(list);
  const again = await rejectedLines(lines.join("\n"));
  expect(again[0]).toBe(lines[0]);
  expect(again[1]).toMatch(
    /^A;Agua;;.*the cell under bpos_hold still says.*;complete this row.*;incomplete$/,
  );
});
