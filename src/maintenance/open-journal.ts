import { askWorld } from "../api/ask.ts";
import type { Heard } from "../api/client.ts";
import type { Format } from "../cli/display/formats.ts";
import type { Output } from "../cli/display/output.ts";
import type { Runtime } from "../cli/runtime.ts";
import type { Branch } from "../cli/session/branches.ts";
import { withBranch } from "../cli/session/shared.ts";
import { databaseName, isDatabase } from "../contract/addresses.ts";
import { hasJournal, type Journal } from "../journal/journal.ts";

export const engineNames = { sqlite: "SQLite", postgres: "PostgreSQL" };

/** The journal that the settings name, with what a command needs to show it. */
export interface OpenedJournal {
  output: Output;
  /** The branch that flags, environment and profile name. */
  branch: Branch;
  engine: "sqlite" | "postgres";
  /** The file, or the database without user and password. */
  shown: string;
  /** Undefined if there is none yet; nothing is created. */
  journal: Journal | undefined;
  /** Checks again whether there is one. */
  openJournal: () => Promise<Journal | undefined>;
  /** Asks the mock at this address for its world and its clock; undefined where none answers. */
  askWorld: (origin: string) => Promise<Heard | undefined>;
}

/** The name of a journal, for people. */
export type ShownJournal = Pick<OpenedJournal, "engine" | "shown">;

/** Opens the journal without creating one, and closes it after `work`. */
export async function withJournal(
  runtime: Runtime,
  formats: readonly Format[],
  work: (opened: OpenedJournal) => Promise<void>,
): Promise<void> {
  await withBranch(runtime, formats, async ({ branch, output, shared }) => {
    const { journal: address } = branch.settings;
    const openJournal = async (): Promise<Journal | undefined> =>
      (await hasJournal(address, await shared.reaching())) ? shared.journal(address) : undefined;

    await work({
      output,
      branch,
      engine: isDatabase(address) ? "postgres" : "sqlite",
      shown: isDatabase(address) ? databaseName(address, runtime.system.env) : address,
      journal: await openJournal(),
      openJournal,
      async askWorld(origin) {
        const { dispatcher } = await shared.network();
        const { signal, system } = runtime;
        return askWorld(origin, dispatcher, { signal, clock: system.clock });
      },
    });
  });
}
