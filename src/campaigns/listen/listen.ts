import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { maxJsonDepth, nestingOf, parseJson } from "../../api/json.ts";
import { maskedBody } from "../../api/send-masked.ts";
import { isoWithOffset } from "../../contract/instants.ts";
import { Bell, type Outcome, OutputWorker } from "../../delivery/deliver.ts";
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
import type { ListenNotice, ReplyEvent, ReplyOutput } from "./reply-events.ts";
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

const firstPauseMs = 1_000;
const journalPauseMs = 5_000;
const closeGraceMs = 300;

const isJournalFailure = (error: unknown): error is Error =>
  error instanceof Error && error.name === "SqliteError";

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

/** Delivers replies to one output, oldest first. */
class ReplyDeliveries {
  readonly #world: ListenWorld;
  readonly #output: ReplyOutput;
  readonly #signal: AbortSignal;
  readonly #worker: OutputWorker;
  /** Told that it takes nothing. */
  #isDown = false;

  constructor(world: ListenWorld, output: ReplyOutput, signal: AbortSignal) {
    const { journal, clock, tell } = world;
    this.#world = world;
    this.#output = output;
    this.#signal = signal;
    this.#worker = new OutputWorker({
      next: (after) => nextArrival(journal, output.name, after),
      deliver: (arrival, againMs) => this.#deliver(arrival, againMs),
      async recover(error) {
        if (!isJournalFailure(error)) throw error;
        await tell({ event: "journal_failed", detail: error.message, againMs: journalPauseMs });
        await clock.sleep(journalPauseMs, signal);
      },
      ...{ now: () => clock.now(), sleep: (...how) => clock.sleep(...how) },
      ...{ firstPauseMs, toleranceMs: 0, signal },
    });
  }

  /** Delivers until the signal aborts. `bell` rings when another reply is in the journal. */
  run(bell: Bell): Promise<void> {
    return this.#worker.run(bell);
  }

  async #deliver(arrival: number, againMs: number): Promise<Outcome> {
    const { journal, tell } = this.#world;
    const { name } = this.#output;
    const open = openReply(journal, name, arrival);
    const wasBegun = open.state === "begun";
    const reply = replyEvent(journal, open.body, { at: open.at, repeated: open.again === 1 || wasBegun });
    recordHanding(journal, name, { arrival, state: "begun" });
    const failure = await this.#output.give(reply, this.#signal);
    if (failure === undefined) {
      recordHanded(journal, name, arrival);
      if (this.#isDown && this.#worker.failed(arrival) === 0) {
        this.#isDown = false;
        await tell({ event: "output_works", output: name });
      }
      return "delivered";
    }
    if (failure.kind === "stopped") {
      await tell({ event: "unfinished", reply, output: name });
      return "stopped";
    }
    const waiting = waitingReplies(journal).find(({ output }) => output === name)?.replies ?? 0;
    const first = !this.#isDown;
    this.#isDown = true;
    await tell({ event: "output_failed", reply, failure, againMs, output: name, first, waiting });
    // It is known not to have it, unless a crash before this try left that open.
    if (!wasBegun) recordHanding(journal, name, { arrival, state: "open" });
    return "failed";
  }
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
  bell: Bell,
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
      if (!isJournalFailure(error)) throw error;
      void tell({ event: "not_kept", detail: error.message });
      throw new Refusal(503, "not_kept", "it could not be written down: try again");
    }
    bell.ring();
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
  const bell = new Bell();
  const failed = new AbortController();
  const failures: unknown[] = [];
  const fail = (error: unknown): void => {
    failures.push(error);
    failed.abort();
  };
  const receiver = await openReceiver(
    {
      ...{ host, port, secret, onlyOwnNames },
      ...{ take: keeper(world, id, bell), onRefusal: tellRefusals(world) },
      ...(requestMs !== undefined && { requestMs }),
    },
    fail,
  );
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const closed = new Promise<void>((resolve) => {
    const close = (): void => {
      bell.ring();
      void receiver.close(closeGraceMs).then(resolve);
    };
    if (signal.aborted) close();
    else signal.addEventListener("abort", close, { once: true });
  });
  const isOurs = (name: string): boolean => outputs.some((output) => output.name === name);
  const waiting = waitingReplies(journal).filter(({ output }) => !isOurs(output));
  await tell({ event: "listening", port: receiver.port, waiting });
  for (const { gone } of outputs) void gone?.then(fail);
  await Promise.all(
    outputs.map((output) => new ReplyDeliveries(world, output, signal).run(bell).catch(fail)),
  );
  await closed;
  if (failures.length > 0) throw failures[0];
}
