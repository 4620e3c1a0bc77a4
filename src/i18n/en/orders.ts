import { type Count, plural } from "../phrases.ts";

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

/** What `orders watch` says beside the orders, on standard error. */
export const watch = {
  watching: (branch: string, every: string, consumer: string) =>
    `Watching ${branch} every ${every} for the consumer "${consumer}". Ctrl-C ends.`,
  watchingMany: (branches: number, every: string, consumer: string) =>
    `Watching ${branches} branches every ${every} for the consumer "${consumer}". Ctrl-C ends.`,
  nothingNew: (waiting: number, consumer: string) =>
    waiting === 0
      ? "No order is pendiente."
      : `Nothing new: the consumer "${consumer}" has ${waiting === 1 ? "the order that is" : `the ${waiting} orders that are`} pendiente. --consumer NAME begins with a memory of its own.`,
  outageBegan: (why: string) => `No answer: ${why} Still trying; the orders wait at the service.`,
  outageEnded: (after: string) => `The service answers again, after ${after}.`,
  givenUp: (why: string) => `This branch is watched no more: ${why}`,
  watchedAlready: (other: string) => `It has the key and the address of ${other}: watched once.`,
  outputFailed: (orderId: string, why: string, again: string | null) =>
    `Order ${orderId}: ${why} ${again === null ? "The next run tries again." : `Next try in ${again}.`}`,
  changeFailed: (orderId: string, why: string, again: string | null) =>
    `The change of order ${orderId}: ${why} ${again === null ? "The next run tries again." : `Next try in ${again}.`}`,
  quarantineFailed: (why: string) => `An order without a usable order_id came, and could not be kept: ${why}`,
  tooDeep: (orderId: string, file: string) =>
    `Order ${orderId} is nested too deep to be read, and is not delivered. It is kept in ${file}; look at it, and tell the service.`,
  quarantineFull: (folder: string) =>
    `An order that cannot be delivered came, and is not kept: ${folder} holds 1,000 of them. Look at them, tell the service, and empty it.`,
  numberReused: (orderId: string, createdAt: string, before: string) =>
    `Order ${orderId}, created ${createdAt}, has the number of an order created ${before}. It is delivered as another order.`,
  firstRunIncomplete: (since: string) =>
    `Orders that left pendiente before all of it was read for the first time may not have been delivered. To see them: bpos orders list --status all --all --since ${since}`,
  journalBusy: "Another process has held the journal for long; this poll is made again.",
  unfinished: (orderId: string, output: string) =>
    `Order ${orderId} was at ${output} when you stopped; it may be done. The next watch hands it on again, marked as repeated.`,
  quarantined: (file: string) =>
    `An order without a usable order_id came. It is kept in ${file}; look at it, and tell the service.`,
  stateRefused: (state: string, why: string) =>
    `Orders in ${state} cannot be listed, the watch goes on without them: ${why}`,
  outputs: { "out-dir": "--out-dir", exec: "--exec", stdout: "standard output" },
};
