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
    t("Hidden sheets were not read: {sheets}. Use --sheet to read one.", { sheets: quotedAll(sheets) }),
  rows_hidden: ({ lines, count }, t) =>
    t(
      "{count, plural, one {# hidden row was read} other {# hidden rows were read}} ({lines}). Delete any that you do not want.",
      { count, lines: [...lines, ...(count > lines.length ? ["…"] : [])].join(", ") },
    ),
  columns_hidden: ({ columns, areUsed }, t) => {
    const facts = { count: columns.length, columns: quotedAll(columns) };
    return areUsed
      ? t(
          "{count, plural, one {Column {columns} is hidden and was used.} other {Columns {columns} are hidden and were used.}}",
          facts,
        )
      : t(
          "{count, plural, one {Column {columns} is hidden and was not used.} other {Columns {columns} are hidden and were not used.}}",
          facts,
        );
  },
  header_row: ({ line }, t) =>
    t(
      "Line {line} was read as the header; the lines above it were skipped. Use --header-row N to choose another line.",
      {
        line,
      },
    ),
  read_as_windows_1252: (_, t) =>
    t(
      "The file is not UTF-8 and was read as windows-1252. If names look wrong, set the encoding with --encoding.",
    ),
  double_encoded: ({ line, text, proposal }, t) =>
    t(
      "Line {line} contains {text}, probably {proposal} encoded twice. It is sent unchanged. To correct it, export the file again as UTF-8.",
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
          "These columns might say which products are for sale, but were not used: {columns}. To use one, pass {flags}.",
          facts,
        )
      : t(
          "Column {columns} might say which products are for sale, but was not used. To use it, pass {flags}.",
          facts,
        );
  },
  sale_used: ({ inverse, column }, t) =>
    inverse
      ? t('Column {column} says which products are for sale. "No" disables a product.', {
          column: quoted(column),
        })
      : t('Column {column} says which products are not for sale. "Yes" disables a product.', {
          column: quoted(column),
        }),
  columns_ignored: ({ columns }, t) =>
    t("Unused columns: {columns}. Use --map to assign a column to a field.", { columns: quotedAll(columns) }),
  duplicates_resolved: ({ kept, dropped }, t) =>
    t(
      "{dropped, plural, one {# row} other {# rows}} with a repeated code left out. The {kept, select, first {first} other {last}} one counts.",
      { dropped, kept },
    ),
  codes_alike: ({ pairs, count }, t) =>
    t(
      "{count, plural, one {# code differs} other {# codes differ}} from another only in case, leading zeros, accents, separators or invisible characters ({shown}). Codes are sent as written, as different products.",
      { count, shown: alikeCodes(pairs, count, t) },
    ),
  codes_doubtful: ({ codes, count }, t) =>
    t(
      "{count, plural, one {# code looks} other {# codes look}} altered by a spreadsheet ({shown}). Codes are sent as written. If they are wrong, format the column as text and retype them.",
      { count, shown: doubtfulCodes(codes, count, t) },
    ),
  landline_shapes: ({ phones, fixed }, t) => {
    const facts = { count: phones.length, shown: landlines(phones, t) };

    return fixed
      ? t(
          "{count, plural, one {# phone looks} other {# phones look}} like a landline ({shown}). Messages need a mobile number with a 9, which was added.",
          facts,
        )
      : t(
          "{count, plural, one {# phone looks} other {# phones look}} like a landline ({shown}). Messages need a mobile number with a 9. Nothing was changed; --fix-phones adds the 9.",
          facts,
        );
  },
};

/** Says what a person should know of a file, in whole sentences. */
export const noticeWords = (notice: Notice, t: T): string => sayKind(words, notice, t);
