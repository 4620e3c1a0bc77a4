import { styleText } from "node:util";

export interface TextQuestion {
  initial?: string;
  /** Returns why an answer is not accepted, shown below it; undefined if it is. */
  check: (answer: string) => string | undefined;
}

export interface QuestionWords {
  yes: readonly string[];
  no: readonly string[];
  /** Follows a yes-or-no question; Enter means no. */
  hint: string;
  answered: { yes: string; no: string };
  objection: string;
  unseen: string;
  keys: string;
}
type Worded = { words: QuestionWords };

/** Questions to a person at a terminal; an abort of `signal` takes one back with an AbortPromptError. */
export interface Prompts {
  confirm(question: string, signal: AbortSignal, words: QuestionWords): Promise<boolean>;
  choose(
    question: string,
    choices: readonly string[],
    how: Worded & { signal: AbortSignal },
  ): Promise<number>;
  text(question: string, how: TextQuestion, signal: AbortSignal): Promise<string>;
  secret(question: string, how: Worded & Pick<TextQuestion, "check">, signal: AbortSignal): Promise<string>;
}

type Screen = { input: NodeJS.ReadableStream; output: NodeJS.WritableStream };

async function askOn<T>(
  { input, output }: Screen,
  signal: AbortSignal,
  ask: (context: Screen & { signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const noMore = new AbortController();
  const onKey = (_text: unknown, key?: { ctrl?: boolean; name?: string }): void => {
    if (key?.ctrl === true && key.name === "d") noMore.abort();
  };
  input.on("keypress", onKey);
  try {
    return await ask({ input, output, signal: AbortSignal.any([signal, noMore.signal]) });
  } finally {
    input.off("keypress", onKey);
  }
}

function meaning(answer: string, { yes, no }: QuestionWords): boolean | undefined {
  const word = answer.trim().normalize("NFC").toLowerCase();
  if (yes.includes(word)) return true;
  return word === "" || no.includes(word) ? false : undefined;
}

/** A yes-or-no question: the one of the library knows English alone. */
function yesOrNo(message: string, words: QuestionWords) {
  const { hint, answered, objection } = words;
  const showAnswer = (text: string, status: string): string =>
    `${styleText("bold", text)}${status === "done" ? "" : styleText("dim", ` ${hint}`)}`;
  const final = (answer: string): string =>
    styleText("cyan", meaning(answer, words) === true ? answered.yes : answered.no);
  return {
    message,
    theme: { style: { message: showAnswer }, validationFailureMode: "clear" as const },
    transformer: (answer: string, { isFinal }: { isFinal: boolean }) => (isFinal ? final(answer) : answer),
    validate: (answer: string) => (meaning(answer, words) === undefined ? objection : true),
  };
}

/** Loaded only by commands that ask. Imported by name, so that the bundle leaves out the library's editor. */
const library = () =>
  import("@inquirer/prompts").then(({ input, password, select }) => ({ input, password, select }));

export function promptsOn(screen: () => Screen): Prompts {
  return {
    async confirm(question, signal, words) {
      const { input } = await library();
      const how = yesOrNo(question, words);
      const answer = await askOn(screen(), signal, (context) => input(how, context)).catch(
        (error: unknown) => {
          if (signal.aborted || (error as Error).name !== "AbortPromptError") throw error;
          return "";
        },
      );
      return meaning(answer, words) === true;
    },
    async choose(message, names, { signal, words }) {
      const { select } = await library();
      const choices = names.map((name, value) => ({ name, value }));
      const theme = { style: { keysHelpTip: () => styleText("dim", words.keys) } };
      return askOn(screen(), signal, (context) => select({ message, choices, theme }, context));
    },
    async text(message, { initial, check }, signal) {
      const { input } = await library();
      const plain = { message, validate: (answer: string) => check(answer) ?? true };
      const how = initial === undefined ? plain : { ...plain, default: initial };
      return askOn(screen(), signal, (context) => input(how, context));
    },
    async secret(message, { check, words }, signal) {
      const { password } = await library();
      const validate = (answer: string): string | true => check(answer) ?? true;
      // Ctrl-T would show what was typed.
      const hidden = { mask: false, toggleMask: false, theme: { style: { maskedText: words.unseen } } };
      return askOn(screen(), signal, (context) => password({ message, validate, ...hidden }, context));
    },
  };
}

export const realPrompts: Prompts = promptsOn(() => ({ input: process.stdin, output: process.stderr }));
