import { placeholderText } from "../../texts/flags.ts";
import { type Runtime, readMockWish } from "../runtime.ts";
import { type Candidate, listValues } from "./completion.ts";
import { type AnyCommand, commandAt } from "./help.ts";
import { questionWords } from "./questions.ts";

/** One of the values, or another that the person types. */
export async function askValue(
  { system, signal, texts }: Runtime,
  question: string,
  { values, isClosed = false }: { values: readonly Candidate[]; isClosed?: boolean },
): Promise<string> {
  const { prompts } = system;
  const { t } = texts;
  const labels = values.map(({ value, note }) => (note ? `${value}  (${note})` : value));
  if (labels.length > 0) {
    const choices = isClosed ? labels : [...labels, t("another …")];
    const chosen = values[await prompts.choose(question, choices, { signal, words: questionWords(texts.t) })];
    if (chosen !== undefined) return chosen.value;
  }
  const check = (answer: string): string | undefined =>
    answer.trim() === "" ? t("An answer is required. Press Ctrl-C to stop.") : undefined;
  return (await prompts.text(question, { check }, signal)).trim();
}

/** The known values of a flag or an argument: its words, names of profiles, values from the journal. */
export async function valuesKnown(
  runtime: Runtime,
  of: Parameters<typeof listValues>[1],
): Promise<readonly Candidate[]> {
  const { system, flags } = runtime;
  const mock = readMockWish(system.env, flags.mock) === "embedded";
  const values = await listValues(runtime, of, { typed: "", mock }).catch(() => []);
  return typeof values === "string" ? [] : values.slice(0, 20);
}

/** The line with the argument that was missing in it, as the person answers. */
export async function completeLine(
  runtime: Runtime,
  program: AnyCommand,
  { argv, argument: name, command }: { argv: readonly string[]; argument: string; command: string },
): Promise<string[]> {
  const { registeredArguments } = commandAt(program, command.split(" ").slice(1)) ?? program;
  const argument = registeredArguments.find((each) => each.name() === name);
  const placeholder = `<${placeholderText(name, runtime.texts.t)}>`;
  const what = argument?.description ?? "";
  const question = what === "" ? `${placeholder}:` : `${placeholder} (${what}):`;
  const values = argument === undefined ? [] : await valuesKnown(runtime, argument);
  const answer = await askValue(runtime, question, { values, isClosed: values.length > 0 });
  // It is not a flag, whatever it begins with.
  return argv.includes("--") ? [...argv, answer] : [...argv, "--", answer];
}
