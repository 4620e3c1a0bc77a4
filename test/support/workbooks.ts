import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";

/** A cell of a workbook of ours: its text, how it is stored, and its style. */
export interface Stored {
  text: string;
  type: "text" | "number" | "empty";
  isMarked: boolean;
}

const unescaped = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .replace(/_x([0-9A-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** The XML of the sheet of a workbook of ours. */
export const sheetOf = (workbook: Uint8Array): string =>
  strFromU8(unzipSync(workbook)["xl/worksheets/sheet1.xml"] ?? new Uint8Array());

/** The cells of a workbook of ours, row by row, each where its address says. */
export function cellsIn(workbook: Uint8Array): (Stored | undefined)[][] {
  const rows = sheetOf(workbook).match(/<row .*?<\/row>/gs) ?? [];
  return rows.map((row) => {
    const cells: (Stored | undefined)[] = [];
    for (const [, column = "", style, rest = ""] of row.matchAll(
      /<c r="([A-Z]+)\d+" s="(\d)"(.*?)(?:<\/c>|\/>)/gs,
    )) {
      const number = /<v>(.*)<\/v>/.exec(rest)?.[1];
      const text = /<t [^>]*>(.*)<\/t>/s.exec(rest)?.[1];
      const type = number !== undefined ? "number" : text !== undefined ? "text" : "empty";
      cells[Array.from(column).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1] = {
        text: number ?? unescaped(text ?? ""),
        type,
        isMarked: Number(style) > 2,
      };
    }
    return cells;
  });
}

/** A workbook of ours in which somebody typed a number into these cells, or a text, or emptied them. */
export function typedInto(workbook: Uint8Array, cells: Record<string, number | string | null>): Uint8Array {
  const parts = unzipSync(workbook);
  let xml = sheetOf(workbook);
  for (const [at, value] of Object.entries(cells)) {
    const typed =
      value === null
        ? ""
        : typeof value === "number"
          ? `<c r="${at}"><v>${value}</v></c>`
          : `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
    xml = xml.replace(new RegExp(`<c r="${at}"[^>]*?(?:/>|>.*?</c>)`, "s"), typed);
  }
  return zipSync({ ...parts, "xl/worksheets/sheet1.xml": strToU8(xml) });
}
