import type { JSX } from "hono/jsx/jsx-runtime";
import { type OrderState, orderStates } from "../../contract/limits.ts";
import type { ConsoleTexts } from "../../i18n/en/console.ts";
import type { MockOrder } from "../orders.ts";
import { hourOf, inPesos, Live, type LivePart, type LiveParts, type Reader, type View } from "./page.tsx";

type Words = ConsoleTexts["orders"];
type Placed = Readonly<{ order: MockOrder; branch: string }>;

/** Of a state that holds more, the board shows the newest, and a link to more of them. */
const perColumn = 30;

function Card({ order, branch, words }: Placed & { words: Words }): JSX.Element {
  const { order_id, cliente, lineas, total, pago, delivery_type } = order;
  const items = lineas.map(({ cantidad, nombre }) => `${cantidad} ${nombre}`).join(", ");
  return (
    <li>
      <a
        id={`order-${order_id}`}
        class="card"
        href={`/console/orders/${order_id}`}
        draggable="true"
        data-dialog
        data-order={order_id}
        data-done={words.moved(order_id)}
      >
        <span class="card-top">
          <b>{order_id}</b> <span class="dim">{branch}</span> <time>{hourOf(order.created_at_iso)}</time>
        </span>
        <bdi class="who">{cliente.nombre ?? words.someone}</bdi>
        <bdi class="items">{items}</bdi>
        <span class="card-top">
          <span class="dim">{delivery_type === "delivery" ? words.delivery : words.pickUp}</span>{" "}
          <b>{pago.pagado ? words.paid : inPesos(total)}</b>
        </span>
      </a>
    </li>
  );
}

function column(state: OrderState, all: readonly Placed[], { texts, query }: Reader): LivePart {
  const words = texts.orders;
  const limit = query["state"] === state ? Number(query["limit"]) || perColumn : perColumn;
  const shown = all.slice(-limit).reverse();
  const hidden = all.length - shown.length;
  const more = new URLSearchParams({ ...query, state, limit: String(limit + 100) });
  return {
    key: `${all.length} ${shown.map(({ order }) => order.order_id).join(" ")}`,
    render: () => (
      <>
        <h2>
          {orderStates.indexOf(state) + 1} {state} <span class="count">{all.length}</span>
        </h2>
        <ol class="cards">
          {shown.map(({ order, branch }) => (
            <Card order={order} branch={query["branch"] ? "" : branch} words={words} />
          ))}
        </ol>
        {all.length === 0 && <p class="dim">{words.none}</p>}
        {hidden > 0 && <a href={`/?${more.toString()}`}>{words.older(hidden)}</a>}
      </>
    ),
  };
}

/** The orders of the branch that the reader chose, or of all, by state, oldest first. */
function ordersByState({ live, query }: Reader): Map<OrderState, Placed[]> {
  const { book } = live.look().world;
  const byState = new Map<OrderState, Placed[]>(orderStates.map((state) => [state, []]));
  for (const [branch, orders] of book.byBranch) {
    if (query["branch"] && query["branch"] !== branch) continue;
    for (const order of orders) byState.get(order.status as OrderState)?.push({ order, branch });
  }
  if (!query["branch"])
    for (const placed of byState.values()) placed.sort((a, b) => a.order.created_at - b.order.created_at);
  return byState;
}

const live = (reader: Reader): LiveParts =>
  Object.fromEntries(
    Array.from(ordersByState(reader), ([state, placed]) => [`state-${state}`, column(state, placed, reader)]),
  );

function body({ texts, live: world, query }: Reader, parts: LiveParts): JSX.Element {
  const words = texts.orders;
  const branches = [...world.look().world.catalogs.keys()];
  return (
    <>
      <div class="toolbar">
        <h1>{words.title}</h1>
        <nav aria-label={words.branches} class="tabs">
          <a href="/" aria-current={query["branch"] ? undefined : "true"}>
            {words.allBranches}
          </a>
          {branches.map((branch) => (
            <a
              href={`/?branch=${encodeURIComponent(branch)}`}
              aria-current={query["branch"] === branch ? "true" : undefined}
            >
              {branch}
            </a>
          ))}
        </nav>
        <form hx-post="/_mock/orders" hx-swap="none" data-done={words.placed}>
          {query["branch"] && <input type="hidden" name="branch" value={query["branch"]} />}
          <label>
            {words.random} <input type="number" name="count" min={1} max={10_000} value={1} required />
          </label>
          <button type="submit">{words.place}</button>
        </form>
        <a class="button primary" href="/console/new-order" data-dialog data-key="n">
          {words.compose}
        </a>
      </div>
      <section class="board" aria-label={words.title} tabindex={0}>
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
      <p class="hint">{words.hint}</p>
    </>
  );
}

export const ordersView: View = { tab: "orders", path: "/", live, body };
