import { type Count, plural } from "../plural.ts";

/** Orders: the list, the ticket and the watch. */
export const orders = {
  title: (states: string) => `Orders · ${states}`,
  none: (states: string) => `No orders in ${states}.`,
  columns: {
    id: "Order",
    created: "Created",
    age: "Age",
    state: "State",
    delivery: "Delivery",
    customer: "Customer",
    items: "Items",
    collect: "To collect",
    total: "Total",
  },
  /** A customer who gave no name. */
  noName: "No name",
  pickUp: "pick-up",
  delivery: "delivery",
  paidOnline: "PAID ONLINE",
  paid: "PAID",
  everything: (total: Count) => `${plural(total, "order", "orders")}.`,
  some: (shown: Count, total: Count) => `${shown.shown} of ${plural(total, "order", "orders")} shown.`,
  someOfMore: (shown: Count) => `${plural(shown, "order", "orders")} shown; there are more.`,
  nextPage: (page: number) => `--page ${page} shows the next ones, --all shows every one.`,
  allOfThem: "--all shows every one.",
  notAllRead: "The service says so; the pages that came held no others.",
  noMoreHere: "No orders on this page.",
};

/** The kitchen ticket. */
export const ticket = {
  order: (id: string) => `Order ${id}`,
  ago: (age: string) => `${age} ago`,
  repeated: "Perhaps shown before: bpos stopped while handing this order on.",
  phone: "Phone",
  address: "Address",
  reference: "Note",
  pickUp: "PICK-UP",
  delivery: "DELIVERY",
  noLines: "No items.",
  each: (price: string) => `${price} each`,
  shipping: "Shipping (included in total)",
  total: "Total",
  collect: "TO COLLECT",
  nothingToCollect: "PAID ONLINE · nothing to collect",
  paid: "PAID · nothing to collect",
  onlineUnpaid: "Online payment, not paid yet",
};
