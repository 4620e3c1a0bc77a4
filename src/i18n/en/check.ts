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
  fixed: (file: string, products: Count, { repaired, isClean }: { repaired: Count; isClean: boolean }) =>
    `${file} holds ${plural(products, "product", "products")}${
      isClean ? " without a complaint: push it as it is." : "."
    }${
      repaired.n === 0
        ? ""
        : ` ${plural(repaired, "name that was encoded twice is", "names that were encoded twice are")} repaired in it.`
    }`,
  doubledLeft: (left: Count, { line, text, proposal }: { line: number; text: string; proposal: string }) =>
    `${plural(left, "text that looks encoded twice is", "texts that look encoded twice are")} left: ${
      left.n === 1 ? "" : "the first "
    }on line ${line}, "${text}" for "${proposal}". Codes are never changed, nor names that are right in part: correct ${
      left.n === 1 ? "it" : "them"
    } in the file where that is wrong.`,
  nothingToFix: "No row is usable, so no corrected copy was written.",
  next: "Correct these rows in the file and check it again; or push it as it is with --rejected FILE, which writes them to a file of their own. --fixed FILE writes a copy with the usable rows only.",
  nextRepair: (names: Count) =>
    `--fixed FILE writes a copy in which ${plural(names, "name that was", "names that were")} encoded twice ${names.n === 1 ? "is" : "are"} repaired.`,
  unmapped: (fields: readonly string[]) =>
    `No column is known to hold ${fields.join(" or ")}. If one that is not used does, name it: --map ${fields[0] ?? ""}=HEADER.`,
};
