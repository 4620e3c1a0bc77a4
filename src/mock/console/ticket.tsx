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
import type { ConsoleTexts } from "../../i18n/en/console.ts";
import type { MockOrder } from "../orders.ts";
import { MockRefusal } from "../refusal.ts";
import { formatPesos, type Reader } from "./page.tsx";
import { formatMoment } from "./parts.tsx";

type Words = ConsoleTexts["ticket"];

/** The fields that the specification does not have, by the path of each. */
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

function Head({ order, branch, words }: { order: MockOrder; branch: string; words: Words }): JSX.Element {
  const { order_id, created_at_iso: created, delivery_type, delivery_address, domicilio, cliente } = order;
  const street = [domicilio?.calle, domicilio?.numero].filter(Boolean).join(" ");
  const parts = [street, domicilio?.piso_depto, domicilio?.localidad].filter(Boolean).join(", ");
  return (
    <header>
      <Row>
        <span>{branch}</span>
        <time datetime={created}>{formatMoment(created)}</time>
      </Row>
      <h1 id="dialog-title">{words.title(order_id)}</h1>
      <p class="ticket-type">{delivery_type === "delivery" ? words.delivery : words.pickUp}</p>
      <Row>
        <b>
          <bdi>{cliente.nombre ?? words.someone}</bdi>
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
          {words.reference}: <bdi>{domicilio.referencia}</bdi>
        </p>
      ) : null}
    </header>
  );
}

function Line({ line, words }: { line: Linea; words: Words }): JSX.Element {
  const { cantidad, nombre, codigo, precio_unitario, subtotal, opciones } = line;
  const each = (price: number): string =>
    cantidad === 1 ? formatPesos(price) : words.each(formatPesos(price));
  return (
    <li>
      <Row>
        <b>
          {cantidad} × <bdi>{nombre}</bdi>
        </b>
        <b>{formatPesos(subtotal)}</b>
      </Row>
      <p class="dim">
        {codigo ? <bdi class="mono">{codigo}</bdi> : words.byHand} · {each(precio_unitario)}
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

function Sums({ order, words }: { order: MockOrder; words: Words }): JSX.Element {
  const { costo_envio, total, pago } = order;
  const isOnline = pago.modo === "online";
  return (
    <>
      {costo_envio !== 0 && (
        <Row class="dim">
          <span>{words.shipping}</span>
          <span>{formatPesos(costo_envio)}</span>
        </Row>
      )}
      <Row>
        <b>{words.total}</b>
        <b>{formatPesos(total)}</b>
      </Row>
      {pago.pagado ? (
        <p class="ticket-due good">{isOnline ? words.paidOnline : words.paid}</p>
      ) : (
        <>
          {isOnline && <p class="warn">{words.onlineUnpaid}</p>}
          <Row class="ticket-due">
            <span>{words.collect}</span>
            <span>{formatPesos(pago.monto)}</span>
          </Row>
        </>
      )}
    </>
  );
}

/** What asks for itself again when a column of the board changes: the order may have been moved elsewhere. */
const refreshWith = (id: string, order: MockOrder) => ({
  id,
  "hx-get": `/console/orders/${order.order_id}`,
  "hx-trigger": orderStates.map((state) => `sse:state-${state}`).join(", "),
  "hx-select": `#${id}`,
  "hx-target": "this",
  "hx-swap": "outerHTML",
});

function States({ order, texts }: { order: MockOrder; texts: ConsoleTexts }): JSX.Element {
  const words = texts.ticket;
  return (
    <section {...refreshWith("ticket-states", order)} class="ticket-states">
      <h2>{words.moveTo}</h2>
      {orderStates.map((state, n) => (
        <button
          type="button"
          id={`move-${state}`}
          class={state}
          aria-pressed={order.status === state ? "true" : "false"}
          data-key={n + 1}
          title={state}
          data-done={words.moved(order.order_id, texts.states[state])}
          hx-patch={`/_mock/orders/${order.order_id}`}
          hx-vals={JSON.stringify({ status: state })}
          hx-swap="none"
        >
          {texts.states[state]} <kbd>{n + 1}</kbd>
        </button>
      ))}
    </section>
  );
}

/** The order of the path with its branch. Throws MockRefusal 404. */
export function findOrder({ live, id }: Pick<Reader, "live" | "id">): { order: MockOrder; branch: string } {
  const { book } = live.look().world;
  const order = book.byId.get(Number(id));
  if (!order) throw new MockRefusal(404, `there is no order ${id}`);
  const [branch = ""] = [...book.byBranch].find(([, orders]) => orders.includes(order)) ?? [];
  return { order, branch };
}

/** As printers of both widths print it; drawn when it is opened. */
function Paper({ order, words }: { order: MockOrder; words: Words }): JSX.Element {
  // Another state is another picture.
  const address = (paper: number): string =>
    `/console/receipts/${order.order_id}?paper=${paper}&state=${order.status}`;
  return (
    <details>
      <summary>{words.paper}</summary>
      <div {...refreshWith("ticket-paper", order)} class="ticket-paper">
        {[58, 80].map((paper) => (
          <a href={address(paper)} target="_blank" rel="noopener">
            <img loading="lazy" src={address(paper)} alt={words.onPaper(order.order_id, paper)} />
          </a>
        ))}
      </div>
    </details>
  );
}

/** An order as a kitchen ticket, and where it can be moved. */
export function ticket(reader: Reader): JSX.Element {
  const { texts, drawReceipt } = reader;
  const words = texts.ticket;
  const { order, branch } = findOrder(reader);
  const extra = listExtraFields(order);
  const json = JSON.stringify(order, null, 2);
  return (
    <div class="ticket-view">
      <article class="ticket">
        <Head order={order} branch={branch} words={words} />
        <ul>
          {order.lineas.map((line) => (
            <Line line={line} words={words} />
          ))}
          {order.lineas.length === 0 && <li class="dim">{words.noLines}</li>}
        </ul>
        <Sums order={order} words={words} />
        {extra.length > 0 && (
          <>
            <h2>{words.extra}</h2>
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
      <States order={order} texts={texts} />
      {drawReceipt && <Paper order={order} words={words} />}
      <details>
        <summary>{words.json}</summary>
        <div {...refreshWith("ticket-json", order)}>
          <button type="button" data-copy={json}>
            {texts.copy}
          </button>
          <pre class="code" tabindex={0}>
            {json}
          </pre>
        </div>
      </details>
    </div>
  );
}
