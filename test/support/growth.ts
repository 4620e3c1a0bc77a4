import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const known = new Map<string, number>();

/** Returns by what factor a test file grows at most in the soak, with what it imports from other tests; 0 if the soak repeats it as it is. */
export function growthOf(file: string): number {
  const found = known.get(file);
  if (found !== undefined) return found;
  // What imports itself in a circle grows by what is below.
  known.set(file, 0);
  const code = readFileSync(file, "utf8");
  const imports = Array.from(code.matchAll(/ from "([^"]+)";/g), ([, name = ""]) => name);
  const isSized = imports.some((name) => name === "fast-check" || name.endsWith("/soak.ts"));
  const factors = Array.from(
    code.matchAll(/\bsized\(([\d_]+), ([\d_]+)\)/g),
    ([, small = "", full = ""]) => Number(full.replaceAll("_", "")) / Number(small.replaceAll("_", "")),
  );
  const below = imports
    .filter((name) => /^\..*\.ts$/.test(name) && !name.includes("/src/") && !name.endsWith("/soak.ts"))
    .map((name) => growthOf(join(dirname(file), name)));
  const growth = Math.max(isSized ? 1 : 0, ...factors.filter(Number.isFinite), ...below);
  known.set(file, growth);
  return growth;
}
