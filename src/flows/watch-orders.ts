import type { Order } from "../contract/order.ts";

/** What a watch hands on; one line of `-o ndjson`. */
export interface OrderNew {
  event: "order.new";
  /** ISO 8601 with offset. */
  at: string;
  branch: string;
  order: Order;
  /** True when a crash makes it possible that this order was handed on already. */
  repeated: boolean;
}
