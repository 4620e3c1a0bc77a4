import { posix } from "node:path";
import { Parser } from "saxen";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";

/** The largest part of a workbook that is unpacked, in bytes: some million rows. */
const maxPartBytes = 256 << 20;
const maxParts = 10_000;
/** The maximum size of a workbook unpacked, in bytes: two parts can be the same. */
const maxBytes = 2 * maxPartBytes;

/** Thrown for a workbook that cannot be read, with the reason. */
export class BrokenWorkbook extends Error {
  readonly kind: "broken" | "too_large";
  constructor(detail: string, kind: "broken" | "too_large" = "broken") {
    super(detail.replace(/\.+$/, ""));
    this.kind = kind;
  }
}

/** A workbook writes characters that XML does not allow as `_x000D_`. */
const unescapeText = (text: string): string =>
  text.includes("_x")
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

const local = (name: string): string => name.slice(name.indexOf(":") + 1);

interface XmlHandlers {
  open?: (name: string, attribute: (name: string) => string | undefined) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
}

/** Calls back for each element, by its name without a prefix, and for each text. */
export function readXml(xml: string, on: XmlHandlers): void {
  if (xml === "") return;
  const parser = new Parser();
  parser.on("openTag", (name, attributes, decode) => {
    on.open?.(local(name), (wanted) => {
      const all = attributes();
      const value = all[wanted] ?? all[Object.keys(all).find((each) => local(each) === wanted) ?? ""];
      return value === undefined ? undefined : decode(value);
    });
  });
  if (on.text !== undefined) {
    parser.on("text", (text, decode) => on.text?.(unescapeText(decode(text))));
    parser.on("cdata", (text) => on.text?.(unescapeText(text)));
  }
  parser.on("closeTag", (name) => on.close?.(local(name)));
  parser.on("warn", () => undefined);
  parser.on("error", (error) => {
    throw new BrokenWorkbook(error.message.split("\n", 1)[0] ?? "");
  });
  parser.parse(xml);
}

const broken = (error: unknown): BrokenWorkbook =>
  error instanceof BrokenWorkbook ? error : new BrokenWorkbook((error as Error).message);

export type Sheet = { name: string; isHidden: boolean; part: string };

/** An .xlsx file: a zip archive of XML parts, which name each other by relations. */
export class Workbook {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  #unpacked = 0;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /** Opens the archive. Throws BrokenWorkbook. */
  static async open({ buffer, byteOffset, byteLength }: Uint8Array): Promise<Workbook> {
    try {
      const zip = await fromBufferPromise(Buffer.from(buffer, byteOffset, byteLength));
      if (zip.entryCount > maxParts) throw new BrokenWorkbook(`${zip.entryCount} parts`, "too_large");
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry);
      return new Workbook(zip, entries);
    } catch (error) {
      throw broken(error);
    }
  }

  has(part: string): boolean {
    return this.#entries.has(part.toLowerCase());
  }

  /** Returns the text of a part, empty where there is none. Throws BrokenWorkbook, also for a part that unpacks to more than it says. */
  async part(name: string): Promise<string> {
    const entry = this.#entries.get(name.toLowerCase());
    if (entry === undefined) return "";
    const size = entry.uncompressedSize;
    this.#unpacked += size;
    if (size > maxPartBytes || this.#unpacked > maxBytes)
      throw new BrokenWorkbook(`${name}: ${Math.round(size / 2 ** 20)} MB`, "too_large");
    const bytes = Buffer.allocUnsafe(size);
    let at = 0;
    try {
      for await (const chunk of await this.#zip.openReadStreamPromise(entry))
        at += (chunk as Buffer).copy(bytes, at);
    } catch (error) {
      throw broken(error);
    }
    return decodeText(bytes.subarray(0, at));
  }

  /** Returns the parts that a part refers to, by the ids that it uses for them. */
  async relations(part: string): Promise<Map<string, { type: string; target: string }>> {
    const { dir, base } = posix.parse(part);
    const found = new Map<string, { type: string; target: string }>();
    readXml(await this.part(posix.join(dir, "_rels", `${base}.rels`)), {
      open(name, attribute) {
        if (name !== "Relationship") return;
        const target = attribute("Target") ?? "";
        const path = target.startsWith("/") ? target.slice(1) : posix.join(dir, target);
        // The names of the types are longer in one of the two editions of the format; their ends are the same.
        found.set(attribute("Id") ?? "", { type: posix.basename(attribute("Type") ?? ""), target: path });
      },
    });
    return found;
  }
}

/** Decodes a part: mostly UTF-8, but the format allows UTF-16, too. */
function decodeText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString("utf16le", 2);
  return bytes.toString("utf8", bytes[0] === 0xef ? 3 : 0);
}

/** Facts about a whole workbook. */
export interface WorkbookFacts {
  sheets: Sheet[];
  /** Its days are counted from 1904, as in old Macintosh programs. */
  from1904: boolean;
  /** The program that opens it has to calculate its formulas, since the one that wrote it does not calculate. */
  recalculates: boolean;
  sharedPart: string | undefined;
  stylesPart: string | undefined;
}

/** Throws BrokenWorkbook. */
export async function workbookFacts(workbook: Workbook): Promise<WorkbookFacts> {
  const root = [...(await workbook.relations("")).values()];
  const main = root.find(({ type }) => type === "officeDocument")?.target ?? "xl/workbook.xml";
  if (!workbook.has(main)) throw new BrokenWorkbook("it has no workbook");
  const relations = await workbook.relations(main);
  const sheets: Sheet[] = [];
  let from1904 = false;
  let recalculates = false;
  readXml(await workbook.part(main), {
    open(name, attribute) {
      if (name === "workbookPr") from1904 = /^(1|true|on)$/.test(attribute("date1904") ?? "");
      if (name === "calcPr") recalculates = /^(1|true|on)$/.test(attribute("fullCalcOnLoad") ?? "");
      if (name !== "sheet") return;
      const { type, target } = relations.get(attribute("id") ?? "") ?? { type: "", target: "" };
      // A sheet that is a chart has no cells.
      if (type !== "worksheet") return;
      const isHidden = /hidden/i.test(attribute("state") ?? "");
      sheets.push({ name: attribute("name") ?? "", isHidden, part: target });
    },
  });
  const ofType = (wanted: string) => [...relations.values()].find(({ type }) => type === wanted)?.target;
  return {
    sheets,
    from1904,
    recalculates,
    sharedPart: ofType("sharedStrings"),
    stylesPart: ofType("styles"),
  };
}

/** Returns the texts that cells refer to by their number, without the text of their pronunciation. */
export function sharedTexts(xml: string): string[] {
  const texts: string[] = [];
  let text = "";
  let isText = false;
  let phonetic = 0;
  readXml(xml, {
    open(name) {
      if (name === "si") text = "";
      if (name === "rPh") phonetic += 1;
      isText = name === "t" && phonetic === 0;
    },
    text(part) {
      if (isText) text += part;
    },
    close(name) {
      if (name === "t") isText = false;
      if (name === "rPh") phonetic -= 1;
      if (name === "si") texts.push(text);
    },
  });
  return texts;
}

/** Returns the number format of each cell style, as its own code or the number of a built-in one. */
export function cellFormats(xml: string): (string | number)[] {
  const codes = new Map<number, string>();
  const formats: (string | number)[] = [];
  let isCells = false;
  readXml(xml, {
    open(name, attribute) {
      if (name === "numFmt") codes.set(Number(attribute("numFmtId")), attribute("formatCode") ?? "General");
      if (name === "cellXfs") isCells = true;
      if (name !== "xf" || !isCells) return;
      const id = Number(attribute("numFmtId") ?? 0);
      formats.push(codes.get(id) ?? id);
    },
    close(name) {
      if (name === "cellXfs") isCells = false;
    },
  });
  return formats;
}
