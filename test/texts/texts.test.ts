import { describe, expect, it } from "vitest";
import { commandEntries } from "../../scripts/command-tree.ts";
import { chooseLanguage } from "../../src/cli/runtime.ts";
import es from "../../src/texts/es.json" with { type: "json" };
import esAR from "../../src/texts/es-AR.json" with { type: "json" };
import { placeholders } from "../../src/texts/flags.ts";
import { findLanguage, languages, textsIn } from "../../src/texts/texts.ts";

const orders = "{count, plural, one {# product} other {# products}}";
const ask = "Send {count, plural, one {# product} other {# products}}?";

describe("a message", () => {
  it("is filled by number, in each language", () => {
    const [en, neutral, argentine] = languages.map((language) => textsIn(language).t);
    expect([1, 2, 0].map((count) => en?.(orders, { count }))).toEqual([
      "1 product",
      "2 products",
      "0 products",
    ]);
    for (const t of [neutral, argentine])
      expect([1, 2, 0].map((count) => t?.(ask, { count }))).toEqual([
        "¿Mandar 1 producto?",
        "¿Mandar 2 productos?",
        "¿Mandar 0 productos?",
      ]);
  });

  it("shows a number as the view wrote it", () => {
    const count = { n: 1_240_000, shown: "1.240.000" };
    expect(textsIn("es").t(ask, { count })).toBe("¿Mandar 1.240.000 productos?");
    expect(textsIn("en").t("{count} of {all}", { count, all: 3 })).toBe("1.240.000 of 3");
  });

  it("says nothing of what its note is for", () => {
    expect(textsIn("en").t("Left alone // products of an undo")).toBe("Left alone");
    expect(textsIn("es").t("Left alone // products of an undo")).toBe("Quedan como están");
  });

  it("takes no hole of a value for one of its own, and braces without facts as they are", () => {
    const t = textsIn("en").t;
    expect(t("{file}: {detail}", { file: "a{detail}.csv", detail: "{file}" })).toBe("a{detail}.csv: {file}");
    expect(t(ask.replace("Send", "{file}:"), { file: "a{count}", count: 1 })).toBe("a{count}: 1 product?");
    expect(t("a template has {{1}}")).toBe("a template has {{1}}");
  });

  it("ends in one full stop", () => {
    const t = textsIn("en").t;
    expect(t("Unexpected {detail}.", { detail: "boom" })).toBe("Unexpected boom.");
    expect(t("Unexpected {detail}.", { detail: 'he said "No."' })).toBe('Unexpected he said "No."');
    expect(t("{file}.csv", { file: "v1." })).toBe("v1..csv");
    const sent = "{count, plural, one {# call} other {# calls}} under {ref}.";
    expect(t(sent, { count: 2, ref: '"hi!"' })).toBe('2 calls under "hi!"');
    expect(t(sent, { count: 2, ref: '"hi"' })).toBe('2 calls under "hi".');
  });
});

it("every value that a command takes has its name in each language", () => {
  const names = commandEntries().flatMap(({ command }) => [
    ...command.registeredArguments.map((argument) => argument.name()),
    ...command.options.flatMap(({ flags }) => /[<[](.+)[>\]]/.exec(flags)?.[1] ?? []),
  ]);
  expect([...new Set(names)].sort()).toEqual(Object.keys(placeholders).sort());
});

/** Words of a text, in small letters. */
const wordsOf = (text: string): string[] =>
  text.toLowerCase().match(/(?<![\p{L}\w])\p{L}+(?![\p{L}\w])/gu) ?? [];

describe("Spanish", () => {
  const neutral = Object.values(es);
  const argentine = Object.values({ ...es, ...esAR });

  it("in its neutral form has no vos", () => {
    /** Words that end as a form of vos does, and are none. */
    const others = new Set(
      `ahí así caché está esté qué quedará sí además archivos atrás demás definitivos después detrás más nuevos país quizás
      revés través jamás aquí ningún según también`.split(/\s+/),
    );
    const found = neutral
      .flatMap(wordsOf)
      .filter((word) => /[áéí]s?$|^(?:vos|sos)$/.test(word) && !others.has(word));
    expect([...new Set(found)]).toEqual([]);
  });

  it("in Argentina has no tú", () => {
    const forms = /(?<!\p{L})(?:tú|ti|contigo|tienes|puedes|quieres|eres|aquí|haz|pon)(?!\p{L})/iu;
    // With a pronoun behind, the accent tells them apart: córrelo is tú's, correlo is that of vos.
    const withPronoun = /(?<!\p{L})\p{L}*[áéíóú]\p{L}+[aei](?:l[aeo]s?|nos)(?!\p{L})/iu;
    expect(argentine.filter((text) => forms.test(text) || withPronoun.test(text))).toEqual([]);
  });

  it("in Argentina tells people what to do as they speak", () => {
    // The imperatives that differ by their accent alone, as the catalog has them: corre, corré.
    const told = new Set(
      Object.values(esAR)
        .flatMap(wordsOf)
        .filter((word) => /[áéí]$/.test(word))
        .map((word) => word.normalize("NFD").replace(/\p{M}/gu, "")),
    );
    expect(told.size).toBeGreaterThan(20);
    for (const word of ["esta", "este", "hace", "para", "si"]) told.delete(word);
    const first = argentine.filter((text) => told.has(wordsOf(text)[0] ?? ""));
    // These are no orders: a noun, or what somebody else does.
    expect(first.map((text) => text.slice(0, 40)).sort()).toMatchInlineSnapshot(`
      [
        "1 usa el mock incluido, como --mock; una",
        "COPIA {n} DE {copies}",
        "Cambia un precio",
        "Espera",
        "cambia",
        "completa",
        "espera",
        "espera hasta {at}",
        "espera la hora de inicio, {until}",
        "espera por --pace, hasta {until} o más t",
        "store_id que se manda con cada subida; e",
        "termina antes de tiempo",
        "usa {version}, que ssl_min_protocol_vers",
      ]
    `);
  });
});

it.each([
  ["es", "es"],
  ["es_MX.UTF-8", "es"],
  ["es_CO", "es"],
  ["es_CL@euro", "es"],
  ["es_ES", "es"],
  ["es-419", "es"],
  ["es.UTF-8", "es"],
  ["es_AR.UTF-8", "es-AR"],
  ["es_AR", "es-AR"],
  ["es-ar", "es-AR"],
  ["es_UY", "es-AR"],
  ["es_PY.UTF-8", "es-AR"],
  ["en_AR", "en"],
  ["en", "en"],
  ["pt_BR", undefined],
  ["est", undefined],
  ["C", undefined],
  ["", undefined],
])("of the locale %s the language is %s", (locale, language) => {
  expect(findLanguage(locale)).toBe(language);
  expect(chooseLanguage({}, { LANG: locale })).toBe(language ?? "en");
  expect(chooseLanguage({}, { LANG: "C", BPOS_LANG: locale })).toBe(language ?? "en");
});
