import type { PrinterProblem } from "../../errors.ts";
import { sayKind, type Words } from "../../texts/kinds.ts";
import type { T } from "../../texts/texts.ts";

const words: Words<PrinterProblem> = {
  unreachable: ({ detail }, t) => t("no connection: {detail}", { detail }),
  reset: (_, t) => t("it closed the connection before the end"),
  paper_out: (_, t) => t("it is out of paper"),
  cover_open: (_, t) => t("its cover is open"),
  stalled: (_, t) => t("it stopped accepting data: it is out of paper or switched off"),
  silent: (_, t) => t("it did not confirm the print: it closed the connection, or was switched off"),
  busy: (_, t) => t("it does not report that it is ready: another program is printing on it, or it hangs"),
  lp: ({ detail }, t) => t("`lp` refused it: {detail}", { detail }),
  lp_missing: (_, t) => t("this machine has no `lp`"),
  file: ({ detail }) => detail,
};

/** Says why a printer did not print, as part of a sentence. */
export const printerProblemWords = (problem: PrinterProblem, t: T): string => sayKind(words, problem, t);

const nextSteps: Words<PrinterProblem> = {
  unreachable: (_, t) =>
    t(
      "Check that the printer is on and in this network, and check its address: most printers print it if you hold FEED while switching them on.",
    ),
  reset: (_, t) => t("Check the printer, then print again."),
  paper_out: (_, t) => t("Load paper."),
  cover_open: (_, t) => t("Close its cover."),
  stalled: (_, t) => t("Check its paper and cover, then switch it off and on."),
  silent: (_, t) => t("Check the printer: bpos prints an incomplete receipt again."),
  busy: (_, t) =>
    t("Wait until the other program finishes. If none is printing, switch the printer off and on."),
  lp: (_, t) => t("`lpstat -p` lists the queues of this machine."),
  lp_missing: (_, t) =>
    t("Install CUPS (Debian: cups-client; not available on Windows), or use tcp://HOST or file:DEVICE."),
  file: (_, t) =>
    t(
      "Check that the device exists or the printer is shared, and that this user can write to it (on Linux: group lp).",
    ),
};

/** Says what to do about a printer that did not print. */
export const printerProblemNext = (problem: PrinterProblem, t: T): string => sayKind(nextSteps, problem, t);
