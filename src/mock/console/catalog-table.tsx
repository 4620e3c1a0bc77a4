import type { JSX } from "hono/jsx/jsx-runtime";
import type { ConsoleTexts } from "../../i18n/en/console.ts";
import type { Catalog } from "../catalog.ts";
import { formatPesos, type Reader } from "./page.tsx";
import { chooseBranch, formatMoment, joinPath } from "./parts.tsx";

type Words = ConsoleTexts["catalog"];
export type Entry = Catalog["entries"] extends Map<string, infer One> ? One : never;

export const buildPushPath = ({
  event_id,
  branch,
}: Readonly<Record<"event_id" | "branch", string>>): string =>
  joinPath(`/console/pushes/${encodeURIComponent(event_id)}`, { branch });

function State({ product, words }: { product: Entry["product"]; words: Words }): JSX.Element {
  if (!product.active) return <span class="bad">{words.states.deleted}</span>;
  if (product.deshabilitado) return <span class="warn">{words.states.disabled}</span>;
  return <span class="good">{words.states.active}</span>;
}

/** When a product was changed last; the push is behind it. */
function ChangedBy({ entry, branch, kept, words }: ChangedByProps): JSX.Element {
  const { event_id, product } = entry;
  const { occurred_at, codigo } = product;
  if (event_id === null || occurred_at === null) return <span class="dim">{words.fromScenario}</span>;
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
  /** The pushes of which there is more to show. */
  readonly kept: ReadonlySet<string>;
  readonly words: Words;
}

function Row({ entry, branch, kept, words }: ChangedByProps): JSX.Element {
  const { product, before } = entry;
  const { codigo, nombre, precio, categoria } = product;
  return (
    <tr data-code={codigo} data-price={precio}>
      <th scope="row">
        <bdi class="mono">{codigo}</bdi>
      </th>
      <td class="words">
        <bdi>{nombre}</bdi>
      </td>
      {/* On a phone the rest is beside the screen. */}
      <td class="number price">
        {before !== null && (
          <span class="dim before">
            <span class="unseen">{words.before}</span> <s>{formatPesos(before)}</s> →{" "}
          </span>
        )}
        <bdi>{formatPesos(precio)}</bdi>
      </td>
      <td class="words">
        <bdi>{categoria}</bdi>
      </td>
      <td>
        <State product={product} words={words} />
      </td>
      <td>
        <ChangedBy entry={entry} branch={branch} kept={kept} words={words} />
      </td>
    </tr>
  );
}

/** The products of one page. */
export function Table({ reader, entries, catalog }: TableProps): JSX.Element {
  const words = reader.texts.catalog;
  const branch = chooseBranch(reader);
  const kept = new Set(catalog.pushes.map(({ row }) => row.event_id));
  const { codigo, nombre, categoria, precio, state, changed } = words.columns;
  return (
    <section class="scroll" tabindex={0} aria-label={words.products}>
      <table class="roomy">
        <thead>
          <tr>
            {[codigo, nombre].map((title) => (
              <th scope="col">{title}</th>
            ))}
            <th scope="col" class="number">
              {precio}
            </th>
            {[categoria, state, changed].map((title) => (
              <th scope="col">{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Row entry={entry} branch={branch} kept={kept} words={words} />
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
