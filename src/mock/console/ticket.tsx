import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { orderStates } from "../../contract/limits.ts";
import {
  clienteSchema,
  domicilioSchema,
  type Linea,
  lineaSchema,
  opcionSchema,
  orderSchema,
  pagoSchema,
} from "../../contract/order.ts";
import type { T } from "../../texts/texts.ts";
import { MockRefusal } from "../core/refusal.ts";
import type { MockOrder } from "../core/shop/orders.ts";
import { formatPesos, type Reader } from "./page.tsx";
import { branchName, formatMoment, stateName } from "./parts.tsx";

/** The fields outside the specification, by path. */
function listExtraFields(order: MockOrder): [path: string, json: string][] {
  const { cliente, domicilio, pago, lineas } = order;
  const parts: [path: string, value: object | null | undefined, known: object][] = [
    ["", order, orderSchema.shape],
    ["cliente.", cliente, clienteSchema.shape],
    ["domicilio.", domicilio, domicilioSchema.shape],
    ["pago.", pago, pagoSchema.shape],
  ];
  for (const [n, line] of lineas.entries()) {
    parts.push([`lineas.${n}.`, line, lineaSchema.shape]);
    for (const [m, option] of (line.opciones ?? []).entries())
      parts.push([`lineas.${n}.opciones.${m}.`, option, opcionSchema.shape]);
  }
  return parts.flatMap(([path, value, known]) =>
    Object.entries(value ?? {}).flatMap(([name, extra]) =>
      Object.hasOwn(known, name) ? [] : [[path + name, JSON.stringify(extra)] as [string, string]],
    ),
  );
}

const Row = ({ class: className, children }: { class?: string; children?: Child }): JSX.Element => (
  <p class={`ticket-row ${className ?? ""}`}>{children}</p>
);

function Head({ order, branch, t }: { order: MockOrder; branch: string; t: T }): JSX.Element {
  const { order_id, created_at_iso: created, delivery_type, delivery_address, domicilio, cliente } = order;
  const street = [domicilio?.calle, domicilio?.numero].filter(Boolean).join(" ");
  const parts = [street, domicilio?.piso_depto, domicilio?.localidad].filter(Boolean).join(", ");
  return (
    <header>
      <Row>
        <span>{branchName(branch, t)}</span>
        <time datetime={created}>{formatMoment(created)}</time>
      </Row>
      <h1 id="dialog-title">{t("Order {id}", { id: order_id })}</h1>
      <p class="ticket-type">{delivery_type === "delivery" ? t("DELIVERY") : t("PICK-UP")}</p>
      <Row>
        <b>
          <bdi>{cliente.nombre ?? t("A customer")}</bdi>
        </b>
        <bdi>{cliente.telefono}</bdi>
      </Row>
      {parts || delivery_address ? (
        <p>
          <bdi>{parts || delivery_address}</bdi>
        </p>
      ) : null}
      {domicilio?.referencia ? (
        <p class="warn">
          {t("Note")}: <bdi>{domicilio.referencia}</bdi>
        </p>
      ) : null}
    </header>
  );
}

function Line({ line, t }: { line: Linea; t: T }): JSX.Element {
  const { cantidad, nombre, codigo, precio_unitario, subtotal, opciones } = line;
  const each = (price: number): string =>
    cantidad === 1 ? formatPesos(price) : t("{price} each", { price: formatPesos(price) });
  return (
    <li>
      <Row>
        <b>
          {cantidad} × <bdi>{nombre}</bdi>
        </b>
        <b>{formatPesos(subtotal)}</b>
      </Row>
      <p class="dim">
        {codigo ? <bdi class="mono">{codigo}</bdi> : t("entered by hand")} · {each(precio_unitario)}
      </p>
      {(opciones ?? []).map((option) => (
        <p>
          + <bdi>{option.nombre}</bdi>
          {option.codigo ? <bdi class="mono dim"> {option.codigo}</bdi> : null}
          {option.precio_adicional === 0 ? "" : ` · ${each(option.precio_adicional)}`}
        </p>
      ))}
    </li>
  );
}

function Sums({ order, t }: { order: MockOrder; t: T }): JSX.Element {
  const { costo_envio, total, pago } = order;
  const isOnline = pago.modo === "online";
  return (
    <>
      {costo_envio !== 0 && (
        <Row class="dim">
          <span>{t("Shipping (included in total)")}</span>
          <span>{formatPesos(costo_envio)}</span>
        </Row>
      )}
      <Row>
        <b>{t("Total")}</b>
        <b>{formatPesos(total)}</b>
      </Row>
      {pago.pagado ? (
        <p class="ticket-due good">
          {isOnline ? t("PAID ONLINE · nothing to collect") : t("PAID · nothing to collect")}
        </p>
      ) : (
        <>
          {isOnline && <p class="warn">{t("Online payment, not paid yet")}</p>}
          <Row class="ticket-due">
            <span>{t("TO COLLECT")}</span>
            <span>{formatPesos(pago.monto)}</span>
          </Row>
        </>
      )}
    </>
  );
}

/** Attributes of an element that is requested again when a column of the board changes: the order may have been moved elsewhere. */
const refreshWith = (id: string, order: MockOrder) => ({
  id,
  "hx-get": `/console/orders/${order.order_id}`,
  "hx-trigger": orderStates.map((state) => `sse:state-${state}`).join(", "),
  "hx-select": `#${id}`,
  "hx-target": "this",
  "hx-swap": "outerHTML",
});

function States({ order, t }: { order: MockOrder; t: T }): JSX.Element {
  return (
    <section {...refreshWith("ticket-states", order)} class="ticket-states">
      <h2>{t("Move to")}</h2>
      {orderStates.map((state, n) => (
        <button
          type="button"
          id={`move-${state}`}
          class={state}
          aria-pressed={order.status === state ? "true" : "false"}
          data-key={n + 1}
          title={state}
          data-done={t("Order {id} moved to {status}.", { id: order.order_id, status: stateName(state, t) })}
          hx-patch={`/_mock/orders/${order.order_id}`}
          hx-vals={JSON.stringify({ status: state })}
          hx-swap="none"
        >
          {stateName(state, t)} <kbd>{n + 1}</kbd>
        </button>
      ))}
    </section>
  );
}

/** The order of the path with its branch. Throws MockRefusal 404. */
export function findOrder({ live, id }: Pick<Reader, "live" | "id">): { order: MockOrder; branch: string } {
  const { book } = live.look().world;
  const order = book.byId.get(Number(id));
  if (!order) throw new MockRefusal(404, `order ${id} does not exist`);
  const [branch = ""] = [...book.byBranch].find(([, orders]) => orders.includes(order)) ?? [];
  return { order, branch };
}

/** The order as printers of both widths print it; drawn when it is opened. */
function Paper({ order, t }: { order: MockOrder; t: T }): JSX.Element {
  // Another state is another picture.
  const address = (paper: number): string =>
    `/console/receipts/${order.order_id}?paper=${paper}&state=${order.status}`;
  return (
    <details>
      <summary>{t("Printed receipt")}</summary>
      <div {...refreshWith("ticket-paper", order)} class="ticket-paper">
        {[58, 80].map((paper) => (
          <a href={address(paper)} target="_blank" rel="noopener">
            <img
              loading="lazy"
              src={address(paper)}
              alt={t("Order {id} on {paper} mm paper", { id: order.order_id, paper })}
            />
          </a>
        ))}
      </div>
    </details>
  );
}

/** An order as a kitchen ticket, with the states to move it to. */
export function ticket(reader: Reader): JSX.Element {
  const { t, drawReceipt } = reader;
  const { order, branch } = findOrder(reader);
  const extra = listExtraFields(order);
  const json = JSON.stringify(order, null, 2);
  return (
    <div class="ticket-view">
      <article class="ticket">
        <Head order={order} branch={branch} t={t} />
        <ul>
          {order.lineas.map((line) => (
            <Line line={line} t={t} />
          ))}
          {order.lineas.length === 0 && <li class="dim">{t("No items.")}</li>}
        </ul>
        <Sums order={order} t={t} />
        {extra.length > 0 && (
          <>
            <h2>{t("Other fields")}</h2>
            <dl class="facts">
              {extra.map(([path, value]) => (
                <>
                  <dt class="mono">{path}</dt>
                  <dd>
                    <bdi class="mono">{value}</bdi>
                  </dd>
                </>
              ))}
            </dl>
          </>
        )}
      </article>
      <States order={order} t={t} />
      {drawReceipt && <Paper order={order} t={t} />}
      <details>
        <summary>{t("JSON from the service")}</summary>
        <div {...refreshWith("ticket-json", order)}>
          <button type="button" data-copy={json}>
            {t("Copy")}
          </button>
          <pre class="code" tabindex={0}>
            {json}
          </pre>
        </div>
      </details>
    </div>
  );
}
