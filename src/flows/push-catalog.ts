import type { CatalogAction } from "../contract/catalog.ts";
import type { RowProblem } from "../input/problems.ts";

/** One product that was left out: by us (`file`) or by the service. */
export type RejectedProduct =
  | { source: "file"; codigo: string | null; line: number | null; problem: RowProblem; cells: readonly string[] }
  | { source: "service"; codigo: string | null; line: number | null; error: string; cells: readonly string[] };

/** How a push ended; see "JSON shapes" in the contract of the command line. */
export type PushOutcome = "complete" | "partial" | "refused" | "stale" | "unknown" | "nothing";

/** What came of a push, in the words of the command line's JSON. */
export interface PushReport {
  push_id: string;
  action: CatalogAction;
  occurred_at: string;
  /** Rows read from the file. */
  read: number;
  /** Items that were sent (would be, in a dry run). */
  sent: number;
  batches: number;
  accepted: number;
  skipped_stale: number;
  duplicate_batches: number;
  unchanged: number;
  rejected: RejectedProduct[];
  rejected_file: string | null;
  outcome: PushOutcome;
  dry_run: boolean;
}
