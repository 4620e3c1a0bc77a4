import type { CatalogItem } from "../../contract/catalog.ts";
import { BposError } from "../../errors.ts";
import type { Catalog, ChangedField, ConfirmedItem, ProductChange } from "../../journal/records/catalog.ts";
import type { KeptChange, Pushes, PushPart } from "../../journal/records/pushes.ts";
import type { LeftAlone } from "../sending/request.ts";

type Kept = { catalog: Catalog; pushes: Pushes };

/** The push to undo, and its unfinished undo where that is the last push. */
export interface UndoTarget {
  push: PushPart;
  parts: readonly PushPart[];
  unfinished: readonly PushPart[];
}

/** Returns whether the last part is unfinished: it settles what had no answer before. */
function isUnfinished(parts: readonly PushPart[]): boolean {
  const last = parts.at(-1);
  return last !== undefined && (last.pending || last.parts > 1);
}

/** Returns the push with this id; without one the last push, or the one that an unfinished undo undoes. Throws `push_not_found`. */
export async function findTarget(
  pushes: Pushes,
  branch: string,
  id: string | undefined,
): Promise<UndoTarget> {
  const newest = await pushes.parts(branch);
  const undone = isUnfinished(newest) ? (newest[0]?.undo_of ?? undefined) : undefined;
  const parts = id === undefined && undone === undefined ? newest : await pushes.parts(branch, id ?? undone);
  const [push] = parts;
  if (push === undefined) throw new BposError("push_not_found", id === undefined ? {} : { push: id });
  return { push, parts, unfinished: undone === push.push_id ? newest : [] };
}

/** Joins the changes that the parts of a push made to each product into one. */
function joinChanges(changes: readonly KeptChange[]): Map<string, ProductChange> {
  const joined = new Map<string, ProductChange>();
  for (const change of changes) {
    const before = joined.get(change.codigo);
    if (before === undefined) {
      joined.set(change.codigo, change);
      continue;
    }
    // An earlier part had sent what was unknown by then.
    const names = Object.keys(change.fields) as ChangedField[];
    for (const name of names.filter((each) => change.kind !== "unknown" || before.fields[each])) {
      const later = change.fields[name];
      if (later !== undefined) before.fields[name] = { ...later, from: (before.fields[name] ?? later).from };
    }
  }
  return joined;
}

async function keptChanges(pushes: Pushes, parts: readonly PushPart[]): Promise<KeptChange[]> {
  const kept: KeptChange[] = [];
  for (const { push_id: id } of parts) {
    const changes = await pushes.changes(id);
    const isSent = (await pushes.events(id)).some(({ state }) => state !== "planned");
    if (changes === undefined && isSent) throw new BposError("push_not_kept", { push: id });
    for (const change of changes ?? []) kept.push(change);
  }
  return kept;
}

/** Returns the codes in batches with an unknown outcome. For the last push that does not matter: newer stamps win. */
async function openCodes(pushes: Pushes, parts: readonly PushPart[]): Promise<Set<string>> {
  const open = new Set<string>();
  for (const { push_id: id } of parts) {
    const events = (await pushes.events(id)).filter(({ state }) => state !== "answered");
    for (const { row, codigo } of (await pushes.changes(id)) ?? [])
      if (events.some(({ first_row: first, row_count: rows }) => row >= first && row < first + rows))
        open.add(codigo);
  }
  return open;
}

type Verdict = { item?: CatalogItem; deactivates?: boolean } | LeftAlone["reason"];

/** Returns what undoes the change of a product as it is now. */
function decide(
  { codigo, kind, fields }: ProductChange,
  known: ConfirmedItem | undefined,
  isOpen: boolean,
): Verdict {
  // The service had refused it.
  if (known === undefined && kind === "unknown") return {};
  if (kind === "unknown") return "former_unknown";
  if (known === undefined || (known.pending && !isOpen)) return "state_unknown";
  const { activo = { from: true, to: true }, ...values } = fields;
  const entries = Object.entries(values) as [
    Exclude<ChangedField, "activo">,
    { from: unknown; to: unknown },
  ][];
  const now = (field: (typeof entries)[number][0]): unknown => known.item[field] ?? null;
  const isOurs = entries.every(([field, { from, to }]) => now(field) === from || now(field) === to);
  const isActive = known.active === activo.from || known.active === activo.to;
  if (!known.pending && (!isOurs || !isActive)) return "changed_since";

  // Its former values would put it on sale.
  if (activo.from === false && !known.pending && !known.active) return {};
  const restored = entries.filter(([, { from }]) => from !== null);
  // This matters less for a product that goes off sale again.
  if (kind !== "new" && restored.length < entries.length) return "former_unknown";
  const differs = known.pending || restored.some(([field, { from }]) => now(field) !== from);
  const comesBack = activo.from === true && (known.pending || !known.active);
  const former = Object.fromEntries(restored.map(([field, { from }]) => [field, from]));
  const item = comesBack ? { ...known.item, ...former, codigo } : { codigo, ...former };
  return {
    ...((differs || comesBack) && (restored.length > 0 || comesBack) && { item }),
    deactivates: activo.from === false && (known.pending || known.active),
  };
}

export interface UndoPlan {
  items: CatalogItem[];
  codes: string[];
  leftAlone: LeftAlone[];
}

/** Returns the inverse of a push for the products that are still as it left them. Throws `push_not_kept`. */
export async function planUndo(
  { catalog, pushes }: Kept,
  branch: string,
  { push, parts, unfinished }: UndoTarget,
): Promise<UndoPlan> {
  const changes = [...joinChanges(await keptChanges(pushes, parts)).values()];
  if (await catalog.isEmpty(branch)) throw new BposError("push_not_kept", { push: push.push_id });
  const [newest] = await pushes.parts(branch);
  const isNewest = newest?.push_id === push.push_id;
  const open = await openCodes(pushes, isNewest ? parts : unfinished);

  const plan: UndoPlan = { items: [], codes: [], leftAlone: [] };
  const atOnce = 1_000;
  for (let from = 0; from < changes.length; from += atOnce) {
    const some = changes.slice(from, from + atOnce);
    const codes = some.map(({ codigo }) => codigo);
    const known = await catalog.get(branch, codes);
    for (const change of some) {
      const { codigo } = change;
      const verdict = decide(change, known.get(codigo), open.has(codigo));
      if (typeof verdict === "string") plan.leftAlone.push({ codigo, reason: verdict });
      else {
        if (verdict.item !== undefined) plan.items.push(verdict.item);
        if (verdict.deactivates === true) plan.codes.push(codigo);
      }
    }
  }
  return plan;
}
