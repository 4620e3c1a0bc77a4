import { count, number, price, shown } from "../cli/display/format.ts";
import { JsonList } from "../cli/display/json.ts";
import { type Column, column, table } from "../cli/display/table.ts";
import { heading, note, paragraph } from "../cli/display/text.ts";
import type { Ui } from "../cli/display/ui.ts";
import type { ChangedField } from "../journal/records/catalog.ts";
import type { T } from "../texts/texts.ts";
import type { ChangeDocument } from "./changes-schema.ts";
import type { Comparison, NamedChange } from "./compare.ts";
import { concatenate } from "./item-list.ts";
import { changeSize, priceShare } from "./price-changes.ts";
import { countsTable } from "./tables.ts";

/** Maximum number of changes in a question and in a table, which people also read in cron mails. */
const maxNamed = 10;
export const maxShown = 50;

const order = ["changed", "deactivated", "new", "missing", "unknown"] as const;

/** Returns the first `max` changes: prices by the size of their change, then the others by kind. */
function largest({ changes, strangers }: Differing, max: number): NamedChange[] {
  const all = changes.map((change) => ({ change, size: changeSize(change) }));
  const rank = ({ change }: (typeof all)[number]): number => order.indexOf(change.kind);
  const known = all.sort((a, b) => b.size - a.size || rank(a) - rank(b)).slice(0, max);
  return [...known.map(({ change }) => change), ...strangers.slice(0, max - known.length)];
}

/** Names what happened to one product. */
const markOf = (kind: NamedChange["kind"], t: T): string =>
  ({
    changed: t("changed"),
    new: t("on sale again"),
    deactivated: t("deactivated"),
    missing: t("not in the file"),
    unknown: t("new or unknown"),
  })[kind];

type Row = Record<"category" | "code" | "name" | "what" | "before" | "after", string> & {
  share: number | null | undefined;
};

function fieldRows(change: NamedChange, ui: Ui): Pick<Row, "what" | "before" | "after" | "share">[] {
  const { t } = ui.texts;
  const [yes, no] = [t("yes"), t("no")];
  const names: Record<ChangedField, string> = {
    precio: t("price"),
    nombre: t("name"),
    categoria: t("category"),
    deshabilitado: t("disabled"),
    activo: t("on sale"),
  };
  const { kind, fields } = change;
  const text = (value: string | number | boolean | null | undefined): string => {
    if (typeof value === "number") return price(value, ui);
    return typeof value === "boolean" ? (value ? yes : no) : shown(value);
  };
  const each = Object.entries(fields).map(([field, { from, to }]) => {
    const share = field === "precio" ? priceShare(change) : undefined;
    return { what: names[field as ChangedField], before: text(from), after: text(to), share };
  });
  // A terminal has name and category beside it.
  const isNew = kind === "unknown" && Object.values(fields).every(({ from }) => (from ?? null) === null);
  const isOneRow = ui.width !== undefined && isNew && fields.deshabilitado?.to !== true;
  const hasRows = kind === "changed" || fields.deshabilitado !== undefined;
  if (each.length > 0 && hasRows && !isOneRow) return each;
  const { from = null, to } = fields.precio ?? {};
  const share = kind === "unknown" ? undefined : priceShare(change);
  return [{ what: markOf(kind, t), before: text(from), after: text(to), share }];
}

/** Returns the rows by category, in the order of their largest changes. A terminal names each category and product once. */
function toRows(changes: readonly NamedChange[], ui: Ui): Row[] {
  const categories = [...new Set(changes.map(({ categoria }) => categoria))];
  const place = ({ categoria }: NamedChange): number => categories.indexOf(categoria);
  let last: string | null | undefined;
  return changes
    .toSorted((a, b) => place(a) - place(b))
    .flatMap((change) =>
      fieldRows(change, ui).map((row, n) => {
        const { codigo, nombre, categoria } = change;
        const once = (value: string | null, isRepeated: boolean): string =>
          isRepeated && ui.width !== undefined ? "" : shown(value);
        const category = once(categoria, categoria === last);
        last = categoria;
        return { ...row, category, code: once(codigo, n > 0), name: once(nombre, n > 0) };
      }),
    );
}

function changesTable(changes: readonly NamedChange[], ui: Ui): string {
  const { t } = ui.texts;
  const rows = toRows(changes, ui);
  const fromZero = t("from 0");
  const formatShare = ({ share }: Row): string => {
    if (share === undefined) return "";
    return share === null ? fromZero : `${share > 0 ? "+" : ""}${number(share, ui)} %`;
  };
  // A name may be cut, a price never.
  const prices = changes.flatMap(({ fields: { precio } }) => [precio?.from, precio?.to]);
  const widths = prices.map((value) => (typeof value === "number" ? price(value, ui).length : 0));
  const right = { align: "right", shrinkTo: Math.max(8, ...widths) } as const;
  // A barcode stays whole, unless amounts need its room.
  const code = right.shrinkTo > 13 ? 8 : 13;
  const columns: (Column<Row> | false)[] = [
    changes.some(({ categoria }) => categoria !== null) && column(t("Category"), 4, (row) => row.category),
    column(t("Code"), 1, (row) => row.code, { shrinkTo: code }),
    changes.some(({ nombre }) => nombre !== null) &&
      column(t("Name"), 3, (row) => row.name, { shrinkTo: 10 }),
    column(t("What"), 2, (row) => row.what, { shrinkTo: 8, wraps: true }),
    column(t("Before"), 1, (row) => row.before, { ...right, style: ui.theme.dim }),
    column(t("After"), 1, (row) => row.after, right),
    rows.some(({ share }) => share !== undefined) && column(t("Change"), 2, formatShare, { align: "right" }),
  ];
  return table(columns, rows, ui).trimEnd();
}

type Differing = Pick<Comparison, "changes" | "strangers">;

/** Returns the table of the largest changes, and how many more there are. */
export function largestChanges(compared: Differing, max: number, lists: string, ui: Ui): string[] {
  const total = compared.changes.length + compared.strangers.length;
  if (total === 0) return [];
  const more = ui.texts.t(
    "{count, plural, one {# more is not shown} other {# more are not shown}}; {lists}",
    { count: count(total - max, ui), lists },
  );
  return [changesTable(largest(compared, max), ui), ...(total > max ? note(more, ui) : [])];
}

export function changeCounts({ counts }: Pick<Comparison, "counts">, ui: Ui): string {
  const { t } = ui.texts;
  const words = {
    changed: t("Changed"),
    deactivated: t("Deactivated"),
    new: t("On sale again"),
    missing: t("Not in the file"),
    unknown: t("New or unknown"),
    unchanged: t("Unchanged"),
  };
  const kinds = [...order, "unchanged"] as const;
  const rows = kinds.filter((kind) => kind === "unchanged" || counts[kind] > 0);
  return countsTable(
    rows.map((kind) => ({ what: words[kind], count: counts[kind] })),
    t("Products"),
    ui,
  );
}

/** Says that a file and the service do not differ. */
export const sameVerdict = (t: T): string =>
  t("No differences: the service has already confirmed all of this.");

/** Returns a summary of what a push changes, for a dry run and above a question. */
export function changesInShort(compared: Comparison, ui: Ui, of: "push" | "undo" = "push"): string[] {
  const { t } = ui.texts;
  const lists = {
    push: t("`bpos catalog diff FILE` lists them."),
    undo: t("`bpos catalog undo --dry-run --json` lists them."),
  };
  const named = largestChanges(compared, maxNamed, lists[of], ui);
  return [
    ...heading(t("Changes compared with this journal"), ui),
    changeCounts(compared, ui),
    ...(named.length > 0 ? ["", ...named] : paragraph(sameVerdict(t), ui)),
  ];
}

const toDocument = ({ codigo, kind, fields }: NamedChange): ChangeDocument => ({ codigo, kind, fields });

/** Returns all that would change, as JSON. */
export const changesJson = ({ changes, strangers }: Comparison): JsonList<NamedChange, ChangeDocument> =>
  new JsonList(concatenate(changes, strangers), toDocument);
