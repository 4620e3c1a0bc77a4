import { BposError, type ErrorFacts } from "../errors.ts";
import { isSqliteError } from "./lock-file.ts";

/** What the journal could not do: a full disk mostly, or with `isBusy` another process that held it for too long. */
export class JournalError extends Error {
  override readonly name = "JournalError";
  readonly isBusy: boolean;

  constructor(message: string, isBusy: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isBusy = isBusy;
  }
}

export const isJournalError = (error: unknown): error is Error =>
  error instanceof JournalError || isSqliteError(error);

/** Whether another process held the journal for longer than one waits for it: the same step may do later. */
export const isJournalBusy = (error: unknown): boolean =>
  error instanceof JournalError ? error.isBusy : isSqliteError(error, "SQLITE_BUSY");

/**
 * The error for what the journal could not do; anything else is thrown as it is.
 *
 * @param under what was under way, when something was sent before: its outcome is to be settled. Without it nothing was sent.
 */
export function journalFailure(
  error: unknown,
  under?: Omit<ErrorFacts["journal_write_failed"], "detail">,
): BposError {
  if (!isJournalError(error)) throw error;
  const { message: detail } = error;
  return under === undefined
    ? new BposError("journal_unreadable", { file: "of this branch", detail }, { cause: error })
    : new BposError("journal_write_failed", { ...under, detail }, { cause: error });
}
