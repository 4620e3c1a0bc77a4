import { columnFlags } from "../../errors/words/files.ts";
import type { Notice } from "../../input/files/table.ts";
import { type OfKind, sayKind, type Words } from "../../texts/kinds.ts";
import { quoted, quotedAll } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";

/** A text in which accents that stand apart and what has no width are seen: `A1\u200b`. */
function unhidden(text: string): string {
  return text.replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, (sign) =>
    Array.from(
      { length: sign.length },
      (_, n) => `\\u${sign.charCodeAt(n).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}

const withMore = (shown: string, more: number, t: T): string =>
  more > 0 ? t("{shown}; and {more} more", { shown, more }) : shown;

function alikeCodes(pairs: OfKind<Notice, "codes_alike">["pairs"], count: number, t: T): string {
  const each = pairs.map(({ line, code, otherLine, otherCode }) =>
    t("line {line}: {code}, line {otherLine}: {otherCode}", {
      line,
      code: quoted(unhidden(code)),
      otherLine,
      otherCode: quoted(unhidden(otherCode)),
    }),
  );
  return withMore(each.join("; "), count - pairs.length, t);
}

function doubtfulCodes(codes: OfKind<Notice, "codes_doubtful">["codes"], count: number, t: T): string {
  const each = codes.map(({ line, code }) => t("line {line}: {code}", { line, code: quoted(code) }));
  return withMore(each.join("; "), count - codes.length, t);
}

const maxPhones = 3;

function landlines(phones: OfKind<Notice, "landline_shapes">["phones"], t: T): string {
  const each = phones
    .slice(0, maxPhones)
    .map(({ line, phone, proposal }) => t("line {line}: {phone} → {proposal}", { line, phone, proposal }));
  const shown = each.join("; ");
  const more = phones.length - maxPhones;

  return more > 0 ? t("{shown}, and {more} more", { shown, more }) : shown;
}

const words: Words<Notice> = {
  sheets_hidden: ({ sheets }, t) =>
    t("Hidden sheets are not read: {sheets}. --sheet reads one.", { sheets: quotedAll(sheets) }),
  rows_hidden: ({ lines, count }, t) =>
    t(
      "{count, plural, one {# hidden row is read} other {# hidden rows are read}} too ({lines}): delete those that you do not want.",
      { count, lines: [...lines, ...(count > lines.length ? ["…"] : [])].join(", ") },
    ),
  columns_hidden: ({ columns }, t) =>
    t("Hidden columns: {columns}. bpos uses one of them only if no visible column has the same meaning.", {
      columns: quotedAll(columns),
    }),
  header_row: ({ line }, t) =>
    t("The header is line {line}: the lines above it are not read. --header-row N names another line.", {
      line,
    }),
  read_as_windows_1252: (_, t) =>
    t(
      "The file is not UTF-8: it was read as windows-1252. If names look wrong, name the encoding with --encoding.",
    ),
  double_encoded: ({ line, text, proposal }, t) =>
    t(
      "Line {line} holds {text}, probably {proposal} encoded twice: export the file again as UTF-8. It is sent as it is.",
      { line, text: quoted(text), proposal: quoted(proposal) },
    ),
  sale_unused: ({ columns }, t) => {
    const facts = {
      columns: quotedAll(columns.map(({ column }) => column)),
      flags: columns
        .map(({ column, field, choice }) => columnFlags(field, [column], [choice]).join(""))
        .join(` ${t("or")} `),
    };

    return columns.length > 1
      ? t(
          "Columns that seem to say which products are for sale are not used: {columns}. {flags} uses one of them.",
          facts,
        )
      : t(
          "The column {columns} seems to say which products are for sale, and is not used: {flags} uses it.",
          facts,
        );
  },
  sale_used: ({ inverse, column }, t) =>
    inverse
      ? t(
          "The column {column} says which products are for sale: where it says no, the product is disabled.",
          { column: quoted(column) },
        )
      : t(
          "The column {column} says which products are not for sale: where it says yes, the product is disabled.",
          { column: quoted(column) },
        ),
  columns_ignored: ({ columns }, t) =>
    t("Columns not used: {columns}. --map gives a field its column.", { columns: quotedAll(columns) }),
  duplicates_resolved: ({ kept, dropped }, t) =>
    t(
      "{dropped, plural, one {# row} other {# rows}} with a repeated code left out: the {kept, select, first {first} other {last}} one counts.",
      { dropped, kept },
    ),
  codes_alike: ({ pairs, count }, t) =>
    t(
      "{count, plural, one {# code differs} other {# codes differ}} from another only in capitals, leading zeros, accents, separators or invisible characters ({shown}). They are sent as written, as different products.",
      { count, shown: alikeCodes(pairs, count, t) },
    ),
  codes_doubtful: ({ codes, count }, t) =>
    t(
      "{count, plural, one {# code looks} other {# codes look}} like what a spreadsheet makes of another ({shown}). They are sent as written: if they are wrong, format the column as text and type them again.",
      { count, shown: doubtfulCodes(codes, count, t) },
    ),
  landline_shapes: ({ phones, fixed }, t) => {
    const facts = { count: phones.length, shown: landlines(phones, t) };

    return fixed
      ? t(
          "{count, plural, one {# phone looks} other {# phones look}} like a landline, and messaging needs the 9 ({shown}). The 9 was added.",
          facts,
        )
      : t(
          "{count, plural, one {# phone looks} other {# phones look}} like a landline, and messaging needs the 9 ({shown}). Kept as written; --fix-phones adds it.",
          facts,
        );
  },
};

/** Says what a person should know of a file, in whole sentences. */
export const noticeWords = (notice: Notice, t: T): string => sayKind(words, notice, t);
