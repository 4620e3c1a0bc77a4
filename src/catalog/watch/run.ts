import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { AttemptRecord } from "../../api/client.ts";
import { addOutputs, type BranchHealth, newBranch, noteOutput } from "../../cli/health/branch-health.ts";
import { checkHealthFlags, type Listeners, openListeners } from "../../cli/health/listeners.ts";
import { needsFlag } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type Session, withSession } from "../../cli/session/session.ts";
import { backoffMs } from "../../contract/limits.ts";
import { envWord } from "../../delivery/outputs.ts";
import { BposError, type ErrorReason, isReason } from "../../errors.ts";
import { unreadable } from "../../input/file.ts";
import { JournalError, journalFailure } from "../../journal/engine.ts";
import type { WatchFlags } from "./command.ts";
import { Lists } from "./lists.ts";
import { type PushingList, pushList } from "./push-list.ts";
import { Teller } from "./tell.ts";

const lookMs = 500;
const maxPauseMs = 30_000;
/** After Ctrl-C a push goes on for so long. */
const graceMs = 10_000;
const maxRefusals = 5;
/** It has no row of a watch in the journal. */
const noWatch = 0;
const output = "catalog";

/** What another try may get over; anything else ends the watch. */
const passing: readonly ErrorReason[] = [
  ...(["unavailable", "unreadable_answer", "outcome_unknown", "input_refused", "access_denied"] as const),
  ...(["locked", "lock_lost", "journal_unreadable", "journal_write_failed", "clock_ahead"] as const),
  ...(["input_unreadable", "output_unwritable", "memory_short"] as const),
];

interface Watching extends PushingList {
  place: string;
  teller: Teller;
  listeners: Listeners;
  own: BranchHealth;
}

/** Pushes the lists of a place as they are saved, one after the other. */
class ListWatch {
  readonly #watching: Watching;
  readonly #clock: Runtime["system"]["clock"];
  readonly #signal: AbortSignal;
  #trouble: { since: number; tries: number; retryAt: number } | undefined;
  #refusals = 0;
  #hasPushed = false;
  /** The list that is being pushed. */
  current: string | undefined;
  /** What is whole and not pushed, for those who ask how the watch fares. */
  waiting = { lists: 0, oldestAt: 0 };

  constructor(watching: Watching, { system, signal }: Runtime) {
    this.#watching = watching;
    this.#clock = system.clock;
    this.#signal = signal;
  }

  /** Ends when the command is stopped; with `once` when nothing is left that may change. Throws what ends the watch. */
  async run(once: boolean): Promise<void> {
    while (!this.#signal.aborted) {
      try {
        const isLeft = await this.#pushDue();
        if (once && !isLeft) return;
      } catch (error) {
        // Stopped where it waited for its turn, or after the grace of a push.
        if (isReason(error, "interrupted")) return;
        await this.#fail(error, once);
      }
      await this.#clock.sleep(lookMs, this.#signal);
    }
  }

  /** Returns whether something is left that may change. */
  async #pushDue(): Promise<boolean> {
    const { lists, place, teller, own, listeners, session } = this.#watching;
    const { due, held, unsettled } = await lists.look().catch((error: unknown) => {
      throw unreadable(place, error);
    });
    for (const each of held) await teller.held(each);
    this.waiting = { lists: due.length, oldestAt: due[0]?.savedAt ?? 0 };
    if (this.#clock.now() < (this.#trouble?.retryAt ?? 0)) return true;

    let isLeft = unsettled > 0;
    for (const list of due) {
      if (this.#signal.aborted) return true;
      this.current = list.path;
      const outcome = await pushList(this.#watching, list).finally(() => (this.current = undefined));
      if (outcome === "changed") isLeft = true;
      else lists.settle(list);
      if (typeof outcome === "string") continue;
      this.#hasPushed ||= "push" in outcome;
      await this.#recover();
      await teller.outcome(list.path, outcome);
    }
    await this.#recover();
    own.polledAt = this.#clock.now();
    this.waiting = { lists: 0, oldestAt: 0 };
    listeners.ping?.reached(session.branchName);
    return isLeft;
  }

  async #recover(): Promise<void> {
    this.#refusals = 0;
    if (this.#trouble === undefined) return;
    const { own, listeners, session, teller } = this.#watching;
    const now = this.#clock.now();
    const { since } = this.#trouble;
    this.#trouble = undefined;
    Object.assign(own, { state: "ok", since: now });
    noteOutput(own, output, "works", now);
    for (const alarm of listeners.alarms) alarm.recovered(session.branchName);
    await teller.recovered(now - since);
  }

  /** Takes note of a failure that another try may get over. Throws any other. */
  async #fail(thrown: unknown, once: boolean): Promise<void> {
    const { own, listeners, session, teller } = this.#watching;
    const error = thrown instanceof JournalError ? journalFailure(thrown) : thrown;
    if (!(error instanceof BposError)) throw error;
    // Another push of the branch, perhaps a long one: the lists wait for it.
    if (!once && isReason(error, "locked")) return;
    if (isReason(error, "access_denied")) this.#refusals += 1;
    // A key that never worked is wrong; a journal that was replaced does not come back.
    const isFinal =
      this.#refusals > (this.#hasPushed ? maxRefusals - 1 : 0) ||
      (isReason(error, "lock_lost") && error.facts.file !== undefined);
    if (once || isFinal || !passing.includes(error.reason)) {
      own.state = "stopped";
      if (!once) await teller.stopped(error);
      throw error;
    }

    const now = this.#clock.now();
    const isNew = this.#trouble === undefined;
    this.#trouble ??= { since: now, tries: 0, retryAt: now };
    this.#trouble.tries += 1;
    // A folder that is gone is looked for all the time.
    const isAway = isReason(error, "input_unreadable");
    const pauseMs = backoffMs(this.#trouble.tries, { firstMs: 1_000, maxMs: maxPauseMs });
    this.#trouble.retryAt = isAway ? now : now + pauseMs;
    if (isReason(error, "journal_unreadable")) listeners.metrics?.journalFailed();
    for (const alarm of listeners.alarms) alarm.lasts(session.branchName, this.#trouble.since);
    if (!isNew) return;
    Object.assign(own, { state: "outage", since: now });
    noteOutput(own, output, "failed", now);
    await teller.outage(error, now);
  }
}

type Place = "folder" | "file" | "missing";

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** What stands there; a list that is yet to be saved needs its folder. Throws `input_unreadable`. */
async function findPlace(place: string, cwd: string): Promise<Place> {
  const path = resolve(cwd, place);
  try {
    const found = await stat(path);
    if (found.isDirectory()) return "folder";
    if (found.isFile()) return "file";
  } catch (error) {
    if (isMissing(error) && (await exists(dirname(path)))) return "missing";
    throw unreadable(place, error);
  }
  throw new BposError("input_unreadable", { file: place, detail: { kind: "not_regular" } });
}

function checkFlags(place: string, found: Place, flags: WatchFlags): void {
  checkHealthFlags(flags);
  if (flags.exec === undefined && flags.execTimeout !== undefined)
    throw needsFlag("--exec-timeout", "--exec");
  if (flags.maxDeactivate !== undefined && flags.deactivateMissing !== true)
    throw needsFlag("--max-deactivate", "--deactivate-missing");
  if (found === "missing" && flags.once === true)
    throw new BposError("input_unreadable", { file: place, detail: { kind: "file_missing" } });
  // Each list would deactivate the products of the others.
  if (found === "folder" && flags.deactivateMissing === true)
    throw new BposError("usage_flag", { problem: { kind: "folder_deactivates" } });
}

/** What a push of the watch is stopped by: Ctrl-C lets it end, for a while. */
function openGrace({ system, signal }: Runtime, stopping: () => void): AbortSignal {
  const late = new AbortController();
  const begin = (): void => {
    stopping();
    system.clock.later(graceMs, () => late.abort());
  };
  signal.addEventListener("abort", begin, { once: true });
  return late.signal;
}

function openListWatch(
  runtime: Runtime,
  session: Session,
  {
    place,
    isFolder,
    flags,
    listeners,
  }: Pick<Watching, "place" | "listeners"> & { isFolder: boolean; flags: WatchFlags },
): { watch: ListWatch; own: BranchHealth } {
  const { system } = runtime;
  const { output: desk, branchName: branch } = session;
  const own = { ...newBranch("ok", system.clock.now(), new Map()), watchId: noWatch };
  addOutputs(own, [output]);
  const signal = openGrace(runtime, () => {
    if (watch.current !== undefined) void desk.notice(desk.texts.lists.stopping(watch.current));
  });
  const teller = new Teller({ runtime, output: desk, branch, flags, listeners, signal });
  const watching: Watching = {
    runtime: { ...runtime, signal },
    session: { ...session, output: withoutRepeats(desk) },
    place,
    lists: new Lists(system, place, isFolder),
    flags,
    teller,
    listeners,
    own,
  };
  const watch: ListWatch = new ListWatch(watching, runtime);
  return { watch, own };
}

/** One watch of a place at a time; others may watch other places for the same branch. Throws `locked`. */
async function lockPlace({ system }: Runtime, { openJournal }: Session, place: string): Promise<void> {
  const { lock } = await openJournal();
  try {
    await lock("watch", { consumer: `lists ${system.host}:${resolve(system.cwd, place)}` });
  } catch (error) {
    throw isReason(error, "locked") ? new BposError("locked", { ...error.facts, wanted: "lists" }) : error;
  }
}

/** The notices of a list are the same at each save. */
function withoutRepeats(desk: Session["output"]): Session["output"] {
  const said = new Set<string>();
  return {
    ...desk,
    async notice(text, facts) {
      if (!said.has(text)) await desk.notice(text, facts);
      said.add(text);
    },
  };
}

export async function watch(runtime: Runtime, place: string, flags: WatchFlags): Promise<void> {
  const { system } = runtime;
  const found = await findPlace(place, system.cwd);
  checkFlags(place, found, flags);
  const listeners: Listeners = { alarms: [] };
  const needs = {
    address: "base_url",
    formats: ["table", "ndjson"],
    onAttempt: (record: AttemptRecord) => listeners.metrics?.requested(record),
  } as const;

  await withSession(runtime, needs, async (session) => {
    const { output: desk, branchName: branch } = session;
    await lockPlace(runtime, session, place);
    const { watch: lists, own } = openListWatch(runtime, session, {
      place,
      isFolder: found === "folder",
      flags,
      listeners,
    });
    const askOwed = () => {
      const { lists: undelivered, oldestAt } = lists.waiting;
      return Promise.resolve(undelivered === 0 ? [] : [{ watchId: noWatch, output, undelivered, oldestAt }]);
    };
    const unlisten = await openListeners({
      runtime,
      flags,
      of: "lists",
      intervalMs: lookMs,
      health: { branches: new Map([[branch, own]]), listeners, askOwed },
      screen: { say: (text) => desk.notice(text), warn: (text) => desk.warning(text) },
      ending: { signal: runtime.signal },
      tell: (event, name) => runtime.onEvent?.({ event, branch: envWord(name) }),
    });
    try {
      const facts = { event: "watch.began", branch, file: place };
      if (flags.once !== true) await desk.notice(desk.texts.lists.watching(place, branch), facts);
      if (found === "missing")
        await desk.notice(desk.texts.lists.missing(place), { event: "catalog.missing", branch, file: place });
      await lists.run(flags.once === true);
    } finally {
      for (const alarm of listeners.alarms) alarm.close();
      await unlisten();
    }
  });
  if (runtime.signal.aborted) throw new BposError("interrupted", { during: "lists" });
}
