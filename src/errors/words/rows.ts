import { sayKind, type Words } from "../../texts/kinds.ts";
import type { Facts } from "../../texts/message.ts";
import { fileName, quoted } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import type { AreaCountry, RowProblem, SpoiledAs } from "../problems.ts";

/** How a mobile with its area code is dialled in its country, and from anywhere. */
const withArea: Readonly<
  Record<AreaCountry, (area: string) => Record<"national" | "international", string>>
> = {
  AR: (area) => ({ national: `0${area} 15 …`, international: `+54 9 ${area} …` }),
  BR: (area) => ({ national: `(${area}) 9…`, international: `+55 ${area} 9…` }),
  MX: (area) => ({ national: `${area} …`, international: `+52 ${area} …` }),
};

/** Says how a spreadsheet changed a code. */
const spoiledWords: Readonly<Record<SpoiledAs, (facts: Facts, t: T) => string>> = {
  date: (facts, t) =>
    t(
      "{column}: a spreadsheet turned a code into a date ({text}): format the column as text and type the code again",
      facts,
    ),
  time: (facts, t) =>
    t(
      "{column}: a spreadsheet turned a code into a time ({text}): format the column as text and type the code again",
      facts,
    ),
  number: (facts, t) =>
    t(
      "{column}: a spreadsheet turned a code into a number ({text}): format the column as text and type the code again",
      facts,
    ),
  money: (facts, t) =>
    t(
      "{column}: a spreadsheet turned a code into an amount of money ({text}): format the column as text and type the code again",
      facts,
    ),
  truth: (facts, t) =>
    t(
      "{column} {text} is a spreadsheet's true or false, not a code: check which column contains the codes",
      facts,
    ),
  formula: (facts, t) => t("{column} {text} is a formula, not its result: type the code itself", facts),
  mark: (facts, t) =>
    t("{column} {text} starts with the apostrophe that spreadsheets put before text: delete it", facts),
};

const words: Words<RowProblem> = {
  code_missing: (_, t) => t("the code is empty: every product needs its own"),
  code_line_break: ({ column }, t) =>
    t("{column} contains a line break: if it joins two codes, write each product on its own line", {
      column,
    }),
  code_not_text: ({ column, text }, t) =>
    t("{column} {text} is not text and might have lost zeros: write it in quotes", { column, text }),
  digits_lost: ({ column, text }, t) =>
    t("{column}: the spreadsheet lost digits of {text}: format the column as text and export again", {
      column,
      text: quoted(text),
    }),
  code_spoiled: ({ column, text, as }, t) => spoiledWords[as]({ column, text: quoted(text) }, t),
  cell_error: ({ column, text }, t) =>
    t("{column}: the calculation of the cell failed ({text}): correct it in the spreadsheet", {
      column,
      text,
    }),
  formula_unstored: ({ column, text }, t) =>
    text === ""
      ? t(
          "{column}: the result of the cell's formula was not saved: open the file in the spreadsheet program and save it",
          { column },
        )
      : t(
          "{column}: the result of the cell's formula was not saved (the file has {text} instead): open the file in the spreadsheet program and save it",
          { column, text },
        ),
  formula_zero: ({ column, text }, t) =>
    t(
      "{column}: the formula gave {text}, which happens when it refers to an empty cell or was never calculated: correct the formula, or type 0 if that is right",
      { column, text },
    ),
  text_alone: ({ text }, t) =>
    t(
      "{text} is alone in its row, like a heading or a note: if it is a product, write its name or price too",
      { text: quoted(text) },
    ),
  value_not_text: ({ column, text }, t) =>
    t("{column} {text} is a list or an object: write one plain value", { column, text: quoted(text) }),
  price_unusable: ({ column, text }, t) =>
    t(
      "{column} {text} is not a price: write an amount of 0 or more in at most 15 digits, or leave the cell empty",
      { column, text: quoted(text) },
    ),
  price_ambiguous: ({ column, text, asDecimals, asThousands, decimal }, t) =>
    t(
      "{column} {text} can mean {asDecimals} or {asThousands}: correct the cell, or use --decimal {decimal} if it is {asDecimals}",
      { column, text: quoted(text), asDecimals, asThousands, decimal },
    ),
  boolean_unknown: ({ column, text }, t) =>
    t("{column} {text} is neither yes nor no: write sí or no, or leave the cell empty", {
      column,
      text: quoted(text),
    }),
  total_row: ({ text }, t) =>
    t("a {text} row is not a product: delete it, or give the product its own code", { text }),
  duplicate_code: ({ codigo, lines, count }, t) => {
    const facts = { codigo: quoted(codigo), lines: lines.join(", ") };
    const more = count - lines.length;

    return more > 0
      ? t(
          "code {codigo} is on lines {lines} and {more} more with different data: keep one of them, or use --on-duplicate first or last",
          { ...facts, more },
        )
      : t(
          "code {codigo} is on lines {lines} with different data: keep one of them, or use --on-duplicate first or last",
          facts,
        );
  },
  cell_count: ({ expected, found }, t) =>
    found < expected
      ? t(
          "the row has {found, plural, one {# cell} other {# cells}} and the header {expected}: add the missing cells, even if they are empty",
          { found, expected },
        )
      : t(
          "the row has {found, plural, one {# cell} other {# cells}} and the header {expected}: put quotation marks around a text with the delimiter in it, or remove the extra cells",
          { found, expected },
        ),
  row_held: ({ under, mark }, t) =>
    t("the cell under {under} still says {mark}: check the row, clear that cell and send the file again", {
      under,
      mark: quoted(mark),
    }),
  row_too_long: ({ limit }, t) =>
    t("the row is larger than {limit} kB: shorten its longest text", { limit: limit / 1000 }),
  quote_open: (_, t) =>
    t("a quotation mark is never closed: close it, or double it if it belongs to the text"),
  quote_late: ({ lastLine }, t) =>
    t(
      "a quotation mark opened here is closed only on line {lastLine}, which does not look like one row: close it where its cell ends",
      { lastLine },
    ),
  not_an_object: ({ element, text }, t) =>
    element === undefined
      ? t("{text} is not an object with named fields", { text: quoted(text) })
      : t("element {element}: {text} is not an object with named fields", { element, text: quoted(text) }),
  key_differs: ({ column, usual, element }, t) => {
    const facts = { column: quoted(column), usual: quoted(usual) };

    return element === undefined
      ? t("the object has the key {column} where the others have {usual}: rename it", facts)
      : t("element {element} has the key {column} where the others have {usual}: rename it", {
          ...facts,
          element,
        });
  },
  json_broken: ({ detail }, t) =>
    t("the line is not valid JSON ({detail}): correct it, or export it again", { detail }),
  phone_missing: ({ column }, t) => t("{column} is empty", { column }),
  phones_several: ({ text }, t) =>
    t("{text} contains more than one phone, or an extension: keep one number, or give each its own row", {
      text: quoted(text),
    }),
  phone_country_missing: ({ text }, t) =>
    t("{text} has no + and country code: write it as +54 9 11 …, or name the country with --country AR", {
      text: quoted(text),
    }),
  phone_area_missing: ({ text, country, local }, t) => {
    const facts = { text: quoted(text), ...withArea[country](t("AREA")) };

    return local === undefined
      ? t("{text} has no area code: write it before the number, as in {national} or {international}", facts)
      : t(
          "{text} has no area code: write it before the number, as in {local} if it is a mobile of your area, else {national} or {international}",
          { ...facts, local },
        );
  },
  phone_invalid: ({ text, country }, t) =>
    country === null
      ? t("{text} is not a phone number: check its digits", { text: quoted(text) })
      : t("{text} is not a phone number of {country}: check its digits", { text: quoted(text), country }),
  variable_empty: ({ name }, t) => t("{name} is empty: the template needs a text there", { name }),
  variable_line_break: ({ name }, t) =>
    t("{name} contains a line break or a tab: a template variable is a single line", { name }),
  variable_spaces: ({ name, limit }, t) =>
    t("{name} contains more than {limit} spaces in a row: the messaging platform does not accept that", {
      name,
      limit,
    }),
  message_too_long: ({ length, limit }, t) =>
    t(
      "the message has {length} characters with this row's variables: the messaging platform accepts {limit}",
      {
        length,
        limit,
      },
    ),
  variable_too_long: ({ name, length, limit }, t) =>
    t("{name} has {length} characters: at most {limit} are allowed", { name, length, limit }),
  variable_count: ({ found, expected }, t) =>
    t(
      "the row has {found, plural, one {# variable} other {# variables}} and the first row {expected}: every row needs the same number",
      { found, expected },
    ),
  person_repeated: ({ same, firstLine }, t) =>
    same
      ? t("the same person as line {firstLine}", { firstLine })
      : t("the same person as line {firstLine}, with other values: only those of line {firstLine} are sent", {
          firstLine,
        }),
  person_excluded: ({ file, line }, t) =>
    t("excluded by line {line} of {file}", { line, file: fileName(file, t) }),
  excluded_before: ({ said }) => said,
};

/** Says why a row is left out and what to do about it, as part of a sentence. */
export const rowProblemWords = (problem: RowProblem, t: T): string => sayKind(words, problem, t);

/** Returns all problems of a row as one line. */
export const rowProblemsWords = (problems: readonly RowProblem[], t: T): string =>
  problems.map((problem) => rowProblemWords(problem, t)).join(`. ${t("Also")}: `);
