import { age, count, isoTimeToSecond, number, wholeSeconds } from "../../cli/display/format.ts";
import { snakeCase } from "../../cli/display/json.ts";
import type { LogFacts } from "../../cli/display/log.ts";
import { describeError, mismatchText } from "../../cli/display/output.ts";
import type { Ui } from "../../cli/display/ui.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { isoWithOffset, maxInstant } from "../../contract/limits.ts";
import { JournalOutage } from "../../delivery/outage.ts";
import { envWord } from "../../delivery/outputs.ts";
import { detailWords } from "../../errors/words/details.ts";
import { type BposError, type ErrorReason, exitCodes, isReason } from "../../errors.ts";
import type { Owed } from "../../journal/orders.ts";
import type { StationMap } from "../../settings/stations.ts";
import { describeOutput, forgetCommand, owedCounts } from "../forget/forget.ts";
import type { BoardOrder } from "./board.ts";
import type { WatchFlags } from "./command.ts";
import type { WatchNotice } from "./context.ts";
import type { Health } from "./health/health.ts";
import type { PaceEvent, Paces } from "./pace.ts";
import type { Printers } from "./printer.ts";
import { type Say, tellPrinter, tellPrinterWorks } from "./printer-notices.ts";
import type { WatchScreen } from "./screen.ts";
import type { Shares, Standby, StandbyEvent } from "./standby.ts";

const maxLateLines = 3;
const maxNamed = 3;

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

/** A created_at as `createdAtText` has it, in ISO 8601 where it is a time that the language's calendar has. */
const toIso = (createdAt: string): string =>
  Math.abs(Number(createdAt)) < maxInstant ? isoWithOffset(Number(createdAt)) : createdAt;

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
    await say(texts.watch.nothingNew(waiting, watching.consumer));

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
  await warn(texts.watch.outageEnded(age(outageMs)), { event: "watch.recovered", after_s });
}

/** Says and rings once for each order that has become late; many at once are one sentence. */
async function tellLate(
  { runtime: { texts, system }, flags: { late = 0 }, screen, ui }: Watching,
  orders: readonly BoardOrder[],
  warn: Say,
): Promise<void> {
  const [oldest] = orders;
  if (oldest === undefined) return;

  const words = texts.watch;
  const formatWait = ({ since }: BoardOrder): string => age(system.clock.now() - since);
  const describeLate = ({ key, since }: BoardOrder): LogFacts => ({
    event: "order.late",
    order_id: key,
    since: isoWithOffset(since),
  });
  if (orders.length > maxLateLines) {
    const many = count(orders.length, ui);
    const text = words.manyLate(many, age(late), oldest.key, formatWait(oldest));
    await warn(text, { ...describeLate(oldest), orders: orders.length });
  } else
    for (const order of orders) await warn(words.late(order.key, formatWait(order)), describeLate(order));
  await screen.ring();
}

const toState = (error: BposError) => (isReason(error, "access_denied") ? "refused" : "silent");

export async function tell(watching: Watching, branch: string, notice: WatchNotice): Promise<void> {
  const { runtime, flags, screen, many, health } = watching;
  const before = health.outageSince(branch);
  health.hear(branch, notice);
  const { texts } = runtime;
  const words = texts.watch;
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
      if (notice.stopsAfterMs !== undefined) return warn(words.refusalBegan(why, age(notice.stopsAfterMs)));
      return before === undefined ? warn(words.outageBegan(why)) : undefined;
    case "journal.busy":
      screen.update(branch, { nextPollAt: notice.nextPollAt });
      return say(words.journalBusy);
    case "journal.down":
      screen.update(branch, { state: "halted", nextPollAt: undefined });
      return;
    case "journal.older":
      return warn(words.journalOlder);
    case "output.failed": {
      const again = flags.once === true ? null : age(notice.againMs);
      await warn(words.outputFailed(notice.orderId, why, again));
      return isReason(notice.error, "printer_failed") ? screen.ring() : undefined;
    }
    case "printer.failed":
      return tellPrinter(watching, branch, { ...notice, why }, warn);
    case "output.works":
      return tellPrinterWorks(watching, branch, notice.output, warn);
    case "stations.adopted":
      return warn(words.stationsAdopted(notice.deliveries, describeOutput(notice.output, texts)));
    case "order.unfinished":
      return say(words.unfinished(notice.orderId, describeOutput(notice.output, texts)));
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
  const { watch: words, t } = runtime.texts;
  return new JournalOutage({
    clock,
    maxMs: intervalMs,
    signal: ending.signal,
    began({ detail }) {
      const at = isoWithOffset(clock.now());
      for (const branch of health.loseJournal())
        emit({ event: "watch.outage", at, branch, since: at, reason: "journal_unreadable" });
      return screen.warn(words.journalDown(detailWords(detail, t)), { event: "journal.down" });
    },
    ended(afterMs) {
      const at = isoWithOffset(clock.now());
      const after_s = wholeSeconds(afterMs);
      for (const branch of health.regainJournal()) emit({ event: "watch.recovered", at, branch, after_s });
      return screen.warn(words.journalBack(age(afterMs)), { event: "journal.recovered", after_s });
    },
  });
}

type Warning = Extract<
  WatchNotice,
  {
    event:
      | `quarantine.${string}`
      | ("output.owed" | "order.quarantined" | "orders.unread" | "number.reused")
      | ("first_run.incomplete" | "state.refused");
  }
>;

/** Notices that do not affect the watch. */
function formatWarning(watching: Watching, branch: string, notice: Warning, why: string): string {
  const { runtime, quarantineFolder, ui } = watching;
  const { texts } = runtime;
  const { watch: words } = texts;
  switch (notice.event) {
    case "output.owed":
      return formatOwed(watching, branch, notice);
    case "orders.unread":
      return texts.orders.unread(notice.state, number(notice.read, ui), number(notice.total, ui));
    case "quarantine.failed":
      return words.quarantineFailed(why);
    case "quarantine.full":
      return words.quarantineFull(quarantineFolder);
    case "order.quarantined": {
      const { orderId, file } = notice;
      return orderId === undefined ? words.quarantined(file) : words.tooDeep(orderId, file);
    }
    case "number.reused": {
      const format = (createdAt: string): string => isoTimeToSecond(toIso(createdAt), { texts });
      return words.numberReused(notice.orderId, format(notice.createdAt), format(notice.before));
    }
    case "first_run.incomplete":
      // `--since` leaves out the very instant.
      return words.firstRunIncomplete(toIso(String(notice.since - 1)));
    case "state.refused":
      return words.stateRefused(notice.state, why);
  }
}

function formatOwed({ runtime, many, consumer, ui }: Watching, branch: string, owed: Owed): string {
  const words = runtime.texts.watch;
  const command = forgetCommand(runtime, owed.output, { consumer, ...(many && { profile: branch }) });
  return words.owed(owedCounts(owed, ui), describeOutput(owed.output, runtime.texts), command);
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
  const text = withBranch(watching.runtime, name, texts.watch.givenUp(why));
  await watching.screen.warn(text, { event: "watch.stopped", branch: name, ...toReason(error) });
}

const toShare = ({ holder, branches }: Shares["there"][number]) => ({ holder, branches: branches.length });

/** Reports which process watches: for one branch its name, for many the number at each. */
export async function tellShares(watching: Watching, branch: string, { here, there }: Shares): Promise<void> {
  const { runtime, screen, many, consumer, intervalMs, ui } = watching;
  const words = runtime.texts.watch;
  const [first] = there;
  if (!many && first === undefined) {
    const facts = { event: "watch.began", branch, interval_ms: intervalMs, consumer };
    return screen.say(words.watching(branch, age(intervalMs), consumer), facts);
  }
  if (!many && first !== undefined) {
    const { holder } = first;
    const facts = { event: "watch.standby", branch, holder, consumer };
    return screen.say(words.standingBy(holder, branch, consumer), facts);
  }

  const countBranches = (branches: readonly string[]) => count(branches.length, ui);
  const named = there
    .slice(0, maxNamed)
    .map(({ holder, branches }) => [holder, countBranches(branches)] as const);
  const others = there.slice(maxNamed).flatMap(({ branches }) => branches);
  const rest = others.length === 0 ? null : countBranches(others);
  const facts = { event: "watch.shares", here: here.length, there: there.map(toShare) };
  await screen.say(words.shares(countBranches(here), named, rest), facts);
}

export async function tellBegin(watching: Watching, what: string | number): Promise<void> {
  const { runtime, flags, screen, consumer, intervalMs, standby, printers, ui } = watching;
  const { watch: words, orders } = runtime.texts;
  if (flags.once === true) return;
  const isOne = typeof what === "string";
  const name = isOne ? what : orders.status.branches(count(what, ui));
  // With --standby, a notice names who watches it.
  if (standby === undefined || !isOne)
    await screen.say(words.watching(name, age(intervalMs), consumer), {
      event: "watch.began",
      ...(isOne ? { branch: what } : { branches: what }),
      interval_ms: intervalMs,
      consumer,
    });
  if (printers !== undefined)
    await screen.say(words.printing(printers.shown.join(", ")), {
      event: "watch.printing",
      printers: printers.shown,
    });
}
