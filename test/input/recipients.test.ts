import { describe, expect, test } from "vitest";
import { listProblems } from "../../src/errors/problems.ts";
import { rowProblemsWords, rowProblemWords } from "../../src/errors/words/rows.ts";
import { type RecipientOptions, readRecipients } from "../../src/input/recipients.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { fileOf, inWords, refusal } from "./support.ts";

const t = textsIn("en").t;
const read = (text: string, options?: RecipientOptions) => readRecipients(fileOf(text), options);
/** One phone alone: what it becomes, or why not. */
async function phone(text: string, options?: RecipientOptions): Promise<string> {
  const { recipients, invalid } = await read(`telefono\tnombre\n"${text}"\tAna\n`, options);
  return recipients[0]?.phone ?? rowProblemWords(invalid[0]!.problem, t);
}
const reasons = async (text: string, options?: RecipientOptions) =>
  (await read(text, options)).invalid.map((row) => `${row.line}: ${rowProblemsWords(listProblems(row), t)}`);

test("all that is wrong with a row is told at once", async () => {
  const [said] = await reasons("telefono;nombre;hora\n15 6123-4567;;12\t30\n", { country: "AR" });
  expect(said).toBe(
    [
      '2: "15 6123-4567" has no area code: write it before the number, as in 0AREA 15 … or +54 9 AREA …',
      "nombre is empty: the template needs a text there",
      "hora contains a line break or a tab: a template variable is a single line",
    ].join(". Also: "),
  );
  const listed = '{"telefono":"x","params":["a"]}\n{"telefono":"+5491161234567","params":["a","b"]}';
  expect(
    (await read(`${listed}\n{"telefono":"y","params":["a",""]}`, { country: "AR" })).invalid,
  ).toMatchObject([
    { line: 1, problem: { kind: "phone_invalid" }, also: [] },
    { line: 3, problem: { kind: "phone_invalid" }, also: [{ kind: "variable_empty", name: "2" }] },
  ]);
});

test("an emoji is one character of a variable", async () => {
  const row = (emojis: number): string => `+5491161234567;${"😀".repeat(emojis)}`;
  expect(await reasons(`telefono;nombre\n${row(1024)}\n`)).toEqual([]);
  expect(await reasons(`telefono;nombre\n${row(1025)}\n`)).toEqual([
    "2: nombre has 1025 characters: at most 1024 are allowed",
  ]);
});

describe("phones", () => {
  test.each([
    ["011 15 6123-4567", "+5491161234567"],
    ["(0351) 15 555-0001", "+5493515550001"],
    ["5491161234567", "+5491161234567"],
    ["+54 9 11 6123-4567", "+5491161234567"],
    ["+1 415 555 2671", "+14155552671"],
  ])("%s with country AR is %s", async (text, expected) => {
    expect(await phone(text, { country: "ar" })).toBe(expected);
  });

  test("15 without an area code is rejected", async () => {
    expect(await phone("15 6123-4567", { country: "AR" })).toBe(
      '"15 6123-4567" has no area code: write it before the number, as in 0AREA 15 … or +54 9 AREA …',
    );
  });

  test("a landline shape is kept as written, with the proposal; --fix-phones applies it", async () => {
    const text = "telefono;nombre\n+54 11 6123-4567;Ana\n";
    const kept = await read(text);
    expect(kept.recipients).toMatchObject([{ phone: "+541161234567", person: "+5491161234567" }]);
    expect(inWords(kept.notices)).toEqual([
      "1 phone looks like a landline (line 2: +541161234567 → +5491161234567). Messages need a mobile number with a 9. Nothing was changed; --fix-phones adds the 9.",
    ]);
    const fixed = await read(text, { fixPhones: true });
    expect(fixed.recipients).toMatchObject([{ phone: "+5491161234567" }]);
    expect(inWords(fixed.notices)[0]).toMatch(/with a 9, which was added\.$/);
  });

  test.each([
    ["AR", "+54 9 11 6123-4567", "+54 11 6123-4567"],
    ["MX", "+52 55 1234 5678", "+52 1 55 1234 5678"],
    ["BR", "+55 11 98765-4321", "+55 11 8765-4321"],
  ])("%s: old and new form are one person", async (country, one, other) => {
    for (const [first, second] of [
      [one, other],
      [other, one],
    ] as const) {
      const { recipients, duplicates, invalid } = await read(`phone;n\n${first};a\n${second};b\n`);
      expect(invalid).toEqual([]);
      // A number that looks like a landline in Argentina is a mobile where the other line shows it.
      const sent = country === "AR" ? one : first;
      expect(recipients).toMatchObject([{ line: 2, phone: sent.replace(/[ -]/g, "") }]);
      expect(duplicates).toMatchObject([
        { line: 3, phone: second, problem: { kind: "person_repeated", firstLine: 2, same: false } },
      ]);
    }
  });

  test.each([
    [
      "5,49112E+12",
      'telefono: the spreadsheet lost digits of "5,49112E+12": format the column as text and export again',
    ],
    [
      "+54 9 11 5555-0000 / +54 9 11 5555-0001",
      '"+54 9 11 5555-0000 / +54 9 11 5555-0001" contains more than one phone, or an extension: keep one number, or give each its own row',
    ],
    [
      "011 15 6123-4567 y 15 6123-9999",
      '"011 15 6123-4567 y 15 6123-9999" contains more than one phone, or an extension: keep one number, or give each its own row',
    ],
    [
      "+54 9 11 5555-0000 int. 12",
      '"+54 9 11 5555-0000 int. 12" contains more than one phone, or an extension: keep one number, or give each its own row',
    ],
    ["+54 9 11 5555-12", '"+54 9 11 5555-12" is not a phone number of AR: check its digits'],
    ["llamar a Ana", '"llamar a Ana" is not a phone number of AR: check its digits'],
    ["", "telefono is empty"],
  ])("%j is rejected", async (text, words) => expect(await phone(text, { country: "AR" })).toBe(words));
});

describe("columns", () => {
  const text = "pedido;Teléfono;nombre;error\n7;+54 9 11 5555-0000;Ana;was bad\n";

  test("every column but the phone is a variable, in file order; error is none", async () => {
    const reading = await read(text);
    expect(reading.paramNames).toEqual(["pedido", "nombre"]);
    expect(reading.recipients[0]).toMatchObject({ line: 2, params: '["7","Ana"]' });
  });

  test("--params picks and orders", async () => {
    const reading = await read(text, { params: ["Nombre", "pedido"] });
    expect(reading.paramNames).toEqual(["nombre", "pedido"]);
    expect(reading.recipients[0]?.params).toBe('["Ana","7"]');
    expect((await read(text, { params: [] })).recipients[0]?.params).toBe("[]");
  });

  test.each([
    [
      "no phone column",
      "nombre\nAna\n",
      {},
      'no column holds the phone (headers: "nombre") → Name it with --phone-column HEADER. If the header is on another line, pass --header-row N.',
    ],
    [
      "a file without a header",
      "+54 9 11 5555-0000;Ana\n+54 9 11 5555-0001;Eva\n",
      {},
      '(headers: "+54 9 11 5555-0000", "Ana")',
    ],
    [
      "two phone columns",
      "celular;telefono\n1;2\n",
      {},
      'the columns "celular" and "telefono" both look like the phone → Choose the right one: --phone-column "celular" or --phone-column "telefono".',
    ],
    [
      "--params that are not there",
      text,
      { params: ["mesa"] },
      '--params names the column "mesa", which does not exist',
    ],
    [
      "--phone-column that is not there",
      text,
      { phoneColumn: "x" },
      '--phone-column names the column "x", which does not exist',
    ],
    ["no rows", "telefono;nombre\n", {}, "it has no rows"],
  ])("%s: refused", async (_, content, options, words) => {
    expect(await refusal(read(content, options))).toContain(words);
  });
});

describe("variables", () => {
  test("empty, with a line break or a tab, too long", async () => {
    const at = (end: number) => `+54 9 11 5555-000${end}`;
    const long = "x".repeat(1025);
    expect(
      await reasons(
        `tel;nombre\n${at(0)};\n${at(1)};"a\nb"\n${at(2)};a\tb\n${at(3)};${long}\n${at(4)};${long.slice(1)}\n`,
      ),
    ).toEqual([
      "2: nombre is empty: the template needs a text there",
      "3: nombre contains a line break or a tab: a template variable is a single line",
      "5: nombre contains a line break or a tab: a template variable is a single line",
      "6: nombre has 1025 characters: at most 1024 are allowed",
    ]);
  });

  test("with what the messaging platform refuses besides: five spaces, other line breaks, nothing visible", async () => {
    const row = (end: number, text: string) =>
      JSON.stringify({ phone: `+549115555${String(end).padStart(4, "0")}`, params: [text] });
    const texts = ["a    b", "a     b", "a\u00a0 \u00a0 \u00a0b", "a\vb", "a\u0085b", "a\u2028b", "a\fb"];
    const unseen = ["\u200b", "\u2800", "\u3164 \ufeff", "\u00ad", "\u0001", " \u200d\u200e "];
    const seen = ["👩‍👧", "ñ", "0", "·"];
    const spaces = "1 contains more than 4 spaces in a row: the messaging platform does not accept that";
    const breaks = "1 contains a line break or a tab: a template variable is a single line";
    const empty = "1 is empty: the template needs a text there";
    expect(await reasons([...texts, ...unseen, ...seen].map((text, n) => row(n, text)).join("\n"))).toEqual([
      `2: ${spaces}`,
      `3: ${spaces}`,
      ...[4, 5, 6, 7].map((line) => `${line}: ${breaks}`),
      ...unseen.map((_, n) => `${n + 8}: ${empty}`),
    ]);
  });

  test("JSON: array, recipients list and NDJSON with params or flat objects", async () => {
    const one = { phone: "+5491155550000", params: ["Ana", "7"] };
    const flat = { phone: "+5491155550000", nombre: "Ana", pedido: 7 };
    for (const [text, names] of [
      [JSON.stringify([one]), ["1", "2"]],
      [JSON.stringify({ recipients: [one] }), ["1", "2"]],
      [`${JSON.stringify(one)}\n`, ["1", "2"]],
      [JSON.stringify([flat]), ["nombre", "pedido"]],
    ] as const) {
      const reading = await read(text);
      expect(reading.recipients).toMatchObject([
        { phone: one.phone, params: JSON.stringify(one.params), line: 1 },
      ]);
      expect(reading.paramNames).toEqual(names);
    }
  });

  test("another number of variables than the first usable row is rejected", async () => {
    const row = (end: number, ...params: string[]) =>
      JSON.stringify({ phone: `+549115555000${end}`, params });
    expect(await reasons([row(0, ""), row(1, "a"), row(2, "a", "b"), row(3)].join("\n"))).toEqual([
      "1: 1 is empty: the template needs a text there",
      "3: the row has 2 variables and the first row 1: every row needs the same number",
      "4: the row has 0 variables and the first row 1: every row needs the same number",
    ]);
  });
});
