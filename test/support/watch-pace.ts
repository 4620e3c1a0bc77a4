import { Pace } from "../../src/orders/watch/throttle.ts";

type Clock = Pick<ConstructorParameters<typeof Pace>[0]["clock"], "now" | "sleep">;

/** The turns of a branch before which nobody else is. */
export const openPace = (clock: Clock, intervalMs: number, signal: AbortSignal): Pace =>
  new Pace({
    clock: { ...clock, later: () => () => undefined },
    intervalMs,
    signal,
    lagged: () => undefined,
    tell: () => undefined,
  });
