import { BposError } from "../../errors.ts";
import { checkCost } from "./cost.ts";
import { machineTime, planSend, type SendRequest, templateLabel } from "./plan.ts";
import { newSendReport, type SendReport, type SendResult } from "./report.ts";
import { keepSchedule } from "./schedule.ts";
import type { CallTools } from "./send-calls.ts";
import { carryOn, Sending } from "./sending.ts";

/** Plans again with the current journal, and records what is new, all or nothing. The user confirmed `planned`. */
async function keepPlan(
  request: SendRequest,
  { planned: shown, expect }: { planned: number; expect: number | undefined },
  tools: CallTools,
  newId: string,
): Promise<SendReport> {
  const { branch, ref, template, templateText, notAfter, isTest } = request;
  const schedule = keepSchedule(request.schedule);
  const { paramNames } = request.reading;

  const now = machineTime(tools);
  // Under the lock nobody else plans; a transaction that included this work could look like one that hangs.
  const plan = await planSend(request, tools.journal, now);
  const { planned, pending, sent } = plan;
  if (expect === undefined ? planned > shown : planned !== expect)
    throw new BposError("expected_other_count", { expected: expect ?? shown, actual: planned });
  checkCost(plan, request.pricing);

  return tools.journal.transaction(async ({ sends }) => {
    // The latest confirmation also applies to pending calls.
    await sends.setTerms(request, { notAfter, schedule });
    await sends.forgetUnsent(request);
    const excluded = request.reading.excluded.flatMap(({ person }) => person ?? []);
    await sends.leaveOut(request, { at: now.at, template: templateLabel(template) }, [
      ...excluded.map((person) => ({ person, reason: "excluded" }) as const),
      ...(request.leftOut ?? []),
      ...plan.optedOut.map((person) => ({ person, reason: "opted_out" }) as const),
    ]);

    let sendId = newId;
    if (plan.calls.length > 0) {
      const about = { branch, ref, template, templateText, notAfter, schedule, isTest, paramNames };
      await sends.plan({ send_id: sendId, at: now.at, ...about }, plan.calls);
    } else sendId = (pending[0] ?? sent.at(-1))?.send_id ?? sendId;

    return newSendReport(request, plan, sendId, false);
  });
}

/** Sends what is planned now. Throws `expected_other_count` if that is not what the user confirmed. */
export async function planAndSend(
  request: SendRequest,
  confirmed: { planned: number; expect: number | undefined },
  tools: CallTools,
  newId: string,
): Promise<SendResult> {
  const report = await keepPlan(request, confirmed, tools, newId);
  const { allowRepeat, isTest } = request;
  const sending = new Sending(request, report, { isPlanned: true, allowRepeat: allowRepeat || isTest });
  await carryOn([sending], tools);
  return sending.result;
}
