import type { Runtime } from "../../../cli/runtime.ts";
import { type BposError, isReason } from "../../../errors.ts";
import { type BranchPrinter, type PrintJob, stationOutput } from "../../../printing/printing.ts";
import type { OrderDelivery, OrderOutput } from "./order-output.ts";

/** Retries often, since somebody who adds paper waits for the receipts. */
const firstMs = 2_000;
const downMs = 15_000;
/** A receipt that may be on paper is retried with backoff: with a printer that never confirms, each retry wastes paper. */
const maybeMs = 15 * 60_000;

const mayHave = (failure: BposError): boolean => isReason(failure, "printer_failed") && failure.facts.maybe;

/**
 * Whether the other orders wait. If the printer hangs up in the middle, or never confirms, this receipt may be the reason, so they do
 * not.
 */
const isDown = (failure: BposError): boolean =>
  isReason(failure, "printer_failed") &&
  !(failure.facts.maybe && ["reset", "silent"].includes(failure.facts.problem.kind));

function toJob({ event, order, repeated = false, parts }: OrderDelivery): PrintJob {
  if (event.event === "order.new") return { order, repeated, parts };
  const { from, to, changes: edited } = event;
  return { order, repeated, parts, change: { from, to, edited } };
}

/** @param check is awaited when it is this receipt's turn, and throws where it may not be printed. */
export function printerOutput(
  { station, print }: BranchPrinter,
  { clock }: Pick<Runtime["system"], "clock">,
  check: () => Promise<void>,
): OrderOutput {
  return {
    ...(station === undefined ? { name: "printer" } : { name: stationOutput(station), station }),
    changes: "off",
    mayHave,
    isDown,
    retry: {
      sleep: (ms, signal) => clock.sleep(ms, signal),
      backoff: (failure) => ({ firstMs, maxMs: mayHave(failure) ? maybeMs : downMs }),
    },
    deliver: (item, signal) => print(toJob(item), signal, check),
  };
}
