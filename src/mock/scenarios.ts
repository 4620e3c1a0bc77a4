import type { Product } from "./catalog.ts";

/** The worlds that a mock can start with. */
export const scenarioNames = ["demo", "empty"] as const;
/** The name of a scenario. */
export type ScenarioName = (typeof scenarioNames)[number];

/** What a scenario brings, by branch. */
export interface Scenario {
  readonly startingOrders: number;
  /** Mean milliseconds between two orders of a branch; null when none arrives by itself. */
  readonly arrivalEveryMs: number | null;
  readonly catalog: Readonly<Record<string, readonly Product[]>>;
}

/** A key of the mock: every key belongs to one branch (`spec.md` section 5). */
export interface MockKey {
  branch: string;
  store_id: string;
  key: string;
}

/** The keys that are active in every world. Any other, `bpk_demo_inactive` too, is answered with 403. */
export const activeKeys: readonly MockKey[] = [
  { branch: "demo", store_id: "1", key: "bpk_demo_centro" },
  { branch: "norte", store_id: "2", key: "bpk_demo_norte" },
];

type Row = readonly [codigo: string, nombre: string, categoria: string, precio: number];

const products = (rows: readonly Row[]): Product[] =>
  rows.map(([codigo, nombre, categoria, precio]) => ({
    codigo,
    nombre,
    categoria,
    precio,
    deshabilitado: false,
    active: true,
    occurred_at: null,
  }));

const centro = products([
  ["PIZ-001", "Pizza muzzarella", "Pizzas", 9800],
  ["PIZ-002", "Pizza napolitana", "Pizzas", 11200],
  ["PIZ-003", "Pizza fugazzeta", "Pizzas", 11900.5],
  ["EMP-001", "Empanada de carne", "Empanadas", 1450],
  ["EMP-002", "Empanada de jamón y queso", "Empanadas", 1450],
  ["EMP-003", "Empanada de humita", "Empanadas", 1390.9],
  ["MIL-001", "Milanesa con papas", "Platos", 12600],
  ["MIL-002", "Milanesa napolitana", "Platos", 14300],
  ["BEB-001", "Gaseosa cola 1,5 l", "Bebidas", 3900],
  ["BEB-002", "Agua sin gas 500 ml", "Bebidas", 1600],
  ["POS-001", "Flan casero", "Postres", 3200],
  ["POS-002", "Helado 1/4 kg", "Postres", 5400.75],
]);

const norte = products([
  ["H01", "Hamburguesa simple", "Hamburguesas", 7900],
  ["H02", "Hamburguesa doble cheddar", "Hamburguesas", 10900],
  ["H03", "Hamburguesa de garbanzos", "Hamburguesas", 8700],
  ["L01", "Lomito completo", "Sándwiches", 13200],
  ["L02", "Choripán", "Sándwiches", 5600],
  ["P01", "Papas fritas", "Guarniciones", 4300],
  ["P02", "Papas con cheddar y panceta", "Guarniciones", 6100.5],
  ["E01", "Ensalada mixta", "Guarniciones", 4800],
  ["00123", "Cerveza rubia 473 ml", "Bebidas", 3400],
  ["00124", "Limonada con menta", "Bebidas", 2950.25],
  ["D01", "Brownie con helado", "Postres", 4900],
  ["D02", "Ensalada de frutas", "Postres", 3100],
]);

/** The scenarios by name. */
export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  demo: { startingOrders: 4, arrivalEveryMs: 40_000, catalog: { demo: centro, norte } },
  empty: { startingOrders: 0, arrivalEveryMs: null, catalog: {} },
};
