import type { CatalogAction, CatalogItem } from "../../contract/catalog.ts";
import type { Transaction } from "../../journal/journal.ts";
import type { ConfirmedItem } from "../../journal/records/catalog.ts";
import type { PushEvent } from "../../journal/records/pushes.ts";
import { compareProduct } from "../compare.ts";
import { type ItemList, sliceItems } from "../item-list.ts";
import { readBatchAnswer } from "./answers.ts";

const listCodes = (items: readonly CatalogItem[]): string[] => items.map(({ codigo }) => codigo);

/** Words by which a service says that it does not have a product; the specification does not fix them. */
const saysNew =
  /\bnew\b|unknown|not found|no such|not exist|required|missing|nuev[oa]|desconocid|no existe|encontrad|obligatori|requerid|\bfalta/i;

/** Keeps the confirmed products of a branch up to date, inside the journal's own step with each batch. */
export interface ConfirmedTracker {
  attempted(tx: Transaction, pushId: string, event: PushEvent): Promise<void>;
  answered(tx: Transaction, event: PushEvent, answer: string): Promise<void>;
  /** Confirmed products that answers contradict, which are then forgotten; `stale`: the service has later data. */
  contradictions: { gone: Set<string>; stale: boolean };
}

export function trackConfirmed(
  branch: string,
  { items, action }: { items: ItemList; action: CatalogAction },
): ConfirmedTracker {
  const contradictions = { gone: new Set<string>(), stale: false };
  return {
    contradictions,
    async attempted({ catalog, pushes }, pushId, { first_row, row_count }) {
      const batch = sliceItems(items, first_row, row_count);
      const known = await catalog.get(branch, listCodes(batch));
      const changes = batch.flatMap((item, n) => {
        const change = compareProduct(item, known.get(item.codigo), action);
        return change === undefined ? [] : [{ row: first_row + n, ...change }];
      });
      await pushes.keepChanges(pushId, first_row, changes);
      // A product that does not change stays certain, whatever the outcome.
      const uncertain = changes.map(({ codigo }): [string, ConfirmedItem] => {
        const before = known.get(codigo);
        // Two batches without an answer contain it: no field is certain.
        const item = before?.pending === false ? before.item : {};
        return [codigo, { item, active: before?.active ?? false, pending: true }];
      });
      await catalog.put(branch, new Map(uncertain));
    },
    async answered({ catalog }, { first_row, row_count }, text) {
      const batch = sliceItems(items, first_row, row_count);
      const known = await catalog.get(branch, listCodes(batch));
      const { changed, dropped, gone, stale } = compareAnswer(known, batch, action, text);
      for (const codigo of gone) contradictions.gone.add(codigo);
      contradictions.stale ||= stale;
      await catalog.drop(branch, dropped);
      await catalog.put(branch, changed);
    },
  };
}

function compareAnswer(
  known: ReadonlyMap<string, ConfirmedItem>,
  batch: readonly CatalogItem[],
  action: CatalogAction,
  text: string,
) {
  const changed = new Map<string, ConfirmedItem>();
  const dropped = new Set<string>();
  const gone: string[] = [];
  const wasConfirmed = (codigo: string): boolean =>
    !dropped.has(codigo) && Object.keys(known.get(codigo)?.item ?? {}).length > 0;

  const { accepted, stale: staleCount, rejected } = readBatchAnswer(text);
  const refused = new Set(rejected.map(({ codigo }) => codigo));
  const named = batch.filter(({ codigo }) => refused.has(codigo));
  const calledNew = rejected.filter(({ error }) => saysNew.test(error ?? ""));
  const saidNew = new Set(calledNew.map(({ codigo }) => codigo));

  for (const { codigo } of named) {
    const isGone = action === "upsert" && saidNew.has(codigo) && wasConfirmed(codigo);
    if (isGone) gone.push(codigo);
    // If the service no longer has a product to deactivate, that is reported once and not retried.
    if (isGone || action === "delete") dropped.add(codigo);
  }

  const stale = staleCount > 0 && batch.some(({ codigo }) => wasConfirmed(codigo));
  // The service does not name stale or missing products, so all others stay unknown.
  if (staleCount > 0 || named.length !== rejected.length || accepted + rejected.length !== batch.length) {
    for (const [codigo, before] of known)
      if (!dropped.has(codigo)) changed.set(codigo, { ...before, pending: true });
    return { changed, dropped, gone, stale };
  }

  for (const item of batch) {
    const { codigo } = item;
    const before = known.get(codigo);
    if (!refused.has(codigo)) {
      const fields = action === "delete" ? before?.item : { ...before?.item, ...item };
      changed.set(codigo, { item: fields ?? {}, active: action === "upsert", pending: false });
    } else if (action === "upsert" && before !== undefined && !dropped.has(codigo)) {
      // As it was, unless there was nothing before.
      if (!before.active && Object.keys(before.item).length === 0) dropped.add(codigo);
      else changed.set(codigo, { ...before, pending: false });
    }
  }
  return { changed, dropped, gone, stale };
}
