import type { Session } from "../../cli/session/session.ts";
import { isReason } from "../../errors.ts";
import { isJournalAway } from "../../journal/engine/engine.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Lock } from "../../journal/locks/locks.ts";
import { giveUp, type Watching, withBranch } from "./notices/notices.ts";

/** A branch to watch, and the journal under the lock for it; undefined while another process may hold it. */
export interface WatchedBranch {
  session: Session;
  shared: Journal;
  lock: Lock;
  journal: Journal | undefined;
}

/** The branches to watch: each once, and without --standby none that another process watches for this consumer. */
export async function lockBranches(
  watching: Watching,
  sessions: readonly Session[],
): Promise<WatchedBranch[]> {
  const { runtime, screen, many, consumer, standby, health } = watching;
  const names = new Map<string, string>();
  const branches: WatchedBranch[] = [];
  let refusal: unknown;

  for (const session of sessions) {
    const { branchName } = session;
    const { branch, journal: shared } = await session.openJournal();
    const other = names.get(branch);
    if (other !== undefined) {
      const once = runtime.texts.t("Same key and address as {other}: watched once.", { other });
      const text = withBranch(runtime, branchName, once);
      await screen.say(text, { event: "branch.watched_already", branch: branchName, other });
      continue;
    }

    const lock = { work: "watch", branch, consumer } as const;
    try {
      // With --standby the lock is taken when it is free.
      const journal = standby === undefined ? await shared.under(lock) : undefined;
      names.set(branch, branchName);
      branches.push({ session, shared, lock, journal });
      screen.update(branchName, {});
      health.begin(branchName, standby === undefined ? "ok" : "standby");
    } catch (error) {
      if (!many || !isReason(error, "locked")) throw error;
      refusal = error;
      await giveUp(watching, branchName, error);
    }
  }

  if (branches.length === 0) throw refusal;
  return branches;
}

/** Releases a branch that this process stopped watching, so that a standby process can take it. */
export async function releaseLock(
  { flags, outage }: Watching,
  { release, check }: Journal,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await release();
      return;
    } catch (error) {
      // If the journal cannot be reached, the lock expires only when this process ends.
      if (flags.once === true || !isJournalAway(error)) return;
      await outage.wait(error, check, signal);
    }
  }
}
