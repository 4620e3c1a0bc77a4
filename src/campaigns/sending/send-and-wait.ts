import { BposError } from "../../errors.ts";
import { JournalError, journalFailure } from "../../journal/engine/engine.ts";
import type { SendResult } from "../send-report.ts";
import type { CallTools, Wait } from "./call-tools.ts";
import type { Sending } from "./round.ts";
import { endSending, sendDue, stopByJournal } from "./sending.ts";
import { moveSend } from "./transitions.ts";

/** Waits without the lock until the first of the calls that wait may leave. Returns what ended that early: Ctrl-C, or the journal. */
async function pauseUntilNext(waits: readonly Wait[], tools: CallTools): Promise<BposError | undefined> {
  const [next] = waits.toSorted((a, b) => a.at - b.at);
  if (next === undefined) return undefined;
  try {
    await tools.tell({ event: "waiting", wait: next });
    tools.journal = await tools.pause(next);
    return undefined;
  } catch (error) {
    if (error instanceof BposError) return error;
    if (error instanceof JournalError) return journalFailure(error);
    throw error;
  }
}

/**
 * Sends the calls of these sends that may leave, and waits for the rest. Returns the result of each send that began: after a failure that every
 * other would meet too, no other begins.
 */
export async function sendAndWait(sendings: readonly Sending[], tools: CallTools): Promise<SendResult[]> {
  const begun = new Set<Sending>();
  const results = (): SendResult[] => [...begun].map(({ result }) => result);
  const endAll = async (some: Iterable<Sending>, failure: BposError | undefined): Promise<SendResult[]> => {
    for (const each of some) await endSending(each, tools, failure);
    return results();
  };

  let open = sendings;
  for (;;) {
    const waits = new Map<Sending, Wait>();
    for (const sending of open) {
      begun.add(sending);
      if (sending.state === "waiting") moveSend(sending, "waiting", "goes_on", tools);
      const wait = await sendDue(sending, tools).catch((error: unknown) => {
        stopByJournal(sending, error, tools);
        return undefined;
      });
      if (wait === undefined) await endSending(sending, tools);
      else {
        moveSend(sending, "sending", "waits", tools);
        waits.set(sending, wait);
      }
      if (sending.tally.isMetByAll) {
        // Includes sends that waited in the last round and have not had their turn in this one.
        const waiting = open.filter(({ state }) => state === "waiting");
        return endAll(waiting, sending.result.failure);
      }
    }
    if (waits.size === 0) return results();

    const cutOff = await pauseUntilNext([...waits.values()], tools);
    if (cutOff !== undefined) return endAll(waits.keys(), cutOff);
    open = [...waits.keys()];
  }
}
