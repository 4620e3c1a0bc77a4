import type { UsageProblem, ValueProblem } from "../../errors/usage-problem.ts";
import type { UsageWords } from "../error-words.ts";
import { quoted } from "../quoted.ts";
import { type Words, wordsFor } from "../words-for.ts";
import { detailWords } from "./detail.ts";
import { profileProblemWords } from "./profile.ts";
import { rowProblemWords } from "./rows.ts";

const values: Words<ValueProblem, string> = {
  empty: () => "it cannot be empty",
  invalid: ({ said }) => `not valid (${said})`,
  not_address: ({ text }) => `${quoted(text)} is not an address`,
  not_choice: ({ choices }) =>
    `choose one of ${choices.map((choice) => (/\w/.test(choice) ? choice : quoted(choice))).join(", ")}`,
  not_clock: () => "it takes a time with seconds and an offset, such as 2026-01-01T12:00:00-03:00",
  not_consumer: () => "it takes 1 to 64 letters, digits, dots, - or _",
  not_duration: ({ text }) => `${quoted(text)} is not a duration such as 90s, 2m or 1h30m`,
  not_forward_address: () => "it takes an http:// or https:// address without a user name or password",
  not_instant: ({ text }) =>
    `${quoted(text)} is not a time such as 2026-01-31T08:00:00-03:00, 2h, today or yesterday`,
  not_instant_to_come: ({ text }) =>
    `${quoted(text)} is not a time such as 2026-01-01T15:00, 15:00 or 2h (from now)`,
  not_number: () => "it takes a number such as 60",
  not_pair: ({ text }) => `${quoted(text)} is not a pair such as codigo=SKU`,
  not_phone: ({ problem }) => rowProblemWords(problem),
  not_share: ({ text }) => `${quoted(text)} is neither a share such as 20% nor a whole number`,
  not_state: ({ text, similar, states }) =>
    `${quoted(text)} is not a state.${meant(similar)} The states are ${states.join(", ")}, or all`,
  not_whole: ({ text, min, max }) =>
    `${quoted(text)} is not a whole number from ${min}${max === null ? "" : ` to ${max}`}`,
  status_missing: () => "name a status, for example failed",
  zero: () => "it must be longer than nothing",
};

const meant = (similar: string | null): string => (similar === null ? "" : ` Did you mean \`${similar}\`?`);
const flagsOf = (command: string): string => `\`${command} --help\` shows its arguments, flags and examples.`;
const subcommandsOf = (command: string): string => `\`${command} --help\` lists them.`;
const anotherName = "Give it another name.";
const endsInCsv = "Give it a name that ends in .csv.";
const addressProblems = {
  not_http: "not an http:// or https:// address",
  credentials: "an address must not carry a user name or password",
  query: "an address must not carry a query or a fragment",
};

const problems: Words<UsageProblem, UsageWords> = {
  argument_missing: ({ argument, command }) => ({
    why: `\`${command}\` lacks its argument <${argument}>.`,
    next: flagsOf(command),
  }),
  arguments_too_many: ({ expected, found, command }) => ({
    why: `\`${command}\` takes ${expected === 0 ? "no argument" : expected === 1 ? "one argument" : `${expected} arguments`}, and there ${found === 1 ? "is one" : `are ${found}`}.`,
    next: `Put quotation marks around a text with spaces. ${flagsOf(command)}`,
  }),
  command_unknown: ({ name, similar, command }) => ({
    why: `There is no command \`${command} ${name}\`.${meant(similar)}`,
    next: subcommandsOf(command),
  }),
  flag_unknown: ({ flag, similar, command }) => ({
    why: `\`${command}\` has no flag ${flag}.${meant(similar)}`,
    next: flagsOf(command),
  }),
  line_refused: ({ said, command }) => ({ why: said, next: flagsOf(command) }),
  subcommand_missing: ({ command }) => ({
    why: `\`${command}\` has several commands below it, and none is named.`,
    next: subcommandsOf(command),
  }),
  value_missing: ({ flag, command }) => ({
    why: `\`${flag}\` takes a value, and there is none.`,
    next: `Write it behind the flag. ${flagsOf(command)}`,
  }),
  file_holds_other: ({ flag, file }) => ({
    why: `${flag} ${file} is there already and holds something else: it would be replaced. Nothing was sent.`,
    next: "Give it another name, or move that file away.",
  }),
  file_is_input: ({ flag }) => ({
    why: `${flag} names the file that is read: it would replace it.`,
    next: anotherName,
  }),
  file_no_stdout: ({ flag, ending }) => ({
    why: `${flag} writes a file, not to standard output.`,
    next: `Give it a name that ends in ${ending}.`,
  }),
  file_not_csv: ({ flag }) => ({ why: `${flag} writes CSV whatever its name says.`, next: endsInCsv }),
  file_unwritable: ({ flag, file, detail }) => ({
    why: `${flag} ${file} cannot be written: ${detailWords(detail)}. Nothing was sent.`,
    next: "Make it possible, or name a file in another folder.",
  }),
  address_unusable: ({ name, shown, because }) => ({
    why: `${name} ${JSON.stringify(shown)}: ${addressProblems[because]}.`,
    next: "Give the address as whoever runs the service gave it to you, for example https://pos.example.com.",
  }),
  all_profiles_key_file: () => ({
    why: "--all-profiles takes each profile's own key, and --api-key-file gives one for all.",
    next: "Leave out --api-key-file.",
  }),
  all_profiles_none: ({ file }) => ({
    why: `--all-profiles: there is no profile in ${file}.`,
    next: "Set one up for each branch with `bpos init`, or leave out --all-profiles.",
  }),
  argument_value: ({ argument, command, problem }) => ({
    why: `<${argument}>: ${wordsFor(values, problem)}.`,
    next: `Correct it. ${flagsOf(command)}`,
  }),
  campaign_id_unusable: ({ id }) => ({
    why: `${JSON.stringify(id)} cannot be a campaign_id.`,
    next: "Copy the id that the send printed; `bpos campaign list` shows it too.",
  }),
  campaign_unnamed: () => ({
    why: "It is not said which campaigns.",
    next: "Name a campaign id, or the reference of a send with --ref REF; `bpos campaign list` shows both.",
  }),
  code_empty: () => ({
    why: "One of the codes is empty. Nothing was sent.",
    next: "Leave it out; behind an empty code there is often a variable of a script that is not set.",
  }),
  codes_and_file: () => ({
    why: "Codes and --file exclude each other. Nothing was sent.",
    next: "Leave out the codes to deactivate the products of the file, or --file to deactivate only those of the codes.",
  }),
  codes_missing: () => ({
    why: "No product is named.",
    next: "Write the codes behind the command, or name a file of them with --file FILE.",
  }),
  control_character: ({ code }) => ({
    why: `The product ${JSON.stringify(code)} holds a control character, which CSV cannot carry. Nothing was written.`,
    next: "Name a file that ends in .ndjson with --fixed.",
  }),
  exclusive: ({ flags: [one, other] }) => ({
    why: `${one} and ${other} exclude each other.`,
    next: "Leave out one of them.",
  }),
  exec_missing: () => ({
    why: "--exec-timeout and --exec-changes say how --exec works, and --exec is not there.",
    next: "Name a command with --exec, or leave them out.",
  }),
  explained_nothing: ({ text, similar }) => ({
    why: `${quoted(text)} is not the reason of an error.${meant(similar)}`,
    next: "`bpos help errors` lists them all.",
  }),
  fault_unsaid: () => ({
    why: "`bpos mock fault` takes a rule, or --list, or --clear, and one of them only.",
    next: "Write a rule such as `bpos mock fault 'POST /campaigns status=502 times=2'`.",
  }),
  field_unknown: ({ name, similar, known }) => ({
    why: `--fields: there is no field ${quoted(name)}.${meant(similar)}`,
    next: `The fields are ${known.join(", ")}; a dot reaches into one that holds others.`,
  }),
  fields_refused: () => ({
    why: "--fields chooses the fields of a list, and this command writes none.",
    next: "Leave out --fields; orders list, catalog history, campaign list, campaign status, profile list and mock log take it.",
  }),
  folder_shared: ({ profiles }) => ({
    why: `The profiles ${profiles.map(quoted).join(" and ")} would write into the same folder of --out-dir. Nothing was read.`,
    next: "Rename one of them with `bpos profile rename`.",
  }),
  format_unwritten: ({ given, formats }) => ({
    why: `${given}: this command writes ${formats.join(", ")}.`,
    next: `Choose one of these with -o, for example -o ${formats[0] ?? "json"}.`,
  }),
  header_field_taken: ({ name }) => ({
    why: `${JSON.stringify(name)} cannot be the header field: it is empty, or the name of another field.`,
    next: "Name it with --header-field as whoever runs the service calls it, or leave it out.",
  }),
  host_unusable: ({ host, port, detail }) => ({
    why: `It cannot listen on ${host}${port === undefined ? "" : ` port ${port}`}: ${detailWords(detail)}.`,
    next: "Give --host an address of this machine, 127.0.0.1 or 0.0.0.0, or leave it out.",
  }),
  interval_impolite: () => ({
    why: "--interval: under 10s the service may shut you out.",
    next: "Say --force if you mean it, or rehearse with --mock.",
  }),
  map_missing: () => ({
    why: "--save-map keeps what --map says, and --map is not there. Nothing was sent.",
    next: "Say which column holds which field, for example --map codigo=SKU, or leave out --save-map.",
  }),
  map_without_profile: () => ({
    why: "--save-map keeps the mapping in a profile, and no profile is in use.",
    next: "Name one with -p NAME, or leave out --save-map.",
  }),
  mock_and_address: () => ({
    why: "--mock brings its own address.",
    next: "Leave out --base-url and --campaigns-url to rehearse, or --mock to call that address.",
  }),
  mock_declined: ({ said }) => ({
    why: `The mock does not take that: ${said.replace(/\.$/, "")}.`,
    next: "Correct it; --help behind the command shows examples.",
  }),
  mock_refused: ({ said }) => ({
    why: `The mock does not start like that: ${said}.`,
    next: "`bpos mock --help` shows its flags and examples.",
  }),
  needs_flag: ({ flag, other }) => ({
    why: `${flag} is for ${other}, and that is not there.`,
    next: `Add ${other}, or leave out ${flag}.`,
  }),
  order_number: ({ text }) => ({
    why: `${quoted(text)} is not an order's number.`,
    next: "Give the digits alone; `bpos orders list` shows the numbers.",
  }),
  page_and_more: () => ({
    why: "--page shows one page, and --all and --limit go through many.",
    next: "Leave out --page, or leave out --all and --limit.",
  }),
  profile: ({ problem }) => profileProblemWords(problem),
  scenario_broken: ({ file, said }) => ({
    why: `--scenario ${file}: ${said}.`,
    next: "Correct the file, or name a ready-made scenario; `bpos mock --help` shows their names.",
  }),
  scenario_unknown: ({ text, names }) => ({
    why: `--scenario: ${quoted(text)} is neither a file nor one of ${names.join(", ")}.`,
    next: "Choose one of these, or name a file of your own with its folder, such as ./my-world.json.",
  }),
  stdin_twice: ({ of }) =>
    of === "files"
      ? { why: "Standard input can hold one file only.", next: "Name the others by their files." }
      : {
          why: "Standard input can hold the file or the key, not both.",
          next: "Name the file, or give the key in BPOS_API_KEY.",
        },
  template_choice: () => ({
    why: "A send is of one template, and none is named, or two.",
    next: "Name the template with --template NAME or with --template-id ID, one of them.",
  }),
  time_over: ({ flag, text }) => ({
    why: `${flag} ${text} is over already. Nothing was sent.`,
    next: "Give a later time, or leave it out.",
  }),
  value: ({ flag, problem }) => ({
    why: `${flag}: ${wordsFor(values, problem)}.`,
    next: `Correct it, or leave out ${flag}; --help behind the command says what it takes.`,
  }),
};

/** Why a command cannot be run as it was typed, and what to do next where the general advice does not do. */
export function usageWords(problem: UsageProblem): UsageWords {
  return wordsFor(problems, problem);
}
