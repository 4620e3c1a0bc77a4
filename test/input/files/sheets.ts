import { strToU8, zipSync } from "fflate";

export const head = '<?xml version="1.0"?>';
const types = `${head}<Types/>`;
const relation = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`;

/** A workbook of one sheet, of whose cells each row of `rows` is the XML. */
export function workbook(
  rows: string,
  { parts = {}, pr = "" }: { parts?: Record<string, string>; pr?: string } = {},
) {
  const files = {
    "[Content_Types].xml": types,
    "_rels/.rels": `${head}<Relationships>${relation("r1", "officeDocument", "/xl/workbook.xml")}</Relationships>`,
    "xl/workbook.xml": `${head}<workbook>${pr}<sheets><sheet name="A" r:id="r1" xmlns:r="r"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${head}<Relationships>${relation("r1", "worksheet", "worksheets/a.xml")}${relation("r2", "sharedStrings", "strings.xml")}${relation("r3", "styles", "styles.xml")}</Relationships>`,
    "xl/worksheets/a.xml": `${head}<x:worksheet xmlns:x="x"><x:sheetData>${rows}</x:sheetData></x:worksheet>`,
    ...parts,
  };
  const zipped = zipSync(
    Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(xml)])),
  );
  return { name: "made.xlsx", bytes: zipped };
}

export const texts = (...cells: string[]): string =>
  `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join("")}</row>`;
export const numbers = (...cells: string[]): string =>
  `<row>${cells.map((cell) => `<c><v>${cell}</v></c>`).join("")}</row>`;
