import type { Runtime } from "../../cli/runtime.ts";
import { withSessions } from "../../cli/session/session.ts";
import { BposError } from "../../errors.ts";
import { checkFlags, readInterval } from "./check-flags.ts";
import type { WatchFlags } from "./command.ts";
import { openListeners } from "./health/listeners.ts";
import { lockBranches } from "./lock-branches.ts";
import { tellBegin } from "./notices/begin.ts";
import { giveUp } from "./notices/notices.ts";
import { openTraffic, openWatching } from "./open.ts";
import { superviseBranches } from "./supervise.ts";

/** Watches one branch or many: checks the flags, opens what the branches share, locks them, says so, and supervises each until it ends. */
export async function watch(runtime: Runtime, flags: WatchFlags): Promise<void> {
  const intervalMs = readInterval(runtime, flags);
  checkFlags(runtime, flags);
  const traffic = await openTraffic(runtime, flags, intervalMs);
  const needs = {
    address: "base_url",
    formats: ["table", "ndjson"],
    quietRetries: true,
    endsSoon: true,
    all: flags.allProfiles === true,
    onAttempt: traffic.hear,
  } as const;

  await withSessions(runtime, needs, async ([first, ...others], unusable) => {
    if (first === undefined) return;
    const watching = await openWatching({
      runtime,
      flags,
      intervalMs,
      traffic,
      sessions: [first, ...others],
    });
    try {
      await openListeners(watching);
      for (const { name, error } of unusable) await giveUp(watching, name, error);
      const branches = await lockBranches(watching, [first, ...others]);
      await watching.health.warmUp();
      await tellBegin(watching, watching.many ? branches.length : first.branchName);
      await superviseBranches(watching, branches);
    } finally {
      watching.ending.stop();
      await watching.health.close();
      await watching.screen.close();
    }
    if (runtime.signal.aborted) throw new BposError("interrupted", { during: "watch" });
  });
}
