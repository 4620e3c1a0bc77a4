import { age, count, wholeSeconds } from "../../../cli/display/format.ts";
import { snakeCase } from "../../../cli/display/json.ts";
import type { LogFacts } from "../../../cli/display/log.ts";
import { describeError, mismatchText } from "../../../cli/display/output.ts";
import type { Ui } from "../../../cli/display/ui.ts";
import type { Runtime } from "../../../cli/runtime.ts";
import { isoWithOffset } from "../../../contract/limits.ts";
import { JournalOutage } from "../../../delivery/outage.ts";
import { envWord } from "../../../delivery/outputs.ts";
import { detailWords } from "../../../errors/words/details.ts";
import { type BposError, type ErrorReason, exitCodes, isReason } from "../../../errors.ts";
import type { Printers, StationMap } from "../../../printing/printing.ts";
import type { T } from "../../../texts/texts.ts";
import { describeOutput } from "../../owed.ts";
import type { WatchFlags } from "../command.ts";
import type { Health } from "../health/health.ts";
import type { WatchNotice } from "../polling/context.ts";
import { type Say, tellPrinter, tellPrinterWorks } from "../printer-notices.ts";
import type { BoardOrder } from "../screen/board.ts";
import type { WatchScreen } from "../screen/screen.ts";
import type { Standby, StandbyEvent } from "../standby/standby.ts";
import type { PaceEvent, Paces } from "../throttle.ts";
import { formatWarning, toIso } from "./warnings.ts";

const maxLateLines = 3;

type About = { at: string; branch: string };

/** A line of `orders watch -o ndjson` that tells how the service answers; `watch.stopped` when the watch stops watching the branch. */
type ServiceEvent =
  | ({ event: "watch.outage"; since: string; reason: ErrorReason; status?: number } & About)
  | ({ event: "watch.recovered"; after_s: number } & About)
  | ({ event: "watch.stopped"; since?: string; reason: ErrorReason; status?: number } & About);

function toReason({ reason, facts }: BposError): { reason: ErrorReason; status?: number } {
  return "status" in facts ? { reason, status: facts.status } : { reason };
}

/** A watch of one branch or many, as notices name it. */
export interface Watching {
  runtime: Runtime;
  flags: WatchFlags;
  intervalMs: number;
  consumer: string;
  screen: WatchScreen;
  ui: Ui;
  many: boolean;
  quarantineFolder: string;
  printers: Printers | undefined;
  stationMap: StationMap | undefined;
  /** Writes a line of `-o ndjson`, where that is what the run prints. */
  emit: (event: ServiceEvent | PaceEvent | StandbyEvent) => void;
  health: Health;
  /** The last message about each failed printer of a branch, by its output. */
  printerSaid: Map<string, Map<string, { kind: string; at: number }>>;
  outage: JournalOutage;
  paces: Paces;
  standby?: Standby;
  /** Shared by all branches: what ends all of them. */
  ending: {
    signal: AbortSignal;
    failures: readonly unknown[];
    fail: (error: unknown) => void;
    stop: () => void;
  };
}

type Polled = Extract<WatchNotice, { event: "polled" }>;

/** A sentence about a branch, where no key of the line names that. */
export const withBranch = ({ system }: Runtime, branch: string, text: string): string =>
  system.log === undefined ? `${branch}: ${text}` : text;

const instants = ["nextPollAt", "since", "createdAt", "before"];

/** What a notice holds, as the keys of a line of JSON. */
function toFacts({ event, ...notice }: WatchNotice): LogFacts {
  const facts = Object.entries(notice).flatMap(([name, value]): [string, unknown][] => {
    if (name === "error") return Object.entries(toReason(value as BposError));
    if (typeof value === "object") return [];
    return [[snakeCase(name), instants.includes(name) ? toIso(String(value)) : value]];
  });
  return { ...Object.fromEntries(facts), event: event === "outage" ? "watch.outage" : event };
}

const nothingNewText = (waiting: number, consumer: string, t: T): string =>
  waiting === 0
    ? t("No orders in pendiente.")
    : t(
        'Nothing new: {count, plural, one {the order in pendiente was} other {the # orders in pendiente were}} delivered to the consumer "{consumer}" before.',
        { count: waiting, consumer },
      );

async function tellPolled(
  watching: Watching,
  branch: string,
  polled: Polled,
  { say, warn }: { say: Say; warn: Say },
): Promise<void> {
  const { runtime, flags, screen } = watching;
  const { system, texts } = runtime;
  const { waiting, nextPollAt, found, changed, mismatches } = polled;
  screen.update(branch, { state: "answering", waiting, nextPollAt, lastAnswerAt: system.clock.now() });
  if (flags.once === true && found + changed === 0 && system.stderr.isTerminal)
    await say(nothingNewText(waiting, watching.consumer, texts.t));

  const [mismatch, ...others] = mismatches;
  if (mismatch !== undefined)
    await say(mismatchText(mismatch, others.length, texts.t), { event: "answer.mismatch" });
  await tellLate(watching, screen.late(branch), warn);
}

async function tellRecovered(
  watching: Watching,
  branch: string,
  { since, warn }: { since: number; warn: Say },
): Promise<void> {
  const { system, texts } = watching.runtime;
  const outageMs = system.clock.now() - since;
  const at = isoWithOffset(system.clock.now());
  const after_s = wholeSeconds(outageMs);
  watching.emit({ event: "watch.recovered", at, branch, after_s });
  const ended = texts.t("The service answers again, after {time}.", { time: age(outageMs) });
  await warn(ended, { event: "watch.recovered", after_s });
}

/** Says and rings once for each order that has become late; many at once are one sentence. */
async function tellLate(
  { runtime: { texts, system }, flags: { late = 0 }, screen, ui }: Watching,
  orders: readonly BoardOrder[],
  warn: Say,
): Promise<void> {
  const [oldest] = orders;
  if (oldest === undefined) return;

  const { t } = texts;
  const formatWait = ({ since }: BoardOrder): string => age(system.clock.now() - since);
  const describeLate = ({ key, since }: BoardOrder): LogFacts => ({
    event: "order.late",
    order_id: key,
    since: isoWithOffset(since),
  });
  if (orders.length > maxLateLines) {
    const text = t(
      "{count, plural, one {# order has} other {# orders have}} been waiting for more than {limit}; order {id}, the oldest, for {time}.",
      { count: count(orders.length, ui), limit: age(late), id: oldest.key, time: formatWait(oldest) },
    );
    await warn(text, { ...describeLate(oldest), orders: orders.length });
  } else
    for (const order of orders) {
      const facts = { id: order.key, time: formatWait(order) };
      await warn(t("Order {id} has been waiting for {time}.", facts), describeLate(order));
    }
  await screen.ring();
}

const toState = (error: BposError) => (isReason(error, "access_denied") ? "refused" : "silent");

const refusalText = (why: string, limitMs: number, t: T): string =>
  t(
    "Refused: {why} It worked before: bpos retries for {limit}, then stops; the orders wait at the service.",
    { why, limit: age(limitMs) },
  );

/** `again`: when it is retried; undefined where the next run does. */
const failedText = (id: string, why: string, again: string | undefined, t: T): string =>
  again === undefined
    ? t("Order {id}: {why} The next run retries.", { id, why })
    : t("Order {id}: {why} Retry in {again}.", { id, why, again });

const unfinishedText = (id: string, output: string, t: T): string =>
  t(
    "Order {id} was being delivered to {output} when you stopped bpos. The next watch delivers it again, marked as repeated.",
    { id, output: describeOutput(output, t) },
  );

export async function tell(watching: Watching, branch: string, notice: WatchNotice): Promise<void> {
  const { runtime, flags, screen, many, health } = watching;
  const before = health.outageSince(branch);
  health.hear(branch, notice);
  const { texts } = runtime;
  const { t } = texts;
  const name = (text: string): string => (many ? withBranch(runtime, branch, text) : text);
  const say: Say = (text, facts = toFacts(notice)) => screen.say(name(text), { branch, ...facts });
  // The reason for an exit code other than 0 is printed with -q too.
  const warn: Say = (text, facts = toFacts(notice)) => screen.warn(name(text), { branch, ...facts });
  // Somebody may be able to add paper right away.
  const how = { advises: notice.event === "printer.failed" };
  const why = "error" in notice ? await describeError(notice.error, texts, how) : "";

  if (flags.once === true && (notice.event.endsWith(".failed") || notice.event === "quarantine.full"))
    runtime.exitCode = exitCodes.partial;

  switch (notice.event) {
    case "opened":
    case "orders.found":
    case "output.delivered":
      return;
    case "polled":
      if (before !== undefined && health.outageSince(branch) === undefined)
        await tellRecovered(watching, branch, { since: before, warn });
      return tellPolled(watching, branch, notice, { say, warn });
    case "outage":
      screen.update(branch, { state: toState(notice.error), nextPollAt: notice.nextPollAt });
      if (before === undefined) tellOutage(watching, branch, notice);
      if (notice.stopsAfterMs !== undefined) return warn(refusalText(why, notice.stopsAfterMs, t));
      return before === undefined
        ? warn(t("No answer: {why} Retrying; the orders wait at the service.", { why }))
        : undefined;
    case "journal.busy":
      screen.update(branch, { nextPollAt: notice.nextPollAt });
      return say(t("Another process holds the journal; this poll is retried."));
    case "journal.down":
      screen.update(branch, { state: "halted", nextPollAt: undefined });
      return;
    case "output.failed": {
      const again = flags.once === true ? undefined : age(notice.againMs);
      await warn(failedText(notice.orderId, why, again, t));
      return isReason(notice.error, "printer_failed") ? screen.ring() : undefined;
    }
    case "printer.failed":
      return tellPrinter(watching, branch, { ...notice, why }, warn);
    case "output.works":
      return tellPrinterWorks(watching, branch, notice.output, warn);
    case "order.unfinished":
      return say(unfinishedText(notice.orderId, notice.output, t));
    default:
      return warn(formatWarning(watching, branch, notice, why));
  }
}

function tellOutage(
  watching: Watching,
  branch: string,
  { error, since }: Extract<WatchNotice, { event: "outage" }>,
): void {
  const at = isoWithOffset(watching.runtime.system.clock.now());
  watching.emit({ event: "watch.outage", at, branch, since: isoWithOffset(since), ...toReason(error) });
}

/** The journal cannot be reached: nothing is polled or delivered, as in an outage of the service. */
export function openJournalOutage(
  watching: Pick<Watching, "runtime" | "intervalMs" | "screen" | "ending" | "emit" | "health">,
): JournalOutage {
  const { runtime, intervalMs, screen, ending, emit, health } = watching;
  const { clock } = runtime.system;
  const { t } = runtime.texts;
  return new JournalOutage({
    clock,
    maxMs: intervalMs,
    signal: ending.signal,
    began({ detail }) {
      const at = isoWithOffset(clock.now());
      for (const branch of health.loseJournal())
        emit({ event: "watch.outage", at, branch, since: at, reason: "journal_unreadable" });
      const down = t(
        "The journal cannot be reached ({detail}). Nothing is delivered meanwhile; bpos keeps trying, and the orders wait.",
        { detail: detailWords(detail, t) },
      );
      return screen.warn(down, { event: "journal.down" });
    },
    ended(afterMs) {
      const at = isoWithOffset(clock.now());
      const after_s = wholeSeconds(afterMs);
      for (const branch of health.regainJournal()) emit({ event: "watch.recovered", at, branch, after_s });
      const back = t("The journal answers again, after {time}.", { time: age(afterMs) });
      return screen.warn(back, { event: "journal.recovered", after_s });
    },
  });
}

/** A branch that this run stopped watching. */
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
  const at = isoWithOffset(runtime.system.clock.now());
  const known = since === undefined ? {} : { since: isoWithOffset(since) };
  emit({ event: "watch.stopped", at, branch, ...known, ...toReason(error) });
}

export async function giveUp(watching: Watching, name: string, error: BposError): Promise<void> {
  const { texts } = watching.runtime;
  tellStopped(watching, name, error);
  const why = await describeError(error, texts);
  const stopped = texts.t("Stopped watching this branch: {why}", { why });
  const text = withBranch(watching.runtime, name, stopped);
  await watching.screen.warn(text, { event: "watch.stopped", branch: name, ...toReason(error) });
}
