import type { Check, CheckName, Finding } from "../../errors/doctor-check.ts";
import { type BposError, type ExitName, exitNameOf, type Failure } from "../../errors.ts";

/** A row of what is as it should be. */
export const passed = (name: CheckName, finding: Finding): Check => ({ name, status: "pass", finding });

/** A row of what works and should be looked at. */
export const warned = (name: CheckName, finding: Finding): Check => ({ name, status: "warn", finding });

/** A row of what keeps commands from working, with the exit code that they would end with. */
export const failed = (name: CheckName, finding: Finding, exit: ExitName): Check => ({
  ...{ name, status: "fail", finding },
  exit,
});

/** A row of an error that commands end with. */
export const failedBy = (name: CheckName, error: BposError): Check =>
  failed(name, { kind: "failure", failure: error as Failure }, exitNameOf[error.reason]);

/** A row that makes no sense before another is put right; it is no failure of its own. */
export const unchecked = (name: CheckName, because: CheckName): Check =>
  warned(name, { kind: "unchecked", because });

/** How a run ends: as the first check that fails says, from the top. */
export const exitOf = (checks: readonly Check[]): ExitName =>
  checks.flatMap((check) => (check.status === "fail" ? [check.exit] : []))[0] ?? "ok";
