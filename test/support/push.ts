import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CatalogEvent } from "../../src/contract/catalog.ts";
import type { RunningMock } from "../../src/mock/index.ts";
import { temporaryFolder } from "./run.ts";
import { clockQuestion, type Expectation, type Handler, on, type ScriptedServer } from "./scripted-server.ts";

/** The document that `catalog push --json` prints. */
export interface Report {
  push_id: string;
  occurred_at: string;
  read: number;
  sent: number;
  batches: number;
  accepted: number;
  skipped_stale: number;
  duplicate_batches: number;
  rejected: { codigo: string | null; error: string | null; source: string; line: number }[];
  rejected_file: string | null;
  unchanged: number;
  outcome: string;
  dry_run: boolean;
  deactivated?: Report;
}

/** Reads what `catalog push --json` printed. */
export const parse = (text: string): Report => JSON.parse(text) as Report;

/** The event that a request carries. */
export const event = (request: ScriptedServer["requests"][number]): CatalogEvent =>
  JSON.parse(request.body.toString()) as CatalogEvent;

/** The answer to a batch of `n` products that were all accepted, with some keys changed. */
export const accepted = (n: number, more: object = {}) => ({
  duplicate: false,
  accepted: n,
  skipped_stale: 0,
  rejected: [],
  ...more,
});

/** Expects a call for each of the answers, in their order. */
export const batches = (...answers: Handler[]): Expectation[] => [
  clockQuestion,
  ...answers.map((answer) => on("POST /v1/catalog/items", answer)),
];

/** A file of `count` good rows; a `change` makes it another price list. */
export function priceList(count: number, change = 0): string {
  const file = join(temporaryFolder(), "prices.csv");
  const rows = Array.from(
    { length: count },
    (_, n) => `${String(n).padStart(5, "0")},Product ${n},${n + change}.50`,
  );
  writeFileSync(file, `codigo,nombre,precio\n${rows.join("\n")}\n`);
  return settled(file);
}

/** Dates a file back, so that nothing waits for more of it; returns its path. */
export function settled(file: string): string {
  utimesSync(file, new Date(), new Date(Date.now() - 3_600_000));
  return file;
}

/** Writes a file of these lines, which nothing waits for; returns its path. */
export function fileOf(...lines: string[]): string {
  const file = join(temporaryFolder(), "prices.csv");
  writeFileSync(file, `${lines.join("\n")}\n`);
  return settled(file);
}

/** Returns the requests that reached the mock, each as method and path, oldest first. */
export async function callsOf(mock: RunningMock): Promise<string[]> {
  return (await mock.control.requests(1000)).map(({ method, path }) => `${method} ${path}`);
}
