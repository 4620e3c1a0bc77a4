import { type Output, openOutput } from "../../cli/display/output.ts";
import { chooseBadge } from "../../cli/display/ui.ts";
import type { Format } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { openBranches } from "../../cli/session/branches.ts";
import { openShared } from "../../cli/session/shared.ts";
import type { Journal } from "../../journal/journal.ts";
import type { OptOuts } from "../../journal/opt-outs.ts";
import type { Settings } from "../../settings/settings.ts";

/** The list, and where it is shown: it belongs to the journal, so that no key and no service is needed. */
export interface Desk {
  output: Output;
  settings: Settings;
  optOuts: OptOuts;
  /** Changes the list; a journal that is restored does not lose it on this machine. */
  change: <T>(work: (optOuts: OptOuts) => Promise<T>) => Promise<T>;
}

async function changeList<T>(journal: Journal, work: (optOuts: OptOuts) => Promise<T>): Promise<T> {
  const result = await work(journal.optOuts);
  // The list is changed; what is kept beside the journal is made good before the next send, or stops that.
  await journal.keepOptOuts().catch(() => undefined);
  return result;
}

export async function withList(
  runtime: Runtime,
  formats: readonly Format[],
  work: (desk: Desk) => Promise<void>,
): Promise<void> {
  const { branches, close } = await openBranches(runtime, runtime.flags, { all: false });
  const shared = openShared(runtime);
  try {
    const [branch] = branches;
    if (branch === undefined) return;
    const { settings, isMock } = branch;
    const { locale, currency, sandbox } = settings;
    const badge = chooseBadge({ isMock, sandbox });
    const output = openOutput(runtime, formats, { money: { locale, currency }, badge });
    const journal = await shared.journal(settings.journal);
    const { optOuts } = journal;
    await work({ output, settings, optOuts, change: (how) => changeList(journal, how) });
  } finally {
    await shared.close();
    await close().catch(() => undefined);
  }
}
