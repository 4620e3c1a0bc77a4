import { createHash } from "node:crypto";
import type { JSX } from "hono/jsx/jsx-runtime";
import { fields, list, present } from "../../../cli/display/fields.ts";
import { number, shown, timeOfDay } from "../../../cli/display/format.ts";
import type { Ui } from "../../../cli/display/ui.ts";
import { isOffState, isoWithOffset } from "../../../contract/limits.ts";
import { undoMs } from "../../../journal/screen-orders.ts";
import { Head, toHtml } from "../../../page/document.tsx";
import { customerName, deliveryType, editedWords } from "../../show/view.ts";
import type { WallOrder } from "./wall.ts";

export const cardId = ({ branch, orderId }: WallOrder): string =>
  `o${createHash("sha256").update(`${branch} ${orderId}`).digest("hex").slice(0, 12)}`;

function Items({ order, ui }: WallOrder): JSX.Element {
  return (
    <ul class="items">
      {list(order["lineas"]).map((line) => (
        <li>
          <b>{number(line["cantidad"], ui)}</b>
          <div>
            <bdi>{shown(present(line["nombre"]) ? line["nombre"] : line["codigo"])}</bdi>
            {list(line["opciones"]).map((option) => (
              <span class="option">
                + <bdi>{shown(option["nombre"])}</bdi>
              </span>
            ))}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Why it is to be touched, or when it was. */
function describe({ state, edited, acknowledgedAt, ui: { texts } }: WallOrder) {
  const words = texts.wall;
  if (isOffState(state))
    return { kind: "off", label: words.off[state === "rechazado" ? state : "cancelado"] };
  if (acknowledgedAt !== null) return { kind: "calm", label: "" };
  if (state === "") return { kind: "off", label: words.gone };
  if (edited !== null) return { kind: "edited", label: editedWords(edited.split(","), texts) };
  return { kind: "new", label: words.fresh };
}

/** An order; all of it can be touched until somebody has. */
function Card({ order: given, isMany }: { order: WallOrder; isMany: boolean }): JSX.Element {
  const { order, ui, since, acknowledgedAt, name, orderId, mark } = given;
  const { wall: words, orders } = ui.texts;
  const { kind, label } = describe(given);
  const id = shown(order["order_id"]);
  const { referencia } = fields(order["domicilio"]);
  const data = { "data-branch": name, "data-order": orderId, "data-mark": mark };
  return (
    <li id={cardId(given)} class={`card ${kind}`} data-since={since} data-rings={acknowledgedAt === null}>
      <header>
        <h2 class={id.length > 6 ? "long" : undefined}>{id}</h2>
        <time />
      </header>
      {label !== "" && <p class="label">{label}</p>}
      <p class="who">
        <strong>
          <bdi>{customerName(order, ui.texts)}</bdi>
        </strong>
        <span class="tag">{deliveryType(order, orders)}</span>
        {isMany && (
          <span class="tag">
            <bdi>{shown(name)}</bdi>
          </span>
        )}
      </p>
      <Items {...given} />
      {present(referencia) && (
        <p class="note">
          <bdi>{shown(referencia)}</bdi>
        </p>
      )}
      {acknowledgedAt === null ? (
        <button type="button" class="touch" {...data} aria-label={words.touchOrder(id)}>
          {words.touch}
        </button>
      ) : (
        <footer>
          <span>✓ {timeOfDay(isoWithOffset(acknowledgedAt))}</span>
          <button
            type="button"
            class="undo"
            {...data}
            data-until={acknowledgedAt + undoMs}
            aria-label={words.undoOrder(id)}
          >
            {words.undo}
          </button>
        </footer>
      )}
    </li>
  );
}

export interface WallPage {
  ui: Ui;
  /** Those that the page shows. */
  branches: readonly string[];
  /** From which age on an order is late, and a poll too old. */
  lateMs: number;
  maxAgeMs: number;
  build: string;
}

function Screen({ ui, branches, lateMs, maxAgeMs, build }: WallPage): JSX.Element {
  const { wall: words, language } = ui.texts;
  const data = { "data-late": lateMs, "data-max-age": maxAgeMs, "data-build": build, "data-now": ui.now };
  const shape = { "data-minutes": words.minutes("{n}"), "data-hours": words.hours("{h}", "{n}") };
  return (
    <html lang={language}>
      <Head title={`${words.title} · bpos`} files="static/" style="screen.css" scripts={["screen.js"]} />
      <body {...data} {...shape}>
        <header class="bar">
          <h1>
            <bdi>{branches.length === 1 ? shown(branches[0]) : words.title}</bdi>
          </h1>
          {ui.badge !== null && <span class="tag">{ui.badge}</span>}
          <span class="count">
            <b id="waiting">0</b> {words.waiting}
          </span>
          <button type="button" id="next" class="count" hidden>
            <b id="ringing">0</b> {words.ringing}
          </button>
          <time id="clock" />
        </header>
        <noscript>
          <p class="alarm">{words.noScript}</p>
        </noscript>
        <button type="button" id="sound" hidden>
          {words.sound}
        </button>
        <p id="failed" class="alarm" role="alert" hidden>
          {words.failed}
        </p>
        <main>
          <ul id="orders" />
          <p id="none" hidden>
            {words.none}
          </p>
        </main>
        <section id="blind" role="alert" hidden>
          <h2 id="lost">{words.lost}</h2>
          <h2 id="old">
            {words.old} <bdi id="which" />
          </h2>
          <p>
            {words.lastPoll} <b id="polled">—</b>
          </p>
          <p>{words.goesOn}</p>
        </section>
      </body>
    </html>
  );
}

export const renderWall = (page: WallPage): string => `<!doctype html>${toHtml(Screen(page))}`;

export const renderCard = (order: WallOrder, isMany: boolean): string => toHtml(Card({ order, isMany }));

/** What a device sees first; `problem` says why it sees it again. */
export function renderPin({ texts }: Ui, problem?: "wrong" | "wait"): string {
  const words = texts.wall;
  const element = (
    <html lang={texts.language}>
      <Head title={`${words.title} · bpos`} files="static/" style="screen.css" scripts={[]} />
      <body>
        <main class="pin">
          <h1>{words.title}</h1>
          <form method="post" action="pin">
            <label for="pin">{words.pin.label}</label>
            <input id="pin" name="pin" type="password" autocomplete="off" required autofocus />
            {problem !== undefined && <p role="alert">{words.pin[problem]}</p>}
            <button type="submit">{words.pin.enter}</button>
          </form>
          <p>{words.pin.hint}</p>
        </main>
      </body>
    </html>
  );
  return `<!doctype html>${toHtml(element)}`;
}
