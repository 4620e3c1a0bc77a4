import { type FieldsOf, fieldColumns, nothingOf } from "../../cli/display/fields.ts";
import { count, dateTime, shown } from "../../cli/display/format.ts";
import { type Column, column, type Listing, listing } from "../../cli/display/table.ts";
import { note, paragraph, title } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import type { UnusedRow } from "../../input/recipients.ts";
import type { Doubt, OptOut } from "../../journal/records/opt-outs.ts";
import { leftOutJson, leftOutTable } from "../left-out-rows.ts";
import type { OptOutJson } from "../person-schema.ts";
import { sourceWords } from "../words.ts";
import { optOutNames } from "./command.ts";
import type { AddedJson, ExportedJson } from "./schema.ts";

/** Returns an opt-out as JSON, CSV and an exported file have it. */
export const toObject = ({ phone, at, source, text }: OptOut): OptOutJson => ({
  phone,
  at: isoWithOffset(at),
  source,
  text,
});

export const optOutFields: FieldsOf<OptOut> = {
  object: toObject,
  example: nothingOf(optOutNames),
  columns: optOutNames.map((name) => [name, (row: OptOut) => toObject(row)[name]] as const),
};

/** The report of people who were added; `invalid` are the rows of a file without a usable phone. */
export type Added = Omit<AddedJson, "invalid"> & { invalid: readonly UnusedRow[] };

export const addedJson = ({ invalid, ...counts }: Added): AddedJson => ({
  ...counts,
  invalid: leftOutJson(invalid),
});

export function addedReport({ added, already, invalid }: Added, ui: Ui): string {
  const { t } = ui.texts;
  const now = t("{count, plural, one {# person} other {# people}} added to the opt-out list.", {
    count: count(added, ui),
  });
  const before = t("{count, plural, one {# person} other {# people}} had already opted out.", {
    count: count(already, ui),
  });
  const done = paragraph(already === 0 ? now : `${now} ${before}`, ui).map(ui.theme.good);
  const unusable = t("{count, plural, one {# row} other {# rows}} without a usable phone", {
    count: count(invalid.length, ui),
  });
  const rows = leftOutTable(unusable, invalid, ui);
  return `${[...done, ...rows].join("\n")}\n`;
}

export function optOutTable(
  rows: readonly OptOut[],
  doubts: number,
  ui: Ui,
  chosen?: readonly string[],
): Listing {
  const { t } = ui.texts;
  const columns: Column<OptOut>[] = [
    column(t("Phone"), 1, ({ phone }) => shown(phone)),
    column(t("When"), 2, ({ at }) => dateTime(at, ui)),
    column(t("Source"), 3, ({ source }) => sourceWords(source, t)),
    column(t("Text"), 2, ({ text }) => shown(text), { shrinkTo: 12 }),
  ];
  const doubt = t(
    "{count, plural, one {# reply could be an opt-out} other {# replies could be opt-outs}}: bpos campaign optout review",
    { count: count(doubts, ui) },
  );
  const doubtful = doubts > 0 ? paragraph(doubt, ui).map(ui.theme.warn) : [];
  const total = t(
    "{count, plural, one {# person} other {# people}}. Sends from this journal do not message them.",
    { count: count(rows.length, ui) },
  );
  const all = note(rows.length === 0 ? t("Nobody has opted out.") : total, ui);
  const used = chosen ? fieldColumns(optOutFields, chosen, rows) : columns;
  return listing(used, rows, { head: title(t("People who opted out"), ui), foot: [...doubtful, ...all] }, ui);
}

export function exportReport(
  { file, opt_outs: written, without_phone: pruned }: ExportedJson,
  ui: Ui,
): string {
  const { t } = ui.texts;
  const exported = t("{count, plural, one {# person} other {# people}} written to {file}.", {
    count: count(written, ui),
    file,
  });
  const lines = paragraph(exported, ui).map(ui.theme.good);
  const lost = t(
    "{count, plural, one {# person is not in the file, because `bpos journal prune` removed the phone. This person stays} other {# people are not in the file, because `bpos journal prune` removed their phones. They stay}} opted out in this journal.",
    { count: count(pruned, ui) },
  );
  if (pruned > 0) lines.push(...paragraph(lost, ui).map(ui.theme.warn));
  return `${lines.join("\n")}\n`;
}

export function doubtText(
  { phone, at, text }: Doubt,
  { n, all }: { n: number; all: number },
  ui: Ui,
): string {
  const head = `${n}/${all}  ${shown(phone)}  ${dateTime(at, ui)}`;
  return `${[...paragraph(head, ui).map(ui.theme.heading), ...paragraph(shown(text), ui)].join("\n")}\n`;
}

export function reviewedText(counts: { optedOut: number; not: number; later: number }, ui: Ui): string {
  const { t } = ui.texts;
  const { optedOut, not, later } = counts;
  const nothing = optedOut + not + later === 0;
  const done = t("{optedOut} opted out, {not} did not, {later} left for later.", {
    optedOut: count(optedOut, ui),
    not: count(not, ui),
    later: count(later, ui),
  });
  const said = nothing ? t("No replies to review.") : done;
  return `${paragraph(said, ui).join("\n")}\n`;
}
