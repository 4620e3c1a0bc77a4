import type { Heard } from "../api/client.ts";
import { isLoopback } from "../contract/addresses.ts";
import { branchId } from "../journal/records/branches.ts";
import type { ProfileFile } from "../settings/profile-file.ts";
import type { OpenedJournal } from "./open-journal.ts";

/** A branch by its name, with all that makes its id. */
interface NamedBranch {
  name: string;
  apiKey: string | undefined;
  addresses: readonly (string | undefined)[];
  /** The world of the mock it was rehearsed with. */
  world: string | undefined;
}

const toNamed = ({ name, world, settings }: OpenedJournal["branch"]): NamedBranch => ({
  name,
  apiKey: settings.apiKey,
  addresses: [settings.baseUrl, settings.campaignsBaseUrl],
  world,
});

const listProfiles = (profiles: ProfileFile["profiles"]): NamedBranch[] =>
  Object.entries(profiles).map(([name, { base_url, campaigns_base_url, api_key }]) => ({
    name,
    apiKey: api_key,
    addresses: [base_url, campaigns_base_url],
    world: undefined,
  }));

/**
 * Returns the names of the branches whose key the settings hold, by the id under which a journal keeps them. A mock on this machine is asked
 * for its world; `aheadMs` gets by how much this machine is ahead of that mock, by the branch's id.
 */
export async function findBranchNames(
  { branch, askWorld }: Pick<OpenedJournal, "branch" | "askWorld">,
  profiles: ProfileFile["profiles"],
  aheadMs = new Map<string, number>(),
): Promise<Map<string, string>> {
  const answers = new Map<string, Promise<Heard | undefined>>();
  const askOnce = (origin: string): Promise<Heard | undefined> => {
    const answer = answers.get(origin) ?? askWorld(origin);
    answers.set(origin, answer);
    return answer;
  };

  const names = new Map<string, string>();
  for (const { name, apiKey, addresses, world } of [toNamed(branch), ...listProfiles(profiles)]) {
    for (const address of addresses) {
      if (apiKey === undefined || address === undefined || !URL.canParse(address)) continue;
      names.set(branchId({ address, apiKey, world }), name);
      const { origin, hostname } = new URL(address);
      if (!isLoopback(hostname)) continue;

      const heard = await askOnce(origin);
      if (heard?.world === undefined) continue;
      const id = branchId({ address, apiKey, world: world ?? heard.world });
      names.set(id, name);
      aheadMs.set(id, heard.aheadMs ?? 0);
    }
  }
  return names;
}
