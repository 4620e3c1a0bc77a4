import { count } from "../../cli/display/format.ts";
import { mayAsk } from "../../cli/display/output.ts";
import { paragraph } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { notChoice, orderOutputs } from "../../cli/line/flags.ts";
import { questionWords } from "../../cli/line/questions.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { readWantedMock } from "../../cli/session/branches.ts";
import { withSession } from "../../cli/session/session.ts";
import { BposError, isReason } from "../../errors.ts";
import type { Texts } from "../../i18n/en.ts";
import type { Owed } from "../../journal/orders.ts";
import { shellWord } from "../../texts/phrases.ts";
import type { ForgetFlags } from "./command.ts";

/** An output in words; of a station, its name. */
export function describeOutput(
  output: string,
  { watch: { outputs, station } }: Pick<Texts, "watch">,
): string {
  const name = orderOutputs.find((each) => each === output);
  return name === undefined ? station(output.replace(/^printer:/, "")) : outputs[name];
}

const defaultConsumer = "default";

/** The command that gives up the pending orders of an output. */
export function forgetCommand(runtime: Runtime, output: string, of: { profile?: string; consumer: string }) {
  const { profile = runtime.flags.profile, consumer } = of;
  return [
    "bpos",
    ...(readWantedMock(runtime) === "embedded" ? ["--mock"] : []),
    ...(profile === undefined ? [] : ["-p", shellWord(profile)]),
    "orders forget --output",
    shellWord(output),
    ...(consumer === defaultConsumer ? [] : ["--consumer", consumer]),
  ].join(" ");
}

export const owedCounts = ({ orders, changes }: Pick<Owed, "orders" | "changes">, ui: Ui) => ({
  orders: count(orders, ui),
  changes: count(changes, ui),
});

function readOutput({ flags }: Runtime): string {
  const text: string | undefined = flags.output;
  const isKnown = orderOutputs.some((each) => each === text) || /^printer:./.test(text ?? "");
  if (text !== undefined && isKnown) return text;
  const problem = notChoice(text, orderOutputs);
  const given = text === undefined ? {} : { text };
  throw new BposError("usage_flag", { problem: { kind: "value", flag: "--output", ...given, problem } });
}

async function confirm({ system, signal, texts, ...runtime }: Runtime, question: string): Promise<void> {
  if (!mayAsk({ system, ...runtime })) throw new BposError("not_a_terminal", { flag: "--yes" });
  const isAgreed = await system.prompts.confirm(question, signal, questionWords(texts.t));
  if (!isAgreed) throw new BposError("declined", { of: "forget" });
}

/** Gives up, by its name, what an output has not got: nothing else does. */
export async function forget(runtime: Runtime, flags: ForgetFlags): Promise<void> {
  const { consumer = defaultConsumer, yes } = flags;
  const name = readOutput(runtime);
  // The global flag of this name, which is a format, has another meaning here.
  const shown = { ...runtime, flags: { ...runtime.flags, output: undefined } };
  const needs = { address: "base_url", formats: ["table", "json", "ndjson"] } as const;
  await withSession(shown, needs, async (session) => {
    const { output, branchName: branch } = session;
    const { format, quiet, ui } = output;
    const { texts } = ui;
    const words = texts.orders.forget;
    const { branch: id, lock } = await session.openJournal();
    // A watch that runs meanwhile would keep delivering to it.
    const { orders } = await lock("watch", { consumer }).catch((error: unknown) => {
      if (!isReason(error, "locked")) throw error;
      throw new BposError("locked", { ...error.facts, wanted: "forget" });
    });

    const watchId = await orders.find(id, consumer);
    const all = watchId === undefined ? [] : await orders.owed(watchId);
    const owed = all.find((each) => each.output === name) ?? { orders: 0, changes: 0 };
    const isNothing = owed.orders + owed.changes === 0;
    const counts = owedCounts(owed, ui);
    const about = { output: describeOutput(name, texts), branch, consumer };
    if (!isNothing && yes !== true) await confirm(runtime, words.ask(counts, about));
    if (watchId !== undefined) await orders.forget(watchId, name);

    const { orders: lost, changes } = owed;
    if (format !== "table") return output.document({ branch, consumer, output: name, orders: lost, changes });
    const text = isNothing ? words.nothing(about) : words.done(counts, about);
    if (!quiet) await output.data(`${paragraph(text, ui).join("\n")}\n`);
  });
}
