import type { JSX } from "hono/jsx/jsx-runtime";
import type { OrderState } from "../../contract/limits.ts";
import type { T } from "../../texts/texts.ts";
import type { MockOrder } from "../core/shop/orders.ts";
import { formatPesos, type Reader } from "./page.tsx";
import { branchName, formatAge, formatHour, nameWait, stateName } from "./parts.tsx";

/** An order with its branch. */
export type Placed = Readonly<{ order: MockOrder; branch: string }>;

/** The states in which an order is finished. */
export const ends: ReadonlySet<OrderState> = new Set(["entregado", "rechazado", "cancelado"]);

const maxDishes = 4;

function Dishes({ order: { lineas }, t }: { order: MockOrder; t: T }): JSX.Element {
  const shown = lineas.length > maxDishes ? maxDishes - 1 : maxDishes;
  return (
    <span class="dishes">
      {lineas.slice(0, shown).map(({ cantidad, nombre, opciones }) => (
        <>
          <bdi class="dish">
            <b>{cantidad}</b> {nombre}
          </bdi>{" "}
          {(opciones ?? []).map((option) => (
            <bdi class="dish option">{option.nombre}</bdi>
          ))}
        </>
      ))}
      {lineas.length > shown && <span class="dish">{t("+ {n} more", { n: lineas.length - shown })}</span>}
    </span>
  );
}

/** The age of an order in progress; afterwards, the time when it was placed. */
function Age({ order, date }: { order: MockOrder; date: number }): JSX.Element {
  const { created_at, created_at_iso: created, status } = order;
  const hour = formatHour(created);
  if (ends.has(status as OrderState)) return <time class="dim">{hour}</time>;
  return (
    <time class="dim" datetime={created} title={hour} data-born={created_at}>
      {formatAge(date - created_at)}
    </time>
  );
}

/** An order on the board, as a kitchen screen shows it: age, customer, dishes with their options, total. */
export function Card({ order, branch, reader, isSmall }: CardProps): JSX.Element {
  const { order_id, cliente, total, pago, delivery_type, status, created_at } = order;
  const { t, live } = reader;
  const { date } = live.look();
  return (
    <li>
      <a
        id={`order-${order_id}`}
        class={isSmall ? "card small" : "card"}
        href={`/console/orders/${order_id}`}
        draggable="true"
        aria-keyshortcuts="1 2 3 4 5 6 7 8"
        data-dialog
        data-order={order_id}
        data-wait={ends.has(status as OrderState) ? undefined : nameWait(date - created_at)}
        data-done={t("Order {id} moved to {status}.", { id: order_id, status: "{status}" })}
      >
        <span class="card-top">
          <b>{order_id}</b> <span class="unseen">{stateName(status as OrderState, t)}</span>{" "}
          {!isSmall && <Age order={order} date={date} />}
        </span>
        <bdi class="who">{cliente.nombre ?? t("A customer")}</bdi>
        {!isSmall && <Dishes order={order} t={t} />}
        {!isSmall && (
          <>
            <span class="dim">
              {delivery_type === "delivery"
                ? t("Delivery // how an order reaches its customer")
                : t("Pick-up")}
              {branch && ` · ${branchName(branch, t)}`}
            </span>{" "}
            <b class={pago.pagado ? "sum good" : "sum"}>
              {pago.pagado ? t("Paid online") : formatPesos(total)}
            </b>
          </>
        )}
      </a>
    </li>
  );
}
type CardProps = Placed & Readonly<{ reader: Reader; isSmall: boolean }>;
