import { styleText } from "node:util";

export interface TextQuestion {
  /** The answer of a person who only presses Enter. */
  initial?: string;
  /** Why an answer cannot be taken, in words that are shown below it; undefined when it can. */
  check: (answer: string) => string | undefined;
}

/** What a question itself says and takes, in the language of the person. */
interface QuestionWords {
  yes: readonly string[];
  no: readonly string[];
  /** Stands behind a yes-or-no question; Enter means no. */
  hint: string;
  answered: { yes: string; no: string };
  objection: string;
  /** Stands in the place of what is typed unseen. */
  unseen: string;
  keys: string;
}

/** Questions to a person at a terminal; an abort of `signal` takes one back with an AbortPromptError. */
export interface Prompts {
  confirm(question: string, signal: AbortSignal, words: QuestionWords): Promise<boolean>;
  /** Resolves to the index. */
  choose(
    question: string,
    choices: readonly string[],
    how: { signal: AbortSignal; words: QuestionWords },
  ): Promise<number>;
  text(question: string, how: TextQuestion, signal: AbortSignal): Promise<string>;
  secret(
    question: string,
    how: Pick<TextQuestion, "check"> & { words: QuestionWords },
    signal: AbortSignal,
  ): Promise<string>;
}

interface Screen {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/** Asks on that screen. After Ctrl-D nobody answers any more: that is `nobody`, or without it an abort. */
async function asked<T>(
  { input, output }: Screen,
  signal: AbortSignal,
  { ask, nobody }: { ask: (context: Screen & { signal: AbortSignal }) => Promise<T>; nobody?: NoInfer<T> },
): Promise<T> {
  const noMore = new AbortController();
  const onKey = (_text: unknown, key?: { ctrl?: boolean; name?: string }): void => {
    if (key?.ctrl === true && key.name === "d") noMore.abort();
  };
  input.on("keypress", onKey);
  try {
    return await ask({ input, output, signal: AbortSignal.any([signal, noMore.signal]) });
  } catch (error) {
    if (noMore.signal.aborted && nobody !== undefined) return nobody;
    throw error;
  } finally {
    input.off("keypress", onKey);
  }
}

function meaning(answer: string, { yes, no }: QuestionWords): boolean | undefined {
  // An accent may come in one sign with its letter, or in a second one.
  const word = answer.trim().normalize("NFC").toLowerCase();
  if (yes.includes(word)) return true;
  return word === "" || no.includes(word) ? false : undefined;
}

/** A yes-or-no question: the one of the library knows English alone. */
function yesOrNo(message: string, words: QuestionWords) {
  const { hint, answered, objection } = words;
  const shown = (text: string, status: string): string =>
    `${styleText("bold", text)}${status === "done" ? "" : styleText("dim", ` ${hint}`)}`;
  const final = (answer: string): string => (meaning(answer, words) === true ? answered.yes : answered.no);
  return {
    message,
    theme: { style: { message: shown }, validationFailureMode: "clear" as const },
    transformer: (answer: string, { isFinal }: { isFinal: boolean }) =>
      isFinal ? styleText("cyan", final(answer)) : answer,
    validate: (answer: string) => (meaning(answer, words) === undefined ? objection : true),
  };
}

/** Few commands ask any. By their names, so that the bundle leaves out the library's editor. */
async function library() {
  const { input, password, select } = await import("@inquirer/prompts");
  return { input, password, select };
}

export function promptsOn(screen: () => Screen): Prompts {
  return {
    async confirm(question, signal, words) {
      const { input } = await library();
      const how = yesOrNo(question, words);
      const answer = await asked(screen(), signal, { ask: (context) => input(how, context), nobody: "" });
      return meaning(answer, words) === true;
    },
    async choose(question, choices, { signal, words }) {
      const { select } = await library();
      const how = {
        ...{ message: question, choices: choices.map((name, value) => ({ name, value })) },
        theme: { style: { keysHelpTip: () => styleText("dim", words.keys) } },
      };
      return asked(screen(), signal, { ask: (context) => select(how, context) });
    },
    async text(question, { initial, check }, signal) {
      const { input } = await library();
      const plain = { message: question, validate: (answer: string) => check(answer) ?? true };
      const how = initial === undefined ? plain : { ...plain, default: initial };
      return asked(screen(), signal, { ask: (context) => input(how, context) });
    },
    async secret(question, { check, words }, signal) {
      const { password } = await library();
      const how = {
        ...{ message: question, validate: (answer: string) => check(answer) ?? true },
        // Ctrl-T would show what was typed.
        ...{ mask: false, toggleMask: false, theme: { style: { maskedText: words.unseen } } },
      };
      return asked(screen(), signal, { ask: (context) => password(how, context) });
    },
  };
}

export const realPrompts: Prompts = promptsOn(() => ({ input: process.stdin, output: process.stderr }));
