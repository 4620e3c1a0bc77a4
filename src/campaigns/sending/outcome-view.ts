import { age, count, dateTime } from "../../cli/display/format.ts";
import { paragraph } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import type { WaitReason } from "../../errors/problems.ts";
import type { Facts } from "../../texts/message.ts";
import type { T } from "../../texts/texts.ts";
import type { SendReport } from "../send-report.ts";

function outcomeText({ outcome, recipients }: SendReport, ui: Ui): string {
  const { t } = ui.texts;
  const words: Record<SendReport["outcome"], () => string> = {
    sent: () =>
      t("Sent: the service accepted {count, plural, one {# recipient} other {# recipients}}.", {
        count: count(recipients.added, ui),
      }),
    replayed: () =>
      t("REPLAYED: this was already sent. Nothing was sent now, and nobody was messaged again."),
    partial: () => t("Partly sent: some calls were not sent, or the service did not confirm all recipients."),
    refused: () => t("Refused: the service sent nothing."),
    unknown: () =>
      t(
        "The outcome of a call is unknown. Resuming retries it with the same key, unless a recipient opted out. Nobody is messaged twice.",
      ),
    nothing: () => t("Nothing was sent."),
  };
  return words[outcome]();
}

/** Names until when the other recipients wait, and why. */
const waitWords: Record<WaitReason, (facts: Facts, t: T) => string> = {
  at: (facts, t) =>
    t("{count, plural, one {# recipient waits} other {# recipients wait}} for the start time, {at}.", facts),
  hours: (facts, t) =>
    t(
      "{count, plural, one {# recipient is} other {# recipients are}} outside their hours until {at}.",
      facts,
    ),
  pace: (facts, t) =>
    t("{count, plural, one {# recipient waits} other {# recipients wait}} for --pace until {at}.", facts),
  canary: (facts, t) =>
    t("{count, plural, one {# recipient waits} other {# recipients wait}} for the canary until {at}.", facts),
};

/** Says that all calls, or some of them, were sent before. */
function replayedLines({ outcome, campaigns }: SendReport, sentAt: number | undefined, ui: Ui): string[] {
  const { t } = ui.texts;
  const replayed = campaigns.filter((call) => call.replayed).length;
  if (outcome === "replayed") {
    if (sentAt === undefined) return [];
    const facts = { at: dateTime(sentAt, ui), age: age(ui.now - sentAt) };
    return paragraph(t("Sent at {at}, {age} ago.", facts), ui);
  }
  if (replayed === 0) return [];
  const some = t(
    "REPLAYED: {count} of {all, plural, one {# call} other {# calls}} had already been sent. Nobody was messaged again.",
    { count: count(replayed, ui), all: count(campaigns.length, ui) },
  );
  return paragraph(some, ui).map((line) => ui.theme.strong(ui.theme.warn(line)));
}

/** Returns the outcome of a send: what was not sent, and what waits. */
export function verdict(report: SendReport, sentAt: number | undefined, ui: Ui): string[] {
  const { t } = ui.texts;
  const { outcome, unsent, waiting } = report;
  const { good, warn, bad, strong } = ui.theme;
  const loud = (text: string): string => strong(warn(text));
  const tones = { sent: good, replayed: loud, partial: warn, refused: bad, unknown: bad, nothing: warn };
  const lines = [
    ...paragraph(outcomeText(report, ui), ui).map(tones[outcome]),
    ...replayedLines(report, sentAt, ui),
  ];

  if (unsent !== undefined && (outcome === "unknown" || outcome === "partial")) {
    const text = t(
      "{calls, plural, one {# call} other {# calls}} to {count, plural, one {# recipient} other {# recipients}} {calls, plural, one {was} other {were}} not sent.",
      { calls: count(unsent.calls, ui), count: count(unsent.people, ui) },
    );
    lines.push(...paragraph(text, ui).map(strong));
  }
  if (waiting !== undefined) {
    const { reason, people, until } = waiting;
    const facts = { count: count(people, ui), at: dateTime(until, ui) };
    lines.push(...paragraph(waitWords[reason](facts, t), ui));
  }
  return lines;
}
