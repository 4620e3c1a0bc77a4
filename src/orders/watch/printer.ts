import { layoutPath, neededPrinter } from "../../cli/line/printer-flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import type { Session } from "../../cli/session/session.ts";
import { isOffState } from "../../contract/limits.ts";
import { type BposError, isReason } from "../../errors.ts";
import { Printer } from "../../printing/printer.ts";
import { type Station, toStations } from "../../settings/stations.ts";
import { openLayout } from "../show/layout.ts";
import { changeReceipt, orderReceipt, type ReceiptOptions } from "../show/receipt.ts";
import type { WatchFlags } from "./command.ts";
import type { OrderDelivery, OrderOutput } from "./polling/context.ts";
import { toOutput } from "./stations.ts";

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

/** What a station prints of an order, in as many copies as it wants; undefined where it has no part of it. */
function toTicket(
  item: OrderDelivery,
  options: ReceiptOptions,
  { name, everything, copies, collects }: PrintingStation,
): Uint8Array | undefined {
  const part = item.parts?.find((each) => each.station === name);
  if (part === undefined) return undefined;
  const stations = item.parts?.map((each) => each.station) ?? [];
  return toReceipt(item, {
    ...options,
    // The drawer is where the money is; where that is nowhere in particular, at the first.
    drawer: (everything || (collects && stations[0] === name)) && options.drawer,
    layout: { ...options.layout, copies },
    station: { ...part, name, collects, stations },
  });
}

/** All collect where none prints everything: what to collect is on some paper. */
type PrintingStation = Station & { collects: boolean };

interface Printing {
  printer: Printer;
  options: ReceiptOptions;
  station: PrintingStation | undefined;
  sleep: Runtime["system"]["clock"]["sleep"];
}

function printerOutput(
  { printer, options, station, sleep }: Printing,
  check: () => Promise<void>,
): OrderOutput {
  return {
    ...(station === undefined
      ? { name: "printer" }
      : { name: toOutput(station.name), station: station.name }),
    changes: "off",
    mayHave,
    isDown,
    retry: {
      sleep,
      backoff: (failure) => ({ firstMs, maxMs: mayHave(failure) ? maybeMs : downMs }),
    },
    async deliver(item, signal) {
      const receipt = station === undefined ? toReceipt(item, options) : toTicket(item, options, station);
      return receipt === undefined ? undefined : printer.print(receipt, signal, check);
    },
  };
}

export type Printers = Awaited<ReturnType<typeof openPrinters>>;

/**
 * The printers of each branch: that of the flag, else its stations, else the one of its profile. Throws `usage_flag` where there is none, and what
 * `openLayout` throws.
 */
export async function openPrinters({ system }: Runtime, flags: WatchFlags, sessions: readonly Session[]) {
  // Branches, and stations, that share a printer wait for one another.
  const printers = new Map<string, Printer>();
  const outputs = new Map<Session, { stations: readonly Station[]; printing: readonly Printing[] }>();
  const shown = new Set<string>();
  const named = flags.printer === true ? undefined : flags.printer;
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> => system.clock.sleep(ms, signal);
  for (const session of sessions) {
    const { settings, output, branchName } = session;
    const stations = named === undefined ? toStations(settings.stations, settings.profile) : [];
    const isShared = !stations.some(({ everything }) => everything);
    const collecting = stations.map((each) => ({ ...each, collects: isShared || each.everything }));
    const all = stations.length > 0 ? collecting : [undefined];
    const layout = await openLayout(system, layoutPath(flags, settings));
    const printing = all.map((station): Printing => {
      const { address, ...paper } = neededPrinter(
        { ...flags, printer: station?.printer ?? named },
        settings,
        system.platform,
      );
      const { url } = address;
      const printer = printers.get(url) ?? new Printer({ address, language: paper.language, system });
      printers.set(url, printer);
      shown.add(station === undefined ? url : `${station.name} (${url})`);
      const options = { ...paper, ui: output.ui, branch: branchName, layout };
      return { printer, options, station, sleep };
    });
    outputs.set(session, { stations, printing });
  }
  return {
    shown: [...shown],
    stationsOf: (session: Session): readonly Station[] => outputs.get(session)?.stations ?? [],
    /** @param check is awaited when it is this receipt's turn, and throws where it may not be printed. */
    of: (session: Session, check: () => Promise<void>): OrderOutput[] =>
      (outputs.get(session)?.printing ?? []).map((each) => printerOutput(each, check)),
  };
}
