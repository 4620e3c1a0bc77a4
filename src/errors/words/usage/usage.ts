import { placeholderText, spokenFlag } from "../../../texts/flags.ts";
import { sayKind, type Words } from "../../../texts/kinds.ts";
import { quoted } from "../../../texts/phrases.ts";
import type { T } from "../../../texts/texts.ts";
import type { UsageProblem, ValueProblem } from "../../problems.ts";
import { detailWords } from "../details.ts";
import { profileProblemWords } from "../profiles.ts";
import { about } from "../reason.ts";
import { campaignUsage } from "./campaigns.ts";
import { printerUsage } from "./printers.ts";
import { valueRule } from "./values.ts";
import { guessing, type UsageWords } from "./words.ts";

const itsFlags = (command: string, t: T): string =>
  t("`{command} --help` shows its arguments, flags and examples.", { command });

const itsCommands = (command: string, t: T): string => t("`{command} --help` describes them.", { command });

/** Omits what was typed where it must not be repeated. */
function typedIn(text: string | undefined, problem: ValueProblem): string | undefined {
  const typed = "text" in problem ? problem.text : text;
  return typed === undefined ? undefined : quoted(typed);
}

const similarIn = (problem: ValueProblem): string | null => ("similar" in problem ? problem.similar : null);

/** Commands, arguments and flags. */
const lineUsage = {
  argument_missing: ({ argument, command }, t) => ({
    what: t("Missing argument <{argument}>.", { argument: placeholderText(argument, t) }),
    next: itsFlags(command, t),
  }),
  arguments_too_many: ({ found, expected, command, similar }, t) => ({
    what: guessing(t("Too many arguments: {found} instead of {expected}.", { found, expected }), similar, t),
    next:
      similar === null
        ? `${t("Put quotation marks around a text with spaces.")} ${itsFlags(command, t)}`
        : itsFlags(command, t),
  }),
  command_unknown: ({ command, name, known, similar }, t) => ({
    what: guessing(t("Unknown command `{command} {name}`.", { command, name }), similar, t),
    ...(similar === null && {
      why: t("`{command}` has the commands {known}.", {
        command,
        known: known.map((each) => `\`${each}\``).join(", "),
      }),
    }),
    next: itsCommands(command, t),
  }),
  subcommand_missing: ({ command }, t) => ({
    what: t("Missing command after `{command}`.", { command }),
    next: itsCommands(command, t),
  }),
  flag_unknown: ({ flag, command, similar }, t) => ({
    what: guessing(t("Unknown flag {flag}.", { flag }), similar && spokenFlag(similar, t), t),
    next: itsFlags(command, t),
  }),

  value_missing: ({ flag, command }, t) => ({
    what: t("`{flag}` needs a value.", { flag: spokenFlag(flag, t) }),
    next: `${t("Write the value after the flag.")} ${itsFlags(command, t)}`,
  }),
  value: ({ flag, text, command, problem }, t) => {
    const typed = typedIn(text, problem);
    const what =
      typed === undefined
        ? t("Invalid value for {flag}. // of a command line", { flag })
        : t("Invalid value {typed} for {flag}.", { typed, flag });
    return {
      what: guessing(what, similarIn(problem), t),
      why: valueRule(problem, t),
      next:
        command === undefined
          ? t("Correct it, or leave out {flag}.", { flag })
          : t("Correct it, or leave out {flag}. See `{command} --help`.", { flag, command }),
    };
  },
  argument_value: ({ argument: name, command, text, problem }, t) => {
    const argument = placeholderText(name, t);
    const typed = typedIn(text, problem);
    const what =
      typed === undefined
        ? t("Invalid value for <{argument}>.", { argument })
        : t("Invalid value {typed} for <{argument}>.", { typed, argument });
    return {
      what: guessing(what, similarIn(problem), t),
      why: valueRule(problem, t),
      next: `${t("Correct it.")} ${itsFlags(command, t)}`,
    };
  },

  exclusive: ({ flags: [one, other] }, t) => ({
    what: t("{one} and {other} exclude each other.", { one: spokenFlag(one, t), other }),
    next: t("Leave out one of them."),
  }),
  needs_flag: ({ flag, other }, t) => ({
    what: t("{flag} requires {other}.", { flag, other }),
    next: t("Add {other}, or leave out {flag}.", { other, flag }),
  }),
  stdin_twice: ({ of }, t) => ({
    what: t(
      of === "files"
        ? "Two files cannot both come from standard input."
        : "The file and the key cannot both come from standard input.",
    ),
    why: t("Standard input can supply only one of them."),
    next: t("Pass the other one as a file. The key can also come from BPOS_API_KEY."),
  }),
} satisfies Partial<Words<UsageProblem, UsageWords>>;

/** Output files and their content. */
const outputUsage = {
  file_exists: ({ flag, file }, t) => ({
    what: t("{flag} {file} already exists.", { flag: spokenFlag(flag, t), file }),
    why: t("Its content would be replaced."),
    next: t("Choose another name, or replace it with --force."),
  }),
  file_is_input: ({ flag }, t) => ({
    what: t("{flag} is the input file.", { flag: spokenFlag(flag, t) }),
    next: t("Choose another name."),
  }),
  file_not_csv: ({ flag }, t) => ({
    what: t("{flag} must be a .csv or .xlsx file.", { flag: spokenFlag(flag, t) }),
    next: t("Choose a name that ends in .csv, or in .xlsx for a workbook."),
  }),
  file_not_table: ({ flag }, t) => ({
    what: t("{flag} must be a .csv or .xlsx file.", { flag: spokenFlag(flag, t) }),
    next: t("Choose a name that ends in .csv or .xlsx."),
  }),
  file_not_workbook: ({ flag }, t) => ({
    what: t("{flag} must be an .xlsx file.", { flag: spokenFlag(flag, t) }),
    next: t("Choose a name that ends in .xlsx. -o csv and --json print the same data."),
  }),
  file_unwritable: ({ flag, file, detail }, t) => ({
    what: about(`${spokenFlag(flag, t)} ${file}`, detailWords(detail, t), t),
    next: t("Fix that, or choose a file in another folder."),
  }),
  folder_shared: ({ profiles: [one, other] }, t) => ({
    what: t("The profiles {one} and {other} would write into the same folder of --out-dir.", {
      one: quoted(one),
      other: quoted(other),
    }),
    next: t("Rename one of them with `bpos profile rename`."),
  }),
  control_character: ({ code }, t) => ({
    what: t("The product {code} contains a control character.", { code: JSON.stringify(code) }),
    next: t("Pass a --fixed file that ends in .ndjson."),
  }),

  format_unwritten: ({ given, formats }, t) => ({
    what: t("Unsupported output format: {given}.", { given }),
    why: t("This command writes {formats}.", { formats: formats.join(", ") }),
    next: t("Choose one of these with -o, for example -o {example}.", { example: formats[0] ?? "json" }),
  }),
  field_unknown: ({ name, known, similar }, t) => ({
    what: guessing(t("Unknown field {name} in --fields.", { name: quoted(name) }), similar, t),
    why: t("The fields are {known}.", { known: known.join(", ") }),
    next: t("Use fields from that list. A dot selects a nested field."),
  }),
  fields_refused: (_, t) => ({
    what: t("This command does not take --fields."),
    why: t("--fields selects the fields of some lists. This command prints none of them."),
    next: t(
      "Leave out --fields. These commands take it: orders list, catalog history, campaign list, campaign status, campaign find, campaign optout list, profile list, profile station list, journal status, status and mock log.",
    ),
  }),
} satisfies Partial<Words<UsageProblem, UsageWords>>;

/** Words of a wrong command line of a mock. */
const mockUsage = {
  mock_absent: (_, t) => ({
    what: t("No mock is running."),
    why: t("A --mock world runs only during one command, and posts no replies."),
    next: t("Start one with `bpos mock`, or pass its address with --url."),
  }),
  mock_refused: ({ said }, t) => ({
    what: t("The mock refused: {said}.", { said }),
    next: t("`bpos mock --help` shows flags and examples."),
  }),
  fault_unsaid: (_, t) => ({
    what: t("No rule specified, or more than one action requested."),
    next: t("Write a rule such as `bpos mock fault 'POST /campaigns status=502 times=2'`."),
  }),

  scenario_broken: ({ file, said }, t) => ({
    what: t("Scenario {file}: {said}.", { file, said }),
    next: t("Correct the file, or use a built-in scenario: `bpos mock --help` lists them."),
  }),
  scenario_unknown: ({ text, names, similar }, t) => ({
    what: guessing(t("Unknown scenario {text}.", { text: quoted(text) }), similar, t),
    why: t("It is neither a file nor one of {names}.", { names: names.join(", ") }),
    next: t("Choose one of these, or pass your own file with its folder, such as ./my-world.json."),
  }),
} satisfies Partial<Words<UsageProblem, UsageWords>>;

/** Words of wrong files, addresses and names on a command line. */
const subjectUsage = {
  profile: ({ problem }, t) => profileProblemWords(problem, t),
  address_unusable: ({ shown, name }, t) => ({
    what: t("Invalid address {shown} in {name}.", { shown: quoted(shown), name }),
    why: t(
      "The address must start with http:// or https:// and have no user name, password, query or fragment.",
    ),
    next: t("Use the address that whoever runs the service gave you, for example https://pos.example.com."),
  }),
  host_unusable: ({ host, port, detail: why }, t) => {
    const detail = detailWords(why, t);
    return {
      what:
        port === undefined
          ? t("Cannot listen on {host}: {detail}.", { host, detail })
          : t("Cannot listen on {host} port {port}: {detail}.", { host, port, detail }),
      next: t("Set --host to an address of this machine, 127.0.0.1 or 0.0.0.0, or leave it out."),
    };
  },
  time_zone: ({ zone }, t) => ({
    what: t("TZ={zone} is not a valid time zone.", { zone }),
    why: t("Its offset from UTC is 24 hours or more, which no timestamp can express."),
    next: t("Set TZ to a name such as America/Argentina/Buenos_Aires, or unset it."),
  }),

  date_ambiguous: ({ flag, text, dayFirst, monthFirst }, t) => ({
    what: t("{flag} {text} could be {dayFirst} or {monthFirst}.", { flag, text, dayFirst, monthFirst }),
    why: t("bpos reads the day first, and without a terminal nobody would see that."),
    next: t("Write {flag} {dayFirst}, or {monthFirst} if you mean that day.", { flag, dayFirst, monthFirst }),
  }),
  time_over: ({ flag, text }, t) => ({
    what: t("{flag} {text} is in the past.", { flag, text }),
    next: t("Pass a later time, or leave it out."),
  }),
  interval_impolite: (_, t) => ({
    what: t("--interval is under 10s."),
    why: t("The service may rate-limit you."),
    next: t("Add --force to poll this often anyway, or try --mock."),
  }),

  codes_missing: (_, t) => ({
    what: t("No product specified."),
    next: t("Write the codes after the command, or pass a file that lists them with --file FILE."),
  }),
  order_number: ({ text }, t) => ({
    what: t("{text} is not an order number.", { text: quoted(text) }),
    next: t("Pass only the digits. `bpos orders list` shows the numbers."),
  }),
  copy_target_missing: (_, t) => ({
    what: t("No database specified."),
    next: t("Pass it with --to postgres://USER@HOST/DATABASE, or set BPOS_JOURNAL."),
  }),
  explained_nothing: ({ text, similar }, t) => ({
    what: guessing(t("Unknown error reason {text}.", { text: quoted(text) }), similar, t),
    next: t("`bpos help errors` lists them all."),
  }),
  schema_unknown: ({ text, similar }, t) => ({
    what: guessing(t("`bpos {text}` has no JSON output.", { text }), similar, t),
    next: t("`bpos schema` lists the commands that have it."),
  }),
} satisfies Partial<Words<UsageProblem, UsageWords>>;

const words: Words<UsageProblem, UsageWords> = {
  ...lineUsage,
  ...outputUsage,
  ...subjectUsage,
  ...printerUsage,
  ...campaignUsage,
  ...mockUsage,
};

/** Says what is wrong with a command line, why, and what to do next. */
export const usageWords = (problem: UsageProblem, t: T): UsageWords => sayKind(words, problem, t);
