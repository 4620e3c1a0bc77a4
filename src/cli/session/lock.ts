import { backoffMs } from "../../contract/limits.ts";
import { BposError, type ErrorFacts, isReason } from "../../errors.ts";
import type { Journal } from "../../journal/journal.ts";
import type { T } from "../../texts/texts.ts";
import type { Output } from "../display/output.ts";
import type { Runtime } from "../runtime.ts";

const defaultWaitMs = 60_000;
const maxPauseMs = 2_000;

/**
 * Holds other processes off this work of the branch until the run ends; the journal for that work. Waits for a push or a send of another process, and says so,
 * for `waitMs` (60 s); never for a watch, which has no end. Throws `locked` and `interrupted`.
 */
export type LockBranch = (
  work: "push" | "send" | "watch",
  how?: { consumer?: string; waitMs?: number | undefined },
) => Promise<Journal>;

/** Says who holds the lock, and what for. */
function waitingText({ pid, host, work }: ErrorFacts["locked"], seconds: number, t: T): string {
  const unnamed = host === undefined ? t("Another bpos") : t("Another bpos on {host}", { host });
  const numbered = (id: number): string =>
    host === undefined ? t("Process {pid}", { pid: id }) : t("Process {pid} on {host}", { pid: id, host });
  const holder = pid === null ? unnamed : numbered(pid);
  return t(
    work === "push"
      ? "{holder} is pushing to this branch's catalog. Waiting up to {seconds} s …"
      : "{holder} is sending a campaign for this branch. Waiting up to {seconds} s …",
    { holder, seconds },
  );
}

export function lockBranchWith(
  { system, signal, texts }: Runtime,
  journal: Journal,
  branch: string,
  output: Output,
): LockBranch {
  return async (work, { consumer, waitMs = defaultWaitMs } = {}) => {
    const until = system.clock.now() + (work === "watch" ? 0 : waitMs);

    for (let tries = 0; ; tries++) {
      try {
        return await journal.under({ work, branch, ...(consumer !== undefined && { consumer }) });
      } catch (error) {
        if (!isReason(error, "locked") || system.clock.now() >= until) throw error;
        const waitSeconds = Math.round(waitMs / 1000);
        if (tries === 0)
          await output.notice(waitingText(error.facts, waitSeconds, texts.t), { event: "lock.busy" });
      }

      const pauseMs = backoffMs(tries + 1, { firstMs: 250, maxMs: maxPauseMs });
      await system.clock.sleep(Math.min(pauseMs, until - system.clock.now()), signal);
      if (signal.aborted) throw new BposError("interrupted", { during: "waiting" });
    }
  };
}
