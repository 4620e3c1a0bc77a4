import type { UsageProblem, ValueProblem } from "../../errors/problems.ts";
import { capitalised, ended, quoted } from "../phrases.ts";
import { type ErrorWords, type Words, wordsFor } from "../shapes.ts";
import { detailWords } from "./call-errors.ts";
import { rowProblemWords } from "./files.ts";
import { profileProblemWords } from "./profiles.ts";

/** What a value must be. */
const rules: Words<ValueProblem, string> = {
  empty: () => "It must not be empty.",
  not_address: () => "It takes an address such as https://pos.example.com.",
  not_choice: ({ choices }) =>
    `Choose one of ${choices.map((choice) => (/\w/.test(choice) ? choice : quoted(choice))).join(", ")}.`,
  not_clock: () => "It takes a time with seconds and an offset, such as 2026-01-01T12:00:00-03:00.",
  not_consumer: () => "It takes 1 to 64 letters, digits, dots, - or _.",
  not_duration: () => "It takes a duration such as 90s, 2m or 1h30m.",
  not_forward_address: () => "It takes an http:// or https:// address without a user name or password.",
  not_instant: () =>
    "It takes a time such as 2026-01-31T08:00:00-03:00, 31/1/2026, 2h (ago), today or yesterday.",
  not_instant_to_come: () => "It takes a time such as 2026-01-01T15:00, 31/1/2026, 15:00 or 2h (from now).",
  not_language: () => "It takes a language and a country such as es_AR.",
  not_number: () => "It takes a number such as 60.",
  not_pair: ({ text }) => `${quoted(text)} is not a pair such as codigo=SKU.`,
  not_phone: ({ problem }) => ended(capitalised(rowProblemWords(problem))),
  not_share: () => "It takes a share such as 20%, or a whole number.",
  not_state: ({ states }) => `The states are ${states.join(", ")}; all means every one.`,
  not_whole: ({ min, max }) => `It takes a whole number from ${min}${max === null ? "" : ` to ${max}`}.`,
  status_missing: () => "It takes one or more statuses, for example failed.",
  zero: () => "It must be longer than 0 s.",
};

/** `name` cannot have the value that was typed; what that was is left out where it must not be repeated. */
function refused(name: string, text: string | undefined, problem: ValueProblem): string {
  const typed = "text" in problem ? problem.text : text;
  const similar = "similar" in problem ? problem.similar : null;
  return `Invalid value ${typed === undefined ? "" : `${quoted(typed)} `}for ${name}.${meant(similar)}`;
}

const meant = (similar: string | null): string =>
  similar === null ? "" : ` Did you mean ${similar.startsWith("-") ? similar : `\`${similar}\``}?`;
const flagsOf = (command: string): string => `\`${command} --help\` shows its arguments, flags and examples.`;
const subcommandsOf = (command: string): string => `\`${command} --help\` describes them.`;
/** `why` is left out where the headline says it all. */
const problems: Words<UsageProblem, Omit<ErrorWords, "why"> & { why?: string }> = {
  argument_missing: ({ argument, command }) => ({
    what: `Missing argument <${argument}>.`,
    next: flagsOf(command),
  }),
  arguments_too_many: ({ expected, found, command }) => ({
    what: `Too many arguments: ${found} instead of ${expected}.`,
    next: `Put quotation marks around a text with spaces. ${flagsOf(command)}`,
  }),
  command_unknown: ({ name, similar, command, known }) => ({
    what: `Unknown command \`${command} ${name}\`.${meant(similar)}`,
    why: `\`${command}\` has the commands ${known.map((each) => `\`${each}\``).join(", ")}.`,
    next: subcommandsOf(command),
  }),
  flag_unknown: ({ flag, similar, command }) => ({
    what: `Unknown flag ${flag}.${meant(similar)}`,
    next: flagsOf(command),
  }),
  subcommand_missing: ({ command }) => ({
    what: `Missing command after \`${command}\`.`,
    next: subcommandsOf(command),
  }),
  value_missing: ({ flag, command }) => ({
    what: `\`${flag}\` needs a value.`,
    next: `Write the value behind the flag. ${flagsOf(command)}`,
  }),
  file_exists: ({ flag, file }) => ({
    what: `${flag} ${file} exists already.`,
    why: "What it holds would be replaced.",
    next: "Give it another name, or replace it with --force.",
  }),
  file_is_input: ({ flag }) => ({ what: `${flag} names the input file.`, next: "Give it another name." }),
  file_not_csv: ({ flag }) => ({
    what: `${flag} does not name a .csv file.`,
    next: "Give it a name that ends in .csv.",
  }),
  file_unwritable: ({ flag, file, detail }) => ({
    what: `${flag} ${file}: ${ended(detailWords(detail))}`,
    next: "Correct that, or name a file in another folder.",
  }),
  address_unusable: ({ name, shown }) => ({
    what: `Invalid address ${JSON.stringify(shown)} in ${name}.`,
    why: "The address must begin with http:// or https:// and carry no user name, password, query or fragment.",
    next: "Give the address as whoever runs the service gave it to you, for example https://pos.example.com.",
  }),
  all_profiles_none: ({ file }) => ({
    what: `--all-profiles found no profile in ${file}.`,
    next: "Set one up for each branch with `bpos init`, or leave out --all-profiles.",
  }),
  argument_value: ({ argument, command, text, problem }) => ({
    what: refused(`<${argument}>`, text, problem),
    why: wordsFor(rules, problem),
    next: `Correct it. ${flagsOf(command)}`,
  }),
  campaign_id_unusable: ({ id }) => ({
    what: `${JSON.stringify(id)} is not a campaign_id.`,
    next: "Copy the id that the send printed; `bpos campaign list` shows it too.",
  }),
  campaign_unnamed: () => ({
    what: "No campaign specified.",
    next: "Pass a campaign id or --ref REF; `bpos campaign list` shows both.",
  }),
  codes_missing: () => ({
    what: "No product specified.",
    next: "Write the codes behind the command, or name a file of them with --file FILE.",
  }),
  control_character: ({ code }) => ({
    what: `The product ${JSON.stringify(code)} holds a control character.`,
    next: "Name a file that ends in .ndjson with --fixed.",
  }),
  date_ambiguous: ({ flag, text, dayFirst, monthFirst }) => ({
    what: `${flag} ${text} could be ${dayFirst} or ${monthFirst}.`,
    why: "bpos reads the day first, and without a terminal nobody would see that. Nothing was sent.",
    next: `Write ${flag} ${dayFirst}, or ${monthFirst} if that is meant.`,
  }),
  exclusive: ({ flags: [one, other] }) => ({
    what: `${one} and ${other} exclude each other.`,
    next: "Leave out one of them.",
  }),
  explained_nothing: ({ text, similar }) => ({
    what: `Unknown error reason ${quoted(text)}.${meant(similar)}`,
    next: "`bpos help errors` lists them all.",
  }),
  fault_unsaid: () => ({
    what: "No rule specified, or more than one thing asked for.",
    next: "Write a rule such as `bpos mock fault 'POST /campaigns status=502 times=2'`.",
  }),
  field_unknown: ({ name, similar, known }) => ({
    what: `Unknown field ${quoted(name)} in --fields.${meant(similar)}`,
    why: `The fields are ${known.join(", ")}.`,
    next: "Name fields of that list; a dot reaches into one that holds others.",
  }),
  fields_refused: () => ({
    what: "This command does not take --fields.",
    why: "--fields chooses the fields of a list, and this command writes none.",
    next: "Leave out --fields; orders list, catalog history, campaign list, campaign status, profile list and mock log take it.",
  }),
  folder_shared: ({ profiles }) => ({
    what: `The profiles ${profiles.map(quoted).join(" and ")} would write into the same folder of --out-dir.`,
    next: "Rename one of them with `bpos profile rename`.",
  }),
  format_unwritten: ({ given, formats }) => ({
    what: `Unsupported output format: ${given}.`,
    why: `This command writes ${formats.join(", ")}.`,
    next: `Choose one of these with -o, for example -o ${formats[0] ?? "json"}.`,
  }),
  header_field_taken: ({ name }) => ({
    what: `Invalid header field ${JSON.stringify(name)}.`,
    next: "Name it with --header-field as whoever runs the service calls it, or leave it out.",
  }),
  host_unusable: ({ host, port, detail }) => ({
    what: `Cannot listen on ${host}${port === undefined ? "" : ` port ${port}`}: ${ended(detailWords(detail))}`,
    next: "Give --host an address of this machine, 127.0.0.1 or 0.0.0.0, or leave it out.",
  }),
  interval_impolite: () => ({
    what: "--interval is under 10s.",
    why: "The service may rate-limit you.",
    next: "Add --force if you mean it, or rehearse with --mock.",
  }),
  time_zone: ({ zone }) => ({
    what: `TZ=${zone} is no time zone.`,
    why: "It is 24 hours or more from UTC, and no time can be written with such an offset. Nothing was sent.",
    next: "Set TZ to a name such as America/Argentina/Buenos_Aires, or unset it.",
  }),
  mock_refused: ({ said }) => ({
    what: `The mock refused: ${ended(said)}`,
    next: "`bpos mock --help` shows flags and examples.",
  }),
  needs_flag: ({ flag, other }) => ({
    what: `${flag} requires ${other}.`,
    next: `Add ${other}, or leave out ${flag}.`,
  }),
  order_number: ({ text }) => ({
    what: `${quoted(text)} is not an order number.`,
    next: "Give the digits alone; `bpos orders list` shows the numbers.",
  }),
  profile: ({ problem }) => profileProblemWords(problem),
  scenario_broken: ({ file, said }) => ({
    what: `Scenario ${file}: ${ended(said)}`,
    next: "Correct the file, or name a ready-made scenario; `bpos mock --help` shows their names.",
  }),
  scenario_unknown: ({ text, names }) => ({
    what: `Unknown scenario ${quoted(text)}.`,
    why: `It is neither a file nor one of ${names.join(", ")}.`,
    next: "Choose one of these, or name a file of your own with its folder, such as ./my-world.json.",
  }),
  stdin_twice: ({ of }) =>
    of === "files"
      ? {
          what: "Two files are to come from standard input.",
          why: "It can hold only one.",
          next: "Name the others by their files.",
        }
      : {
          what: "The file and the key are both to come from standard input.",
          why: "It can hold only one of them.",
          next: "Name the file, or give the key in BPOS_API_KEY.",
        },
  template_choice: () => ({
    what: "No template specified, or two.",
    next: "Name it with --template NAME or with --template-id ID, one of them.",
  }),
  time_over: ({ flag, text }) => ({
    what: `${flag} ${text} has passed already.`,
    next: "Give a later time, or leave it out.",
  }),
  value: ({ flag, text, problem }) => ({
    what: refused(flag, text, problem),
    why: wordsFor(rules, problem),
    next: `Correct it, or leave out ${flag}; --help behind the command says what it takes.`,
  }),
};

/** What is wrong with a command line, why, and what to do next. */
export function usageWords(problem: UsageProblem): ErrorWords {
  return { why: "Nothing was sent.", ...wordsFor(problems, problem) };
}
