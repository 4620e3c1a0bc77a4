import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { isLosslessNumber } from "lossless-json";
import { maskedBody } from "../../api/answer.ts";
import { type Address, userAgent } from "../../api/call.ts";
import { deepParts, maxJsonDepth, parseJson } from "../../api/json.ts";
import { type Dispatcher, send, TransportError } from "../../api/transport.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { Deliveries, type FailedDelivery, type Output } from "../../delivery/deliver.ts";
import { type ExecFailure, type ExecOptions, envWord, execOutput } from "../../delivery/outputs.ts";
import type { Detail, ReplyRefusal } from "../../errors/problems.ts";
import { isJournalError } from "../../journal/engine.ts";
import type { Journal } from "../../journal/journal.ts";
import type { RepliedSend, Sends } from "../../journal/sends.ts";
import { type Access, openReceiver, type ReceiverOptions, Refusal } from "./server.ts";

/** What is recognised in a reply. Only the first two may be relied on. */
interface ReplyFields {
  campaign_id: string | null;
  external_ref: string | null;
  phone: string | null;
  text: string | null;
}

/** How services call these fields; the earlier name wins. */
const fieldNames: Readonly<Record<keyof ReplyFields, readonly string[]>> = {
  campaign_id: ["campaign_id"],
  external_ref: ["external_ref"],
  phone: ["phone", "telefono", "phone_number", "wa_id", "from"],
  text: ["text", "texto", "message", "body"],
};

const maxFieldDepth = 6;

/** A field of one object: a text that is not empty, or a number. */
function ownText(part: object, field: keyof ReplyFields): string | null {
  for (const name of fieldNames[field]) {
    const value: unknown = Object.hasOwn(part, name) ? (part as Record<string, unknown>)[name] : undefined;
    const isNumber = typeof value === "number" || typeof value === "bigint" || isLosslessNumber(value);
    if (isNumber || (typeof value === "string" && value !== "")) return String(value);
  }
  return null;
}

/**
 * Finds the fields of a reply wherever they stand, at the top or some levels down; the highest wins, then the first.
 *
 * @example
 * replyFields({ data: { campaign_id: 7 } }).campaign_id; // "7"
 */
export function replyFields(body: unknown): ReplyFields {
  const found: ReplyFields = { campaign_id: null, external_ref: null, phone: null, text: null };
  const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
  let level = [body].filter(isObject);
  for (let depth = 1; depth <= maxFieldDepth && level.length > 0; depth++) {
    for (const part of level)
      for (const field of Object.keys(found) as (keyof ReplyFields)[]) found[field] ??= ownText(part, field);
    level = level.flatMap((part) => Object.values(part) as unknown[]).filter(isObject);
  }
  return found;
}

/** A reply as it is delivered; `event` is one line of `campaign listen -o ndjson`. */
export interface ReplyEvent {
  event: {
    event: "reply";
    /** When it came in, ISO 8601 with offset. */
    at: string;
    campaign_id: string | null;
    external_ref: string | null;
    /** The send of this machine that it belongs to; null when there is none. */
    send_id: string | null;
    /** True when the same bytes came before, or a crash makes it possible that this was delivered already. */
    repeated: boolean;
    body: unknown;
  };
  body: string;
  fields: ReplyFields;
  send: RepliedSend | undefined;
}

type ReplyFailure =
  | ({ kind: "exec" } & ExecFailure)
  | { kind: "forward"; url: string; status: number | null; detail: Detail }
  | { kind: "stdout"; detail: string };

export interface ReplyOutput extends Output<ReplyEvent, ReplyFailure> {
  name: "exec" | "forward" | "stdout";
}

type OutputName = ReplyOutput["name"];
type Failed = FailedDelivery<ReplyEvent, ReplyFailure, ReplyOutput>;

/** Told how the listening fares; for people, never on standard output. */
export interface ListenNotices {
  /** `waiting` are replies for outputs of an earlier run that this one has not. */
  listening(port: number, waiting: { output: string; replies: number }[]): Promise<void>;
  /** A POST was not taken; told once for each status. */
  refused(status: number, reason: ReplyRefusal): Promise<void>;
  /** A reply could not be written down: the sender was asked to try again, with 503. */
  notKept(detail: string): Promise<void>;
  /** The journal could not be written; the delivery goes on in `againMs`. */
  journalFailed(detail: string, againMs: number): Promise<void>;
  /** An output did not take a reply, and gets it again; `waiting` are all it has not got. */
  failed(failed: Failed, waiting: number): Promise<void>;
  /** An output has taken everything that it had not. */
  works(output: OutputName): Promise<void>;
  /** The wish to stop came while an output was getting this reply: it may have it, and gets it again, repeated. */
  unfinished(reply: ReplyEvent, output: OutputName): Promise<void>;
}

function environment({ fields, event }: ReplyEvent): Record<string, string> {
  const { campaign_id, external_ref, send_id, at, repeated } = event;
  return {
    ...{ BPOS_EVENT: "reply", BPOS_AT: at, BPOS_REPEATED: String(repeated), BPOS_SEND_ID: send_id ?? "" },
    // Anybody may have written these; the line on standard input has them as they came.
    BPOS_CAMPAIGN_ID: envWord(campaign_id ?? ""),
    BPOS_EXTERNAL_REF: envWord(external_ref ?? ""),
    BPOS_PHONE: envWord(fields.phone ?? ""),
  };
}

/** The output that runs a command line of the user's for each reply; `lineOf` is the event as one line of JSON. */
export const replyExecOutput = (options: ExecOptions, lineOf: (event: ReplyEvent) => string): ReplyOutput =>
  execOutput(
    options,
    (reply: ReplyEvent) => ({ input: lineOf(reply), env: environment(reply) }),
    (failure) => ({ kind: "exec" as const, ...failure }),
  );

const forwardedBy = "bpos-forwarded-by";

/** How long a post that is under way goes on after the wish to stop. */
const stopGraceMs = 700;

/** How replies are posted. */
interface Forwarding {
  dispatcher: Dispatcher;
  address: Address;
  /** Of this process. */
  id: string;
  timeoutMs: number;
  clock: { sleep(ms: number, signal: AbortSignal): Promise<void> };
}

// Nobody reads the answer, only its status.
const maxAnswerBytes = 1024 * 1024;

/** The output that posts the bytes of each reply as they came, once and to no other place; a 2xx takes it. */
export function forwardOutput({ dispatcher, address, id, timeoutMs, clock }: Forwarding): ReplyOutput {
  const headers = { "content-type": "application/json", "user-agent": userAgent, [forwardedBy]: id };
  // A query may carry a secret.
  const { origin: url } = address;
  return {
    name: "forward",
    async deliver({ body }, signal) {
      const late = new AbortController();
      const over = new AbortController();
      const onAbort = (): void => {
        void clock.sleep(stopGraceMs, over.signal).then(() => late.abort());
      };
      signal.addEventListener("abort", onAbort, { once: true });
      try {
        const { status } = await send(dispatcher, {
          ...{ method: "POST", ...address, headers, body: Buffer.from(body) },
          ...{ timeoutMs, maxBytes: maxAnswerBytes, signal: late.signal },
        });
        if (status >= 200 && status < 300) return undefined;
        return { kind: "forward", url, status, detail: "" };
      } catch (error) {
        if (!(error instanceof TransportError)) throw error;
        // Whether one that was given up arrived is not known.
        if (error.kind === "aborted") return "stopped";
        return { kind: "forward", url, status: null, detail: error.detail };
      } finally {
        signal.removeEventListener("abort", onAbort);
        over.abort();
      }
    },
  };
}

export interface Listening extends Access {
  clock: { now(): number; sleep(ms: number, signal?: AbortSignal): Promise<void> };
  journal: Journal;
  /** Each gets every reply, in its own time. */
  outputs: readonly ReplyOutput[];
  tell: ListenNotices;
  /** Takes out of a text what must not be kept or shown. */
  mask: (text: string) => string;
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Marks what this process forwards, so that it is known when it comes back. */
  id: string;
  signal: AbortSignal;
}

const firstBackoffMs = 1_000;
const journalPauseMs = 5_000;
const closeGraceMs = 300;
/** After so long a wrong secret is told of again: it may have been changed on one side only. */
const strangerPauseMs = 60_000;

/** The value that a reply's text stands for. Throws SyntaxError. */
const valueIn = (text: string): unknown => parseJson(text.replace(/^\ufeff/, ""));

/** A reply's text. Throws Refusal 400 for what is not JSON. */
function replyText(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (deepParts(text).length > 0)
    throw new Refusal(400, "too_deep", `the body is nested more than ${maxJsonDepth} deep`);
  try {
    if (!isUtf8(bytes)) throw new SyntaxError("not UTF-8");
    valueIn(text);
  } catch {
    throw new Refusal(400, "not_json", "the body is not JSON in UTF-8");
  }
  return text;
}

async function replyEvent(sends: Sends, text: string, at: number, repeated: boolean): Promise<ReplyEvent> {
  const body = valueIn(text);
  const fields = replyFields(body);
  const { campaign_id, external_ref } = fields;
  const send = await sends.ofReply({ campaign_id, external_ref });
  const send_id = send?.send_id ?? null;
  return {
    event: { event: "reply", at: isoWithOffset(at), campaign_id, external_ref, send_id, repeated, body },
    ...{ body: text, fields, send },
  };
}

function startDeliveries(
  { journal, clock, outputs, tell }: Listening,
  signal: AbortSignal,
): Deliveries<ReplyEvent, ReplyFailure, ReplyOutput> {
  const { replies, sends } = journal;
  const deliveries = new Deliveries<ReplyEvent, ReplyFailure, ReplyOutput>({
    outputs,
    outbox: {
      next: (output, after) => replies.next(output, after),
      async begin(output, arrival) {
        const { body, at, again, wasBegun } = await replies.begin(output, arrival);
        return { item: await replyEvent(sends, body, at, again || wasBegun), wasBegun };
      },
      delivered: (output, arrival) => replies.delivered(output, arrival),
      notDelivered: (output, arrival) => replies.notDelivered(output, arrival),
    },
    async onFailed(failed) {
      const waiting = (await replies.waiting()).find(({ output }) => output === failed.output.name);
      await tell.failed(failed, waiting?.replies ?? 0);
      return undefined;
    },
    onRecovered: ({ name }) => tell.works(name),
    onUnfinished: (reply, { name }) => tell.unfinished(reply, name),
    async onError(error) {
      if (!isJournalError(error)) throw error;
      await tell.journalFailed(error.message, journalPauseMs);
      await clock.sleep(journalPauseMs, signal);
      deliveries.wake();
    },
    ...{ now: () => clock.now(), sleep: (...how) => clock.sleep(...how) },
    ...{ firstBackoffMs, toleranceMs: 0, signal },
  });
  return deliveries;
}

/** Tells what was not taken: each status once, or a stranger could fill the screen. */
function tellRefusals({ tell, clock }: Listening): (refusal: Refusal) => void {
  const told = new Map<number, number>();
  return ({ status, reason }) => {
    // Write failures are reported where they occur.
    if (reason === "not_kept" || reason === "defect") return;
    const pauseMs = reason === "wrong_secret" ? strangerPauseMs : Number.POSITIVE_INFINITY;
    const now = clock.now();
    if (now - (told.get(status) ?? Number.NEGATIVE_INFINITY) < pauseMs) return;
    told.set(status, now);
    void tell.refused(status, reason);
  };
}

/** What the receiver does with a POST: once it returns, the reply is on the disk. It throws Refusal. */
function keeper(
  { clock, journal, outputs, tell, mask, id }: Listening,
  onKept: () => void,
): ReceiverOptions["take"] {
  const names = outputs.map(({ name }) => name);
  return async (bytes, headers) => {
    if (headers[forwardedBy] === id)
      throw new Refusal(400, "came_back", "this process forwarded it: --forward-to leads back here");
    const body = maskedBody(replyText(bytes), mask);
    const hash = createHash("sha256").update(bytes).digest("hex");
    try {
      await journal.replies.receive({ hash, body, at: clock.now(), outputs: names });
    } catch (error) {
      if (!isJournalError(error)) throw error;
      void tell.notKept(error.message);
      throw new Refusal(503, "not_kept", "it could not be written down: try again");
    }
    onKept();
  };
}

/**
 * Receives replies as POSTs of JSON, and answers each once it is on the disk; then every output gets it. What an output has
 * not got when this ends, it gets in the next run. Resolves when `signal` aborts; rejects with what opening the port or an
 * output throws.
 */
export async function listenReplies(listening: Listening): Promise<void> {
  const { journal, outputs, tell, host, port, secret, onlyOwnNames } = listening;
  const stop = new AbortController();
  const signal = AbortSignal.any([listening.signal, stop.signal]);
  const failures: unknown[] = [];
  const fail = (error: unknown): void => {
    failures.push(error);
    stop.abort();
  };
  let wake = (): void => undefined;
  const take = keeper(listening, () => wake());
  const onRefusal = tellRefusals(listening);
  const receiver = await openReceiver({ host, port, secret, onlyOwnNames, take, onRefusal }, fail);
  const closed = new Promise<void>((resolve) => {
    const close = (): void => void receiver.close(closeGraceMs).then(resolve);
    if (signal.aborted) close();
    else signal.addEventListener("abort", close, { once: true });
  });
  const isOurs = (name: string): boolean => outputs.some((output) => output.name === name);
  const waiting = (await journal.replies.waiting()).filter(({ output }) => !isOurs(output));
  await tell.listening(receiver.port, waiting);
  const deliveries = startDeliveries(listening, signal);
  wake = () => deliveries.wake();
  // What ends one output ends the listening.
  deliveries.ended.addEventListener("abort", () => stop.abort());
  await deliveries.done().catch(fail);
  await closed;
  if (failures.length > 0) throw failures[0];
}
