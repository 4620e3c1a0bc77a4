import { describe, expect, it } from "vitest";
import { maskedKey, masker } from "../../src/errors/mask-key.ts";

const key = "bpk_live/0123456+9f8e7D6c";
const bytes = Array.from(Buffer.from(key), (byte) => byte.toString(16).padStart(2, "0"));

const spellings: [string, string][] = [
  ["as it is", key],
  ["in capitals", key.toUpperCase()],
  ["as JSON may escape it", key.replace("/", "\\/")],
  ["with a digit as a JSON escape", key.replace("9", "\\u0039")],
  ["all of it in JSON escapes", bytes.map((byte) => `\\u00${byte}`).join("")],
  ["in JSON within JSON", key.replace("_", String.raw`\\u005F`).replace("/", String.raw`\\\/`)],
  ["percent-encoded in small letters", encodeURIComponent(key).toLowerCase()],
  ["percent-encoded in part", key.replace("_", "%5F")],
  ["percent-encoded twice", encodeURIComponent(encodeURIComponent(key))],
  ["with entities of HTML", key.replace("/", "&#x2F;").replace("_", "&#095;")],
  ["in base64", Buffer.from(key).toString("base64")],
  ["in base64 for addresses", Buffer.from(key).toString("base64url")],
  ["in base64 within an address", encodeURIComponent(Buffer.from(key).toString("base64"))],
];

describe("a key", () => {
  it.each(spellings)("is replaced %s", (_how, spelling) => {
    expect(masker(key)(`{"m":"bad ${spelling}."}`)).toMatch(/^\{"m":"bad bpk_…7D6c(={0,2}|%3D)*\."\}$/);
  });

  it("that is not there changes nothing, nor does part of one, nor none", () => {
    const text = `{"m":"bpk_live \\\\u0039 %5F &#95; ${key.slice(0, -1)}"}`;
    expect(masker(key)(text)).toBe(text);
    expect(masker("")(text)).toBe(text);
  });

  it("is looked for in a long text of signs that could begin it, each of which is looked at a few times", () => {
    const text = `${"\\".repeat(300_000)}${"%25".repeat(100_000)}${"&#0".repeat(100_000)}`;
    expect(masker(key)(text)).toBe(text);
    expect(masker(key)(`${text}${key}`)).toBe(`${text}bpk_…7D6c`);
  });

  it.each([["[a-z]{3}(.*)+$^|\\"], ["%41%%25&#x41;"], ["\\\\\\\\"], [`${"k".repeat(3_000)}(`]])(
    "is a text, whatever signs it is made of (%#)",
    (odd) => {
      expect(masker(odd, "…")(`a ${odd} b ${odd.toUpperCase()} c`)).toBe("a … b … c");
      expect(masker(odd, "…")("aaaa ([a-z]")).toBe("aaaa ([a-z]");
    },
  );

  it("shows neither a sign that could end a text of JSON, nor much of a short one", () => {
    expect(maskedKey('bpk_0123456789ab"}')).toBe("bpk_…");
    expect(maskedKey("bpk_0123456789ab3f9a")).toBe("bpk_…3f9a");
  });

  it("may hold signs of any script, as a password does", () => {
    const mask = masker("añ😀", "…");
    expect(mask("1 añ😀 2 a%C3%B1%f0%9f%98%80 3 a\\u00F1\\ud83d\\ude00 4 a&#241;&#x1f600; 5")).toBe(
      "1 … 2 … 3 … 4 … 5",
    );
  });
});
