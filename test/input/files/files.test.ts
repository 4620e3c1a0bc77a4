import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { readCatalog } from "../../../src/input/catalog.ts";
import { openInput } from "../../../src/input/files/file.ts";
import { catalog, fileOf, inWords, items, noInput, reasons, refusal, rowsOf } from "../support.ts";

const utf16 = (text: string, bigEndian = false): Buffer => {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return bigEndian ? bytes.swap16() : bytes;
};
const words = async (content: string | Uint8Array) => inWords((await catalog(content)).notices);

describe("encodings", () => {
  const text = "Código;Descripción\r\n00123;Ñoquis caseros\r\n";
  const read = [{ codigo: "00123", nombre: "Ñoquis caseros" }];

  test.each([
    ["UTF-8", Buffer.from(text)],
    ["UTF-8 with BOM", Buffer.from(`\ufeff${text}`)],
    ["UTF-16LE with BOM", utf16(text)],
    ["UTF-16BE with BOM", utf16(text, true)],
  ])("%s is decoded without a notice", async (_, bytes) => {
    const reading = await catalog(bytes);
    expect(rowsOf(reading).map(({ item }) => item)).toEqual(read);
    expect(reading.columns).toEqual(["Código", "Descripción"]);
    expect(reading.notices).toEqual([]);
  });

  test("what is not UTF-8 is windows-1252, with a notice and nothing lost", async () => {
    const bytes = Buffer.from("codigo;nombre\r\n1;Caf\xe9 \x80 \x93x\x94 \x91\r\n", "latin1");
    expect(await items(bytes)).toEqual([{ codigo: "1", nombre: "Café € “x” ‘" }]);
    expect(await words(bytes)).toEqual([
      "The file is not UTF-8 and was read as windows-1252. If names look wrong, set the encoding with --encoding.",
    ]);
  });

  test("--encoding overrides, and is refused when it is unknown or wrong", async () => {
    const bytes = Buffer.from("codigo;nombre\n1;\xa4\n", "latin1");
    expect(await items(bytes, { encoding: "iso-8859-15" })).toEqual([{ codigo: "1", nombre: "€" }]);
    expect(await refusal(catalog(bytes, { encoding: "klingon" }))).toMatch(/^unknown encoding "klingon"/);
    expect(await refusal(catalog(bytes, { encoding: "utf-8" }))).toMatch(/^its bytes are not valid utf-8/);
  });

  test("a character that straddles two chunks of 64 KB stays whole", async () => {
    const name = "ñ".repeat(70_001 / 2);
    expect(await items(utf16(`codigo;nombre\n1;x${name}\n`))).toEqual([{ codigo: "1", nombre: `x${name}` }]);
    expect(await items(`codigo;nombre\n1;x${name}\n`)).toEqual([{ codigo: "1", nombre: `x${name}` }]);
  });

  test("double encoding is sent as it is, with a warning", async () => {
    expect(await words("codigo;nombre\n1;Pan\n2;Un CafÃ© doble\n")).toEqual([
      'Line 3 contains "CafÃ©", probably "Café" encoded twice. It is sent unchanged. To correct it, export the file again as UTF-8.',
    ]);
  });
});

describe("delimiters", () => {
  test.each([[";"], [","], ["\t"], ["|"]])("%j is found from the header", async (delimiter) => {
    const cells = [
      ["codigo", "nombre"],
      ["00123", '"Pan, dulce; x|y"'],
    ];
    const text = cells.map((row) => row.join(delimiter)).join("\n");
    expect(await items(text)).toEqual([{ codigo: "00123", nombre: "Pan, dulce; x|y" }]);
  });

  test("a first line sep=; is consumed and obeyed, and lines stay physical", async () => {
    const reading = await catalog("sep=;\r\nCódigo;Precio, final\r\n00123;5\r\n;7\r\n");
    expect(reading.columns).toEqual(["Código", "Precio, final"]);
    expect(rowsOf(reading).map(({ line }) => line)).toEqual([3]);
    expect([...reading.rejected].map(({ line }) => line)).toEqual([4]);
  });

  test("--delimiter overrides, also spelled tab, and an unusable one is refused", async () => {
    expect(await items("codigo:nombre\n1:a\n", { delimiter: ":" })).toEqual([{ codigo: "1", nombre: "a" }]);
    expect(await items("codigo\tnombre\n1\ta;b\n", { delimiter: "tab" })).toEqual([
      { codigo: "1", nombre: "a;b" },
    ]);
    for (const delimiter of ['"', "ab", "", "x", "\n"]) {
      expect(await refusal(catalog("codigo\n1\n", { delimiter }))).toContain("cannot separate cells");
    }
  });
});

describe("files that cannot be used", () => {
  test.each([
    ["an empty file", ""],
    ["blank lines", "\n\r\n  \n"],
    ["a header alone", "codigo;precio\r\n"],
    ["an empty JSON list", "[]"],
    ["an object with an empty list", '{"items":[]}'],
  ])("%s has no rows", async (_, text) => {
    expect(await refusal(catalog(text))).toMatch(/^it has no rows →/);
  });

  test("NUL bytes and binary files", async () => {
    expect(await refusal(catalog("codigo\n1\u00002\n"))).toMatch(/^it is a binary file, not text →/);
    expect(await refusal(catalog(Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3])))).toMatch(
      /^it is a binary file/,
    );
  });

  test("a missing file and a folder, by what the system says", async () => {
    const folder = await mkdtemp(join(tmpdir(), "bpos-input-"));
    await expect(openInput("no.csv", noInput, folder)).rejects.toMatchObject({
      reason: "input_unreadable",
      facts: { file: "no.csv", detail: { kind: "file_missing" } },
    });
    await expect(openInput(folder, noInput, folder)).rejects.toMatchObject({ reason: "input_unreadable" });
  });

  test("a file on disk and standard input read alike", async () => {
    const folder = await mkdtemp(join(tmpdir(), "bpos-input-"));
    const text = "codigo;precio\n0001;1,5\n";
    await writeFile(join(folder, "a.csv"), text);
    const onDisk = await readCatalog(await openInput("a.csv", noInput, folder));
    const piped = await openInput(
      "-",
      Readable.from([Buffer.from(text.slice(0, 9)), Buffer.from(text.slice(9))]),
      folder,
    );
    expect(piped.name).toBe("standard input");
    const read = await readCatalog(piped);
    expect({ ...read, rejected: [...read.rejected] }).toEqual({ ...onDisk, rejected: [...onDisk.rejected] });
  });
});

describe("quotes and lines", () => {
  test("a quoted newline is kept; lines stay physical", async () => {
    const reading = await catalog('codigo,nombre\r\n1,"a\r\nb"\r\n\r\n2,"c\nd\ne"\r\n,x\r\n');
    expect(rowsOf(reading).map(({ line, item }) => [line, item.nombre])).toEqual([
      [2, "a\r\nb"],
      [5, "c\nd\ne"],
    ]);
    expect([...reading.rejected].map(({ line }) => line)).toEqual([8]);
  });

  test("short and long rows are rejected with their line, blank ones left out", async () => {
    expect(await reasons("codigo;nombre;precio\n1;a\n;;\n2;b;3;4\n3;c;5\n")).toEqual([
      "2: the row has 2 cells and the header 3: add the missing cells, even if they are empty",
      "4: the row has 4 cells and the header 3: put quotation marks around a text with the delimiter in it, or remove the extra cells",
    ]);
  });

  const open = "a quotation mark is never closed: close it, or double it if it belongs to the text";
  test.each([
    ["to the end of the file", '2;"open;20', "3;c;30"],
    ["to the next opening quote", '2;"open;20', '3;"c";30'],
    ["in a file where everything is quoted", '"2";"open;"20"', '"3";"c";"30"'],
  ])("an unclosed quote costs only its own row: %s", async (_, broken, next) => {
    const reading = await catalog(`codigo;nombre;precio\r\n1;a;10\r\n${broken}\r\n${next}\r\n4;d;40\r\n`);
    expect(rowsOf(reading).map(({ line, item }) => [line, item.codigo, item.precio])).toEqual([
      [2, "1", 10],
      [4, "3", 30],
      [5, "4", 40],
    ]);
    expect(
      reading.rejected.map(({ line, codigo, problem, cells }) => ({ line, codigo, problem, cells })),
    ).toEqual([{ line: 3, codigo: null, problem: { kind: "quote_open" }, cells: [broken] }]);
    expect(await reasons(`codigo;nombre;precio\n${broken}\n`)).toEqual([`2: ${open}`]);
  });

  test("a sentence with commas over two lines is a name, unless cells have blanks before them", async () => {
    const name = "Combo pizza, coca\r\nhelado, café";
    const sheet = (header: string) => `${header}\r\nA,"${name}",100\r\nB,x,1\r\n`;
    const kept = rowsOf(await catalog(sheet("codigo,nombre,precio")));
    expect(kept.map(({ item }) => item)).toEqual([
      { codigo: "A", nombre: name, precio: 100 },
      { codigo: "B", nombre: "x", precio: 1 },
    ]);
    expect((await catalog(sheet("codigo, nombre, precio"))).rejected).toMatchObject([
      { line: 2, problem: { kind: "quote_late", lastLine: 3 } },
    ]);
    const padded = await catalog('codigo;nombre;precio\n1;"open;   20\n3;c";   30\n');
    expect(padded.rejected).toMatchObject([{ line: 2, problem: { kind: "quote_late", lastLine: 3 } }]);
  });

  test.each([
    ["rows that a late quote made one", '2;"open;20\r\n3;c";30'],
    ["too many cells over several lines", '2;"a\r\nb";20;5'],
  ])("%s: rejected as a whole, never half read", async (_, broken) => {
    const reading = await catalog(`codigo;nombre;precio\r\n1;a;10\r\n${broken}\r\n4;d;40\r\n`);
    expect(rowsOf(reading).map(({ line }) => line)).toEqual([2, 5]);
    expect(reading.rejected).toMatchObject([
      { line: 3, codigo: null, problem: { kind: "quote_late", lastLine: 4 } },
    ]);
    expect(await reasons(`codigo;nombre;precio\n${broken}\n`)).toEqual([
      "2: a quotation mark opened here is closed only on line 3, which does not look like one row: close it where its cell ends",
    ]);
  });

  test("a stray quote inside a cell is text", async () => {
    expect(await items('codigo;nombre\n1;Caño 1/2"\n2;b\n')).toEqual([
      { codigo: "1", nombre: 'Caño 1/2"' },
      { codigo: "2", nombre: "b" },
    ]);
  });

  const long = "x".repeat(100_000);
  const tooLong = "the row is larger than 100 kB: shorten its longest text";
  test.each([
    ["without a quote", `2;${long};20`],
    ["in quotation marks", `2;"${long}";20`],
    ["with a stray quote", `2;1/2" ${long};20`],
    ["with a cell too many", `2;${long};20;5`],
  ])("a row that is too long costs only itself, and is kept: %s", async (_, row) => {
    const text = `codigo;nombre;precio\n1;a;10\n${row}\n3;c;30\n`;
    const reading = await catalog(text);
    expect(rowsOf(reading).map(({ line, item }) => [line, item.codigo])).toEqual([
      [2, "1"],
      [4, "3"],
    ]);
    expect(await reasons(text)).toEqual([`3: ${tooLong}`]);
    const { codigo, cells } = reading.rejected[0]!;
    expect(codigo).toBe("2");
    expect(cells[1]).toContain(long);
  });

  test("a quote that is never closed is named first, however long its row is", async () => {
    const [row] = (await catalog(`codigo;nombre\n2;"${long}\n3;c\n`)).rejected;
    expect(row).toMatchObject({ codigo: null, problem: { kind: "quote_open" }, cells: [`2;"${long}`] });
  });

  test("a broken header is refused", async () => {
    expect(await refusal(catalog('codigo;"nombre\n1;a\n'))).toMatch(
      /^line 1: a quoted cell in the header is never closed/,
    );
  });
});

describe("JSON", () => {
  const one = '{"codigo":"001","nombre":"Té","precio":0.1,"deshabilitado":true}';
  const read = [{ codigo: "001", nombre: "Té", precio: 0.1, deshabilitado: true }];

  test.each([
    ["an array", `[${one}]`],
    ["an object with items", `{"note":{"a":["]"]},"items":[${one}],"n":1}`],
    ["NDJSON", `${one}\n`],
    ["an array over many lines", JSON.stringify(JSON.parse(`[${one}]`), null, 2)],
  ])("%s is accepted", async (_, text) => expect(await items(text)).toEqual(read));

  test.each([
    ["under another key", `{"page":1,"products":[${one}]}`, '"products"'],
    ["under another key, empty", '{"products":[]}', '"products"'],
    ["too deep", `{"data":{"items":[${one}]}}`, '"data"'],
  ])("a list %s is not guessed at: the key that was found is named", async (_, text, key) => {
    expect(await refusal(catalog(text))).toBe(
      `it is one object with ${key} and without a list under "items" → Put the list under "items" at the top of the object, or write it alone: [{…}, {…}].`,
    );
  });

  test("items carry the physical line on which they begin", async () => {
    const reading = await catalog('{"items": [\n  {"codigo":"1"},\n\n  {"codigo":\n"2"}, 7]}');
    expect(rowsOf(reading).map(({ line }) => line)).toEqual([2, 4]);
    expect([...reading.rejected].map(({ line }) => line)).toEqual([5]);
  });

  test("each bad item has its reason", async () => {
    const text = `[{"codigo":123}\n,{"nombre":"x"}\n,"x"\n,{"codigo":"2","precio":"consultar"}\n,{"codigo":"3","precio":-1}
,{"codigo":"4","nombre":{"es":"x"}}\n,{"codigo":"5","deshabilitado":"quizás"}\n,{"codigo":"6","precio":1.234567890123456789}
,{"codigo":true}]`;
    expect(await reasons(text)).toEqual([
      "1: codigo 123 is not text and might have lost zeros: write it in quotes",
      "2: the code is empty: every product needs its own",
      '3: element 3: "x" is not an object with named fields',
      '4: precio "consultar" is not a price: write an amount of 0 or more in at most 15 digits, or leave the cell empty',
      '5: precio "-1" is not a price: write an amount of 0 or more in at most 15 digits, or leave the cell empty',
      '6: nombre "{"es":"x"}" is a list or an object: write one plain value',
      '7: deshabilitado "quizás" is neither yes nor no: write sí or no, or leave the cell empty',
      '8: precio "1.234567890123456789" is not a price: write an amount of 0 or more in at most 15 digits, or leave the cell empty',
      "9: codigo true is not text and might have lost zeros: write it in quotes",
    ]);
  });

  test.each([
    ["cut off", '[{"codigo":"1"},\n{"codigo":"2"', "line 2"],
    ["a comma missing", '[{"codigo":"1"}\n{"codigo":"2"}]', "line 2"],
    ["broken inside an item", '[{"codigo":"1"},\n{"codigo" "2"}]', "line 2"],
    ["something behind it", '[{"codigo":"1"}]\n]', "line 2"],
    ["an object left open", '{"items":[{"codigo":"1"}]\n', "line 2"],
  ])("a broken document is refused with its line: %s", async (_, text, line) => {
    expect(await refusal(catalog(text))).toMatch(new RegExp(`^${line}: it is not valid JSON: `));
  });

  test("a broken line of NDJSON is one bad row", async () => {
    const file = fileOf('{"codigo":"1"}\n{"codigo":\n{"codigo":"3"}\n', "a.ndjson");
    const reading = await readCatalog(file);
    expect(rowsOf(reading).map(({ line }) => line)).toEqual([1, 3]);
    expect([...reading.rejected].map(({ line, problem }) => [line, problem.kind])).toEqual([
      [2, "json_broken"],
    ]);
  });
});
