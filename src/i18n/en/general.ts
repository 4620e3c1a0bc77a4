import { type Count, plural } from "../phrases.ts";
import { push } from "./catalog.ts";

/** What tables of every kind say. */
export const table = {
  leftOut: (columns: string) =>
    `Not shown for lack of room: ${columns}. A wider window or --json shows them.`,
};

/** What stands before the three lines of an error. */
export const errorLabels = { what: "Error:", stopped: "Note:", why: "Why:", next: "Next:", more: "More:" };

/** The progress line. */
export const progress = {
  left: (time: string) => `${time} left`,
  perSecond: (count: string) => `${count}/s`,
};

/** What is said beside the data, on standard error. */
export const notices = {
  mismatches: (first: string, more: number) =>
    `Note: the service's answer differs from its specification (${first}${more > 0 ? ` and ${more} more` : ""}); shown as it came.`,
  dateRead: (flag: string, text: string, iso: string) =>
    `Note: ${flag} ${text} was read day first, as ${iso}.`,
  request: (line: {
    endpoint: string;
    outcome: string;
    ms: number;
    attempt: number;
    waitMs: number | undefined;
  }) =>
    `${line.endpoint} ${line.outcome} ${line.ms} ms, attempt ${line.attempt}${
      line.waitMs === undefined ? "" : `, again in ${line.waitMs} ms`
    }`,
  sumsDiffer: (batches: number) =>
    `Warning: in ${batches} ${batches === 1 ? "batch" : "batches"} accepted, rejected and stale do not add up to what was sent.`,
  notDeactivated: (products: number) =>
    `Warning: the service refused to deactivate ${products} ${products === 1 ? "product" : "products"} that ${products === 1 ? "is" : "are"} no longer in the file. ${push.notDeactivated}`,
  stdoutStalled:
    "Standard output is not being read. If the terminal is paused, Ctrl-Q resumes it. Its deliveries stay pending; everything else continues.",
  waitingForLock: (pid: number | null, work: "push" | "send" | "watch" | "listen", seconds: number) =>
    `${pid === null ? "Another bpos" : `Process ${pid}`} is ${work === "push" ? "pushing to this branch's catalog" : "at the same work"}. Waiting up to ${seconds} s …`,
  clockSkew: (aheadMs: number) =>
    `Warning: this machine's clock is ${Math.round(Math.abs(aheadMs) / 60_000)} minutes ${aheadMs > 0 ? "ahead of" : "behind"} the service's. Set it: the time of a push decides which price counts.`,
  clockUnknown:
    "Warning: the service does not tell its time, so this machine's clock was not checked. The first batch is sent alone.",
  stampAhead: (hours: number, stamp: string) =>
    `Warning: the last push of this branch carries a stamp ${hours} h ahead of this machine's clock (${stamp}). This push continues from there: until then other machines' prices count as stale.`,
  knownWrong: (gone: readonly string[], unchanged: number) =>
    `Warning: ${
      gone.length === 0
        ? "the service has later data than this machine pushed for some confirmed products"
        : `the service no longer has ${gone.slice(0, 3).join(", ")}${gone.length > 3 ? ` and ${gone.length - 3} more` : ""}, confirmed before`
    }. The ${unchanged} ${unchanged === 1 ? "row" : "rows"} skipped as unchanged may differ too: push the file once without --changed-only.`,
  nothingKnown: (deactivates: boolean) =>
    `Note: no product was confirmed to this machine before: every row is sent${deactivates ? ", and none is deactivated" : ""}.`,
  excludesNobody: (file: string) => `Note: ${file} holds no phone, so nobody is excluded by it.`,
  readingStdin: "Reading standard input; Ctrl-D ends it.",
  collapsed: (rows: number) =>
    `Note: ${rows} ${rows === 1 ? "row repeats" : "rows repeat"} an earlier one exactly and ${rows === 1 ? "is" : "are"} sent once.`,
  retrying: (endpoint: string, outcome: string, seconds: string) =>
    `${endpoint}: ${outcome}. Retrying in ${seconds} s …`,
  askCodes: "Which column holds the code (codigo) of each product?",
  mapUsed: (fields: Readonly<Record<string, string | null>>) =>
    `Columns used: ${Object.entries(fields)
      .flatMap(([field, header]) => (header === null ? [] : [`${field} from "${header}"`]))
      .join(", ")}.`,
  mapNextTime: (pairs: string | undefined, profile: string | undefined) => {
    const ways = [
      ...(pairs === undefined ? [] : [`pass --map "${pairs}"`]),
      profile === undefined
        ? "name a profile with -p and add --save-map"
        : `add --save-map, which keeps it in the profile "${profile}"`,
    ];
    return `To skip this question: ${ways.join(", or ")}.`;
  },
  mapKept: (profile: string) => `The mapping of columns is kept in the profile "${profile}".`,
  reading: (file: string) => `Reading ${file}`,
  pushing: { upsert: "Pushing products", delete: "Deactivating products" },
  peopleDropped: (people: number, ref: string) =>
    `Warning: ${people} ${people === 1 ? "recipient" : "recipients"} of an earlier send under "${ref}" ${people === 1 ? "was" : "were"} not messaged and ${people === 1 ? "is" : "are"} not in this file: this send will not message them. \`bpos campaign resume\` would have.`,
  unaccounted: (people: number, all: number, next: string) =>
    `Warning: the service does not account for ${people} of ${all} ${all === 1 ? "recipient" : "recipients"}: neither added, nor duplicates, nor errors. ${next}`,
  statusNotSent: (id: string, status: string | null, more: number, next: string) =>
    `Warning: ${status === null ? `the answer to campaign ${id} has no status` : `campaign ${id} has the status "${status}", not "sent"`}${more === 0 ? "" : `, and ${more} more ${more === 1 ? "is" : "are"} not "sent" either`}. ${next}`,
  reportElsewhere: (file: string, written: string) =>
    `${file} was changed since bpos wrote it and is kept. The rows left out are in ${written}.`,
  historyNotKept: (detail: string) =>
    `Warning: the report could not be kept in the journal (${detail}): the history will be incomplete.`,
  knownNotShown: (why: string) => `Warning: this machine's record of the campaign is not shown. ${why}`,
  headerNotFetched: "The header file is not checked: the service is on this machine or in its network.",
  askTest: (phone: string) => `Send one test message to ${phone} now?`,
  sending: (calls: number, all: number) => `Sending, ${calls} of ${all} ${all === 1 ? "call" : "calls"}`,
  nothingOpen: "No send is pending: nothing to resume.",
  askSend: (people: number) => `Send to ${people} ${people === 1 ? "recipient" : "recipients"} now?`,
  worldNotKept: (file: string) =>
    `Note: ${file} cannot be written, so the mock's world ends with this command.`,
  mockUp: (baseUrl: string, key: string) =>
    `The mock is running. In another terminal:\n  BPOS_BASE_URL=${baseUrl} BPOS_CAMPAIGNS_URL=${baseUrl}/messaging BPOS_API_KEY=${key} bpos orders list\nCtrl-C stops it.`,
};

/** What `bpos mock order|reply|advance|fault|reset|log` say. */
export const mock = {
  placed: (count: Count, ids: string) => `Placed ${plural(count, "order", "orders")}: ${ids}.`,
  replied: (phone: string, text: string, campaignId: string) =>
    `${phone} replied "${text}" to ${campaignId}.`,
  advanced: (now: string) => `The mock's clock says ${now}.`,
  reset: (scenario: string) => `The mock was reset: scenario ${scenario}.`,
  faultAdded: (rule: string) => `Fault added: ${rule}.`,
  faultsCleared: "No active faults.",
  faultsTitle: "Active faults",
  faults: { rule: "Rule", times: "Times", rate: "Rate", fired: "Fired" },
};

/** The narration of `bpos demo`. */
export const demo = {
  title: "A tour of bpos against its embedded mock. Nothing here is real.",
  push: "1. Push a price list as a spreadsheet wrote it. Bad rows are listed, the rest is sent.",
  list: "2. List the orders in pendiente. Their lines carry the shop's own codes.",
  watch: "3. A customer orders. The watch delivers the order, once.",
  send: "4. Send a template to the customers in a CSV file. Invalid rows are listed with the reason.",
  again: "5. The same file again: nobody is messaged twice.",
  status: "6. Five minutes later: the status.",
  end: "All of it went over HTTP. Next: `bpos mock` keeps a mock running, `bpos --help` shows every command.",
};
