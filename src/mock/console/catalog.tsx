import type { JSX } from "hono/jsx/jsx-runtime";
import type { T } from "../../texts/texts.ts";
import type { Catalog } from "../core/shop/catalog.ts";
import { buildPushPath, type Entry, Table } from "./catalog-table.tsx";
import { Live, type LiveParts, type Reader, type View } from "./page.tsx";
import {
  branchName,
  Commands,
  chooseBranch,
  formatCount,
  formatMoment,
  joinPath,
  Pager,
  pushLine,
  readPaging,
  SearchField,
  simplify,
  Tabs,
} from "./parts.tsx";

type Push = Catalog["pushes"][number]["row"];

const path = "/console/catalog";
const perPage = 100;

const readCatalog = (reader: Reader): Catalog | undefined =>
  reader.live.look().world.catalogs.get(chooseBranch(reader));

/** The products that the reader asks for, the newest change first, or by code. */
function findProducts({ query }: Reader, catalog: Catalog): Entry[] {
  const wanted = simplify(query["q"] ?? "").trim();
  const found = [...catalog.entries.values()].filter(
    ({ product: { codigo, nombre, categoria } }) =>
      wanted === "" || simplify(`${codigo}\n${nombre}\n${categoria ?? ""}`).includes(wanted),
  );
  const byCode = ({ product: a }: Entry, { product: b }: Entry): number => (a.codigo < b.codigo ? -1 : 1);
  if (query["sort"] === "code") return found.sort(byCode);
  // Those of the scenario have no time of a change: -Infinity less itself is no number.
  return found.sort((a, b) => (a.appliedAt === b.appliedAt ? byCode(a, b) : b.appliedAt - a.appliedAt));
}

function Empty({ reader }: { reader: Reader }): JSX.Element {
  const { t } = reader;
  return (
    <>
      <p>{t("This branch has no products yet. Push a price list from a terminal:")}</p>
      <Commands reader={reader} branch={chooseBranch(reader)} lines={[pushLine]} />
    </>
  );
}

/** The part that the search form replaces: the products of one page, and the links to the others. */
function Products({ reader, catalog }: { reader: Reader; catalog: Catalog }): JSX.Element {
  const { t, query } = reader;
  const all = findProducts(reader, catalog);
  // Another search begins at its first page.
  const page = (query["of"] ?? query["q"] ?? "") === (query["q"] ?? "") ? (query["page"] ?? "1") : "1";
  const paging = readPaging({ query: { page } }, all.length, perPage);
  const { from, to } = paging;
  const given = { branch: chooseBranch(reader), q: query["q"], sort: query["sort"] };
  if (catalog.entries.size === 0) return <Empty reader={reader} />;
  return (
    <>
      <div class="toolbar">
        <span class="dim">
          {all.length === 0
            ? t("No product matches by code, name or category.")
            : t("{from} to {to} of {all}", {
                from: formatCount(from + 1, t),
                to: formatCount(to, t),
                all: formatCount(all.length, t),
              })}
        </span>
        {all.length === 0 && <a href={joinPath(path, { ...given, q: "" })}>{t("Show all")}</a>}
        <Tabs
          label={t("Sort // a list")}
          choices={(["", "code"] as const).map((sort) => ({
            href: joinPath(path, { ...given, sort }),
            text: sort === "" ? t("Latest changes first") : t("By code"),
            isCurrent: sort === "code" ? query["sort"] === "code" : query["sort"] !== "code",
          }))}
        />
      </div>
      {paging.page > 1 && (
        <>
          <input type="hidden" form="search" name="page" value={paging.page} />
          <input type="hidden" form="search" name="of" value={query["q"] ?? ""} />
        </>
      )}
      {all.length > 0 && <Table reader={reader} entries={all.slice(from, to)} catalog={catalog} />}
      <Pager paging={paging} t={t} to={(other) => joinPath(path, { ...given, page: other })} />
    </>
  );
}

const countRows = ({ items, accepted, skipped_stale, rejected }: Push) => ({
  items,
  accepted,
  stale: skipped_stale,
  rejected: rejected.length,
});
const tones = { items: "", accepted: "good", stale: "warn", rejected: "bad" } as const;

function Sums({ push, t }: { push: Push; t: T }): JSX.Element {
  const counts = countRows(push);
  const names = {
    items: t("items // of a push"),
    accepted: t("accepted"),
    stale: t("stale // products"),
    rejected: t("rejected // products"),
  };
  return (
    <span class="sums">
      {(["items", "accepted", "stale", "rejected"] as const).map((name) => (
        <span class={counts[name] === 0 ? "dim" : tones[name]}>
          {names[name]} <b>{formatCount(counts[name], t)}</b>
        </span>
      ))}
    </span>
  );
}

function Pushes({ reader, catalog }: { reader: Reader; catalog: Catalog }): JSX.Element {
  const { t } = reader;
  if (catalog.pushes.length === 0)
    return (
      <>
        <p class="dim">{t("Each push is listed here with its rejected and stale products.")}</p>
        {catalog.entries.size > 0 && (
          <Commands reader={reader} branch={chooseBranch(reader)} lines={[pushLine]} />
        )}
      </>
    );
  return (
    <ol class="pushes">
      {catalog.pushes
        .map(({ row }) => row)
        .reverse()
        .map((push) => (
          <li>
            <a id={`push-${push.event_id}`} class="card" href={buildPushPath(push)} data-dialog>
              <span class="card-top">
                <time datetime={push.at}>{formatMoment(push.at)}</time>
                <span class="tag">{push.action}</span>
              </span>
              <Sums push={push} t={t} />
            </a>
          </li>
        ))}
    </ol>
  );
}

function Rejected({ rows, t }: { rows: Push["rejected"]; t: T }): JSX.Element {
  return (
    <>
      <h2>{t("Rejected")}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("Code")}</th>
            <th scope="col">{t("Reason")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ codigo, error }) => (
            <tr>
              <th scope="row">
                <bdi class="mono">{codigo || "–"}</bdi>
              </th>
              <td>
                <bdi>{error}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function PushDialog(reader: Reader): JSX.Element {
  const { t, id } = reader;
  const push = readCatalog(reader)?.pushes.find(({ row }) => row.event_id === id)?.row;
  if (!push)
    return (
      <h1 id="dialog-title">
        {t("This push is no longer available: the mock keeps the last 200 pushes of each branch.")}
      </h1>
    );
  const { rejected, stale } = push;
  return (
    <>
      <h1 id="dialog-title">{t("Push")}</h1>
      <dl class="facts">
        <dt>event_id</dt>
        <dd>
          <bdi class="mono">{push.event_id}</bdi>
        </dd>
        <dt>{t("Branch")}</dt>
        <dd>{push.branch}</dd>
        <dt>{t("Action")}</dt>
        <dd>{push.action}</dd>
        <dt>{t("Received")}</dt>
        <dd>{formatMoment(push.at)}</dd>
        <dt>{t("occurred_at")}</dt>
        <dd>{formatMoment(push.occurred_at)}</dd>
      </dl>
      <p>
        <Sums push={push} t={t} />
      </p>
      {rejected.length > 0 && <Rejected rows={rejected} t={t} />}
      {stale.length > 0 && (
        <>
          <h2>{t("Stale // products")}</h2>
          <p>{t("A newer push had already changed these products, so this one left them unchanged.")}</p>
          <ul class="codes">
            {stale.map((codigo) => (
              <li>
                <bdi class="mono">{codigo}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function live(reader: Reader): LiveParts {
  const { t } = reader;
  const catalog = readCatalog(reader);
  if (!catalog) return {};
  // An event that changed anything has left its answer.
  const key = `${reader.live.worldId()} ${catalog.answers.size}`;
  const products = formatCount(catalog.entries.size, t);
  const last = catalog.pushes.at(-1)?.row.at;
  const when =
    last === undefined ? t("No pushes yet.") : t("Last push: {when}.", { when: formatMoment(last) });
  return {
    // The search form asks again whenever this comes.
    changes: { key, render: () => <>{`${t("Products: {products}.", { products })} ${when}`}</> },
    pushes: { key, render: () => <Pushes reader={reader} catalog={catalog} /> },
  };
}

function body(reader: Reader, parts: LiveParts): JSX.Element {
  const { t, query, live: world } = reader;
  const [branch, catalog] = [chooseBranch(reader), readCatalog(reader)];
  return (
    <>
      <div class="toolbar">
        <h1>{t("Catalog")}</h1>
        <Tabs
          label={t("Branch")}
          choices={[...world.look().world.catalogs.keys()].map((text) => ({
            href: joinPath(path, { branch: text, sort: query["sort"] }),
            text: branchName(text, t),
            isCurrent: text === branch,
          }))}
        />
        <search>
          <form
            id="search"
            action={path}
            hx-get={path}
            hx-trigger="input delay:150ms, submit, sse:changes"
            hx-target="#products"
            hx-select="#products > *"
            hx-replace-url="true"
          >
            <input type="hidden" name="branch" value={branch} />
            {query["sort"] && <input type="hidden" name="sort" value={query["sort"]} />}
            <SearchField id="q" name="q" value={query["q"]} label={t("Code, name or category")} />
          </form>
        </search>
      </div>
      <Live id="changes" parts={parts} tag="p" class="dim" />
      <div class="with-aside">
        <div id="products" class="panel">
          {catalog && <Products reader={reader} catalog={catalog} />}
        </div>
        <section class="panel" aria-labelledby="pushes-title">
          <h2 id="pushes-title">{t("Recent pushes")}</h2>
          <Live
            id="pushes"
            parts={parts}
            class="tall"
            tabindex={0}
            role="group"
            aria-label={t("Recent pushes")}
          />
        </section>
      </div>
    </>
  );
}

export const catalogView: View = {
  tab: "catalog",
  path,
  live,
  body,
  dialogs: { "pushes/:id": PushDialog },
};
