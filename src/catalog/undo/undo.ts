import { basename } from "node:path";
import { count, dateTime } from "../../cli/display/format.ts";
import { mayAsk } from "../../cli/display/output.ts";
import { title } from "../../cli/display/text.ts";
import { newSheet } from "../../cli/files/rejected-rows.ts";
import { questionWords } from "../../cli/line/questions.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type Session, withSession } from "../../cli/session/session.ts";
import { BposError, exitCodes } from "../../errors.ts";
import type { Catalog } from "../../journal/records/catalog.ts";
import type { PushPart } from "../../journal/records/pushes.ts";
import { changesInShort } from "../changes-view.ts";
import { type Comparison, compareItems } from "../compare.ts";
import { toItemList } from "../item-list.ts";
import { defaultBatchSize, toItems } from "../push/prepare.ts";
import { checkPrices } from "../push/push.ts";
import { checkDeactivations } from "../sending/confirmed-products.ts";
import {
  carryOut,
  type KnownBefore,
  type PushWork,
  previewPush,
  readJournal,
  type UnboundRequest,
} from "../sending/push-locked.ts";
import type { UndoFlags } from "./command.ts";
import { findTarget, planUndo, type UndoPlan } from "./plan.ts";

const noPlan: UndoPlan = { items: [], codes: [], leftAlone: [] };

/** What both requests of an undo change, as one. */
async function compareUndo(
  catalog: Catalog,
  branch: string,
  { items, codes }: UndoPlan,
): Promise<Comparison> {
  const restored = await compareItems(toItemList(items), { catalog, branch });
  const off = await compareItems(toItems(codes), { catalog, branch, action: "delete" });
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
  { dryRun = false, ...flags }: UndoFlags,
  { of, partOf, storeId }: { of: string; partOf: string | undefined; storeId: string | number | undefined },
): [UnboundRequest, ...UnboundRequest[]] {
  const { items, codes, leftAlone } = plan;
  const shared = {
    file: null,
    rejected: [],
    unchanged: 0,
    dryRun,
    storeId: flags.storeId ?? storeId,
    batchSize: flags.batchSize ?? defaultBatchSize,
    inFlight: flags.inFlight ?? 1,
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
  const off = { ...shared, action: "delete" as const, items: toItems(codes), read: codes.length };
  const undo = { of, leftAlone };
  if (codes.length === 0) return [{ ...upsert, undo }];
  if (items.length === 0) return [{ ...off, undo }];
  return [
    { ...upsert, undo, parts: 2 },
    { ...off, read: 0, undo: { of, leftAlone: [] } },
  ];
}

/** Makes the requests by what is known; once nobody else pushes, what changed meanwhile is left alone, too. `shows`: with what they change. */
const planRequests =
  (session: Session, id: string, flags: UndoFlags, { shows }: { shows: boolean }) =>
  async (
    { catalog, pushes }: KnownBefore,
    branch: string,
  ): Promise<[UnboundRequest, ...UnboundRequest[]]> => {
    const target = await findTarget(pushes, branch, id);
    const plan = await planUndo({ catalog, pushes }, branch, target);
    const { maxPriceChange: limit, maxDeactivate } = flags;
    const compares = shows || limit !== undefined;
    const compared = compares ? await compareUndo(catalog, branch, plan) : undefined;
    if (compared !== undefined && limit !== undefined)
      await checkPrices(session, compared, { file: null, limit });
    const active = await catalog.countActive(branch);
    checkDeactivations(plan.codes.length, active, maxDeactivate, true);
    const [first, ...more] = toRequests(plan, flags, {
      of: id,
      partOf: target.unfinished[0]?.push_id,
      storeId: session.settings.storeId,
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
    "{count, plural, one {# product is left alone: --dry-run names it} other {# products are left alone: --dry-run names them}}.",
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

/** Pushes the products of an earlier push as they were before it, with newer stamps. */
export async function undo(runtime: Runtime, id: string | undefined, flags: UndoFlags): Promise<void> {
  const needs = { address: "base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, needs, async (session) => {
    const { journal, branch } = await readJournal(session);
    const { push } = await findTarget(journal.pushes, branch, id);
    const isAsked = flags.yes !== true || flags.dryRun === true;
    const [request, ...more] = isAsked
      ? await planRequests(session, push.push_id, flags, { shows: true })(journal, branch)
      : toRequests(noPlan, flags, { of: push.push_id, partOf: undefined, storeId: undefined });
    const requestsFor = planRequests(session, push.push_id, flags, { shows: flags.dryRun === true });
    const work: PushWork = {
      request,
      flags,
      sheet: newSheet(["codigo"], "codigo"),
      requestsFor,
      changed: () => Promise.resolve(undefined),
    };
    if (flags.dryRun === true) {
      if ((request.undo?.leftAlone.length ?? 0) > 0) runtime.exitCode = exitCodes.partial;
      await previewPush(runtime, session, work);
      return;
    }
    if (isAsked) await ask(runtime, session, push, [request, ...more]);
    await carryOut(runtime, session, work);
  });
}
