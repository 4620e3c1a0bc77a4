import { type Count, plural } from "../plural.ts";
import { shellWord } from "../shell-word.ts";

const people = (count: Count): string => plural(count, "person", "people");

/** The preview and the report of a campaign send. */
export const send = {
  previewTitle: "Campaign send",
  dryRunTitle: "Campaign send · dry run",
  reportTitle: "Campaign send",
  testTitle: "Campaign send · test",
  testDryRunTitle: "Campaign send · test · dry run",
  live: "LIVE",
  labels: {
    mode: "Mode",
    branch: "Branch",
    template: "Template",
    language: "Language",
    variables: "Variables",
    test: "Test",
    ref: "Reference",
    header: "Header file",
    sendId: "Send",
  },
  anyLanguage: "the template's only one",
  wouldSend: (count: Count, calls: Count) =>
    `${people(count)} would be messaged, in ${plural(calls, "call", "calls")}.`,
  test: (phone: string) => `one message to ${phone}`,
  wouldTest: (phone: string) => `One message would go to ${phone}, and to nobody else.`,
  /** Which column of the file fills each variable of the template. */
  variable: (name: string, at: number) => `{{${at + 1}}} ${name}`,
  noVariables: "none",
  nobody: "Nobody would be messaged.",
  counts: {
    read: "Rows read",
    planned: "Planned",
    added: "Messaged",
    duplicates: "Twice in the file",
    invalid: "Not usable",
    excluded: "Excluded",
    already_sent: "Sent before",
    service_duplicates: "Duplicates, by the service's count",
  },
  columns: { what: "", count: "People" },
  firstTitle: "The first recipients",
  testFirstTitle: "The message",
  first: { phone: "Phone", params: "Variables" },
  outcome: {
    sent: (count: Count) => `Sent: the service took ${people(count)}.`,
    replayed: "REPLAYED: this send had gone out before. Nothing went out now, nobody was messaged again.",
    partial: "Sent in part: the calls below went out, the others did not.",
    refused: "Refused: the service sent nothing.",
    unknown:
      "Unknown: whether a call arrived is not known. Resuming tries it again with the same key, so nobody is messaged twice.",
    nothing: "Nothing was sent.",
  },
  /** Of a send whose answers leave open what became of it. */
  doubtful: {
    people: (known: Count, all: Count) =>
      `Sent in part: the service accounts for ${known.shown} of ${people(all)}.`,
    status: (status: string | null) =>
      status === null
        ? "Not confirmed: the service gave no status."
        : `Not confirmed: the campaign has the status "${status}", not "sent".`,
  },
  notKept: (count: Count) =>
    `The service took ${people(count)}, but the journal could not keep its last answer. Resuming tries that call again with the same key, so nobody is messaged twice.`,
  /** What of a send stayed here. */
  unsent: (calls: Count, count: Count) =>
    `${plural(calls, "call", "calls")} to ${people(count)} did not go out.`,
  gaveUp: "It stopped on purpose: three calls in a row got no answer.",
  resume: (ref: string) => `bpos campaign resume ${shellWord(ref)} goes on with it.`,
  dryRun: "Nothing was sent.",
  replayedAt: (at: string, age: string) => `It went out at ${at}, ${age} ago.`,
  replayedCalls: (count: Count, all: Count) =>
    `REPLAYED: ${count.shown} of ${plural(all, "call", "calls")} had reached the service before; nobody was messaged again.`,
  calls: {
    id: "Campaign",
    status: "Status",
    people: "People",
    added: "Added",
    duplicates: "Duplicates",
    errors: "Errors",
    replayed: "Replayed",
    name: "Name",
  },
  yes: "yes",
  no: "no",
  serviceErrors: "The service left out",
  leftOutAbove: (count: Count, isWritten: boolean) => {
    const all = count.n === 1 ? "it" : "all of them";
    const file = isWritten ? "" : `, --errors FILE writes ${all} to a file that can be corrected and sent`;
    return `${plural(count, "row was", "rows were")} left out, as shown above; --json lists ${all}${file}.`;
  },
  leftOut: { line: "Line", phone: "Phone", reason: "Reason" },
  more: (count: Count) =>
    `${count.shown} more ${count.n === 1 ? "is" : "are"} not shown; --json lists all of them.`,
  file: (name: string, ref: string, exclude: readonly string[]) => {
    const flags = [`--ref ${shellWord(ref)}`, ...exclude.map((file) => `--exclude ${shellWord(file)}`)];
    return `All rows that are left out are in ${name}: correct it and send it as it is, with ${flags.join(" ")}.`;
  },
  noFile: "--errors FILE writes all of them to a file that can be corrected and sent.",
  statusHint: (id: string) => `bpos campaign status ${shellWord(id)} shows what becomes of it.`,
  statusHintRef: (ref: string) => `bpos campaign status --ref ${shellWord(ref)} shows what becomes of it.`,
};
