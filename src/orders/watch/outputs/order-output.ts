import { usableOrderId } from "../../../api/pages.ts";
import type { Order } from "../../../contract/order.ts";
import type { Output } from "../../../delivery/queue.ts";
import type { BposError } from "../../../errors.ts";
import type { WatchOutput } from "../../../journal/records/orders.ts";
import type { Part } from "../../../printing/printing.ts";
import type { OrderChanged, OrderNew, OutputName } from "../events.ts";

/** A new order, or a change of one, as an output gets it; `orderKey` and `branchId` as the journal has them. */
export interface OrderDelivery {
  event: OrderNew | OrderChanged;
  order: Order;
  orderKey: string;
  branchId: string;
  /** This output may have it already. */
  repeated?: boolean;
  /** The lines that each station prints; only for the printer of a station. */
  parts?: readonly Part[];
}

/** Returns the order's number, empty where it has no usable one. */
export const readId = (order: Order): string => usableOrderId(order) ?? "";

export interface OrderOutput extends Output<OrderDelivery, BposError>, Pick<WatchOutput, "changes"> {
  /** The journal keeps its pending orders under this name: another command or printer with the same flag takes them over. */
  name: OutputName;
  /** The name of the station, for the printer of one. */
  station?: string;
  /** A failure ends the watch, once the other outputs have received their pending orders: a retry would not help. */
  failureEnds?: boolean;
}
