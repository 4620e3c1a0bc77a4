import type { WaitReason } from "../../errors/problems.ts";

/** Nobody is messaged twice under one reference of one branch. */
export type SendScope = { branch: string; ref: string };

export type SendTemplate = Record<"name" | "id" | "language", string | null>;

/** A call of a send before its first attempt. */
export interface PlannedCall extends Pick<JournalCall, "idempotency_key" | "body"> {
  /** Whether it is of the canary, whose outcome the others wait for. */
  isCanary: boolean;
  persons: readonly string[];
  /** The line of the file on which each recipient of the body stands, in the order of the body. */
  lines: readonly number[];
}

/** planned: never left; attempted: left, outcome unknown; sent: answered. */
export type CallState = "planned" | "attempted" | "sent";

export interface KeptCall {
  send_id: string;
  n: number;
  idempotency_key: string;
  people: number;
  state: CallState;
  campaign_id: string | null;
  answer: string | null;
  answered_at: number | null;
  ahead_ms: number | null;
}

export type JournalCall = KeptCall & {
  /** "" until it is asked for: those of a million people together are not held in memory. */
  body: string;
  /** JSON text; null until it is asked for, and once the call was pruned. */
  lines: string | null;
  not_after: number | null;
  /** JSON text of what was confirmed of when calls may leave; null for at once. */
  schedule: string | null;
  is_canary: number;
  attempted_at: number | null;
};

/** The deadline for calls that were not sent, epoch milliseconds, and when calls may leave. */
export type Terms = { notAfter: number | null; schedule: string | null };

/** The reasons why a person of the file is not in a send. */
export const leftOutReasons = [
  "opted_out",
  "excluded",
  "not_failed",
  "not_final",
  "not_listed",
  "not_in_send",
] as const;
export type LeftOut = { person: string; reason: (typeof leftOutReasons)[number] };

/** One person, left out of one send; `template` is its name or id. */
export type LeftOutSend = Pick<LeftOut, "reason"> & { at: number; ref: string; template: string };

export interface KnownSend extends SendScope {
  seq: number;
  send_id: string;
  template: SendTemplate;
  at: number;
  isTest: boolean;
  /** JSON text; null when its process was killed before the end. */
  report: string | null;
  /** When it can go on, epoch milliseconds, by the last run that sent of it; null if nothing had to wait. */
  waits_until: number | null;
  waits_for: WaitReason | null;
}

export interface NewSend extends Omit<KnownSend, "seq" | "report" | "waits_until" | "waits_for">, Terms {
  /** The columns of the file that fill the template's variables, in their order. */
  paramNames: readonly string[];
  /** The template's text, if known. */
  templateText?: string | undefined;
}

export interface EarlierMessage {
  person: string;
  ref: string;
  /** The time at which it last left, epoch milliseconds of this machine's clock as it goes now. */
  leftAt: number;
  campaignId: string | null;
  /** The newest send when it last left. */
  afterSeq: number;
}

/** Epoch milliseconds of this machine's clock, and how far that is ahead of the service's where it is known. */
export type MachineTime = { at: number; aheadMs?: number | undefined };

/** A call with one person in it; the two lists are JSON text, `lines` null once the call was pruned. */
export type PersonCall = Omit<KeptCall, "idempotency_key"> &
  Pick<JournalCall, "body"> &
  Pick<KnownSend, "ref" | "at" | "isTest"> &
  Record<"template" | "template_text" | "lines", string | null> & { param_names: string };

export type RepliedSend = Pick<KnownSend, "send_id" | "ref" | "at"> & { template: string | null };
