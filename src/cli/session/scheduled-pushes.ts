import { basename } from "node:path";
import { isoWithOffset } from "../../contract/limits.ts";
import { BposError, isReason } from "../../errors.ts";
import { isJournalAway } from "../../journal/engine.ts";
import type { Journal } from "../../journal/journal.ts";
import { lockNamed } from "../../journal/locks.ts";
import type { DuePush, ScheduledPush } from "../../journal/scheduled.ts";
import { age, count, visible } from "../display/format.ts";
import type { LogFacts } from "../display/log.ts";
import { describeError } from "../display/output.ts";
import type { Runtime } from "../runtime.ts";
import type { Session } from "./session.ts";

/** At the same time; each may hold a whole list in memory. */
const maxSending = 4;
const lateMs = 5 * 60_000;
const maxNamed = 5;

/** What came of a try: `away` where another process sends it, or nobody any more; `later` where it is to be tried again. */
export type ScheduledEnd =
  | { kind: "away" }
  | { kind: "later"; error: BposError }
  | {
      kind: "sent" | "refused" | "missed";
      push: ScheduledPush;
      error?: BposError;
      outcome: string;
      accepted: number;
      rejected: number;
      /** The products that were pushed since it was scheduled: left as they are, unless `isForced`. */
      differ: readonly string[];
      isForced: boolean;
    };

/** Sends a push whose time has come; how the catalog does it, which this part does not know. */
export type SendScheduled = (runtime: Runtime, session: Session, due: DuePush) => Promise<ScheduledEnd>;

/** A line of `-o ndjson` of a watch. */
export type ScheduledEvent = {
  event: "push.sent" | "push.refused" | "push.missed" | "push.delayed";
  at: string;
  branch: string;
  push_id: string;
  scheduled_for: string;
} & Record<string, unknown>;

interface Options {
  runtime: Runtime;
  sessions: readonly [Session, ...Session[]];
  /** How long after it was scheduled a push is found at most, milliseconds. */
  everyMs: number;
  signal: AbortSignal;
  send: SendScheduled;
  say: (branch: string, text: string, facts?: LogFacts) => Promise<void>;
  warn: (branch: string, text: string, facts?: LogFacts) => Promise<void>;
  emit: (event: ScheduledEvent) => void;
  /** Of what somebody has to look at. */
  failed: (branch: string) => void;
}

/** As sentences name it. */
export const shortName = ({ push_id, file }: Pick<ScheduledPush, "push_id" | "file">) => ({
  id: push_id.slice(0, 8),
  file: file && visible(basename(file)),
});

const listCodes = (codes: readonly string[]): string =>
  [...codes.slice(0, maxNamed).map(visible), ...(codes.length > maxNamed ? ["…"] : [])].join(", ");

/** Whether a process runs that sends what waits for this branch. */
export async function isWatched(journal: Journal, branch: string): Promise<boolean> {
  const locks = (await journal.held()).map(({ name }) => lockNamed(name));
  return locks.some((lock) => lock.work === "watch" && lock.branch === branch);
}

/** Sends the pushes whose time comes while a watch runs, beside its own work, which never waits for them. */
export class ScheduledPushes {
  readonly #options: Options;
  /** By branch. */
  readonly #sending = new Map<string, Promise<void>>();
  /** Branches that are left in peace until then, so that the others have their turn. */
  readonly #restUntil = new Map<string, number>();
  readonly #delayed = new Set<string>();
  #noLater: (() => void) | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Looks for what is due, and begins to send it; looks again after `everyMs`, and when the next one is due. Never rejects. */
  async look(): Promise<void> {
    const { everyMs, signal, runtime } = this.#options;
    const { clock } = runtime.system;
    const nextMs = await this.#begin().catch(() => everyMs);
    this.#noLater?.();
    if (!signal.aborted) this.#noLater = clock.later(nextMs, () => void this.look());
  }

  /** Ends once nothing is being sent. */
  async close(): Promise<void> {
    this.#noLater?.();
    while (this.#sending.size > 0) await Promise.all(this.#sending.values());
    this.#noLater?.();
  }

  /** Returns the milliseconds until it looks again. */
  async #begin(): Promise<number> {
    const { sessions, runtime, everyMs, signal } = this.#options;
    const { journal } = await sessions[0].openJournal();
    // One query, however many branches there are.
    const due = await journal.scheduled.due();
    const now = runtime.system.clock.now();
    let nextMs = everyMs;
    if (due.length === 0 || signal.aborted) return nextMs;
    for (const session of sessions) {
      const { branchNow } = await session.openJournal();
      const branch = branchNow();
      // A later one waits for the earlier ones: the newest list is to be the last.
      const first = due.find((each) => each.branch === branch);
      const isBusy = this.#sending.has(branch) || (this.#restUntil.get(branch) ?? 0) > now;
      if (first === undefined || isBusy) continue;
      if (first.due_at > now) nextMs = Math.min(nextMs, first.due_at - now);
      else if (this.#sending.size < maxSending) this.#start(session, first);
    }
    return nextMs;
  }

  #start(session: Session, due: DuePush): void {
    const sending = this.#send(session, due).then((isOver) => {
      const { runtime, everyMs } = this.#options;
      if (!isOver) this.#restUntil.set(due.branch, runtime.system.clock.now() + everyMs);
      this.#sending.delete(due.branch);
      return this.look();
    });
    this.#sending.set(due.branch, sending);
  }

  /** Returns whether the next one may follow at once. */
  async #send(session: Session, due: DuePush): Promise<boolean> {
    const { runtime, signal, send, warn } = this.#options;
    const { branchName, output } = session;
    const quiet = {
      ...output,
      format: "json" as const,
      quiet: true,
      data: () => Promise.resolve(),
      document: () => Promise.resolve(),
      notice: () => Promise.resolve(),
      mismatches: () => Promise.resolve(),
      warning: (text: string, facts?: LogFacts) => warn(branchName, text, facts),
    };
    try {
      const end = await send({ ...runtime, signal }, { ...session, output: quiet }, due);
      await this.#tell(session, due, end);
      return end.kind !== "away" && end.kind !== "later";
    } catch (error) {
      // The watch itself says that the journal cannot be reached.
      if (signal.aborted || isJournalAway(error)) return false;
      const known = error instanceof BposError ? error : new BposError("bug", { detail: String(error) });
      await this.#tellDelayed(session, due, known);
      return false;
    }
  }

  #about({ branchName: branch }: Session, { push_id, due_at }: DuePush) {
    const at = isoWithOffset(this.#options.runtime.system.clock.now());
    return { at, branch, push_id, scheduled_for: isoWithOffset(due_at) };
  }

  async #tellDelayed(session: Session, due: DuePush, error: BposError): Promise<void> {
    const { runtime, signal, warn, emit, failed } = this.#options;
    if (signal.aborted || isReason(error, "interrupted") || this.#delayed.has(due.push_id)) return;
    this.#delayed.add(due.push_id);
    const { texts } = runtime;
    const { reason } = error;
    const event = { event: "push.delayed", ...this.#about(session, due), reason } as const;
    emit(event);
    failed(session.branchName);
    const why = await describeError(error, texts);
    const text = texts.push.scheduled.delayed(shortName(due), why);
    await warn(session.branchName, text, event);
  }

  async #tell(session: Session, due: DuePush, end: ScheduledEnd): Promise<void> {
    if (end.kind === "away") return;
    if (end.kind === "later") return this.#tellDelayed(session, due, end.error);
    const { runtime, say, warn, emit, failed } = this.#options;
    const { kind, push, error, outcome, accepted, rejected, differ, isForced } = end;
    const { texts, system } = runtime;
    const words = texts.push.scheduled;
    const ui = session.output.errorUi;

    const overdueMs = system.clock.now() - push.due_at;
    const name = shortName(push);
    const late = overdueMs > lateMs ? age(overdueMs) : null;
    const why = error && (await describeError(error, texts, { advises: true }));
    const codes = listCodes(differ);
    const sentences = {
      sent: () => words.sent(name, { accepted: count(accepted, ui), rejected: count(rejected, ui), late }),
      refused: () => words.refused(name),
      missed: () => words.missed(name),
    };
    const text = [
      sentences[kind](),
      ...(why === undefined ? [] : [why]),
      ...(differ.length > 0 ? [words.differ(count(differ.length, ui), { codes, isForced })] : []),
    ].join(" ");

    const facts = kind === "sent" ? { outcome, accepted, rejected, left_alone: isForced ? [] : differ } : {};
    const event = {
      event: `push.${kind}` as const,
      ...this.#about(session, due),
      ...facts,
      ...(error && { reason: error.reason }),
    };
    emit(event);
    const isWell =
      kind === "sent" && error === undefined && rejected + differ.length === 0 && outcome !== "stale";
    if (!isWell) failed(session.branchName);
    await (isWell && late === null ? say : warn)(session.branchName, text, event);
  }
}
