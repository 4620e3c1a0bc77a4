import { count, dateTime } from "../../cli/display/format.ts";
import { paragraph } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { isReason } from "../../errors.ts";
import type { Count } from "../../texts/message.ts";
import type { T } from "../../texts/texts.ts";
import { type PushReport, sumUp } from "./report.ts";

/** Returns whether it is the delete after a push, which has no rows to correct. */
export const isFollowing = ({ action, read }: PushReport): boolean => action === "delete" && read === 0;

/** Says that no product of a push has a price, so no price changes. */
export const hasNoPrices = ({ prices }: PushReport): boolean =>
  prices !== undefined && prices.without > 0 && !prices.hasAny;

export const isNoneGood = ({ rejected, read, unchanged, sent, planned }: PushReport): boolean =>
  read > 0 && unchanged === 0 && rejected.length === read && (planned?.wouldSend ?? sent) === 0;

type Unit = "rows" | "codes" | "products";

const unitOf = (report: PushReport): Unit =>
  isFollowing(report) || report.undo ? "products" : report.action === "delete" ? "codes" : "rows";

const products = (count: Count, t: T): string =>
  t("{count, plural, one {# product} other {# products}}", { count });

const total = (unit: Unit, count: Count, t: T): string =>
  ({
    rows: t("{count, plural, one {# row} other {# rows}}", { count }),
    codes: t("{count, plural, one {# code} other {# codes}}", { count }),
    products: products(count, t),
  })[unit];

type Part = Exclude<keyof ReturnType<typeof sumUp>, "total" | "rejectedHere" | "refused">;

/** Returns the outcome of rows, or of codes and products, after their total. */
const became: Record<Part, (count: Count, areRows: boolean, t: T, action: PushReport["action"]) => string> = {
  accepted: (count, areRows, t, action) =>
    action === "delete"
      ? t("{count} deactivated", { count })
      : t(areRows ? "{count} accepted // of rows" : "{count} accepted", { count }),
  before: (count, areRows, t) =>
    t(
      areRows ? "{count} applied by an earlier attempt // of rows" : "{count} applied by an earlier attempt",
      { count },
    ),
  stale: (count, areRows, t) => t(areRows ? "{count} stale // of rows" : "{count} stale", { count }),
  unchanged: (count, _, t) => t("{count} unchanged", { count }),
  repeated: (count, areRows, t) =>
    t(
      areRows
        ? "{count, plural, one {# duplicate} other {# duplicates}} // of rows"
        : "{count, plural, one {# duplicate} other {# duplicates}} // of products",
      { count },
    ),
  notSent: (count, _, t) => t("{count} not sent", { count }),
  unanswered: (count, _, t) => t("{count} without a response", { count }),
  uncounted: (count, _, t) =>
    t(
      count.n > 0 ? "{count} missing from the service's answer" : "{count} too many in the service's answer",
      { count },
    ),
};

function rejectedBy(here: number, there: number, areRows: boolean, ui: Ui): string {
  const { t } = ui.texts;
  const all = count(here + there, ui);
  if (here === 0)
    return t(areRows ? "{count} rejected by the service // of rows" : "{count} rejected by the service", {
      count: all,
    });
  if (there === 0)
    return t(areRows ? "{count} rejected by bpos // of rows" : "{count} rejected by bpos", { count: all });
  return t(
    areRows
      ? "{count} rejected ({here} by bpos, {there} by the service) // of rows"
      : "{count} rejected ({here} by bpos, {there} by the service)",
    { count: all, here: count(here, ui), there: count(there, ui) },
  );
}

/** `9 rows: 2 accepted, 7 rejected (6 by bpos, 1 by the service)`; undefined where all of them were accepted. */
function sumText(report: PushReport, ui: Ui): string | undefined {
  const { t } = ui.texts;
  const { total: all, rejectedHere, refused, ...parts } = sumUp(report);
  if (parts.accepted === all) return undefined;
  const unit = unitOf(report);
  const areRows = unit === "rows";
  const said = Object.entries(parts).flatMap(([part, n]) =>
    n === 0 ? [] : became[part as Part](count(n, ui), areRows, t, report.action),
  );
  const rejected = rejectedHere + refused > 0 ? [rejectedBy(rejectedHere, refused, areRows, ui)] : [];
  return `${total(unit, count(all, ui), t)}: ${[...said, ...rejected].join(", ")}`;
}

/** Says how a completed push ended. */
function doneText(report: PushReport, outcome: "complete" | "partial" | "nothing", ui: Ui): string {
  const { t } = ui.texts;
  const accepted = count(report.accepted, ui);
  const sum = sumText(report, ui);
  const opening = { complete: t("Done"), partial: t("Partly done"), nothing: t("Failed") }[outcome];
  const unpriced = count(report.prices?.without ?? 0, ui);
  const withoutPrice = t("{count, plural, one {# product has no price} other {# products have no price}}", {
    count: unpriced,
  });
  const took = t(
    report.action === "upsert"
      ? "{opening}: the service accepted {count, plural, one {# product} other {# products}}"
      : "{opening}: the service deactivated {count, plural, one {# product} other {# products}}",
    { opening, count: accepted },
  );
  const unchanged = t(
    "The service accepted {count, plural, one {# product} other {# products}} without prices, because the file has none",
    { count: accepted },
  );

  const hasNone = hasNoPrices(report);
  const first = hasNone && outcome !== "nothing" ? unchanged : sum === undefined ? took : opening;
  const rest = [
    ...(sum === undefined ? [] : [sum]),
    ...(unpriced.n === 0 || hasNone ? [] : [withoutPrice]),
  ].join("; ");
  return rest === "" ? `${first}.` : `${first}${sum === undefined ? ";" : "."} ${rest}.`;
}

/** Says how much of a push the service accepted before its journal could no longer be written. */
function notKeptText({ accepted, sent }: PushReport, isTakenOver: boolean, ui: Ui): string {
  const { t } = ui.texts;
  const [taken, all] = [count(accepted, ui), count(sent, ui)];
  const part =
    taken.n === all.n
      ? products(all, t)
      : t("{count} of {all, plural, one {# product} other {# products}}", { count: taken, all });
  return t(
    isTakenOver
      ? "Stopped before the end: the service accepted {part}, then another bpos took over."
      : "Stopped before the end: the service accepted {part}, then the journal could not be written. Run the same command again to continue: nothing is applied twice.",
    { part },
  );
}

function headline(report: PushReport, ui: Ui): string {
  const { t } = ui.texts;
  const { outcome, failure, accepted, sent } = report;
  if (isReason(failure, "journal_write_failed"))
    return notKeptText(report, failure.facts.lockLost !== undefined, ui);
  if (outcome === "unknown")
    return t(
      "The outcome of a request is unknown, and nothing was sent after it. Run the same command again to settle it: nothing is applied twice.",
    );
  if (outcome === "refused") return t("Refused: the service accepted nothing.");
  if (outcome === "stale") return t("Stale: the service has newer data and ignored this push.");
  if (sent === 0) return t("Nothing was sent.");
  if (outcome === "partial" && failure !== undefined)
    return t("Stopped before the end: the rest was not sent. Run the same command again to continue.");
  if (outcome === "complete" && accepted === 0)
    return t("Nothing new: the service already had {count, plural, one {# product} other {# products}}.", {
      count: count(sent, ui),
    });
  return doneText(report, accepted === 0 ? "nothing" : outcome, ui);
}

/** Says that the service already had everything in a push. */
function allKnownText({ rejected, lastPushAt: at }: PushReport, ui: Ui): string {
  const { t } = ui.texts;
  const restored = t(
    "If the service was restored or changed by others since then, push once without --changed-only.",
  );
  const facts = { pushed: at === undefined ? "never" : "at", time: at === undefined ? "" : dateTime(at, ui) };
  const nothing =
    rejected.length === 0
      ? t(
          "Nothing to send: nothing has changed since the service last confirmed it to this journal{pushed, select, never {} other { (last push: {time})}}.",
          facts,
        )
      : t(
          "Nothing to send: no valid row has changed since the service last confirmed it to this journal{pushed, select, never {} other { (last push: {time})}}; {count, plural, one {# row was rejected} other {# rows were rejected}}.",
          { ...facts, count: count(rejected.length, ui) },
        );
  return `${nothing} ${restored}`;
}

/** Says what would be sent. */
function dryRunText(
  { action }: PushReport,
  { wouldSend, calls }: NonNullable<PushReport["planned"]>,
  ui: Ui,
): string {
  const facts = { count: count(wouldSend, ui), calls: count(calls, ui) };
  return ui.texts.t(
    action === "upsert"
      ? "Nothing was sent. {count, plural, one {# product} other {# products}} would be sent in {calls, plural, one {# call} other {# calls}}."
      : "Nothing was sent. {count, plural, one {# product} other {# products}} would be deactivated in {calls, plural, one {# call} other {# calls}}.",
    facts,
  );
}

/** Returns the outcome of a push, in a sentence or two. */
export function verdict(report: PushReport, ui: Ui): string[] {
  const { good, warn, bad } = ui.theme;
  const { planned, unchanged, sent, outcome } = report;
  if (isNoneGood(report)) {
    const text = ui.texts.t(
      "{count, plural, one {Nothing to send: the only row was rejected.} other {Nothing to send: all # rows were rejected.}}",
      { count: count(report.read, ui) },
    );
    return paragraph(text, ui).map(bad);
  }
  if (planned) return paragraph(dryRunText(report, planned, ui), ui);
  if (sent === 0 && unchanged > 0) return paragraph(allKnownText(report, ui), ui).map(good);
  const isHalf = outcome === "complete" || outcome === "partial" || (outcome === "nothing" && sent === 0);
  const isGood = outcome === "complete" && !hasNoPrices(report);
  return paragraph(headline(report, ui), ui).map(isGood ? good : isHalf ? warn : bad);
}
