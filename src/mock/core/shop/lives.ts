import { type Draw, draw } from "../random.ts";
import type { MockOrder, OrderSeed, OrderStep } from "./orders.ts";

const minute = 60_000;

/** The least and the most time until an order reaches each state, in milliseconds. */
type StepTimes = Readonly<
  Record<"en_preparacion" | "listo" | "asignado" | "en_camino" | "entregado", readonly [number, number]>
>;

const anyTimes: StepTimes = {
  en_preparacion: [15_000, 4 * minute],
  listo: [3 * minute, 15 * minute],
  asignado: [20_000, 5 * minute],
  en_camino: [20_000, 4 * minute],
  entregado: [3 * minute, 20 * minute],
};

/** No order waits long, but a POS that polls every half minute sees each while it is pendiente. */
const calmTimes: StepTimes = {
  en_preparacion: [45_000, 3 * minute],
  listo: [3 * minute, 7 * minute],
  asignado: [30_000, 2 * minute],
  en_camino: [30_000, 2 * minute],
  entregado: [4 * minute, 10 * minute],
};

function drawSteps(from: Draw, delivery: boolean, times: StepTimes): OrderStep[] {
  const steps: OrderStep[] = [];
  const after = (state: keyof StepTimes): void => {
    const [low, high] = times[state];
    steps.push({ state, at: (steps.at(-1)?.at ?? 0) + from.int(low, high) });
  };

  after("en_preparacion");
  after("listo");
  if (delivery) after("asignado");
  if (delivery) after("en_camino");
  after("entregado");
  return steps;
}

type Drawn = Pick<MockOrder, "delivery_type"> & Pick<OrderSeed, "number">;

/** The steps until the customer cancels, after `least` of them or more. */
function cancel(from: Draw, steps: readonly OrderStep[], least: number): OrderStep[] {
  const kept = steps.slice(0, from.int(least, steps.length - 1));
  const [last, next] = [kept.at(-1)?.at ?? 0, steps[kept.length]?.at ?? 0];
  return [...kept, { state: "cancelado", at: from.int(last + 1, next) }];
}

/** Draws the course of an order in a calm world. Of 100 about 4 are rejected and 5 cancelled, none before it was seen. */
export function drawCalmLife(seed: number, order: Drawn): OrderStep[] {
  const from = draw(seed, "life", order.number);
  const fate = from.fraction();
  const steps = drawSteps(from, order.delivery_type === "delivery", calmTimes);
  if (fate < 0.04) return [{ state: "rechazado", at: steps[0]?.at ?? 0 }];
  if (fate < 0.09) return cancel(from, steps, 1);
  return steps;
}

/** Draws how an order goes on in a calm world that has spent half of the time that it spends in its state. */
export function drawCalmRest(seed: number, order: Drawn & Pick<MockOrder, "status">): OrderStep[] {
  const steps = drawSteps(draw(seed, "life", order.number), order.delivery_type === "delivery", calmTimes);
  const reached = steps.findIndex(({ state }) => state === order.status);
  const [from, ...rest] = reached === -1 ? [] : steps.slice(reached);
  if (!from || !rest[0]) return [];

  const now = Math.round((from.at + rest[0].at) / 2);
  return rest.map(({ state, at }) => ({ state, at: at - now }));
}

/**
 * Draws the course of an order that nobody touches. Of 100 about 6 are rejected, 8 cancelled, and 15 too quick for a poll: they
 * leave pendiente within a second, or are born in a later state unless they were `placed`.
 */
export function drawLife(seed: number, order: Drawn, placed: boolean): OrderStep[] {
  const from = draw(seed, "life", order.number);
  const fate = from.fraction();
  const steps = drawSteps(from, order.delivery_type === "delivery", anyTimes);
  const firstAt = steps[0]?.at ?? 0;

  if (fate < 0.06) return [{ state: "rechazado", at: firstAt }];
  if (fate < 0.14) return cancel(from, steps, 0);
  if (fate >= 0.29) return steps;

  const early = from.int(1, 900);
  const shift = firstAt - (fate < 0.21 && !placed ? 0 : early);
  return steps.map(({ state, at }) => ({ state, at: at - shift }));
}
