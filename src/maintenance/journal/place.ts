import { askWorld } from "../../api/ask.ts";
import type { Heard } from "../../api/client.ts";
import type { Output } from "../../cli/display/output.ts";
import type { Format } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Branch } from "../../cli/session/branches.ts";
import { withBranch } from "../../cli/session/shared.ts";
import { databaseName, isDatabase, isLoopback } from "../../contract/addresses.ts";
import { hasJournal, type Journal } from "../../journal/journal.ts";
import { branchId } from "../../journal/records/branches.ts";
import type { ProfileFile } from "../../settings/profile-file.ts";

export const engineNames = { sqlite: "SQLite", postgres: "PostgreSQL" };

/** Where the journal is, as people know it. */
export type ShownPlace = Pick<Place, "engine" | "shown">;

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
  /** Asks the mock at this address for its world and its clock; undefined where none answers. */
  askWorld: (origin: string) => Promise<Heard | undefined>;
}

export async function withJournal(
  runtime: Runtime,
  formats: readonly Format[],
  work: (place: Place) => Promise<void>,
): Promise<void> {
  await withBranch(runtime, formats, async ({ branch, output, shared }) => {
    const { journal: place } = branch.settings;
    const openJournal = async (): Promise<Journal | undefined> =>
      (await hasJournal(place, await shared.reaching())) ? shared.journal(place) : undefined;

    await work({
      output,
      branch,
      engine: isDatabase(place) ? "postgres" : "sqlite",
      shown: isDatabase(place) ? databaseName(place, runtime.system.env) : place,
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

/** The names of the branches whose key the settings hold: a journal has only their id. A mock on this machine is asked for its world, with `askWorld`; `aheadMs` gets by how much this machine is ahead of it, by the branch's id. */
export async function findBranchNames(
  { branch, askWorld }: Pick<Place, "branch" | "askWorld">,
  known: ProfileFile["profiles"],
  aheadMs = new Map<string, number>(),
): Promise<Map<string, string>> {
  const { name, world, settings } = branch;
  const { baseUrl, campaignsBaseUrl, apiKey } = settings;
  const profiles = Object.entries(known).map(
    ([profile, { base_url, campaigns_base_url, api_key }]) =>
      ({ name: profile, key: api_key, addresses: [base_url, campaigns_base_url], world: undefined }) as const,
  );
  const named = { name, key: apiKey, addresses: [baseUrl, campaignsBaseUrl], world };
  const worlds = new Map<string, Promise<Heard | undefined>>();

  const names = new Map<string, string>();
  for (const { addresses, key: apiKey, world, name } of [named, ...profiles]) {
    for (const address of addresses) {
      if (apiKey === undefined || address === undefined || !URL.canParse(address)) continue;
      names.set(branchId({ address, apiKey, world }), name);
      const { origin, hostname } = new URL(address);
      if (!isLoopback(hostname)) continue;

      const asked = worlds.get(origin) ?? askWorld(origin);
      worlds.set(origin, asked);
      const heard = await asked;
      if (heard?.world === undefined) continue;
      const id = branchId({ address, apiKey, world: world ?? heard.world });
      names.set(id, name);
      aheadMs.set(id, heard.aheadMs ?? 0);
    }
  }
  return names;
}
