import type { Detail } from "./detail.ts";
import type { ProfileProblem } from "./profile-problem.ts";
import type { RowProblem } from "./row-problem.ts";

/** Why a flag does not take its value; `text` is what was typed. */
export type ValueProblem =
  | { kind: "empty" }
  | { kind: "invalid"; said: string }
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
  /** `known` are the commands below `command`. */
  | {
      kind: "command_unknown";
      name: string;
      similar: string | null;
      command: string;
      known: readonly string[];
    }
  | { kind: "flag_unknown"; flag: string; similar: string | null; command: string }
  | { kind: "line_refused"; said: string; command: string }
  | { kind: "subcommand_missing"; command: string }
  /** `flag` with its short form and what it takes, such as `-p, --profile <name>`. */
  | { kind: "value_missing"; flag: string; command: string };

/** What keeps a file from being written before anything is done. */
type FileProblem =
  | { kind: "file_exists"; flag: string; file: string }
  | { kind: "file_is_input"; flag: string }
  | { kind: "file_no_stdout"; flag: string; ending: string }
  | { kind: "file_not_csv"; flag: string }
  | { kind: "file_unwritable"; flag: string; file: string; detail: Detail };

/** Why a command cannot be run as it was typed. Words are made in `text/`. */
export type UsageProblem =
  | LineProblem
  | FileProblem
  | { kind: "address_unusable"; name: string; shown: string; because: "not_http" | "credentials" | "query" }
  | { kind: "all_profiles_key_file" }
  | { kind: "all_profiles_none"; file: string }
  | { kind: "argument_value"; argument: string; command: string; text: string; problem: ValueProblem }
  | { kind: "campaign_id_unusable"; id: string }
  | { kind: "campaign_unnamed" }
  | { kind: "code_empty" }
  | { kind: "codes_and_file" }
  | { kind: "codes_missing" }
  | { kind: "control_character"; code: string }
  /** Both readings in ISO 8601. */
  | { kind: "date_ambiguous"; flag: string; text: string; dayFirst: string; monthFirst: string }
  | { kind: "exclusive"; flags: readonly [string, string] }
  | { kind: "exec_missing" }
  | { kind: "explained_nothing"; text: string; similar: string | null }
  | { kind: "fault_unsaid" }
  /** `known` are those that there are. */
  | { kind: "field_unknown"; name: string; similar: string | null; known: readonly string[] }
  | { kind: "fields_refused" }
  | { kind: "folder_shared"; profiles: readonly [string, string] }
  | { kind: "format_unwritten"; given: string; formats: readonly string[] }
  | { kind: "header_field_taken"; name: string }
  | { kind: "host_unusable"; host: string; port?: number; detail: Detail }
  | { kind: "interval_impolite" }
  | { kind: "map_missing" }
  | { kind: "map_without_profile" }
  | { kind: "mock_and_address" }
  /** The value of TZ, which leads to no offset that a time can be written with. */
  | { kind: "time_zone"; zone: string }
  | { kind: "mock_declined"; said: string }
  | { kind: "mock_refused"; said: string }
  | { kind: "needs_flag"; flag: string; other: string }
  | { kind: "order_number"; text: string }
  | { kind: "page_and_more" }
  | { kind: "profile"; problem: ProfileProblem }
  | { kind: "scenario_broken"; file: string; said: string }
  | { kind: "scenario_unknown"; text: string; names: readonly string[] }
  | { kind: "stdin_twice"; of: "file_and_key" | "files" }
  | { kind: "template_choice" }
  | { kind: "time_over"; flag: string; text: string }
  /** `flag` is the flag, or the variable of the environment; `text` what was typed, where that may be repeated. */
  | { kind: "value"; flag: string; text?: string; problem: ValueProblem };
