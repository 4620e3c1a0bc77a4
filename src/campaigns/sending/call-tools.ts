import type { Client } from "../../api/client.ts";
import type { Session } from "../../cli/session/session.ts";
import type { WaitReason } from "../../errors/problems.ts";
import type { Journal } from "../../journal/journal.ts";
import type { SendScope, SendTemplate } from "../../journal/records/sends.ts";

/** What the rest of a send waits for. */
export interface Wait {
  sendId: string;
  ref: string;
  reason: WaitReason;
  /** When to look again, and when that ends, epoch milliseconds. */
  at: number;
  until: number;
  calls: number;
  people: number;
}

export interface CallTools {
  client: Pick<Client, "sendCampaign" | "readCampaign">;
  /** Under the lock of the branch: another one after each pause. */
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
  /** Says what the rest waits for, and how a trial ended. */
  tell: (event: SendEvent) => Promise<void>;
}

export type SendEvent =
  | { event: "waiting"; wait: Wait }
  | { event: "canary_passed"; ref: string; failed: number; people: number };

export type Scope = SendScope & { template: SendTemplate };
