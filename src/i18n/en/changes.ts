import { type Count, plural } from "../phrases.ts";

const products = (count: Count): string => plural(count, "product", "products");

/** What a price list changes: of `catalog diff`, the question of `catalog push --confirm` and `catalog undo`. */
export const changes = {
  title: "Catalog diff",
  /** Above the same in short. */
  short: "What changes, against this journal",
  verdict: {
    same: "No difference: the service has confirmed all of it to this journal.",
    differs: (differ: Count) => `${products(differ)} ${differ.n === 1 ? "differs" : "differ"}.`,
  },
  what: "",
  count: "Products",
  kinds: {
    changed: "Changed",
    new: "On sale again",
    deactivated: "Deactivated",
    missing: "Not in the file",
    unknown: "New or unknown",
    unchanged: "Unchanged",
  },
  /** Of one product. */
  marks: {
    changed: "changed",
    new: "on sale again",
    deactivated: "deactivated",
    missing: "not in the file",
    unknown: "new or unknown",
  },
  columns: {
    category: "Category",
    code: "Code",
    name: "Name",
    what: "What",
    before: "Before",
    after: "After",
    share: "Change",
  },
  fields: {
    precio: "price",
    nombre: "name",
    categoria: "category",
    deshabilitado: "disabled",
    activo: "on sale",
  },
  more: (count: Count, lists: string) =>
    `${count.shown} more ${count.n === 1 ? "is" : "are"} not shown; ${lists}`,
  lists: {
    diff: "-o csv and --json list all of them.",
    push: "`bpos catalog diff FILE` lists them.",
    undo: "`bpos catalog undo --dry-run --json` lists them.",
  },
  missing: "Not in the file: a push leaves them as they are; with --deactivate-missing it deactivates them.",
  unknown: "New or unknown: the service has not confirmed them to this journal, so it may have them already.",
  rejected: (rows: Count) =>
    `Warning: ${plural(rows, "row was", "rows were")} rejected and not compared: \`bpos catalog check FILE\` lists ${rows.n === 1 ? "it" : "them"}.`,
  report: (file: string) => `All of it is in ${file}.`,
  undo: {
    title: { done: "Catalog undo", dryRun: "Catalog undo · dry run" },
    /** At most 80 columns with its hint: what is above it names the file and the branch. */
    ask: (sent: Count, at: string) => `Undo the push of ${at}: send ${products(sent)}?`,
    alone: (count: Count) =>
      `${products(count)} ${count.n === 1 ? "is" : "are"} left alone: --dry-run names ${count.n === 1 ? "it" : "them"}.`,
    leftAlone: "Left alone",
    more: (count: Count) =>
      `${count.shown} more ${count.n === 1 ? "is" : "are"} not shown; --json lists them.`,
    reasons: {
      changed_since: "changed since that push",
      former_unknown: "this journal never knew what it was before",
      state_unknown: "it is not known what the service has now",
    },
  },
  ask: (sent: Count) => `Send ${products(sent)}?`,
};
