import type { Ui } from "../../cli/display/ui.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Session } from "../../cli/session/session.ts";
import type { JournalOutage } from "../../delivery/outage.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Lock } from "../../journal/locks/locks.ts";
import type { Printers, StationMap } from "../../printing/printing.ts";
import type { WatchFlags } from "./command.ts";
import type { Emit } from "./events.ts";
import type { Health } from "./health/health.ts";
import type { WatchScreen } from "./screen/screen.ts";
import type { Standby } from "./standby/standby.ts";
import type { Throttles } from "./throttle/throttle.ts";

/** Shared by all branches: what ends all of them. */
export interface Ending {
  signal: AbortSignal;
  failures: readonly unknown[];
  fail: (error: unknown) => void;
  stop: () => void;
}

/** A watch of one branch or many: what the branches share. */
export interface Watching {
  runtime: Runtime;
  flags: WatchFlags;
  intervalMs: number;
  consumer: string;
  screen: WatchScreen;
  ui: Ui;
  many: boolean;
  quarantineFolder: string;
  printers: Printers | undefined;
  stationMap: StationMap | undefined;
  emit: Emit;
  health: Health;
  /** The last message about each failed printer of a branch, by its output. */
  printerSaid: Map<string, Map<string, { kind: string; at: number }>>;
  outage: JournalOutage;
  throttles: Throttles;
  standby: Standby | undefined;
  ending: Ending;
}

/** A branch to watch, and the journal under the lock for it; undefined while another process may hold it. */
export interface WatchedBranch {
  session: Session;
  shared: Journal;
  lock: Lock;
  journal: Journal | undefined;
}
