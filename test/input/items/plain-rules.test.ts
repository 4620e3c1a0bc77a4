import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CatalogItem } from "../../../src/contract/catalog.ts";
import { listProblems, type RowFaults, type RowProblem } from "../../../src/errors/problems.ts";
import { type CatalogColumns, catalogColumns } from "../../../src/input/columns/catalog-columns.ts";
import { CsvRows } from "../../../src/input/files/csv.ts";
import type { PlainLines, Row, TableSink } from "../../../src/input/files/table.ts";
import { CatalogItems } from "../../../src/input/items/catalog-items.ts";
import { ItemReader, judgesLoneTexts } from "../../../src/input/items/item-reader.ts";
import { DecimalSign } from "../../../src/input/items/numbers.ts";
import { PlainItems } from "../../../src/input/items/plain-items.ts";
import { sized } from "../../support/soak.ts";

// `ItemReader` and `PlainItems` judge the same rows, the one as texts, the other as bytes: what the bytes take, the texts must take
// as the same product. A new kind of problem or a new field does not compile until it has rows here.

const fieldNames = ["codigo", "nombre", "categoria", "precio", "deshabilitado"] as const;
type Field = keyof CatalogItem;
type Cells = Record<Field | "otra", string>;

interface Layout {
  columns: readonly (keyof Cells)[];
  isActive: boolean;
  delimiter: string;
  decimal: "." | ",";
  /** How the decimal sign is known: a person said it, an earlier row shows it, or nobody knows it yet. */
  sign: "given" | "shown" | "unknown";
}

const file = { name: "list.csv" };
const isTable = { codeOnly: false, isTable: true };

/** How the rows of a text are judged as texts, and which of them are taken as bytes, by their lines. */
interface Judged {
  read: Map<number, CatalogItem | RowFaults | "waits">;
  taken: Map<number, string>;
}

class Judge implements TableSink {
  readonly judged: Judged = { read: new Map(), taken: new Map() };
  readonly items = new CatalogItems(() => []);
  readonly #layout: Layout;
  readonly #asBytes: boolean;
  #columns!: CatalogColumns;
  #sign!: DecimalSign;
  #reader!: ItemReader;
  #plain: PlainItems | undefined;

  constructor(layout: Layout, asBytes: boolean) {
    this.#layout = layout;
    this.#asBytes = asBytes;
  }

  header(columns: readonly string[]): void {
    const { sign, decimal } = this.#layout;
    this.#columns = catalogColumns({ file, columns, format: "csv" }, {});
    this.#sign = new DecimalSign(file, "precio", sign === "given" ? decimal : undefined);
    this.#reader = new ItemReader(columns, this.#columns, { ...isTable, sign: this.#sign });
  }

  row(row: Row): void {
    const waits = this.#reader.mustWait(row);
    this.judged.read.set(row.line, waits ? "waits" : this.#reader.read(row));
  }

  takeLines(lines: PlainLines): { next: number; lines: number } {
    if (!this.#asBytes) return { next: lines.from, lines: 0 };
    this.#plain ??= new PlainItems(lines, {
      items: this.items,
      columns: this.#columns,
      sign: this.#sign,
      judgesLone: judgesLoneTexts(this.#columns, isTable),
    });
    const first = this.items.rows;
    const taken = this.#plain.take(lines);
    for (let n = 0; n < taken.lines; n++)
      this.judged.taken.set(lines.line + n, this.items.jsonAt(first + n).toString());
    return taken;
  }
}

async function judge(text: string, layout: Layout, asBytes: boolean): Promise<Judge> {
  const sink = new Judge(layout, asBytes);
  await new CsvRows(file, Buffer.from(text), { delimiter: layout.delimiter }).stream(sink);
  return sink;
}

/** Throws where a line was taken as bytes and is another product, or none, as text; returns both judgements. */
async function compare(text: string, layout: Layout): Promise<Judged> {
  const asTexts = await judge(text, layout, false);
  const asBytes = await judge(text, layout, true);
  const { taken } = asBytes.judged;
  const { read } = asTexts.judged;
  const same = new CatalogItems(() => []);
  for (const [line, json] of taken) {
    const item = read.get(line);
    expect([line, JSON.stringify(item)]).toEqual([line, json]);
    same.fill(same.add(line, 0, 0), item as CatalogItem);
  }
  expect(countFates(asBytes.items)).toEqual(countFates(same));
  return { read, taken };
}

function countFates(items: CatalogItems) {
  items.settle();
  const { length, unpriced, unlisted, free } = items;
  return { length, unpriced, unlisted, free: free.length };
}

const layouts = (needed: readonly Field[], wish: Partial<Layout> = {}): fc.Arbitrary<Layout> => {
  const others = [...fieldNames, "otra" as const].filter((name) => name !== "codigo" && !isIn(needed, name));
  return fc
    .record({
      more: fc.subarray(others),
      seed: fc.nat(),
      isActive: fc.boolean(),
      delimiter: fc.constantFrom(";", "\t", "|"),
      decimal: fc.constantFrom(".", ","),
      sign: fc.constantFrom("given", "shown", "unknown"),
    })
    .map(({ more, seed, ...rest }) => {
      const columns = [...new Set(["codigo" as const, ...needed, ...more])];
      // Turned round, so that the code is not always first.
      const at = seed % columns.length;
      return { ...rest, columns: [...columns.slice(at), ...columns.slice(0, at)], ...wish };
    });
};
const isIn = (names: readonly string[], name: string): boolean => names.includes(name);

const firstRows = 20;
/** Rows behind the header are read as text: then lines are taken as bytes. */
const good = (n: number): Cells => ({
  codigo: `F${n}`,
  nombre: "Pan",
  categoria: "Pan",
  precio: "5",
  deshabilitado: "no",
  otra: "x",
});

const toLine = (cells: Partial<Cells>, { columns, delimiter }: Layout): string =>
  columns.map((name) => cells[name] ?? "").join(delimiter);

function toText(lines: readonly string[], layout: Layout): string {
  const { columns, delimiter, decimal, sign, isActive } = layout;
  const header = columns.map((name) => (isActive && name === "deshabilitado" ? "activo" : name));
  const rows = Array.from({ length: firstRows }, (_, n) => good(n));
  if (sign === "shown") rows[0] = { ...good(0), precio: `1${decimal}5` };
  const before = rows.map((cells) => toLine(cells, layout));
  const after = Array.from({ length: 3 }, (_, n) => toLine(good(900 + n), layout));
  return [header.join(delimiter), ...before, ...lines, ...after].join("\n");
}

interface Rule {
  needs: readonly Field[];
  wish?: Partial<Layout>;
  /** Cells that break it, in a row that is good else; or a whole line. */
  rows: (layout: Layout) => fc.Arbitrary<Partial<Cells> | string>;
}

const cellsOf = (field: keyof Cells, ...texts: string[]) =>
  fc.constantFrom(...texts).map((text) => ({ [field]: text }));
const oneOf = (needs: readonly Field[], field: Field, ...texts: string[]): Rule => ({
  needs,
  rows: () => cellsOf(field, ...texts),
});
const empty: Cells = { codigo: "", nombre: "", categoria: "", precio: "", deshabilitado: "", otra: "" };

const ofWorkbooks = "a workbook's";
const ofJson = "of JSON";
const ofRecipients = "a recipient's";
const ofOurs = "of a file of ours, whose lines are never taken as bytes: plain-lines.test.ts";

/** Rows that break each rule, or where else it can be broken than in a line of a CSV. */
const rules: Record<RowProblem["kind"], Rule | string> = {
  code_missing: oneOf(["nombre", "precio"], "codigo", "", "  ", "\u00a0"),
  code_line_break: oneOf([], "codigo", "A\rB", "\rA\rB"),
  digits_lost: oneOf(["nombre"], "codigo", "7,79E+12", "7.79123e+12", "5E+11", "+5E+11"),
  code_spoiled: oneOf(
    ["nombre"],
    "codigo",
    ...["1-feb", "fev/26", "01/02/2026", "2026-02-01 00:00:00", "domingo 1 de febrero de 2026"],
    ...[
      "12:30:00",
      "1:30 PM",
      "123456.0",
      "1.234,00",
      "$ 123",
      "$1.50",
      "VERDADERO",
      "false",
      "=A1",
      "'00123",
    ],
  ),
  text_alone: {
    needs: ["nombre", "precio"],
    rows: () =>
      fc
        .tuple(fc.constantFrom("codigo", "nombre"), fc.constantFrom("Bebidas", "A1", "7", "las de hoy"))
        .map(([field, text]) => ({ ...empty, [field]: text })),
  },
  price_unusable: {
    needs: ["precio"],
    rows: ({ decimal }) =>
      cellsOf("precio", "consultar", "-5", "1e3", "5x", "٣", "1234567890123456", "5$5", "--5", `5${decimal}`),
  },
  price_ambiguous: {
    needs: ["precio"],
    wish: { sign: "shown" },
    rows: ({ decimal }) => cellsOf("precio", ...["1", "12", "123"].map((whole) => `${whole}${decimal}250`)),
  },
  boolean_unknown: oneOf(["deshabilitado"], "deshabilitado", "quizás", "2", "ja", "trué", "true false"),
  total_row: {
    needs: ["nombre", "precio"],
    rows: () =>
      fc
        .constantFrom(
          "Total",
          "TOTAL",
          "Subtotal",
          "total general",
          "Totales",
          "promedio",
          "Average",
          "Tótal",
          "Total.",
        )
        .chain((text) =>
          fc.constantFrom("codigo", "nombre").map((field) => ({ ...empty, precio: "5", [field]: text })),
        ),
  },
  cell_count: {
    needs: [],
    rows: (layout) => {
      const line = toLine(good(500), layout);
      const shorter = line.slice(line.indexOf(layout.delimiter) + 1);
      return fc.constantFrom(`${line}${layout.delimiter}x`, `${line}${layout.delimiter}`, shorter);
    },
  },
  row_too_long: { needs: ["nombre"], rows: () => fc.constant({ nombre: "x".repeat(100_001) }) },
  quote_open: { needs: ["nombre"], rows: () => cellsOf("nombre", '"Pan') },
  quote_late: {
    needs: ["nombre"],
    rows: (layout) => {
      const [opened, closed] = ['"Pan', 'Té"'].map((nombre) => toLine({ ...good(500), nombre }, layout));
      return fc.constant(`${opened}\n${closed}`);
    },
  },
  duplicate_code: "of two rows, found among the products: plain-lines.test.ts",
  code_not_text: ofJson,
  value_not_text: ofJson,
  not_an_object: ofJson,
  key_differs: ofJson,
  json_broken: ofJson,
  cell_error: {
    needs: ["nombre", "categoria"],
    rows: () =>
      fc
        .tuple(
          fc.constantFrom("codigo", "nombre", "categoria"),
          fc.constantFrom("#¡REF!", "#N/D", "#NAME?", "#####", "Err:502", "Loading...", "Cargando…"),
        )
        .map(([field, text]) => ({ [field]: text })),
  },
  formula_unstored: ofWorkbooks,
  formula_zero: ofWorkbooks,
  row_held: ofOurs,
  excluded_before: ofOurs,
  phone_missing: ofRecipients,
  phones_several: ofRecipients,
  phone_country_missing: ofRecipients,
  phone_area_missing: ofRecipients,
  phone_invalid: ofRecipients,
  variable_empty: ofRecipients,
  variable_line_break: ofRecipients,
  variable_spaces: ofRecipients,
  variable_too_long: ofRecipients,
  message_too_long: ofRecipients,
  variable_count: ofRecipients,
  person_repeated: ofRecipients,
  person_excluded: ofRecipients,
};

const ofLines = Object.entries(rules).flatMap(([kind, rule]) =>
  typeof rule === "string" ? [] : [[kind, rule] as const],
);

describe("a row that the reader refuses is not taken as bytes", () => {
  it.each(ofLines)("%s", async (kind, { needs, wish, rows }) => {
    const cases = layouts(needs, wish).filter(({ columns }) => columns.length > 1);
    const given = cases.chain((layout) => fc.tuple(fc.constant(layout), rows(layout)));
    await fc.assert(
      fc.asyncProperty(given, async ([layout, row]) => {
        const line = typeof row === "string" ? row : toLine({ ...good(500), ...row }, layout);
        const { read } = await compare(toText([line], layout), layout);
        const kinds = [...read.values()].flatMap((each) =>
          typeof each === "object" && "problem" in each
            ? listProblems(each).map((problem) => problem.kind)
            : [],
        );
        expect(kinds).toContain(kind);
      }),
      { numRuns: sized(8, 300) },
    );
  });
});

/** Texts of which some are codes, and some what a spreadsheet made of one. */
const spreadsheetCodes =
  "1/2,1-2,feb-26,FEB-26,FEB-26X,mar 10,marmol-1,12:30,1.234,12.345.678,12.0,1E-05,7791234567890120,#A1,$5,5%,a-1,true,ENE1".split(
    ",",
  );

/** Each field as people and programs write it: what has to be changed on its way into a product, and what must not be. */
const written: Record<Field, (layout: Layout) => fc.Arbitrary<string>> = {
  codigo: () =>
    fc.oneof(
      texts,
      fc.constantFrom("007", "1E5", "1.10", "A+B", "x y", "Total 5", "a:b", "suma", "", ...spreadsheetCodes),
    ),
  nombre: () => texts,
  categoria: () => texts,
  precio: ({ decimal }) =>
    fc
      .oneof(
        fc
          .tuple(fc.stringMatching(/^\d{0,6}$/), fc.stringMatching(/^\d{0,8}$/))
          .map((parts) => parts.join(".")),
        fc.constantFrom(
          "",
          "0",
          "00",
          "0.0",
          "0.00",
          "0.050",
          "007",
          "00.5",
          "0.0000001",
          "5.",
          ".5",
          "$ 5",
          "5 $",
        ),
        fc.constantFrom(
          "123456789012345",
          "12345678901234.5",
          "12345678901234.50",
          "1 250.50",
          "1,250.50",
          "1250",
        ),
      )
      .map((text) =>
        decimal === "." ? text : text.replaceAll(",", "'").replaceAll(".", ",").replaceAll("'", "."),
      ),
  deshabilitado: () =>
    fc.constantFrom(..."true false TRUE sí Sí SÍ si no No NÃO x 1 0 s n verdadero quizás".split(" "), ""),
};

const odd = fc.constantFrom(...Array.from("aZ07éÑÿ×ß\u0301€🍕\\'=+.:-\u007f\u0085\u2028\ufeff\u00a0 \u0001"));
const words = fc.stringMatching(/^[a-zéÑ0-9 .]{0,8}$/);
const texts = fc.oneof(
  { weight: 3, arbitrary: words },
  fc.array(odd, { maxLength: 6 }).map((all) => all.join("")),
);
const blanks = fc.constantFrom("", "", "", " ", "  ", "\u00a0", "\u2003", "\ufeff");

it("a row that is taken as bytes is the same product as text, however its fields are written", async () => {
  let taken = 0;
  let rows = 0;
  const given = layouts([]).chain((layout) => {
    const cells = layout.columns.map((name) => {
      const text = name === "otra" ? texts : written[name](layout);
      return fc.tuple(blanks, text, blanks).map((parts) => parts.join("").replaceAll(layout.delimiter, ""));
    });
    const line = fc.tuple(...cells).map((all) => all.join(layout.delimiter));
    return fc.tuple(fc.constant(layout), fc.array(line, { minLength: 1, maxLength: 30 }));
  });
  await fc.assert(
    fc.asyncProperty(given, async ([layout, lines]) => {
      // A column with both signs is refused as a whole, whoever reads it.
      const isMixed = /decimals_mixed/;
      // A line that is left to the text costs the next ones too, unless some before it were taken.
      const spread = lines.flatMap((line, n) => [toLine(good(500 + n), layout), line]);
      const judged = await compare(toText(spread, layout), layout).catch((error: unknown) => {
        if (!isMixed.test(JSON.stringify(error))) throw error;
        return undefined;
      });
      rows += lines.length;
      const isWritten = (line: number): boolean => line > firstRows + 1 && (line - firstRows) % 2 === 1;
      taken += [...(judged?.taken.keys() ?? [])].filter(isWritten).length;
    }),
    { numRuns: sized(30, 3000) },
  );
  // Else nothing was compared.
  expect(taken / rows).toBeGreaterThan(0.1);
});
