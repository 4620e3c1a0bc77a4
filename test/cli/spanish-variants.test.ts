import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { chooseLanguage } from "../../src/cli/runtime.ts";
import { errorWords } from "../../src/errors/words/reasons.ts";
import { forms, inArgentine, inNeutral } from "../../src/i18n/es/forms.ts";
import { es, esAR } from "../../src/i18n/es.ts";
import { findLanguage } from "../../src/texts/texts.ts";
import { root } from "../support/run.ts";

const folder = join(root, "src/i18n/es");
/** All that is said in Spanish, as it is written, marks and all: of what is made of several texts each is in it. */
const written = readdirSync(folder)
  .filter((name) => name !== "forms.ts")
  .map((name) => readFileSync(join(folder, name), "utf8").replace(/^import .*$/gm, ""))
  .join("\n");
const wordsOf = (text: string): string[] => text.match(/(?<![\p{L}\w])\p{L}+(?![\p{L}\w])/gu) ?? [];
const marks = [...written.matchAll(/‹([^‹›]*)›/g)].map(([, word = ""]) => word);

/** Words that end as a form of vos does, and are none. */
const noVos = new Set(
  `ahí así caché está esté qué quedará sí además archivos atrás demás definitivos después detrás más nuevos país quizás revés
  través jamás aquí ningún según también`.split(/\s+/),
);
/** What tú does is often what somebody else does, too, as in "un watch corre": these stand without a mark only for the latter. */
const ofOthers = new Set(
  `abre agrega avisa borra busca cambia categoría cierra completa comprueba configura copia corre corrige crea creado creados crear
  define deja dentro detiene elige empieza escribe espera está fuera funciona funcionan guarda indica informa inicia
  manda mueve nombra oculta pasa permite pide prueba responde revisa sube termina usa vacía vuelve`.split(
    /\s+/,
  ),
);
/** At the beginning of a sentence it is rarely somebody else. */
const ofOthersFirst = new Set(
  "COPIA Categoría Creado Crear Dentro Escribe Espera Está Fuera Funciona Manda Prueba Quitar Revisión Sube Vuelve".split(
    " ",
  ),
);

it("every mark is in the table of forms, and every form is used", () => {
  expect([...new Set(marks.map((word) => word.toLowerCase()))].sort()).toEqual(Object.keys(forms).sort());
  for (const form of [...Object.keys(forms), ...Object.values(forms)]) expect(form).toBe(form.toLowerCase());
});

it("neutral Spanish has no form of vos and no word that is only Argentina's", () => {
  const words = wordsOf(inNeutral(written));
  const argentine = new Set(Object.values(forms).filter((form) => /^\p{L}+$/u.test(form)));
  // An imperative, a present and one with a pronoun behind: corré, corrés, correlo.
  const ofVos = words.filter((word) => /[áéí]s?$|^(?:vos|sos)$/.test(word) && !noVos.has(word.toLowerCase()));
  expect([...new Set(ofVos)]).toEqual([]);
  const both = new Set("anda cargado cargar liviano local para parada retiro sacar igual recién".split(" "));
  expect(words.filter((word) => argentine.has(word.toLowerCase()) && !both.has(word.toLowerCase()))).toEqual(
    [],
  );
});

it("Argentina's Spanish has no form of tú", () => {
  const unmarked = wordsOf(written.replace(/‹[^›]*›/g, "·")).filter((word) =>
    Object.hasOwn(forms, word.toLowerCase()),
  );
  expect(new Set(unmarked)).toEqual(new Set([...ofOthers, ...ofOthersFirst]));
  const text = inArgentine(written);
  expect(
    text.match(/(?<!\p{L})(?:tú|ti|contigo|tienes|puedes|quieres|eres|aquí|haz|pon)(?!\p{L})/gu),
  ).toBeNull();
  // With a pronoun behind, the accent tells them apart: córrelo is tú's, correlo is that of vos.
  expect(text.match(/(?<!\p{L})\p{L}*[áéíóú]\p{L}+[aei](?:l[aeo]s?|nos)(?!\p{L})/gu)).toBeNull();
});

it("a word without a mark stands where nobody is told to do something, but in these", () => {
  const imperatives = Object.entries(forms).flatMap(([word, form]) =>
    /^\p{L}+[áéí]$/u.test(form) ? [word] : [],
  );
  const where = String.raw`(?:[.:;?] |, (?:o |y )?|después |["'\x60(]|› [oy] )`;
  const found = written.match(new RegExp(`${where}(?:${imperatives.join("|")})(?!\\p{L}).{0,15}`, "gu"));
  expect(found?.sort()).toMatchInlineSnapshot(`
    [
      ""cambia" : "cambian"}.",
      ""cambia",",
      ""completa",",
      ""espera por --pace, co",
      ""espera su comienzo, {",
      ""espera" : "esperan"} ",
      ""espera" : "esperan"} ",
      ""espera" : "esperan"} ",
      ""espera" : "esperan"} ",
      ""espera",",
      ""espera",",
      ""espera",",
      ""espera",",
      ""nombra" : "nombran"} ",
      ""prueba",",
      ""termina antes de tiemp",
      ""usa {version}, que",
      "'pide una contraseña",
      "(prueba)\`,",
      ", empieza con una letra ",
      ", espera hasta {until}"",
      ", pasa de 1 MiB o dej",
      ", pasa el tiempo hast",
      ", termina con 8",",
      ", y guarda lo que ‹contes",
      ", y manda el resto solo ",
      ": define BPOS_EVENT, BP",
      "\`espera hasta \${at}\`,",
      "\`prueba, \${state}\`,",
    ]
  `);
});

it.each(["es", "es-AR"])("no mark is left in %s", (language) => {
  const texts = readFileSync(join(root, `src/texts/${language}.json`), "utf8");
  expect(texts).not.toMatch(/[‹›]/);
});

it("a text, what a function says and what stands within it are in the words of the country", () => {
  const said = (texts: typeof es) => [
    texts.t("All of them are in {file}: correct it and run the same command with it.", {
      file: "‹Ñandú›.csv",
    }),
    errorWords("declined", { of: "send" }, texts.t).next,
  ];
  expect(said(es)).toMatchInlineSnapshot(`
    [
      "Están todos en ‹Ñandú›.csv: corrígelo y corre el mismo comando con ese archivo.",
      "Corre el comando de nuevo cuando quieras; --yes responde de antemano.",
    ]
  `);
  expect(said(esAR)).toMatchInlineSnapshot(`
    [
      "Están todos en ‹Ñandú›.csv: corregilo y corré el mismo comando con ese archivo.",
      "Corré el comando de nuevo cuando quieras; --yes responde de antemano.",
    ]
  `);
});

it("what a person wrote stays as it is, guillemets and all", () => {
  for (const say of [inNeutral, inArgentine])
    expect(say("El producto ‹Ñandú› y ‹U+200B›, ‹ corre ›")).toBe(
      "El producto ‹Ñandú› y ‹U+200B›, ‹ corre ›",
    );
  expect(inArgentine("‹Corre›, ‹corre›, ‹RECOGE›, ‹1000›")).toBe("Corré, corré, RETIRA, 1.000");
  expect(inNeutral("‹Corre›, ‹corre›, ‹RECOGE›, ‹1000›")).toBe("Corre, corre, RECOGE, 1000");
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
