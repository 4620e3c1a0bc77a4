import type { JSX } from "hono/jsx/jsx-runtime";
import type { T } from "../../texts/texts.ts";
import type { RequestRow } from "../core/request-log.ts";
import { Live, type LiveParts, type Reader, type View } from "./page.tsx";
import { Commands, chooseBranch, formatSecond, joinPath, SearchField, Tabs } from "./parts.tsx";
import { chooseTone, explainRefusal, formatStatus, RequestDialog } from "./request.tsx";

const path = "/console/requests";
const perPage = 100;

const filters = {
  all: () => true,
  refused: ({ status }: RequestRow) => status === 0 || status >= 400,
  changes: ({ method, direction }: RequestRow) => method === "POST" && direction === undefined,
  webhook: ({ direction }: RequestRow) => direction === "out",
};
type Filter = keyof typeof filters;

const filterTexts = (t: T): Readonly<Record<Filter, string>> => ({
  all: t("All // requests"),
  refused: t("Refused"),
  changes: t("Changes"),
  webhook: t("Webhook"),
});

const filterNames = Object.keys(filters) as Filter[];

const readFilter = ({ query }: Reader): Filter => filterNames.find((name) => name === query["show"]) ?? "all";

function buildFilter(reader: Reader): (row: RequestRow) => boolean {
  const text = (reader.query["q"] ?? "").trim().toLowerCase();
  const fits = filters[readFilter(reader)];
  const has = ({ path, query, event_id, idempotency_key }: RequestRow): boolean =>
    `${path}?${query} ${event_id ?? ""} ${idempotency_key ?? ""}`.toLowerCase().includes(text);
  return (row) => fits(row) && (text === "" || has(row));
}

/** The newest first, one more than a page holds where there are older ones. */
function listNewest(reader: Reader): RequestRow[] {
  const { rows } = reader.log;
  const fits = buildFilter(reader);
  const before = Number(reader.query["before"]) || Infinity;
  const found: RequestRow[] = [];
  for (let at = rows.length - 1; at >= 0 && found.length <= perPage; at--) {
    const row = rows[at];
    if (row && row.id < before && fits(row)) found.push(row);
  }
  return found;
}

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}…` : text;

function Row({ row, t }: { row: RequestRow; t: T }): JSX.Element {
  const { id, at, method, path: asked, query, ms, branch, key, fault, error, direction } = row;
  const [reason] = explainRefusal(row, t);
  const [name, value = ""] =
    Object.entries(row).find(([field]) => /^(event_id|idempotency_key|reply_id)$/.test(field)) ?? [];
  return (
    <tr>
      <td class="dim whole">{formatSecond(at).slice(11)}</td>
      <td class={`${chooseTone(row)} whole`}>
        <b>{formatStatus(row, t)}</b>
      </td>
      <td>
        <a id={`request-${id}`} class="request" href={`${path}/${id}`} data-dialog>
          <b>{method}</b> <bdi>{cut(query === "" ? asked : `${asked}?${query}`, 160)}</bdi>
        </a>{" "}
        {direction && <span class="tag">{t("Webhook")}</span>}
        {fault && <span class="tag fault">{t("fault {effect}", { effect: fault })}</span>}
        {reason && <span class="why">{reason.what}</span>}
        {error && <bdi class="why dim">{cut(error, 300)}</bdi>}
      </td>
      <td class="number on-wide">{ms}</td>
      <td class="on-wide whole">
        {branch} <span class="mono dim">{key}</span>
      </td>
      <td class="on-wide whole">
        {name && (
          <>
            <span class="dim">{name}</span> <bdi class="mono">{cut(String(value), 18)}</bdi>
          </>
        )}
      </td>
    </tr>
  );
}

const columnCount = 6;

function Nothing({ reader }: { reader: Reader }): JSX.Element {
  const { t } = reader;
  const isEmpty = reader.log.rows.length === 0;
  return (
    <tr>
      <td colspan={columnCount}>
        <p>
          {isEmpty ? (
            t("No requests yet. Send one from a terminal:")
          ) : (
            <>
              {t("No matching requests in the log.")} <a href={path}>{t("Show all")}</a>
            </>
          )}
        </p>
        {isEmpty && <Commands reader={reader} branch={chooseBranch(reader)} lines={["bpos orders list"]} />}
      </td>
    </tr>
  );
}

function Rows({ reader }: { reader: Reader }): JSX.Element {
  const { t } = reader;
  const found = listNewest(reader);
  const shown = found.slice(0, perPage);
  const before = shown.at(-1)?.id;
  return (
    <>
      {shown.map((row) => (
        <Row row={row} t={t} />
      ))}
      {shown.length === 0 && <Nothing reader={reader} />}
      {found.length > perPage && (
        <tr>
          <td colspan={columnCount}>
            <a id="older" href={joinPath(path, { ...reader.query, before })}>
              {t("Older requests")}
            </a>
          </td>
        </tr>
      )}
    </>
  );
}

/** Only the newest page follows the log: an older one would move away under the reader. */
function live(reader: Reader): LiveParts {
  const key = reader.query["before"] ?? reader.log.rows.findLast(buildFilter(reader))?.id ?? 0;
  return { requests: { key, render: () => <Rows reader={reader} /> } };
}

function body(reader: Reader, parts: LiveParts): JSX.Element {
  const { t, query } = reader;
  const show = readFilter(reader);
  return (
    <>
      <div class="toolbar">
        <h1>{t("Requests // that the mock answered")}</h1>
        <Tabs
          label={t("Show")}
          choices={filterNames.map((name) => ({
            href: joinPath(path, { show: name, q: query["q"] }),
            text: filterTexts(t)[name],
            isCurrent: name === show,
          }))}
        />
        <search>
          <form action={path}>
            <input type="hidden" name="show" value={show} />
            <SearchField name="q" value={query["q"]} label={t("Path or identifier")} />
          </form>
        </search>
        {query["before"] && <a href={joinPath(path, { show, q: query["q"] })}>{t("Back to the latest")}</a>}
      </div>
      <section class="panel scroll" aria-label={t("Requests // that the mock answered")} tabindex={0}>
        <table class="log">
          <thead>
            <tr>
              <th scope="col">{t("Time // of a request")}</th>
              <th scope="col">{t("Status")}</th>
              <th scope="col">{t("Request")}</th>
              <th scope="col" class="number on-wide">
                ms
              </th>
              <th scope="col" class="on-wide">
                {t("Branch and key")}
              </th>
              <th scope="col" class="on-wide">
                {t("Identifier")}
              </th>
            </tr>
          </thead>
          <Live id="requests" parts={parts} tag="tbody" />
        </table>
      </section>
    </>
  );
}

export const requestsView: View = {
  tab: "requests",
  path,
  live,
  body,
  dialogs: { "requests/:id": RequestDialog },
};
