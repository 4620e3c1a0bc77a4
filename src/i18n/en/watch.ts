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
