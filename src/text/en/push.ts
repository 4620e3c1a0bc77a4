import { type Count, plural } from "../plural.ts";

const products = (count: Count): string => plural(count, "product", "products");

/** The report of a catalog push or delete. */
export const push = {
  incompleteRow: "complete this row, then delete this cell",
  uncheckedRow: "check this row, then delete this cell",
  title: { upsert: "Catalog push", delete: "Catalog delete" },
  dryRunTitle: { upsert: "Catalog push · dry run", delete: "Catalog delete · dry run" },
  outcome: {
    complete: (accepted: Count, sent: Count, rejected: Count) =>
      `Done: the service took ${accepted.n === sent.n ? products(sent) : `${accepted.shown} of ${products(sent)}`}${
        rejected.n === 0 ? "" : `; ${plural(rejected, "row was", "rows were")} rejected`
      }.`,
    partial: "Stopped before the end: the rest was not sent.",
    refused: "Refused: the service took nothing.",
    stale: "Stale: the service holds newer data than this push and ignored it.",
    unknown:
      "Unknown: a request got no clear answer. Push the same file again: it settles it, and nothing is applied twice.",
    nothing: "Nothing was sent.",
    allKnown: (rejected: Count) =>
      rejected.n === 0
        ? "Nothing to send: the service has all of it already."
        : `Nothing to send: the service has all the good rows already; ${plural(rejected, "row was", "rows were")} rejected.`,
  },
  dryRun: (sent: Count, batches: Count) =>
    `Nothing was sent. ${products(sent)} would go out in ${plural(batches, "call", "calls")}.`,
  columns: { what: "", count: "Products" },
  counts: {
    read: "Rows read",
    sent: "Sent",
    wouldSend: "Would be sent",
    accepted: "Accepted",
    unchanged: "Unchanged, not sent",
    stale: "Stale, ignored",
    rejected: "Rejected",
  },
  duplicates: (count: Count) =>
    `${plural(count, "call", "calls")} had arrived in an earlier try and ${count.n === 1 ? "was" : "were"} not applied again.`,
  staleWhy: (at: string) =>
    `The service had already applied changes later than ${at}. Check this machine's clock, and the clock of whatever pushed before.`,
  rejectedTitle: "Rejected",
  rejected: { line: "Line", code: "Code", source: "By", reason: "Reason" },
  source: { file: "bpos", service: "service" },
  more: (count: Count) => `${count.shown} more ${count.n === 1 ? "is" : "are"} not shown.`,
  file: (name: string) => `All of them are in ${name}: correct it and push it as it is.`,
  noFile: "--rejected FILE writes all of them to a file that can be corrected and pushed; --json lists them.",
  firstTitle: "The first products",
  first: { code: "Code", name: "Name", category: "Category", price: "Price", disabled: "Disabled" },
  history: {
    title: "Catalog pushes from this machine",
    none: "None yet for this branch.",
    all: (n: Count) => `${plural(n, "push", "pushes")}, newest first.`,
    newest: (n: Count) => `The newest ${plural(n, "push", "pushes")}; --limit N shows more.`,
    columns: {
      at: "At",
      age: "Age",
      action: "Action",
      file: "File",
      sent: "Sent",
      accepted: "Accepted",
      stale: "Stale",
      rejected: "Rejected",
      outcome: "Outcome",
    },
  },
  yes: "yes",
  no: "no",
};
