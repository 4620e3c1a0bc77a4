export type OwnDetail =
  /** No answer, or not all of one, within that time. */
  | { kind: "too_slow"; ms: number; complete: boolean }
  | { kind: "given_up" }
  | { kind: "answer_too_large"; maxBytes: number }
  | { kind: "encoding_unasked"; encoding: string }
  | { kind: "encoding_broken"; encoding: string; detail: string }
  | { kind: "broke_off"; detail: Detail }
  /** `to` is null where the redirect names no address. */
  | { kind: "redirect"; to: string | null }
  | { kind: "answer_empty" }
  | { kind: "answer_html" }
  | { kind: "answer_cut_off" }
  | { kind: "answer_not_json" }
  | { kind: "answer_no_problem" }
  | { kind: "answer_too_deep"; maxDepth: number }
  /** `path` is empty where the whole answer is something else; `type` as JSON calls it. */
  | { kind: "answer_lacks"; path: string; type: string }
  | { kind: "not_a_mock" }
  /** `proxy` is its address without user name and password, `variable` what names it. */
  | { kind: "proxy_answered"; proxy: string; variable: string; status: number }
  | { kind: "proxy_unreached"; proxy: string; variable: string; detail: Detail }
  | { kind: "not_json" }
  | { kind: "empty" }
  /** A key stands where the name of a file belongs. */
  | { kind: "key_as_file" }
  | { kind: "key_not_for_header"; at: number; length: number }
  | { kind: "key_too_long"; length: number; max: number; isCut?: true }
  | { kind: "key_lines"; lines: number }
  | { kind: "secret_form"; min: number; max: number }
  /** What must stand there, a value, the end of the file or one of these signs, and what does; null is the end of the file. */
  | { kind: "json_unexpected"; expected: "value" | "end" | readonly string[]; found: string | null }
  | { kind: "json_list_twice"; listKey: string }
  | { kind: "is_folder" }
  | { kind: "not_regular" }
  | { kind: "folder_missing" }
  | { kind: "not_allowed" }
  | { kind: "file_missing" }
  | { kind: "not_readable" }
  | { kind: "wrong_type"; path: string; type: string }
  | { kind: "journal_newer" };

/** Why something failed: in the words of the system, the parser or the service as they came, or one of our own reasons. */
export type Detail = string | OwnDetail;

/** Why one row of a file is left out. `text` is the value as read. */
export type RowProblem =
  | { kind: "code_missing" }
  | { kind: "code_line_break"; column: string }
  | { kind: "code_is_number"; column: string; text: string }
  | { kind: "code_is_boolean"; column: string; text: string }
  | { kind: "digits_lost"; column: string; text: string }
  | { kind: "value_not_text"; column: string; text: string }
  | { kind: "price_not_number"; column: string; text: string }
  /** Three digits stand behind its only sign, which is `decimal` for the others of the column. */
  | {
      kind: "price_ambiguous";
      column: string;
      text: string;
      decimal: string;
      asDecimals: string;
      asThousands: string;
    }
  | { kind: "price_negative"; column: string; text: string }
  | { kind: "price_too_long"; column: string; text: string }
  | { kind: "boolean_unknown"; column: string; text: string }
  /** `lines` are the first of `count`. */
  | { kind: "duplicate_code"; codigo: string; lines: readonly number[]; count: number }
  | { kind: "total_row"; text: string }
  /** `left` is the cell of a rejected file of ours that was to be deleted. */
  | { kind: "cell_count"; expected: number; found: number; left?: string }
  | { kind: "row_too_long"; limit: number }
  | { kind: "quote_open" }
  | { kind: "quote_late"; lastLine: number }
  | { kind: "not_an_object"; text: string }
  | { kind: "json_broken"; detail: string }
  | { kind: "phone_missing"; column: string }
  | { kind: "phones_several"; text: string }
  | { kind: "phone_extension"; text: string }
  | { kind: "phone_country_missing"; text: string }
  | { kind: "phone_area_missing"; text: string }
  | { kind: "phone_invalid"; text: string; country: string | null }
  | { kind: "variable_empty"; name: string }
  | { kind: "variable_line_break"; name: string }
  | { kind: "variable_too_long"; name: string; length: number; limit: number }
  | { kind: "variable_count"; expected: number; found: number }
  /** `same` when the earlier row has the same variables. */
  | { kind: "person_repeated"; firstLine: number; same: boolean }
  | { kind: "person_excluded"; file: string; line: number }
  /** A row of an `--errors` file of ours, which stands there because the person is excluded; `said` is its `error`. */
  | { kind: "excluded_before"; said: string };

export interface RowFaults {
  problem: RowProblem;
  also?: readonly RowProblem[];
}

export function problemsOf({ problem, also = [] }: RowFaults): readonly RowProblem[] {
  return [problem, ...also];
}

export function rowFaults([problem, ...also]: readonly RowProblem[]): RowFaults | undefined {
  return problem === undefined ? undefined : { problem, also };
}

export type ProfileProblem =
  /** Neither of these two repeats the name: it may be a key, typed at the wrong question. */
  | { kind: "name_is_key" }
  | { kind: "name_unusable" }
  | { kind: "name_taken"; name: string }
  | { kind: "address_absent" }
  | { kind: "key_absent" }
  | { kind: "command_is_key" }
  | { kind: "country_unknown"; country: string }
  | { kind: "currency_unknown"; currency: string }
  | { kind: "text_unusable"; flag: string };

/** Why the `key_command` of a profile gave no key. What it printed is in none of them. */
export type KeyCommandProblem =
  | { kind: "exit"; code: number }
  | { kind: "killed"; signal: string }
  | { kind: "timeout"; ms: number }
  | { kind: "too_long" }
  | { kind: "not_started"; code: string }
  | { kind: "empty" };

export interface OpenPath {
  path: string;
  /** Its mode in octal digits, such as 644. */
  mode: string;
  fix: string;
}

/** Why the file of the mock's world cannot be used. `said` is what the system or SQLite said. */
export type WorldProblem =
  | { kind: "not_a_file" }
  | { kind: "not_sqlite" }
  | { kind: "other_program" }
  | { kind: "newer" }
  | { kind: "busy" }
  | { kind: "damaged"; said: string }
  | { kind: "unwritable"; said: string }
  /** It was started otherwise than is asked for now: `of` names what differs. */
  | { kind: "other_world"; of: readonly string[] };

export type ReplyRefusal =
  | "not_post"
  | "foreign_host"
  | "foreign_origin"
  | "wrong_secret"
  | "busy"
  | "not_json_type"
  | "compressed"
  | "too_large"
  | "not_json"
  | "too_deep"
  | "came_back"
  | "not_kept"
  | "not_a_request"
  | "defect";

/** Why a flag does not take its value; `text` is what was typed. */
export type ValueProblem =
  | { kind: "empty" }
  | { kind: "not_address"; text: string }
  | { kind: "not_choice"; choices: readonly string[] }
  | { kind: "not_clock" }
  | { kind: "not_consumer" }
  | { kind: "not_duration"; text: string }
  | { kind: "not_forward_address" }
  | { kind: "not_instant"; text: string }
  | { kind: "not_instant_to_come"; text: string }
  | { kind: "not_language" }
  | { kind: "not_number" }
  | { kind: "not_pair"; text: string }
  | { kind: "not_phone"; problem: RowProblem }
  | { kind: "not_share"; text: string }
  | { kind: "not_state"; text: string; similar: string | null; states: readonly string[] }
  /** `max` is null where any number from `min` on will do. */
  | { kind: "not_whole"; text: string; min: number; max: number | null }
  | { kind: "status_missing" }
  | { kind: "zero" };

/** How the words of a command line do not fit the command; `command` is the one that was meant, such as `bpos orders list`. */
type LineProblem =
  | { kind: "argument_missing"; argument: string; command: string }
  | { kind: "arguments_too_many"; expected: number; found: number; command: string }
  | {
      kind: "command_unknown";
      name: string;
      similar: string | null;
      command: string;
      known: readonly string[];
    }
  | { kind: "flag_unknown"; flag: string; similar: string | null; command: string }
  | { kind: "subcommand_missing"; command: string }
  /** `flag` with its short form and what it takes, such as `-p, --profile <name>`. */
  | { kind: "value_missing"; flag: string; command: string };

type OutputFileProblem =
  | { kind: "file_exists"; flag: string; file: string }
  | { kind: "file_is_input"; flag: string }
  | { kind: "file_not_csv"; flag: string }
  | { kind: "file_unwritable"; flag: string; file: string; detail: Detail };

export type UsageProblem =
  | LineProblem
  | OutputFileProblem
  | { kind: "address_unusable"; name: string; shown: string; because: "not_http" | "credentials" | "query" }
  | { kind: "all_profiles_none"; file: string }
  | { kind: "argument_value"; argument: string; command: string; text: string; problem: ValueProblem }
  | { kind: "campaign_id_unusable"; id: string }
  | { kind: "campaign_unnamed" }
  | { kind: "codes_missing" }
  | { kind: "control_character"; code: string }
  /** Both readings in ISO 8601. */
  | { kind: "date_ambiguous"; flag: string; text: string; dayFirst: string; monthFirst: string }
  | { kind: "exclusive"; flags: readonly [string, string] }
  | { kind: "explained_nothing"; text: string; similar: string | null }
  | { kind: "fault_unsaid" }
  | { kind: "field_unknown"; name: string; similar: string | null; known: readonly string[] }
  | { kind: "fields_refused" }
  | { kind: "folder_shared"; profiles: readonly [string, string] }
  | { kind: "format_unwritten"; given: string; formats: readonly string[] }
  | { kind: "header_field_taken"; name: string }
  | { kind: "host_unusable"; host: string; port?: number; detail: Detail }
  | { kind: "interval_impolite" }
  | { kind: "time_zone"; zone: string }
  | { kind: "mock_refused"; said: string }
  | { kind: "needs_flag"; flag: string; other: string }
  | { kind: "order_number"; text: string }
  | { kind: "profile"; problem: ProfileProblem }
  | { kind: "scenario_broken"; file: string; said: string }
  | { kind: "scenario_unknown"; text: string; names: readonly string[] }
  | { kind: "stdin_twice"; of: "file_and_key" | "files" }
  | { kind: "template_choice" }
  | { kind: "time_over"; flag: string; text: string }
  /** `flag` is the flag, or the variable of the environment; `text` what was typed, where that may be repeated. */
  | { kind: "value"; flag: string; text?: string; problem: ValueProblem };
