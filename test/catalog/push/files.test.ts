import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fixture, shell } from "../../support/run.ts";

interface Report {
  format: string;
  encoding: string;
  delimiter: string | null;
  decimal: string | null;
  mapping: Record<string, string | null>;
  first: object[];
  rejected: { line: number; error: string }[];
  notices: string[];
}

/** Returns the products of a file, the sentences that a person gets, and what was found. */
interface Expected {
  first: object[];
  problems?: string[];
  notices?: string[];
  found?: Partial<Report>;
  flags?: string[];
}

const comma = { format: "csv", encoding: "utf-8", delimiter: ";", decimal: "," };

const usable: [file: string, expected: Expected][] = [
  [
    "utf16.txt",
    {
      found: { ...comma, encoding: "utf-16le", delimiter: "\t" },
      first: [
        {
          codigo: "00123",
          nombre: "Ñoquis caseros",
          categoria: "Pastas",
          precio: 1250.5,
          deshabilitado: false,
        },
        { codigo: "00124", nombre: "Fainá", categoria: "Pizzería", precio: 800, deshabilitado: true },
      ],
    },
  ],
  [
    "windows-1252.csv",
    {
      found: { ...comma, encoding: "windows-1252" },
      first: [
        { codigo: "00123", nombre: "Café con leche", precio: 1250.5 },
        { codigo: "00124", nombre: "Ñoquis “de la abuela”", precio: 12 },
      ],
      notices: [
        "The file is not UTF-8 and was read as windows-1252. If names look wrong, set the encoding with --encoding.",
      ],
    },
  ],
  [
    "sep-line.csv",
    {
      found: comma,
      first: [{ codigo: "00123", nombre: "Pan, dulce", precio: 1250.5 }],
      flags: ["--map", "nombre=Descripción corta"],
    },
  ],
  [
    "pipe.txt",
    { found: { delimiter: "|", decimal: "." }, first: [{ codigo: "00123", nombre: "Pan", precio: 10.5 }] },
  ],
  [
    "digits-lost.csv",
    {
      first: [{ codigo: "7790040000001", nombre: "Alfajor", precio: 400 }],
      problems: [
        '2: Código: the spreadsheet lost digits of "7,79123E+12": format the column as text and export again',
      ],
    },
  ],
  [
    "unclosed-quote.csv",
    {
      first: [
        { codigo: "00124", nombre: "Leche", precio: 20 },
        { codigo: "00125", nombre: "Sal", precio: 30 },
      ],
      problems: ["2: a quotation mark is never closed: close it, or double it if it belongs to the text"],
    },
  ],
  [
    "short-long-rows.csv",
    {
      first: [{ codigo: "00125", nombre: "Sal", precio: 30 }],
      problems: [
        "2: the row has 2 cells and the header 3: add the missing cells, even if they are empty",
        "3: the row has 4 cells and the header 3: put quotation marks around a text with the delimiter in it, or remove the extra cells",
      ],
    },
  ],
  [
    "number-codes.json",
    {
      found: { format: "json", delimiter: null, decimal: null },
      first: [{ codigo: "00124", nombre: "Leche", precio: 20 }],
      problems: ["2: codigo 123 is not text and might have lost zeros: write it in quotes"],
    },
  ],
  [
    "double-encoded.csv",
    {
      first: [
        { codigo: "00123", nombre: "CafÃ© doble", precio: 10.5 },
        { codigo: "00124", nombre: "Pan", precio: 20 },
      ],
      notices: [
        'Line 1 contains "CÃ³digo", probably "Código" encoded twice. It is sent unchanged. To correct it, export the file again as UTF-8.',
      ],
    },
  ],
  ["invisible-header.csv", { first: [{ codigo: "00123", precio: 10.5, nombre: "Pan" }] }],
  [
    "duplicates.csv",
    {
      first: [{ codigo: "A-1", nombre: "Pan", precio: 10.5 }],
      problems: [3, 5].map(
        (line) =>
          `${line}: code "B-2" is on lines 3, 5 with different data: keep one of them, or use --on-duplicate first or last`,
      ),
    },
  ],
  [
    "booleans.csv",
    {
      first: ["1", "2", "3", "4", "5"].map((codigo) => ({ codigo, deshabilitado: false })),
      problems: ['12: Activo "quizás" is neither yes nor no: write sí or no, or leave the cell empty'],
    },
  ],
  [
    "bad-prices.csv",
    {
      first: [{ codigo: "6", precio: 1250.5 }, { codigo: "7", precio: 1250.5 }, { codigo: "8" }],
      problems: [
        '2: Precio "-5,00" is not a price: write an amount of 0 or more in at most 15 digits, or leave the cell empty',
        ...["Infinity", "0x1F", "1e3", "consultar"].map(
          (text, n) =>
            `${n + 3}: Precio "${text}" is not a price: write an amount of 0 or more in at most 15 digits, or leave the cell empty`,
        ),
      ],
    },
  ],
  [
    "codes.csv",
    {
      first: [
        { codigo: "00123", nombre: "Cero" },
        { codigo: "1E5", nombre: "Exponente" },
        { codigo: "1.10", nombre: "Punto" },
      ],
    },
  ],
  [
    "quoted-newline.csv",
    {
      first: [{ codigo: "1", nombre: "Pan\nde campo", precio: 10.5 }],
      problems: [
        '4: Precio "x" is not a price: write an amount of 0 or more in at most 15 digits, or leave the cell empty',
      ],
    },
  ],
];

const spreadsheet = "Open it in the spreadsheet program and save it as CSV (UTF-8)";
const refused: [file: string, what: string, next: string][] = [
  [
    "two-code-columns.csv",
    'the columns "Código" and "SKU" both look like the codigo.',
    '--map "codigo=Código" or --map "codigo=SKU"',
  ],
  [
    "ambiguous.csv",
    '"1.250" in Precio can mean 1250 or 1.25',
    "Use --decimal , to read it as 1250, or --decimal . to read it as 1.25.",
  ],
  ["mixed-decimals.csv", 'a comma in "12,50" (line 2), a point in "12.50" (line 3)', "--decimal"],
  ["workbook.csv", "it is a damaged workbook: it has no sheet.", "save it again"],
  ["nul-bytes.csv", "it is a binary file, not text.", "Use a CSV, JSON or NDJSON file."],
  ["web-page.xls", "it is a web page (HTML) or XML, despite its name.", spreadsheet],
  ["spreadsheet.xml.xls", "it is a web page (HTML) or XML, despite its name.", spreadsheet],
  ["header-only.csv", "it has no rows.", "Check that the export is complete"],
  ["no-codes.csv", "no column holds the codigo", "--map codigo=HEADER"],
];

/** The same file from disk and from standard input. */
const ways = (name: string): { argument: string; stdin: Uint8Array; from: string }[] => {
  const path = fixture(`input/${name}`);
  const bytes = readFileSync(path);
  return [
    { argument: path, stdin: Buffer.alloc(0), from: path },
    { argument: "-", stdin: bytes, from: "standard input" },
  ];
};

describe("files as shops have them", () => {
  it.each(usable)(
    "%s is read as people mean it, from disk and from standard input",
    async (name, expected) => {
      const { first, problems = [], notices = [], found = {}, flags = [] } = expected;
      for (const { argument, stdin } of ways(name)) {
        const run = await shell()(["catalog", "check", argument, ...flags, "--json"], { stdin });
        const report = JSON.parse(run.stdout) as Report;
        expect(report).toMatchObject({ ...found, first, notices });
        expect(report.first).toHaveLength(first.length);
        expect(report.rejected.map(({ line, error }) => `${line}: ${error}`)).toEqual(problems);
        expect(run).toMatchObject({ code: problems.length > 0 ? 3 : 0, stderr: "" });
      }
    },
  );

  it.each(refused)(
    "%s is refused with the next step, from disk and from standard input",
    async (name, what, next) => {
      for (const { argument, stdin, from } of ways(name)) {
        for (const command of ["check", "push"]) {
          const { code, stdout, stderr } = await shell()(["--mock", "catalog", command, argument], { stdin });
          expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
          const unsent = command === "push" ? ["Nothing was sent."] : [];
          expect(stderr.trimEnd().split("\n").slice(2)).toEqual(unsent);
          expect(stderr.startsWith(`Error: ${from}`)).toBe(true);
          expect(stderr).toContain(what);
          expect(stderr).toContain(next);
        }
      }
    },
  );

  it("a broken line of NDJSON keeps its text in the rejected rows", async () => {
    for (const { argument, stdin } of ways("broken-line.ndjson")) {
      const flags = ["--format", "ndjson"];
      const run = await shell()(["catalog", "check", argument, ...flags, "-o", "csv"], { stdin });
      expect(run.code).toBe(3);
      expect(run.stdout).toContain('{""codigo"":""00124"",""nombre"":""Lec');
      expect(run.stdout).toContain("the line is not valid JSON");
    }
  });

  it("every file of fixtures/input is spoken of here and in fixtures/README.md", () => {
    const readme = readFileSync(fixture("README.md"), "utf8");
    const named = [...usable, ...refused].map(([name]) => name);
    for (const name of readdirSync(fixture("input"))) {
      expect(readme).toContain(`\`${name}\``);
      // Those of recipients are read elsewhere.
      if (name.endsWith(".csv") && !name.startsWith("recipients")) expect(named).toContain(name);
    }
  });
});
