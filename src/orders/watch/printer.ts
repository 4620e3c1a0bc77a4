import { layoutPath, neededPrinter } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Session } from "../../cli/session/session.ts";
import { isOffState } from "../../contract/limits.ts";
import { Printer } from "../../delivery/printer.ts";
import { type BposError, isReason } from "../../errors.ts";
import { openLayout } from "../show/layout.ts";
import { changeReceipt, orderReceipt, type ReceiptOptions } from "../show/receipt.ts";
import type { WatchFlags } from "./command.ts";
import type { OrderDelivery, OrderOutput } from "./context.ts";

/** Retries often, since somebody who adds paper waits for the receipts. */
const firstMs = 2_000;
const downMs = 15_000;
/** A receipt that may be on paper is retried with backoff: with a printer that never confirms, each retry wastes paper. */
const maybeMs = 15 * 60_000;

const mayHave = (failure: BposError): boolean => isReason(failure, "printer_failed") && failure.facts.maybe;

/** One that hangs up in the middle, or says nothing after, may do so for what it got: the others do not wait for that. */
const isDown = (failure: BposError): boolean =>
  isReason(failure, "printer_failed") &&
  !(failure.facts.maybe && ["reset", "silent"].includes(failure.facts.problem.kind));

/** Returns undefined for a change that needs no slip. */
function toReceipt(
  { event, order, repeated = false }: OrderDelivery,
  options: ReceiptOptions,
): Uint8Array | undefined {
  if (event.event === "order.new") return orderReceipt(order, { ...options, repeated });
  const { from, to, changes: edited } = event;
  if (isOffState(to)) return changeReceipt(order, { ...options, from, to });
  if (edited === undefined) return undefined;
  return orderReceipt(order, { ...options, drawer: false, repeated, edited });
}

function printerOutput(
  printer: Printer,
  options: ReceiptOptions,
  sleep: Runtime["system"]["clock"]["sleep"],
  check: () => Promise<void>,
): OrderOutput {
  return {
    name: "printer",
    changes: "off",
    mayHave,
    isDown,
    retry: {
      sleep,
      backoff: (failure) => ({ firstMs, maxMs: mayHave(failure) ? maybeMs : downMs }),
    },
    async deliver(item, signal) {
      const receipt = toReceipt(item, options);
      return receipt === undefined ? undefined : printer.print(receipt, signal, check);
    },
  };
}

export type Printers = Awaited<ReturnType<typeof openPrinters>>;

/** The printer of each branch. Throws `usage_flag` where neither the flag nor a branch's profile names one, and what `openLayout` throws. */
export async function openPrinters({ system }: Runtime, flags: WatchFlags, sessions: readonly Session[]) {
  // Branches that share a printer wait for one another.
  const printers = new Map<string, Printer>();
  const outputs = new Map<Session, (check: () => Promise<void>) => OrderOutput>();
  const named = flags.printer === true ? undefined : flags.printer;
  for (const session of sessions) {
    const { settings, output, branchName } = session;
    const { address, ...paper } = neededPrinter({ ...flags, printer: named }, settings);
    const { url } = address;
    const printer = printers.get(url) ?? new Printer({ address, language: paper.language, system });
    printers.set(url, printer);

    const sleep = (ms: number, signal?: AbortSignal): Promise<void> => system.clock.sleep(ms, signal);
    const layout = await openLayout(system, layoutPath(flags, settings));
    const options = { ...paper, ui: output.ui, branch: branchName, layout };
    outputs.set(session, (check) => printerOutput(printer, options, sleep, check));
  }
  return {
    urls: [...printers.keys()],
    /** @param check is awaited when it is this receipt's turn, and throws where it may not be printed. */
    of: (session: Session, check: () => Promise<void>) => outputs.get(session)?.(check),
  };
}
