import { mayAsk } from "../../cli/display/output.ts";
import { paragraph } from "../../cli/display/text.ts";
import { notChoice, orderOutputs } from "../../cli/line/flags.ts";
import { questionWords } from "../../cli/line/questions.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { withSession } from "../../cli/session/session.ts";
import { BposError, isReason } from "../../errors.ts";
import { defaultConsumer } from "../consumer.ts";
import { describeOutput, owedFacts } from "../owed.ts";
import type { ForgetFlags } from "./command.ts";
import type { ForgetReport } from "./report.ts";

/** Discards the pending orders of an output; nothing else does. */
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
    // A running watch would keep delivering to it.
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
      'Discard {owed} pending for {output} ({branch}, consumer "{consumer}")? This output will never receive what you discard.',
      { owed: facts.owed, ...about },
    );
    if (!isNothing && yes !== true) await confirm(runtime, question);
    if (watchId !== undefined) await orders.forget(watchId, name);

    const { orders: lost, changes } = owed;
    const report: ForgetReport = { branch, consumer, output: name, orders: lost, changes };
    if (format !== "table") return output.document(report);
    const text = isNothing
      ? t(
          'Nothing is pending for {output} ({branch}, consumer "{consumer}"). It receives new orders from its next run.',
          about,
        )
      : t(
          'Discarded {owed} pending for {output} ({branch}, consumer "{consumer}"). It receives new orders from its next run.',
          { count: facts.count, owed: facts.owed, output: about.output, branch, consumer },
        );
    if (!quiet) await output.data(`${paragraph(text, ui).join("\n")}\n`);
  });
}

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
