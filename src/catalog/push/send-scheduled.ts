import { setImmediate as turn } from "node:timers/promises";
import { newSheet } from "../../cli/files/rejected-rows.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { ScheduledEnd } from "../../cli/session/scheduled-pushes.ts";
import type { OpenJournal, Session } from "../../cli/session/session.ts";
import type { CatalogItem } from "../../contract/catalog.ts";
import { BposError, exitNames, isReason } from "../../errors.ts";
import { CatalogItems } from "../../input/catalog-items.ts";
import type { ConfirmedItem, ProductChange } from "../../journal/catalog.ts";
import { isJournalAway, journalFailure } from "../../journal/engine.ts";
import type { Journal } from "../../journal/journal.ts";
import type { DuePush, ScheduledPush } from "../../journal/scheduled.ts";
import { compareProduct } from "../compare.ts";
import { joinChanges } from "../undo/plan.ts";
import { type PushWork, sendWork, type UnboundRequest } from "./carry-out.ts";
import { timeAsker } from "./clocks.ts";
import type { Scheduled } from "./plan.ts";
import { countPrices, toItems } from "./prepare.ts";
import { planPush } from "./push.ts";
import { countAnswers, decideOutcome, type PushReport } from "./report.ts";
import type { SendingPlan } from "./schedule.ts";
import { keptReportJson } from "./view.ts";

/** So long after its time a push that nobody sent is not sent any more. */
const maxLateMs = 24 * 60 * 60_000;
const atOnce = 1_000;

/** Whether a product is as it was before all of this changed it: an undo may have come after. */
function isStill({ fields }: ProductChange, known: ConfirmedItem | undefined): boolean {
  // Of what the service refused, or does not have, there is nothing to overwrite.
  if (known === undefined) return true;
  const { activo, ...values } = fields;
  const names = Object.keys(values) as (keyof typeof values)[];
  return (
    !known.pending &&
    (activo === undefined || activo.from === known.active) &&
    names.every((name) => (known.item[name] ?? null) === values[name]?.from)
  );
}

/** The products that were pushed since the push was scheduled, and are not as they were then; each beside what is known of it. */
async function findPushedSince(
  { catalog, scheduled }: Pick<Journal, "catalog" | "scheduled">,
  push: ScheduledPush,
): Promise<Map<string, ConfirmedItem | undefined>> {
  const changes = [...joinChanges(await scheduled.changesSince(push)).values()];
  const found = new Map<string, ConfirmedItem | undefined>();
  for (let from = 0; from < changes.length; from += atOnce) {
    const some = changes.slice(from, from + atOnce);
    const codes = some.map(({ codigo }) => codigo);
    const known = await catalog.get(push.branch, codes);
    for (const change of some)
      if (!isStill(change, known.get(change.codigo))) found.set(change.codigo, known.get(change.codigo));
  }
  return found;
}

async function readItems({ scheduled }: Pick<Journal, "scheduled">, pushId: string): Promise<CatalogItems> {
  const items = new CatalogItems(() => []);
  for await (const some of scheduled.items(pushId)) {
    const lines = JSON.parse(some.lines) as number[];
    for (const [n, item] of (JSON.parse(some.items) as CatalogItem[]).entries())
      items.fill(items.add(lines[n] ?? 0, 0, 0), item);
    // Orders are delivered meanwhile.
    await turn();
  }
  return items;
}

/** Of a push that was killed when all that it wrote down was answered, what it had not come to is sent, by what is known. */
async function isAnswered({ pushes }: Pick<Journal, "pushes">, { branch, push_id }: ScheduledPush) {
  const last = (await pushes.parts(branch, push_id)).at(-1);
  return last !== undefined && !last.pending;
}

interface Prepared {
  work: PushWork;
  /** In the list, and pushed since: left as they are, or overwritten with --force. */
  differ: string[];
}

async function prepareScheduled(session: Session, journal: Journal, push: ScheduledPush): Promise<Prepared> {
  const { flags: given, request: sent, rejected } = JSON.parse(push.plan) as SendingPlan;
  const flags = { ...given, ...((await isAnswered(journal, push)) && { changedOnly: true }) };
  const since = await findPushedSince(journal, push);
  const items = await readItems(journal, push.push_id);
  const differ: string[] = [];
  for (const [codigo, known] of since) {
    const row = items.find(codigo);
    if (row === undefined || compareProduct(items.itemAt(row), known, "upsert") === undefined) continue;
    differ.push(codigo);
    if (flags.force !== true) items.drop(row);
  }
  items.settle();

  const leftAlone = flags.force === true ? [] : differ;
  const scheduled: Scheduled = {
    id: push.push_id,
    dueAt: push.due_at,
    leftAlone: leftAlone.map((codigo) => ({ codigo, reason: "pushed_since" })),
  };
  const request: UnboundRequest = {
    ...sent,
    action: "upsert",
    file: push.file,
    items,
    rejected,
    unchanged: 0,
    prices: countPrices({ items }, flags.strict === true),
    dryRun: false,
    scheduled,
    ...((await journal.scheduled.isBegun(push.push_id)) && { partOf: push.push_id }),
  };
  /** What was pushed since is not in the list, and stays on sale. */
  const leaveNew = (planned: UnboundRequest): UnboundRequest => {
    const { action, items: all } = planned;
    if (action === "upsert" || flags.force === true) return planned;
    const codes = Array.from({ length: all.length }, (_, n) => all.item(n).codigo);
    const own = codes.filter((codigo) => !since.has(codigo));
    return { ...planned, items: toItems(own), scheduled: { ...scheduled, leftAlone: [] } };
  };
  const plan = planPush(flags)(session, { rejected }, request);
  const work: PushWork = {
    request,
    flags,
    sheet: newSheet(["codigo"], "codigo"),
    requestsFor: async (known, branch) => ((await plan?.(known, branch)) ?? [request]).map(leaveNew),
    changed: () => Promise.resolve(undefined),
  };
  return { work, differ };
}

/** What came of all that was sent of it, in one or more goes. */
async function countAll({ pushes }: Pick<Journal, "pushes">, { branch, push_id }: ScheduledPush) {
  const parts = await pushes.parts(branch, push_id);
  const events = (await Promise.all(parts.map(({ push_id: id }) => pushes.events(id)))).flat();
  const counted = countAnswers(events);
  const rejected = counted.rejected.reduce((sum, { products }) => sum + products.length, 0);
  return {
    accepted: counted.counts.accepted,
    rejected,
    outcome: decideOutcome(counted, rejected, undefined),
  };
}

/** What the service refuses as a whole, and what a guard refuses, would be refused again. */
const isFinal = ({ reason }: BposError): boolean =>
  ["usage", "denied", "refused"].includes(exitNames[reason]);

type Ended = Exclude<ScheduledEnd, { kind: "away" | "later" }>;

/** Writes down what came of it. */
async function end(
  journal: Journal,
  push: ScheduledPush,
  kind: Ended["kind"],
  { error, report, differ = [] }: { error?: BposError; report?: PushReport | undefined; differ?: string[] },
): Promise<ScheduledEnd> {
  const { outcome, ...counts } = await countAll(journal, push);
  const stopped = kind === "sent" ? "partial" : kind;
  const ended = kind === "sent" && error === undefined ? outcome : stopped;
  const kept = report === undefined ? (JSON.parse(push.report) as object) : keptReportJson(report);
  const why = error && { reason: error.reason, facts: error.facts };
  const text = { ...kept, push_id: push.push_id, outcome: ended, ...(why && { why }) };
  // Of a list of which nothing was left to send it shows only here that it was cancelled.
  if (!(await journal.scheduled.end(push.push_id, kind, JSON.stringify(text)))) return { kind: "away" };
  const { flags } = JSON.parse(push.plan) as SendingPlan;
  const isForced = flags.force === true;
  return { kind, push, outcome: ended, ...counts, differ, isForced, ...(error && { error }) };
}

/** What a push that is refused counts as: a part of it may have been sent before. */
const endOf = async (journal: Journal, push: ScheduledPush): Promise<"sent" | "refused"> =>
  (await countAll(journal, push)).accepted > 0 ? "sent" : "refused";

async function sendLocked(
  runtime: Runtime,
  session: Session,
  opened: OpenJournal,
  push: ScheduledPush,
): Promise<ScheduledEnd> {
  const { journal } = opened;
  const isLate = runtime.system.clock.now() - push.due_at > maxLateMs;
  // Half a list is worse than a late one.
  if (isLate && !(await journal.scheduled.isBegun(push.push_id))) return end(journal, push, "missed", {});

  const { work, differ } = await prepareScheduled(session, journal, push);
  const askTheTime = timeAsker(runtime, session, work.flags.force === true);
  const sent = await sendWork(runtime, session, { ...opened, askTheTime }, work);
  if (sent === undefined) return { kind: "away" };
  const { reports, stopped } = sent;
  const [report] = reports;
  if (stopped === undefined) return end(journal, push, "sent", { report, differ });
  if (!isFinal(stopped)) return { kind: "later", error: stopped };
  return end(journal, push, await endOf(journal, push), { error: stopped, report, differ });
}

/** Sends a push whose time has come, unless another process does. Asks nothing, and writes nothing to standard output. */
export async function sendScheduled(
  runtime: Runtime,
  session: Session,
  { branch, push_id: id }: DuePush,
): Promise<ScheduledEnd> {
  const opened = await session.openJournal();
  if (opened.branchNow() !== branch) return { kind: "away" };
  let journal: Journal | undefined;
  let push: ScheduledPush | undefined;
  try {
    journal = await opened.journal.under({ work: "push", branch }, { atOnce: true });
    [push] = await journal.scheduled.find(branch, id);
    if (push?.state !== "waiting" && push?.state !== "sending") return { kind: "away" };
    return await sendLocked(runtime, session, { ...opened, journal }, push);
  } catch (error) {
    if (isJournalAway(error)) throw error;
    const known = error instanceof BposError ? error : journalFailure(error);
    if (isReason(known, "locked") || isReason(known, "push_not_waiting")) return { kind: "away" };
    if (journal === undefined || push === undefined || !isFinal(known))
      return { kind: "later", error: known };
    return await end(journal, push, await endOf(journal, push), { error: known });
  } finally {
    await journal?.release().catch(() => undefined);
  }
}
