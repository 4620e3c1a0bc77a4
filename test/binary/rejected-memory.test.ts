import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { expect, it } from "vitest";
import { runBinary } from "../support/binary.ts";
import { temporaryFolder } from "../support/run.ts";
import { isSoak, sized } from "../support/soak.ts";

const rows = sized(60_000, 200_000);
/** Megabytes that so many rows may take: 200,000 take 85 to 185, and without bounds took 500 and more. */
const maxMegabytes = sized(150, 230);
/** The peak of this process alone: the one that the system accounts to a child begins with its parent's. */
const tellPeak =
  "data:text/javascript,import{readFileSync}from'node:fs';process.on('exit',()=>process.stderr.write('peak '+/VmHWM:[^0-9]*([0-9]+)/.exec(readFileSync('/proc/self/status','utf8'))[1]))";

const pairs = rows / 2;
const cases: [string, string, (n: number) => string][] = [
  ["CSV of bad prices", "prices.csv", (n) => `P${n},Product ${n},consultar ${n}`],
  ["CSV of one code", "prices.csv", (n) => `A1,Product ${n},${n}.50`],
  ["CSV of pairs", "prices.csv", (n) => `P${n % pairs},Product ${n},${n}.50`],
  ["CSV of amounts in doubt", "prices.csv", (n) => `P${n},Product ${n},${n === rows - 1 ? "9.90" : "2.007"}`],
  ["NDJSON of numbers as codes", "p.ndjson", (n) => `{"codigo":${n},"nombre":"Product ${n}","precio":1.5}`],
];

function written(name: string, row: (n: number) => string): string {
  const file = join(temporaryFolder(), name);
  const lines = Array.from({ length: rows }, (_, n) => row(n));
  writeFileSync(file, `${name === "prices.csv" ? "codigo,nombre,precio\n" : ""}${lines.join("\n")}\n`);
  return file;
}

async function measured(argv: string[]): Promise<string> {
  const env = { HOME: temporaryFolder(), NODE_OPTIONS: `--import="${tellPeak}"` };
  const { code, stdout, stderr } = await runBinary(argv, { env });
  expect(code, stderr).toBe(3);
  const peak = Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024;
  expect(peak, stderr).toBeLessThan(maxMegabytes);
  return stdout;
}

it.skipIf(process.platform !== "linux").each(cases.slice(0, sized(1, 9)))(
  "a %s is rejected in little memory, every row with its reason",
  async (_, name, row) => {
    const stdout = await measured(["catalog", "check", written(name, row), "-o", "ndjson"]);
    const { rejected } = JSON.parse(stdout) as { rejected: { line: number; error: string }[] };
    expect(rejected.length).toBeGreaterThanOrEqual(rows - 1);
    expect(rejected.every(({ error }) => error.length > 0 && error.length < 200)).toBe(true);
  },
);

it
  .skipIf(process.platform !== "linux" || !isSoak)
  .each(cases.filter(([what]) => / pairs$| prices$/.test(what)))(
  "a %s is pushed in little memory, every row in its rejected file",
  async (_, name, row) => {
    const file = join(temporaryFolder(), "rejected.csv");
    await measured(["catalog", "push", "--mock", written(name, row), "--rejected", file]);
    const lines = readFileSync(file, "utf8").trimEnd().split("\r\n");
    expect(lines.length).toBe(rows + 1);
    expect(lines.slice(1).every((line) => /^P\d+,Product \d+,.+,.+/.test(line))).toBe(true);
  },
  60_000,
);

/** A workbook of 6,000 products, each with a value in the last column that a sheet may have. */
function sparseWorkbook(lastHeader: string): string {
  const text = (at: string, value: string): string => `<c r="${at}" t="str"><v>${value}</v></c>`;
  const row = (n: number, cells: readonly string[], last: string): string =>
    `<row r="${n}">${cells.map((cell, at) => text(`${"ABC"[at] ?? ""}${n}`, cell)).join("")}${last === "" ? "" : text(`XFD${n}`, last)}</row>`;
  const products = Array.from({ length: 6_000 }, (_, n) => row(n + 2, [`A${n}`, "Pan", "5"], "x"));
  const relation = (type: string, target: string): string =>
    `<Relationships><Relationship Id="r1" Type="http://x/${type}" Target="${target}"/></Relationships>`;
  const parts = {
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": relation("officeDocument", "xl/workbook.xml"),
    "xl/workbook.xml": '<workbook><sheets><sheet name="A" r:id="r1" xmlns:r="r"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": relation("worksheet", "a.xml"),
    "xl/a.xml": `<worksheet><sheetData>${row(1, ["codigo", "nombre", "precio"], lastHeader)}${products.join("")}</sheetData></worksheet>`,
  };
  const file = join(temporaryFolder(), "lista.xlsx");
  const zipped = zipSync(
    Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)])),
  );
  writeFileSync(file, zipped);
  return file;
}

// test/input/files/xlsx.test.ts reads such a sheet in the process of the tests.
const sheets: [string, string, number, string][] = [
  ["without a header there is read", "", 0, ""],
  ["with a header there is refused", "fin", 2, "6001 × 16384 cells"],
];
it.skipIf(!isSoak).each(sheets)(
  "a value in the last column of 6,000 rows %s, with little memory",
  async (_, header, code, why) => {
    const env = { NODE_OPTIONS: "--max-old-space-size=512" };
    const run = await runBinary(["catalog", "check", sparseWorkbook(header), "-q"], { env });
    expect(run).toMatchObject({ code, stderr: expect.stringContaining(why) as string });
  },
);
