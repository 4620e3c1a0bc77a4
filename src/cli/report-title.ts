import { isoTime } from "./format.ts";
import { title } from "./paragraph.ts";
import type { Ui } from "./ui.ts";

/** Where a report comes from, for whoever reads many of them in a log or a mail. */
export interface ReportSource {
  /** As it was named; null when there is none. */
  file: string | null;
  /** The branch as people name it. */
  branch: string;
}

/** The first lines of a report: what was done, with which file, for which branch, and when. */
export function reportTitle(text: string, { file, branch }: ReportSource, ui: Ui): string[] {
  const at = isoTime(new Date(ui.now).toISOString(), ui);
  return title([text, ...(file === null ? [] : [file]), branch, at].join(" · "), ui);
}
