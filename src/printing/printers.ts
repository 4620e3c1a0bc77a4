import type { Ui } from "../cli/display/ui.ts";
import { layoutPath, neededPrinter, type PrinterFlags } from "../cli/line/printer-flags.ts";
import { isOffState } from "../contract/limits.ts";
import type { Order } from "../contract/order.ts";
import type { Settings } from "../settings/settings.ts";
import type { System } from "../system.ts";
import { openLayout } from "./layout.ts";
import { changeReceipt, orderReceipt, type ReceiptOptions } from "./order-receipt.ts";
import type { Part } from "./parts.ts";
import { Printer, type PrinterFailure } from "./printer.ts";
import { type Station, toStations } from "./stations.ts";

/** A branch that prints; a session is one. */
export interface PrintingBranch {
  settings: Settings;
  output: { ui: Ui };
  branchName: string;
}

export type PrintFlags = Omit<PrinterFlags, "printer"> & { printer?: PrinterFlags["printer"] | true };

/** An order to print, or a change of a printed one. */
export interface PrintJob {
  order: Order;
  /** It may be on paper already. */
  repeated: boolean;
  change?: { from: string; to: string; edited: readonly string[] | undefined } | undefined;
  /** Which station prints what of it; for the printers of stations only. */
  parts?: readonly Part[] | undefined;
}

/** The printer of a branch, or of one of its stations. */
export interface BranchPrinter {
  /** The station's name; undefined for a printer of whole orders. */
  station: string | undefined;
  /** Its address, with the station's name before it. */
  label: string;
  /**
   * Prints what there is to print of it, and resolves as `Printer.print` does. `check` is awaited when it is this receipt's turn, and
   * throws where it may not be printed.
   */
  print: (
    job: PrintJob,
    signal: AbortSignal,
    check?: () => Promise<void>,
  ) => Promise<PrinterFailure | "stopped" | "unbegun" | undefined>;
}

interface BranchPrinters {
  stations: readonly Station[];
  printers: readonly BranchPrinter[];
}

/** The opened printers of each branch. */
export type Printers = ReadonlyMap<PrintingBranch, BranchPrinters>;

/** If no station prints everything, all print the amount to collect, so that it is on some paper. */
type PrintingStation = Station & { collects: boolean };

/** Returns undefined for a change that needs no slip. */
function toReceipt({ order, repeated, change }: PrintJob, options: ReceiptOptions): Uint8Array | undefined {
  if (change === undefined) return orderReceipt(order, { ...options, repeated });
  const { from, to, edited } = change;
  if (isOffState(to)) return changeReceipt(order, { ...options, from, to });
  if (edited === undefined) return undefined;
  return orderReceipt(order, { ...options, drawer: false, repeated, edited });
}

/** Returns the receipt of a station, with its copies; undefined if it has no part of the order. */
function toTicket(
  job: PrintJob,
  options: ReceiptOptions,
  { name, everything, copies, collects }: PrintingStation,
): Uint8Array | undefined {
  const part = job.parts?.find((each) => each.station === name);
  if (part === undefined) return undefined;
  const stations = job.parts?.map((each) => each.station) ?? [];
  return toReceipt(job, {
    ...options,
    // The drawer opens at a station that prints everything, otherwise at the first that collects.
    drawer: (everything || (collects && stations[0] === name)) && options.drawer,
    layout: { ...options.layout, copies },
    station: { ...part, name, collects, stations },
  });
}

interface Opened {
  printer: Printer;
  url: string;
  options: ReceiptOptions;
  station: PrintingStation | undefined;
}

function toBranchPrinter({ printer, url, options, station }: Opened): BranchPrinter {
  return {
    station: station?.name,
    label: station === undefined ? url : `${station.name} (${url})`,
    async print(job, signal, check) {
      const receipt = station === undefined ? toReceipt(job, options) : toTicket(job, options, station);
      return receipt === undefined ? undefined : printer.print(receipt, signal, check);
    },
  };
}

/** Opens the printers of each branch. Branches and stations with the same address share one, and wait for each other. */
export async function openPrinters(
  system: System,
  flags: PrintFlags,
  branches: readonly PrintingBranch[],
): Promise<Printers> {
  const shared = new Map<string, Printer>();
  const opened = new Map<PrintingBranch, BranchPrinters>();
  const named = flags.printer === true ? undefined : flags.printer;
  for (const branch of branches) {
    const { settings, output, branchName } = branch;
    const stations = named === undefined ? toStations(settings.stations, settings.profile) : [];
    const isShared = !stations.some(({ everything }) => everything);
    const collecting = stations.map((each) => ({ ...each, collects: isShared || each.everything }));
    const layout = await openLayout(system, layoutPath(flags, settings));

    const printers = (stations.length > 0 ? collecting : [undefined]).map((station) => {
      const given = { ...flags, printer: station?.printer ?? named };
      const { address, ...paper } = neededPrinter(given, settings, system.platform);
      const { url } = address;
      const printer = shared.get(url) ?? new Printer({ address, language: paper.language, system });
      shared.set(url, printer);
      const options = { ...paper, ui: output.ui, branchName, layout };
      return toBranchPrinter({ printer, url, options, station });
    });
    opened.set(branch, { stations, printers });
  }
  return opened;
}
