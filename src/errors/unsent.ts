import { BposError, type ErrorReason, exitNames, type Failure } from "../errors.ts";

/** Reasons that occur only before anything is sent, in addition to those of exit codes 2, 10 and 11. */
const early: readonly ErrorReason[] = [
  "address_missing",
  "key_missing",
  "key_unreadable",
  "key_command_failed",
  "profiles_none",
  "config_open",
  "config_unreadable",
  "journal_unreadable",
  "journal_damaged",
  "journal_older",
  "proxy_unusable",
  "tls_unchecked",
  "locked",
  "template_unknown",
  "header_unreachable",
];

/** Returns whether a failed command certainly sent nothing. */
export function isUnsent(failure: Failure): boolean {
  const { reason, facts } = failure;
  if (reason === "declined") return false;
  if (reason === "usage_flag") return failure.facts.problem.kind !== "hours_never";
  if (reason === "clock_ahead") return failure.facts.stamped === undefined;
  if (reason === "interrupted") return ["reading", "waiting", "question"].includes(failure.facts.during);
  if (["usage", "held", "not_found"].includes(exitNames[reason])) return true;
  return early.includes(reason) || "nothingSent" in facts;
}

/** Marks the failure of a call: the whole command sent nothing. */
export function toUnsent(error: unknown): unknown {
  if (!(error instanceof BposError) || !("endpoint" in error.facts)) return error;
  return new BposError(error.reason, { ...error.facts, nothingSent: true }, { cause: error });
}
