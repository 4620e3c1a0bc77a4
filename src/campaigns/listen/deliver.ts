import { join } from "node:path";
import { age, count, maskPhone, shown } from "../../cli/display/format.ts";
import type { Output } from "../../cli/display/output.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import type { JournalOutage } from "../../delivery/outage.ts";
import { keepInQuarantine } from "../../delivery/outputs.ts";
import { Deliveries } from "../../delivery/queue.ts";
import { detailWords, execEndWords, programWords } from "../../errors/words/details.ts";
import { BposError } from "../../errors.ts";
import { toPerson } from "../../input/phone.ts";
import { JournalError, LockLost } from "../../journal/engine/engine.ts";
import type { Journal } from "../../journal/journal.ts";
import { folders } from "../../settings/folders.ts";
import type { T } from "../../texts/texts.ts";
import { readRecipient } from "../person.ts";
import { parseBody, replyFields } from "../replies.ts";
import { outputWord, type ReplyFailure, type ReplyOutput } from "./outputs.ts";
import type { ReplyEvent } from "./view.ts";

export const journalPauseMs = 5_000;

interface Failed {
  item: ReplyEvent;
  output: ReplyOutput;
  failure: ReplyFailure;
  againMs: number;
  /** Other items do not wait for its retry. */
  isFirst: boolean;
}

/** A failure caused by the reply itself, which every retry would repeat; any other comes from the output. */
function isDefect(error: unknown): boolean {
  return [TypeError, RangeError, SyntaxError, URIError].some((defect) => error instanceof defect);
}

/** Quarantines a reply that cannot be delivered; returns its file, or undefined if it cannot be written. */
function quarantine({ system }: Runtime, body: string): string | undefined {
  try {
    return keepInQuarantine(join(folders(system).state, "quarantine"), `reply ${body}`, body);
  } catch (error) {
    if (error instanceof BposError) return undefined;
    throw error;
  }
}

/** Records the intent to deliver a reply to an output, and finds the send it belongs to. */
async function beginDelivery({ replies, sends }: Journal, to: string, arrival: number) {
  const { body: text, at, again, wasBegun } = await replies.begin(to, arrival);
  const body = parseBody(text);
  const fields = replyFields(body);
  const { campaign_id, external_ref } = fields;
  const send = await sends.ofReply({ campaign_id, external_ref });
  const person = send && toPerson(fields.phone ?? "");
  const call = send && person && (await sends.callTo(send.send_id, person));

  const event = {
    event: "reply",
    at: isoWithOffset(at),
    campaign_id,
    external_ref,
    send_id: send?.send_id ?? null,
    name: call ? readRecipient(call, person).name : null,
    repeated: again || wasBegun,
    body,
  } as const;
  return { item: { event, body: text, fields, send }, wasBegun };
}

/** Others read logs, and --verbose output in bug reports. */
export const showPhone = (phone: string, { system: { log }, flags: { verbose } }: Runtime): string =>
  log === undefined && verbose === undefined ? shown(phone) : maskPhone(phone);

/** Names the sender of a reply. */
const describeSender = ({ fields: { phone } }: ReplyEvent, runtime: Runtime): string =>
  phone === null ? runtime.texts.t("an unknown phone") : showPhone(phone, runtime);

/** Says why a delivery failed, as part of a sentence. */
function failureText(failure: ReplyFailure, t: T): string {
  if (failure.kind === "forward") {
    const { url, status } = failure;
    return status === null
      ? t("{url} did not answer: {detail}", { url, detail: detailWords(failure.detail, t) })
      : t("{url} answered {status}", { url, status });
  }
  if (failure.kind === "stdout")
    return t("bpos cannot write to standard output: {detail}", { detail: failure.detail });
  const ended = `${programWords(failure, t)} ${execEndWords(failure, t)}`;
  return failure.detail === "" ? ended : `${ended}: ${failure.detail}`;
}

/** Reports each failure with `--verbose`, otherwise only the first while an output fails, with the number of pending replies. */
function warnOfFailures(runtime: Runtime, output: Output, { replies }: Journal) {
  const { t } = output.texts;
  return async ({ item, failure, againMs, output: { name }, isFirst }: Failed): Promise<undefined> => {
    const facts = { event: "output.failed", output: name, again_ms: againMs };
    if (runtime.flags.verbose !== undefined) {
      const failed = t(
        "The reply from {from} was saved but not delivered: {failure}. Next attempt in {again}.",
        {
          from: describeSender(item, runtime),
          failure: failureText(failure, t),
          again: age(againMs),
        },
      );
      await output.warning(failed, facts);
    } else if (isFirst) {
      const waiting = await replies.waiting();
      const own = waiting.find((each) => each.output === name)?.replies ?? 0;
      const down = t(
        "Delivery to {output} is failing: {failure}. {count, plural, one {# reply is} other {# replies are}} pending. bpos keeps retrying; --verbose reports every attempt.",
        { output: outputWord(name, t), failure: failureText(failure, t), count: count(own, output.ui) },
      );
      await output.warning(down, { ...facts, replies: own });
    }
    return undefined;
  };
}

/** Returns when to retry the journal; rethrows errors that the journal did not cause. */
async function waitForJournal(
  { system: { clock } }: Runtime,
  output: Output,
  { error, outage, check }: { error: unknown; outage: JournalOutage; check: Journal["check"] },
): Promise<void> {
  if (error instanceof LockLost || !(error instanceof JournalError)) throw error;
  if (error.trouble === "down") return outage.wait(error, check, outage.signal);

  const { t } = output.texts;
  const facts = { event: "journal.failed", again_ms: journalPauseMs };
  const failed = t("Cannot write to the journal ({detail}). Delivery continues in {again}.", {
    detail: detailWords(error.detail, t),
    again: age(journalPauseMs),
  });
  await output.warning(failed, facts);
  await clock.sleep(journalPauseMs, outage.signal);
}

const worksText = (output: string, t: T): string =>
  t("All pending replies were delivered to {output}.", { output: outputWord(output, t) });

const unfinishedText = (from: string, output: string, t: T): string =>
  t(
    "The reply from {from} was being delivered to {output} when you stopped bpos. The next run delivers it again, marked as repeated.",
    { from, output: outputWord(output, t) },
  );

/** `file`: where it is kept; null where only the journal has it. */
function setAsideText(name: string, why: string, file: string | null, t: T): string {
  const output = outputWord(name, t);
  return file === null
    ? t(
        "Cannot deliver a reply to {output} ({why}). It stays in the journal, and the other replies are delivered. This is a bug in bpos: please report it.",
        { output, why },
      )
    : t(
        "Cannot deliver a reply to {output} ({why}). It is in {file}, and the other replies are delivered. This is a bug in bpos: please report it.",
        { output, why, file },
      );
}

/** Delivers pending and new replies to each output. */
export function startDeliveries(
  runtime: Runtime,
  output: Output,
  journal: Journal,
  { outputs, outage }: { outputs: readonly ReplyOutput[]; outage: JournalOutage },
) {
  const { replies, check } = journal;
  const { clock } = runtime.system;
  const { signal } = outage;
  const { t } = output.texts;
  const deliveries = new Deliveries<ReplyEvent, ReplyFailure, ReplyOutput>({
    outputs,
    outbox: {
      next: (name, after) => replies.next(name, after),
      begin: (name, arrival) => beginDelivery(journal, name, arrival),
      delivered: (name, arrival) => replies.delivered(name, arrival),
      notDelivered: (name, arrival) => replies.notDelivered(name, arrival),
    },
    onFailed: warnOfFailures(runtime, output, journal),
    onRecovered: ({ name }) => output.warning(worksText(name, t), { event: "output.works", output: name }),
    onUnfinished: (reply, { name }) =>
      output.warning(unfinishedText(describeSender(reply, runtime), name, t), {
        event: "reply.unfinished",
        output: name,
      }),
    async setAside(error, { name }, arrival) {
      if (!isDefect(error)) return false;
      const { body } = await replies.begin(name, arrival);
      const file = quarantine(runtime, body) ?? null;
      const facts = { event: "reply.quarantined", output: name, file };
      await output.warning(setAsideText(name, String(error), file, t), facts);
      return true;
    },
    async onError(error) {
      await waitForJournal(runtime, output, { error, outage, check });
      deliveries.wake();
    },
    now: () => clock.now(),
    sleep: (...how) => clock.sleep(...how),
    firstBackoffMs: 1_000,
    toleranceMs: 0,
    signal,
  });
  return deliveries;
}
