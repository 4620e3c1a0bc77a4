import type { Output } from "../cli/display/output.ts";
import type { PrinterAddress } from "../contract/addresses.ts";
import type { Order } from "../contract/order.ts";
import type { System } from "../system.ts";
import type { T } from "../texts/texts.ts";
import type { DrawnReceipt } from "./drawn-receipt.ts";
import type { Layout } from "./layout.ts";
import type { ReceiptOptions } from "./order-receipt.ts";
import { columnsByPaper, type Paper } from "./paper.ts";
import type { Printers, PrintFlags, PrintingBranch } from "./printers.ts";
import type { Station, StationMap } from "./stations.ts";

// The entrance of this folder: other folders import nothing else from it. Stations are small and part of every run; encoder, fonts and
// images are as large as the rest of a short command, so they are loaded only to print or draw.

export type { Part } from "./parts.ts";
export type { PrinterFailure } from "./printer.ts";
export type { BranchPrinter, Printers, PrintJob } from "./printers.ts";
export { gather, StationRouter, stationOutput } from "./station-router.ts";
export type { Station, StationMap } from "./stations.ts";
export { checkStation, foldName, routeProduct, toStations } from "./stations.ts";

/**
 * Opens the printers of each branch: that of the flag, else its stations, else the one of its profile. Throws `usage_flag` where there is
 * none, and what `openLayout` throws.
 */
export async function openPrinters(
  system: System,
  flags: PrintFlags,
  branches: readonly PrintingBranch[],
): Promise<Printers> {
  const printers = await import("./printers.ts");
  return printers.openPrinters(system, flags, branches);
}

/** Reads a layout and its logo. Throws `layout_unusable`, and `input_unreadable` for a file that cannot be read. */
export async function openLayout(system: System, path: string | undefined): Promise<Layout | undefined> {
  const layouts = await import("./layout.ts");
  return layouts.openLayout(system, path);
}

/** Reads the CSV of `--station-map`. Throws `input_unusable`, and `usage_flag` for a station that no branch has. */
export async function readStationMap(
  system: System,
  path: string,
  output: Output,
  branches: readonly (readonly Station[])[],
): Promise<StationMap> {
  const maps = await import("./station-map.ts");
  return maps.readStationMap(system, path, output, branches);
}

/** Draws the receipt of an order as its printer prints it. */
export async function drawReceipt(order: Order, options: ReceiptOptions): Promise<DrawnReceipt> {
  const { orderReceipt } = await import("./order-receipt.ts");
  const { drawBytes } = await import("./drawn-receipt.ts");
  return drawBytes(orderReceipt(order, options), options);
}

type Reached = Readonly<{ address: PrinterAddress; system: System; signal: AbortSignal }>;

/** Prints a receipt that shows whether width, letters, sizes and cut are right; returns its bytes. Throws `printer_failed` and `interrupted`. */
export async function printTestReceipt(
  { address, system, signal }: Reached,
  paper: Paper,
  { t, station }: { t: T; station?: string | undefined },
): Promise<number> {
  const { testReceipt } = await import("./test-receipt.ts");
  const { printNow } = await import("./printer.ts");
  const bytes = testReceipt(paper, t, station);
  await printNow({ address, language: paper.language, system }, bytes, signal);
  return bytes.length;
}

/** Asks a printer at a TCP address for its state, without printing. Throws `printer_failed` and `interrupted`. */
export async function reachPrinter(
  { address, system, signal }: Reached,
  { language, limitMs }: Pick<Paper, "language"> & { limitMs: number },
): Promise<void> {
  const { printNow } = await import("./printer.ts");
  const limits = { connect: limitMs, answer: 0, close: 0 };
  await printNow({ address, language, system, limits }, new Uint8Array(), signal);
}

/** Returns how many characters a line of this paper has. */
export const lineLength = (paper: Paper["paper"]): number => columnsByPaper[paper];
