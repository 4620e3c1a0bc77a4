import type { Check, CheckName, Finding } from "../../errors/findings.ts";
import { BposError, type ExitName, exitNames, type Failure } from "../../errors.ts";

export const pass = (name: CheckName, finding: Finding): Check => ({ name, status: "pass", finding });
export const warn = (name: CheckName, finding: Finding): Check => ({ name, status: "warn", finding });
export const fail = (name: CheckName, finding: Finding, exit: ExitName): Check => ({
  name,
  status: "fail",
  finding,
  exit,
});
export const failBy = (name: CheckName, error: BposError): Check =>
  fail(name, { kind: "failure", failure: error as Failure }, exitNames[error.reason]);
/** A row that is unchecked until another one is fixed. */
export const unchecked = (name: CheckName, because: CheckName): Check =>
  warn(name, { kind: "unchecked", because });

/** Returns a value, or the row that says why there is none. */
export function tryOrFail<T>(name: CheckName, get: () => T): { value?: T; row?: Check } {
  try {
    return { value: get() };
  } catch (error) {
    if (!(error instanceof BposError)) throw error;
    return { row: failBy(name, error) };
  }
}
