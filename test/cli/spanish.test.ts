import { describe, expect, it } from "vitest";
import { isoTime } from "../../src/cli/display/format.ts";
import { en } from "../../src/i18n/en.ts";
import { es } from "../../src/i18n/es.ts";
import { terminal } from "./ui.ts";

const ui = terminal(80, { texts: es });

/** The parts of every text that are a flag, a command, a variable or a state: the same in each language. */
const fixed = (text: string): string[] =>
  (
    text.match(
      /--[a-z][a-z-]+|BPOS_[A-Z_]+|\bbpos (?:orders|catalog|campaign|mock|demo|openapi)\b|\bpendiente\b|\.(?:csv|json|ndjson)\b/g,
    ) ?? []
  ).sort();

function* leaves(english: unknown, spanish: unknown, path: string): Generator<[string, string, string]> {
  if (typeof english === "string" && typeof spanish === "string") yield [path, english, spanish];
  if (typeof english !== "object" || english === null) return;
  for (const [name, value] of Object.entries(english))
    yield* leaves(value, (spanish as Record<string, unknown>)[name], `${path}.${name}`);
}

describe("in Spanish", () => {
  it("every text that takes no values names the same flags, commands and states as the English one", () => {
    const both = [...leaves(en, es, "")];
    expect(both.length).toBeGreaterThan(300);
    for (const [path, english, spanish] of both)
      expect([path, ...fixed(spanish)]).toEqual([path, ...fixed(english)]);
  });

  it("no sentence was left in English", () => {
    const same = [...leaves(en, es, "")].filter(
      ([, english, spanish]) =>
        english === spanish && !english.includes("bpos ") && /^[A-Z]?[a-z]+(?: [a-z]+){2,}/.test(english),
    );
    expect(same).toEqual([]);
  });

  it("the head of a column is Spanish, but for what both languages have", () => {
    const heads = [...leaves(en, es, "")].filter(([path]) =>
      /\.(?:columns|counts|first|leftOut)\./.test(path),
    );
    expect(heads.length).toBeGreaterThan(60);
    const same = heads.flatMap(([, english, spanish]) =>
      english === spanish && english !== "" ? [english] : [],
    );
    expect([...new Set(same)].sort()).toEqual(["Error", "Total", "Variables"]);
  });

  it("times stand day first, and what is no time as it came", () => {
    const late = "2026-01-31T23:59:59.999-03:00";
    expect(isoTime(late, ui)).toBe("31/01/2026 23:59");
    expect([undefined, "", "soon", "2026-99-99T11:00:00Z"].map((iso) => isoTime(iso, ui))).toEqual([
      "—",
      "—",
      "soon",
      "2026-99-99T11:00:00Z",
    ]);
  });
});
