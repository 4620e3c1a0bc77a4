import { BposError, isReason } from "../../errors.ts";
import { isSqliteError } from "../../journal/lock-file.ts";
import { atomically, type Journal } from "../../journal/open.ts";
import {
  callsOf,
  forgetUnsent,
  hasLeft,
  type JournalCall,
  recordNotAfter,
  recordPlan,
  type SendScope,
} from "../../journal/sends.ts";
import { machineTime, planSend, type SendPlan, type SendRequest, templateOf } from "./plan.ts";
import { newSendReport, type SendReport, type SendResult } from "./report.ts";
import { type CallTools, sendCalls } from "./send-calls.ts";

/** What a person, or a flag, agreed to. */
export interface Confirmed {
  /** The number of people that was shown. */
  planned: number;
  /** The one number that is right, from --expect. */
  expect: number | undefined;
}

/** What a send works with. */
export interface SendTools extends CallTools {
  uuid: () => string;
}

/** Throws `expected_other_count` when more people would be messaged than were agreed to, or others than `expect` says. */
function checkConfirmed({ planned }: SendPlan, confirmed: Confirmed): void {
  const expected = confirmed.expect ?? confirmed.planned;
  if (confirmed.expect === undefined ? planned > expected : planned !== expected) {
    throw new BposError("expected_other_count", { expected, actual: planned });
  }
}

/** Plans again by the journal of now, and writes down what is new: all of it, or nothing. */
function carryOut(
  request: SendRequest,
  confirmed: Confirmed,
  tools: SendTools,
): { calls: JournalCall[]; report: SendReport } {
  const { journal, uuid } = tools;
  return atomically(journal, () => {
    // What was confirmed last holds for what is open, too.
    recordNotAfter(journal, request, request.notAfter);
    const now = machineTime(tools);
    const { at } = now;
    const plan = planSend(request, journal, now);
    checkConfirmed(plan, confirmed);
    forgetUnsent(journal, request);
    const fresh = uuid();
    const { branch, ref } = request;
    if (plan.calls.length > 0) {
      const { notAfter, isTest } = request;
      const send = { send_id: fresh, branch, ref, template: templateOf(request), at, notAfter, isTest };
      recordPlan(journal, send, plan.calls);
    }
    const earlier = plan.open[0] ?? plan.sent.at(-1);
    const sendId = plan.calls.length > 0 ? fresh : (earlier?.send_id ?? fresh);
    return {
      calls: callsOf(journal, request),
      report: newSendReport(request, plan, { sendId, dryRun: false }),
    };
  });
}

/** Forgets a send that was refused before any of it went out: its reference is free, and nothing of it is to be resumed. */
export function forgetRefused(journal: Journal, scope: SendScope, { failure, report }: SendResult): void {
  const isRefused = isReason(failure, "input_refused") || isReason(failure, "access_denied");
  if (!isRefused || hasLeft(journal, report.send_id)) return;
  try {
    atomically(journal, () => forgetUnsent(journal, scope));
  } catch (error) {
    // What was refused must be said all the same; the next send under that reference forgets it.
    if (!isSqliteError(error)) throw error;
  }
}

/**
 * Sends, call by call, each written down before it leaves and after its answer (`spec.md` 4.3): first the open ones, with
 * the same bytes and key, then the new ones. Those that the journal knows as finished are reported from there.
 * Nobody else may be sending for the branch meanwhile. Throws what `planSend` throws and `expected_other_count`,
 * before anything is sent.
 *
 * @example
 * const { report, failure } = await sendCampaign(request, { planned: 54, expect: undefined }, tools);
 */
export async function sendCampaign(
  request: SendRequest,
  confirmed: Confirmed,
  tools: SendTools,
): Promise<SendResult> {
  const { calls, report } = carryOut(request, confirmed, tools);
  const result = await sendCalls(calls, report, tools);
  forgetRefused(tools.journal, request, result);
  return result;
}
