import { type FieldsOf, fieldColumns, nothingOf, writeList } from "../../cli/display/fields.ts";
import { age, count, isoTime, number, shown } from "../../cli/display/format.ts";
import { type Column, column, type Listing, listing } from "../../cli/display/table.ts";
import { note, paragraph, title } from "../../cli/display/text.ts";
import type { Ui } from "../../cli/display/ui.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { withSession } from "../../cli/session/session.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import type { Journal } from "../../journal/journal.ts";
import type { KeptPush, PushEvent } from "../../journal/records/pushes.ts";
import type { T } from "../../texts/texts.ts";
import { countAnswers, decideOutcome } from "../sending/answers.ts";
import { type HistoryFlags, pushNames } from "./command.ts";
import type { PastDocument } from "./schema.ts";

/** A past push: when it began, its file, and its report, whose values are unknown since any version may have written it. */
export type PastPush = { [Name in keyof PastDocument]?: unknown } & Pick<
  PastDocument,
  "push_id" | "at" | "file"
>;

type Name = (typeof pushNames)[number];

export async function history(runtime: Runtime, { limit = defaultLimit }: HistoryFlags): Promise<void> {
  const needs = { address: "base_url", formats: ["table", "json", "ndjson", "csv"] } as const;
  await withSession(runtime, needs, async ({ output, openJournal }) => {
    const { journal, branch } = await openJournal();
    const { pushes: found, unfinished } = await pushHistory(journal, branch, limit + 1);
    const pushes = found.slice(0, limit);
    const { fields } = runtime.flags;
    await writeList(output, pushFields, pushes, {
      fields,
      document: (objects) => ({ pushes: objects }),
      view: (ui) => pushHistoryTable(pushes, { more: found.length > limit, unfinished }, ui, fields),
    });
  });
}

/** Returns what is known about a push without a report: it is under way, or its process was killed. */
function reportUnfinished(
  { push_id, action, undo_of: undone }: KeptPush,
  events: readonly PushEvent[],
): Omit<PastDocument, "at" | "file"> {
  const counted = countAnswers(events);
  const rejected = counted.rejected.flatMap(({ products }) => products);
  const stoppedBy = counted.counts.batches < events.length ? "unanswered" : undefined;
  return {
    push_id,
    action,
    occurred_at: events[0]?.occurred_at ?? null,
    read: null,
    ...counted.counts,
    unchanged: null,
    rejected: rejected.map(({ codigo, error }) => ({ codigo, error, source: "service", line: null })),
    rejected_file: null,
    outcome: decideOutcome(counted, rejected.length, stoppedBy),
    dry_run: false,
    ...(undone !== null && { undo_of: undone }),
  };
}

async function pushHistory(journal: Journal, branch: string, limit: number) {
  const unfinished = new Set<string>();
  const pushes: PastPush[] = [];
  for (const push of await journal.pushes.newest(branch, limit)) {
    const report =
      push.report === null
        ? reportUnfinished(push, await journal.pushes.events(push.push_id))
        : (JSON.parse(push.report) as Record<string, unknown>);
    // The service would refuse a refused push again.
    if (push.pending && report["outcome"] !== "refused") unfinished.add(push.push_id);
    pushes.push({ ...report, push_id: push.push_id, at: isoWithOffset(push.at), file: push.file });
  }
  return { pushes, unfinished };
}

const findName = (words: Readonly<Record<string, string>>, name: unknown): string =>
  new Map(Object.entries(words)).get(String(name)) ?? shown(name);

/** Standard input has no file name. */
const overtakenText = (file: string | null, t: T): string =>
  file === null || file === "-"
    ? t(
        "An older push is not complete, and there are newer ones. Push its file again only if its data is still correct.",
      )
    : t(
        "An older push is not complete ({file}), and there are newer ones. Push its file again only if its data is still correct.",
        { file },
      );

const actionWords = (t: T) => ({ upsert: t("upsert"), delete: t("delete"), undo: t("undo") });

const outcomeWords = (t: T) => ({
  complete: t("complete"),
  partial: t("partial"),
  refused: t("refused // the outcome of a push"),
  stale: t("stale // the outcome of a push"),
  unknown: t("unknown // the outcome of a push"),
  nothing: t("nothing"),
});

/** Only the newest push of a branch can be continued. */
function nextSteps(
  [newest, ...older]: readonly PastPush[],
  unfinished: ReadonlySet<string>,
  { texts }: Ui,
): string[] {
  const { t } = texts;
  const goOn = t(
    "The newest push is not complete. If it is no longer running, run the same command again with the same file. It continues where it stopped, and nothing is applied twice.",
  );
  const overtaken = older.find(({ push_id }) => unfinished.has(push_id));
  return [
    ...(newest !== undefined && unfinished.has(newest.push_id) ? [goOn] : []),
    ...(overtaken === undefined ? [] : [overtakenText(overtaken.file, t)]),
  ];
}

function defaultColumns(ui: Ui): Column<PastPush>[] {
  const { t } = ui.texts;
  const [actions, outcomes] = [actionWords(t), outcomeWords(t)];
  const { good, warn, bad } = ui.theme;
  const right = { align: "right" } as const;
  const formatNumber = (push: PastPush, name: Name): string => number(push[name], ui);
  // Batches without an answer may have arrived, or never have been sent.
  const sent = (push: PastPush): string =>
    (push["outcome"] === "unknown" ? "≤ " : "") + formatNumber(push, "sent");
  const tone = (outcome: unknown): ((text: string) => string) =>
    outcome === "complete" ? good : outcome === "unknown" || outcome === "refused" ? bad : warn;
  return [
    column(t("At"), 1, (push) => isoTime(push.at, ui)),
    column(t("Age"), 6, (push) => age(ui.now - Date.parse(push.at)), right),
    column(t("Action"), 4, (push) =>
      findName(actions, push["undo_of"] === undefined ? push["action"] : "undo"),
    ),
    column(t("File"), 2, (push) => shown(push.file), { shrinkTo: 12, wraps: true }),
    column(t("Sent // products"), 3, sent, right),
    column(t("Accepted"), 2, (push) => formatNumber(push, "accepted"), right),
    column(t("Stale // in a narrow column"), 5, (push) => formatNumber(push, "skipped_stale"), right),
    column(
      t("Rejected // of a push, in a narrow column"),
      2,
      (push) => number(cellIn(push, "rejected"), ui),
      right,
    ),
    column(t("Outcome"), 1, (push) => findName(outcomes, push["outcome"]), {
      style: (cell, push) => tone(push["outcome"])(cell),
    }),
  ];
}

export function pushHistoryTable(
  pushes: readonly PastPush[],
  { more, unfinished }: { more: boolean; unfinished: ReadonlySet<string> },
  ui: Ui,
  chosen?: readonly string[],
): Listing {
  const { t } = ui.texts;
  const shownOf = t(
    more
      ? "The newest {count, plural, one {# push} other {# pushes}}; --limit N shows more."
      : "{count, plural, one {# push} other {# pushes}}, newest first.",
    { count: count(pushes.length, ui) },
  );
  const steps = nextSteps(pushes, unfinished, ui).flatMap((step) => paragraph(step, ui).map(ui.theme.warn));
  const none = t("This machine's journal has no pushes for this branch.");
  const foot = pushes.length === 0 ? note(none, ui) : [...steps, ...note(shownOf, ui)];
  const columns = chosen ? fieldColumns(pushFields, chosen, pushes) : defaultColumns(ui);
  return listing(columns, pushes, { head: title(t("Catalog pushes in this journal"), ui), foot }, ui);
}

/** Returns a cell of the table; a list is counted, with what the history does not keep of it. */
const cellIn = (push: PastPush, name: Name): string | number | null => {
  const value = push[name];
  if (!Array.isArray(value)) return value as string | number | null;
  return value.length + (name === "rejected" ? Number(push.rejected_left_out ?? 0) : 0);
};

const csvColumns = pushNames.filter((name) => name !== "occurred_at" && name !== "dry_run");

const pushFields: FieldsOf<PastPush> = {
  object: (push) => push,
  example: nothingOf(pushNames),
  columns: csvColumns.map((name) => [name, (push) => cellIn(push, name)]),
};

const defaultLimit = 20;
