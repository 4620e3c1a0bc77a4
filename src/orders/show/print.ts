import { shown } from "../../cli/display/format.ts";
import { neededPrinter } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Session } from "../../cli/session/session.ts";
import type { Order } from "../../contract/order.ts";
import { printNow } from "../../delivery/printer.ts";
import type { ShowFlags } from "./command.ts";
import { orderReceipt } from "./receipt.ts";

/** Returns what prints an order. Throws `usage_flag` without a printer, before the service is asked anything. */
export function orderPrinter(
  { system, signal }: Runtime,
  { output, settings, branchName: branch }: Session,
  flags: ShowFlags,
) {
  const { address, ...paper } = neededPrinter(flags, settings);
  return async (order: Order): Promise<void> => {
    // Whether a watch has printed it, here or elsewhere, nobody knows: two of a kind must not be cooked twice.
    const bytes = orderReceipt(order, { ...paper, ui: output.ui, branch, repeated: true });
    await printNow({ address, language: paper.language, system }, bytes, signal);
    await output.notice(output.texts.printer.printed(shown(order.order_id), address.url));
  };
}
