import { createHash } from "node:crypto";
import * as z from "zod";
import { clockSchema, formatInstant } from "../core/clock.ts";
import { maxBodyBytes } from "../core/http.ts";
import { badInput, MockRefusal, parseInput } from "../core/refusal.ts";
import type { LiveWorld } from "../core/world/live-world.ts";
import { defineScenario } from "../core/world/scenarios.ts";
import type { WorldEvent } from "../core/world/world.ts";

/** Increases with every change of the event format. */
const version = 1;

const documentSchema = z.object({
  bpos_mock_world: z.literal(version),
  exported_at: z.string(),
  scenario: z.string(),
  seed: z.int(),
  sha256: z.string(),
  /** The clock at that instant: an imported world continues from there. */
  clock: clockSchema,
  events: z.array(z.looseObject({ type: z.string() })).min(1),
});

/** A whole world as one JSON document: its events contain everything. */
export type WorldDocument = z.infer<typeof documentSchema>;

const computeChecksum = (document: object): string =>
  createHash("sha256")
    .update(JSON.stringify({ ...document, sha256: undefined }))
    .digest("hex");

/** Throws MockRefusal 409 if the world is too large to import, or to keep in memory. */
export function exportWorld(live: LiveWorld): WorldDocument {
  const { world, age, date } = live.look();
  const { realAtAnchor: _, ...clock } = world.clock;
  const events = live.events(maxBodyBytes);

  const document = {
    bpos_mock_world: version,
    exported_at: formatInstant(date),
    scenario: defineScenario(world.scenario).name,
    seed: world.seed,
    sha256: "",
    clock: { ...clock, ageAtAnchor: age },
    events,
  };
  const text = events && JSON.stringify({ ...document, sha256: computeChecksum(document) });
  if (text === null || Buffer.byteLength(text) > maxBodyBytes)
    throw new MockRefusal(
      409,
      "this world is too large to export; run the mock with --data FILE and copy FILE instead",
    );

  // Parsed again, so that callers can change the result.
  return JSON.parse(text) as WorldDocument;
}

function readDocument(given: unknown): WorldDocument {
  const { bpos_mock_world: written } = Object(given) as Record<string, unknown>;
  if (typeof written !== "number") throw badInput("this is not a mock export: bpos_mock_world is missing");
  if (written > version) throw badInput("this world was exported by a newer bpos");

  const document = parseInput(documentSchema, given);
  if (computeChecksum(given as object) !== document.sha256)
    throw badInput(
      "this export was changed: its sha256 does not match; to edit a world, use a scenario file",
    );
  return document;
}

/** Replaces the world by an exported one, as a reset does. Throws MockRefusal 400, and changes nothing, when it cannot be applied. */
export function importWorld(live: LiveWorld, given: unknown): void {
  const { clock, events } = readDocument(given);
  const imported = { ...clock, realAtAnchor: live.real() };
  try {
    live.replace([
      ...(events as readonly object[] as readonly WorldEvent[]),
      { type: "world_imported", age: clock.ageAtAnchor, clock: imported },
    ]);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    throw badInput("this export cannot be applied: its events are invalid");
  }
}
