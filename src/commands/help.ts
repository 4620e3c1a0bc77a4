import type { Command } from "commander";
import { folders } from "../config/folders.ts";
import { BposError, type ErrorReason, type ExitName, exitCodes, exitNameOf } from "../errors.ts";
import type { Topic, TopicFacts, Topics } from "../text/topic.ts";
import { topicText } from "../view/topic.ts";
import { topics } from "./choices.ts";
import type { GlobalFlags } from "./global-flags.ts";
import { uiFor } from "./output.ts";
import type { Runtime } from "./runtime.ts";
import { forPeople } from "./terminal.ts";

const reasons = Object.keys(exitNameOf) as ErrorReason[];

const isTopic = (word: string | undefined): word is keyof Topics =>
  (topics as readonly (string | undefined)[]).includes(word);

/** The topics in the language of the run; only those are loaded. */
async function loadTopics({ texts }: Runtime): Promise<Topics> {
  if (texts.language === "es") return (await import("../text/es/topics.ts")).topics;
  return (await import("../text/en/topics.ts")).topics;
}

function topicFacts({ system }: Runtime): TopicFacts {
  return {
    exits: (Object.keys(exitCodes) as ExitName[]).map((name) => [exitCodes[name], name]),
    reasons: reasons.map((reason) => [reason, exitCodes[exitNameOf[reason]]]),
    folders: folders(system),
  };
}

/** The command that the words lead to; undefined when they lead nowhere. */
function commandAt(program: Command, words: readonly string[]): Command | undefined {
  let at: Command | undefined = program;
  for (const word of words) at = at?.commands.find((each) => each.name() === word);
  return at;
}

/** What lies behind the reason of an error. Throws `usage_flag` for what is none. */
async function explained({ texts }: Runtime, word: string): Promise<Topic> {
  const reason = reasons.find((each) => each === word);
  if (reason === undefined)
    throw new BposError("usage_flag", { problem: { kind: "explained_nothing", text: word } });
  const { explanations } =
    texts.language === "es"
      ? await import("../text/es/explanations.ts")
      : await import("../text/en/explanations.ts");
  const { cause, remedy } = explanations[reason];
  const { why, next } = texts.errorLabels;
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
  program: Command,
  words: readonly string[],
  flags: Pick<GlobalFlags, "color">,
): Promise<void> {
  const [topic, reason] = words;
  if (!isTopic(topic) || (topic !== "errors" && words.length > 1)) {
    const command = commandAt(program, words);
    if (command !== undefined) command.help();
    const problem = {
      kind: "command_unknown",
      name: words.join(" "),
      similar: null,
      command: program.name(),
    } as const;
    throw new BposError("usage_flag", { problem });
  }
  const { stdout } = runtime.system;
  const ui = uiFor(stdout, runtime, flags);
  const facts = topicFacts(runtime);
  const of = await loadTopics(runtime);
  const shown = reason === undefined ? of[topic](facts) : await explained(runtime, reason);
  await forPeople(stdout, runtime.system).write(topicText(shown, ui));
}
