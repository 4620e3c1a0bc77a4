import type { CatalogAction, CatalogItem } from "../../contract/catalog.ts";
import type { CatalogState } from "../../journal/catalog-state.ts";
import type { PushEvent } from "../../journal/pushes.ts";
import { readBatchAnswer } from "./batch-answer.ts";
import type { PushMemory } from "./push-catalog.ts";
import type { PushItems } from "./push-plan.ts";

function* itemsOf(
  items: PushItems,
  { first_row: first, row_count: count }: PushEvent,
): Generator<CatalogItem> {
  for (let n = 0; n < count; n++) yield items.item(first + n);
}

/** Whether the service is known to have a product just as it would be sent. */
export function isUnchanged(state: CatalogState, item: CatalogItem): boolean {
  const known = state.get(item.codigo);
  if (known === undefined || known.open || !known.active) return false;
  return Object.entries(item).every(([field, value]) => known.item[field as keyof CatalogItem] === value);
}

/** What a service says of a product that it does not have; in its own words, which are not specified. */
const saysNew =
  /\bnew\b|unknown|not found|no such|not exist|required|missing|nuev[oa]|desconocid|no existe|encontrad|obligatori|requerid|\bfalta/i;

/** What answers showed of products that were taken for confirmed. */
export interface Contradictions {
  /** Products that the service does not know any more. */
  gone: string[];
  /** Whether it has something later of others than was pushed from here. */
  stale: boolean;
}

/**
 * Keeps what the service confirms of each batch; a batch without a clear answer leaves its products unknown. What an answer shows to be
 * otherwise than was known is forgotten, and told in `contradictions`.
 */
export function catalogMemory(
  state: CatalogState,
  { items, action }: { items: PushItems; action: CatalogAction },
): PushMemory & { contradictions: Contradictions } {
  const contradictions: Contradictions = { gone: [], stale: false };
  const wasConfirmed = (codigo: string): boolean => Object.keys(state.get(codigo)?.item ?? {}).length > 0;
  const confirm = (item: CatalogItem): void => {
    const known = state.get(item.codigo);
    const fields = action === "delete" ? known?.item : { ...known?.item, ...item };
    state.put(item.codigo, { item: fields ?? {}, active: action === "upsert", open: false });
  };
  const keepAsItWas = (codigo: string): void => {
    const known = state.get(codigo);
    if (known === undefined) return;
    if (!known.active && Object.keys(known.item).length === 0) state.drop(codigo);
    else state.put(codigo, { ...known, open: false });
  };
  return {
    contradictions,
    attempted(event) {
      for (const { codigo } of itemsOf(items, event)) {
        const known = state.get(codigo);
        // Two batches without an answer, one over the other: of its fields nothing is certain any more.
        const certain = known?.open === false ? known.item : {};
        state.put(codigo, { item: certain, active: known?.active ?? false, open: true });
      }
    },
    answered(event, text) {
      const { accepted, stale, rejected } = readBatchAnswer(text);
      const refused = new Set(rejected.map(({ codigo }) => codigo));
      const named = [...itemsOf(items, event)].filter(({ codigo }) => refused.has(codigo));
      // The service may not have it any more: it is said once, not tried again for ever.
      if (action === "delete") for (const { codigo } of named) state.drop(codigo);
      const saidNew = new Set(
        rejected.flatMap(({ codigo, error }) => (saysNew.test(error ?? "") ? [codigo] : [])),
      );
      if (action === "upsert")
        for (const { codigo } of named)
          if (saidNew.has(codigo) && wasConfirmed(codigo)) {
            contradictions.gone.push(codigo);
            state.drop(codigo);
          }
      if (stale > 0)
        contradictions.stale ||= [...itemsOf(items, event)].some(({ codigo }) => wasConfirmed(codigo));
      // What is stale is not named, a refusal may name no product of the batch, and sums that do not add up name nothing:
      // then all else stays unknown.
      if (stale > 0 || named.length !== rejected.length || accepted + rejected.length !== event.row_count)
        return;
      for (const item of itemsOf(items, event)) {
        if (!refused.has(item.codigo)) confirm(item);
        else if (action === "upsert") keepAsItWas(item.codigo);
      }
    },
  };
}
