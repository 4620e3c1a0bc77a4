import type { JSX } from "hono/jsx/jsx-runtime";
import { type OrderState, orderStates } from "../../contract/limits.ts";
import type { T } from "../../texts/texts.ts";
import type { MockOrder } from "../core/shop/orders.ts";
import { newOrder } from "./new-order.tsx";
import { Card, ends, type Placed } from "./order-card.tsx";
import { Live, type LivePart, type LiveParts, type Reader, type View } from "./page.tsx";
import { branchName, joinPath, SearchField, simplify, stateName, Tabs } from "./parts.tsx";
import { ticket } from "./ticket.tsx";

/** How many orders of a state the board shows: the oldest and, below a link to the others, the newest. */
const perColumn = 30;
const maxPerColumn = 1_000;
/** How many of these are the newest: somebody who looks at the board sees what arrives. */
const perTail = 10;
/** How many orders of a final state the board shows while these are folded. */
const perFold = 4;

const isFolded = ({ query }: Reader, state: OrderState): boolean =>
  ends.has(state) && query["ends"] !== "open";

/** The orders that a column leaves out: between its oldest and its newest, or older ones of a final state. */
function Hidden({ hidden, limit, href, t }: HiddenProps): JSX.Element | null {
  if (hidden === 0) return null;
  if (limit === maxPerColumn)
    return <p class="dim hidden-orders">{t("{hidden} more: use the search.", { hidden })}</p>;
  return (
    <a class="hidden-orders" href={href}>
      {t("{hidden} more", { hidden })}
    </a>
  );
}
type HiddenProps = Readonly<{ hidden: number; limit: number; href: string; t: T }>;

function chooseLimit(reader: Reader, state: OrderState): number {
  const { query } = reader;
  if (isFolded(reader, state)) return perFold;
  const asked = query["state"] === state ? Math.trunc(Number(query["limit"])) || perColumn : perColumn;
  return Math.min(Math.max(asked, perColumn), maxPerColumn);
}

/** Returns the orders of a column: what waits longest is first, and of what is finished the latest. */
function chooseShown(state: OrderState, all: readonly Placed[], limit: number) {
  if (ends.has(state)) return { head: all.slice(-limit).reverse(), tail: [] };
  if (all.length <= limit) return { head: all, tail: [] };
  return { head: all.slice(0, limit - perTail), tail: all.slice(-perTail) };
}

function buildColumn(state: OrderState, all: readonly Placed[], reader: Reader): LivePart {
  const { t, query } = reader;
  const limit = chooseLimit(reader, state);
  const { head, tail } = chooseShown(state, all, limit);
  const shown = [...head, ...tail];
  const hidden = all.length - shown.length;
  const isSmall = isFolded(reader, state);
  const more = joinPath("/", { ...query, state, limit: limit + 100 });
  const Cards = ({ placed }: { placed: readonly Placed[] }): JSX.Element => (
    <ol class="cards">
      {placed.map(({ order, branch }) => (
        <Card order={order} branch={query["branch"] ? "" : branch} reader={reader} isSmall={isSmall} />
      ))}
    </ol>
  );

  return {
    key: `${all.length} ${shown.map(({ order }) => order.order_id).join(" ")}`,
    render: () => (
      <>
        <button
          type="button"
          class="waiting"
          data-waiting
          data-one={t("1 new")}
          data-many={t("{count} new")}
          hidden
        />
        <h2>
          <span class="state" title={state}>
            {stateName(state, t)}
          </span>{" "}
          <span class="count">{all.length}</span> <kbd>{orderStates.indexOf(state) + 1}</kbd>
        </h2>
        <Cards placed={head} />
        {all.length === 0 && <p class="dim">{t("None")}</p>}
        {!isSmall && (
          <Hidden
            hidden={hidden}
            limit={limit}
            href={`${more}#order-${head.at(-1)?.order.order_id ?? 0}`}
            t={t}
          />
        )}
        {tail.length > 0 && <Cards placed={tail} />}
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

/** Returns a test for orders that match a search: by a part of the number, the customer's name without accents, or the phone. */
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

/** The line above the board: how many orders match, or that there are none yet. */
function foundPart(count: number, reader: Reader): LivePart {
  const { t, query } = reader;
  const { q = "" } = query;
  return {
    key: q ? count : Number(count === 0),
    render: () => (
      <>
        {q && (
          <p>
            <b>{t("{count, plural, one {# order matches} other {# orders match}}", { count })}</b>{" "}
            <bdi>“{q}”</bdi> · <a href={joinPath("/", { ...query, q: "" })}>{t("Show all")}</a>
          </p>
        )}
        {!q && count === 0 && (
          <div class="panel">
            <h2>{t("No orders yet")}</h2>
            <p>{t("Place a new or random order above.")}</p>
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

function Search({ branch, q, t, ends: open }: SearchProps): JSX.Element {
  return (
    <search>
      <form method="get" action="/">
        {branch && <input type="hidden" name="branch" value={branch} />}
        {open && <input type="hidden" name="ends" value={open} />}
        <SearchField name="q" value={q} label={t("Number, name or phone")} autofocus={q !== ""} />
      </form>
    </search>
  );
}

type SearchProps = Readonly<Record<"branch" | "q" | "ends", string> & { t: T }>;

function Toolbar({ t, live: world, query }: Reader): JSX.Element {
  const branches = [...world.look().world.catalogs.keys()];
  const { branch = "", q = "" } = query;
  return (
    <div class="toolbar">
      <h1>{t("Orders")}</h1>
      <Tabs
        label={t("Branch")}
        choices={["", ...branches].map((each) => ({
          href: joinPath("/", { branch: each, q, ends: query["ends"] }),
          text: each === "" ? t("All branches") : branchName(each, t),
          isCurrent: each === branch,
        }))}
      />
      <Search branch={branch} q={q} ends={query["ends"] ?? ""} t={t} />
      <form
        class="random"
        hx-post="/_mock/orders"
        hx-swap="none"
        data-done={t("Orders placed: {orders.length}, starting at number {orders.0.order_id}.")}
      >
        <label>
          {t("Random orders")} <input type="number" name="count" min={1} max={10_000} value={1} required />
        </label>
        {branch ? (
          <input type="hidden" name="branch" value={branch} />
        ) : (
          <select name="branch" aria-label={t("Branch")}>
            {branches.map((each) => (
              <option value={each}>{branchName(each, t)}</option>
            ))}
          </select>
        )}
        <button type="submit">{t("Place")}</button>
      </form>
      <a class="button primary" href={joinPath("/console/new-order", { branch })} data-dialog data-key="n">
        {t("New order")}
      </a>
    </div>
  );
}

function Column({ state, parts, reader }: ColumnProps): JSX.Element {
  return (
    <Live
      id={`state-${state}`}
      parts={parts}
      tag="section"
      class={`column ${state}`}
      data-state={state}
      data-name={stateName(state, reader.t)}
    />
  );
}
type ColumnProps = Readonly<{ state: OrderState; parts: LiveParts; reader: Reader }>;

/** Off by default; the browser remembers the choice, and the page's script applies it. */
const Alerts = ({ t }: { t: T }): JSX.Element => (
  <fieldset
    class="line alerts"
    data-alerts
    data-blocked={t("The browser blocks notifications from this page.")}
  >
    <legend class="unseen">{t("When an order arrives")}</legend>
    <span aria-hidden="true">{t("When an order arrives")}:</span>
    {(["notify", "sound"] as const).map((kind) => (
      <label class="choice">
        <input type="checkbox" name={kind} autocomplete="off" />{" "}
        {t(kind === "notify" ? "Desktop notification" : "Sound")}
      </label>
    ))}
  </fieldset>
);

/** Finished orders: one column for three states until expanded. */
function Ends({ reader, parts }: Omit<ColumnProps, "state">): JSX.Element {
  const { query, t } = reader;
  const isOpen = query["ends"] === "open";
  return (
    <div class={isOpen ? "ends open" : "ends"}>
      <a
        id="ends"
        class="button"
        href={joinPath("/", { ...query, state: "", limit: "", ends: isOpen ? "" : "open" })}
      >
        {isOpen ? t("Collapse") : t("Show finished orders")}
      </a>
      {[...ends].map((state) => (
        <Column state={state} parts={parts} reader={reader} />
      ))}
    </div>
  );
}

const body = (reader: Reader, parts: LiveParts): JSX.Element => {
  const { t } = reader;
  return (
    <>
      <Toolbar {...reader} />
      <Live id="found" parts={parts} />
      <section class="board" aria-label={t("Orders")} tabindex={0}>
        {orderStates
          .filter((state) => !ends.has(state))
          .map((state) => (
            <Column state={state} parts={parts} reader={reader} />
          ))}
        <Ends reader={reader} parts={parts} />
      </section>
      <Alerts t={t} />
      <p class="hint">
        {t(
          "Drag an order to another state, or press 1 to 8 on it. Arrow keys move between orders, Enter opens one, N starts a new one, / searches.",
        )}
      </p>
      <p
        id="arrived"
        class="unseen"
        aria-live="polite"
        data-one={t("1 new order: number {last}")}
        data-many={t("{count} new orders, the latest is number {last}")}
      />
    </>
  );
};

export const ordersView: View = {
  tab: "orders",
  path: "/",
  live,
  body,
  dialogs: { "orders/:id": ticket, "new-order": newOrder },
};
