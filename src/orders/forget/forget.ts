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
import type { Owed } from "../../journal/records/orders.ts";
import type { Count } from "../../texts/message.ts";
import { shellWord } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import type { ForgetFlags } from "./command.ts";

/** An output in words; of a station, its name. */
export function describeOutput(output: string, t: T): string {
  const words = {
    "out-dir": "--out-dir",
    exec: "--exec",
    notify: "--notify",
    printer: t("the printer"),
    stdout: t("standard output"),
  };
  const name = orderOutputs.find((each) => each === output);
  return name === undefined
    ? t("the station {station}", { station: output.replace(/^printer:/, "") })
    : words[name];
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

function owedText(orders: Count, changes: Count, t: T): string {
  if (changes.n === 0) return t("{orders, plural, one {# order} other {# orders}}", { orders });
  if (orders.n === 0)
    return t("{changes, plural, one {# change of an order} other {# changes of orders}}", { changes });
  return t(
    "{orders, plural, one {# order} other {# orders}} and {changes, plural, one {# change of an order} other {# changes of orders}}",
    { orders, changes },
  );
}

/** Returns how much an output has not received, as a number and in words. */
export const owedFacts = ({ orders, changes }: Pick<Owed, "orders" | "changes">, ui: Ui, t: T) => ({
  count: orders + changes,
  owed: owedText(count(orders, ui), count(changes, ui), t),
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
    const { t } = texts;
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
    const facts = owedFacts(owed, ui, t);
    const about = { output: describeOutput(name, t), branch, consumer };
    const question = t(
      'Give up {owed} that {output} has not received ({branch}, consumer "{consumer}")? They will never be delivered to it.',
      { owed: facts.owed, ...about },
    );
    if (!isNothing && yes !== true) await confirm(runtime, question);
    if (watchId !== undefined) await orders.forget(watchId, name);

    const { orders: lost, changes } = owed;
    if (format !== "table") return output.document({ branch, consumer, output: name, orders: lost, changes });
    const text = isNothing
      ? t(
          'Nothing waits for {output} ({branch}, consumer "{consumer}"). It receives new orders again from its next run.',
          about,
        )
      : t(
          'Gave up {owed} that {output} had not received ({branch}, consumer "{consumer}"). It receives new orders again from its next run.',
          { count: facts.count, owed: facts.owed, output: about.output, branch, consumer },
        );
    if (!quiet) await output.data(`${paragraph(text, ui).join("\n")}\n`);
  });
}
