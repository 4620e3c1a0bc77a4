import { readFileSync } from "node:fs";
import { configFile, type Machine } from "./folders.ts";

/** The names of the profiles, without a look at what is in them: completion must not wait for the schemas. Throws what reading throws. */
export function profileNames(machine: Machine): string[] {
  const text = readFileSync(configFile(machine), "utf8").replace(/^\ufeff/, "");
  const { profiles } = JSON.parse(text) as { profiles?: object };
  return Object.keys(profiles ?? {});
}
