import type { Sql } from "../engine/engine.ts";

export interface Lock {
  work: "push" | "send" | "watch" | "listen";
  /** An id that `branchId` makes; `all` for listening, which is for every branch. */
  branch: string;
  consumer?: string;
}

export type Holder = { id: string; pid: number; host: string };

/** A lock by its name, and its process: since when that holds locks, and until when without a renewal; epoch milliseconds. */
export type HeldLock = Omit<Holder, "id"> & {
  holder: string;
  name: string;
  since: number;
  expiresAt: number | null;
};

/** A live process. `shares` names what it shares with other processes; `turns` changes with each lock that it takes or releases. */
export type Sharer = Pick<Holder, "id"> & { turns: number; shares: string | null };

/** A lock that this process holds. */
export interface OwnLock {
  /** Each transaction of it, and each statement that writes, makes sure in the same step that the lock is held. They throw LockLost. */
  sql: Sql;
  /** Await it right before anything is sent or delivered. Throws LockLost, and JournalError if the state of the lock is unknown. */
  check: () => Promise<void>;
  /** Releases it before the others: another process can take it at once. */
  release: () => Promise<void>;
}

export interface Locks {
  /** This process, as `HeldLock` names it. */
  readonly holder: string;
  /** Takes a lock until `release`. Throws `locked` naming the process that has it, this one included; `journal_unreadable`. */
  take(lock: Lock): Promise<OwnLock>;
  /** Takes those that nobody holds, of many locks at once, and returns them by their names; `work` is done in the same step. */
  takeFree(
    locks: readonly Lock[],
    work: (sql: Sql, taken: readonly Lock[]) => Promise<void>,
  ): Promise<Map<string, OwnLock>>;
  /** Says what this process shares, and who else lives, this process included; undefined where that is not known, and `held` has to be asked. */
  share(what: string): Promise<Sharer[] | undefined>;
  /** All locks that somebody who lives seems to hold, or waits for. */
  held(how?: { waits: boolean }): Promise<HeldLock[]>;
  /** Says which locks this process waits for, in place of what it said before, until it ends. */
  standBy(locks: readonly Lock[]): Promise<void>;
  release(): Promise<void>;
}

/** A branch is hexadecimal, so that the rest is the consumer, whatever is in its name. */
export const lockName = ({ work, branch, consumer }: Lock): string =>
  consumer === undefined ? `${work} ${branch}` : `${work} ${branch} ${consumer}`;

/** A wait for a lock is kept as a lock is, under a name of the process's own: it ends with its process, however that ends. */
export const waitName = (lock: Lock, { id }: Pick<Holder, "id">): string => `standby ${id} ${lockName(lock)}`;
export const isWait = "name LIKE 'standby %'";
/** Returns the name of the lock that a wait is for, or the name as it is. */
export const readName = (name: string): string => name.replace(/^standby \S+ /, "");

export function lockNamed(name: string): Lock {
  const [work = "", branch = "", ...consumer] = name.split(" ");
  const lock = { work: work as Lock["work"], branch };
  return consumer.length === 0 ? lock : { ...lock, consumer: consumer.join(" ") };
}
