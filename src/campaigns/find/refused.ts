import { dateTime, shown } from "../../cli/display/format.ts";
import { column, table } from "../../cli/display/table.ts";
import { heading, paragraph } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import type { OptOut, RemovedOptOut } from "../../journal/opt-outs.ts";
import type { LeftOutSend } from "../../journal/sends.ts";

/** Why a person is not messaged: their opt-outs, newest first, and the sends that named them and left them out. */
export interface Refused {
  optOuts: readonly (OptOut & Partial<RemovedOptOut>)[];
  leftOut: readonly LeftOutSend[];
}

const isRemoved = ({ removed_at }: Refused["optOuts"][number]): boolean => removed_at != null;

export function refusedJson({ optOuts: [newest], leftOut }: Refused): object {
  const optOut = newest && {
    at: isoWithOffset(newest.at),
    source: newest.source,
    text: newest.text,
    removed_at: newest.removed_at == null ? null : isoWithOffset(newest.removed_at),
    reason: newest.reason ?? null,
  };
  const sends = leftOut.map(({ at, ref, template, reason }) => ({
    at: isoWithOffset(at),
    external_ref: ref,
    template,
    reason,
  }));
  return { opt_out: optOut ?? null, left_out: sends };
}

export function optOutLines({ optOuts }: Refused, ui: Ui): string[] {
  const words = ui.texts.find.optOut;
  return optOuts.flatMap((each) => {
    const said = words.since(
      dateTime(each.at, ui),
      ui.texts.optout.source[each.source],
      each.text && shown(each.text),
    );
    if (!isRemoved(each)) return paragraph(said, ui).map(ui.theme.warn);
    return paragraph(words.removed(said, dateTime(each.removed_at ?? 0, ui), shown(each.reason)), ui);
  });
}

export function leftOutLines({ leftOut }: Refused, ui: Ui): string[] {
  if (leftOut.length === 0) return [];
  const { leftOutTitle, leftOut: reasons, columns: titles } = ui.texts.find;
  const columns = [
    column<LeftOutSend>(titles.at, 1, ({ at }) => dateTime(at, ui)),
    column<LeftOutSend>(titles.template, 3, ({ template }) => shown(template), { shrinkTo: 12 }),
    column<LeftOutSend>(titles.ref, 2, ({ ref }) => shown(ref), { shrinkTo: 12 }),
    column<LeftOutSend>(titles.error, 1, ({ reason }) => reasons[reason], { shrinkTo: 16 }),
  ];
  return [...heading(leftOutTitle, ui), table(columns, leftOut, ui).trimEnd(), ""];
}
