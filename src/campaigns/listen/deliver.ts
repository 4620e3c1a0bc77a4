import { join } from "node:path";
import { age, count, maskPhone, shown } from "../../cli/display/format.ts";
import type { Output } from "../../cli/display/output.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import type { JournalOutage } from "../../delivery/outage.ts";
import { keepInQuarantine } from "../../delivery/outputs.ts";
import { Deliveries } from "../../delivery/queue.ts";
import { detailWords } from "../../errors/words/details.ts";
import { BposError } from "../../errors.ts";
import { toPerson } from "../../input/phone.ts";
import { JournalError, LockLost } from "../../journal/engine.ts";
import type { Journal } from "../../journal/journal.ts";
import { folders } from "../../settings/folders.ts";
import { readRecipient } from "../find/person.ts";
import type { ReplyFailure, ReplyOutput } from "./outputs.ts";
import { parseBody, type ReplyEvent, replyFields } from "./replies.ts";

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

/** Keeps a reply that cannot be delivered where orders of that kind are; returns its file, or undefined where that cannot be written. */
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

/** A log is kept, and read by others; so is what --verbose says, in a report of a bug. */
export const showPhone = (phone: string, { system: { log }, flags: { verbose } }: Runtime): string =>
  log === undefined && verbose === undefined ? shown(phone) : maskPhone(phone);

/** Whose reply it is. */
const describeSender = ({ fields: { phone } }: ReplyEvent, runtime: Runtime): string =>
  phone === null ? runtime.texts.listen.nobody : showPhone(phone, runtime);

/** Tells of each failure with `--verbose`, otherwise only of the first while an output fails, with how many replies wait for it. */
function warnOfFailures(runtime: Runtime, output: Output, { replies }: Journal) {
  const words = output.texts.listen;
  return async ({ item, failure, againMs, output: { name }, isFirst }: Failed): Promise<undefined> => {
    const facts = { event: "output.failed", output: name, again_ms: againMs };
    if (runtime.flags.verbose !== undefined)
      await output.warning(words.failed(describeSender(item, runtime), failure, age(againMs)), facts);
    else if (isFirst) {
      const waiting = await replies.waiting();
      const own = waiting.find((each) => each.output === name)?.replies ?? 0;
      await output.warning(words.down(name, failure, count(own, output.ui)), { ...facts, replies: own });
    }
    return undefined;
  };
}

/** Returns when the journal is worth another try; throws what is no fault of the journal. */
async function waitForJournal(
  { system: { clock } }: Runtime,
  output: Output,
  { error, outage, check }: { error: unknown; outage: JournalOutage; check: Journal["check"] },
): Promise<void> {
  if (error instanceof LockLost || !(error instanceof JournalError)) throw error;
  if (error.trouble === "down") return outage.wait(error, check, outage.signal);

  const { listen: words, t } = output.texts;
  const facts = { event: "journal.failed", again_ms: journalPauseMs };
  await output.warning(words.journalFailed(detailWords(error.detail, t), age(journalPauseMs)), facts);
  await clock.sleep(journalPauseMs, outage.signal);
}

/** Delivers what is pending, and what comes, to each output. */
export function startDeliveries(
  runtime: Runtime,
  output: Output,
  journal: Journal,
  { outputs, outage }: { outputs: readonly ReplyOutput[]; outage: JournalOutage },
) {
  const { replies, check } = journal;
  const { clock } = runtime.system;
  const { signal } = outage;
  const words = output.texts.listen;
  const deliveries = new Deliveries<ReplyEvent, ReplyFailure, ReplyOutput>({
    outputs,
    outbox: {
      next: (name, after) => replies.next(name, after),
      begin: (name, arrival) => beginDelivery(journal, name, arrival),
      delivered: (name, arrival) => replies.delivered(name, arrival),
      notDelivered: (name, arrival) => replies.notDelivered(name, arrival),
    },
    onFailed: warnOfFailures(runtime, output, journal),
    onRecovered: ({ name }) => output.warning(words.works(name), { event: "output.works", output: name }),
    onUnfinished: (reply, { name }) =>
      output.warning(words.unfinished(describeSender(reply, runtime), name), {
        event: "reply.unfinished",
        output: name,
      }),
    async setAside(error, { name }, arrival) {
      if (!isDefect(error)) return false;
      const { body } = await replies.begin(name, arrival);
      const file = quarantine(runtime, body) ?? null;
      const facts = { event: "reply.quarantined", output: name, file };
      await output.warning(words.setAside(name, String(error), file), facts);
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
