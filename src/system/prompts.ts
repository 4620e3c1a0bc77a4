/** What a question for a text takes. */
export interface TextQuestion {
  /** The answer of a person who only presses Enter. */
  initial?: string;
  /** Why an answer cannot be taken, in words that are shown below it; undefined when it can. */
  check: (answer: string) => string | undefined;
}

/** Questions to a person; only asked when `Settings` found that both ends are terminals. */
export interface Prompts {
  /** Asks a yes-or-no question; an abort of `signal` takes it back with an AbortPromptError. */
  confirm(question: string, signal: AbortSignal): Promise<boolean>;
  /** Asks for one of `choices`, shown as they are; resolves to its index. An abort of `signal` takes it back likewise. */
  choose(question: string, choices: readonly string[], signal: AbortSignal): Promise<number>;
  /** Asks for a line of text until `check` has nothing against it. An abort of `signal` takes it back likewise. */
  text(question: string, how: TextQuestion, signal: AbortSignal): Promise<string>;
  /** As `text`, for what must not be seen: nothing that is typed is shown. */
  secret(question: string, how: Pick<TextQuestion, "check">, signal: AbortSignal): Promise<string>;
}

/** Asks on standard error. After Ctrl-D nobody answers any more: that is `nobody`, or without it an abort. */
async function asked<T>(
  signal: AbortSignal,
  ask: (context: { output: NodeJS.WritableStream; signal: AbortSignal }) => Promise<T>,
  nobody?: T,
): Promise<T> {
  const noMore = new AbortController();
  const onKey = (_text: unknown, key?: { ctrl?: boolean; name?: string }): void => {
    if (key?.ctrl === true && key.name === "d") noMore.abort();
  };
  process.stdin.on("keypress", onKey);
  try {
    return await ask({ output: process.stderr, signal: AbortSignal.any([signal, noMore.signal]) });
  } catch (error) {
    if (noMore.signal.aborted && nobody !== undefined) return nobody;
    throw error;
  } finally {
    process.stdin.off("keypress", onKey);
  }
}

const validating =
  (check: TextQuestion["check"]) =>
  (answer: string): string | true =>
    check(answer) ?? true;

/** The questions of this process, on its terminal. */
export const realPrompts: Prompts = {
  async confirm(question, signal) {
    const { confirm } = await import("@inquirer/prompts");
    const ask = { message: question, default: false };
    return asked(signal, (context) => confirm(ask, context), false);
  },
  async choose(question, choices, signal) {
    const { select } = await import("@inquirer/prompts");
    const ask = { message: question, choices: choices.map((name, value) => ({ name, value })) };
    return asked(signal, (context) => select(ask, context));
  },
  async text(question, { initial, check }, signal) {
    const { input } = await import("@inquirer/prompts");
    const ask = { message: question, validate: validating(check) };
    return asked(signal, (context) =>
      input(initial === undefined ? ask : { ...ask, default: initial }, context),
    );
  },
  async secret(question, { check }, signal) {
    const { password } = await import("@inquirer/prompts");
    return asked(signal, (context) =>
      password({ message: question, mask: false, validate: validating(check) }, context),
    );
  },
};
