import { similarTo } from "../../errors/problems.ts";
import { BposError, type ErrorReason, type ExitName, exitCodes, exitNames } from "../../errors.ts";
import { readCause, type Topic, type TopicFacts, type TopicPart, type Topics } from "../../i18n/shapes.ts";
import { folders } from "../../settings/folders.ts";
import { openOutput } from "../display/output.ts";
import { textStream } from "../display/terminal.ts";
import { wrap } from "../display/text.ts";
import { type Ui, uiFor } from "../display/ui.ts";
import type { Runtime } from "../runtime.ts";
import { topics } from "./flags.ts";
import { type AnyCommand, commandAt, groupBy, termList, unknownCommand } from "./help.ts";
import { asksJson } from "./help-json.ts";
import { meantCommand } from "./meant.ts";
import { meantBy } from "./spellings.ts";

function partLines(part: TopicPart, width: number, { theme }: Ui): string[] {
  if (typeof part === "string") return wrap(part, width);
  const { heading, text, rows, code } = part;
  return [
    ...(heading === undefined ? [] : [theme.heading(heading)]),
    ...(text === undefined ? [] : wrap(text, width)),
    ...(rows === undefined ? [] : termList(Object.entries(rows), width, theme.accent)),
    ...(code ?? []).map((line) => `  ${line}`),
  ];
}

async function print(runtime: Runtime, { title, parts }: Topic, ui: Ui): Promise<void> {
  const { system, flags } = runtime;
  if (asksJson(flags)) return openOutput(runtime, ["table", "json"]).document({ title, parts });
  const width = Math.min(ui.width ?? 80, 100);
  const blocks = parts.map((part) => partLines(part, width, ui).join("\n"));
  await textStream(system.stdout, system).write(`${[ui.theme.heading(title), ...blocks].join("\n\n")}\n`);
}

export async function showStart(runtime: Runtime): Promise<void> {
  const { title, steps, more, firstTitle, moreTitle } = runtime.outTexts.helpPage.start;
  const numbered = Object.entries(steps).map(([line, what], at) => [`${at + 1}. ${line}`, what]);
  const parts = [
    { text: firstTitle, rows: Object.fromEntries(numbered) as Record<string, string> },
    { text: moreTitle, rows: more },
  ];
  await print(runtime, { title, parts }, uiFor(runtime.system.stdout, runtime));
}

const reasons = Object.keys(exitNames) as ErrorReason[];

const isTopic = (word: string | undefined): word is keyof Topics =>
  (topics as readonly (string | undefined)[]).includes(word);

function topicFacts({ outTexts, system }: Runtime, program: AnyCommand): TopicFacts {
  const { spoken } = outTexts.helpPage;
  const exits = (Object.keys(exitCodes) as ExitName[]).map((name) => [exitCodes[name], name] as const);
  const sentence = (reason: ErrorReason): string =>
    readCause(outTexts.errors, reason).cause.replace(/(?<=\.) .*/s, "");
  return {
    exits,
    reasons: exits.flatMap(([code, name]) => {
      const own = reasons.filter((reason) => exitNames[reason] === name);
      const rows = own.map((reason) => [reason, sentence(reason)] as const);
      return rows.length === 0 ? [] : [[`${code} ${name}`, Object.fromEntries(rows)] as const];
    }),
    folders: folders(system),
    flags: [...groupBy(program.options, ({ helpGroupHeading = "" }) => helpGroupHeading)].map(
      ([heading, flags]) =>
        [heading, Object.fromEntries(flags.map((each) => [spoken(each.flags), each.description]))] as const,
    ),
  };
}

function findMeant(program: AnyCommand, words: readonly string[]): string | null {
  const topic = meantBy(words.join(" "), topics);
  return topic === null ? meantCommand(program, words) : `${program.name()} help ${topic}`;
}

function explain({ outTexts }: Runtime, word: string): Topic {
  const reason = reasons.find((each) => each === word);
  if (reason === undefined) {
    const problem = { kind: "explained_nothing", text: word, similar: similarTo(word, reasons) } as const;
    throw new BposError("usage_flag", { problem });
  }
  const { cause, remedy } = readCause(outTexts.errors, reason);
  const { why, next } = outTexts.errorLabels;
  const name = exitNames[reason];
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
    commandAt(program, words)?.help();
    const problem = unknownCommand(program, words.join(" "), findMeant(program, words));
    throw new BposError("usage_flag", { problem });
  }
  const shown =
    reason === undefined
      ? runtime.outTexts.topics[topic](topicFacts(runtime, program))
      : explain(runtime, reason);
  await print(runtime, shown, uiFor(runtime.system.stdout, runtime));
}
