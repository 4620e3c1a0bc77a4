import { count, shown, visible } from "../../cli/display/format.ts";
import { JsonList, type Listed } from "../../cli/display/json.ts";
import { type Column, column, table } from "../../cli/display/table.ts";
import { heading, note, paragraph, title } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { noticeWords } from "../../cli/files/notices.ts";
import { rejection } from "../../cli/files/rejected-rows.ts";
import type { CatalogItem } from "../../contract/catalog.ts";
import type { CatalogReading } from "../../input/catalog.ts";
import type { RejectedRow } from "../../input/files/table.ts";
import { fileName } from "../../texts/phrases.ts";
import { english, type T } from "../../texts/texts.ts";
import { countsTable, firstItems, rejectedTable, shownRow } from "../tables.ts";
import type { CheckDocument } from "./schema.ts";

export interface CatalogCheck
  extends Pick<CatalogReading, "form" | "mapping" | "read" | "collapsed" | "rejected" | "notices"> {
  file: string;
  first: readonly CatalogItem[];
  products: number;
  unpriced: number;
  hasNoPrices: boolean;
  fixedFile: string | null;
}

/** Maximum number of problems on a terminal, and in a pipe: a table is built completely before it is written. */
const maxShown = 50;
const maxPiped = 10_000;

function verdict({ read, rejected, products }: CatalogCheck, ui: Ui): string[] {
  const { t } = ui.texts;
  const rows = count(read, ui);
  if (rejected.length === 0) {
    const text = t("{rows, plural, one {The only row is valid.} other {All # rows are valid.}}", { rows });
    return paragraph(text, ui).map(ui.theme.good);
  }
  if (products === 0) {
    const text = t(
      "{rows, plural, one {The only row needs a correction.} other {All # rows need a correction.}}",
      { rows },
    );
    return paragraph(text, ui).map(ui.theme.bad);
  }
  const text = t(
    "{count} of {rows, plural, one {# row} other {# rows}} {count, plural, one {needs} other {need}} a correction; the others are valid.",
    { count: count(rejected.length, ui), rows },
  );
  return paragraph(text, ui).map(ui.theme.warn);
}

const formats = { csv: "CSV", json: "JSON", ndjson: "NDJSON", xlsx: "XLSX" };

function delimiterText(delimiter: string, t: T): string {
  const names: Readonly<Record<string, string>> = {
    "\t": t("delimiter tab"),
    " ": t("delimiter space"),
  };
  return names[delimiter] ?? t("delimiter {delimiter}", { delimiter });
}

function formLine({ form: { format, encoding, sheet, delimiter, decimal } }: CatalogCheck, ui: Ui): string[] {
  const { t } = ui.texts;
  const parts = [
    sheet === undefined
      ? t("Read as {format} in {encoding}", { format: formats[format], encoding })
      : t('Read from the sheet "{sheet}"', { sheet: visible(sheet) }),
    ...(delimiter === null ? [] : [delimiterText(delimiter, t)]),
    ...(decimal === null ? [] : [t("decimal sign {sign}", { sign: decimal })]),
  ];
  return note(`${parts.join(" · ")}.`, ui);
}

function counts({ read, products, collapsed, rejected, unpriced }: CatalogCheck, ui: Ui): string {
  const { t } = ui.texts;
  const repeats = { what: t("Duplicate rows // in a check"), count: collapsed };
  const rows = [
    { what: t("Read // of the rows of a file"), count: read },
    { what: t("Products to send"), count: products },
    ...(collapsed > 0 ? [repeats] : []),
    { what: t("Rejected // of the rows of a file"), count: rejected.length, tone: "bad" as const },
    ...shownRow(t("Products without a price"), unpriced),
  ];
  return countsTable(rows, t("Rows"), ui);
}

function columnsTable({ mapping: { fields, inverse, unused } }: CatalogCheck, ui: Ui): string {
  const { t } = ui.texts;
  const rows = Object.entries(fields).map(([field, header]) => {
    const isInverse = header !== null && inverse && field === "deshabilitado";
    const text = isInverse ? t("{header} (inverted: yes means not disabled)", { header }) : shown(header);
    return [field, text] as const;
  });
  if (unused.length > 0) rows.push([t("not used"), unused.join(", ")]);
  const columns: Column<(typeof rows)[number]>[] = [
    column(t("Field"), 1, ([field]) => field),
    column(t("Column in the file"), 1, ([, header]) => header, { shrinkTo: 12, wraps: true }),
  ];
  return table(columns, rows, ui).trimEnd();
}

function problems({ rejected }: CatalogCheck, ui: Ui): string[] {
  if (rejected.length === 0) return [];
  const { t } = ui.texts;
  const max = ui.width === undefined ? maxPiped : maxShown;
  const rest = rejected.length - max;
  const text = rejectedTable(rejected.slice(0, max), { reason: t("Problem") }, ui);
  const more = t(
    "{count, plural, one {# more is not shown; -o csv and -o json list all of them.} other {# more are not shown; -o csv and -o json list all of them.}}",
    { count: count(rest, ui) },
  );
  return ["", ...heading(t("Problems"), ui), text, ...(rest > 0 ? note(more, ui) : [])];
}

function fixedText(file: string, products: number, hasDoubled: boolean, ui: Ui): string {
  return ui.texts.t(
    hasDoubled
      ? "{file} contains {count, plural, one {# product} other {# products}}. Double-encoded names are repaired; codes are unchanged."
      : "{file} contains {count, plural, one {# product} other {# products}}, ready to push.",
    { file, count: count(products, ui) },
  );
}

function unmappedText(fields: readonly string[], t: T): string {
  const [one = "", other] = fields;
  return other === undefined
    ? t("No column contains {field}. If one of the unused columns does, pass --map {field}=HEADER.", {
        field: one,
      })
    : t(
        "No column contains {field} or {other}. If one of the unused columns does, pass --map {field}=HEADER.",
        {
          field: one,
          other,
        },
      );
}

function nextStep(check: CatalogCheck, ui: Ui, isFixWanted: boolean): string[] {
  const { t } = ui.texts;
  const { fixedFile, products, rejected, notices } = check;
  const hasDoubled = notices.some(({ kind }) => kind === "double_encoded");
  if (fixedFile !== null) {
    const written = fixedText(fixedFile, products, hasDoubled, ui);
    return ["", ...paragraph(written, ui).map(ui.theme.good)];
  }
  if (isFixWanted) {
    const text = t("No row is valid, so no corrected copy was written.");
    return ["", ...paragraph(text, ui).map(ui.theme.warn)];
  }

  const { fields, unused } = check.mapping;
  const missing = (["nombre", "precio"] as const).filter((field) => fields[field] === null);
  const next = t(
    "Correct these rows and check again, or push the file with --rejected FILE to write them to a separate file. --fixed FILE writes a copy with only the valid rows.",
  );
  const nextRepair = t("--fixed FILE writes a copy with the double-encoded names repaired.");
  const steps = [
    ...(rejected.length > 0 && products > 0 ? [next] : []),
    ...(hasDoubled ? [nextRepair] : []),
    ...(missing.length > 0 && unused.length > 0 ? [unmappedText(missing, t)] : []),
  ];
  return steps.length === 0 ? [] : ["", ...steps.flatMap((step) => note(step, ui))];
}

export function checkReport(check: CatalogCheck, ui: Ui, isFixWanted: boolean): string {
  // The table of columns shows those that are not used.
  const remarks = check.notices.filter(({ kind }) => kind !== "columns_ignored");
  const { t } = ui.texts;
  const noPrices = t("No product has a price, so a push would not change any price.");
  return `${[
    ...title(t("Catalog check · {file}", { file: fileName(check.file, t) }), ui),
    ...verdict(check, ui),
    ...(check.hasNoPrices ? paragraph(noPrices, ui).map(ui.theme.warn) : []),
    ...formLine(check, ui),
    ...remarks.flatMap((each) => paragraph(noticeWords(each, ui.texts.t), ui).map(ui.theme.warn)),
    "",
    counts(check, ui),
    "",
    columnsTable(check, ui),
    ...firstItems(check.first, ui, t("The first products as they will be sent")),
    ...problems(check, ui),
    ...nextStep(check, ui, isFixWanted),
  ].join("\n")}\n`;
}

const toRejected = (row: RejectedRow): CheckDocument["rejected"][number] => {
  const { codigo, source, line } = row;
  return { codigo, error: rejection(row, english), source, line };
};

/** Returns the `--json` output of a check. */
export function checkReportJson(check: CatalogCheck): Listed<CheckDocument> {
  const { file, form, mapping, first, read, products, collapsed, fixedFile } = check;
  const { fields, inverse, unused } = mapping;
  const { format, encoding, delimiter, decimal, sheet } = form;
  const rejected = new JsonList(check.rejected, toRejected);
  const notices = check.notices.map((each) => noticeWords(each, english));
  return {
    file,
    format,
    ...(sheet !== undefined && { sheet }),
    encoding,
    delimiter,
    decimal,
    mapping: fields,
    inverse,
    unused,
    read,
    products,
    without_price: check.unpriced,
    collapsed,
    first,
    rejected,
    notices,
    fixed_file: fixedFile,
  };
}
