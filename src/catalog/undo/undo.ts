import { basename } from "node:path";
import { count, dateTime } from "../../cli/display/format.ts";
import { mayAsk } from "../../cli/display/output.ts";
import { title } from "../../cli/display/text.ts";
import { newSheet } from "../../cli/files/rejected-rows.ts";
import { questionWords } from "../../cli/line/questions.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type Session, withSession } from "../../cli/session/session.ts";
import { BposError } from "../../errors.ts";
import type { Catalog } from "../../journal/records/catalog.ts";
import type { PushPart } from "../../journal/records/pushes.ts";
import { changesInShort } from "../changes-view.ts";
import { type Comparison, compareItems } from "../compare.ts";
import { openExistingJournal } from "../existing-journal.ts";
import { toCodeItems, toItemList } from "../item-list.ts";
import { checkDeactivations, checkPriceChanges } from "../limits.ts";
import { dryRunExitCode } from "../sending/exit-code.ts";
import { pushNeeds, requestOptions } from "../sending/prepare.ts";
import { previewPush } from "../sending/preview.ts";
import type { KnownBefore, PreparedPush, UnboundRequest } from "../sending/request.ts";
import { sendPush } from "../sending/send-push.ts";
import type { UndoFlags } from "./command.ts";
import { findTarget, planUndo, type UndoPlan } from "./plan.ts";

type Requests = [UnboundRequest, ...UnboundRequest[]];

/** Pushes the products of an earlier push as they were before it, with newer stamps: plans, then shows or asks, then sends. */
export async function undo(runtime: Runtime, id: string | undefined, flags: UndoFlags): Promise<void> {
  await withSession(runtime, pushNeeds, async (session) => {
    const { journal, branch } = await openExistingJournal(session);
    const { push } = await findTarget(journal.pushes, branch, id);
    const isShown = flags.yes !== true || flags.dryRun === true;
    const requests = isShown
      ? await planRequests(session, push.push_id, flags, { shows: true })(journal, branch)
      : toRequests(noPlan, flags, { of: push.push_id, partOf: undefined, settings: session.settings });
    const prepared: PreparedPush = {
      request: requests[0],
      flags,
      sheet: newSheet(["codigo"], "codigo"),
      plan: planRequests(session, push.push_id, flags, { shows: flags.dryRun === true }),
      source: undefined,
    };

    if (flags.dryRun === true) {
      runtime.exitCode = dryRunExitCode(prepared.request);
      return previewPush(runtime, session, prepared);
    }
    if (isShown) await ask(runtime, session, push, requests);
    await sendPush(runtime, session, prepared);
  });
}

const noPlan: UndoPlan = { items: [], codes: [], leftAlone: [] };

/** Compares both requests of an undo with what the journal knows, as one. */
async function compareUndo(
  catalog: Catalog,
  branch: string,
  { items, codes }: UndoPlan,
): Promise<Comparison> {
  const restored = await compareItems(toItemList(items), { catalog, branch });
  const off = await compareItems(toCodeItems(codes), { catalog, branch, action: "delete" });
  const kinds = Object.entries(restored.counts) as [keyof Comparison["counts"], number][];
  const counts = Object.fromEntries(kinds.map(([kind, n]) => [kind, n + off.counts[kind]]));
  return {
    ...restored,
    counts: counts as Comparison["counts"],
    changes: [...restored.changes, ...off.changes],
  };
}

function toRequests(
  plan: UndoPlan,
  flags: UndoFlags,
  { of, partOf, settings }: { of: string; partOf: string | undefined; settings: Session["settings"] },
): Requests {
  const { items, codes, leftAlone } = plan;
  const shared = {
    ...requestOptions(flags, settings),
    file: null,
    rejected: [],
    ...(partOf !== undefined && { partOf }),
  };
  const free = toItemList(items.filter(({ precio }) => precio === 0));
  const prices = { without: 0, hasAny: true, isRequired: false, free };
  const upsert = {
    ...shared,
    action: "upsert" as const,
    items: toItemList(items),
    read: items.length,
    prices,
  };
  const off = { ...shared, action: "delete" as const, items: toCodeItems(codes), read: codes.length };
  const undo = { of, leftAlone };
  if (codes.length === 0) return [{ ...upsert, undo }];
  if (items.length === 0) return [{ ...off, undo }];
  return [
    { ...upsert, undo, parts: 2 },
    { ...off, read: 0, undo: { of, leftAlone: [] } },
  ];
}

/**
 * Returns how the requests are made by what is known: once nobody else pushes, what changed meanwhile is left alone, too.
 * `shows` compares them, so that their changes can be shown.
 */
const planRequests =
  (session: Session, id: string, flags: UndoFlags, { shows }: { shows: boolean }) =>
  async ({ catalog, pushes }: KnownBefore, branch: string): Promise<Requests> => {
    const target = await findTarget(pushes, branch, id);
    const plan = await planUndo({ catalog, pushes }, branch, target);
    const { maxPriceChange: limit, maxDeactivate } = flags;
    const compares = shows || limit !== undefined;
    const compared = compares ? await compareUndo(catalog, branch, plan) : undefined;
    if (compared !== undefined && limit !== undefined)
      await checkPriceChanges(session, compared, { file: null, limit });
    const active = await catalog.countActive(branch);
    checkDeactivations(plan.codes.length, active, maxDeactivate, true);
    const [first, ...more] = toRequests(plan, flags, {
      of: id,
      partOf: target.unfinished[0]?.push_id,
      settings: session.settings,
    });
    return [{ ...first, ...(compared && { compared }) }, ...more];
  };

async function ask(
  { system, signal, texts, ...runtime }: Runtime,
  { output, branchName }: Session,
  { file, at }: PushPart,
  requests: readonly UnboundRequest[],
): Promise<void> {
  const sent = requests.reduce((sum, { items }) => sum + items.length, 0);
  if (sent === 0) return;
  if (!mayAsk({ system, ...runtime })) throw new BposError("not_a_terminal", { flag: "--yes" });
  const ui = output.errorUi;
  const { t } = texts;
  const [{ compared, undo: undone } = {}] = requests;
  const about = [t("Catalog undo"), ...(file === null ? [] : [basename(file)]), branchName];
  const changed = compared === undefined ? [] : changesInShort(compared, ui, "undo");
  await output.block(`${[...title(about.join(" · "), ui), "", ...changed].join("\n")}\n`);
  const alone = undone?.leftAlone.length ?? 0;
  const left = t(
    "{count, plural, one {# product is left alone. --dry-run lists it} other {# products are left alone. --dry-run lists them}}.",
    { count: count(alone, ui) },
  );
  if (alone > 0) await output.notice(left);
  // At most 80 columns with its hint: what is above it names the file and the branch.
  const question = t("Undo the push of {time}: send {count, plural, one {# product} other {# products}}?", {
    time: dateTime(at, ui),
    count: count(sent, ui),
  });
  if (!(await system.prompts.confirm(question, signal, questionWords(texts.t))))
    throw new BposError("declined", { of: "undo" });
}
