import { type Count, plural } from "../plural.ts";

const delimiters: Readonly<Record<string, string>> = { "\t": "tab", " ": "space" };

/** The report of `catalog check`. */
export const check = {
  title: (file: string) => `Catalog check · ${file}`,
  verdict: {
    good: (rows: Count) =>
      rows.n === 1 ? "Its one row can be sent as it is." : `All ${rows.shown} rows can be sent as they are.`,
    bad: (rejected: Count, rows: Count) =>
      `${rejected.shown} of ${plural(rows, "row", "rows")} ${rejected.n === 1 ? "needs" : "need"} a correction; the others can be sent as they are.`,
    none: (rows: Count) =>
      rows.n === 1 ? "Its one row needs a correction." : `All ${rows.shown} rows need a correction.`,
  },
  form: {
    format: { csv: "CSV", json: "JSON", ndjson: "NDJSON" },
    readAs: (format: string, encoding: string) => `Read as ${format} in ${encoding}`,
    delimiter: (delimiter: string) => `${delimiters[delimiter] ?? delimiter} between cells`,
    decimal: (sign: string) => `${sign} before decimals`,
  },
  counts: {
    what: "",
    count: "Rows",
    read: "Read",
    products: "Products to send",
    collapsed: "Repeat another row",
    rejected: "Rejected",
  },
  columns: {
    field: "Field",
    column: "Column of the file",
    inverse: (header: string) => `${header} (reversed: yes there means not disabled)`,
    unused: "not used",
  },
  firstTitle: "The first products as they will be sent",
  problemsTitle: "Problems",
  problems: { line: "Line", code: "Code", problem: "Problem" },
  more: (count: Count) =>
    `${count.shown} more ${count.n === 1 ? "is" : "are"} not shown; -o csv and -o json list all of them.`,
  fixed: (file: string, products: Count, repaired: boolean) =>
    `${file} holds ${plural(products, "product", "products")} without a complaint: push it as it is.${
      repaired ? " Names that were encoded twice are repaired in it." : ""
    }`,
  nothingToFix: "No row is usable, so no corrected copy was written.",
  next: "--fixed FILE writes a copy with the usable rows only, ready to be pushed.",
};
