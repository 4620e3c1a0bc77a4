import { type Advice, type OfKind, sayKind, type Words } from "../../texts/kinds.ts";
import { quoted, quotedAll } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import type { CompetingColumns, FileProblem } from "../problems.ts";
import { detailWords } from "./details.ts";
import { rowProblemWords } from "./rows.ts";

/** Headers in quotes, each with its letter where that is how it is chosen. */
const lettered = (headers: readonly string[], choices: readonly string[]): string[] =>
  headers.map((header, n) => quoted(header) + (choices[n] === header ? "" : ` (${choices[n] ?? ""})`));

/** The flags that choose between columns, each as it is typed. */
export const columnFlags = (
  field: string,
  headers: readonly string[],
  choices: readonly string[],
): string[] =>
  choices.map((choice, n) => {
    const [flag, value] = field === "phone" ? ["--phone-column", choice] : ["--map", `${field}=${choice}`];
    return headers[n] === choice ? `${flag} ${quoted(value)}` : `${flag} ${value}`;
  });

/** The columns that compete for a field. */
function competing({ field, columns, choices }: CompetingColumns, t: T): string {
  const facts = { columns: lettered(columns, choices).join(` ${t("and")} `), field };

  return columns.length === 2
    ? t("the columns {columns} both look like the {field}", facts)
    : t("the columns {columns} all look like the {field}", facts);
}

/** The flags that choose one of them. */
const choiceOf = ({ field, columns, choices }: CompetingColumns, t: T): string =>
  columnFlags(field, columns, choices).join(` ${t("or")} `);

type ColumnMissing = OfKind<FileProblem, "column_missing">;

function withoutColumn({ field, headers, also }: ColumnMissing, t: T): string {
  if (headers.length === 0) return t("no column holds the {field} (no headers)", { field });
  const what = t("no column holds the {field} (headers: {headers})", { field, headers: quotedAll(headers) });

  return [what, ...also.map((each) => competing(each, t))].join("; ");
}

function nameColumn({ field, of, also }: ColumnMissing, t: T): string {
  const header = t("HEADER");
  const flag = field === "phone" ? `--phone-column ${header}` : `--map ${field}=${header}`;
  const flags = also.map((each) => choiceOf(each, t)).join("; ");
  const others = flags === "" ? "" : ` ${t("Name the others too: {flags}.", { flags })}`;

  if (of === "json") return t("Name it with {flag}.", { flag }) + others;
  if (of === "sheet" || field === "phone")
    return (
      t("Name it with {flag}. If the header is on another line, pass --header-row N.", { flag }) + others
    );
  return (
    t(
      "Name it with {flag}, or pass the delimiter with --delimiter. If the header is on another line, pass --header-row N.",
      { flag },
    ) + others
  );
}

/** The variables of a template's text, as written in it. */
const firstTwo = { first: "{{1}}", second: "{{2}}" };

const words: Words<FileProblem, Advice> = {
  no_rows: (_, t) => ({
    what: t("it has no rows"),
    next: t("Check that the export is complete: a header, and one row for each entry."),
  }),
  still_written: (_, t) => ({
    what: t("it is still being written"),
    next: t(
      "Run the command again when the export is complete. To avoid this, export to another name and rename the file when it is done.",
    ),
  }),
  too_large: ({ limit }, t) => ({
    what: t("it is larger than {limit} MiB, or never ends", { limit: limit / 2 ** 20 }),
    next: t("Split it into several files."),
  }),
  json_too_large: ({ limit }, t) => ({
    what: t("it is one JSON document of more than {limit} MiB", { limit: limit / 2 ** 20 }),
    next: t("Export it as NDJSON, one object per line, or split it."),
  }),
  workbook_old: (_, t) => ({
    what: t("it is a workbook in the old format (.xls)"),
    next: t("Open it in the spreadsheet program and save it as .xlsx."),
  }),
  workbook_locked: (_, t) => ({
    what: t("it is a workbook with a password"),
    next: t("Save it without the password."),
  }),
  no_workbook: (_, t) => ({
    what: t("it is not an .xlsx workbook and has no sheets"),
    next: t("Leave out --sheet."),
  }),
  workbook_other: (_, t) => ({
    what: t("it is a zip archive, not an .xlsx workbook"),
    next: t("Open it in the program that created it and save it as .xlsx or CSV."),
  }),
  workbook_broken: ({ detail }, t) => ({
    what: t("it is a damaged workbook: {detail}", { detail }),
    next: t("Open it in the spreadsheet program and save it again, or copy it again from its source."),
  }),
  workbook_too_large: ({ detail }, t) => ({
    what: t("it is too large for a workbook once unpacked: {detail}", { detail }),
    next: t("Save it as CSV, or split it."),
  }),
  sheets_several: ({ sheets }, t) => ({
    what: t("it has several sheets: {sheets}", { sheets: quotedAll(sheets) }),
    next: t("Choose one with --sheet NAME."),
  }),
  exclusion_sheets: ({ sheets }, t) => ({
    what: t("it has several sheets: {sheets}", { sheets: quotedAll(sheets) }),
    next: t("Hide the other sheets, or save the one you need in its own file."),
  }),
  sheet_unknown: ({ sheet, sheets }, t) => ({
    what: t("it has no sheet {sheet}", { sheet: quoted(sheet) }),
    next: t("Its sheets: {sheets}.", { sheets: quotedAll(sheets) }),
  }),
  binary: (_, t) => ({
    what: t("it is a binary file, not text"),
    next: t("Use a CSV, JSON or NDJSON file. UTF-16 without a byte order mark needs --encoding utf-16le."),
  }),
  markup: (_, t) => ({
    what: t("it is a web page (HTML) or XML, despite its name"),
    next: t("Open it in the spreadsheet program and save it as CSV (UTF-8)."),
  }),
  encoding_unknown: ({ encoding }, t) => ({
    what: t("unknown encoding {encoding}", { encoding: quoted(encoding) }),
    next: t("Use utf-8, windows-1252, iso-8859-15, utf-16le or another name from the WHATWG list."),
  }),
  encoding_wrong: ({ encoding }, t) => ({
    what: t("its bytes are not valid {encoding}", { encoding }),
    next: t("Leave out --encoding so that bpos detects it, or pass the encoding of the export."),
  }),
  delimiter_unusable: ({ delimiter }, t) => ({
    what: t("{delimiter} cannot separate cells", { delimiter: quoted(delimiter) }),
    next: t(
      'Use one character that is not a letter, digit or quotation mark, such as ";" or ",", or the word tab.',
    ),
  }),
  header_broken: (_, t) => ({
    what: t("a quoted cell in the header is never closed"),
    next: t("Close it, or remove the quotation mark."),
  }),
  json_broken: ({ detail }, t) => ({
    what: t("it is not valid JSON: {detail}", { detail: detailWords(detail, t).replace(/\.$/, "") }),
    next: t("Correct it there, or export the file again."),
  }),
  list_elsewhere: ({ found, listKey }, t) => ({
    what: t("it is one object with {found} and without a list under {listKey}", {
      found: quotedAll(found),
      listKey: quoted(listKey),
    }),
    next: t("Put the list under {listKey} at the top of the object, or write it alone: {list}.", {
      listKey: quoted(listKey),
      list: "[{…}, {…}]",
    }),
  }),
  column_missing: (problem, t) => ({ what: withoutColumn(problem, t), next: nameColumn(problem, t) }),
  columns_compete: ({ fields }, t) => {
    const flags = fields.map((each) => choiceOf(each, t)).join("; ");

    return {
      what: fields.map((each) => competing(each, t)).join("; "),
      next:
        fields.length > 1
          ? t("Choose the right ones: {flags}.", { flags })
          : t("Choose the right one: {flags}.", { flags }),
    };
  },
  header_row_empty: ({ row }, t) => ({
    what: t("line {row} (--header-row) is empty or does not exist", { row }),
    next: t("Pass the line number of the header as a spreadsheet or an editor shows it."),
  }),
  no_header_row: (_, t) => ({
    what: t("it is JSON and has no header row"),
    next: t("Leave out --header-row."),
  }),
  column_unknown: ({ flag, column, headers }, t) => {
    const facts = { column: quoted(column), flag };

    return {
      what:
        headers.length === 0
          ? t("{flag} names the column {column}, which does not exist (no headers)", facts)
          : t("{flag} names the column {column}, which does not exist (headers: {headers})", {
              ...facts,
              headers: quotedAll(headers),
            }),
      next: t("Correct {flag}.", { flag }),
    };
  },
  field_unknown: ({ field, known }, t) => ({
    what: t("--map names the field {field}, which does not exist", { field: quoted(field) }),
    next: t("The fields are {known}. Write --map field=HEADER.", { known: known.join(", ") }),
  }),
  params_hold_phone: ({ column }, t) => ({
    what: t("--params names the column {column}, which holds the phone", { column: quoted(column) }),
    next: t("Remove it from --params, or name the phone column with --phone-column HEADER."),
  }),
  template_empty: (_, t) => ({
    what: t("the --template-text file is empty"),
    next: t(
      "Copy the approved text of the template into it, with {first}, {second} for the variables.",
      firstTwo,
    ),
  }),
  no_words: (_, t) => ({
    what: t("it has no word, or a line without a letter or a digit"),
    next: t("Write the words that opt a person out, one per line."),
  }),
  template_gap: ({ number, last }, t) => ({
    what: t("it has the variable {last}, but not {number}", { last: `{{${last}}}`, number: `{{${number}}}` }),
    next: t("Number the variables {first}, {second} and so on, as the approved template does.", firstTwo),
  }),
  template_variables: ({ text, rows }, t) => ({
    what: t("it has {text, plural, one {# variable} other {# variables}}, and each row fills {rows}", {
      text,
      rows,
    }),
    next: t("Correct the text, or choose the columns with --params a,b."),
  }),
  exclusion_unreadable: ({ row, more }, t) => {
    const problem = rowProblemWords(row, t);

    return {
      what:
        more === 0
          ? t("{problem}. bpos cannot tell who is excluded", { problem })
          : t(
              "{problem} (and {more, plural, one {# more line} other {# more lines}}). bpos cannot tell who is excluded",
              { problem, more },
            ),
      next: t("Correct the line, or remove it if it names nobody."),
    };
  },
  country_unknown: ({ country }, t) => ({
    what: t("{country} is not a country code", { country: quoted(country) }),
    next: t("Use two letters, for example --country AR."),
  }),
  decimals_ambiguous: ({ sample, column, asComma, asDot }, t) => ({
    what: t("{sample} in {column} can mean {asComma} or {asDot}, and no other row makes it clear", {
      sample: quoted(sample),
      column,
      asComma,
      asDot,
    }),
    next: t("Use --decimal , to read it as {asComma}, or --decimal . to read it as {asDot}.", {
      asComma,
      asDot,
    }),
  }),
  decimals_mixed: ({ column, comma, dot }, t) => ({
    what: t(
      "{column} mixes decimal signs: a comma in {comma} (line {commaLine}), a point in {dot} (line {dotLine})",
      { column, comma: quoted(comma.text), commaLine: comma.line, dot: quoted(dot.text), dotLine: dot.line },
    ),
    next: t("Choose one with --decimal , or --decimal . (rows with the other sign are left out)."),
  }),
};

/** Says why a file cannot be used, as part of a sentence, and what to do next. */
export const fileWords = (problem: FileProblem, t: T): Advice => sayKind(words, problem, t);
