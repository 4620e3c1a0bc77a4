import { strToU8, Zip, ZipDeflate } from "fflate";
import { inChunks } from "../display/csv.ts";

export interface SheetCell {
  text: string;
  /** `text` stays a text whatever is typed over it; `general` is a number where one is typed. */
  as?: "text" | "general" | "number" | "heading";
  isMarked?: boolean;
}

/** Excel reports a workbook with a longer cell as damaged. */
export const maxCellLength = 32_767;

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006";
const types = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** 49 is the format of texts. The cells' styles, in this order: general, text, heading; then the first two marked. */
const styles = `${xml}<styleSheet ${main}>
<fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font><font><sz val="11"/><color rgb="FF9C0006"/><name val="Calibri"/></font></fonts>
<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFFFC7CE"/></patternFill></fill></fills>
<borders count="1"><border/></borders>
<cellStyleXfs count="1"><xf/></cellStyleXfs>
<cellXfs count="5"><xf/><xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/>
<xf fontId="2" fillId="2" applyFont="1" applyFill="1"/><xf numFmtId="49" fontId="2" fillId="2" applyNumberFormat="1" applyFont="1" applyFill="1"/></cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
const styleIndexes = { general: 0, number: 0, text: 1, heading: 2 } as const;
const marked = 3;

const parts: Readonly<Record<string, string>> = {
  "[Content_Types].xml": `${xml}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
  "_rels/.rels": `${xml}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/workbook.xml": `${xml}<workbook ${main} xmlns:r="${office}"><sheets><sheet name="bpos" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": `${xml}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  "xl/styles.xml": styles,
};

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escapeUnit = (unit: string): string =>
  `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`;
/** Characters that XML cannot hold or would change, as workbooks escape them (`_x000D_`), and text that looks like such an escape. */
const unholdable =
  /[\0-\x08\x0b-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|_(?=x[0-9a-f]{4}_)/gi;

const textXml = (text: string): string =>
  text.replace(unholdable, escapeUnit).replace(/[&<>]/g, (sign) => entities[sign] ?? sign);

function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

function cellXml({ text, as = "text", isMarked = false }: SheetCell, at: string): string {
  if (text === "" && !isMarked) return "";
  const attributes = `r="${at}" s="${styleIndexes[as] + (isMarked ? marked : 0)}"`;
  if (text === "") return `<c ${attributes}/>`;
  if (as === "number") return `<c ${attributes}><v>${text}</v></c>`;
  return `<c ${attributes} t="inlineStr"><is><t xml:space="preserve">${textXml(text)}</t></is></c>`;
}

function* sheetXml(rows: Iterable<readonly SheetCell[]>, widths: readonly number[]): Generator<string> {
  yield `${xml}<worksheet ${main}><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>`;
  for (const [index, width] of widths.entries())
    yield `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
  yield "</cols><sheetData>";
  const columns = widths.map((_, index) => columnName(index));
  let line = 0;
  for (const cells of rows) {
    line += 1;
    const row = cells.map((cell, index) => cellXml(cell, `${columns[index] ?? columnName(index)}${line}`));
    yield `<row r="${line}">${row.join("")}</row>`;
  }
  // Without it, Excel offers to convert each code to a number, which removes leading zeros.
  yield `</sheetData><ignoredErrors><ignoredError sqref="A1:XFD1048576" numberStoredAsText="1"/></ignoredErrors></worksheet>`;
}

/** Not the current time, so that the same rows give the same bytes. */
const zipDate = new Date(1980, 0, 1);

/** Yields the bytes of a workbook with one sheet, whose first row stays in sight, while it takes the rows. */
export function* workbookChunks(
  rows: Iterable<readonly SheetCell[]>,
  widths: readonly number[],
): Generator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    ready.push(chunk);
  });
  const add = (name: string): ZipDeflate => {
    const part = new ZipDeflate(name, { level: 3 });
    part.mtime = zipDate;
    zip.add(part);
    return part;
  };
  for (const [name, text] of Object.entries(parts)) add(name).push(strToU8(text), true);
  const sheet = add("xl/worksheets/sheet1.xml");
  for (const piece of inChunks(sheetXml(rows, widths))) {
    sheet.push(strToU8(piece));
    yield* ready.splice(0);
  }
  sheet.push(new Uint8Array(), true);
  zip.end();
  yield* ready.splice(0);
}
