import { age, count, number, shown } from "../../cli/format.ts";
import { list, present } from "../../cli/order-fields.ts";
import { note, paragraph } from "../../cli/paragraph.ts";
import type { Ui } from "../../cli/ui.ts";
import type { RecipientChange } from "./follow.ts";
import type { CampaignsStatus } from "./read.ts";
import { failuresFirst, notFound, recipientsTable } from "./recipients-view.ts";
import { type Beside, countsOf, countsTable, namesOf, statusTitle } from "./view.ts";

/** How a watch of campaigns stands; instants are epoch milliseconds. */
export interface WatchFrame extends Beside {
  /** What the last look brought that had an answer. */
  status: CampaignsStatus | undefined;
  lookedAt: number | undefined;
  /** When it looks again; when it is past, it is looking. Undefined when the watch is over. */
  nextAt: number | undefined;
  /** Why the last look brought nothing, in a sentence. */
  trouble: string | undefined;
  /** What ended the watch, or what else is to be said. */
  remarks: readonly string[];
}

/** When it looked, how that went, when it looks again. */
function stateLines({ lookedAt, nextAt, trouble, remarks }: WatchFrame, ui: Ui): string[] {
  const words = ui.texts.follow;
  const next =
    nextAt === undefined ? [] : [nextAt > ui.now ? words.next(age(nextAt - ui.now + 999)) : words.nextNow];
  const looked = lookedAt === undefined ? words.lookingFirst : words.looked(age(ui.now - lookedAt));
  return [
    ...(nextAt === undefined ? [] : note([looked, ...next, words.stops].join(" · "), ui)),
    ...(trouble === undefined ? [] : paragraph(words.noAnswer(trouble), ui).map(ui.theme.bad)),
    ...remarks.flatMap((remark) => paragraph(remark, ui)).map(ui.theme.strong),
  ];
}

/**
 * A watch as it stands on a terminal now, never higher than `rows`: recipients that do not fit are counted.
 */
export function watchFrame(frame: WatchFrame, ui: Ui, rows: number): string {
  const { status, people, found } = frame;
  const words = ui.texts.follow;
  const campaigns = list(status?.campaigns);
  const listed = failuresFirst(status?.campaigns ?? [], people);
  const hidden = status?.recipients_hidden ?? 0;
  const fixed = [
    ...(status === undefined ? [] : statusTitle(campaigns, ui)),
    ...stateLines(frame, ui),
    ...(status === undefined ? [] : ["", ...countsTable(countsOf(status), ui)]),
    ...notFound(found, ui).flatMap((text) => ["", ...paragraph(text, ui)]),
  ];
  const below = hidden > 0 ? note(words.hidden(count(hidden, ui)), ui) : [];
  const linesWith = (fitting: number): string[] => {
    const left = listed.length - fitting;
    const shownRows = listed.slice(0, fitting);
    return [
      ...fixed,
      ...(fitting > 0
        ? ["", ...recipientsTable(shownRows, { several: campaigns.length > 1, flat: true }, ui)]
        : []),
      ...(left > 0 ? note(words.doNotFit(count(left, ui)), ui) : []),
      ...below,
    ];
  };
  let fitting = Math.min(listed.length, rows);
  let lines = linesWith(fitting);
  while (lines.length > rows && fitting > 0) {
    fitting = Math.max(0, fitting - (lines.length - rows));
    lines = linesWith(fitting);
  }
  return `${lines.slice(0, rows).join("\n")}\n`;
}

/** The counts of a status in one line, as the service gave them. */
export function countsLine(status: CampaignsStatus, ui: Ui): string {
  const counts = countsOf(status);
  const names = new Map(Object.entries(ui.texts.campaign.names));
  const parts = namesOf(counts)
    .filter((name) => present(counts[name]))
    .map((name) => ui.texts.follow.counted(shown(names.get(name) ?? name), number(counts[name], ui)));
  return parts.length === 0 ? ui.texts.campaign.noCounts : parts.join(" · ");
}

/** What became of one recipient, in one line. */
export function changeLine({ campaign, phone, from, to, message }: RecipientChange, ui: Ui): string {
  const moved = from === null ? shown(to) : ui.texts.follow.moved(shown(from), shown(to));
  return [shown(campaign), shown(phone), moved, ...(message === null ? [] : [shown(message)])].join("  ");
}
