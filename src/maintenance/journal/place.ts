import { type Output, openOutput } from "../../cli/display/output.ts";
import { chooseBadge } from "../../cli/display/ui.ts";
import type { Format } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type Branch, openBranches } from "../../cli/session/branches.ts";
import { openShared } from "../../cli/session/shared.ts";
import { databaseName, isDatabase } from "../../contract/addresses.ts";
import { hasJournal, type Journal } from "../../journal/journal.ts";

export interface Place {
  output: Output;
  /** The branch that flags, environment and profile name: of it only what the journal needs. */
  branch: Branch;
  engine: "sqlite" | "postgres";
  /** The file, or the database without user and password. */
  shown: string;
  /** Undefined where there is none yet: nothing is made. */
  journal: Journal | undefined;
}

export async function withJournal(
  runtime: Runtime,
  formats: readonly Format[],
  work: (place: Place) => Promise<void>,
): Promise<void> {
  const { branches, close } = await openBranches(runtime, runtime.flags, { all: false });
  const shared = openShared(runtime);
  try {
    const [branch] = branches;
    if (branch === undefined) return;

    const { journal: place, locale, currency, sandbox } = branch.settings;
    const badge = chooseBadge({ isMock: branch.isMock, sandbox });
    const output = openOutput(runtime, formats, { money: { locale, currency }, badge });
    const isMade = await hasJournal(place, await shared.reaching());

    await work({
      output,
      branch,
      engine: isDatabase(place) ? "postgres" : "sqlite",
      shown: isDatabase(place) ? databaseName(place, runtime.system.env) : place,
      journal: isMade ? await shared.journal(place) : undefined,
    });
  } finally {
    await shared.close();
    await close().catch(() => undefined);
  }
}
