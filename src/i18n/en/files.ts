import {
  competingWords,
  doubtfulWords,
  fileAdvice,
  landlineWords,
  lookAlikeWords,
  noticesIn,
  problemsIn,
  rowProblemsIn,
} from "../shared/files.ts";
import { detailWords } from "./call-errors.ts";

/** Why a row is left out and what to do about it, as part of a sentence. */
export const rowProblemWords = rowProblemsIn({ file: (name) => name, area: "AREA" })({
  code_missing: "the code is empty: every product needs its own",
  code_line_break: "{column} holds a line break: if it joins two codes, write each product on its own line",
  code_not_text: "{column} {text} is not text and may have lost its zeros: write it in quotes",
  digits_lost:
    '{column}: the spreadsheet has lost digits of "{text}": format the column as text and export again',
  code_spoiled: {
    as: {
      date: '{column}: a spreadsheet took a code for a date and made "{text}" of it: format the column as text and type the code again',
      time: '{column}: a spreadsheet took a code for a time and made "{text}" of it: format the column as text and type the code again',
      number:
        '{column}: a spreadsheet took a code for a number and made "{text}" of it: format the column as text and type the code again',
      money:
        '{column}: a spreadsheet took a code for an amount of money and made "{text}" of it: format the column as text and type the code again',
      truth:
        '{column} "{text}" is a yes or no of a spreadsheet, not a code: check which column holds the codes',
      formula: '{column} "{text}" is a formula and not its result: write the code itself',
      mark: '{column} "{text}" begins with the apostrophe by which a spreadsheet marks a text: delete it',
    },
  },
  cell_error: "{column}: the calculation of the cell failed ({text}): correct it in the spreadsheet",
  formula_unstored:
    "{column}: the result of the cell's formula was not saved[ ({text} stands in for it)]: open the file in the spreadsheet program and save it",
  formula_zero:
    "{column}: the cell's formula gave {text}, as it does when a cell it refers to is empty or it was never calculated: correct the formula, or type the 0 if you mean it",
  text_alone:
    '"{text}" is alone in its row, like a heading or a note: if it is a product, write its name or price too',
  value_not_text: '{column} "{text}" is a list or an object: write one plain value',
  price_unusable:
    '{column} "{text}" is not a price: write an amount of 0 or more in at most 15 digits, or leave the cell empty',
  price_ambiguous:
    '{column} "{text}" may be {asDecimals} or {asThousands}: correct the cell, or use --decimal {decimal} if it is {asDecimals}',
  boolean_unknown: '{column} "{text}" is neither yes nor no: write sí or no, or leave the cell empty',
  total_row: "a {text} row is not a product: delete it, or give the product a code of its own",
  duplicate_code:
    'code "{codigo}" is on lines {lines}[ and {more} more] with different data: keep one of them, or use --on-duplicate first or last',
  cell_count: {
    isShort:
      "the row has {found|cell|cells} and the header {expected}: add what is missing, even if it is only an empty cell",
    else: "the row has {found|cell|cells} and the header {expected}: put a text that holds the delimiter in quotation marks, or remove the extra cells",
  },
  row_held:
    'its cell under {under} still says "{mark}": check the row, delete that cell and send the file again',
  row_too_long: "the row is longer than {limit:kB} kB: shorten its longest text",
  quote_open: "a quotation mark is never closed: close it, or double it if it belongs to the text",
  quote_late:
    "a quotation mark opened here is closed only on line {lastLine}, which does not look like one row: close it where its cell ends",
  not_an_object: {
    element: 'element {element}: "{text}" is not an object with named fields',
    else: '"{text}" is not an object with named fields',
  },
  key_differs: {
    element:
      'element {element} has the key "{column}" where the others have "{usual}": give it the name that the others have',
    else: 'the object has the key "{column}" where the others have "{usual}": give it the name that the others have',
  },
  json_broken: "the line is not valid JSON ({detail}): correct it, or export it again",
  phone_missing: "{column} is empty",
  phones_several:
    '"{text}" holds more than one phone, or an extension: keep one number, or give each its own row',
  phone_country_missing:
    '"{text}" has no + and country code: write it as +54 9 11 …, or name the country with --country AR',
  phone_area_missing: {
    local:
      '"{text}" has no area code: write it before the number, as in {local} if it is a mobile of your area, else {national} or {international}',
    else: '"{text}" has no area code: write it before the number, as in {national} or {international}',
  },
  phone_invalid: '"{text}" is not a phone number[ of {country}]: check its digits',
  variable_empty: "{name} is empty: the template needs a text there",
  variable_line_break: "{name} holds a line break or a tab: a template takes one plain line",
  variable_spaces: "{name} holds more than {limit} spaces in a row: the messaging platform refuses that",
  message_too_long:
    "the message has {length} characters with this row's variables: the messaging platform takes {limit}",
  variable_too_long: "{name} has {length} characters: at most {limit} are allowed",
  variable_count:
    "the row has {found|variable|variables} and the first row {expected}: every row needs the same number",
  person_repeated: {
    same: "the same person as line {firstLine}",
    else: "the same person as line {firstLine}, with other values: only those of line {firstLine} are sent",
  },
  person_excluded: "excluded by line {line} of {file}",
});

/** All that is wrong with a row, as one line. */
export const rowProblemsWords = problemsIn(rowProblemWords, "Also");

/** A notice about a file, in whole sentences. */
export const noticeWords = noticesIn({
  lookAlike: lookAlikeWords('line {line}: "{code}", line {otherLine}: "{otherCode}"'),
  or: "or",
  doubtful: doubtfulWords('line {line}: "{code}"'),
  landline: landlineWords("line {line}: {phone} → {proposal}"),
})({
  sheets_hidden: 'Hidden sheets are not read: "{sheets}". --sheet reads one.',
  rows_hidden:
    "{count|hidden row is read|hidden rows are read} too ({lines}): delete those that you do not want.",
  columns_hidden:
    'Hidden columns: "{columns}". bpos uses one of them only if no visible column has the same meaning.',
  header_row:
    "The header is line {line}: the lines above it are not read. --header-row N names another line.",
  read_as_windows_1252:
    "The file is not UTF-8: it was read as windows-1252. If names look wrong, name the encoding with --encoding.",
  double_encoded:
    'Line {line} holds "{text}", probably "{proposal}" encoded twice: export the file again as UTF-8. It is sent as it is.',
  sale_unused: {
    areSeveral:
      'Columns that seem to say which products are for sale are not used: "{columns}". {flags} uses one of them.',
    else: 'The column "{columns}" seems to say which products are for sale, and is not used: {flags} uses it.',
  },
  sale_used: {
    inverse:
      'The column "{column}" says which products are for sale: where it says no, the product is disabled.',
    else: 'The column "{column}" says which products are not for sale: where it says yes, the product is disabled.',
  },
  columns_ignored: 'Columns not used: "{columns}". --map gives a field its column.',
  duplicates_resolved: "{dropped|row|rows} with a repeated code left out: the {kept} one counts.",
  codes_alike:
    "{count|code differs|codes differ} from another only in capitals, leading zeros, accents, separators or invisible characters ({shown}[; and {more} more]). They are sent as written, as different products.",
  codes_doubtful:
    "{count|code looks|codes look} like what a spreadsheet makes of another ({shown}[; and {more} more]). They are sent as written: if they are wrong, format the column as text and type them again.",
  landline_shapes: {
    fixed:
      "{count|phone looks|phones look} like a landline, and messaging needs the 9 ({shown}[, and {more} more]). The 9 was added.",
    else: "{count|phone looks|phones look} like a landline, and messaging needs the 9 ({shown}[, and {more} more]). Kept as written; --fix-phones adds it.",
  },
});

const asCsv = "Open it in the spreadsheet program and save it as CSV (UTF-8).";

/** Why a file cannot be used, as part of a sentence, and what to do next. */
export const fileWords = fileAdvice({
  row: rowProblemWords,
  detail: detailWords,
  competing: competingWords({
    areTwo: "the columns {columns} both look like the {field}",
    else: "the columns {columns} all look like the {field}",
  }),
  and: "and",
  or: "or",
  header: "HEADER",
})({
  no_rows: {
    what: "it has no rows",
    next: "Check that the export is complete: a header, and one row for each entry.",
  },
  still_written: {
    what: "it is still being written",
    next: "Run this again once the export is complete. Let the export write to another name and rename the file at the end.",
  },
  too_large: {
    what: "it is larger than {limit:MiB} MiB, or never ends",
    next: "Split it into several files.",
  },
  json_too_large: {
    what: "it is one JSON document of more than {limit:MiB} MiB",
    next: "Export it as NDJSON, one object per line, or split it.",
  },
  workbook_old: {
    what: "it is a workbook in the old format (.xls)",
    next: "Open it in the spreadsheet program and save it as .xlsx.",
  },
  workbook_locked: {
    what: "it is a workbook with a password",
    next: "Save it without the password.",
  },
  no_workbook: { what: "it is not an .xlsx workbook and has no sheets", next: "Leave out --sheet." },
  workbook_other: {
    what: "it is a zip archive, not an .xlsx workbook",
    next: "Open it in the program that created it and save it as .xlsx or CSV.",
  },
  workbook_broken: {
    what: "it is a damaged workbook: {detail}",
    next: "Open it in the spreadsheet program and save it again, or copy it again from where it came from.",
  },
  workbook_too_large: {
    what: "it unpacks to more than a workbook may have: {detail}",
    next: "Save it as CSV, or split it.",
  },
  sheets_several: {
    what: 'it has several sheets: "{sheets}"',
    next: "Name the one to read with --sheet NAME.",
  },
  exclusion_sheets: {
    what: 'it has several sheets: "{sheets}"',
    next: "Hide the sheets that do not count, or save the one that counts as a file of its own.",
  },
  sheet_unknown: {
    what: 'it has no sheet "{sheet}"',
    next: 'Its sheets: "{sheets}".',
  },
  binary: {
    what: "it is a binary file, not text",
    next: "Use a CSV, JSON or NDJSON file. UTF-16 without a byte order mark needs --encoding utf-16le.",
  },
  markup: { what: "it is a web page (HTML) or XML, whatever its name ends in", next: asCsv },
  encoding_unknown: {
    what: 'unknown encoding "{encoding}"',
    next: "Use utf-8, windows-1252, iso-8859-15, utf-16le or another name of the WHATWG list.",
  },
  encoding_wrong: {
    what: "its bytes are not valid {encoding}",
    next: "Leave out --encoding to detect it, or name the encoding of the export.",
  },
  delimiter_unusable: {
    what: '"{delimiter}" cannot separate cells',
    next: 'Use one character that is not a letter, digit or quotation mark, such as ";" or ",", or the word tab.',
  },
  header_broken: {
    what: "a quoted cell of the header never ends",
    next: "Close it, or remove the quotation mark.",
  },
  json_broken: {
    what: "it is not valid JSON: {detail}",
    next: "Correct that place, or export the file again.",
  },
  list_elsewhere: {
    what: 'it is one object with "{found}", and no list under "{listKey}"',
    next: 'Put the list under "{listKey}" at the top of the object, or write it alone: {list}.',
  },
  column_missing: {
    what: {
      headers: 'no column holds the {field} (headers: "{headers}")[; {more}]',
      else: "no column holds the {field} (no headers)",
    },
    next: {
      mayBeDelimiter:
        "Name it with {flag}, or the character between cells with --delimiter; if another line is the header, name it with --header-row N.[ Name the others too: {moreFlags}.]",
      mayBeRow:
        "Name it with {flag}; if another line is the header, name it with --header-row N.[ Name the others too: {moreFlags}.]",
      else: "Name it with {flag}.[ Name the others too: {moreFlags}.]",
    },
  },
  columns_compete: {
    what: "{said}",
    next: {
      areSeveral: "Name the ones that count: {flags}.",
      else: "Name the one that counts: {flags}.",
    },
  },
  header_row_empty: {
    what: "line {row}, which --header-row names, is empty or does not exist",
    next: "Give the number of the header's line, as the spreadsheet or an editor counts it.",
  },
  no_header_row: { what: "it is JSON and has no header row", next: "Leave out --header-row." },
  column_unknown: {
    what: {
      headers: 'it has no column "{column}", which {flag} names (headers: "{headers}")',
      else: 'it has no column "{column}", which {flag} names (no headers)',
    },
    next: "Correct {flag}.",
  },
  field_unknown: {
    what: '--map names the field "{field}", which does not exist',
    next: "The fields are {known}; write --map field=HEADER.",
  },
  params_hold_phone: {
    what: '--params names the column "{column}", which holds the phone',
    next: "Remove it from --params, or name the phone column with --phone-column HEADER.",
  },
  template_empty: {
    what: "it is empty, and --template-text names it",
    next: "Copy the approved text of the template into it, with {first}, {second} for the variables.",
  },
  no_words: {
    what: "it has no word, or a line without a letter or a digit",
    next: "Write the words that opt a person out, one a line.",
  },
  template_gap: {
    what: "it has the variable {last}, but not {number}",
    next: "Number the variables {first}, {second} and so on, as the approved template does.",
  },
  template_variables: {
    what: "it has {text|variable|variables}, and each row fills {rows}",
    next: "Correct the text, or choose the columns with --params a,b.",
  },
  exclusion_unreadable: {
    what: "{problem}[ (and {more|more line|more lines})]. It is unclear whom it excludes",
    next: "Correct the line, or remove it if it names nobody.",
  },
  country_unknown: {
    what: '"{country}" is not the code of a country',
    next: "Use two letters, for example --country AR.",
  },
  decimals_ambiguous: {
    what: '"{sample}" in {column} may be {asComma} or {asDot}, and no other row decides it',
    next: "Use --decimal , to read it as {asComma}, or --decimal . to read it as {asDot}.",
  },
  decimals_mixed: {
    what: '{column} mixes decimal signs: a comma in "{comma}" (line {commaLine}), a point in "{dot}" (line {dotLine})',
    next: "Name the right one with --decimal , or --decimal . ; rows that do not fit are left out.",
  },
});

/** What is wrong or remarkable about a file and its rows. */
export const rows = {
  file: fileWords,
  notice: noticeWords,
  problem: rowProblemWords,
  problems: rowProblemsWords,
};
