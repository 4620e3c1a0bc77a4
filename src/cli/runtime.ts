import type { Texts } from "../i18n/texts.ts";
import type { System } from "../system.ts";
import type { GlobalFlags } from "./global-flags.ts";
import type { GuardedSystem } from "./guard.ts";

/** What every command gets: the outside world, its global flags, the wish to stop, and a way to run another command. */
export interface Runtime {
  system: GuardedSystem;
  /** Every sentence a person reads, in the language of this run. */
  texts: Texts;
  /** Aborts on Ctrl-C and SIGTERM. */
  signal: AbortSignal;
  /** The global flags: as typed until the line is parsed, checked when a command runs. */
  flags: GlobalFlags;
  /** What main returns when nothing is thrown; a command sets it when its work was done only in part. */
  exitCode: number;
  /** The one way in, for the demo: runs a whole command line in another System. */
  main(argv: readonly string[], system: System): Promise<number>;
}
