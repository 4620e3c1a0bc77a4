export type OwnDetail =
  | { kind: "too_slow"; ms: number }
  | { kind: "given_up" | "answer_empty" | "answer_html" | "answer_not_json" | "key_as_file" }
  | { kind: "answer_no_problem" | "not_a_mock" | "not_json" | "empty" | "is_folder" | "not_regular" }
  | { kind: "folder_missing" | "not_allowed" | "file_missing" | "not_readable" }
  | { kind: "journal_newer" | "journal_outdated" }
  | { kind: "journal_copied"; to: string }
  | { kind: "file_replaced"; file: string }
  | { kind: "answer_too_large"; maxBytes: number }
  | { kind: "encoding_unasked"; encoding: string }
  | { kind: "encoding_broken"; encoding: string; detail: string }
  | { kind: "redirect"; to: string | null }
  | { kind: "answer_too_deep"; maxDepth: number }
  /** `path` is empty where the whole answer is something else; `type` as JSON calls it. */
  | { kind: "answer_lacks" | "wrong_type"; path: string; type: string }
  | { kind: "proxy_answered"; proxy: string; variable: string; status: number }
  | { kind: "proxy_unreached"; proxy: string; variable: string; detail: Detail }
  | { kind: "key_not_for_header"; at: number; length: number }
  | { kind: "key_too_long"; length: number; max: number; isCut?: true }
  | { kind: "key_lines"; lines: number }
  | { kind: "secret_form"; min: number; max: number }
  | { kind: "json_unexpected"; found: string | null }
  | { kind: "json_list_twice"; listKey: string }
  | { kind: "database"; problem: DatabaseProblem };

/** Why a database cannot be the journal. */
export type DatabaseProblem =
  /** The address itself: `not_database` is another kind of place, such as a file. */
  | { kind: "not_database" | "address_broken" | "unescaped" | "several_hosts" | "userless" }
  | { kind: "sslmode_unknown"; mode: string }
  | { kind: "parameter_unknown" | "parameter_refused"; name: string }
  | { kind: "port_unusable" }
  /** Its setting is in the wrong place of the profile file, or under another name. */
  | { kind: "in_profile"; profile: string }
  | { kind: "key_misspelt"; key: string }
  | { kind: "certificate_file"; detail: string }
  /** The way there. */
  | { kind: "refused" | "host_unknown" | "silent" | "no_route" | "no_socket" | "cut" }
  | { kind: "not_postgres" | "pooler" | "starting" | "too_many" }
  | { kind: "tls_failed"; detail: string }
  | { kind: "tls_refused" | "tls_required" | "not_listed" }
  | { kind: "tls_untrusted" | "tls_other_name"; detail: string }
  /** Who may do what. */
  | { kind: "login" | "password_missing"; user: string }
  | { kind: "method_refused"; method: string }
  | { kind: "not_bound" }
  | { kind: "tls_version"; version: string }
  | { kind: "database_missing"; database: string }
  | { kind: "no_schema_rights"; database: string; user: string }
  | { kind: "no_table_rights" | "no_create_rights"; user: string }
  /** Code that could run as the user: `thing` is the whole schema, or something in it. */
  | { kind: "foreign_owner"; thing: string; owner: string; user: string }
  | { kind: "foreign_code"; thing: string }
  /** Limits of the server. */
  | { kind: "too_old"; version: string; oldest: number }
  | { kind: "other_encoding"; encoding: string }
  | { kind: "read_only" | "disk_full" | "busy" | "cancelled" | "half_copied" | "copied_into" }
  /** The settings, each with the value that it should have. */
  | {
      kind: "settings_lost";
      user: string;
      database: string;
      settings: Readonly<Record<string, string | number>>;
    }
  /** Anything else, in its words. */
  | { kind: "said"; detail: string };

/** Why a journal is not copied to a database. */
export type CopyProblem =
  | { kind: "source_missing" | "not_empty" | "copied_before" }
  | { kind: "in_use"; host: string; pid: number }
  | { kind: "other_copy"; from: string }
  | { kind: "differs"; table: string; rows: number; found: number };

/** Why something failed: in the words of the system, the parser or the service as they came, or one of our own reasons. */
export type Detail = string | OwnDetail;

type Readings = { decimal: string; asDecimals: string; asThousands: string };

/** The countries in which a mobile is often written without its area code. */
export type AreaCountry = "AR" | "BR" | "MX";

/** How a spreadsheet read a code, or what it left in its place. */
export type SpoiledAs = "date" | "time" | "number" | "money" | "truth" | "formula" | "mark";

/** Why one row of a file is left out. `text` is the value as read. */
export type RowProblem =
  | { kind: "code_missing" | "quote_open" }
  | { kind: "code_line_break" | "phone_missing"; column: string }
  | { kind: "code_not_text" | "digits_lost"; column: string; text: string }
  | { kind: "code_spoiled"; column: string; text: string; as: SpoiledAs }
  | { kind: "cell_error" | "formula_unstored" | "formula_zero"; column: string; text: string }
  /** The only cell of the row that holds anything. */
  | { kind: "text_alone"; text: string }
  | { kind: "value_not_text" | "price_unusable" | "boolean_unknown"; column: string; text: string }
  /** Three digits follow its only separator, which is `decimal` for the rest of the column. */
  | ({ kind: "price_ambiguous"; column: string; text: string } & Readings)
  | { kind: "duplicate_code"; codigo: string; lines: readonly number[]; count: number }
  | { kind: "cell_count"; expected: number; found: number }
  /** A rejected file of bpos still has its mark under this header. */
  | { kind: "row_held"; under: string; mark: string }
  | { kind: "row_too_long"; limit: number }
  | { kind: "quote_late"; lastLine: number }
  /** `element` is its place in a JSON document. */
  | { kind: "not_an_object"; text: string; element?: number }
  /** In JSON, a key that means the field, while the other objects have it under another key. */
  | { kind: "key_differs"; column: string; usual: string; element?: number }
  | { kind: "phones_several" | "phone_country_missing"; text: string }
  | { kind: "total_row"; text: string }
  /** `local` is the number as a mobile of the branch's own area; only who wrote it knows whether it is one. */
  | { kind: "phone_area_missing"; text: string; country: AreaCountry; local?: string }
  | { kind: "json_broken"; detail: string }
  | { kind: "phone_invalid"; text: string; country: string | null }
  | { kind: "variable_empty" | "variable_line_break"; name: string }
  | { kind: "variable_spaces"; name: string; limit: number }
  | { kind: "variable_too_long"; name: string; length: number; limit: number }
  | { kind: "message_too_long"; length: number; limit: number }
  | { kind: "variable_count"; expected: number; found: number }
  | { kind: "person_repeated"; firstLine: number; same: boolean }
  | { kind: "person_excluded"; file: string; line: number }
  /** A row of an `--errors` file of ours, which stands there because the person is excluded; `said` is its `error`. */
  | { kind: "excluded_before"; said: string };

export type RowFaults = { problem: RowProblem; also?: readonly RowProblem[] };

export const listProblems = ({ problem, also = [] }: RowFaults): readonly RowProblem[] => [problem, ...also];

/** A row of a wide sheet can have a thousand problems, more than anyone would read. */
const maxProblems = 20;

/** The problems of a row, as many as a person would read. */
export const toFaults = (problem: RowProblem, also: readonly RowProblem[]): RowFaults => ({
  problem,
  also: also.slice(0, maxProblems - 1),
});

export function rowFaults([problem, ...also]: readonly RowProblem[]): RowFaults | undefined {
  return problem === undefined ? undefined : toFaults(problem, also);
}

export type ProfileProblem =
  /** Does not repeat the name, which might be a key typed at the wrong prompt. */
  | { kind: "name_unusable" | "address_absent" | "key_absent" | "command_is_key" }
  | { kind: "name_taken"; name: string }
  | { kind: "code_unknown"; of: "country" | "currency"; code: string }
  | { kind: "text_unusable"; flag: string };

/** Why an entry of a profile is no station; `nothing`: it is to print neither a category nor everything. */
export type StationFault =
  | "not_list"
  | "not_object"
  | "name"
  | "name_twice"
  | "printer_absent"
  | "printer"
  | "categories"
  | "everything"
  | "nothing"
  | "copies"
  | "key";

/** Why the service could not deliver messages, as far as its words are known. */
export type MessageFailure = "not_on_platform" | "not_delivered" | "refused" | "params" | "other";

export type KeyCommandProblem =
  | { kind: "exit"; code: number }
  | { kind: "killed"; signal: string }
  | { kind: "timeout"; ms: number }
  | { kind: "too_long" | "empty" }
  | { kind: "not_started"; code: string };

export type ClientCertProblem =
  | { kind: "unreadable" | "broken"; detail: string }
  | { kind: "no_certificate" | "no_key" }
  | { kind: "key_encrypted"; file: string }
  /** It is not the key of that certificate. */
  | { kind: "key_of_other"; cert: string }
  /** A profile has only one of the two. */
  | { kind: "half"; setting: string; other: string };

/** `fix` is the mode that it should have, `owner` the id of another user that it belongs to. */
export type OpenPath = { path: string; mode: string } & ({ fix: string } | { owner: number });

export type WorldProblem =
  | { kind: "not_a_file" | "not_sqlite" | "other_program" | "newer" | "outdated" | "busy" }
  | { kind: "damaged" | "unwritable"; said: string }
  | { kind: "other_world"; of: readonly string[] };

/** Why a layout of receipts cannot be used; `expected` is what its key takes, in JSON; null for a list of lines. */
export type LayoutProblem =
  | { kind: "not_json"; detail: string }
  | { kind: "unknown_key"; key: string; similar: string | null; keys: readonly string[] }
  | { kind: "wrong_value"; path: string; expected: string | null }
  | { kind: "block_missing" | "block_twice"; block: string }
  | {
      kind: "logo_not_png" | "logo_too_large" | "logo_interlaced" | "logo_damaged";
      logo: string;
      maxBytes: number;
      maxSide: number;
    };

/** Why a flag does not take its value; `text` is what was typed. */
export type ValueProblem =
  | { kind: "empty" | "not_clock" | "not_consumer" | "not_forward_address" | "not_number" }
  | { kind: "not_language"; similar: string | null }
  | { kind: "status_missing" | "zero" }
  | { kind: "not_printer"; text: string; isWindows: boolean }
  | { kind: "not_address" | "not_country"; text: string }
  | { kind: "not_duration" | "not_percentage"; text: string; similar: string | null }
  | { kind: "not_instant" | "not_instant_to_come" | "not_pair" | "not_share"; text: string }
  | { kind: "not_days" | "not_hours" | "hours_empty" | "not_pace" | "pace_too_low"; text: string }
  | { kind: "not_jq"; text: string; detail: string }
  | { kind: "not_choice"; choices: readonly string[]; similar: string | null }
  | { kind: "not_phone"; problem: RowProblem }
  | { kind: "not_time_zone"; text: string; similar: string | null }
  | { kind: "not_state"; text: string; similar: string | null; states: readonly string[] }
  | { kind: "not_whole"; text: string; min: number; max: number | null }
  | { kind: "too_short"; min: string };

/** A known price that a push would change; `change_percent` is null from 0, of which no share can be told. */
export interface PriceChange {
  codigo: string;
  nombre: string | null;
  old_price: number;
  new_price: number;
  change_percent: number | null;
}

/** Known prices above 0 that a push would make 0; `first` are the first of `count`. */
export interface PricesToZero {
  count: number;
  first: { codigo: string; nombre: string | null; old_price: number }[];
}

type Suggested = { similar: string | null; known: readonly string[] };

export type UsageProblem =
  | { kind: "argument_missing"; argument: string; command: string }
  | { kind: "arguments_too_many"; expected: number; found: number; command: string; similar: string | null }
  | ({ kind: "command_unknown"; name: string; command: string } & Suggested)
  | { kind: "flag_unknown"; flag: string; similar: string | null; command: string }
  | { kind: "subcommand_missing"; command: string }
  /** `flag` with its short form and what it takes, such as `-p, --profile <name>`. */
  | { kind: "value_missing"; flag: string; command: string }
  | { kind: "file_exists"; flag: string; file: string }
  | {
      kind: "file_is_input" | "file_not_csv" | "file_not_workbook" | "file_not_table";
      flag: string;
    }
  | { kind: "file_unwritable"; flag: string; file: string; detail: Detail }
  | { kind: "address_unusable"; name: string; shown: string }
  | { kind: "argument_value"; argument: string; command: string; text: string; problem: ValueProblem }
  | { kind: "campaign_id_unusable"; id: string }
  /** isNobody: the percentage selects nobody; otherwise it exceeds the number of recipients. */
  | { kind: "canary_size"; text: string; people: number; isNobody: boolean }
  | { kind: "campaign_id_is_ref"; ref: string }
  | { kind: "campaign_unnamed" | "codes_missing" | "fault_unsaid" | "fields_refused" | "interval_impolite" }
  | { kind: "mock_absent" | "template_choice" | "copy_target_missing" }
  | { kind: "control_character"; code: string }
  | { kind: "date_ambiguous"; flag: string; text: string; dayFirst: string; monthFirst: string }
  | { kind: "exclusive"; flags: readonly [string, string] }
  | { kind: "explained_nothing" | "schema_unknown"; text: string; similar: string | null }
  | ({ kind: "field_unknown"; name: string } & Suggested)
  | { kind: "folder_shared"; profiles: readonly [string, string] }
  | { kind: "format_unwritten"; given: string; formats: readonly string[] }
  | { kind: "header_field_taken"; name: string }
  | { kind: "host_unusable"; host: string; port?: number; detail: Detail }
  | { kind: "time_zone"; zone: string }
  /** zone: one of those that differ, where there are several. */
  | { kind: "hours_never"; hours: string; countries: readonly string[]; zone: string | null }
  | { kind: "hours_too_late"; countries: readonly string[]; opens: string; notAfter: string }
  | { kind: "mock_refused"; said: string }
  | { kind: "needs_flag"; flag: string; other: string }
  | { kind: "order_number"; text: string }
  | { kind: "printer_absent"; profile: string | null }
  | { kind: "profile"; problem: ProfileProblem }
  /** `place` is the entry of the profile, `text` its value. */
  | { kind: "station"; place: string; fault: StationFault; text: string }
  | ({ kind: "station_unknown"; name: string; file: string; line: number } & Suggested)
  | { kind: "scenario_broken"; file: string; said: string }
  | { kind: "scenario_unknown"; text: string; similar: string | null; names: readonly string[] }
  | { kind: "stdin_twice"; of: "file_and_key" | "files" }
  | { kind: "time_over"; flag: string; text: string }
  /** `flag` is the flag, or the variable of the environment; `text` what was typed, where that may be repeated. */
  | { kind: "value"; flag: string; text?: string; command?: string; problem: ValueProblem };

/** Why the rest of a send waits. */
export type WaitReason = "at" | "hours" | "pace" | "canary";

/** Returns whether one name becomes the other by few edits: a letter changed, added, left out or swapped with the next. */
function isWithin(edits: number, one: string, other: string): boolean {
  if (one === other) return true;
  const [rest, otherRest] = [one.slice(1), other.slice(1)];
  if (one[0] === other[0]) return isWithin(edits, rest, otherRest);
  if (edits === 0) return false;
  const fewer = edits - 1;
  if (isWithin(fewer, rest, otherRest) || isWithin(fewer, rest, other) || isWithin(fewer, one, otherRest))
    return true;
  return one[0] === other[1] && one[1] === other[0] && isWithin(fewer, one.slice(2), other.slice(2));
}

export function similarTo(name: string, known: readonly string[]): string | null {
  const most = Math.min(3, Math.max(1, Math.floor(name.length / 4)));
  for (let edits = 0; edits <= most; edits++) {
    const found = known.find((each) => isWithin(edits, name.toLowerCase(), each.toLowerCase()));
    if (found !== undefined) return found;
  }
  return null;
}

/** `choices` has each of the columns by its header, or by its letter where a header does not tell it from the others. */
export type CompetingColumns = { field: string; columns: readonly string[]; choices: readonly string[] };

/** Why a file cannot be used. */
export type FileProblem =
  | { kind: "no_rows" | "binary" | "markup" | "header_broken" | "still_written" }
  | { kind: "workbook_old" | "workbook_locked" | "workbook_other" | "no_workbook" }
  | { kind: "workbook_broken" | "workbook_too_large"; detail: string }
  | { kind: "sheets_several" | "exclusion_sheets"; sheets: readonly string[] }
  | { kind: "sheet_unknown"; sheet: string; sheets: readonly string[] }
  | { kind: "too_large" | "json_too_large"; limit: number }
  | { kind: "encoding_unknown" | "encoding_wrong"; encoding: string }
  | { kind: "delimiter_unusable"; delimiter: string }
  | { kind: "json_broken"; detail: Detail }
  | { kind: "list_elsewhere"; found: readonly string[]; listKey: string }
  /** `of`: where its cells stand, between delimiters or in a sheet. */
  | {
      kind: "column_missing";
      field: string;
      headers: readonly string[];
      of: "text" | "sheet" | "json";
      /** Other fields, of which the file has too many columns. */
      also: readonly CompetingColumns[];
    }
  | { kind: "columns_compete"; fields: readonly CompetingColumns[] }
  | { kind: "header_row_empty"; row: number }
  | { kind: "no_header_row" }
  | { kind: "column_unknown"; flag: string; column: string; headers: readonly string[] }
  | { kind: "field_unknown"; field: string; known: readonly string[] }
  | { kind: "params_hold_phone"; column: string }
  | { kind: "template_empty" | "no_words" }
  | { kind: "template_gap"; number: number; last: number }
  /** How many variables a template's text has, and how many the rows. */
  | { kind: "template_variables"; text: number; rows: number }
  | { kind: "country_unknown"; country: string }
  /** `row` says why the line identifies nobody; `more` is the number of other such lines. */
  | { kind: "exclusion_unreadable"; row: RowProblem; more: number }
  | { kind: "decimals_ambiguous"; column: string; sample: string; asComma: string; asDot: string }
  | { kind: "decimals_mixed"; column: string; comma: RowText; dot: RowText };
type RowText = { line: number; text: string };
