import type { Client } from "../../api/client.ts";
import type { Session } from "../../cli/session/session.ts";
import type { WaitReason } from "../../errors/problems.ts";
import type { Journal } from "../../journal/journal.ts";
import type { SendScope, SendTemplate } from "../../journal/records/sends.ts";

/** When to try again, and why not before. */
export interface NextTry {
  reason: WaitReason;
  /** Epoch milliseconds, as `until` is: when the reason is over at the latest. */
  at: number;
  until: number;
}

/** The calls of a send that wait, and the soonest that any of them may leave. */
export interface Wait extends NextTry {
  sendId: string;
  ref: string;
  calls: number;
  people: number;
}

/** One transition that happened. `was` is the state in which the call or the send was: always `from`. */
export interface Transition {
  of: "call" | "send";
  /** `send_id n` of the call, or the id of the send. */
  name: string;
  was: string;
  from: string;
  event: string;
  to: string;
}

export interface CallTools {
  client: Pick<Client, "sendCampaign" | "readCampaign">;
  /** The journal under the lock of the branch; after each pause, under a new lock. */
  journal: Journal;
  clock: { now(): number };
  signal: AbortSignal;
  clockAheadMs: () => number | undefined;
  worldTime: Session["worldTime"];
  /** How many calls of one send may be under way at the same time; one without it. */
  inFlight?: number | undefined;
  onProgress?: (progress: { calls: number; allCalls: number; people: number; allPeople: number }) => void;
  /** Gives the lock up, waits, and takes it again: the journal may know more then. Throws `interrupted`. */
  pause: (wait: Wait) => Promise<Journal>;
  /** Says what the rest waits for, and how a canary ended. */
  tell: (event: SendEvent) => Promise<void>;
  /** Hears of each transition of a call and of a send. */
  onTransition?: (transition: Transition) => void;
}

export type SendEvent =
  | { event: "waiting"; wait: Wait }
  | { event: "canary_passed"; ref: string; failed: number; people: number };

export type Scope = SendScope & { template: SendTemplate };
