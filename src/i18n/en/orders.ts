import { type Count, plural } from "../plural.ts";

/** The last line of the terminal while `orders watch` runs. */
const status = {
  answering: "answering",
  refused: "refused",
  firstAwaited: "waiting for the first answer",
  noAnswer: "no answer",
  noAnswerFor: (age: string) => `no answer for ${age}`,
  lastAnswer: (age: string) => `last answer ${age} ago`,
  nextPoll: (age: string) => `next poll in ${age}`,
  askingNow: "asking now",
  waiting: (orders: string) => `${orders} waiting`,
  branches: (n: Count) => plural(n, "branch", "branches"),
  many: {
    answering: (n: string) => `${n} answering`,
    refused: (n: string) => `${n} refused`,
    silent: (n: string) => `${n} without an answer`,
    awaited: (n: string) => `${n} not heard from yet`,
  },
};

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
  /** A customer who gave no name; Spanish in every language, since it is the counter's own word. */
  noName: "A customer",
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
  status,
};

/** The kitchen ticket, and the line that says what became of an order. */
export const ticket = {
  order: (id: string) => `Order ${id}`,
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
  changed: (id: string, from: string, to: string) => `Order ${id}: ${from} → ${to}`,
};
