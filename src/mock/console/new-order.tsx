import type { JSX } from "hono/jsx/jsx-runtime";
import type { T } from "../../texts/texts.ts";
import { listSellable, type Product } from "../core/shop/catalog.ts";
import { formatPesos, type Reader } from "./page.tsx";
import { branchName, Commands, chooseBranch, pushLine } from "./parts.tsx";

/** Browsers open a longer list slowly. */
const maxProducts = 1_000;

/** The products of the branch: the page's script shows those that match below the field where somebody types. */
function Offers({ products, t }: { products: readonly Product[]; t: T }): JSX.Element {
  return (
    <div id="offers" class="offers" role="listbox" aria-label={t("Catalog")} hidden>
      {products.map(({ codigo, nombre, precio }, n) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active one.
        <div
          id={`offer-${n}`}
          role="option"
          aria-selected="false"
          data-value={`${nombre} · ${formatPesos(precio)} · ${codigo}`}
          data-code={codigo}
          data-price={precio}
        >
          <bdi>{nombre}</bdi> <bdi class="mono dim">{codigo}</bdi> <b>{formatPesos(precio)}</b>
        </div>
      ))}
    </div>
  );
}

/** `n` of the first is 0; the page's script numbers those that it adds. */
function Line({ n, t }: LineProps): JSX.Element {
  const name = `order.lineas.${n}`;
  return (
    <li class="order-line" data-line>
      <label>
        {t("Product")}
        <input
          name={`${name}.codigo`}
          role="combobox"
          aria-controls="offers"
          aria-expanded="false"
          aria-autocomplete="list"
          placeholder={t("Part of the name or code")}
          autocomplete="off"
          data-product
          data-unknown={t("Choose a product from the list.")}
        />
      </label>
      <label>
        {t("Quantity")}
        <input type="number" name={`${name}.cantidad`} min={1} max={9_999} value={1} required />
      </label>
      <label>
        {t("Option or note")}
        <input name={`${name}.opciones.0.nombre`} maxlength={200} placeholder={t("for example: no onion")} />
      </label>
      <label>
        {t("Extra price")}
        <input type="number" name={`${name}.opciones.0.precio_adicional`} step="0.01" />
      </label>
      {n !== 0 && (
        <button type="button" data-remove aria-label={t("Remove this line")}>
          ×
        </button>
      )}
    </li>
  );
}
interface LineProps {
  readonly n: number | "{n}";
  readonly t: T;
}

function Empty({ branch, t, reader }: { branch: string; t: T; reader: Reader }): JSX.Element {
  return (
    <div class="nothing">
      <p>
        {t(
          "{branch} has no products to order. Push a catalog and open this form again, or place a random order.",
          { branch },
        )}
      </p>
      <Commands reader={reader} branch={branch} lines={[pushLine]} />
      <p>
        <button
          type="button"
          hx-post="/_mock/orders"
          hx-vals={JSON.stringify({ branch })}
          data-done={t("Orders placed: {orders.length}, starting at number {orders.0.order_id}.")}
          data-close
        >
          {t("Place a random order")}
        </button>
      </p>
    </div>
  );
}

function Products({ reader, branch, t }: { reader: Reader; branch: string; t: T }): JSX.Element {
  const catalog = reader.live.look().world.catalogs.get(branch);
  const all = catalog ? listSellable(catalog) : [];
  const products = all.slice(0, maxProducts);
  return (
    <div id="products">
      {products.length === 0 ? (
        <Empty branch={branch} t={t} reader={reader} />
      ) : (
        <>
          <Offers products={products} t={t} />
          <ol class="order-lines">
            <Line n={0} t={t} />
          </ol>
          <template>
            <Line n="{n}" t={t} />
          </template>
          <p class="total">
            <button type="button" data-add>
              {t("Add a line")}
            </button>
            <span>
              {t("Total")} <output data-total>—</output>
            </span>
          </p>
        </>
      )}
      {all.length > maxProducts && (
        <p class="hint">
          {t("Only the first {shown} of {all} products are listed.", { shown: maxProducts, all: all.length })}
        </p>
      )}
    </div>
  );
}

/** Pattern of a phone that a person types. The control API takes any text, to rehearse what a service might send. */
const phonePattern = String.raw`\s*\+?[\s\(]*[0-9](?:[\s.\(\)\-]*[0-9]){5,19}\s*`;

function Customer({ t }: { t: T }): JSX.Element {
  const address = [
    ["calle", t("Street")],
    ["numero", t("Number")],
    ["piso_depto", t("Floor and flat")],
    ["localidad", t("Town")],
    ["referencia", t("Note for the courier")],
  ] as const;
  return (
    <>
      <fieldset class="fields">
        <legend>{t("Customer")}</legend>
        <label class="wide">
          {t("Name")}
          <input name="order.cliente.nombre" maxlength={200} autocomplete="off" />
        </label>
        <label class="wide">
          {t("Phone")}
          <input
            type="tel"
            name="order.cliente.telefono"
            maxlength={40}
            pattern={phonePattern}
            title={t("Optional, for example +54 9 11 5555-1234")}
            autocomplete="off"
          />
          <small class="problem">{t("Optional, for example +54 9 11 5555-1234")}</small>
        </label>
      </fieldset>
      <fieldset class="fields">
        <legend>{t("Delivery or pick-up")}</legend>
        <div class="choices">
          {(["delivery", "pick_up"] as const).map((type) => (
            <label class="choice">
              <input type="radio" name="order.delivery_type" value={type} checked={type === "delivery"} />{" "}
              {t(type === "delivery" ? "Delivery // how an order reaches its customer" : "Pick-up")}
            </label>
          ))}
        </div>
        {address.map(([part, name]) => (
          <label class={`address ${part === "numero" || part === "piso_depto" ? "" : "wide"}`}>
            {name}
            <input name={`order.domicilio.${part}`} maxlength={200} autocomplete="off" />
          </label>
        ))}
        <label class="address">
          {t("Shipping")}
          <input type="number" name="order.costo_envio" min={0} step="0.01" />
        </label>
      </fieldset>
      <p class="hint">{t("Empty fields are filled at random.")}</p>
    </>
  );
}

const payments = {
  collect: { modo: "en_entrega", pagado: false },
  paid: { modo: "online", pagado: true },
  unpaid: { modo: "online", pagado: false },
} as const;

function Payment({ t }: { t: T }): JSX.Element {
  const names = {
    collect: t("Pay on delivery"),
    paid: t("Paid online // a payment"),
    unpaid: t("Online, not paid yet"),
  };
  return (
    <label class="fit">
      {t("Payment")}
      <select name="order.pago" data-json>
        {(["collect", "paid", "unpaid"] as const).map((way) => (
          <option value={JSON.stringify(payments[way])}>{names[way]}</option>
        ))}
      </select>
    </label>
  );
}

/** A form to compose an order of the branch's products. */
export function newOrder(reader: Reader): JSX.Element {
  const { t } = reader;
  const branches = [...reader.live.look().world.catalogs.keys()];
  const branch = chooseBranch(reader);
  return (
    <form
      class="compose"
      hx-post="/_mock/orders"
      hx-swap="none"
      data-draft
      data-done={t("Orders placed: {orders.length}, starting at number {orders.0.order_id}.")}
      data-close
    >
      <h1 id="dialog-title">{t("New order")}</h1>
      <label class="choice">
        {t("Branch")}{" "}
        <select
          name="branch"
          autofocus
          hx-get="/console/new-order"
          hx-trigger="change"
          hx-target="#products"
          hx-select="#products"
          hx-swap="outerHTML"
        >
          {branches.map((each) => (
            <option value={each} selected={each === branch}>
              {branchName(each, t)}
            </option>
          ))}
        </select>
      </label>
      <Products reader={reader} branch={branch} t={t} />
      <Customer t={t} />
      <div class="fields">
        <Payment t={t} />
        <label class="fit">
          {t("Copies")}
          <input type="number" name="count" min={1} max={10_000} value={1} required />
        </label>
        <button type="button" data-clear>
          {t("Clear")}
        </button>
        <button type="submit" class="primary">
          {t("Place order")}
        </button>
      </div>
    </form>
  );
}
