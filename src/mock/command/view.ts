import type { Fields, FieldsOf } from "../../cli/fields.ts";
import { ABSENT, shown } from "../../cli/format.ts";
import type { Ui } from "../../cli/output.ts";
import { type Column, table } from "../../cli/table.ts";
import { title } from "../../cli/text.ts";

function ruleOf(fault: Fields): string {
  const { status, seconds, ms } = fault as { status?: unknown; seconds?: unknown; ms?: unknown };
  const value = status ?? seconds ?? (ms === undefined ? undefined : `${shown(ms)}ms`);
  const effect = shown(fault["effect"]) + (value === undefined ? "" : `=${shown(value)}`);
  return `${shown(fault["method"])} ${shown(fault["path"])} ${effect}`;
}

export function faultsReport(faults: readonly Fields[], ui: Ui): string {
  const words = ui.texts.mock;
  if (faults.length === 0) return `${words.faultsCleared}\n`;
  const columns: Column<Fields>[] = [
    { title: words.faults.rule, cell: ruleOf, priority: 1 },
    { title: words.faults.times, cell: (fault) => shown(fault["times"]), align: "right", priority: 2 },
    { title: words.faults.rate, cell: (fault) => shown(fault["rate"]), align: "right", priority: 3 },
    { title: words.faults.fired, cell: (fault) => shown(fault["fired"]), align: "right", priority: 1 },
  ];
  return `${title(words.faultsTitle, ui).join("\n")}\n\n${table(columns, faults, ui)}`;
}

export const requestFields: FieldsOf<Fields> = {
  object: (row) => row,
  example: {
    ...{ id: null, at: null, method: null, path: null, query: null, status: null, ms: null, key: null },
    ...{ event_id: null, idempotency_key: null, fault: null, direction: null, reply_id: null, error: null },
  },
  columns: [],
};

/** One request as a line of `mock log --follow`, or of it the fields that are chosen. */
export function requestLine(row: Fields, ui: Ui, chosen?: readonly string[]): string {
  if (chosen !== undefined) return `${chosen.map((name) => shown(row[name])).join("  ")}\n`;
  const { theme } = ui;
  const status = Number(row["status"]);
  const tone = status >= 500 || status === 0 ? theme.bad : status >= 400 ? theme.warn : theme.good;
  const own = row["event_id"] ?? row["idempotency_key"];
  const parts = [
    theme.dim(shown(row["at"])),
    shown(row["method"]),
    shown(row["path"]) + (row["query"] ? `?${shown(row["query"])}` : ""),
    tone(shown(row["status"])),
    `${shown(row["ms"])} ms`,
    ...(row["fault"] ? [theme.warn(`[${shown(row["fault"])}]`)] : []),
    ...[own, row["key"]].flatMap((each) => (each ? [theme.dim(shown(each))] : [])),
  ];
  return `${parts.filter((part) => part !== ABSENT).join("  ")}\n`;
}
