import { age } from "../../cli/display/format.ts";
import type { LogFacts } from "../../cli/display/log.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { WatchFlags } from "./command.ts";
import type { WatchNotice } from "./polling/context.ts";
import type { WatchScreen } from "./screen/screen.ts";

const printerRemindMs = 5 * 60_000;

export type Say = (text: string, facts?: LogFacts) => Promise<void>;

interface Telling {
  runtime: Runtime;
  flags: WatchFlags;
  screen: WatchScreen;
  /** The last message about each failed printer of a branch, by its output. */
  printerSaid: Map<string, Map<string, { kind: string; at: number }>>;
}

/** Reports each printer failure once, with the bell, and again if it persists. */
export async function tellPrinter(
  { runtime, flags, screen, printerSaid }: Telling,
  branch: string,
  {
    output,
    error,
    againMs,
    maxPauseMs,
    why,
  }: Extract<WatchNotice, { event: "printer.failed" }> & { why: string },
  warn: Say,
): Promise<void> {
  const { kind } = error.facts.problem;
  const at = runtime.system.clock.now();
  // The status line shows the next retry; the one notice covers all retries.
  screen.update(branch, { printerDueAt: at + againMs });

  const said = printerSaid.get(branch) ?? new Map<string, never>();
  printerSaid.set(branch, said);
  const before = said.get(output);
  if (before?.kind === kind && Math.abs(at - before.at) < printerRemindMs) return;
  said.set(output, { kind, at });
  const { t } = runtime.texts;
  const text =
    flags.once === true
      ? t("Printer {why} The orders wait for it. The next run prints them.", { why })
      : t("Printer {why} The orders wait for it. bpos retries by itself, at least every {time}.", {
          why,
          time: age(maxPauseMs),
        });
  await warn(text, {
    event: "printer.failed",
    output,
    printer: error.facts.printer,
    problem: kind,
    max_pause_ms: maxPauseMs,
    reason: error.reason,
  });
  await screen.ring();
}

export async function tellPrinterWorks(
  { runtime, screen, printerSaid }: Telling,
  branch: string,
  output: string,
  warn: Say,
): Promise<void> {
  if (!/^printer(:|$)/.test(output)) return;
  const said = printerSaid.get(branch);
  const wasSaid = said?.delete(output) === true;
  // Another station's printer may still fail.
  if ((said?.size ?? 0) === 0) screen.update(branch, { printerDueAt: undefined });
  if (!wasSaid) return;
  const { t } = runtime.texts;
  const text =
    output === "printer"
      ? t("The printer prints again.")
      : t("The printer of the station {station} prints again.", { station: output.replace("printer:", "") });
  await warn(text, { event: "printer.works", output });
}
