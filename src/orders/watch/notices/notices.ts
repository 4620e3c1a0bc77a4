import { age, count, wholeSeconds } from "../../../cli/display/format.ts";
import { snakeCase } from "../../../cli/display/json.ts";
import type { LogFacts } from "../../../cli/display/log.ts";
import { describeError, mismatchText } from "../../../cli/display/output.ts";
import type { Runtime } from "../../../cli/runtime.ts";
import { isoWithOffset } from "../../../contract/limits.ts";
import { envWord } from "../../../delivery/outputs.ts";
import { type BposError, type ErrorReason, exitCodes, isReason } from "../../../errors.ts";
import type { T } from "../../../texts/texts.ts";
import { describeOutput } from "../../owed.ts";
import { creation, type EventRow, instant, type Report, type WatchNotice, watchEvents } from "../events.ts";
import type { BoardOrder } from "../screen/board.ts";
import type { Watching } from "../watching.ts";
import { tellPrinter, tellPrinterWorks } from "./printer-notices.ts";
import { formatWarning, toIso } from "./warnings.ts";

const maxLateLines = 3;

function toReason({ reason, facts }: BposError): { reason: ErrorReason; status?: number } {
  return "status" in facts ? { reason, status: facts.status } : { reason };
}

type Polled = Extract<WatchNotice, { event: "polled" }>;

/** Returns a sentence with the name of its branch, unless the line of a log has that in a key. */
export const withBranch = ({ system }: Runtime, branch: string, text: string): string =>
  system.log === undefined ? `${branch}: ${text}` : text;

/** Returns what a notice carries, as the keys of a line of a log. */
function toFacts({ event, ...carried }: WatchNotice): LogFacts {
  const { fields = {} }: EventRow = watchEvents[event];
  const facts = Object.entries(carried).flatMap(([name, value]): [string, unknown][] => {
    if (name === "error") return Object.entries(toReason(value as BposError));
    if (typeof value === "object") return [];
    const isTime = fields[name] === instant || fields[name] === creation;
    return [[snakeCase(name), isTime ? toIso(String(value)) : value]];
  });
  return Object.fromEntries(facts);
}

const nothingNewText = (waiting: number, consumer: string, t: T): string =>
  waiting === 0
    ? t("No orders in pendiente.")
    : t(
        'Nothing new: {count, plural, one {the order in pendiente was} other {the # orders in pendiente were}} already delivered to consumer "{consumer}".',
        { count: waiting, consumer },
      );

async function tellPolled(watching: Watching, branch: string, polled: Polled, report: Report): Promise<void> {
  const { runtime, flags, screen } = watching;
  const { system, texts } = runtime;
  const { waiting, nextPollAt, found, changed, mismatches } = polled;
  screen.update(branch, { state: "answering", waiting, nextPollAt, lastAnswerAt: system.clock.now() });
  if (flags.once === true && found + changed === 0 && system.stderr.isTerminal)
    await report("polled", nothingNewText(waiting, watching.consumer, texts.t), toFacts(polled));

  const [mismatch, ...others] = mismatches;
  if (mismatch !== undefined) await report("answer.mismatch", mismatchText(mismatch, others.length, texts.t));
  await tellLate(watching, screen.late(branch), report);
}

function tellRecovered(
  { runtime, emit }: Watching,
  branch: string,
  since: number,
  report: Report,
): Promise<void> {
  const outageMs = runtime.system.clock.now() - since;
  const after_s = wholeSeconds(outageMs);
  emit("watch.recovered", { branch, after_s });
  const ended = runtime.texts.t("The service is responding again after {time}.", { time: age(outageMs) });
  return report("watch.recovered", ended, { after_s });
}

/** Reports each order once that has become late, with the bell; many at once are one sentence. */
async function tellLate(
  { runtime: { texts, system }, flags: { late = 0 }, screen, ui }: Watching,
  orders: readonly BoardOrder[],
  report: Report,
): Promise<void> {
  const [oldest] = orders;
  if (oldest === undefined) return;

  const { t } = texts;
  const formatWait = ({ since }: BoardOrder): string => age(system.clock.now() - since);
  const describeLate = ({ key, since }: BoardOrder): LogFacts => ({
    order_id: key,
    since: isoWithOffset(since),
  });
  if (orders.length > maxLateLines) {
    const text = t(
      "{count, plural, one {# order has} other {# orders have}} been waiting for more than {limit}. The oldest, order {id}, has been waiting for {time}.",
      { count: count(orders.length, ui), limit: age(late), id: oldest.key, time: formatWait(oldest) },
    );
    await report("order.late", text, { ...describeLate(oldest), orders: orders.length });
  } else
    for (const order of orders) {
      const facts = { id: order.key, time: formatWait(order) };
      await report("order.late", t("Order {id} has been waiting for {time}.", facts), describeLate(order));
    }
  await screen.ring();
}

const toState = (error: BposError) => (isReason(error, "access_denied") ? "refused" : "silent");

type Outage = Extract<WatchNotice, { event: "watch.outage" }>;

const outageText = ({ stopsAfterMs }: Outage, why: string, t: T): string =>
  stopsAfterMs === undefined
    ? t("No response: {why} Retrying; orders wait at the service.", { why })
    : t(
        "Refused: {why} It worked before, so bpos retries for {limit} and then stops. Orders wait at the service.",
        { why, limit: age(stopsAfterMs) },
      );

const busyText = (t: T): string => t("Another process has locked the journal; bpos retries this poll.");

/** `again`: when it is retried; undefined where the next run does. */
const failedText = (id: string, why: string, again: string | undefined, t: T): string =>
  again === undefined
    ? t("Order {id}: {why} The next run retries.", { id, why })
    : t("Order {id}: {why} Retrying in {again}.", { id, why, again });

const unfinishedText = (id: string, output: string, t: T): string =>
  t(
    "Order {id} was being delivered to {output} when you stopped bpos. The next watch delivers it again, marked as repeated.",
    { id, output: describeOutput(output, t) },
  );

/** Tells people, programs and health of an event of a branch. The table of events says who is told. */
export async function tell(watching: Watching, branch: string, notice: WatchNotice): Promise<void> {
  const { runtime, flags, many, health } = watching;
  const outageSince = health.outageSince(branch);
  health.hear(branch, notice);
  // Somebody may be able to add paper right away.
  const how = { advises: notice.event === "printer.failed" };
  const why = "error" in notice ? await describeError(notice.error, runtime.texts, how) : "";
  if (flags.once === true && "isPartial" in watchEvents[notice.event]) runtime.exitCode = exitCodes.partial;

  const report: Report = (event, text, facts) =>
    watching.screen.report(event, many ? withBranch(runtime, branch, text) : text, { branch, ...facts });
  return tellPeople(watching, branch, notice, { why, outageSince, report });
}

interface Telling {
  /** Why the notice failed, in words. */
  why: string;
  /** Since when the branch had got no answer before the notice. */
  outageSince: number | undefined;
  report: Report;
}

async function tellPeople(
  watching: Watching,
  branch: string,
  notice: WatchNotice,
  { why, outageSince, report }: Telling,
): Promise<void> {
  const { runtime, flags, screen, health } = watching;
  const { t } = runtime.texts;
  switch (notice.event) {
    case "opened":
    case "orders.found":
    case "order.delivered":
    case "change.delivered":
      return;
    case "polled":
      if (outageSince !== undefined && health.outageSince(branch) === undefined)
        await tellRecovered(watching, branch, outageSince, report);
      return tellPolled(watching, branch, notice, report);
    case "watch.outage":
      screen.update(branch, { state: toState(notice.error), nextPollAt: notice.nextPollAt });
      if (outageSince === undefined) emitOutage(watching, branch, notice);
      if (outageSince !== undefined && notice.stopsAfterMs === undefined) return;
      return report(notice.event, outageText(notice, why, t), toFacts(notice));
    case "journal.busy":
      screen.update(branch, { nextPollAt: notice.nextPollAt });
      return report(notice.event, busyText(t), toFacts(notice));
    case "journal.down":
      screen.update(branch, { state: "halted", nextPollAt: undefined });
      return;
    case "output.failed": {
      const again = flags.once === true ? undefined : age(notice.againMs);
      await report(notice.event, failedText(notice.orderId, why, again, t), toFacts(notice));
      return isReason(notice.error, "printer_failed") ? screen.ring() : undefined;
    }
    case "printer.failed":
      return tellPrinter(watching, branch, { ...notice, why }, report);
    case "output.works":
      return tellPrinterWorks(watching, branch, notice.output, report);
    case "order.unfinished":
      return report(notice.event, unfinishedText(notice.orderId, notice.output, t), toFacts(notice));
    default:
      return report(notice.event, formatWarning(watching, branch, notice, why), toFacts(notice));
  }
}

function emitOutage({ emit }: Watching, branch: string, { error, since }: Outage): void {
  emit("watch.outage", { branch, since: isoWithOffset(since), ...toReason(error) });
}

/** Tells programs and health of a branch that this run stopped watching. */
export function tellStopped(
  { runtime, flags, emit, health, many }: Watching,
  branch: string,
  error: BposError,
): void {
  const since = health.outageSince(branch);
  health.enter(branch, "stopped", !isReason(error, "lock_lost"));
  if (flags.once === true) return;
  const stopped = { event: "stopped", branch: envWord(branch) } as const;
  if (many) runtime.onEvent?.(stopped);
  else runtime.ending = stopped;
  const known = since === undefined ? {} : { since: isoWithOffset(since) };
  emit("watch.stopped", { branch, ...known, ...toReason(error) });
}

/** Tells everybody of one branch of many that this run stopped watching. */
export async function giveUp(watching: Watching, name: string, error: BposError): Promise<void> {
  const { texts } = watching.runtime;
  tellStopped(watching, name, error);
  const why = await describeError(error, texts);
  const stopped = texts.t("Stopped watching this branch: {why}", { why });
  const text = withBranch(watching.runtime, name, stopped);
  await watching.screen.report("watch.stopped", text, { branch: name, ...toReason(error) });
}
