import { type Count, plural } from "../phrases.ts";

/** The last line of the terminal while `orders watch` runs. */
const status = {
  one: {
    answering: "answering",
    refused: "refused",
    silent: "no answer",
    awaited: "waiting for the first answer",
  },
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
  noName: "A customer",
  pickUp: "pick-up",
  delivery: "delivery",
  paidOnline: "PAID ONLINE",
  paid: "PAID",
  everything: (total: Count) => `${plural(total, "order", "orders")}.`,
  some: (shown: Count, total: Count) => `${shown.shown} of ${plural(total, "order", "orders")} shown.`,
  someOfMore: (shown: Count) => `${plural(shown, "order", "orders")} shown; there are more.`,
  nextPage: (page: number) => `--page ${page} shows the next page, --all every page.`,
  noMoreHere: "No orders on this page.",
  status,
};

/** The kitchen ticket, and the line that says what became of an order. */
export const ticket = {
  order: (id: string) => `Order ${id}`,
  repeated: "Perhaps shown before: bpos stopped while delivering this order.",
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

/** What `orders watch` says beside the orders, on standard error. */
export const watch = {
  watching: (branch: string, every: string, consumer: string) =>
    `Watching ${branch} every ${every} for the consumer "${consumer}". Ctrl-C ends.`,
  nothingNew: (waiting: number, consumer: string) =>
    waiting === 0
      ? "No order is pendiente."
      : `Nothing new: ${waiting === 1 ? "the order" : `the ${waiting} orders`} in pendiente ${waiting === 1 ? "was" : "were"} delivered to the consumer "${consumer}" before.`,
  outageBegan: (why: string) => `No answer: ${why} Retrying; the orders wait at the service.`,
  outageEnded: (after: string) => `The service answers again, after ${after}.`,
  givenUp: (why: string) => `Stopped watching this branch: ${why}`,
  watchedAlready: (other: string) => `Same key and address as ${other}: watched once.`,
  outputFailed: (orderId: string, why: string, again: string | null) =>
    `Order ${orderId}: ${why} ${again === null ? "The next run retries." : `Retry in ${again}.`}`,
  quarantineFailed: (why: string) => `An order without a usable order_id could not be kept: ${why}`,
  tooDeep: (orderId: string, file: string) =>
    `Order ${orderId} is nested too deep and was not delivered. It is kept in ${file}; report it to the service.`,
  quarantineFull: (folder: string) =>
    `An order that cannot be delivered was not kept: ${folder} holds 1,000. Report them to the service and empty it.`,
  numberReused: (orderId: string, createdAt: string, before: string) =>
    `Order ${orderId}, created ${createdAt}, has the number of an order created ${before}: delivered as another order.`,
  firstRunIncomplete: (since: string) =>
    `Orders that left pendiente before the first full scan may not have been delivered. To see them: bpos orders list --status all --all --since ${since}`,
  journalBusy: "Another process holds the journal; this poll is retried.",
  unfinished: (orderId: string, output: string) =>
    `Order ${orderId} was being delivered to ${output} when you stopped. The next watch delivers it again, marked as repeated.`,
  quarantined: (file: string) =>
    `An order without a usable order_id is kept in ${file}; report it to the service.`,
  stateRefused: (state: string, why: string) =>
    `Orders in ${state} cannot be listed, the watch continues without them: ${why}`,
  outputs: { "out-dir": "--out-dir", exec: "--exec", stdout: "standard output" },
};
