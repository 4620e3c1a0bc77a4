import { count } from "../cli/display/format.ts";
import type { Ui } from "../cli/display/ui.ts";
import { orderOutputs } from "../cli/line/flags.ts";
import type { Runtime } from "../cli/runtime.ts";
import { readWantedMock } from "../cli/session/branches.ts";
import type { Owed } from "../journal/records/orders.ts";
import type { Count } from "../texts/message.ts";
import { shellWord } from "../texts/phrases.ts";
import type { T } from "../texts/texts.ts";
import { defaultConsumer } from "./consumer.ts";

/** Returns the words for an output: its flag, or the name of its station. */
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

/** Returns the command that discards the pending orders of an output. */
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
    return t("{changes, plural, one {# order change} other {# order changes}}", { changes });
  return t(
    "{orders, plural, one {# order} other {# orders}} and {changes, plural, one {# order change} other {# order changes}}",
    { orders, changes },
  );
}

/** Returns how much an output has not received, as a number and in words. */
export const owedFacts = ({ orders, changes }: Pick<Owed, "orders" | "changes">, ui: Ui, t: T) => ({
  count: orders + changes,
  owed: owedText(count(orders, ui), count(changes, ui), t),
});
