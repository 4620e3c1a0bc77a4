import type { System } from "../system.ts";
import type { Texts } from "../text/texts.ts";

/** What every command gets: the outside world, the wish to stop, and a way to run another command. */
export interface Runtime {
  system: System;
  /** Every sentence a person reads, in the language of this run. */
  texts: Texts;
  /** Aborts on Ctrl-C and SIGTERM. */
  signal: AbortSignal;
  /** What main returns when nothing is thrown; a command sets it when its work was done only in part. */
  exitCode: number;
  /** The one way in, for the demo: runs a whole command line in another System. */
  main(argv: readonly string[], system: System): Promise<number>;
}
