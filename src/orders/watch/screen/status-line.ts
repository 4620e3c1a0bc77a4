import { age, count, visible } from "../../../cli/display/format.ts";
import { textWidth, truncate } from "../../../cli/display/text.ts";
import type { Ui } from "../../../cli/display/ui.ts";
import type { Count } from "../../../texts/message.ts";
import type { T } from "../../../texts/texts.ts";
import type { BranchBoard } from "./compact.ts";

const states = ["answering", "refused", "silent", "halted", "awaited", "standby"] as const;

/** Instants are epoch milliseconds. */
export interface ShownBranch {
  name: string;
  /**
   * `refused` and `silent`: how the last poll failed; `halted`: for want of the journal; `awaited`: none has come to its end;
   * `standby`: another process polls.
   */
  state: (typeof states)[number];
  waiting: number;
  board?: BranchBoard | undefined;
  lastAnswerAt?: number | undefined;
  /** When the next poll is due; undefined, or when it is past, the service is being asked. */
  nextPollAt?: number | undefined;
  /** When a failed printer is retried. */
  printerDueAt?: number | undefined;
}

const separator = " · ";
const maxNamed = 3;
const maxName = 24;

/** A part of the status line; with an empty text it is left out. */
interface Segment {
  /** Segments with a higher rank are dropped first when there is little room. */
  rank: number;
  text: string;
  style: (text: string) => string;
  /** Its short form, used before it is dropped. */
  short?: string;
}

/** Segments with a lower rank are shortened before they are dropped. */
const maxShortened = 4;

/** Returns how many orders wait for too long, and the oldest of them. */
function toLateSegment(branches: readonly ShownBranch[], lateMs: number, ui: Ui): Segment {
  const { bad, strong } = ui.theme;
  const segment = { rank: 3, style: (text: string) => bad(strong(text)) };
  const late = branches.flatMap(({ board }) => board?.board.late(lateMs) ?? []);
  if (late.length === 0) return { ...segment, text: "" };

  const { t } = ui.texts;
  const orders = count(late.length, ui);
  const oldest = Math.min(...late.map(({ since }) => since));
  return {
    ...segment,
    text: t("{count} late, the oldest {time}", { count: orders, time: age(ui.now - oldest) }),
    short: t("{count} late", { count: orders }),
  };
}

/** When a failed printer is retried. */
function toPrinterSegment(branches: readonly ShownBranch[], ui: Ui): Segment {
  const segment = { rank: 4.5, style: ui.theme.bad };
  const due = branches.flatMap(({ printerDueAt }) => printerDueAt ?? []);
  if (due.length === 0) return { ...segment, text: "" };
  const inMs = Math.min(...due) - ui.now;
  const { t } = ui.texts;
  const text = inMs > 0 ? t("printer: retry in {time}", { time: age(inMs) }) : t("printer: retrying");
  return { ...segment, text };
}

/** The state of the only branch. */
const stateWords = (t: T): Record<ShownBranch["state"], string> => ({
  answering: t("online"),
  refused: t("refused // the state of a branch"),
  silent: t("no response"),
  awaited: t("waiting for the first response"),
  standby: t("standing by"),
  halted: t("journal unreachable"),
});

/** How many of the branches are in a state. */
const stateCounts: Record<ShownBranch["state"], (count: Count, t: T) => string> = {
  answering: (count, t) => t("{count} online", { count }),
  refused: (count, t) => t("{count} refused", { count }),
  silent: (count, t) => t("{count} without a response", { count }),
  awaited: (count, t) => t("{count} not yet responding", { count }),
  standby: (count, t) => t("{count} standing by", { count }),
  halted: (count, t) => t("{count} cannot reach the journal", { count }),
};

/** Returns the number of branches or the name of the only one, their states, and the names of those in trouble. */
function toBranchSegments(branches: readonly ShownBranch[], ui: Ui): Segment[] {
  const { t } = ui.texts;
  const { good, bad, dim, strong } = ui.theme;
  const inState = (state: ShownBranch["state"]) => branches.filter((each) => each.state === state);
  const troubled = [...inState("refused"), ...inState("silent"), ...inState("halted")];
  const calm = inState("answering").length > 0 ? good : dim;
  const stateStyle = troubled.length > 0 ? bad : calm;
  const formatName = ({ name }: ShownBranch): string => truncate(visible(name), maxName);
  const [one] = branches;
  if (one !== undefined && branches.length === 1)
    return [
      { rank: 6, text: formatName(one), style: strong },
      { rank: 4, text: stateWords(t)[one.state], style: stateStyle },
    ];

  const counts = states
    .filter((state) => state === "answering" || inState(state).length > 0)
    .map((state) => stateCounts[state](count(inState(state).length, ui), t));
  const all = t("{count, plural, one {# branch} other {# branches}}", { count: count(branches.length, ui) });
  const named = troubled.slice(0, maxNamed).map(formatName).join(", ");
  return [
    { rank: 6, text: all, style: strong },
    { rank: 4, text: counts.join(", "), style: stateStyle },
    { rank: 7, text: named + (troubled.length > maxNamed ? "…" : ""), style: bad },
  ];
}

/** Returns when a service last answered, when the next is asked, and how many orders wait. */
function toPollSegments(branches: readonly ShownBranch[], ui: Ui): Segment[] {
  const { t } = ui.texts;
  const { dim, strong } = ui.theme;
  const due = branches.map(({ nextPollAt }) => nextPollAt ?? 0).filter((at) => at > ui.now);
  const isAsking = branches.some(({ state }) => state !== "halted" && state !== "standby");
  const whenIdle = isAsking ? t("polling now") : "";
  const next = due.length > 0 ? t("next poll in {time}", { time: age(Math.min(...due) - ui.now) }) : whenIdle;
  const nextSegment = { rank: 8, text: next, style: dim };

  const ages = branches.flatMap(({ lastAnswerAt: at }) => (at === undefined ? [] : ui.now - at));
  if (ages.length === 0) return [nextSegment];
  const since = age(Math.min(...ages));
  const waiting = branches.reduce((sum, each) => sum + each.waiting, 0);
  return [
    {
      // For one branch this must always be visible; for many it is the newest of all, and says little.
      rank: branches.length === 1 ? 1 : 9,
      text: t("last response {time} ago", { time: since }),
      style: dim,
      short: t("{time} ago", { time: since }),
    },
    nextSegment,
    { rank: 5, text: t("{count} waiting", { count: count(waiting, ui) }), style: strong },
  ];
}

/** Returns the segments that fit: the most important are shortened before any is dropped. */
function fitSegments(given: readonly Segment[], room: number): readonly Segment[] {
  let segments = given;
  const isTooLong = (): boolean => textWidth(segments.map(({ text }) => text).join(separator)) > room;
  while (segments.length > 1 && isTooLong()) {
    const least = Math.max(...segments.map(({ rank }) => rank));
    const isShort = segments.every(({ text, short = text }) => text === short);
    if (least > maxShortened || isShort) segments = segments.filter(({ rank }) => rank < least);
    else segments = segments.map((segment) => ({ ...segment, text: segment.short ?? segment.text }));
  }
  return segments;
}

/**
 * Returns the status line: whether each service answers, when it last did, when it is asked again, how many orders wait, how many for
 * too long. The least important gives way.
 */
export function watchStatus(
  branches: readonly ShownBranch[],
  ui: Ui,
  lateMs = Number.POSITIVE_INFINITY,
): string {
  const { dim, strong, warn } = ui.theme;
  const all: Segment[] = [
    { rank: 2, text: ui.badge ?? "", style: (text) => warn(strong(text)) },
    ...toBranchSegments(branches, ui),
    ...toPollSegments(branches, ui),
    toPrinterSegment(branches, ui),
    toLateSegment(branches, lateMs, ui),
  ];
  const segments = all.filter(({ text }) => text !== "");
  // In the last column many terminals wrap already; then a carriage return no longer reaches the line's beginning.
  const room = (ui.width ?? 81) - 1;
  return fitSegments(segments, room)
    .map(({ text, style }) => style(truncate(text, room)))
    .join(dim(separator));
}
