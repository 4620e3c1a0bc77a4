import fc from "fast-check";

/** Draws what the unit "binary" draws, which takes a second and 110 MB to list all of Unicode. */
const anyCharacter = fc.nat({ max: 0x10f7ff }).map(
  (n) => String.fromCodePoint(n < 0xd800 ? n : n + 0x800),
  (text) => {
    const code =
      typeof text === "string" && Array.from(text).length === 1 ? text.codePointAt(0)! : Number.NaN;
    if (Number.isNaN(code) || (code >= 0xd800 && code < 0xe000)) throw new Error("no character");
    return code < 0xd800 ? code : code - 0x800;
  },
);

/** Any text of whole characters. */
export const anyText = (constraints: Omit<fc.StringConstraints, "unit"> = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: anyCharacter });
