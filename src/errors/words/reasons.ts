import type { ErrorFacts, ErrorReason } from "../../errors.ts";
import { spokenFlag } from "../../texts/flags.ts";
import type { T } from "../../texts/texts.ts";
import { callReasons } from "./calls.ts";
import { campaignReasons } from "./campaigns.ts";
import { catalogReasons } from "./catalog.ts";
import { journalReasons } from "./journal.ts";
import { machineReasons } from "./machine.ts";
import type { ErrorWords, Reasons } from "./reason.ts";
import { settingsReasons } from "./settings.ts";
import { subjectReasons } from "./subjects.ts";
import { usageWords } from "./usage/usage.ts";

/** Every reason for which a command cannot go on; one without words does not compile. */
const reasons: Reasons = {
  ...callReasons,
  ...campaignReasons,
  ...catalogReasons,
  ...journalReasons,
  ...machineReasons,
  ...settingsReasons,
  ...subjectReasons,

  bug: (t) => ({
    why: t("This is a bug in bpos, not a problem with your input."),
    next: t(
      "Run the command again with --verbose and report the output and `bpos --version`. First remove customers' names and phones from it.",
    ),
    say: ({ detail }) => ({ what: t("Unexpected {detail}.", { detail }) }),
  }),

  usage_flag: (t) => ({
    more: t(
      "A flag or an argument is unknown, missing, invalid or excludes another one. The message names it, and `bpos COMMAND --help` lists them all.",
    ),
    say: ({ problem }) => usageWords(problem, t),
  }),

  not_a_terminal: (t) => ({
    why: t("bpos asks only on a terminal, outside CI and without --no-input."),
    say: ({ flag: name, isWish }) => {
      const flag = spokenFlag(name, t);
      if (isWish)
        return {
          what: t("{flag} needs a terminal to ask on.", { flag }),
          next: t("Leave out {flag}; --dry-run shows the same.", { flag }),
        };
      if (name === "--yes")
        return {
          what: t("Cannot ask for confirmation without a terminal."),
          next: t("Add --yes to the command."),
        };
      return { what: t("Cannot ask without a terminal."), next: t("Pass {flag} instead.", { flag }) };
    },
  }),

  declined: (t) => ({
    why: t("You answered no."),
    next: t("Run the command again when you are ready, or add --yes to skip the question."),
    say: ({ of }) => ({
      what: t(["send", "push", "undo"].includes(of) ? "Nothing was sent." : "Nothing was changed."),
    }),
  }),

  expected_other_count: (t) => ({
    why: t("The number of recipients must match --expect, or the number that you confirmed."),
    next: t(
      "Use --dry-run to see who is left out and why, then run the command again with the right --expect.",
    ),
    say: ({ actual, expected }) => ({
      what: t("{actual, plural, one {# recipient} other {# recipients}} would be messaged, not {expected}.", {
        actual,
        expected,
      }),
    }),
  }),
};

/** Says an error: what happened, why, and what to do next. */
export function errorWords<R extends ErrorReason>(reason: R, facts: ErrorFacts[R], t: T): ErrorWords {
  const { why = "", next = "", say } = reasons[reason](t);
  return { why, next, ...say(facts) };
}

/** Returns the cause of a reason, and the next step where it does not depend on the facts of the error. */
export function readCause(reason: ErrorReason, t: T): { cause: string; remedy?: string } {
  const { why = "", more = why, next } = reasons[reason](t);
  return { cause: more, ...(next !== undefined && { remedy: next }) };
}
