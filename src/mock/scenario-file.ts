import * as z from "zod";
import { codigoSchema } from "./catalog.ts";
import { overridesSchema, withOverrides } from "./order-overrides.ts";
import { makeOrder } from "./orders.ts";
import { parseInput } from "./parse.ts";
import { badInput, MockRefusal } from "./refusal.ts";
import { startingTemplates, templateSchema } from "./templates.ts";

/** Milliseconds of a duration such as `40s`, `2m` or `1h30m`; null when it is none. */
function parseDuration(text: string): number | null {
  const parts = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text);
  if (!parts || text === "") return null;
  const [, hours = 0, minutes = 0, seconds = 0] = parts as readonly (string | undefined)[];
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
}

const day = 24 * 60 * 60 * 1_000;
const isPace = (text: string): boolean => {
  const ms = parseDuration(text);
  return ms !== null && ms >= 1_000 && ms <= day;
};

/** The same codigo, order_id, key … twice: the path of the second and what it is. */
function reportRepeats(
  context: z.RefinementCtx,
  named: readonly { readonly path: (string | number)[]; readonly value: string | number }[],
): void {
  const seen = new Set<string | number>();
  for (const { path, value } of named) {
    if (seen.has(value)) context.addIssue({ code: "custom", path, message: `${value} is there twice` });
    seen.add(value);
  }
}

const itemSchema = z.strictObject({
  codigo: codigoSchema,
  nombre: z.string(),
  categoria: z.string().nullable().default(null),
  precio: z.number().min(0),
  deshabilitado: z.boolean().default(false),
});

const word = z.string().regex(/^[\w-]{1,64}$/, "1 to 64 letters, digits, - or _ are required");
const key = z.string().regex(/^[!-~]{1,200}$/, "1 to 200 characters of ASCII without spaces are required");
const mostOrders = 10_000;

const countSchema = z
  .int(`a whole number from 0 to ${mostOrders}, or a list of orders, is required`)
  .min(0)
  .max(mostOrders);
const listSchema = z.array(overridesSchema).max(mostOrders);

// A union would only tell that neither fits; which of the two is meant shows at once.
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
  branch: word,
  store_id: z.string().min(1),
  keys: z.array(key).min(1),
  catalog: z.array(itemSchema).default([]),
  orders: ordersSchema,
});

const definitionSchema = z
  .strictObject({
    name: word.default("own"),
    seed: z.int().optional(),
    branches: z.array(branchSchema).min(1).max(100),
    templates: z
      .array(z.strictObject({ name: z.string().min(1), ...templateSchema.shape }))
      .default(() => startingTemplates.map((template) => ({ ...template }))),
    order_every: z
      .string()
      .refine(isPace, 'a duration from "1s" to "24h", such as "40s", or null is required')
      .nullable()
      .default(null),
    moving: z.boolean().default(false),
  })
  .superRefine(({ branches, templates }, context) => {
    const each = branches.map((branch, index) => ({ ...branch, at: ["branches", index] }));
    reportRepeats(
      context,
      each.map(({ branch, at }) => ({ path: [...at, "branch"], value: branch })),
    );
    reportRepeats(
      context,
      each.map(({ store_id, at }) => ({ path: [...at, "store_id"], value: store_id })),
    );
    reportRepeats(
      context,
      each.flatMap(({ keys, at }) => keys.map((value, index) => ({ path: [...at, "keys", index], value }))),
    );
    for (const { catalog, at } of each) {
      reportRepeats(
        context,
        catalog.map(({ codigo }, index) => ({ path: [...at, "catalog", index, "codigo"], value: codigo })),
      );
    }
    reportRepeats(
      context,
      each.flatMap(({ orders, at }) =>
        (typeof orders === "number" ? [] : orders).flatMap(({ order_id }, index) =>
          order_id === undefined ? [] : [{ path: [...at, "orders", index, "order_id"], value: order_id }],
        ),
      ),
    );
    for (const field of ["name", "id"] as const) {
      reportRepeats(
        context,
        templates.map((template, index) => ({ path: ["templates", index, field], value: template[field] })),
      );
    }
  });

/** A scenario as plain JSON: what a world starts with, and what time brings to it. */
export type ScenarioDefinition = z.infer<typeof definitionSchema>;
/** A branch of a scenario. */
export type BranchDefinition = ScenarioDefinition["branches"][number];

// Each field is sound by now; that they make an order together shows when one is made.
function checkOrders({ branches }: ScenarioDefinition): void {
  for (const [at, { branch, orders }] of branches.entries()) {
    if (typeof orders === "number") continue;
    for (const [index, given] of orders.entries()) {
      const drawn = makeOrder({ seed: 1, branch, orderId: 1, createdAt: 0, products: [] });
      try {
        withOverrides(drawn, given);
      } catch (error) {
        if (!(error instanceof MockRefusal)) throw error;
        throw badInput(`branches.${at}.orders.${index}.${error.message}`);
      }
    }
  }
}

/**
 * Reads the content of a scenario file, fills in what may be left out, and checks it whole. Throws MockRefusal 400 whose
 * message is the path of the first wrong field and what is expected there.
 *
 * @example
 * const mock = await startMock({ scenario: readScenarioDefinition(JSON.parse(text)) });
 */
export function readScenarioDefinition(json: unknown): ScenarioDefinition {
  const definition = parseInput(definitionSchema, json);
  checkOrders(definition);
  return definition;
}

/** Mean milliseconds between two orders of a branch; null when none arrives by itself. */
export function paceOf({ order_every }: ScenarioDefinition): number | null {
  return order_every === null ? null : parseDuration(order_every);
}
