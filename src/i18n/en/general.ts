import { type Count, flagOutputs, listCounts, plural, times } from "../../texts/phrases.ts";

/** What stands before the three lines of an error. */
export const errorLabels = { what: "Error:", stopped: "Note:", why: "Why:", next: "Next:", more: "More:" };

/** The last line of an error of a command that would have sent something. */
export const nothingSent: string = "Nothing was sent.";

/** What is said beside the data, on standard error. */
export const notices = {
  stdoutStalled:
    "Standard output is not being read. If the terminal is paused, Ctrl-Q resumes it. Its deliveries stay pending; everything else continues.",
  excludesNobody: (file: string) => `Note: ${file} holds no phone, so it excludes nobody.`,
  askEmpty: "An answer is required; Ctrl-C stops.",
  askTemplate: "Template:",
  askOrder: "Which order?",
  reading: (file: string) => `Reading ${file}`,
  peopleDropped: (people: number, ref: string) =>
    `Warning: ${times(people, "recipient", "recipients")} of an earlier send under "${ref}" ${people === 1 ? "was" : "were"} not messaged and ${people === 1 ? "is" : "are"} not in this file: this send will not message them. \`bpos campaign resume\` would have.`,
  unaccounted: (people: number, all: number, next: string) =>
    `Warning: the service does not account for ${people} of ${times(all, "recipient", "recipients")}: neither added, nor duplicates, nor errors. ${next}`,
  statusNotSent: (id: string, status: string | null, more: number, next: string) =>
    `Warning: ${status === null ? `the answer to campaign ${id} has no status` : `campaign ${id} has the status "${status}", not "sent"`}${more === 0 ? "" : `, and ${more} more ${more === 1 ? "is" : "are"} not "sent" either`}. ${next}`,
  knownNotShown: (why: string) => `Warning: this journal's record of the campaign is not shown. ${why}`,
  headerNotFetched: "The header file is not checked: the service is on this machine or in its network.",
  askTest: (phone: string) => `Send one test message to ${phone} now?`,
  sending: (calls: number, all: number) => `Sending, ${calls} of ${times(all, "call", "calls")}`,
  nothingOpen: "This machine's journal has no pending send: nothing to resume.",
  askSend: (people: number) => `Send to ${times(people, "recipient", "recipients")} now?`,
  askOutside: (people: number, hours: string, until: string) =>
    `For ${times(people, "recipient", "recipients")} it is outside the hours of this profile (${hours}): they wait until ${until}. Send so?`,
  mockUp: (setting: string) => `In another terminal:\n  ${setting}\nCtrl-C stops the mock.`,
  notOpened: (url: string) => `No browser could be opened. Open ${url} in one.`,
};

/** The last line of the terminal while `orders watch` runs. */
const status = {
  one: {
    answering: "answering",
    refused: "refused",
    silent: "no answer",
    awaited: "waiting for the first answer",
    standby: "standing by",
    halted: "journal unreachable",
  },
  lastAnswer: (age: string) => `last answer ${age} ago`,
  lastShort: (age: string) => `${age} ago`,
  nextPoll: (age: string) => `next poll in ${age}`,
  askingNow: "asking now",
  printer: (retry: string | null) => (retry === null ? "printer: retrying" : `printer: retry in ${retry}`),
  waiting: (orders: string) => `${orders} waiting`,
  late: (orders: string, oldest: string) => `${orders} late, the oldest ${oldest}`,
  lateShort: (orders: string) => `${orders} late`,
  branches: (n: Count) => plural(n, "branch", "branches"),
  many: {
    answering: (n: string) => `${n} answering`,
    refused: (n: string) => `${n} refused`,
    silent: (n: string) => `${n} without an answer`,
    awaited: (n: string) => `${n} not heard from yet`,
    standby: (n: string) => `${n} standing by`,
    halted: (n: string) => `${n} without the journal`,
  },
};

/** Times as people read them, of ISO 8601 in this machine's zone. */
export const dates = {
  date: (iso: string) => iso.slice(0, 10),
  time: (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 16)}`,
};

type OwedCounts = Record<"orders" | "changes", Count>;
type OwedBy = Record<"output" | "branch" | "consumer", string>;

const owedWords = (owed: OwedCounts): string =>
  listCounts(
    " and ",
    [owed.orders, "order", "orders"],
    [owed.changes, "change of an order", "changes of orders"],
  );

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
  unread: (state: string, read: string, total: string) =>
    `The service counts ${total} orders in ${state}, but its pages contain ${read}: the others cannot be read. If this persists, report it to the service.`,
  noMoreHere: "No orders on this page.",
  status,
  forget: {
    ask: (owed: OwedCounts, { output, branch, consumer }: OwedBy) =>
      `Give up ${owedWords(owed)} that ${output} has not received (${branch}, consumer "${consumer}")? They will never be delivered to it.`,
    done: (owed: OwedCounts, { output, branch, consumer }: OwedBy) =>
      `Gave up ${owedWords(owed)} that ${output} had not received (${branch}, consumer "${consumer}"). It receives new orders again from its next run.`,
    nothing: ({ output, branch, consumer }: OwedBy) =>
      `Nothing waits for ${output} (${branch}, consumer "${consumer}"). It receives new orders again from its next run.`,
  },
  /** The screen of `orders watch --compact`. */
  compact: {
    branch: "Branch",
    waits: "Waits",
    nothing: "No orders waiting.",
    more: (n: Count) => `+${n.shown} more`,
    today: (n: Count, total: string) => `Today: ${plural(n, "order", "orders")} · ${total}`,
    repeated: "perhaps shown before",
    edited: "edited",
  },
};

/** The kitchen ticket, and the line that says what became of an order. */
export const ticket = {
  order: (id: string) => `Order ${id}`,
  repeated: "May have been shown before: bpos stopped while delivering this order.",
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
  was: (state: string) => `It was ${state}.`,
  /** Of an order that was edited while it was pendiente. */
  edited: {
    title: "CHANGED",
    what: (fields: string) => `Changed: ${fields}`,
    fields: {
      lineas: "items",
      total: "total",
      delivery_type: "pick-up or delivery",
      delivery_address: "address",
      domicilio: "address",
      cliente: "customer",
      pago: "payment",
      costo_envio: "shipping",
    },
  },
};

/** What `orders watch` says beside the orders, on standard error. */
export const watch = {
  watching: (branch: string, every: string, consumer: string) =>
    `Watching ${branch} every ${every} for the consumer "${consumer}". Ctrl-C ends.`,
  nothingNew: (waiting: number, consumer: string) =>
    waiting === 0
      ? "No orders in pendiente."
      : `Nothing new: ${waiting === 1 ? "the order" : `the ${waiting} orders`} in pendiente ${waiting === 1 ? "was" : "were"} delivered to the consumer "${consumer}" before.`,
  refusalBegan: (why: string, limit: string) =>
    `Refused: ${why} It worked before: bpos retries for ${limit}, then stops; the orders wait at the service.`,
  outageBegan: (why: string) => `No answer: ${why} Retrying; the orders wait at the service.`,
  outageEnded: (after: string) => `The service answers again, after ${after}.`,
  givenUp: (why: string) => `Stopped watching this branch: ${why}`,
  watchedAlready: (other: string) => `Same key and address as ${other}: watched once.`,
  outputFailed: (orderId: string, why: string, again: string | null) =>
    `Order ${orderId}: ${why} ${again === null ? "The next run retries." : `Retry in ${again}.`}`,
  printing: (urls: string) => `Printing on ${urls}.`,
  printerFailed: (why: string, seconds: string | null) =>
    `Printer ${why} The orders wait for it. ${seconds === null ? "The next run prints them." : `bpos retries by itself, at least every ${seconds}.`}`,
  printerWorks: "The printer prints again.",
  stationWorks: (station: string) => `The printer of the station ${station} prints again.`,
  station: (name: string) => `the station ${name}`,
  stationsAdopted: (n: number, output: string) =>
    `${n === 1 ? "1 delivery that was pending for" : `${n} deliveries that were pending for`} ${output}, where this watch does not print, ${n === 1 ? "prints" : "print"} where it does.`,
  quarantineFailed: (why: string) => `An order without a usable order_id could not be kept: ${why}`,
  tooDeep: (orderId: string, file: string) =>
    `Order ${orderId} is nested too deep and was not delivered. It is kept in ${file}; report it to the service.`,
  quarantineFull: (folder: string) =>
    `An order that cannot be delivered was not kept: ${folder} holds 1,000 files. Report them to the service and empty it.`,
  numberReused: (orderId: string, createdAt: string, before: string) =>
    `Order ${orderId}, created ${createdAt}, has the number of an order created ${before}: delivered as another order.`,
  firstRunIncomplete: (since: string) =>
    `Orders that left pendiente before the first full scan may not have been delivered. To see them: bpos orders list --status all --all --since ${since}`,
  standingBy: (holder: string, branch: string, consumer: string) =>
    `${holder} watches ${branch} for the consumer "${consumer}"; standing by.`,
  shares: (here: Count, at: readonly (readonly [holder: string, branches: Count])[], others: Count | null) =>
    `${[`${plural(here, "branch", "branches")} here`, ...at.map(([holder, { shown }]) => `${shown} at ${holder}`), ...(others === null ? [] : [`${others.shown} elsewhere`])].join(", ")}.`,
  journalDown: (detail: string) =>
    `The journal cannot be reached (${detail}). Nothing is delivered meanwhile; bpos keeps trying, and the orders wait.`,
  journalOlder:
    "The journal is older than what this machine did with it: it was restored, or its server failed over. Orders created until now that it does not know are delivered marked as repeated.",
  behindSlow: (branches: Count, interval: string, needed: string, made: string) =>
    `The service answers too slowly to poll ${plural(branches, "branch", "branches")} every ${interval}: that takes ${needed} polls at once, and bpos makes at most ${made}.`,
  behindStrict: (branches: Count, interval: string, perSecond: string) =>
    `The service refuses so many requests (429) that bpos cannot poll ${plural(branches, "branch", "branches")} every ${interval}: it takes about ${perSecond} a second.`,
  behindEvery: (every: string) => `Each is polled about every ${every} instead.`,
  onTime: (interval: string) => `Each branch is polled every ${interval} again.`,
  journalBack: (after: string) => `The journal answers again, after ${after}.`,
  journalBusy: "Another process holds the journal; this poll is retried.",
  owed: (owed: OwedCounts, output: string, command: string) =>
    `${owedWords(owed)} ${owed.orders.n + owed.changes.n === 1 ? "waits" : "wait"} for ${output}, which this run leaves out. The next run with it delivers what waits; to give it up: ${command}`,
  unfinished: (orderId: string, output: string) =>
    `Order ${orderId} was being delivered to ${output} when you stopped bpos. The next watch delivers it again, marked as repeated.`,
  quarantined: (file: string) =>
    `An order without a usable order_id is kept in ${file}; report it to the service.`,
  stateRefused: (state: string, why: string) =>
    `Orders in ${state} cannot be listed; the watch continues without them: ${why}`,
  late: (orderId: string, since: string) => `Order ${orderId} has been waiting for ${since}.`,
  manyLate: (orders: Count, limit: string, orderId: string, since: string) =>
    `${plural(orders, "order has", "orders have")} been waiting for more than ${limit}; order ${orderId}, the oldest, for ${since}.`,
  newOrders: (orders: Count) => plural(orders, "new order", "new orders"),
  notifyAbsent: (program: string) =>
    `No desktop notifications: ${program} was not found. ${program === "notify-send" ? "Install it (Debian, Ubuntu: sudo apt install libnotify-bin; Fedora: sudo dnf install libnotify)" : "It is part of the system: check PATH"}, or leave --notify out. The watch continues.`,
  notifyFailed: (program: string, why: string) =>
    `No desktop notification: ${program} failed${why === "" ? "" : ` (${why})`}. It needs a logged-in desktop session; the watch continues without it.`,
  outputs: {
    ...flagOutputs,
    printer: "the printer",
    stdout: "standard output",
  },
};
