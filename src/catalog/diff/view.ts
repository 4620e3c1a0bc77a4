import { count } from "../../cli/display/format.ts";
import type { Listed } from "../../cli/display/json.ts";
import { note, paragraph, reportTitle } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { changeCounts, changesJson, largestChanges, maxShown, sameVerdict } from "../changes-view.ts";
import { type Comparison, isSame } from "../compare.ts";
import type { DiffDocument } from "./schema.ts";

/** A comparison, with the names of the compared file and branch for its report. */
export type CatalogDiff = Pick<DiffDocument, "file" | "branch"> & { compared: Comparison };

export function diffReport(
  { file, branch, compared }: CatalogDiff,
  ui: Ui,
  report: string | undefined,
): string {
  const { t } = ui.texts;
  const { counts, changes, strangers } = compared;
  const differing = count(changes.length + strangers.length, ui);
  const isEqual = isSame(compared);
  const differs = t("{count, plural, one {# product differs} other {# products differ}}.", {
    count: differing,
  });
  const verdict = paragraph(isEqual ? sameVerdict(t) : differs, ui);
  const named = largestChanges(compared, maxShown, t("-o csv and --json list all of them."), ui);
  const missing = t(
    "Not in the file: a push leaves these products unchanged, or deactivates them with --deactivate-missing.",
  );
  const unknown = t(
    "New or unknown: this journal has no confirmation of these products, but the service could already have them.",
  );
  return `${[
    ...reportTitle(t("Catalog diff"), { file, branch }, ui),
    ...(isEqual ? verdict.map(ui.theme.good) : verdict),
    "",
    changeCounts(compared, ui),
    ...(named.length > 0 ? ["", ...named] : []),
    ...(counts.missing + counts.unknown > 0 && ui.width !== undefined ? [""] : []),
    ...(counts.missing > 0 ? note(missing, ui) : []),
    ...(counts.unknown > 0 ? note(unknown, ui) : []),
    ...(report === undefined ? [] : paragraph(t("All changes are in {file}.", { file: report }), ui)),
  ].join("\n")}\n`;
}

export function diffReportJson({ file, branch, compared }: CatalogDiff): Listed<DiffDocument> {
  return { file, branch, counts: compared.counts, changes: changesJson(compared) };
}
