import { type Count, plural, readingFlags } from "../../texts/phrases.ts";
import { toSentence } from "../template.ts";

const delimiters: Readonly<Record<string, string>> = { "\t": "tab", " ": "space" };

/** The report of `catalog check`. */
export const check = {
  title: (file: string) => `Catalog check · ${file}`,
  verdict: {
    good: (rows: Count) => (rows.n === 1 ? "Its one row is valid." : `All ${rows.shown} rows are valid.`),
    noPrices: "No product has a price: a push would change none.",
    bad: (rejected: Count, rows: Count) =>
      `${rejected.shown} of ${plural(rows, "row", "rows")} ${rejected.n === 1 ? "needs" : "need"} a correction; the others are valid.`,
    none: (rows: Count) =>
      rows.n === 1 ? "Its one row needs a correction." : `All ${rows.shown} rows need a correction.`,
  },
  form: {
    format: { csv: "CSV", json: "JSON", ndjson: "NDJSON", xlsx: "XLSX" },
    readAs: (format: string, encoding: string) => `Read as ${format} in ${encoding}`,
    readSheet: (sheet: string) => `Read from the sheet "${sheet}"`,
    delimiter: (delimiter: string) => `delimiter ${delimiters[delimiter] ?? delimiter}`,
    decimal: (sign: string) => `decimal sign ${sign}`,
  },
  counts: {
    what: "",
    count: "Rows",
    read: "Read",
    products: "Products to send",
    collapsed: "Repeats of another row",
    rejected: "Rejected",
    unpriced: "Products without a price",
  },
  columns: {
    field: "Field",
    column: "Column of the file",
    inverse: (header: string) => `${header} (reversed: yes means not disabled)`,
    unused: "not used",
  },
  firstTitle: "The first products as they will be sent",
  problemsTitle: "Problems",
  problems: { line: "Line", code: "Code", problem: "Problem" },
  more: (count: Count) =>
    `${count.shown} more ${count.n === 1 ? "is" : "are"} not shown; -o csv and -o json list all of them.`,
  fixed: (file: string, products: Count, hasDoubled: boolean) =>
    `${file} holds ${plural(products, "product", "products")}${hasDoubled ? ". Names that were encoded twice are repaired in it; codes are unchanged." : ", ready to push."}`,
  nothingToFix: "No row is valid, so no corrected copy was written.",
  next: "Correct these rows and check again; or push the file with --rejected FILE, which writes them to a file of their own. --fixed FILE writes a copy with the valid rows only.",
  nextRepair: "--fixed FILE writes a copy in which names that were encoded twice are repaired.",
  unmapped: (fields: readonly string[]) =>
    `No column holds ${fields.join(" or ")}. If an unused one does: --map ${fields[0] ?? ""}=HEADER.`,
};

interface PushEnd {
  accepted: Count;
  unpriced: Count;
  /** No product has a price. */
  hasNoPrices: boolean;
  /** What became of all rows, unless all were accepted. */
  sum: string | undefined;
}

/** What is counted, and what was to be done with it. */
interface Summed {
  unit: "rows" | "codes" | "products";
  action: "upsert" | "delete";
}

const part = (accepted: Count, sent: Count): string =>
  accepted.n === sent.n ? products(sent) : `${accepted.shown} of ${products(sent)}`;

const products = (count: Count): string => plural(count, "product", "products");

/** What became of so many rows, behind how many there are. */
const became: Record<
  "accepted" | "before" | "stale" | "unchanged" | "repeated" | "notSent" | "unanswered" | "uncounted",
  (n: Count, summed: Summed) => string
> = {
  accepted: (n, { action }) => `${n.shown} ${{ upsert: "accepted", delete: "deactivated" }[action]}`,
  before: (n) => `${n.shown} applied by an earlier attempt`,
  stale: (n) => `${n.shown} stale`,
  unchanged: (n) => `${n.shown} unchanged`,
  repeated: (n) => plural(n, "repeat of another row", "repeats of other rows"),
  notSent: (n) => `${n.shown} not sent`,
  unanswered: (n) => `${n.shown} without an answer`,
  uncounted: (n) =>
    n.n > 0
      ? `${n.shown} not in the service's answer`
      : `${n.shown} because the service's answer counts more than were sent`,
};

const rejectedBy: (all: Count, by: { here: Count; there: Count }, summed: Summed) => string = (
  all,
  { here, there },
) =>
  here.n === 0
    ? `${all.shown} rejected by the service`
    : there.n === 0
      ? `${all.shown} rejected by bpos`
      : `${all.shown} rejected (${here.shown} by bpos, ${there.shown} by the service)`;

/** The report of a catalog push or delete. */
export const push = {
  /** What a row of a rejected file says before the mark that holds it. */
  held: {
    incomplete: "complete this row, then delete the cell on the right",
    unchecked: "check this row, then delete the cell on the right",
    excluded: "this person is excluded: delete this row",
  },
  title: { upsert: "Catalog push", delete: "Catalog delete" },
  dryRunTitle: { upsert: "Catalog push · dry run", delete: "Catalog delete · dry run" },
  outcome: {
    partial: "Stopped before the end: the rest was not sent. Run the same command again to continue.",
    refused: "Refused: the service accepted nothing.",
    stale: "Stale: the service has newer data and ignored this.",
    unknown:
      "Unknown outcome of a request; nothing was sent after it. Run the same command again to settle it: nothing is applied twice.",
    nothing: "Nothing was sent.",
    noneGood: (rows: Count) =>
      rows.n === 1
        ? "Nothing to send: its one row was rejected."
        : `Nothing to send: all ${plural(rows, "row", "rows")} were rejected.`,
    /** pushed: the time of the last push that the service answered. */
    allKnown: (rejected: Count, pushed?: string) =>
      `Nothing to send: ${rejected.n === 0 ? "nothing" : "no valid row"} changed since the service confirmed it to this journal${pushed === undefined ? "" : ` (last push: ${pushed})`}${rejected.n === 0 ? "" : `; ${plural(rejected, "row was", "rows were")} rejected`}. If the service was restored or changed by others since then, push once without --changed-only.`,
  },
  notKept: (accepted: Count, sent: Count) =>
    `Stopped before the end: the service accepted ${part(accepted, sent)}, then the journal could not be written. Run the same command again to continue: nothing is applied twice.`,
  takenOver: (accepted: Count, sent: Count) =>
    `Stopped before the end: the service accepted ${part(accepted, sent)}, then another bpos took over.`,
  /** The outcome of a push that ran to its end. */
  done: (
    outcome: "complete" | "partial" | "nothing",
    action: "upsert" | "delete",
    { accepted, unpriced, hasNoPrices, sum }: PushEnd,
  ) => {
    const opening = { complete: "Done", partial: "Partly done", nothing: "Failed" }[outcome];
    const took = { upsert: "accepted", delete: "deactivated" }[action];
    const first =
      hasNoPrices && outcome !== "nothing"
        ? `The service accepted ${products(accepted)} without prices: the file has none`
        : sum === undefined
          ? `${opening}: the service ${took} ${products(accepted)}`
          : opening;
    const rest = [
      ...(sum === undefined ? [] : [sum]),
      ...(unpriced.n === 0 || hasNoPrices
        ? []
        : [`${plural(unpriced, "product has", "products have")} no price`]),
    ].join("; ");
    return toSentence(rest === "" ? first : `${first}${sum === undefined ? "; " : ". "}${rest}`);
  },
  units: {
    rows: (total: Count) => plural(total, "row", "rows"),
    codes: (total: Count) => plural(total, "code", "codes"),
    products,
  },
  became,
  rejectedBy,
  nothingNew: (sent: Count) => `Nothing new: the service had ${products(sent)} already.`,
  dryRun: {
    upsert: (sent: Count, batches: Count) =>
      `Nothing was sent. ${products(sent)} would be sent in ${plural(batches, "call", "calls")}.`,
    delete: (sent: Count, batches: Count) =>
      `Nothing was sent. ${products(sent)} would be deactivated in ${plural(batches, "call", "calls")}.`,
  },
  columns: { what: "", count: "Products" },
  counts: {
    read: { upsert: "Rows read", delete: "Codes read" },
    sent: "Sent",
    wouldSend: { upsert: "Would be sent", delete: "Would be deactivated" },
    accepted: { upsert: "Accepted", delete: "Deactivated" },
    unchanged: "Unchanged, not sent",
    stale: "Stale, ignored",
    rejected: "Rejected by bpos",
    repeated: "Repeats of another row",
    notSent: "Not sent",
    before: "Applied by an earlier attempt",
    refused: "Rejected by the service",
    unanswered: "Without an answer",
    uncounted: "Not in the service's answer",
    leftAlone: "Left alone",
    unpriced: "Products without a price",
  },
  unknownDuplicates: (count: Count) =>
    `The service reports ${plural(count, "batch", "batches")} as applied before, and this journal has no earlier attempt: check the products at the service.`,
  duplicates: (count: Count) =>
    `${plural(count, "batch", "batches")} had been applied by an earlier attempt and ${count.n === 1 ? "was" : "were"} not applied again.`,
  staleWhy: (at: string) =>
    `The service had applied changes later than ${at}. Check the clock of this machine and of the one that pushed before.`,
  rejectedTitle: "Rejected",
  rejected: { line: "Line", code: "Code", source: "By", reason: "Reason" },
  source: { file: "bpos", service: "service" },
  more: (count: Count) => `${count.shown} more ${count.n === 1 ? "is" : "are"} not shown.`,
  howRead: (format: string | undefined) =>
    `If a whole column is wrong: \`bpos catalog check FILE\` shows how bpos reads each one; ${readingFlags(format).join(", ")} and --map change that.`,
  file: (name: string) => `All of them are in ${name}: correct it and run the same command with it.`,
  noFile: "--rejected FILE writes all of them to a file to correct; --json lists them.",
  /** Of a delete that follows a push. */
  notDeactivated:
    "They are not retried. `bpos catalog history --json` lists them; if one is still on sale, run `bpos catalog delete CODE`.",
  firstTitle: "The first products",
  /** Above the codes of a delete that follows a push, and of one that names them. */
  codesTitle: { missing: "No longer in the file", named: "Codes" },
  moreCodes: (count: Count, isPreview: boolean) =>
    `${count.shown} more ${count.n === 1 ? "is" : "are"} not shown; ${isPreview ? "--json lists" : "`bpos catalog history --json` lists"} them.`,
  first: { code: "Code", name: "Name", category: "Category", price: "Price", disabled: "Disabled" },
  history: {
    title: "Catalog pushes in this journal",
    none: "This machine's journal has no push of this branch.",
    all: (n: Count) => `${plural(n, "push", "pushes")}, newest first.`,
    newest: (n: Count) => `The newest ${plural(n, "push", "pushes")}; --limit N shows more.`,
    /** What to do about the newest push if it did not finish. */
    goOn: "The newest push is not complete. Unless it is still running, run the same command again with the file unchanged: it continues, and nothing is applied twice.",
    /** What was sent of a push without a clear answer. */
    atMost: (sent: string) => `≤ ${sent}`,
    overtaken: (file: string | null) =>
      `An older push is not complete${file === null ? "" : ` (${file})`}, and later ones followed: push its file again only if its data is still correct.`,
    actions: { upsert: "upsert", delete: "delete", undo: "undo" },
    outcomes: {
      complete: "complete",
      partial: "partial",
      refused: "refused",
      stale: "stale",
      unknown: "unknown",
      nothing: "nothing",
    },
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
  /** What `--max-price-change` refuses. */
  changes: {
    title: (prices: Count, limit: string) =>
      `Nothing was sent: ${plural(prices, "known price", "known prices")} would change by more than ${limit}.`,
    columns: { code: "Code", name: "Name", before: "Old price", after: "New price", change: "Change" },
    fromZero: "from 0",
  },
  yes: "yes",
  no: "no",
};
