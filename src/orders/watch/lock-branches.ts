import type { Session } from "../../cli/session/session.ts";
import { isReason } from "../../errors.ts";
import { giveUp, withBranch } from "./notices/notices.ts";
import type { WatchedBranch, Watching } from "./watching.ts";

/**
 * Locks the branches and returns those to watch: each once, and without --standby none that another process watches for this consumer.
 * Throws `locked` if none is left.
 */
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
      await screen.report("branch.watched_already", text, { branch: branchName, other });
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
