import type { JSX } from "hono/jsx/jsx-runtime";
import type { T } from "../../texts/texts.ts";
import type { Catalog } from "../core/shop/catalog.ts";
import { formatPesos, type Reader } from "./page.tsx";
import { chooseBranch, formatMoment, joinPath } from "./parts.tsx";

export type Entry = Catalog["entries"] extends Map<string, infer One> ? One : never;

export const buildPushPath = ({
  event_id,
  branch,
}: Readonly<Record<"event_id" | "branch", string>>): string =>
  joinPath(`/console/pushes/${encodeURIComponent(event_id)}`, { branch });

function State({ product, t }: { product: Entry["product"]; t: T }): JSX.Element {
  if (!product.active) return <span class="bad">{t("deactivated by a delete")}</span>;
  if (product.deshabilitado) return <span class="warn">{t("disabled // a product")}</span>;
  return <span class="good">{t("active")}</span>;
}

/** When a product was last changed, with a link to the push. */
function ChangedBy({ entry, branch, kept, t }: ChangedByProps): JSX.Element {
  const { event_id, product } = entry;
  const { occurred_at, codigo } = product;
  if (event_id === null || occurred_at === null) return <span class="dim">{t("from the scenario")}</span>;
  const when = <time datetime={occurred_at}>{formatMoment(occurred_at)}</time>;
  if (!kept.has(event_id)) return when;
  return (
    <a id={`by-${codigo}`} href={buildPushPath({ event_id, branch })} data-dialog>
      {when}
    </a>
  );
}
interface ChangedByProps {
  readonly entry: Entry;
  readonly branch: string;
  /** The pushes with details to show. */
  readonly kept: ReadonlySet<string>;
  readonly t: T;
}

function Row({ entry, branch, kept, t }: ChangedByProps): JSX.Element {
  const { product, before } = entry;
  const { codigo, nombre, precio, categoria } = product;
  return (
    <tr data-code={codigo} data-price={precio}>
      <th scope="row" class="on-wide">
        <bdi class="mono">{codigo}</bdi>
      </th>
      <td class="words name" data-below={codigo}>
        <bdi>{nombre}</bdi>
      </td>
      <td class="number price">
        {before !== null && (
          <span class="dim before">
            <span class="unseen">{t("before:")}</span> <s>{formatPesos(before)}</s> →{" "}
          </span>
        )}
        <bdi>{formatPesos(precio)}</bdi>
      </td>
      <td class="words on-wide">
        <bdi>{categoria}</bdi>
      </td>
      <td>
        <State product={product} t={t} />
      </td>
      <td>
        <ChangedBy entry={entry} branch={branch} kept={kept} t={t} />
      </td>
    </tr>
  );
}

/** The products of one page. */
export function Table({ reader, entries, catalog }: TableProps): JSX.Element {
  const { t } = reader;
  const branch = chooseBranch(reader);
  const kept = new Set(catalog.pushes.map(({ row }) => row.event_id));
  return (
    <section class="scroll" tabindex={0} aria-label={t("Products")}>
      <table class="roomy">
        <thead>
          <tr>
            <th scope="col" class="on-wide">
              {t("Code")}
            </th>
            <th scope="col">{t("Name")}</th>
            <th scope="col" class="number">
              {t("Price")}
            </th>
            <th scope="col" class="on-wide">
              {t("Category // of the menu")}
            </th>
            <th scope="col">{t("State")}</th>
            <th scope="col">{t("Last change")}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Row entry={entry} branch={branch} kept={kept} t={t} />
          ))}
        </tbody>
      </table>
    </section>
  );
}
interface TableProps {
  readonly reader: Reader;
  readonly entries: readonly Entry[];
  readonly catalog: Catalog;
}
