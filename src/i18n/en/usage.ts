import { profileProblemWords } from "../../errors/words/profiles.ts";
import { textsIn } from "../../texts/texts.ts";
import { usageAdvice, valueRules } from "../shared/usage.ts";
import { detailWords } from "./call-errors.ts";
import { rowProblemWords } from "./files.ts";
import { dates } from "./general.ts";

/** What a value must be. */
const ruleWords = valueRules({ row: rowProblemWords })({
  empty: "It must not be empty.",
  not_address: "It takes an address such as https://pos.example.com.",
  not_choice: "Choose one of {choices}.",
  not_clock: "It takes a time with seconds and an offset, such as 2026-01-01T12:00:00-03:00.",
  not_country: "It takes the two letters of a country, such as AR.",
  not_consumer: "It takes 1 to 64 letters, digits, dots, - or _.",
  hours_empty: "They never come: the end is the beginning. The whole day is 00:00-24:00.",
  not_days: "It takes days such as mon-sat or mon,wed,fri.",
  not_duration: "It takes a duration such as 90s, 2m or 1h30m.",
  not_forward_address: "It takes an http:// or https:// address without a user name or password.",
  not_hours: "It takes hours such as 09:00-21:00; 21:00-02:00 goes over midnight.",
  not_instant: "It takes a time such as 2026-01-31T08:00:00-03:00, 31/1/2026, 2h (ago), today or yesterday.",
  not_instant_to_come: "It takes a time such as 2026-01-01T15:00, 31/1/2026, 15:00 or 2h (from now).",
  not_jq: "It is not a valid jq program: {detail}.",
  not_language: "It takes a language and a country such as es_AR.",
  not_number: "It takes a number such as 60.",
  not_pace: "It takes recipients in an hour, a minute or a second, such as 300/h, 10/min or 2/s.",
  not_pair: '"{text}" is not a pair such as codigo=SKU.',
  not_percentage: "It takes a whole percentage from 1% to 1000%, such as 50%.",
  not_phone: "{problem}.",
  not_printer: {
    isWindows: {
      serial: "A serial port of Windows is file:\\\\.\\{serial}.",
      else: "On Windows a printer is tcp://192.168.1.50:9100 (network), file:\\\\localhost\\NAME (shared, by the name of its share) or file:\\\\.\\COM3 (serial port).",
    },
    else: "A printer is tcp://192.168.1.50:9100 (network), file:/dev/usb/lp0 (USB on Linux), file:/dev/ttyUSB0 (serial port) or lp:QUEUE (`lpstat -p` lists the queues of this machine).",
  },
  not_share: "It takes a share such as 20%, or a whole number.",
  not_state: "The states are {states}; all means any of them.",
  not_time_zone: "It takes the name of a time zone such as America/Sao_Paulo.",
  not_whole: "It takes a whole number from {min}[ to {max}].",
  pace_too_low: "It must be 1/h or more.",
  status_missing: "It takes one or more statuses, for example failed.",
  too_short: "It must be {min} or more.",
  zero: "It must be longer than 0 s.",
});

const itsFlags = "`{command} --help` shows its arguments, flags and examples.";
const itsCommands = "`{command} --help` describes them.";

/** What is wrong with a command line, why, and what to do next; `why` is left out where the headline says it all. */
export const usageWords = usageAdvice({
  detail: detailWords,
  placeholder: (name) => name,
  profile: (problem) => profileProblemWords(problem, textsIn("en")),
  rule: ruleWords,
  spoken: (flag) => flag,
  time: dates.time,
})({
  argument_missing: { what: "Missing argument <{argument}>.", next: itsFlags },
  arguments_too_many: {
    what: "Too many arguments: {found} instead of {expected}.[ Did you mean {guess}?]",
    next: { guess: itsFlags, else: `Put quotation marks around a text with spaces. ${itsFlags}` },
  },
  command_unknown: {
    what: "Unknown command `{command} {name}`.[ Did you mean {guess}?]",
    why: { guess: "", else: "`{command}` has the commands {known}." },
    next: itsCommands,
  },
  flag_unknown: {
    what: "Unknown flag {flag}.[ Did you mean {guess}?]",
    next: itsFlags,
  },
  subcommand_missing: { what: "Missing command after `{command}`.", next: itsCommands },
  value_missing: { what: "`{flag}` needs a value.", next: `Write the value after the flag. ${itsFlags}` },
  file_exists: {
    what: "{flag} {file} exists already.",
    why: "Its content would be replaced.",
    next: "Choose another name, or replace it with --force.",
  },
  file_is_input: { what: "{flag} names the input file.", next: "Choose another name." },
  file_not_csv: {
    what: "{flag} names neither a .csv nor an .xlsx file.",
    next: "Choose a name that ends in .csv, or in .xlsx for a workbook.",
  },
  file_not_table: {
    what: "{flag} names no .csv or .xlsx file.",
    next: "Choose a name that ends in one of these.",
  },
  file_not_workbook: {
    what: "{flag} names no .xlsx file.",
    next: "Choose a name that ends in .xlsx; -o csv and --json print the same.",
  },
  file_unwritable: {
    next: "Correct that, or name a file in another folder.",
  },
  address_unusable: {
    what: 'Invalid address "{shown}" in {name}.',
    why: "The address must begin with http:// or https:// and carry no user name, password, query or fragment.",
    next: "Give the address as whoever runs the service gave it to you, for example https://pos.example.com.",
  },
  argument_value: {
    what: {
      typed: "Invalid value {typed} for <{argument}>.[ Did you mean {guess}?]",
      else: "Invalid value for <{argument}>.[ Did you mean {guess}?]",
    },
    next: `Correct it. ${itsFlags}`,
  },
  campaign_id_unusable: {
    what: '"{id}" is not a campaign_id.',
    next: "Copy the id that the send printed; `bpos campaign list` shows it too.",
  },
  campaign_id_is_ref: {
    what: '"{ref}" is a reference of this journal, not a campaign_id.',
    next: "Pass it with --ref: `bpos campaign status --ref {ref:shell}`.",
  },
  campaign_unnamed: {
    what: "No campaign specified.",
    next: "Pass a campaign id or --ref REF; `bpos campaign list` shows both.",
  },
  canary_size: {
    what: {
      isNobody: "--canary {text} of {people|recipient|recipients} is nobody.",
      else: "--canary {text} is more than there are: {people|recipient|recipients} would be messaged.",
    },
    next: "Choose a number from 1 to {people} or a larger share, or leave it out.",
  },
  codes_missing: {
    what: "No product specified.",
    next: "Write the codes after the command, or name a file that lists them with --file FILE.",
  },
  control_character: {
    what: "The product {code} holds a control character.",
    next: "Name a file that ends in .ndjson with --fixed.",
  },
  date_ambiguous: {
    what: "{flag} {text} could be {dayFirst} or {monthFirst}.",
    why: "bpos reads the day first, and without a terminal nobody would see that.",
    next: "Write {flag} {dayFirst}, or {monthFirst} if that is meant.",
  },
  exclusive: {
    what: "{one} and {other} exclude each other.",
    next: "Leave out one of them.",
  },
  explained_nothing: {
    what: 'Unknown error reason "{text}".[ Did you mean {guess}?]',
    next: "`bpos help errors` lists them all.",
  },
  fault_unsaid: {
    what: "No rule specified, or more than one action requested.",
    next: "Write a rule such as `bpos mock fault 'POST /campaigns status=502 times=2'`.",
  },
  field_unknown: {
    what: 'Unknown field "{name}" in --fields.[ Did you mean {guess}?]',
    why: "The fields are {known}.",
    next: "Name fields of that list; a dot reaches into one that holds others.",
  },
  fields_refused: {
    what: "This command does not take --fields.",
    why: "--fields chooses the fields of a list, and this command writes none.",
    next: "Leave out --fields; orders list, catalog history, campaign list, campaign status, campaign find, profile list, journal status and mock log take it.",
  },
  folder_shared: {
    what: 'The profiles "{one}" and "{other}" would write into the same folder of --out-dir.',
    next: "Rename one of them with `bpos profile rename`.",
  },
  format_unwritten: {
    what: "Unsupported output format: {given}.",
    why: "This command writes {formats}.",
    next: "Choose one of these with -o, for example -o {example}.",
  },
  header_field_taken: {
    what: 'Invalid header field "{name}".',
    next: "Name it with --header-field as whoever runs the service calls it, or leave it out.",
  },
  host_unusable: {
    what: "Cannot listen on {host}[ port {port}]: {detail}.",
    next: "Give --host an address of this machine, 127.0.0.1 or 0.0.0.0, or leave it out.",
  },
  hours_never: {
    what: {
      zone: "It is never {hours} in all time zones of {countries} at once: nothing was sent to these recipients.",
      else: "It is never {hours} in {countries}: nothing was sent to these recipients.",
    },
    why: "A phone does not tell in which time zone of its country its owner is, so bpos keeps to all of them.",
    next: {
      zone: "Choose the one that counts, for example --time-zone {zone}, or wider hours.",
      else: "Choose other hours.",
    },
  },
  hours_too_late: {
    what: "The hours of {countries} begin only at {opens}, after --not-after ({notAfter}).",
    next: "Give a later --not-after or other hours, or leave out these recipients.",
  },
  interval_impolite: {
    what: "--interval is under 10s.",
    why: "The service may rate-limit you.",
    next: "Add --force if you mean it, or rehearse with --mock.",
  },
  time_zone: {
    what: "TZ={zone} is not a valid time zone.",
    why: "It is 24 hours or more from UTC, and no time can be written with such an offset.",
    next: "Set TZ to a name such as America/Argentina/Buenos_Aires, or unset it.",
  },
  mock_absent: {
    what: "No mock is running.",
    why: "The world of --mock runs for one command at a time: it posts no replies.",
    next: "Start one with `bpos mock`, or name it with --url.",
  },
  mock_refused: {
    what: "The mock refused: {said}.",
    next: "`bpos mock --help` shows flags and examples.",
  },
  needs_flag: { what: "{flag} requires {other}.", next: "Add {other}, or leave out {flag}." },
  order_number: {
    what: '"{text}" is not an order number.',
    next: "Give the digits alone; `bpos orders list` shows the numbers.",
  },
  printer_absent: {
    what: "No printer specified.",
    why: {
      profile: 'The profile "{profile}" names none.',
      else: "No profile is used.",
    },
    next: {
      profile:
        "Name it, for example --printer tcp://192.168.1.50:9100, or keep it: `bpos profile add {profile:shell} --update --printer URL`.",
      else: "Name it, for example --printer tcp://192.168.1.50:9100, or keep it: `bpos profile add NAME --update --printer URL`.",
    },
  },
  station: {
    what: 'Invalid station {place}[: "{text}"].',
    why: {
      fault: {
        not_list: "stations takes a list of stations.",
        not_object: "A station is an object with name, printer, categories, everything and copies.",
        name: "Its name takes 1 to 32 letters, digits, dots, - or _, a letter or digit first.",
        name_twice: "Another station has this name, or one that differs only in case or accents.",
        key: "A station has only name, printer, categories, everything and copies.",
        printer_absent: "It names no printer.",
        printer: "A printer is tcp://192.168.1.50:9100, file:/dev/usb/lp0 or lp:QUEUE.",
        categories: "categories takes a list of names.",
        everything: "everything is true or false.",
        nothing: "It prints nothing: it names no categories, nor is everything true.",
        copies: "copies takes a whole number from 1 to 9.",
      },
      else: "The profile cannot be read.",
    },
    next: "Correct it in the profile, or with `bpos profile station add` and `remove`.",
  },
  station_unknown: {
    what: '{file}, line {line}: The station "{name}" does not exist.',
    why: {
      similar: 'Did you mean "{similar}"?',
      known: "The stations are {known}.",
      else: "The profile has no stations.",
    },
    next: "`bpos profile station list` shows them.",
  },
  scenario_broken: {
    what: "Scenario {file}: {said}.",
    next: "Correct the file, or name a ready-made scenario; `bpos mock --help` shows their names.",
  },
  scenario_unknown: {
    what: 'Unknown scenario "{text}".[ Did you mean {guess}?]',
    why: "It is neither a file nor one of {names}.",
    next: "Choose one of these, or name a file of your own with its folder, such as ./my-world.json.",
  },
  schema_unknown: {
    what: "`bpos {text}` prints no JSON of its own.[ Did you mean {guess}?]",
    next: "`bpos schema` lists the commands that do.",
  },
  stdin_twice: {
    what: {
      of: {
        files: "Two files cannot both come from standard input.",
        file_and_key: "The file and the key cannot both come from standard input.",
      },
    },
    why: "It can hold only one of them.",
    next: "Name one by its file; a key can also come from BPOS_API_KEY.",
  },
  copy_target_missing: {
    what: "No database specified.",
    next: "Name it with --to postgres://USER@HOST/DATABASE, or with BPOS_JOURNAL.",
  },
  template_choice: {
    what: "No template specified, or two.",
    next: "Pass either --template NAME or --template-id ID.",
  },
  time_over: { what: "{flag} {text} is in the past.", next: "Give a later time, or leave it out." },
  value: {
    what: {
      typed: "Invalid value {typed} for {flag}.[ Did you mean {guess}?]",
      else: "Invalid value for {flag}.[ Did you mean {guess}?]",
    },
    next: "Correct it, or leave out {flag}; --help after the command shows what it takes.",
  },
});
