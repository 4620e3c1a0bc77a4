import type { OrderState } from "../contract/order-states.ts";
import type { MockOrder } from "./orders.ts";
import { type Draw, draw } from "./random.ts";

/** A state that an order reaches by itself, `at` milliseconds after its birth. */
export interface OrderStep {
  readonly state: OrderState;
  readonly at: number;
}

const seconds = 1_000;
const minutes = 60 * seconds;

// How long an order stays in the state before each of these.
const onTheWay = (from: Draw, delivery: boolean): OrderStep[] => {
  const usual = [
    { state: "en_preparacion", after: from.int(15 * seconds, 4 * minutes) },
    { state: "listo", after: from.int(3 * minutes, 15 * minutes) },
    ...(delivery
      ? ([
          { state: "asignado", after: from.int(20 * seconds, 5 * minutes) },
          { state: "en_camino", after: from.int(20 * seconds, 4 * minutes) },
        ] as const)
      : []),
    { state: "entregado", after: from.int(3 * minutes, 20 * minutes) },
  ] as const;
  let at = 0;
  return usual.map(({ state, after }) => {
    at += after;
    return { state, at };
  });
};

/**
 * What becomes of an order that nobody touches, in the order of `spec.md` section 3; the same for the same seed. Of 100
 * about 6 are rejected, 8 cancelled on the way, and 15 too quick for a poll: they leave pendiente within a second, or are
 * born in a later state unless they were `placed`, since who places an order is told that it is pendiente.
 */
export function lifeOf(
  seed: number,
  order: Pick<MockOrder, "order_id" | "delivery_type">,
  placed: boolean,
): OrderStep[] {
  const from = draw(seed, "life", order.order_id);
  const fate = from.fraction();
  const steps = onTheWay(from, order.delivery_type === "delivery");
  const [first] = steps;
  if (!first) return steps;
  if (fate < 0.06) return [{ state: "rechazado", at: first.at }];
  if (fate < 0.14) {
    const kept = steps.slice(0, from.int(0, steps.length - 1));
    const [last, next] = [kept.at(-1)?.at ?? 0, steps[kept.length]?.at ?? 0];
    return [...kept, { state: "cancelado", at: from.int(last + 1, next) }];
  }
  if (fate < 0.29) {
    const early = from.int(1, 900);
    const shift = first.at - (fate < 0.21 && !placed ? 0 : early);
    return steps.map(({ state, at }) => ({ state, at: at - shift }));
  }
  return steps;
}
