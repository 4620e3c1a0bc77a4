import type { Runtime } from "../../../cli/runtime.ts";
import { envWord } from "../../../delivery/outputs.ts";
import type { WatchFlags } from "../command.ts";
import type { WatchedBranch } from "../lock-branches.ts";
import type { Watching } from "../notices.ts";
import { serveWall } from "./serve.ts";
import { Wall } from "./wall.ts";

const defaultLateMs = 10 * 60_000;
const minAgeMs = 3 * 60_000;

export const createWall = (runtime: Runtime, { unseen }: WatchFlags): Wall =>
  new Wall({
    clock: runtime.system.clock,
    unseenMs: unseen,
    unseen: (branch) => runtime.onEvent?.({ event: "unseen", branch: envWord(branch) }),
  });

/** Shows the branches on the screen of --screen. What it returns ends that. Throws as `serveWall` does. */
export async function openWall(
  { runtime, flags, wall, health, intervalMs, screen }: Watching,
  branches: readonly WatchedBranch[],
): Promise<() => Promise<void>> {
  const [first] = branches;
  const { screen: address, pinFile, late: lateMs = defaultLateMs } = flags;
  if (wall === undefined || address === undefined || first === undefined) return () => Promise.resolve();

  const uiOf = ({ session }: WatchedBranch) => ({ ...session.output.ui, texts: runtime.texts });
  for (const branch of branches) {
    const { session, shared: journal } = branch;
    const { branchName: name, clockAheadMs } = session;
    const { branchNow: branchId } = await session.openJournal();
    const aheadMs = (): number => clockAheadMs() ?? 0;
    const polledAt = (): number | null => {
      const { state, polledAt: at } = health.branches.get(name) ?? { state: "standby", polledAt: null };
      return state === "standby" ? null : at;
    };
    wall.open({ name, ui: uiOf(branch), journal, branchId, aheadMs, polledAt });
  }
  const close = await serveWall(runtime, {
    wall,
    address,
    pinFile,
    lateMs,
    ui: uiOf(first),
    maxAgeMs: Math.max(3 * intervalMs, minAgeMs),
    secret: () => first.shared.screen.secret(),
    say: (text, url) => screen.say(text, { event: "watch.screen", url }),
    warn: screen.warn,
  });
  return async () => {
    wall.close();
    await close();
  };
}
