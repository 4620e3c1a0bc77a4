import { type BposError, exitCodes, exitNames } from "../../errors.ts";
import { lacksPrices, type PushReport } from "./report.ts";
import type { UnboundRequest } from "./request.ts";

/** Returns whether the service accepted everything, and every product had a price if that was required. */
export function isAllWell(report: PushReport): boolean {
  const { failure, rejected, skipped_stale, sumsDiffer = 0, undo } = report;
  const leftAlone = undo?.leftAlone.length ?? 0;
  const isWhole = rejected.length + skipped_stale + sumsDiffer + leftAlone === 0;
  return !failure && isWhole && !lacksPrices(report);
}

/** Returns the exit code of a push; `ended` is what stopped it, or what could not be written afterwards. */
export function pushExitCode(reports: readonly PushReport[], ended: BposError | undefined): number {
  if (ended !== undefined) return exitCodes[exitNames[ended.reason]];
  return reports.every(isAllWell) ? exitCodes.ok : exitCodes.partial;
}

/** Returns the exit code of a dry run: `partial` where something was rejected, left alone, or lacks a price. */
export function dryRunExitCode(request: UnboundRequest): number {
  const leftAlone = request.undo?.leftAlone.length ?? 0;
  const isWhole = request.rejected.length + leftAlone === 0;
  return isWhole && !lacksPrices(request) ? exitCodes.ok : exitCodes.partial;
}
