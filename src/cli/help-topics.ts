import { similarTo } from "../errors/problems.ts";
import { BposError, type ErrorReason, type ExitName, exitCodes, exitNameOf } from "../errors.ts";
import { causeOf, type Topic, type TopicFacts, type TopicPart, type Topics } from "../i18n/shapes.ts";
import { folders } from "../settings/folders.ts";
import { topics } from "./flags.ts";
import { type AnyCommand, commandAt, pathOf } from "./help.ts";
import { type Ui, uiFor } from "./output.ts";
import type { Runtime } from "./runtime.ts";
import { forPeople } from "./terminal.ts";
import { wrap } from "./text.ts";

const usualWidth = 80;
const longestTerm = 26;

function rowLines(
  rows: readonly (readonly [term: string, what: string])[],
  width: number,
  { theme }: Pick<Ui, "theme">,
): string[] {
  const column = Math.min(longestTerm, Math.max(...rows.map(([term]) => term.length)));
  return rows.flatMap(([term, what]) => {
    const lines = wrap(what, width - column - 4).map((line) => `${" ".repeat(column + 4)}${line}`);
    if (term.length > column) return [`  ${theme.accent(term)}`, ...lines];
    const [first = "", ...more] = lines;
    const padding = " ".repeat(column - term.length);
    return [`  ${theme.accent(term)}${padding}  ${first.trimStart()}`.trimEnd(), ...more];
  });
}

function partLines({ heading, text, rows, code }: TopicPart, width: number, ui: Pick<Ui, "theme">): string[] {
  return [
    ...(heading === undefined ? [] : [ui.theme.heading(heading)]),
    ...(text === undefined ? [] : wrap(text, width)),
    ...(rows === undefined ? [] : rowLines(Object.entries(rows), width, ui)),
    ...(code ?? []).map((line) => `  ${line}`),
  ];
}

function topicText({ title, parts }: Topic, ui: Pick<Ui, "theme" | "width">): string {
  const width = Math.min(ui.width ?? usualWidth, 100);
  const blocks = parts.map((part) => partLines(part, width, ui).join("\n"));
  return `${[ui.theme.heading(title), ...blocks].join("\n\n")}\n`;
}

function startScreen({ texts, theme }: Pick<Ui, "texts" | "theme">): string {
  const { title, steps, more, firstTitle, moreTitle } = texts.helpPage.start;
  const width = Math.max(...Object.keys({ ...steps, ...more }).map((line) => line.length));
  const row = (lead: string, [line = "", what = ""]: readonly string[]): string =>
    `  ${lead}${theme.accent(line)}${" ".repeat(width - line.length)}  ${what}\n`;
  return [
    `${theme.heading(title)}\n\n`,
    `${firstTitle}\n`,
    ...Object.entries(steps).map((step, i) => row(`${i + 1}. `, step)),
    `\n${moreTitle}\n`,
    ...Object.entries(more).map((step) => row("   ", step)),
  ].join("");
}

const reasons = Object.keys(exitNameOf) as ErrorReason[];

const isTopic = (word: string | undefined): word is keyof Topics =>
  (topics as readonly (string | undefined)[]).includes(word);

function topicFacts({ texts, system }: Runtime): TopicFacts {
  const exits = (Object.keys(exitCodes) as ExitName[]).map((name) => [exitCodes[name], name] as const);
  const sentence = (reason: ErrorReason): string =>
    causeOf(texts.errors, reason).cause.replace(/(?<=\.) .*/s, "");
  return {
    exits,
    reasons: exits.flatMap(([code, name]) => {
      const own = reasons.filter((reason) => exitNameOf[reason] === name);
      const rows = own.map((reason) => [reason, sentence(reason)] as const);
      return rows.length === 0 ? [] : [[`${code} ${name}`, Object.fromEntries(rows)] as const];
    }),
    folders: folders(system),
  };
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

function explained({ texts }: Runtime, word: string): Topic {
  const reason = reasons.find((each) => each === word);
  if (reason === undefined) {
    const problem = { kind: "explained_nothing", text: word, similar: similarTo(word, reasons) } as const;
    throw new BposError("usage_flag", { problem });
  }
  const { cause, remedy } = causeOf(texts.errors, reason);
  const { why, next } = texts.errorLabels;
  const name = exitNameOf[reason];
  return {
    title: `${reason} (${exitCodes[name]} ${name})`,
    parts: [
      { heading: why, text: cause },
      ...(remedy === undefined ? [] : [{ heading: next, text: remedy }]),
    ],
  };
}

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
  const shown =
    reason === undefined ? runtime.texts.topics[topic](topicFacts(runtime)) : explained(runtime, reason);
  await forPeople(stdout, runtime.system).write(topicText(shown, ui));
}

export async function showStart(runtime: Runtime): Promise<void> {
  const { stdout } = runtime.system;
  await forPeople(stdout, runtime.system).write(startScreen(uiFor(stdout, runtime)));
}
