import { type Count, plural } from "../phrases.ts";
import { push } from "./catalog.ts";

/** What tables of every kind say. */
export const table = {
  leftOut: (columns: string) =>
    `Not shown for lack of room: ${columns}. A wider window or --json shows them.`,
};

/** What stands before the three lines of an error. */
export const errorLabels = {
  what: "Error:",
  stopped: "Note:",
  why: "Why:",
  next: "Next:",
  more: "More:",
};

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
    "Nobody reads standard output. Is the terminal paused? Ctrl-Q resumes it. What is meant for it stays pending; everything else goes on.",
  waitingForLock: (pid: number | null, work: "push" | "send" | "watch" | "listen", seconds: number) =>
    `${pid === null ? "Another bpos" : `Process ${pid}`} is ${work === "push" ? "pushing to this branch's catalog" : "at the same work"}. Waiting for it, ${seconds} s at most …`,
  clockSkew: (aheadMs: number) =>
    `Warning: this machine's clock is ${Math.round(Math.abs(aheadMs) / 60_000)} minutes ${aheadMs > 0 ? "ahead of" : "behind"} the service's. Set it: the time of a push decides which price counts.`,
  clockUnknown:
    "Warning: the service does not tell its time, so this machine's clock cannot be compared with it. The first batch goes out alone.",
  stampAhead: (hours: number, stamp: string) =>
    `Warning: the last push of this branch carries a stamp ${hours} h ahead of this machine's clock (${stamp}). The stamps of this push follow it: until then other machines' prices count as stale.`,
  knownWrong: (gone: readonly string[], unchanged: number) =>
    `Warning: ${
      gone.length === 0
        ? "the service has later data than this machine pushed for products that bpos knew as confirmed"
        : `the service no longer has ${gone.slice(0, 3).join(", ")}${gone.length > 3 ? ` and ${gone.length - 3} more` : ""}, which bpos knew as confirmed`
    }. The ${unchanged} ${unchanged === 1 ? "row" : "rows"} left out as unchanged may differ there too: push the file once without --changed-only.`,
  nothingKnown: (deactivates: boolean) =>
    `Note: this machine does not know yet which products the service has: every row is sent${deactivates ? ", and none is deactivated" : ""}. From now on it keeps what the service confirms.`,
  excludesNobody: (file: string) => `Note: ${file} holds no phone, so nobody is excluded by it.`,
  readingStdin: "Reading standard input; Ctrl-D ends it.",
  collapsed: (rows: number) =>
    `Note: ${rows} ${rows === 1 ? "row repeats" : "rows repeat"} an earlier one exactly and ${rows === 1 ? "is" : "are"} sent once.`,
  retrying: (endpoint: string, outcome: string, seconds: string) =>
    `${endpoint}: ${outcome}. Trying again in ${seconds} s …`,
  askCodes: "Which column holds the code (codigo) of each product?",
  mapUsed: (fields: Readonly<Record<string, string | null>>) =>
    `Columns used: ${Object.entries(fields)
      .flatMap(([field, header]) => (header === null ? [] : [`${field} from "${header}"`]))
      .join(", ")}.`,
  mapNextTime: (pairs: string | undefined, profile: string | undefined) => {
    const ways = [
      ...(pairs === undefined ? [] : [`say --map "${pairs}"`]),
      profile === undefined
        ? "name a profile with -p and add --save-map"
        : `add --save-map, which keeps it in the profile "${profile}"`,
    ];
    return `To be asked no more: ${ways.join(", or ")}.`;
  },
  mapKept: (profile: string) => `The mapping of columns is kept in the profile "${profile}".`,
  reading: (file: string) => `Reading ${file}`,
  pushing: { upsert: "Pushing products", delete: "Deactivating products" },
  peopleDropped: (people: number, ref: string) =>
    `Warning: ${people} ${people === 1 ? "person" : "people"} of an earlier send under "${ref}" never got it and ${people === 1 ? "is" : "are"} not in this file: this send forgets them. \`bpos campaign resume\` would have reached them.`,
  unaccounted: (people: number, all: number, next: string) =>
    `Warning: the service does not account for ${people} of ${all} ${all === 1 ? "person" : "people"}: its answer counts them neither as added, nor as duplicates, nor as errors. ${next}`,
  statusNotSent: (id: string, status: string | null, more: number, next: string) =>
    `Warning: ${status === null ? `the answer to campaign ${id} has no status` : `campaign ${id} has the status "${status}", not "sent"`}${more === 0 ? "" : `, and ${more} more ${more === 1 ? "is" : "are"} not "sent" either`}. ${next}`,
  reportElsewhere: (file: string, written: string) =>
    `${file} is not as bpos wrote it, so it stays as it is. The rows that were left out are in ${written}.`,
  historyNotKept: (detail: string) =>
    `Warning: the report could not be kept in the journal (${detail}): the history will not show all of it.`,
  knownNotShown: (why: string) => `Warning: what this machine knows of the campaign is not shown. ${why}`,
  headerNotFetched: "The header file is not fetched: the service is on this machine or in its network.",
  askTest: (phone: string) => `Send one test message to ${phone} now?`,
  sending: (calls: number, all: number) => `Sending, ${calls} of ${all} ${all === 1 ? "call" : "calls"}`,
  nothingOpen: "No send is open: there is nothing to resume.",
  askSend: (people: number) => `Send to ${people} ${people === 1 ? "person" : "people"} now?`,
  worldNotKept: (file: string) =>
    `Note: ${file} cannot be written, so the mock's world ends with this command.`,
  mockUp: (baseUrl: string, key: string) =>
    `The mock listens. In another terminal:\n  BPOS_BASE_URL=${baseUrl} BPOS_CAMPAIGNS_URL=${baseUrl}/messaging BPOS_API_KEY=${key} bpos orders list\nCtrl-C stops it.`,
};

/** What `bpos mock order|reply|advance|fault|reset|log` say. */
export const mock = {
  placed: (count: Count, ids: string) => `Placed ${plural(count, "order", "orders")}: ${ids}.`,
  replied: (phone: string, text: string, campaignId: string) =>
    `${phone} replied "${text}" to ${campaignId}.`,
  advanced: (now: string) => `The mock's clock says ${now}.`,
  reset: (scenario: string) => `The mock starts again: scenario ${scenario}.`,
  faultAdded: (rule: string) => `Armed: ${rule}.`,
  faultsCleared: "No faults are armed.",
  faultsTitle: "Armed faults",
  faults: { rule: "Rule", times: "Times", rate: "Rate", fired: "Fired" },
};

/** The narration of `bpos demo`. */
export const demo = {
  title: "A tour of bpos, against the mock that it carries inside. Nothing here is real.",
  push: "1. The shop's price list, as its spreadsheet wrote it. Bad rows are named, the rest is sent.",
  list: "2. The orders that wait. Their lines carry the shop's own codes.",
  watch: "3. A customer orders. The watch hands the order on, once.",
  send: "4. A template to the customers of a CSV file. Whoever cannot be reached is listed with the reason.",
  again: "5. The same file again: nobody is messaged twice.",
  status: "6. Five minutes later: what became of it.",
  end: "That was all of it over HTTP. Next: `bpos mock` keeps a mock running, `bpos --help` shows every command.",
};
