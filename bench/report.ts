import { readFileSync } from "node:fs";
import type { Row } from "./support.ts";

/** A row with its result: a figure, or why there is none. */
export interface Result extends Row {
  figure?: number;
  reason?: string;
}
interface Spread {
  min: number;
  median: number;
  max: number;
}
/** The document that `--json` writes. */
export interface Report {
  at: string;
  node: string;
  machine: string;
  isQuick: boolean;
  /** Milliseconds of `node -e 0` over the run. */
  idleMs: Spread;
  rows: Result[];
}

const unitOf = ({ unit = "×" }: Row): string => (unit === "%" ? " %" : ` ${unit}`);
const digitsOf = ({ unit = "×" }: Row): number => (unit === "×" || unit === "%" ? 2 : unit === "s" ? 1 : 0);

function verdict({ figure, reason, target, isAtLeast }: Result): string {
  if (figure === undefined) return `not measured: ${reason ?? "it ended early"}`;
  return (isAtLeast === true ? figure >= target : figure <= target) ? "met" : "MISSED";
}

function aligned(rows: readonly (readonly string[])[], right: readonly number[]): string {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  const cell = (text: string, at: number): string =>
    right.includes(at) ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0);
  return rows.map((row) => `${row.map(cell).join("  ").trimEnd()}\n`).join("");
}

export function reportText({ node, machine, isQuick, idleMs, rows }: Report): string {
  const cells = rows.map((row) => [
    row.name,
    row.operation,
    row.against ?? "—",
    row.figure === undefined ? "—" : `${row.figure.toFixed(digitsOf(row))}${unitOf(row)}`,
    `${row.isAtLeast === true ? "≥" : "≤"} ${row.target}${unitOf(row)}`,
    verdict(row),
  ]);
  const { min, median, max } = idleMs;
  const spread = [min, median, max].map((ms) => ms.toFixed(0)).join(" / ");
  const quick = isQuick ? "; --quick: smaller and fewer, the figures are rough" : "";
  return (
    aligned([["name", "operation", "against", "figure", "target", ""], ...cells], [3, 4]) +
    `\n${node}, ${machine}${quick}\nnode -e 0 over the run: ${spread} ms (least / median / most)\n`
  );
}

function reportIn(file: string): Report {
  const report = JSON.parse(readFileSync(file, "utf8")) as Partial<Report> | null;
  if (!Array.isArray(report?.rows)) throw new Error("it was not written by npm run bench -- --json");
  return report as Report;
}

/** Returns what changed from one run to another, regressions first. Throws a sentence that names the file it could not read. */
export function comparison(files: readonly string[]): string {
  const [before, after] = files.map((file) => {
    try {
      return reportIn(file);
    } catch (error) {
      throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
    }
  }) as [Report, Report];
  const rows = after.rows.map((now) => ({ now, was: before.rows.find(({ name }) => name === now.name) }));
  const both = rows.flatMap(({ now, was }) => {
    if (now.figure === undefined || was?.figure === undefined) return [];
    const change = now.figure / was.figure;
    return [
      {
        now,
        was: was.figure,
        figure: now.figure,
        change,
        worse: now.isAtLeast === true ? 1 / change : change,
      },
    ];
  });
  both.sort((a, b) => b.worse - a.worse);
  const cells = both.map(({ now, was, figure, change, worse }) => [
    now.name,
    now.operation,
    `${was.toFixed(digitsOf(now))}${unitOf(now)}`,
    `${figure.toFixed(digitsOf(now))}${unitOf(now)}`,
    `${change.toFixed(2)} ×`,
    worse > 1.1 ? "worse" : worse < 1 / 1.1 ? "better" : "",
  ]);
  const measured = (report: Report): Set<string> =>
    new Set(report.rows.filter(({ figure }) => figure !== undefined).map(({ name }) => name));
  const [a, b] = [measured(before), measured(after)];
  const only = [
    ...[...a].filter((name) => !b.has(name)).map((name) => `only in ${files[0]}: ${name}\n`),
    ...[...b].filter((name) => !a.has(name)).map((name) => `only in ${files[1]}: ${name}\n`),
  ].join("");
  const quick = before.isQuick === after.isQuick ? "" : "One of the two is of --quick: their sizes differ.\n";
  const busy = `node -e 0: ${before.idleMs.median.toFixed(0)} ms, then ${after.idleMs.median.toFixed(0)} ms (medians)\n`;
  return `${aligned([["name", "operation", "before", "after", "change", ""], ...cells], [2, 3, 4])}${only}\n${quick}${busy}`;
}
