import { type Output, openOutput } from "../../cli/display/output.ts";
import { chooseBadge } from "../../cli/display/ui.ts";
import type { Format } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type Branch, openBranches } from "../../cli/session/branches.ts";
import { openShared } from "../../cli/session/shared.ts";
import { databaseName, isDatabase } from "../../contract/addresses.ts";
import { branchId } from "../../journal/branches.ts";
import { hasJournal, type Journal } from "../../journal/journal.ts";
import { readProfiles } from "../../settings/profile-file.ts";

export interface Place {
  output: Output;
  /** The branch that flags, environment and profile name: of it only what the journal needs. */
  branch: Branch;
  engine: "sqlite" | "postgres";
  /** The file, or the database without user and password. */
  shown: string;
  /** Undefined where there is none yet: nothing is made. */
  journal: Journal | undefined;
  /** Looks again whether there is one. */
  openJournal: () => Promise<Journal | undefined>;
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
    const openJournal = async (): Promise<Journal | undefined> =>
      (await hasJournal(place, await shared.reaching())) ? shared.journal(place) : undefined;

    await work({
      output,
      branch,
      engine: isDatabase(place) ? "postgres" : "sqlite",
      shown: isDatabase(place) ? databaseName(place, runtime.system.env) : place,
      journal: await openJournal(),
      openJournal,
    });
  } finally {
    await shared.close();
    await close().catch(() => undefined);
  }
}

/** The names of the branches whose key the settings hold: a lock's name has only their id. */
export function findBranchNames(
  { system }: Runtime,
  { settings, name, world }: Place["branch"],
): Map<string, string> {
  const { baseUrl, campaignsBaseUrl, apiKey } = settings;
  const profiles = Object.entries(readProfiles(system).profiles).map(
    ([profile, { base_url, campaigns_base_url, api_key }]) =>
      ({ name: profile, key: api_key, addresses: [base_url, campaigns_base_url], world: undefined }) as const,
  );
  const named = { name, key: apiKey, addresses: [baseUrl, campaignsBaseUrl], world };

  const names = new Map<string, string>();
  for (const { addresses, key, ...each } of [named, ...profiles]) {
    for (const address of addresses) {
      if (key === undefined || address === undefined || !URL.canParse(address)) continue;
      names.set(branchId({ address, apiKey: key, world: each.world }), each.name);
    }
  }
  return names;
}
