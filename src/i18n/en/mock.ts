import { type Count, plural } from "../../texts/phrases.ts";

/** What `bpos mock` and its commands say. */
export const mock = {
  running: (scenario: string) => `The service on this machine, scenario ${scenario}`,
  addresses: { console: "Console", orders: "Orders and catalog", campaigns: "Campaigns", keys: "Keys" },
  moreKeys: (more: number) => `and ${more} more: bpos mock -o json`,
  requests: "Requests",
  placed: (count: Count, ids: string) => `Placed ${plural(count, "order", "orders")}: ${ids}.`,
  replied: (phone: string, text: string, campaignId: string) =>
    `${phone} replied "${text}" to ${campaignId}.`,
  unheard:
    "Nobody received the reply: no webhook is set on this mock. `bpos campaign listen` prints its address; pass it to `bpos mock webhook URL`.",
  advanced: (now: string) => `The mock's clock says ${now}.`,
  reset: (scenario: string) => `The mock was reset: scenario ${scenario}.`,
  faultAdded: (rule: string) => `Fault added: ${rule}.`,
  faultsCleared: "No active faults.",
  faultsTitle: "Active faults",
  moved: (id: string, status: string) => `Order ${id} is now ${status}.`,
  /** Without a speed it stands. */
  clock: (now: string, speed: string | null) =>
    speed === null
      ? `The mock's clock is frozen at ${now}.`
      : `The mock's clock says ${now}, at speed ${speed}.`,
  webhook: (url: string) => `Replies are posted to ${url}.`,
  noWebhook: "No webhook is set: replies are not posted.",
  exported: (file: string, now: string) => `Exported the world of ${now} to ${file}.`,
  imported: (scenario: string, now: string) =>
    `Imported: the mock continues from ${now}, scenario ${scenario}.`,
  templates: {
    title: "Templates",
    name: "Name",
    state: "State",
    languages: "Languages",
    header: "Header",
    params: "Params",
    id: "Id",
    body: "Text",
    states: { approved: "approved", pending: "pending", rejected: "rejected" },
    headers: { none: "none", image: "image", video: "video", document: "document" },
  },
  faults: { id: "Id", rule: "Rule", times: "Times", rate: "Rate", fired: "Fired" },
};

/** The narration of `bpos demo`. */
export const demo = {
  title: "A shop's day with bpos, against a mock: nothing here is real.",
  follow: "To join in from another terminal:",
  thanks: "Thanks, on my way",
  scenes: {
    push: "Morning: the price list goes up. One row is wrong: bpos reports its line and sends the others.",
    prices: "A price goes up and the row is corrected: only those two rows are sent.",
    order: "A customer orders. The watch delivers the order, once, as a ticket.",
    noon: "Noon: more orders come in, one line each. The list shows every waiting order.",
    cancel: "A customer cancels. The next poll says so, before anybody cooks.",
    outage: "The service is down for a moment while an order comes in. bpos retries: the order is not lost.",
    send: "Orders are ready: a message to each customer of the file. bpos reports a bad phone; the others get theirs.",
    again: "Somebody sends the same file again: nobody is messaged twice.",
    reply: "Five minutes later a customer replies. Who got the message, read it, answered?",
  },
  live: "Evening: orders come in live, here and on the console, where you can place your own:",
  end: "That was the day. Next: `bpos mock` runs a mock with its console, `bpos --help` shows every command.",
  next: "Enter: next scene · Ctrl-C: end",
  more: "Enter: more · Ctrl-C: end",
  leave: "Enter: end",
};
