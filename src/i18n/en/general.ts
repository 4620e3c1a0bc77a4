import { times } from "../../texts/phrases.ts";

/** What is said beside the data, on standard error. */
export const notices = {
  excludesNobody: (file: string) => `Note: ${file} holds no phone, so it excludes nobody.`,
  askTemplate: "Template:",
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

/** Times as people read them, of ISO 8601 in this machine's zone. */
export const dates = {
  date: (iso: string) => iso.slice(0, 10),
  time: (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 16)}`,
};
