import { badInput } from "./refusal.ts";
import { type BranchDefinition, readScenarioDefinition, type ScenarioDefinition } from "./scenario-file.ts";
import { scenarioNames } from "./scenario-names.ts";
import { startingTemplates } from "./templates.ts";

/** The name of a built-in scenario. */
type ScenarioName = (typeof scenarioNames)[number];
/** A built-in scenario by name, or one of the user's own. */
export type Scenario = ScenarioName | ScenarioDefinition;

/** A key of the mock: every key belongs to one branch (`spec.md` section 5). */
export interface MockKey {
  branch: string;
  store_id: string;
  key: string;
}

/** The active keys of the built-in scenarios. Any other, `bpk_demo_inactive` too, is answered with 403. */
export const activeKeys: readonly MockKey[] = [
  { branch: "demo", store_id: "1", key: "bpk_demo_centro" },
  { branch: "norte", store_id: "2", key: "bpk_demo_norte" },
];

type Row = readonly [codigo: string, nombre: string, categoria: string, precio: number];

const products = (rows: readonly Row[]): BranchDefinition["catalog"] =>
  rows.map(([codigo, nombre, categoria, precio]) => ({
    codigo,
    nombre,
    categoria,
    precio,
    deshabilitado: false,
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

type Brought = Pick<BranchDefinition, "catalog" | "orders">;

function builtIn(
  brought: { readonly demo: Brought; readonly norte: Brought },
  time: Pick<ScenarioDefinition, "name" | "order_every" | "moving">,
): ScenarioDefinition {
  const branches = activeKeys.map(({ branch, store_id, key }) => ({
    branch,
    store_id,
    keys: [key],
    ...brought[branch === "demo" ? "demo" : "norte"],
  }));
  return { ...time, branches, templates: [...startingTemplates] };
}

const stocked = (demo: number, inNorte: number): { demo: Brought; norte: Brought } => ({
  demo: { catalog: centro, orders: demo },
  norte: { catalog: norte, orders: inNorte },
});
const nothing: Brought = { catalog: [], orders: 0 };

const scenarios: Readonly<Record<ScenarioName, ScenarioDefinition>> = {
  demo: builtIn(stocked(4, 4), { name: "demo", order_every: "40s", moving: false }),
  empty: builtIn({ demo: nothing, norte: nothing }, { name: "empty", order_every: null, moving: false }),
  rush: builtIn(stocked(57, 23), { name: "rush", order_every: "2s", moving: false }),
  busy: builtIn(stocked(40, 25), { name: "busy", order_every: "20s", moving: true }),
};

/** What a scenario brings. */
export function definitionOf(scenario: Scenario): ScenarioDefinition {
  return typeof scenario === "string" ? scenarios[scenario] : scenario;
}

/** A scenario by name, or checked whole. Throws MockRefusal 400 for anything else. */
export function readScenario(given: unknown): Scenario {
  if (typeof given === "object" && given !== null) return readScenarioDefinition(given);
  const known = scenarioNames.find((name) => name === given);
  if (known) return known;
  throw badInput(`scenario: ${scenarioNames.join(", ")}, or a scenario of your own, is required`);
}

/** The active keys of a scenario. */
export function keysOf({ branches }: ScenarioDefinition): MockKey[] {
  return branches.flatMap(({ branch, store_id, keys }) => keys.map((key) => ({ branch, store_id, key })));
}
