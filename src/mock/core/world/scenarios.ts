import * as z from "zod";
import { activeKeys, scenarioNames } from "../../../contract/limits.ts";
import { parseDuration } from "../clock.ts";
import { badInput, type MockRefusal, parseInput } from "../refusal.ts";
import { startingTemplates, templateSchema } from "../shop/campaigns.ts";
import { codigoSchema } from "../shop/catalog.ts";
import { makeOrder, overridesSchema } from "../shop/orders.ts";
import { demoStories, type Story } from "./story.ts";

const paceSchema = z.string().refine((text) => {
  const ms = parseDuration(text) ?? 0;
  return ms >= 1_000 && ms <= 24 * 60 * 60 * 1_000;
}, 'a duration from "1s" to "24h", such as "40s", or null is required');

const itemSchema = z.strictObject({
  codigo: codigoSchema,
  nombre: z.string(),
  categoria: z.string().nullable().default(null),
  precio: z.number().min(0),
  deshabilitado: z.boolean().default(false),
});

const wordSchema = z.string().regex(/^[\w-]{1,64}$/, "1 to 64 letters, digits, - or _ are required");
const keySchema = z
  .string()
  .regex(/^[!-~]{1,200}$/, "1 to 200 characters of ASCII without spaces are required");

const maxOrders = 10_000;
const countMessage = `a whole number from 0 to ${maxOrders}, or a list of orders, is required`;
const countSchema = z.int(countMessage).min(0).max(maxOrders);
const listSchema = z.array(overridesSchema).max(maxOrders);

// A union would only report that neither fits, although it is clear which of the two is meant.
const ordersSchema = z
  .unknown()
  .default(0)
  .transform((given, context) => {
    const parsed = (Array.isArray(given) ? listSchema : countSchema).safeParse(given);
    if (parsed.success) return parsed.data;

    const [{ path, message } = { path: [], message: "" }] = parsed.error.issues;
    context.addIssue({ code: "custom", path: [...path], message });
    return z.NEVER;
  });

const branchSchema = z.strictObject({
  branch: wordSchema,
  store_id: z.string().min(1),
  /** The sender of a message, as a customer sees it; the branch where it is left out. */
  business: z.string().min(1).max(60).optional(),
  keys: z.array(keySchema).min(1),
  catalog: z.array(itemSchema).default([]),
  orders: ordersSchema,
});

const namedTemplateSchema = z.strictObject({ name: z.string().min(1), ...templateSchema.shape });

const definitionSchema = z.strictObject({
  name: wordSchema.default("own"),
  seed: z.int().optional(),
  branches: z.array(branchSchema).min(1).max(100),
  templates: z.array(namedTemplateSchema).default(() => [...startingTemplates]),
  order_every: paceSchema.nullable().default(null),
  /** Calm: every order waits long enough to be seen, and manually placed orders do not move. */
  moving: z.literal([true, false, "calm"]).default(false),
});

/** A scenario as plain JSON: the initial state of a world, and its events over time. */
export type ScenarioDefinition = z.infer<typeof definitionSchema>;

/** Checks rules across fields: no duplicates, and every listed order must be valid. */
function checkWhole({ branches, templates }: ScenarioDefinition): void {
  const seen = new Set<string>();
  const refuseTwice = (kind: string, value: string | number | undefined, path: string): void => {
    if (value !== undefined && seen.has(`${kind} ${value}`)) throw badInput(`${path}: duplicate ${value}`);
    seen.add(`${kind} ${value}`);
  };

  for (const [at, { branch, store_id, keys, catalog, orders }] of branches.entries()) {
    const path = `branches.${at}`;
    refuseTwice("branch", branch, `${path}.branch`);
    refuseTwice("store_id", store_id, `${path}.store_id`);
    for (const [n, key] of keys.entries()) refuseTwice("key", key, `${path}.keys.${n}`);
    for (const [n, { codigo }] of catalog.entries()) refuseTwice(path, codigo, `${path}.catalog.${n}.codigo`);
    const listed = typeof orders === "number" ? [] : orders;
    for (const [n, given] of listed.entries()) {
      refuseTwice("order_id", given.order_id, `${path}.orders.${n}.order_id`);
      try {
        makeOrder({ seed: 1, branch, orderId: 1, number: 1, createdAt: 0, products: [] }, given);
      } catch (error) {
        throw badInput(`${path}.orders.${n}.${(error as MockRefusal).message}`);
      }
    }
  }

  for (const [n, { name, id }] of templates.entries()) {
    refuseTwice("name", name, `templates.${n}.name`);
    refuseTwice("id", id, `templates.${n}.id`);
  }
}

/**
 * Reads the content of a scenario file and checks it whole. Throws MockRefusal 400 with the path of the first wrong field.
 *
 * @example
 * const mock = await startMock({ scenario: readScenarioDefinition(JSON.parse(text)) });
 */
export function readScenarioDefinition(json: unknown): ScenarioDefinition {
  const definition = parseInput(definitionSchema, json);
  checkWhole(definition);
  return definition;
}

type ScenarioName = (typeof scenarioNames)[number];
export type Scenario = ScenarioName | ScenarioDefinition;

/** A key of the mock: every key belongs to one branch (`docs/reference/service.md` 5). */
export interface MockKey {
  branch: string;
  store_id: string;
  key: string;
}

const toProducts = (rows: readonly (readonly [string, string, string, number])[]) =>
  rows.map(([codigo, nombre, categoria, precio]) => ({
    codigo,
    nombre,
    categoria,
    precio,
    deshabilitado: false,
  }));

const demo = toProducts([
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

const businesses = ["Pizzería del Centro", "Parrilla Norte"];

const norte = toProducts([
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

function buildScenario(
  name: ScenarioName,
  orders: readonly [number, number],
  order_every: string | null,
  moving: ScenarioDefinition["moving"] = false,
) {
  const catalogs = name === "empty" ? [[], []] : [demo, norte];
  const branches = activeKeys.map(({ key, ...branch }, n) => ({
    ...branch,
    ...(businesses[n] !== undefined && { business: businesses[n] }),
    keys: [key],
    catalog: catalogs[n] ?? [],
    orders: orders[n] ?? 0,
  }));
  return { name, order_every, moving, branches, templates: [...startingTemplates] };
}

/** What a file cannot say: what happened before the world began. */
type Told = ScenarioDefinition & { readonly stories?: readonly Story[] };

const scenarios: Readonly<Record<ScenarioName, Told>> = {
  demo: { ...buildScenario("demo", [4, 4], "40s", "calm"), stories: demoStories },
  empty: buildScenario("empty", [0, 0], null),
  rush: buildScenario("rush", [57, 23], "2s"),
  busy: buildScenario("busy", [40, 25], "20s", true),
};

export const defineScenario = (scenario: Scenario): Told =>
  typeof scenario === "string" ? scenarios[scenario] : scenario;

/** Returns the business that the customers of a branch see. */
export const findBusiness = (scenario: Scenario, branch: string): string =>
  defineScenario(scenario).branches.find((each) => each.branch === branch)?.business ?? branch;

export function readScenario(given: unknown): Scenario {
  if (typeof given === "object" && given !== null) return readScenarioDefinition(given);
  const known = scenarioNames.find((name) => name === given);
  if (known) return known;
  throw badInput(`scenario: ${scenarioNames.join(", ")}, or your own scenario, is required`);
}
