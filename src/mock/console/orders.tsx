import type { JSX } from "hono/jsx/jsx-runtime";
import { type OrderState, orderStates } from "../../contract/limits.ts";
import type { ConsoleTexts } from "../../i18n/en/console.ts";
import type { MockOrder } from "../orders.ts";
import { newOrder } from "./new-order.tsx";
import {
  formatHour,
  formatPesos,
  Live,
  type LivePart,
  type LiveParts,
  type Reader,
  type View,
} from "./page.tsx";
import { Commands, chooseBranch, joinPath, simplify, Tabs } from "./parts.tsx";
import { ticket } from "./ticket.tsx";

type Words = ConsoleTexts["orders"];
type Placed = Readonly<{ order: MockOrder; branch: string }>;

/** Of a state that holds more, the board shows the newest, and a link to more of them. */
const perColumn = 30;
const maxPerColumn = 1_000;

function Card({ order, branch, words }: Placed & { words: Words }): JSX.Element {
  const { order_id, cliente, lineas, total, pago, delivery_type, status } = order;
  const items = lineas.map(({ cantidad, nombre }) => `${cantidad} ${nombre}`).join(", ");
  return (
    <li>
      <a
        id={`order-${order_id}`}
        class="card"
        href={`/console/orders/${order_id}`}
        draggable="true"
        aria-keyshortcuts="1 2 3 4 5 6 7 8"
        data-dialog
        data-order={order_id}
        data-done={words.moved(order_id)}
      >
        <span class="card-top">
          <b>{order_id}</b> <span class="unseen">{status}</span>{" "}
          <time class="dim">{formatHour(order.created_at_iso)}</time>
        </span>
        <bdi class="who">{cliente.nombre ?? words.someone}</bdi>
        <bdi class="items">{items}</bdi>
        <span class="card-top">
          <span class="dim">
            {delivery_type === "delivery" ? words.delivery : words.pickUp} {branch}
          </span>{" "}
          <b class={pago.pagado ? "good" : undefined}>{pago.pagado ? words.paid : formatPesos(total)}</b>
        </span>
      </a>
    </li>
  );
}

function buildColumn(state: OrderState, all: readonly Placed[], { texts, query }: Reader): LivePart {
  const words = texts.orders;
  const asked = query["state"] === state ? Math.trunc(Number(query["limit"])) || perColumn : perColumn;
  const limit = Math.min(Math.max(asked, perColumn), maxPerColumn);
  const shown = all.slice(-limit).reverse();
  const hidden = all.length - shown.length;
  const more = joinPath("/", { ...query, state, limit: limit + 100 });

  return {
    key: `${all.length} ${shown.map(({ order }) => order.order_id).join(" ")}`,
    render: () => (
      <>
        <button
          type="button"
          class="waiting"
          data-waiting
          data-one={words.waiting.one}
          data-many={words.waiting.many}
          hidden
        />
        <h2>
          <span class="state">{state}</span> <span class="count">{all.length}</span>{" "}
          <kbd>{orderStates.indexOf(state) + 1}</kbd>
        </h2>
        <ol class="cards">
          {shown.map(({ order, branch }) => (
            <Card order={order} branch={query["branch"] ? "" : branch} words={words} />
          ))}
        </ol>
        {all.length === 0 && <p class="dim">{words.none}</p>}
        {hidden > 0 && limit < maxPerColumn && (
          <a class="older" href={`${more}#order-${shown.at(-1)?.order.order_id ?? 0}`}>
            {words.older(hidden)}
          </a>
        )}
        {hidden > 0 && limit === maxPerColumn && <p class="dim older">{words.olderStill(hidden)}</p>}
      </>
    ),
  };
}

const digits = (text: string): string => text.replace(/\D/g, "");
const findable = new WeakMap<MockOrder, string>();

function toSearchText(order: MockOrder): string {
  const known = findable.get(order);
  if (known !== undefined) return known;

  const { nombre, telefono } = order.cliente;
  const text = [order.order_id, simplify(nombre ?? ""), digits(telefono)].join("\n");
  findable.set(order, text);
  return text;
}

/** Whether an order is what a person looks for: by a part of its number, its customer's name without accents, or its phone. */
function buildFinder(wanted: string): (order: MockOrder) => boolean {
  const text = simplify(wanted.trim());
  const isNumber = /\d/.test(text) && /^[\d\s()+-]+$/.test(text);
  const part = isNumber ? digits(text) : text;
  return (order) => toSearchText(order).includes(part);
}

/** The orders of the branch that the reader chose, or of all, by state, oldest first. */
function groupByState({ live, query }: Reader): Map<OrderState, Placed[]> {
  const { book } = live.look().world;
  const byState = new Map<OrderState, Placed[]>(orderStates.map((state) => [state, []]));
  const isWanted = query["q"] ? buildFinder(query["q"]) : () => true;
  for (const [branch, orders] of book.byBranch) {
    if (query["branch"] && query["branch"] !== branch) continue;
    for (const order of orders)
      if (isWanted(order)) byState.get(order.status as OrderState)?.push({ order, branch });
  }

  if (!query["branch"]) {
    for (const placed of byState.values()) placed.sort((a, b) => a.order.created_at - b.order.created_at);
  }
  return byState;
}

/** What is said above the board: how many were found, or that there is nothing yet. */
function foundPart(count: number, reader: Reader): LivePart {
  const { texts, query } = reader;
  const words = texts.orders;
  const { q = "" } = query;
  return {
    key: q ? count : Number(count === 0),
    render: () => (
      <>
        {q && (
          <p>
            <b>{words.found(count)}</b> <bdi>“{q}”</bdi> ·{" "}
            <a href={joinPath("/", { ...query, q: "" })}>{words.all}</a>
          </p>
        )}
        {!q && count === 0 && (
          <div class="panel">
            <h2>{words.empty}</h2>
            <p>{words.emptyHint}</p>
            <Commands reader={reader} branch={chooseBranch(reader)} lines={["bpos mock order"]} />
          </div>
        )}
      </>
    ),
  };
}

function live(reader: Reader): LiveParts {
  const byState = groupByState(reader);
  const count = [...byState.values()].reduce((sum, { length }) => sum + length, 0);
  const columns = Array.from(
    byState,
    ([state, placed]) => [`state-${state}`, buildColumn(state, placed, reader)] as const,
  );
  return { found: foundPart(count, reader), ...Object.fromEntries(columns) };
}

function Search({ branch, q, words }: { branch: string; q: string; words: Words }): JSX.Element {
  return (
    <search>
      <form method="get" action="/">
        {branch && <input type="hidden" name="branch" value={branch} />}
        <input
          type="search"
          name="q"
          value={q}
          autofocus={q !== ""}
          placeholder={words.search}
          aria-label={words.search}
          aria-keyshortcuts="/"
          data-key="/"
        />
      </form>
    </search>
  );
}

function Toolbar({ texts, live: world, query }: Reader): JSX.Element {
  const words = texts.orders;
  const branches = [...world.look().world.catalogs.keys()];
  const { branch = "", q = "" } = query;
  return (
    <div class="toolbar">
      <h1>{words.title}</h1>
      <Tabs
        label={words.branches}
        choices={["", ...branches].map((each) => ({
          href: joinPath("/", { branch: each, q }),
          text: each || words.allBranches,
          isCurrent: each === branch,
        }))}
      />
      <Search branch={branch} q={q} words={words} />
      <form class="random" hx-post="/_mock/orders" hx-swap="none" data-done={words.placed}>
        <label>
          {words.random} <input type="number" name="count" min={1} max={10_000} value={1} required />
        </label>
        {branch ? (
          <input type="hidden" name="branch" value={branch} />
        ) : (
          <select name="branch" aria-label={words.branches}>
            {branches.map((each) => (
              <option>{each}</option>
            ))}
          </select>
        )}
        <button type="submit">{words.place}</button>
      </form>
      <a class="button primary" href={joinPath("/console/new-order", { branch })} data-dialog data-key="n">
        {words.compose}
      </a>
    </div>
  );
}

const body = (reader: Reader, parts: LiveParts): JSX.Element => (
  <>
    <Toolbar {...reader} />
    <Live id="found" parts={parts} />
    <section class="board" aria-label={reader.texts.orders.title} tabindex={0}>
      {orderStates.map((state) => (
        <Live
          id={`state-${state}`}
          parts={parts}
          tag="section"
          class={`column ${state}`}
          data-state={state}
        />
      ))}
    </section>
    <p class="hint">{reader.texts.orders.hint}</p>
    <p
      id="arrived"
      class="unseen"
      aria-live="polite"
      data-one={reader.texts.orders.arrived.one}
      data-many={reader.texts.orders.arrived.many}
    />
  </>
);

export const ordersView: View = {
  tab: "orders",
  path: "/",
  live,
  body,
  dialogs: { "orders/:id": ticket, "new-order": newOrder },
};
