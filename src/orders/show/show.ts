import type { Client } from "../../api/client.ts";
import { orderIdText } from "../../api/pages.ts";
import { createdTime, shown } from "../../cli/display/format.ts";
import { customerName } from "../../cli/display/order-facts.ts";
import { mayAsk } from "../../cli/display/output.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { needsFlag, onlyGiven } from "../../cli/line/flags.ts";
import type { Runtime } from "../../cli/runtime.ts";
import { type Session, withSession } from "../../cli/session/session.ts";
import { orderStates } from "../../contract/limits.ts";
import type { Order } from "../../contract/order.ts";
import { BposError } from "../../errors.ts";
import { openPrinters, type Part, readStationMap, StationRouter } from "../../printing/printing.ts";
import { checkOrderId, findOrder } from "../find-order.ts";
import { listOrders } from "../list-orders.ts";
import { orderTicket } from "../ticket.ts";
import type { ShowFlags } from "./command.ts";

export async function show(runtime: Runtime, id: string | undefined, flags: ShowFlags): Promise<void> {
  checkFlags(runtime, id, flags);

  const needs = { address: "base_url", formats: ["table", "json", "ndjson"] } as const;
  await withSession(runtime, needs, async (session) => {
    const { client, output } = session;
    const print = flags.print === true ? await openPrinter(runtime, session, flags) : undefined;

    const orderId = id ?? (await chooseOrder(runtime, client, output.errorUi));
    checkOrderId(orderId);
    const order = await findOrder(client, orderId, runtime.signal);

    if (output.format === "table") await output.data(orderTicket(order, output.ui));
    else await output.document(order);
    await print?.(order);
  });
}

/** The number of orders that a person can choose from. */
const maxChoices = 20;

function checkFlags(runtime: Runtime, id: string | undefined, flags: ShowFlags): void {
  const { print, printerLanguage, stationMap, ...ofPrinter } = flags;
  const [lost] = Object.keys(
    onlyGiven({ ...ofPrinter, "printer-language": printerLanguage, "station-map": stationMap }),
  );
  if (print !== true && lost !== undefined) throw needsFlag(`--${lost}`, "--print");

  if (id !== undefined) checkOrderId(id);
  else if (!mayAsk(runtime)) {
    const problem = { kind: "argument_missing", argument: "id", command: "bpos orders show" } as const;
    throw new BposError("usage_flag", { problem });
  }
}

/** Returns the id that a person chooses from the first orders, or types. */
async function chooseOrder(runtime: Runtime, client: Client, ui: Ui): Promise<string> {
  const values: { value: string; note: string }[] = [];
  const first = { states: orderStates, limit: maxChoices };
  for await (const { response } of listOrders(client, first, runtime.signal))
    for (const order of response.orders) {
      const about = [createdTime(order, ui), customerName(order, ui.texts), shown(order.status)];
      const value = orderIdText(order);
      if (value !== undefined) values.push({ value, note: about.join(" · ") });
    }

  const { askValue } = await import("../../cli/line/ask.ts");
  return askValue(runtime, ui.texts.t("Which order?"), { values });
}

/**
 * Returns a function that prints an order, at the stations of the profile where no other printer is named. Throws `usage_flag` without a
 * printer, before the service is asked anything.
 */
async function openPrinter(
  { system, signal }: Runtime,
  session: Session,
  flags: ShowFlags,
): Promise<(order: Order) => Promise<void>> {
  const { output } = session;
  const opened = await openPrinters(system, flags, [session]);
  const { stations = [], printers = [] } = opened.get(session) ?? {};
  const { stationMap } = flags;
  const map = stationMap && (await readStationMap(system, stationMap, output, [stations]));
  const planParts = async (order: Order): Promise<Part[]> => {
    const { journal, branch } = await session.openJournal();
    const router = new StationRouter(stations, { map: map || undefined, branchId: () => branch });
    return router.plan(journal, order);
  };

  return async (order) => {
    const parts = stations.length > 0 ? await planParts(order) : [];
    const failures: BposError[] = [];
    for (const { station, label: url, print } of printers) {
      if (station !== undefined && !parts.some((part) => part.station === station)) continue;
      // A watch may have printed it already, here or elsewhere: without the mark, the kitchen would cook it twice.
      const failure = await print({ order, repeated: true, parts }, signal);
      if (typeof failure === "string") throw new BposError("interrupted", { during: "printing" });
      if (failure !== undefined) failures.push(failure);
      else {
        const facts = { id: shown(order.order_id), url };
        await output.notice(output.texts.t("Order {id} was sent to {url}.", facts));
      }
    }
    if (failures[0] !== undefined) throw failures[0];
  };
}
