import { similarTo } from "../errors/similar.ts";
import { BposError, type ErrorReason, type ExitName, exitCodes, exitNameOf } from "../errors.ts";
import type { Explanations, Topic, TopicFacts, Topics } from "../i18n/shapes.ts";
import { folders } from "../settings/folders.ts";
import { topics } from "./flags.ts";
import { pathOf } from "./help-page.ts";
import type { AnyCommand } from "./help-text.ts";
import { uiFor } from "./output.ts";
import type { Runtime } from "./runtime.ts";
import { forPeople } from "./terminal.ts";
import { topicText } from "./topic.ts";

const reasons = Object.keys(exitNameOf) as ErrorReason[];

const isTopic = (word: string | undefined): word is keyof Topics =>
  (topics as readonly (string | undefined)[]).includes(word);

/** The topics in the language of the run; only those are loaded. */
async function loadTopics({ texts }: Runtime): Promise<Topics> {
  if (texts.language === "es") return (await import("../i18n/es/topics.ts")).topics;
  return (await import("../i18n/en/topics.ts")).topics;
}

/** What lies behind the reasons, in the language of the run. */
async function loadExplanations({ texts }: Runtime): Promise<Explanations> {
  if (texts.language === "es") return (await import("../i18n/es/explanations.ts")).explanations;
  return (await import("../i18n/en/explanations.ts")).explanations;
}

async function topicFacts(runtime: Runtime): Promise<TopicFacts> {
  const explanations = await loadExplanations(runtime);
  const exits = (Object.keys(exitCodes) as ExitName[]).map((name) => [exitCodes[name], name] as const);
  const sentence = (reason: ErrorReason): string => explanations[reason].cause.replace(/(?<=\.) .*/s, "");
  return {
    exits,
    reasons: exits.flatMap(([code, name]) => {
      const own = reasons.filter((reason) => exitNameOf[reason] === name);
      const rows = own.map((reason) => [reason, sentence(reason)] as const);
      return rows.length === 0 ? [] : [[`${code} ${name}`, rows] as const];
    }),
    folders: folders(runtime.system),
  };
}

/** The command that the words lead to; undefined when they lead nowhere. */
function commandAt(program: AnyCommand, words: readonly string[]): AnyCommand | undefined {
  let at: AnyCommand | undefined = program;
  for (const word of words) at = at?.commands.find((each) => each.name() === word);
  return at;
}

/** What words that lead nowhere were most likely meant to be: a command's path, or a topic; null when nothing is near. */
function meantBy(program: AnyCommand, words: readonly string[]): string | null {
  const [first = ""] = words;
  let at = program;
  for (const word of words) {
    const names = at.commands.map((each) => each.name());
    const name = names.includes(word) ? word : similarTo(word, names);
    const below = at.commands.find((each) => each.name() === name);
    if (below === undefined) {
      const topic = at === program ? similarTo(first, topics) : null;
      return topic === null ? null : `${program.name()} help ${topic}`;
    }
    at = below;
  }
  return pathOf(at);
}

/** What lies behind the reason of an error. Throws `usage_flag` for what is none. */
async function explained(runtime: Runtime, word: string): Promise<Topic> {
  const reason = reasons.find((each) => each === word);
  if (reason === undefined) {
    const problem = { kind: "explained_nothing", text: word, similar: similarTo(word, reasons) } as const;
    throw new BposError("usage_flag", { problem });
  }
  const { cause, remedy } = (await loadExplanations(runtime))[reason];
  const { why, next } = runtime.texts.errorLabels;
  const name = exitNameOf[reason];
  return {
    title: `${reason} (${exitCodes[name]} ${name})`,
    parts: [
      { heading: why, text: cause },
      { heading: next, text: remedy },
    ],
  };
}

/** Runs `bpos help`: a command's page, or a topic. Throws `usage_flag` for what is neither. */
export async function showHelp(
  runtime: Runtime,
  program: AnyCommand,
  words: readonly string[],
): Promise<void> {
  const [topic, reason] = words;
  if (!isTopic(topic) || (topic !== "errors" && words.length > 1)) {
    const command = commandAt(program, words);
    if (command !== undefined) command.help();
    const problem = {
      kind: "command_unknown",
      name: words.join(" "),
      similar: meantBy(program, words),
      command: program.name(),
      known: program.commands.flatMap((each) => (each.name().startsWith("_") ? [] : [each.name()])),
    } as const;
    throw new BposError("usage_flag", { problem });
  }
  const { stdout } = runtime.system;
  const ui = uiFor(stdout, runtime);
  const facts = await topicFacts(runtime);
  const of = await loadTopics(runtime);
  const shown = reason === undefined ? of[topic](facts) : await explained(runtime, reason);
  await forPeople(stdout, runtime.system).write(topicText(shown, ui));
}
