import { join } from "node:path";
import type { Journal } from "../../journal/journal.ts";
import { folders } from "../../settings/folders.ts";
import type { Runtime } from "../runtime.ts";
import { type Network, openNetwork, readTrust } from "./network.ts";

/**
 * What all branches of a run share: the network and the journal, each opened once it is needed.
 *
 * @param stop once it aborts, no database is waited for that gives no answer.
 */
export function openShared(runtime: Runtime, stop?: AbortSignal) {
  const { system } = runtime;
  let network: Promise<Network> | undefined;
  let journal: Promise<Journal> | undefined;
  const { env, pid, host } = system;
  const reaching = async () => ({ env, secureContext: await readTrust(runtime, runtime.flags.caFile) });
  const open = async (place: string): Promise<Journal> => {
    const { openJournal } = await import("../../journal/journal.ts");
    const holder = { id: system.uuid(), pid, host };
    const seenFile = join(folders(system).state, "seen.db");
    return openJournal(place, { holder, ...(await reaching()), stop, seenFile });
  };
  return {
    network: () => (network ??= openNetwork(runtime)),
    /** What a journal in a database is reached with. */
    reaching,
    journal: (place: string) => (journal ??= open(place)),
    async close() {
      // One that fails must not keep the other open. No request outlives the locks; a graceful close would wait for a connection being tried.
      await network?.then(({ dispatcher }) => dispatcher.destroy()).catch(() => undefined);
      await journal?.then((opened) => opened.close()).catch(() => undefined);
    },
  };
}
