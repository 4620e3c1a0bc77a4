import { join } from "node:path";
import type { Journal } from "../../journal/journal.ts";
import type { ClientCertFiles } from "../../settings/client-cert.ts";
import { folders } from "../../settings/folders.ts";
import type { Format } from "../display/formats.ts";
import { type Output, openOutput } from "../display/output.ts";
import { chooseBadge, type DisplayOptions } from "../display/ui.ts";
import type { Runtime } from "../runtime.ts";
import { type Branch, openBranches } from "./branches.ts";
import { type Network, openNetwork, openServiceNetwork, readTrust } from "./network.ts";

/**
 * The network and the journal, which all branches of a run share; each is opened when it is needed.
 *
 * @param stop once it aborts, no database is waited for that gives no answer.
 */
export function openShared(runtime: Runtime, stop?: AbortSignal) {
  const { system } = runtime;
  let network: Promise<Network> | undefined;
  let journal: Promise<Journal> | undefined;
  const services = new Map<string, Promise<Network>>();
  const { env, pid, host } = system;
  const reaching = async () => ({ env, secureContext: await readTrust(runtime, runtime.flags.caFile) });
  const open = async (place: string): Promise<Journal> => {
    const { openJournal } = await import("../../journal/journal.ts");
    const holder = { id: system.uuid(), pid, host };
    const seenFile = join(folders(system).state, "seen.db");
    return openJournal(place, { holder, ...(await reaching()), stop, seenFile });
  };
  const openPlain = (): Promise<Network> => (network ??= openNetwork(runtime));
  const openService = (files: ClientCertFiles | undefined): Promise<Network> => {
    if (files === undefined) return openPlain();
    const name = JSON.stringify(files);
    const service = services.get(name) ?? openServiceNetwork(runtime, files);
    services.set(name, service);
    return service;
  };
  const outputs = new Map<string, Output>();
  return {
    /** Branches with the same display options share one. */
    output(
      { isMock, settings: { locale, currency, sandbox } }: Branch,
      formats: readonly Format[],
      mockNow?: DisplayOptions["mockNow"],
    ): Output {
      const badge = chooseBadge({ isMock, sandbox });
      const name = [locale, currency, badge].join();
      const output =
        outputs.get(name) ?? openOutput(runtime, formats, { money: { locale, currency }, badge, mockNow });
      outputs.set(name, output);
      return output;
    },
    network: openPlain,
    /** The way to the service, which alone is shown a client certificate: branches with the same share it. */
    service: openService,
    /** Returns what is needed to reach a journal in a database. */
    reaching,
    journal: (place: string) => (journal ??= open(place)),
    async close() {
      // One that fails must not keep the other open. No request outlives the locks; a graceful close would wait for a connection being tried.
      for (const each of [network, ...services.values()])
        await each?.then(({ dispatcher }) => dispatcher.destroy()).catch(() => undefined);
      await journal?.then((opened) => opened.close()).catch(() => undefined);
    },
  };
}

/** For what is about the journal of a branch: neither a key nor the service is needed. */
export async function withBranch(
  runtime: Runtime,
  formats: readonly Format[],
  work: (means: { branch: Branch; output: Output; shared: ReturnType<typeof openShared> }) => Promise<void>,
): Promise<void> {
  const { branches, close } = await openBranches(runtime, runtime.flags, { all: false });
  const shared = openShared(runtime);
  try {
    const [branch] = branches;
    if (branch === undefined) return;
    await work({ branch, output: shared.output(branch, formats), shared });
  } finally {
    await shared.close();
    await close().catch(() => undefined);
  }
}
