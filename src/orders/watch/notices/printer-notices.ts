import { age } from "../../../cli/display/format.ts";
import type { Report, WatchNotice } from "../events.ts";
import type { Watching } from "../watching.ts";

const printerRemindMs = 5 * 60_000;

/** Reports each printer failure once, with the bell, and again if it persists. */
export async function tellPrinter(
  { runtime, flags, screen, printerSaid }: Watching,
  branch: string,
  {
    output,
    error,
    againMs,
    maxPauseMs,
    why,
  }: Extract<WatchNotice, { event: "printer.failed" }> & { why: string },
  report: Report,
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
      ? t("Printer {why} Orders wait for it. The next run prints them.", { why })
      : t("Printer {why} Orders wait for it. bpos keeps retrying, at least every {time}.", {
          why,
          time: age(maxPauseMs),
        });
  await report("printer.failed", text, {
    output,
    printer: error.facts.printer,
    problem: kind,
    max_pause_ms: maxPauseMs,
    reason: error.reason,
  });
  await screen.ring();
}

export async function tellPrinterWorks(
  { runtime, screen, printerSaid }: Watching,
  branch: string,
  output: string,
  report: Report,
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
      ? t("The printer is printing again.")
      : t("The printer of station {station} is printing again.", { station: output.replace("printer:", "") });
  await report("printer.works", text, { output });
}
