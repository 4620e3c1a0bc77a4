import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { maxJsonDepth, nestingOf, parseJson } from "../../api/json.ts";
import { maskedBody } from "../../api/send-masked.ts";
import { isoWithOffset } from "../../contract/instants.ts";
import { Deliveries } from "../../delivery/deliver.ts";
import { isJournalError } from "../../journal/journal-failure.ts";
import type { Journal } from "../../journal/open.ts";
import {
  nextArrival,
  openReply,
  recordHanded,
  recordHanding,
  recordReply,
  sendOfReply,
  waitingReplies,
} from "../../journal/replies.ts";
import { type Access, Refusal } from "./reply-access.ts";
import type { ListenNotice, ReplyEvent, ReplyFailure, ReplyOutput } from "./reply-events.ts";
import { replyFields } from "./reply-fields.ts";
import { openReceiver, type ReceiverOptions } from "./reply-server.ts";

/** What listening needs of the outside world. */
export interface ListenWorld {
  clock: { now(): number; sleep(ms: number, signal?: AbortSignal): Promise<void> };
  journal: Journal;
  /** Each gets every reply, in its own time. */
  outputs: readonly ReplyOutput[];
  tell: (notice: ListenNotice) => Promise<void>;
  /** Takes out of a text what must not be kept or shown. */
  mask: (text: string) => string;
}

/** How to listen. */
export interface ListenOptions extends Access {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Marks what this process forwards, so that it is known when it comes back. */
  id: string;
  signal: AbortSignal;
  /** Milliseconds for a request to come in whole. */
  requestMs?: number;
}

/** The header that carries the id of the process that forwarded a reply. */
export const forwardedBy = "bpos-forwarded-by";

const firstBackoffMs = 1_000;
const journalPauseMs = 5_000;
const closeGraceMs = 300;

/** The value that a reply's text stands for. Throws SyntaxError. */
const valueIn = (text: string): unknown => parseJson(text.replace(/^\ufeff/, ""));

/** A reply's text. Throws Refusal 400 for what is not JSON. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (!isUtf8(bytes)) throw new Refusal(400, "not_json", "the body is not JSON in UTF-8");
  if (nestingOf(text).deep.length > 0)
    throw new Refusal(400, "too_deep", `the body is nested more than ${maxJsonDepth} deep`);
  try {
    valueIn(text);
  } catch {
    throw new Refusal(400, "not_json", "the body is not JSON in UTF-8");
  }
  return text;
}

/** Delivers replies, oldest first, from the journal. */
function startDeliveries(
  { journal, clock, outputs, tell }: ListenWorld,
  signal: AbortSignal,
): Deliveries<ReplyEvent, ReplyFailure, ReplyOutput> {
  const waitingFor = (name: string): number =>
    waitingReplies(journal).find(({ output }) => output === name)?.replies ?? 0;
  const deliveries = new Deliveries<ReplyEvent, ReplyFailure, ReplyOutput>({
    outputs,
    outbox: {
      next: (output, after) => nextArrival(journal, output, after),
      begin(output, arrival) {
        const { body, at, again, state } = openReply(journal, output, arrival);
        const wasBegun = state === "begun";
        const item = replyEvent(journal, body, { at, repeated: again === 1 || wasBegun });
        recordHanding(journal, output, { arrival, state: "begun" });
        return { item, wasBegun };
      },
      delivered: (output, arrival) => recordHanded(journal, output, arrival),
      notDelivered: (output, arrival) => recordHanding(journal, output, { arrival, state: "open" }),
    },
    async onFailed({ item: reply, output: { name: output }, failure, againMs, isFirst: first }) {
      const waiting = waitingFor(output);
      await tell({ event: "output_failed", reply, failure, againMs, output, first, waiting });
      return undefined;
    },
    onRecovered: ({ name }) => tell({ event: "output_works", output: name }),
    onUnfinished: (reply, { name }) => tell({ event: "unfinished", reply, output: name }),
    async onError(error) {
      if (!isJournalError(error)) throw error;
      await tell({ event: "journal_failed", detail: error.message, againMs: journalPauseMs });
      await clock.sleep(journalPauseMs, signal);
      deliveries.wake();
    },
    ...{ now: () => clock.now(), sleep: (...how) => clock.sleep(...how) },
    ...{ firstBackoffMs, toleranceMs: 0, signal },
  });
  return deliveries;
}

function replyEvent(
  journal: Journal,
  text: string,
  { at, repeated }: { at: number; repeated: boolean },
): ReplyEvent {
  const body = valueIn(text);
  const fields = replyFields(body);
  const { campaign_id, external_ref } = fields;
  const send = sendOfReply(journal, { campaign_id, external_ref });
  const send_id = send?.send_id ?? null;
  return {
    event: { event: "reply", at: isoWithOffset(at), campaign_id, external_ref, send_id, repeated, body },
    ...{ body: text, fields, send },
  };
}

/** After so long somebody who does not know the secret is told of again: it may have been changed on one side only. */
const strangerPauseMs = 60_000;

/** Told of what was not taken: each status once, or a stranger could fill the screen. */
function tellRefusals({ tell, clock }: ListenWorld): (refusal: Refusal) => void {
  const told = new Map<number, number>();
  return ({ status, reason }) => {
    // Of what could not be written down is told where that is known.
    if (reason === "not_kept" || reason === "defect") return;
    const pauseMs = reason === "wrong_secret" ? strangerPauseMs : Number.POSITIVE_INFINITY;
    const now = clock.now();
    if (now - (told.get(status) ?? Number.NEGATIVE_INFINITY) < pauseMs) return;
    told.set(status, now);
    void tell({ event: "refused", status, reason });
  };
}

/** What the receiver does with a POST: once it returns, the reply is on the disk. It throws Refusal. */
function keeper(
  { clock, journal, outputs, tell, mask }: ListenWorld,
  id: string,
  onKept: () => void,
): ReceiverOptions["take"] {
  const names = outputs.map(({ name }) => name);
  return (bytes, headers) => {
    if (headers[forwardedBy] === id)
      throw new Refusal(400, "came_back", "this process forwarded it: --forward-to leads back here");
    const body = maskedBody(textOf(bytes), mask);
    const hash = createHash("sha256").update(bytes).digest("hex");
    try {
      recordReply(journal, { hash, body, at: clock.now(), outputs: names });
    } catch (error) {
      if (!isJournalError(error)) throw error;
      void tell({ event: "not_kept", detail: error.message });
      throw new Refusal(503, "not_kept", "it could not be written down: try again");
    }
    onKept();
  };
}

/**
 * Receives replies as POSTs of JSON, and answers each once it is on the disk; then every output gets it. What an output has
 * not got when this ends, it gets in the next run. Resolves when `options.signal` aborts; rejects with what opening the
 * port or an output throws.
 */
export async function listenReplies(world: ListenWorld, options: ListenOptions): Promise<void> {
  const { journal, outputs, tell } = world;
  const { host, port, id, requestMs, secret, onlyOwnNames } = options;
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const failures: unknown[] = [];
  const fail = (error: unknown): void => {
    failures.push(error);
    stop.abort();
  };
  let deliveries: ReturnType<typeof startDeliveries> | undefined;
  const receiver = await openReceiver(
    {
      ...{ host, port, secret, onlyOwnNames },
      ...{ take: keeper(world, id, () => deliveries?.wake()), onRefusal: tellRefusals(world) },
      ...(requestMs !== undefined && { requestMs }),
    },
    fail,
  );
  const closed = new Promise<void>((resolve) => {
    const close = (): void => void receiver.close(closeGraceMs).then(resolve);
    if (signal.aborted) close();
    else signal.addEventListener("abort", close, { once: true });
  });
  const isOurs = (name: string): boolean => outputs.some((output) => output.name === name);
  const waiting = waitingReplies(journal).filter(({ output }) => !isOurs(output));
  await tell({ event: "listening", port: receiver.port, waiting });
  deliveries = startDeliveries(world, signal);
  // What ends one output ends the listening.
  deliveries.ended.addEventListener("abort", () => stop.abort());
  await deliveries.done().catch(fail);
  await closed;
  if (failures.length > 0) throw failures[0];
}
