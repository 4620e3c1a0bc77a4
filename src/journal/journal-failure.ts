import { BposError, type ErrorFacts } from "../errors.ts";
import { isSqliteError } from "./lock-file.ts";

/**
 * The error for what the journal could not do, a full disk mostly; anything else is thrown as it is.
 *
 * @param under what was under way, when something was sent before: its outcome is to be settled. Without it nothing was sent.
 */
export function journalFailure(
  error: unknown,
  under?: Omit<ErrorFacts["journal_write_failed"], "detail">,
): BposError {
  if (!isSqliteError(error)) throw error;
  const { message: detail } = error;
  const options = { cause: error };
  return under === undefined
    ? new BposError("journal_unreadable", { file: "of this branch", detail }, options)
    : new BposError("journal_write_failed", { ...under, detail }, options);
}
