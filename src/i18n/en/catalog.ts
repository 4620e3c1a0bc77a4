import { type Count, ended, plural } from "../phrases.ts";

const delimiters: Readonly<Record<string, string>> = { "\t": "tab", " ": "space" };

/** The report of `catalog check`. */
export const check = {
  title: (file: string) => `Catalog check · ${file}`,
  verdict: {
    good: (rows: Count) =>
      rows.n === 1 ? "Its one row can be sent as it is." : `All ${rows.shown} rows can be sent as they are.`,
    bad: (rejected: Count, rows: Count) =>
      `${rejected.shown} of ${plural(rows, "row", "rows")} ${rejected.n === 1 ? "needs" : "need"} a correction; the others can be sent as they are.`,
    none: (rows: Count) =>
      rows.n === 1 ? "Its one row needs a correction." : `All ${rows.shown} rows need a correction.`,
  },
  form: {
    format: { csv: "CSV", json: "JSON", ndjson: "NDJSON" },
    readAs: (format: string, encoding: string) => `Read as ${format} in ${encoding}`,
    delimiter: (delimiter: string) => `${delimiters[delimiter] ?? delimiter} between cells`,
    decimal: (sign: string) => `${sign} before decimals`,
  },
  counts: {
    what: "",
    count: "Rows",
    read: "Read",
    products: "Products to send",
    collapsed: "Repeat another row",
    rejected: "Rejected",
  },
  columns: {
    field: "Field",
    column: "Column of the file",
    inverse: (header: string) => `${header} (reversed: yes there means not disabled)`,
    unused: "not used",
  },
  firstTitle: "The first products as they will be sent",
  problemsTitle: "Problems",
  problems: { line: "Line", code: "Code", problem: "Problem" },
  more: (count: Count) =>
    `${count.shown} more ${count.n === 1 ? "is" : "are"} not shown; -o csv and -o json list all of them.`,
  fixed: (file: string, products: Count, { repaired, isClean }: { repaired: Count; isClean: boolean }) =>
    `${file} holds ${plural(products, "product", "products")}${
      isClean ? " without a complaint: push it as it is." : "."
    }${
      repaired.n === 0
        ? ""
        : ` ${plural(repaired, "name that was encoded twice is", "names that were encoded twice are")} repaired in it.`
    }`,
  doubledLeft: (left: Count, { line, text, proposal }: { line: number; text: string; proposal: string }) =>
    `${plural(left, "text that looks encoded twice is", "texts that look encoded twice are")} left: ${
      left.n === 1 ? "" : "the first "
    }on line ${line}, "${text}" for "${proposal}". Codes are never changed, nor names that are right in part: correct ${
      left.n === 1 ? "it" : "them"
    } in the file where that is wrong.`,
  nothingToFix: "No row is usable, so no corrected copy was written.",
  next: "Correct these rows in the file and check it again; or push it as it is with --rejected FILE, which writes them to a file of their own. --fixed FILE writes a copy with the usable rows only.",
  nextRepair: (names: Count) =>
    `--fixed FILE writes a copy in which ${plural(names, "name that was", "names that were")} encoded twice ${names.n === 1 ? "is" : "are"} repaired.`,
  unmapped: (fields: readonly string[]) =>
    `No column is known to hold ${fields.join(" or ")}. If one that is not used does, name it: --map ${fields[0] ?? ""}=HEADER.`,
};

/** What a push came to; `reason` is that of the rejected rows, or of most of them. */
interface PushEnd {
  accepted: Count;
  sent: Count;
  rejected: Count;
  stale: Count;
  reason: { said: string; isOnly: boolean } | undefined;
}

const part = (accepted: Count, sent: Count): string =>
  accepted.n === sent.n ? products(sent) : `${accepted.shown} of ${products(sent)}`;

const products = (count: Count): string => plural(count, "product", "products");

/** The report of a catalog push or delete. */
export const push = {
  incompleteRow: "complete this row, then delete this cell",
  uncheckedRow: "check this row, then delete this cell",
  excludedRow: "this person is excluded: delete this row",
  title: { upsert: "Catalog push", delete: "Catalog delete" },
  dryRunTitle: { upsert: "Catalog push · dry run", delete: "Catalog delete · dry run" },
  outcome: {
    partial: "Stopped before the end: the rest was not sent. The same command run again goes on from there.",
    refused: "Refused: the service took nothing.",
    stale: "Stale: the service holds newer data than this and ignored it.",
    unknown:
      "Unknown: a request got no clear answer, and nothing was sent after it. Run the same command again: it settles it, and nothing is applied twice.",
    nothing: "Nothing was sent.",
    noneGood: (rows: Count) =>
      rows.n === 1
        ? "Nothing to send: its one row was rejected."
        : `Nothing to send: every one of the ${plural(rows, "row", "rows")} was rejected.`,
    allKnown: (rejected: Count) =>
      rejected.n === 0
        ? "Nothing to send: the service has all of it already."
        : `Nothing to send: the service has all the good rows already; ${plural(rejected, "row was", "rows were")} rejected.`,
  },
  notKept: (accepted: Count, sent: Count) =>
    `Stopped before the end: the service took ${part(accepted, sent)}, then the journal could not be written. The same command run again continues there, and nothing is applied twice.`,
  /** How a push ended that came to its end. */
  done: (
    outcome: "complete" | "partial" | "nothing",
    action: "upsert" | "delete",
    { accepted, sent, rejected, stale, reason }: PushEnd,
  ) => {
    const opening = { complete: "Done", partial: "Done in part", nothing: "Failed" }[outcome];
    const took = { upsert: "took", delete: "deactivated" }[action];
    const rows = {
      upsert: plural(rejected, "row was", "rows were"),
      delete: plural(rejected, "code was", "codes were"),
    }[action];
    const why = reason === undefined ? "" : `${reason.isOnly ? ": " : ", most often: "}${reason.said}`;
    return ended(
      [
        `${opening}: the service ${took} ${part(accepted, sent)}`,
        ...(stale.n === 0 ? [] : [`${plural(stale, "product was", "products were")} stale`]),
        ...(rejected.n === 0 ? [] : [`${rows} rejected${why}`]),
      ].join("; "),
    );
  },
  nothingNew: (sent: Count) => `Nothing new: the service had ${products(sent)} already.`,
  dryRun: {
    upsert: (sent: Count, batches: Count) =>
      `Nothing was sent. ${products(sent)} would go out in ${plural(batches, "call", "calls")}.`,
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
    rejected: "Rejected",
  },
  unknownDuplicates: (count: Count) =>
    `The service says that it had ${plural(count, "call", "calls")} before, but no earlier try is known here: check the products at the service.`,
  duplicates: (count: Count) =>
    `${plural(count, "call", "calls")} had arrived in an earlier try and ${count.n === 1 ? "was" : "were"} not applied again.`,
  staleWhy: (at: string) =>
    `The service had already applied changes later than ${at}. Check this machine's clock, and the clock of whatever pushed before.`,
  rejectedTitle: "Rejected",
  rejected: { line: "Line", code: "Code", source: "By", reason: "Reason" },
  source: { file: "bpos", service: "service" },
  more: (count: Count) => `${count.shown} more ${count.n === 1 ? "is" : "are"} not shown.`,
  mostFrequent: (count: Count, of: Count, reason: string) =>
    `The most frequent reason, ${count.shown} of ${of.shown} times: ${reason}.`,
  howRead:
    "If a whole column is at fault: `bpos catalog check FILE` shows how each one was read, and --map, --decimal, --delimiter and --encoding change that.",
  file: {
    upsert: (name: string) => `All of them are in ${name}: correct it and push it as it is.`,
    delete: (name: string) =>
      `All of them are in ${name}: correct it and run \`bpos catalog delete --file\` with it.`,
  },
  noFile: {
    upsert:
      "--rejected FILE writes all of them to a file that can be corrected and pushed; --json lists them.",
    delete: "--rejected FILE writes all of them to a file for --file; --json lists them.",
  },
  /** Of a delete that follows a push. */
  notDeactivated:
    "They are not tried again: nothing is known of them any more. `bpos catalog history --json` lists all of them; if one is still on sale, `bpos catalog delete CODE` tries once more.",
  firstTitle: { upsert: "The first products", delete: "The first codes" },
  /** Of a delete that follows a push. */
  codesTitle: "No longer in the file",
  first: { code: "Code", name: "Name", category: "Category", price: "Price", disabled: "Disabled" },
  history: {
    title: "Catalog pushes from this machine",
    none: "None yet for this branch.",
    all: (n: Count) => `${plural(n, "push", "pushes")}, newest first.`,
    newest: (n: Count) => `The newest ${plural(n, "push", "pushes")}; --limit N shows more.`,
    /** What to do about the newest push, when it did not come to its end. */
    goOn: {
      upsert: (file: string | null) =>
        `The newest push has not ended well: if it is not under way, push ${file ?? "the same file"} again, unchanged. It goes on where it stopped, and nothing is applied twice.`,
      delete: () =>
        "The newest delete has not ended well: if it is not under way, run the same command again. It goes on where it stopped, and nothing is applied twice.",
    },
    /** What was sent of a push without a clear answer. */
    atMost: (sent: string) => `≤ ${sent}`,
    overtaken: (file: string | null) =>
      `An older push has not ended well${file === null ? "" : ` (${file})`}, and later ones stand after it: push its file again only if its data still holds.`,
    actions: { upsert: "upsert", delete: "delete" },
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
  yes: "yes",
  no: "no",
};
