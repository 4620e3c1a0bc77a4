import { similarTo } from "../../errors/problems.ts";
import { readCause } from "../../errors/words/reasons.ts";
import { BposError, type ErrorReason, type ExitName, exitCodes, exitNames } from "../../errors.ts";
import { folders } from "../../settings/folders.ts";
import { spokenFlag } from "../../texts/flags.ts";
import { errorLabels } from "../display/error-text.ts";
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
import {
  environmentTopic,
  errorsTopic,
  exitCodesTopic,
  filesTopic,
  flagsTopic,
  jsonTopic,
  type Topic,
  type TopicPart,
} from "./topics.ts";

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
  const { t } = runtime.outTexts;
  const first = {
    "1. bpos demo": t("a guided tour; nothing is real"),
    "2. bpos init": t("set up your branch: its key and addresses"),
    "3. bpos orders list": t("list the pending orders"),
  };
  const more = {
    "bpos --help": t("list every command"),
    "bpos help catalog push": t("show one command, with examples"),
    "bpos --mock orders list": t("rehearse any command without a key"),
  };
  const parts = [
    { text: t("Start here:"), rows: first },
    { text: t("Then:"), rows: more },
  ];
  const title = t("bpos: orders, catalog and campaigns of a point of sale.");
  await print(runtime, { title, parts }, uiFor(runtime.system.stdout, runtime));
}

const reasons = Object.keys(exitNames) as ErrorReason[];

type TopicName = (typeof topics)[number];

const isTopic = (word: string | undefined): word is TopicName =>
  (topics as readonly (string | undefined)[]).includes(word);

/** The reasons by their exit code, each with its cause in a sentence. */
function reasonGroups({ outTexts }: Runtime) {
  const sentence = (reason: ErrorReason): string =>
    readCause(reason, outTexts.t).cause.replace(/(?<=\.) .*/s, "");
  return (Object.keys(exitCodes) as ExitName[]).flatMap((name) => {
    const own = reasons.filter((reason) => exitNames[reason] === name);
    const rows = own.map((reason) => [reason, sentence(reason)] as const);
    return rows.length === 0 ? [] : [[`${exitCodes[name]} ${name}`, Object.fromEntries(rows)] as const];
  });
}

function flagGroups({ outTexts: { t } }: Runtime, program: AnyCommand) {
  const groups = groupBy(program.options, ({ helpGroupHeading = "" }) => helpGroupHeading);
  return [...groups].map(([heading, flags]) => {
    const rows = flags.map((each) => [spokenFlag(each.flags, t), each.description]);
    return [heading, Object.fromEntries(rows) as Record<string, string>] as const;
  });
}

const topicTexts: Readonly<Record<TopicName, (runtime: Runtime, program: AnyCommand) => Topic>> = {
  flags: (runtime, program) => flagsTopic(flagGroups(runtime, program), runtime.outTexts.t),
  "exit-codes": ({ outTexts }) => exitCodesTopic(outTexts.t),
  environment: ({ outTexts }) => environmentTopic(outTexts.t),
  files: ({ outTexts, system }) => filesTopic(folders(system), outTexts.t),
  json: ({ outTexts }) => jsonTopic(outTexts.t),
  errors: (runtime) => errorsTopic(reasonGroups(runtime), runtime.outTexts.t),
};

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
  const { cause, remedy } = readCause(reason, outTexts.t);
  const { why, next } = errorLabels(outTexts.t);
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
  const shown = reason === undefined ? topicTexts[topic](runtime, program) : explain(runtime, reason);
  await print(runtime, shown, uiFor(runtime.system.stdout, runtime));
}
