import fc from "fast-check";
import type { OrderState } from "../../src/contract/limits.ts";
import type { ModelFault, ModelOrder } from "./branch-model.ts";

const minute = 60_000;
const hour = 60 * minute;
/** When every plot begins. */
export const start = Date.UTC(2026, 0, 1, 12);

/** One simulated branch, and what happens to the watch. */
export interface Plot {
  orders: ModelOrder[];
  /** Requests that go wrong, by number. */
  faults: Map<number, ModelFault>;
  /** Effects after which the process is killed, each counted from the start that came before it. */
  kills: { after: number; downMs: number }[];
  /** Virtual milliseconds that each request takes. */
  latency: number;
  /** Output attempts that fail, by number. */
  failures: ReadonlySet<number>;
  /** Lives that run without the printer, by number. */
  unprinted: ReadonlySet<number>;
}

const lives: readonly (readonly OrderState[])[] = [
  ["pendiente"],
  ["pendiente", "en_preparacion", "listo", "entregado"],
  ["pendiente", "cancelado"],
  ["pendiente", "en_preparacion", "cancelado"],
  ["en_preparacion", "listo"],
  ["rechazado"],
  ["pendiente", "en_preparacion", "asignado", "en_camino", "entregado"],
];

const orderPlots = fc.array(
  fc.record({
    at: fc.integer({ min: -30, max: 5 * 60 }),
    life: fc.nat({ max: lives.length - 1 }),
    stay: fc.integer({ min: 1, max: 60 }),
    // Late: its created_at is hours before it can be seen. Shared: to the minute, so that many are the same.
    kind: fc.constantFrom("plain", "plain", "late", "shared"),
    edits: fc.oneof(
      fc.constant<number[]>([]),
      fc.array(fc.integer({ min: 1, max: 10 * 60 }), { maxLength: 3 }),
    ),
  }),
  { maxLength: 30 },
);

/** Accidents that can happen to a watch. */
export const plots: fc.Arbitrary<Plot> = fc.record({
  orders: orderPlots.map((drawn) =>
    drawn.map(({ at, life, stay, kind, edits: seconds }, n): ModelOrder => {
      const appearsAt = start + at * 1_000;
      const states = (lives[life] ?? []).map((state, index) => ({
        state,
        from: appearsAt + index * stay * 1_000,
      }));
      // Accepted orders are not edited any more.
      const accepted = states[0]?.state === "pendiente" ? (states[1]?.from ?? Number.POSITIVE_INFINITY) : 0;
      const edits = seconds.map((after) => appearsAt + after * 1_000).filter((edit) => edit < accepted);
      const made = kind === "late" ? appearsAt - 20 * hour : appearsAt;
      return {
        id: n + 1,
        appearsAt,
        states,
        edits,
        createdAt: kind === "shared" ? made - (made % minute) : made,
      };
    }),
  ),
  faults: fc
    .array(fc.tuple(fc.nat({ max: 60 }), fc.constantFrom<ModelFault>("500", "html", "reset", "429", "403")), {
      maxLength: 5,
    })
    .map((pairs) => new Map(pairs)),
  kills: fc.array(
    fc.record({
      after: fc.integer({ min: 1, max: 60 }),
      downMs: fc.constantFrom(0, 30_000, 10 * minute, 3 * 24 * hour),
    }),
    { maxLength: 4 },
  ),
  latency: fc.constantFrom(5, 400, 5_000),
  failures: fc.uniqueArray(fc.nat({ max: 20 }), { maxLength: 3 }).map((numbers) => new Set(numbers)),
  unprinted: fc.uniqueArray(fc.nat({ max: 4 }), { maxLength: 4 }).map((numbers) => new Set(numbers)),
});
