import type { AskOptions } from "../api/ask-service.ts";
import type { Heard } from "../api/client.ts";
import type { Endpoint } from "../contract/endpoints.ts";
import type { Journal } from "../journal/open.ts";

/** What a service's answers tell: who it is, and what time it has. */
export class ServiceSigns {
  /** The world of a mock; undefined for a real service. */
  world: string | undefined;
  /** By how much this machine's clock is ahead, in milliseconds. */
  aheadMs: number | undefined;
  hasHeard: boolean;

  /** @param world of the embedded mock, which is known before it is asked. */
  constructor(world: string | undefined) {
    this.world = world;
    this.hasHeard = world !== undefined;
  }

  hear({ status, world, aheadMs }: Heard): void {
    this.hasHeard = true;
    this.aheadMs = aheadMs ?? this.aheadMs;
    // Of a refusal without a name a proxy may be the author.
    if (world !== undefined || status < 300) this.world = world;
  }
}

/** A branch whose identity is to be found out. */
export interface Identified {
  signs: ServiceSigns;
  /** The address that the command calls. */
  which: Endpoint["base"];
  address: string;
  /** All that is known; 0.1 kept state by them. */
  addresses: readonly string[];
  apiKey: string;
  isMock: boolean;
}

/**
 * Finds out under which identity a branch's state is kept, and gives it what 0.1 kept under others. A real service is asked nothing for
 * it, unless `asks` or where 0.1 kept anything: nobody knows whether that was of a mock. A mock off loopback takes nothing over from 0.1:
 * it may stand where the real service was, which must still know whom it messaged. Returns the identity by the latest answer.
 */
export async function settleIdentity(
  journal: Journal,
  { signs, which, address, addresses, apiKey, isMock }: Identified,
  { asks, ...options }: Omit<AskOptions, "apiKey"> & { asks: boolean },
): Promise<() => string> {
  const { branchId, earlierBranchIds } = await import("../journal/branch-id.ts");
  const { holdsState, renameBranches } = await import("../journal/rename-branch.ts");
  const { isLoopback } = await import("../contract/public-host.ts");
  const { origin, hostname } = new URL(address);
  const earlier = earlierBranchIds(addresses, apiKey);
  const branchNow = (): string => branchId({ address, world: signs.world, apiKey });
  const isLocal = isMock || isLoopback(hostname);
  if (!signs.hasHeard && (isLocal || asks || holdsState(journal, earlier))) {
    const { askService, askWorld } = await import("../api/ask-service.ts");
    const { parseBase } = await import("../api/address.ts");
    const base = parseBase(which, address) ?? { origin, path: "" };
    const heard = isLocal
      ? await askWorld(origin, options)
      : (await askService(which, base, { ...options, apiKey })).heard;
    if (heard !== undefined) signs.hear(heard);
  }
  if (isLocal || signs.world === undefined) renameBranches(journal, branchNow(), earlier);
  return branchNow;
}
