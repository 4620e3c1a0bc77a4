import { describeDue } from "../../cli/display/format.ts";
import { paragraph } from "../../cli/display/text.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { shortName } from "../../cli/session/scheduled-pushes.ts";
import { withSession } from "../../cli/session/session.ts";
import { BposError } from "../../errors.ts";
import type { Journal } from "../../journal/journal.ts";
import type { ScheduledPush } from "../../journal/scheduled.ts";
import { unsentPush } from "../history/history.ts";
import { readJournal } from "../push/carry-out.ts";

/** Of several whose id begins so the one that waits. Throws `push_not_found` and `push_not_waiting`. */
async function findWaiting(
  { scheduled, pushes }: Journal,
  branch: string,
  id: string,
): Promise<ScheduledPush> {
  const all = await scheduled.find(branch, id);
  const waiting = all.filter(({ state }) => state === "waiting");
  const [push] = waiting.length === 0 ? all : waiting;
  if (waiting.length === 1 && push !== undefined) return push;
  if (push?.state !== undefined && push.state !== "waiting" && all.length === 1)
    throw new BposError("push_not_waiting", { push: id, state: push.state });
  if (all.length === 0 && (await pushes.parts(branch, id)).length > 0)
    throw new BposError("push_not_waiting", { push: id, state: "sent" });
  throw new BposError("push_not_found", { push: id });
}

/** Takes a push out that waits for its time: it is not sent. */
export async function cancel(runtime: Runtime, id: string): Promise<void> {
  const needs = { address: "base_url", formats: ["table", "json"] } as const;
  await withSession(runtime, needs, async (session) => {
    const { output } = session;
    const { journal, branch } = await readJournal(session);
    const push = await findWaiting(journal, branch, id);
    const report = JSON.stringify({ ...(JSON.parse(push.report) as object), outcome: "cancelled" });
    // It may be its time right now.
    if (!(await journal.scheduled.end(push.push_id, "cancelled", report)))
      await findWaiting(journal, branch, id);

    if (output.format === "json") return output.document(unsentPush({ ...push, report }).past);
    if (output.quiet) return;
    const { ui } = output;
    const due = describeDue(push.due_at, { ...ui, now: runtime.system.clock.now() });
    await output.data(
      `${paragraph(ui.texts.push.scheduled.cancelled(shortName(push), due), ui).join("\n")}\n`,
    );
  });
}
