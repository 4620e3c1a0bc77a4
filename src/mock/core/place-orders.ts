import * as z from "zod";
import { badInput, parseInput } from "./refusal.ts";
import { findFreeId, type MockOrder, overridesSchema } from "./shop/orders.ts";
import type { LiveWorld } from "./world/live-world.ts";
import { makeOrderFor, type World } from "./world/world.ts";

const placeSchema = z.object({
  /** 1 to 10,000; default 1. */
  count: z.int().min(1).max(10_000).default(1),
  branch: z.string().optional(),
  /** Parts of the order to set; the others are drawn from the seed and the catalog. */
  order: overridesSchema.default({}),
});

export type PlaceOrders = Omit<z.input<typeof placeSchema>, "order"> & {
  order?: Readonly<Record<string, unknown>>;
};

/** Returns the named branch, or the world's first. Throws MockRefusal 400 for a branch that does not exist. */
export function chooseBranch(world: World, branch: string | undefined): string {
  const names = [...world.catalogs.keys()];
  const chosen = branch ?? names[0] ?? "";
  if (!names.includes(chosen))
    throw badInput(`unknown branch: ${chosen}; the branches are ${names.join(", ")}`);
  return chosen;
}

/** Places orders that hold what the branch sells now, and returns them. Throws MockRefusal 400. */
export function placeOrders(live: LiveWorld, input: PlaceOrders): MockOrder[] {
  const { world, age, date: createdAt } = live.look();
  const { count, branch: wanted, order: given } = parseInput(placeSchema, input);
  const branch = chooseBranch(world, wanted);
  if (given.order_id !== undefined && (count > 1 || world.book.byId.has(given.order_id)))
    throw badInput("order_id: already taken");

  const orders: MockOrder[] = [];
  let next_id = world.book.nextId;
  for (let index = 0; index < count; index++) {
    const orderId = findFreeId(world.book, next_id);
    next_id = orderId + 1;
    orders.push(makeOrderFor(world, { branch, orderId, createdAt }, given));
  }
  live.commit({ type: "orders_placed", age, branch, orders, next_id });
  return orders;
}
