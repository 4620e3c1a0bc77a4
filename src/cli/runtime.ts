import type { Texts } from "../i18n/texts.ts";
import type { System } from "../system.ts";
import type { GuardedSystem } from "./guard.ts";

/** The global flags that decide how anything is said, as typed: they hold for help and for errors of the line itself too. */
export interface AskedFlags {
  output?: string;
  json?: boolean;
  verbose?: number;
  color?: boolean;
  lang?: string;
}

/** What every command gets: the outside world, the wish to stop, and a way to run another command. */
export interface Runtime {
  system: GuardedSystem;
  /** Every sentence a person reads, in the language of this run. */
  texts: Texts;
  /** Aborts on Ctrl-C and SIGTERM. */
  signal: AbortSignal;
  asked: AskedFlags;
  /** What main returns when nothing is thrown; a command sets it when its work was done only in part. */
  exitCode: number;
  /** The one way in, for the demo: runs a whole command line in another System. */
  main(argv: readonly string[], system: System): Promise<number>;
}
