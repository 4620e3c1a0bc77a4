import { count } from "../../cli/display/format.ts";
import { note, paragraph, reportTitle } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { changeCounts, largestChanges, maxShown } from "../changes-view.ts";
import { type Comparison, isSame } from "../compare.ts";
import { changesJson } from "../push/view.ts";

export interface CatalogDiff {
  file: string;
  branch: string;
  compared: Comparison;
}

export function diffReport(
  { file, branch, compared }: CatalogDiff,
  ui: Ui,
  report: string | undefined,
): string {
  const words = ui.texts.changes;
  const { counts, changes, strangers } = compared;
  const differing = count(changes.length + strangers.length, ui);
  const isEqual = isSame(compared);
  const verdict = paragraph(isEqual ? words.verdict.same : words.verdict.differs(differing), ui);
  const named = largestChanges(compared, maxShown, words.lists.diff, ui);
  return `${[
    ...reportTitle(words.title, { file, branch }, ui),
    ...(isEqual ? verdict.map(ui.theme.good) : verdict),
    "",
    changeCounts(compared, ui),
    ...(named.length > 0 ? ["", ...named] : []),
    ...(counts.missing + counts.unknown > 0 && ui.width !== undefined ? [""] : []),
    ...(counts.missing > 0 ? note(words.missing, ui) : []),
    ...(counts.unknown > 0 ? note(words.unknown, ui) : []),
    ...(report === undefined ? [] : paragraph(words.report(report), ui)),
  ].join("\n")}\n`;
}

export function diffReportJson({ file, branch, compared }: CatalogDiff): object {
  return { file, branch, counts: compared.counts, changes: changesJson(compared) };
}
