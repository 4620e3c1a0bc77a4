import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CatalogItem } from "../../src/contract/catalog.ts";
import type { Product } from "../../src/mock/core/shop/catalog.ts";
import type { RunningMock } from "../../src/mock/index.ts";
import { settled } from "./push.ts";
import { temporaryFolder } from "./run.ts";

const names = ["Pan", "Té", "Café con leche", 'Pizza "grande"', "Agua; fría", "Ñoquis, caseros"];
const categories = ["Panadería", "Bebidas", "Sin TACC"];

/** Products with codes from a small pool, each with some of its fields. */
export function randomList(random: () => number, pool = 30): CatalogItem[] {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const codes = Array.from({ length: pool }, (_, n) => `C${n}`).filter(() => random() < 0.6);
  return codes.map((codigo) => ({
    codigo,
    nombre: pick(names),
    precio: Math.round(random() * 20) / 4,
    ...(random() < 0.7 && { categoria: pick(categories) }),
    ...(random() < 0.5 && { deshabilitado: random() < 0.3 }),
  }));
}

/** Writes products to a file that can be pushed. */
export function listFile(items: readonly CatalogItem[]): string {
  const file = join(temporaryFolder(), "list.ndjson");
  writeFileSync(file, items.map((item) => `${JSON.stringify(item)}\n`).join(""));
  return settled(file);
}

/** Returns the products that a service sells, by code; a deactivated one has only that. */
export async function worldOf({ control }: RunningMock): Promise<Record<string, Partial<Product>>> {
  const products = (await control.catalog()).map((product) => ({
    ...product,
    occurred_at: null,
    event_id: "",
  }));
  const sorted = products.toSorted((a, b) => a.codigo.localeCompare(b.codigo));
  return Object.fromEntries(
    sorted.map((product) => [product.codigo, product.active ? product : { active: false }]),
  );
}
