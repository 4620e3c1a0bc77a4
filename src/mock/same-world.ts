import { isDeepStrictEqual } from "node:util";
import { MockDataError } from "./data-error.ts";
import type { WorldStarted } from "./live-world.ts";
import type { Scenario } from "./scenarios.ts";

/** What somebody asks of a world by name; what is absent may be anything. */
export interface Asked {
  readonly scenario?: Scenario | undefined;
  readonly seed?: number | undefined;
  /** Epoch milliseconds; null for a clock that runs. */
  readonly frozenAt: number | null;
  readonly speed?: number | undefined;
}

/**
 * Throws MockDataError unless the world in a file was started with all that is asked for: what has happened in it cannot
 * be true of another one. What is not asked for the file decides.
 */
export function requireSameWorld(file: string, asked: Asked, { scenario, seed, clock }: WorldStarted): void {
  // A scenario of the user's own was read from JSON there, where nothing is undefined.
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;
  const isOther = {
    scenario: asked.scenario !== undefined && !isDeepStrictEqual(plain(asked.scenario), plain(scenario)),
    seed: asked.seed !== undefined && asked.seed !== seed,
    clock: asked.frozenAt !== null && (clock.speed !== 0 || clock.origin !== asked.frozenAt),
    speed: asked.frozenAt === null && asked.speed !== undefined && asked.speed !== clock.speed,
  };
  const others = Object.entries(isOther).flatMap(([name, other]) => (other ? [name] : []));
  if (others.length === 0) return;
  throw new MockDataError(
    file,
    { kind: "other_world", of: others },
    `${file} holds a world of another ${others.join(" and ")}: leave that out, empty the world with \`bpos mock reset\`, or name another file`,
  );
}
