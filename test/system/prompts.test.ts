import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { questionWords } from "../../src/cli/line/questions.ts";
import { type Prompts, promptsOn, type QuestionWords } from "../../src/system/prompts.ts";
import { textsIn } from "../../src/texts/texts.ts";

const [english, spanish] = [questionWords(textsIn("en").t), questionWords(textsIn("es").t)];

/** A screen on which a person types each answer once the question, or an objection to the answer before it, shows. */
async function played<T>(
  ask: (prompts: Prompts) => Promise<T>,
  ...typed: [sign: string, keys: string][]
): Promise<{ answer: T; shown: string }> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let shown = "";
  let seen = "";
  output.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
    seen += stripVTControlCharacters(text);
    const [next] = typed;
    if (next === undefined || !seen.includes(next[0])) return;
    typed.shift();
    seen = "";
    setImmediate(() => input.write(next[1]));
  });
  const answer = await ask(promptsOn(() => ({ input, output })));
  return { answer, shown: stripVTControlCharacters(shown) };
}

const { signal } = new AbortController();
const agree =
  (words: QuestionWords) =>
  (prompts: Prompts): Promise<boolean> =>
    prompts.confirm("¿Mandar?", signal, words);

it.each([
  ...["s", "S", "si", "sí", "SÍ", "si\u0301", "y", "Yes"].map((typed) => [typed, true] as const),
  ...["", "n", "NO", "\u0004"].map((typed) => [typed, false] as const),
])("takes %j in Spanish for %s", async (typed, meant) => {
  const { answer, shown } = await played(agree(spanish), ["(s/N)", `${typed}\r`]);
  expect(answer).toBe(meant);
  if (typed !== "\u0004") expect(shown).toMatch(meant ? /¿Mandar\? Sí\s*$/ : /¿Mandar\? No\s*$/);
});

it("asks again after an answer that is neither yes nor no, and takes no Spanish yes in English", async () => {
  const { answer, shown } = await played(agree(english), ["(y/N)", "s\r"], ["Type y for yes", "y\r"]);
  expect(answer).toBe(true);
  expect(shown).toMatch(/Yes\s*$/);
});

it("shows nothing of a secret, whatever key is pressed, and says so in the person's words", async () => {
  const how = { check: () => undefined, words: spanish };
  const ask = (prompts: Prompts): Promise<string> => prompts.secret("Clave:", how, signal);
  const { answer, shown } = await played(ask, [spanish.unseen, "bpk_q\u0014\u0014\u0014x\r"]);
  expect(answer).toBe("bpk_qx");
  expect(shown).not.toMatch(/bpk|masked|toggle/);
});

it("says in the person's words which keys choose", async () => {
  const how = { signal, words: spanish };
  const ask = (prompts: Prompts): Promise<number> => prompts.choose("¿Cuál?", ["a", "b"], how);
  const { answer, shown } = await played(ask, ["Con las flechas", "\u001b[B\r"]);
  expect(answer).toBe(1);
  expect(shown).not.toMatch(/navigate|select/);
});
