import * as z from "zod";
import { type CatalogEvent, type CatalogResult, catalogEventSchema } from "../../../contract/catalog.ts";
import { formatInstant, parseExactly } from "../clock.ts";

/** A product of a branch, as `GET /_mock/catalog` shows it. */
export interface Product {
  readonly codigo: string;
  readonly nombre: string;
  readonly categoria: string | null;
  readonly precio: number;
  readonly deshabilitado: boolean;
  readonly active: boolean;
  /** The last applied event, as pushed; null for a product of the scenario. */
  readonly occurred_at: string | null;
}

/** An event's outcome, besides what it changed. */
type EventFacts = Readonly<Pick<CatalogEvent, "action" | "occurred_at"> & { stale: readonly string[] }>;

/** The response to an event, as specified. */
interface EventResult extends CatalogResult {
  skipped_stale: number;
  rejected: { codigo: string; error: string }[];
}

export const maxPushes = 200;
/** The maximum of rejected rows that are kept of one push, and of stale ones. */
const maxCodes = 1_000;

export const startCatalog = (products: readonly Omit<Product, "active" | "occurred_at">[]) => ({
  entries: new Map(
    products.map((brought) => {
      const product: Product = { ...brought, active: true, occurred_at: null };
      /** The event that was applied last. */
      const event_id = null as string | null;
      /** The price before that event; null where it was the same, or the product was not there. */
      const before = null as number | null;
      // `pushed`: somebody has pushed it since the world began.
      const first = { product, appliedAt: -Infinity, starting: true, pushed: false, event_id, before };
      return [product.codigo, first];
    }),
  ),
  answers: new Map<string, CatalogResult>(),
  /** The last events that were applied, oldest first, and the world's age then. */
  pushes: [] as { readonly age: number; readonly row: ReturnType<typeof toPushRow> }[],
  sellable: null as readonly Product[] | null,
});

export type Catalog = ReturnType<typeof startCatalog>;

export const codigoSchema = z
  .string("codigo must be text")
  // Characters, not UTF-16 units.
  .regex(/^.{1,64}$/su, "codigo must have 1 to 64 characters");

const itemError = "an item must be an object";
export const upsertSchema = z.object(
  {
    codigo: codigoSchema,
    nombre: z.string("nombre must be text").optional(),
    categoria: z.string("categoria must be text").optional(),
    precio: z.number("precio must be a finite number").min(0, "precio must be 0 or more").optional(),
    deshabilitado: z.boolean("deshabilitado must be true or false").optional(),
  },
  itemError,
);
const deleteSchema = upsertSchema.pick({ codigo: true });

type Item = z.infer<typeof upsertSchema>;

/** True for the items that almost all are, and only for sound ones: zod, four times as slow, decides about the others. */
export function isSurelySound(item: unknown): item is Item {
  const { codigo, nombre, categoria, precio, deshabilitado } = Object(item) as Record<keyof Item, unknown>;
  return (
    typeof codigo === "string" &&
    codigo.length >= 1 &&
    codigo.length <= 64 &&
    typeof nombre === "string" &&
    typeof categoria === "string" &&
    typeof precio === "number" &&
    precio >= 0 &&
    precio < Infinity &&
    typeof deshabilitado === "boolean"
  );
}

/** The body of a catalog event with its items unread: a bad item is listed, it does not refuse the batch. */
export const envelopeSchema = z.object({ ...catalogEventSchema.shape, items: z.array(z.unknown()) });
type Envelope = z.infer<typeof envelopeSchema>;

export interface CatalogOutcome {
  readonly result: EventResult;
  readonly changes: readonly Product[];
  readonly facts: EventFacts;
}

function decideItem(known: Product | undefined, item: Item, event: Envelope): Product | string {
  const { action, occurred_at } = event;
  if (action === "delete") return known ? { ...known, active: false, occurred_at } : "unknown codigo";

  const { codigo, nombre = known?.nombre, precio = known?.precio } = item;
  const { categoria = known?.categoria ?? null, deshabilitado = known?.deshabilitado ?? false } = item;
  if (nombre === undefined) return "nombre is required for a new product";
  if (precio === undefined) return "precio is required for a new product";
  return { codigo, nombre, categoria, precio, deshabilitado, active: true, occurred_at };
}

function readCode(item: unknown): string {
  const { codigo } = Object(item) as { codigo?: unknown };
  return typeof codigo === "string" || typeof codigo === "number" ? String(codigo) : "";
}

/** More would take minutes, and a response that lists them all might be too long. */
export const maxItems = 500_000;

/** Returns the outcome of an event without applying it (`docs/reference/service.md` 4.2): each item's validity first, then its age. */
export function decideEvent(catalog: Catalog, event: Envelope): CatalogOutcome {
  const at = parseExactly(event.occurred_at);
  const schema = event.action === "delete" ? deleteSchema : upsertSchema;
  const touched = new Map<string, Product>();
  const rejected: EventResult["rejected"] = [];
  const stale: string[] = [];
  let accepted = 0;
  let skipped_stale = 0;

  for (const item of event.items) {
    const parsed = isSurelySound(item) ? { success: true as const, data: item } : schema.safeParse(item);
    if (!parsed.success) {
      rejected.push({ codigo: readCode(item), error: parsed.error.issues[0]?.message ?? itemError });
      continue;
    }

    const { codigo } = parsed.data;
    const entry = catalog.entries.get(codigo);
    const isStale = entry !== undefined && at < entry.appliedAt;
    const product = isStale ? null : decideItem(touched.get(codigo) ?? entry?.product, parsed.data, event);

    if (product === null) {
      skipped_stale++;
      if (stale.length < maxCodes) stale.push(codigo);
    } else if (typeof product === "string") {
      rejected.push({ codigo, error: product });
    } else {
      accepted++;
      touched.set(codigo, product);
    }
  }
  const result = { duplicate: false, accepted, skipped_stale, rejected };
  const { action, occurred_at } = event;
  return { result, changes: [...touched.values()], facts: { action, occurred_at, stale } };
}

type Applied = Readonly<Record<"branch" | "event_id", string> & Record<"age" | "date", number>>;

/** An event that was applied, as `GET /_mock/pushes` shows it. */
function toPushRow({ branch, event_id, date }: Applied, { result, facts }: CatalogOutcome) {
  const { accepted, skipped_stale, rejected } = result;
  const { action, occurred_at, stale } = facts;
  return {
    branch,
    event_id,
    at: formatInstant(date),
    occurred_at,
    action,
    items: accepted + skipped_stale + rejected.length,
    accepted,
    skipped_stale,
    rejected: rejected.slice(0, maxCodes),
    stale,
  };
}

export function applyEvent(catalog: Catalog, applied: Applied, outcome: CatalogOutcome): void {
  const { event_id, age } = applied;
  catalog.answers.set(event_id, outcome.result);
  catalog.pushes.push({ age, row: toPushRow(applied, outcome) });
  if (catalog.pushes.length > maxPushes) catalog.pushes.shift();

  // All changes of an event have the event's time.
  const appliedAt = parseExactly(outcome.changes[0]?.occurred_at ?? "");
  for (const product of outcome.changes) {
    const known = catalog.entries.get(product.codigo);
    // Entries change in place: they were half of a push's garbage.
    if (known) {
      known.before = known.product.precio === product.precio ? null : known.product.precio;
      known.product = product;
      known.appliedAt = appliedAt;
      known.event_id = event_id;
      known.pushed ||= age >= 0;
    } else {
      const added = { product, appliedAt, starting: false, pushed: true, event_id, before: null };
      catalog.entries.set(product.codigo, added);
    }
  }
  if (outcome.changes.length > 0) catalog.sellable = null;
}

// Amounts are summed in cents, which stay exact up to 2^53.
const maxPrice = 1e10;

/**
 * Returns the products that an order may hold. Once the POS has pushed codes of its own, and no less than there are products of the scenario that
 * nobody pushed, these stay out: a whole list takes their place, and one new product is one of many.
 */
export function listSellable(catalog: Catalog): readonly Product[] {
  if (catalog.sellable) return catalog.sellable;

  const entries = [...catalog.entries.values()];
  const sellable = entries.filter(
    ({ product: { active, deshabilitado, precio } }) => active && !deshabilitado && precio <= maxPrice,
  );
  const pushed = sellable.filter((entry) => entry.pushed);
  const hasOwnCodes = entries.some(({ starting }) => !starting);
  const isWholeList = hasOwnCodes && pushed.length * 2 >= sellable.length;
  catalog.sellable = (isWholeList ? pushed : sellable).map(({ product }) => product);
  return catalog.sellable;
}
