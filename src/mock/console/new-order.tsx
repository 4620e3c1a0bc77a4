import type { JSX } from "hono/jsx/jsx-runtime";
import type { ConsoleTexts } from "../../i18n/en/console.ts";
import { listSellable, type Product } from "../catalog.ts";
import { formatPesos, type Reader } from "./page.tsx";
import { Commands, chooseBranch } from "./parts.tsx";

type Words = ConsoleTexts["newOrder"];

/** A list of more takes a browser long to open. */
const maxProducts = 1_000;

/** What each line's field offers as somebody writes: the browser searches in it. */
function Offers({ products }: { products: readonly Product[] }): JSX.Element {
  return (
    <datalist id="offers">
      {products.map(({ codigo, nombre, precio }) => (
        <option
          value={`${nombre} · ${formatPesos(precio)} · ${codigo}`}
          data-code={codigo}
          data-price={precio}
        />
      ))}
    </datalist>
  );
}

/** `n` of the first is 0; the page's script numbers those that it adds. */
function Line({ n, words }: LineProps): JSX.Element {
  const name = `order.lineas.${n}`;
  return (
    <li class="order-line" data-line>
      <label>
        {words.product}
        <input
          name={`${name}.codigo`}
          list="offers"
          placeholder={words.productHint}
          autocomplete="off"
          data-product
          data-unknown={words.unknownProduct}
        />
      </label>
      <label>
        {words.quantity}
        <input type="number" name={`${name}.cantidad`} min={1} max={9_999} value={1} required />
      </label>
      <label>
        {words.option}
        <input name={`${name}.opciones.0.nombre`} maxlength={200} placeholder={words.optionHint} />
      </label>
      <label>
        {words.optionPrice}
        <input type="number" name={`${name}.opciones.0.precio_adicional`} step="0.01" />
      </label>
      {n !== 0 && (
        <button type="button" data-remove aria-label={words.remove}>
          ×
        </button>
      )}
    </li>
  );
}
interface LineProps {
  readonly n: number | "{n}";
  readonly words: Words;
}

function Empty({ branch, words, reader }: { branch: string; words: Words; reader: Reader }): JSX.Element {
  return (
    <div class="nothing">
      <p>{words.nothing(branch)}</p>
      <Commands reader={reader} branch={branch} lines={["bpos catalog push FILE"]} />
      <p>
        <button
          type="button"
          hx-post="/_mock/orders"
          hx-vals={JSON.stringify({ branch })}
          data-done={words.placed}
          data-close
        >
          {words.random}
        </button>
      </p>
    </div>
  );
}

function Products({ reader, branch, words }: { reader: Reader; branch: string; words: Words }): JSX.Element {
  const catalog = reader.live.look().world.catalogs.get(branch);
  const all = catalog ? listSellable(catalog) : [];
  const products = all.slice(0, maxProducts);
  return (
    <div id="products">
      {products.length === 0 ? (
        <Empty branch={branch} words={words} reader={reader} />
      ) : (
        <>
          <Offers products={products} />
          <ol class="order-lines">
            <Line n={0} words={words} />
          </ol>
          <template>
            <Line n="{n}" words={words} />
          </template>
          <p class="total">
            <button type="button" data-add>
              {words.add}
            </button>
            <span>
              {words.total}{" "}
              <output data-total data-none={words.noTotal}>
                {words.noTotal}
              </output>
            </span>
          </p>
        </>
      )}
      {all.length > maxProducts && <p class="hint">{words.first(maxProducts, all.length)}</p>}
    </div>
  );
}

/** What a person can mean as a phone. The control API takes any text, to rehearse what a service might send. */
const phonePattern = String.raw`\s*\+?[\s\(]*[0-9](?:[\s.\(\)\-]*[0-9]){5,19}\s*`;

function Customer({ words }: { words: Words }): JSX.Element {
  const address = ["calle", "numero", "piso_depto", "localidad", "referencia"] as const;
  return (
    <>
      <fieldset class="fields">
        <legend>{words.customer}</legend>
        <label class="wide">
          {words.name}
          <input name="order.cliente.nombre" maxlength={200} autocomplete="off" />
        </label>
        <label class="wide">
          {words.phone}
          <input
            type="tel"
            name="order.cliente.telefono"
            maxlength={40}
            pattern={phonePattern}
            title={words.phoneHint}
            autocomplete="off"
          />
          <small class="problem">{words.phoneHint}</small>
        </label>
      </fieldset>
      <fieldset class="fields">
        <legend>{words.handover}</legend>
        <div class="choices">
          {(["delivery", "pick_up"] as const).map((type) => (
            <label class="choice">
              <input type="radio" name="order.delivery_type" value={type} checked={type === "delivery"} />{" "}
              {words.types[type]}
            </label>
          ))}
        </div>
        {address.map((part) => (
          <label class={`address ${part === "numero" || part === "piso_depto" ? "" : "wide"}`}>
            {words.address[part]}
            <input name={`order.domicilio.${part}`} maxlength={200} autocomplete="off" />
          </label>
        ))}
        <label class="address">
          {words.shipping}
          <input type="number" name="order.costo_envio" min={0} step="0.01" />
        </label>
      </fieldset>
      <p class="hint">{words.hint}</p>
    </>
  );
}

const payments = {
  collect: { modo: "en_entrega", pagado: false },
  paid: { modo: "online", pagado: true },
  unpaid: { modo: "online", pagado: false },
} as const;

/** A form that composes an order of what the branch sells. */
export function newOrder(reader: Reader): JSX.Element {
  const words = reader.texts.newOrder;
  const branches = [...reader.live.look().world.catalogs.keys()];
  const branch = chooseBranch(reader);
  return (
    <form
      class="compose"
      hx-post="/_mock/orders"
      hx-swap="none"
      data-draft
      data-done={words.placed}
      data-close
    >
      <h1 id="dialog-title">{words.title}</h1>
      <label class="choice">
        {words.branch}{" "}
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
            <option selected={each === branch}>{each}</option>
          ))}
        </select>
      </label>
      <Products reader={reader} branch={branch} words={words} />
      <Customer words={words} />
      <div class="fields">
        <label class="wide">
          {words.payment}
          <select name="order.pago" data-json>
            {(["collect", "paid", "unpaid"] as const).map((way) => (
              <option value={JSON.stringify(payments[way])}>{words.payments[way]}</option>
            ))}
          </select>
        </label>
        <label>
          {words.copies}
          <input type="number" name="count" min={1} max={10_000} value={1} required />
        </label>
        <button type="button" data-clear>
          {words.clear}
        </button>
        <button type="submit" class="primary">
          {words.place}
        </button>
      </div>
    </form>
  );
}
