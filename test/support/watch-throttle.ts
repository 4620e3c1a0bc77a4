import { Throttle } from "../../src/orders/watch/throttle/throttle.ts";

type Clock = Pick<ConstructorParameters<typeof Throttle>[0]["clock"], "now" | "sleep">;

/** Returns the throttle of a branch that shares its service with no other. */
export const openThrottle = (clock: Clock, intervalMs: number, signal: AbortSignal): Throttle =>
  new Throttle({
    clock: { ...clock, later: () => () => undefined },
    intervalMs,
    signal,
    lagged: () => undefined,
    tell: () => undefined,
  });
