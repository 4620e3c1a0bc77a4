import type {
  Detail,
  ProfileProblem,
  RowProblem,
  UsageProblem,
  ValueProblem,
} from "../../errors/problems.ts";
import { capitalised, quoted } from "../../texts/phrases.ts";
import { type ErrorWords, rowsKnowing, sentencesKnowing, toSentence } from "../template.ts";

/** What a value must be. */
export const valueRules = ({ row }: { row: (problem: RowProblem) => string }) =>
  sentencesKnowing<ValueProblem>()({
    not_choice: ({ choices }) => ({
      choices: choices.map((choice) => (/\w/.test(choice) ? choice : quoted(choice))),
    }),
    not_phone: ({ problem }) => ({ problem: capitalised(row(problem)) }),
    not_printer: ({ text, isWindows }) => ({
      isWindows,
      serial: /^(COM\d+):?$/i.exec(text.trim())?.[1]?.toUpperCase(),
    }),
  });

interface UsageWords {
  rule: (problem: ValueProblem) => string;
  detail: (detail: Detail) => string;
  profile: (problem: ProfileProblem) => ErrorWords;
  /** A flag, and the name of an argument, with what stands for a value in this language. */
  spoken: (flag: string) => string;
  placeholder: (name: string) => string;
  time: (iso: string) => string;
}

const toGuess = (similar: string | null): { guess: string | undefined } => ({
  guess: similar === null ? undefined : /^--?\w/.test(similar) ? similar : `\`${similar}\``,
});

const inTicks = (names: readonly string[]): string[] => names.map((each) => `\`${each}\``);

/** What was typed is left out where it must not be repeated. */
function refuse(text: string | undefined, problem: ValueProblem) {
  const typed = "text" in problem ? problem.text : text;
  return {
    typed: typed === undefined ? undefined : quoted(typed),
    ...toGuess("similar" in problem ? problem.similar : null),
  };
}

/** What is wrong with a command line, why, and what to do next; `why` is left out where the headline says it all. */
export const usageAdvice = ({ rule, detail, profile, spoken, placeholder, time }: UsageWords) =>
  rowsKnowing<UsageProblem, "what" | "next", "why">()({
    arguments_too_many: ({ similar }) => toGuess(similar),
    argument_missing: ({ argument }) => ({ argument: placeholder(argument) }),
    argument_value: ({ argument, text, problem }) => ({
      ...refuse(text, problem),
      argument: placeholder(argument),
      texts: { why: rule(problem) },
    }),
    command_unknown: ({ known, similar }) => ({ ...toGuess(similar), known: inTicks(known) }),
    control_character: ({ code }) => ({ code: JSON.stringify(code) }),
    exclusive: ({ flags: [one, other] }) => ({ one: spoken(one), other }),
    explained_nothing: ({ similar }) => toGuess(similar),
    scenario_unknown: ({ similar }) => toGuess(similar),
    schema_unknown: ({ similar }) => toGuess(similar),
    field_unknown: ({ similar }) => toGuess(similar),
    file_exists: ({ flag }) => ({ flag: spoken(flag) }),
    file_is_input: ({ flag }) => ({ flag: spoken(flag) }),
    file_not_csv: ({ flag }) => ({ flag: spoken(flag) }),
    file_not_table: ({ flag }) => ({ flag: spoken(flag) }),
    file_not_workbook: ({ flag }) => ({ flag: spoken(flag) }),
    file_unwritable: ({ flag, file, detail: why }) => ({
      texts: { what: toSentence(`${spoken(flag)} ${file}: ${detail(why)}`) },
    }),
    flag_unknown: ({ similar }) => toGuess(similar && spoken(similar)),
    folder_shared: ({ profiles: [one, other] }) => ({ one, other }),
    format_unwritten: ({ formats }) => ({ example: formats[0] ?? "json" }),
    hours_too_late: ({ opens, notAfter }) => ({ opens: time(opens), notAfter: time(notAfter) }),
    host_unusable: ({ detail: why }) => ({ detail: detail(why) }),
    profile: ({ problem }) => ({ texts: profile(problem) }),
    value: ({ text, problem }) => ({ ...refuse(text, problem), texts: { why: rule(problem) } }),
    value_missing: ({ flag }) => ({ flag: spoken(flag) }),
  });
