import type { CatalogItem } from "../contract/catalog.ts";
import type { Journal } from "./open.ts";

/** A product as the service is known to have it. */
export interface ConfirmedItem {
  /** The fields that were confirmed; those that never were are missing. */
  item: Partial<CatalogItem>;
  /** False once it was deactivated. */
  active: boolean;
  /** A batch with it left, and nobody knows what came of that. */
  open: boolean;
}

interface Row {
  item: string;
  active: number;
  open: number;
}

// As JSON text a code holds no NUL, which the database would cut it at.
const keyOf = (codigo: string): string => JSON.stringify(codigo);

/** Of so many products it takes no time worth speaking of to keep them. */
const mostUnasked = 5_000;

/** Whether the products of a branch are kept. */
export function isCatalogKept(journal: Journal, branch: string): boolean {
  return journal.prepare("SELECT 1 FROM catalog_kept WHERE branch = ?").get(branch) !== undefined;
}

/** Keeps the products of a branch from now on. */
export function keepCatalog(journal: Journal, branch: string): void {
  journal.prepare("INSERT INTO catalog_kept VALUES (?, 1) ON CONFLICT DO UPDATE SET asked = 1").run(branch);
}

/**
 * Keeps the products of a branch for which nobody has asked that yet, as long as no push has many: it costs some 70 µs a product.
 * Where one has, what was kept is forgotten, since it would be out of date.
 */
export function keepSmallCatalog(journal: Journal, branch: string, products: number): void {
  if (products <= mostUnasked) {
    journal.prepare("INSERT INTO catalog_kept VALUES (?, 0) ON CONFLICT DO NOTHING").run(branch);
    return;
  }
  const { changes } = journal.prepare("DELETE FROM catalog_kept WHERE branch = ? AND asked = 0").run(branch);
  if (changes > 0) journal.prepare("DELETE FROM catalog_item WHERE branch = ?").run(branch);
}

/** The products of one branch as the service is known to have them. */
export class CatalogState {
  readonly #branch: string;
  readonly #get;
  readonly #put;
  readonly #drop;
  readonly #active;
  readonly #any;

  constructor(journal: Journal, branch: string) {
    this.#branch = branch;
    this.#get = journal.prepare("SELECT item, active, open FROM catalog_item WHERE branch = ? AND code = ?");
    this.#put = journal.prepare(
      `INSERT INTO catalog_item (branch, code, item, active, open) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET item = excluded.item, active = excluded.active, open = excluded.open`,
    );
    this.#drop = journal.prepare("DELETE FROM catalog_item WHERE branch = ? AND code = ?");
    this.#active = journal.prepare("SELECT code FROM catalog_item WHERE branch = ? AND active = 1");
    this.#any = journal.prepare("SELECT 1 FROM catalog_item WHERE branch = ? LIMIT 1");
  }

  get(codigo: string): ConfirmedItem | undefined {
    const row = this.#get.get(this.#branch, keyOf(codigo)) as Row | undefined;
    if (row === undefined) return undefined;
    return {
      item: JSON.parse(row.item) as Partial<CatalogItem>,
      active: row.active === 1,
      open: row.open === 1,
    };
  }

  put(codigo: string, { item, active, open }: ConfirmedItem): void {
    this.#put.run(this.#branch, keyOf(codigo), JSON.stringify(item), Number(active), Number(open));
  }

  drop(codigo: string): void {
    this.#drop.run(this.#branch, keyOf(codigo));
  }

  /** True while nothing was ever confirmed. */
  isEmpty(): boolean {
    return this.#any.get(this.#branch) === undefined;
  }

  /** The codes of all products that were confirmed and not deactivated since. */
  activeCodes(): string[] {
    return (this.#active.all(this.#branch) as { code: string }[]).map(
      ({ code }) => JSON.parse(code) as string,
    );
  }
}
