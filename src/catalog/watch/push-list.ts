import { resolve } from "node:path";
import type { Runtime } from "../../cli/runtime.ts";
import type { Session } from "../../cli/session/session.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { BposError, exitCodes, isReason } from "../../errors.ts";
import type { Journal } from "../../journal/journal.ts";
import { carryOut, type PushWork } from "../push/carry-out.ts";
import type { PushFlags } from "../push/command.ts";
import { type Planner, prepareWork } from "../push/prepare.ts";
import { planPush } from "../push/push.ts";
import type { FoundList, Lists } from "./lists.ts";
import { findNewer, refusedFile, writeRefused } from "./refused.ts";

/** A push as `catalog push --json` prints it. */
export interface Pushed {
  sent: number;
  accepted: number;
  unchanged: number;
  outcome: string;
  rejected: Iterable<unknown>;
  rejected_file: string | null;
  deactivated?: Pick<Pushed, "accepted" | "outcome">;
}

/** What came of a list; `unwritten` where its refused rows could not be written beside it. */
export type ListOutcome = { unwritten?: BposError } & (
  | { push: Pushed }
  | { refused: BposError; file: string | null }
);

export interface PushingList {
  runtime: Runtime;
  session: Session;
  lists: Lists;
  flags: PushFlags;
}

const maxNamed = 10;

/** Ends a push before anything is sent. */
class NotNow extends Error {
  readonly why: "done" | "changed";
  constructor(why: "done" | "changed") {
    super(why);
    this.why = why;
  }
}

/** Throws `list_older` where an old price would win over a newer one: of a list that was restored, or copied here late. */
const planList =
  (flags: PushFlags, { path, savedAt }: FoundList): Planner =>
  (session, reading, request) => {
    const plan = planPush(flags)(session, reading, request);
    return async (journal, branch) => {
      const requests = (await plan?.(journal, branch)) ?? [];
      const compared = requests[0]?.compared;
      const codes = compared === undefined ? [] : await findNewer(journal, branch, compared, savedAt);
      if (codes.length > 0)
        throw new BposError("list_older", {
          file: path,
          savedAt: isoWithOffset(savedAt),
          count: codes.length,
          codes: codes.slice(0, maxNamed),
        });
      return requests.map((each) => ({ ...each, savedAt }));
    };
  };

/** What the same list would meet again: not the network, the journal or another push. */
function isRefusal(error: unknown): error is BposError {
  if (isReason(error, "input_refused")) return error.facts.status === 400 || error.facts.status === 422;
  const refusals = [
    ...(["input_unusable", "rows_rejected_strict", "rows_unreadable"] as const),
    ...(["price_change_too_large", "too_many_missing", "list_older"] as const),
  ];
  return refusals.some((reason) => isReason(error, reason));
}

/** The session of one push, which keeps its report and the locks that it takes. */
function openPush(given: Session) {
  const kept: { report?: Pushed; held: Journal[] } = { held: [] };
  const session: Session = {
    ...given,
    output: {
      ...given.output,
      format: "json",
      document(report) {
        kept.report = report as Pushed;
        return Promise.resolve();
      },
    },
    async openJournal(how) {
      const opened = await given.openJournal(how);
      return {
        ...opened,
        async lock(...wanted) {
          const journal = await opened.lock(...wanted);
          kept.held.push(journal);
          return journal;
        },
      };
    },
  };
  return { session, kept };
}

/**
 * Pushes a list unless the journal knows that this was done with it, or it is being written again. What its guards or the service
 * refuse of it is an outcome; throws what another try may get over.
 */
export async function pushList(
  { runtime: given, session: shared, lists, flags: wanted }: PushingList,
  list: FoundList,
): Promise<ListOutcome | "done" | "changed"> {
  // Nobody answers a question of it, and other lists would wait.
  const runtime: Runtime = { ...given, exitCode: exitCodes.ok, flags: { ...given.flags, input: false } };
  const path = resolve(runtime.system.cwd, list.path);
  const flags = { ...wanted, changedOnly: true, rejected: refusedFile(list.path) };
  const { journal, branchNow } = await shared.openJournal();
  const { session, kept } = openPush(shared);
  const checkDue = async (): Promise<undefined> => {
    if (await journal.lists.isDone(branchNow(), path, list.hash)) throw new NotNow("done");
    if (!(await lists.isAsFound(list))) throw new NotNow("changed");
    return undefined;
  };

  let work: PushWork | undefined;
  let outcome: ListOutcome;
  try {
    await checkDue();
    const plan = planList(flags, list);
    work = await prepareWork(runtime, session, { action: "upsert", path: list.path, codes: [], plan }, flags);
    const rejected = work.request.rejected.length;
    if (flags.strict === true && rejected > 0)
      throw new BposError("rows_rejected_strict", { file: list.path, rejected });
    await carryOut(runtime, session, { ...work, changed: checkDue });
    outcome = { push: kept.report as Pushed };
    await (kept.held.at(-1) ?? journal).lists.done(branchNow(), path, list.hash);
  } catch (error) {
    if (error instanceof NotNow) return error.why;
    // It went away after it was found.
    if (isReason(error, "input_unreadable") && !(await lists.isAsFound(list))) return "changed";
    const isSent = (kept.report?.accepted ?? 0) > 0;
    if (kept.report !== undefined && (isReason(error, "output_unwritable") || (isSent && isRefusal(error))))
      outcome = { push: kept.report, unwritten: error };
    else if (isRefusal(error)) {
      const about = { error, work, list, flags };
      outcome = await writeRefused(runtime, { journal, branch: branchNow(), output: session.output }, about);
    } else throw error;
    await journal.lists.done(branchNow(), path, list.hash);
  } finally {
    for (const each of kept.held) await each.release().catch(() => undefined);
  }
  return outcome;
}
