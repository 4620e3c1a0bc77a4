import { age, count } from "../../../cli/display/format.ts";
import type { Printers } from "../../../printing/printing.ts";
import type { T } from "../../../texts/texts.ts";
import type { Shares } from "../standby/standby.ts";
import type { Watching } from "../watching.ts";

const maxNamed = 3;

const watchingText = (
  branch: string,
  { intervalMs, consumer }: Pick<Watching, "intervalMs" | "consumer">,
  t: T,
): string =>
  t('Watching {branch} every {time} for consumer "{consumer}". Press Ctrl-C to stop.', {
    branch,
    time: age(intervalMs),
    consumer,
  });

const toShare = ({ holder, branches }: Shares["there"][number]) => ({ holder, branches: branches.length });

/** Returns how many branches are watched here, by each other process, and by those that are not named. */
function sharesText({ here, there }: Shares, { runtime, ui }: Pick<Watching, "runtime" | "ui">): string {
  const { t } = runtime.texts;
  const parts = [
    t("{count, plural, one {# branch here} other {# branches here}}", { count: count(here.length, ui) }),
    ...there
      .slice(0, maxNamed)
      .map(({ holder, branches }) => t("{count} on {holder}", { count: count(branches.length, ui), holder })),
  ];
  const others = there.slice(maxNamed).flatMap(({ branches }) => branches);
  if (others.length > 0) parts.push(t("{count} elsewhere", { count: count(others.length, ui) }));
  return `${parts.join(", ")}.`;
}

/** Reports which process watches: for one branch its name, for many the number at each. */
export async function tellShares(
  watching: Omit<Watching, "standby">,
  branch: string,
  shares: Shares,
): Promise<void> {
  const { runtime, screen, many, consumer, intervalMs } = watching;
  const { t } = runtime.texts;
  const { here, there } = shares;
  const [first] = there;
  if (!many && first === undefined) {
    const facts = { branch, interval_ms: intervalMs, consumer };
    return screen.report("watch.began", watchingText(branch, watching, t), facts);
  }
  if (!many && first !== undefined) {
    const { holder } = first;
    const text = t('{holder} is watching {branch} for consumer "{consumer}"; standing by.', {
      holder,
      branch,
      consumer,
    });
    return screen.report("watch.standby", text, { branch, holder, consumer });
  }

  const facts = { here: here.length, there: there.map(toShare) };
  await screen.report("watch.shares", sharesText(shares, watching), facts);
}

/** Names each printer once. */
const printerNames = (printers: Printers): string[] => [
  ...new Set([...printers.values()].flatMap((branch) => branch.printers.map(({ label }) => label))),
];

export async function tellBegin(watching: Watching, what: string | number): Promise<void> {
  const { runtime, flags, screen, consumer, intervalMs, standby, printers, ui } = watching;
  const { t } = runtime.texts;
  if (flags.once === true) return;
  const isOne = typeof what === "string";
  const name = isOne
    ? what
    : t("{count, plural, one {# branch} other {# branches}}", { count: count(what, ui) });
  // With --standby, a notice names who watches it.
  if (standby === undefined || !isOne)
    await screen.report("watch.began", watchingText(name, watching, t), {
      ...(isOne ? { branch: what } : { branches: what }),
      interval_ms: intervalMs,
      consumer,
    });
  if (printers !== undefined) {
    const shown = printerNames(printers);
    const text = t("Printing on {printers}.", { printers: shown.join(", ") });
    await screen.report("watch.printing", text, { printers: shown });
  }
}
