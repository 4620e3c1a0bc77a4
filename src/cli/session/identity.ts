import { type Asked, askWorld } from "../../api/ask.ts";
import type { Heard } from "../../api/client.ts";
import type { Dispatcher } from "../../api/transport.ts";
import { isLoopback } from "../../contract/addresses.ts";
import { toUnsent } from "../../errors/unsent.ts";
import type { Runtime } from "../runtime.ts";

/** Learns from the service's responses: the world of a mock, and how far this machine's clock is ahead. */
export function trackSigns(world: string | undefined) {
  const signs = {
    world,
    aheadMs: undefined as number | undefined,
    hasHeard: world !== undefined,

    hear: (heard: Heard): void => {
      signs.hasHeard = true;
      signs.aheadMs = heard.aheadMs ?? signs.aheadMs;
      // A refusal without a name may come from a proxy.
      if (heard.world !== undefined || heard.status < 300) signs.world = heard.world;
    },
  };
  return signs;
}

export type Signs = ReturnType<typeof trackSigns>;

interface Identified {
  signs: Signs;
  address: string;
  apiKey: string;
  isMock: boolean;
  dispatcher: Dispatcher;
  /** Asks the service anything, once: whatever it answers is heard by `signs`. */
  ask: () => Promise<Asked>;
}

/**
 * Returns the identity of a branch by the latest answer. Asks a possible mock for its world; `asks` the service itself if nobody answered yet.
 * Throws if a possible mock answers neither: with a guessed world it is another branch, and a send would message everybody again.
 */
export async function settleIdentity(
  { system: { clock }, signal }: Runtime,
  { signs, address, apiKey, isMock, dispatcher, ask }: Identified,
  asks: boolean,
): Promise<() => string> {
  const { branchId } = await import("../../journal/records/branches.ts");
  const { origin, hostname } = new URL(address);
  const mayBeMock = isMock || isLoopback(hostname);

  if (!signs.hasHeard && mayBeMock) {
    const heard = await askWorld(origin, dispatcher, { signal, clock });
    if (heard !== undefined) signs.hear(heard);
  }

  if (!signs.hasHeard && asks) {
    const asked = await ask();
    if (mayBeMock && asked.kind === "silent") throw toUnsent(asked.error);
  }

  return () => branchId({ address, world: signs.world, apiKey });
}
