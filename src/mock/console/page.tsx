import type { JSX } from "hono/jsx/jsx-runtime";
import { isoWithOffset } from "../../contract/limits.ts";
import type { Language, T } from "../../texts/texts.ts";
import type { MockControl } from "../control/control.ts";
import { isUsedUp } from "../core/faults.ts";
import type { RequestLog } from "../core/request-log.ts";
import type { PageTools } from "../core/shop/orders.ts";
import type { Webhook } from "../core/webhook.ts";
import type { LiveWorld } from "../core/world/live-world.ts";
import { defineScenario } from "../core/world/scenarios.ts";
import type { World } from "../core/world/world.ts";

/** The data sources of the page; it changes the world only through the control API and the service's API. */
export interface ConsoleParts extends PageTools {
  readonly live: LiveWorld;
  readonly control: MockControl;
  readonly log: RequestLog;
  readonly webhook: Webhook;
}

/** One page view of one browser. */
export interface Reader extends ConsoleParts {
  readonly t: T;
  readonly language: Language;
  readonly query: Readonly<Record<string, string>>;
  /** The last part of the path, where a view shows one thing. */
  readonly id: string;
  /** The world's age when the page was rendered: its stream goes on with what the page chose then. */
  readonly at: number;
  /** The mock's address, for example `http://127.0.0.1:4010`. */
  readonly address: string;
}

/** A part of a view that follows the world: it is rendered again when its key changes. */
export interface LivePart {
  readonly key: string | number;
  readonly render: () => JSX.Element;
}

export type LiveParts = Readonly<Record<string, LivePart>>;

const tabs = {
  orders: "/",
  catalog: "/console/catalog",
  campaigns: "/console/campaigns",
  requests: "/console/requests",
  world: "/console/world",
} as const;

type Tab = keyof typeof tabs;

const tabNames = (t: T): Readonly<Record<Tab, string>> => ({
  orders: t("Orders"),
  catalog: t("Catalog"),
  campaigns: t("Campaigns"),
  requests: t("Requests // that the mock answered"),
  world: t("World"),
});

export interface View {
  readonly tab: Tab;
  /** `:id` is `reader.id`. */
  readonly path: string;
  /** Live parts, by the id of the element that holds each. */
  readonly live: (reader: Reader) => LiveParts;
  readonly body: (reader: Reader, live: LiveParts) => JSX.Element;
  /** Contents of the dialog, by path below /console/; `:id` is `reader.id`. Its heading has the id dialog-title. */
  readonly dialogs?: Readonly<Record<string, (reader: Reader) => JSX.Element>>;
}

/** The place of a live part: the stream's event of the same name replaces what is in it. */
export function Live({ id, parts, tag: Tag = "div", ...rest }: LiveProps): JSX.Element {
  return (
    <Tag id={id} sse-swap={id} {...rest}>
      {parts[id]?.render()}
    </Tag>
  );
}
interface LiveProps {
  readonly id: string;
  readonly parts: LiveParts;
  readonly tag?: "div" | "ul" | "tbody" | "p" | "span" | "dl" | "section";
  readonly class?: string;
  readonly [attribute: string]: unknown;
}

const money = new Intl.NumberFormat("es-AR", { style: "currency", currency: "ARS" });
export const formatPesos = (amount: number): string => money.format(amount);

/** The head of every view: the world's time, and whether the clock is frozen or faults are active. */
export function statusPart(reader: Reader): LiveParts {
  const { live } = reader;
  const { world, date } = live.look();
  const time = isoWithOffset(date);
  const [day, second] = [time.slice(0, 10), time.slice(11, 19)];
  const { name } = defineScenario(world.scenario);
  return {
    "scenario-name": { key: name, render: () => <>{reader.t("Scenario {name}", { name })}</> },
    status: {
      key: `${day} ${second}`,
      render: () => (
        <time datetime={time}>
          <span class="day">{day}</span> {second}
        </time>
      ),
    },
    // Apart from the time, so that it is not replaced under a click.
    sandbox: sandboxPart(reader),
  };
}

const countFaults = ({ faults }: World): number => faults.armed.filter((fault) => !isUsedUp(fault)).length;

function sandboxPart({ live, t }: Reader): LivePart {
  const { world } = live.look();
  const armed = countFaults(world);
  const { speed } = world.clock;
  const parts: string[] = [];
  if (speed === 0) parts.push(t("clock frozen"));
  else if (speed !== 1) parts.push(`×${speed}`);
  if (armed > 0) parts.push(t("{armed, plural, one {# fault} other {# faults}}", { armed }));
  return {
    key: parts.join(),
    render: () => (
      <span class={armed > 0 ? "faulty" : undefined}>{parts.map((part) => ` · ${part}`).join("")}</span>
    ),
  };
}

const htmxConfig = JSON.stringify({
  allowEval: false,
  allowScriptTags: false,
  includeIndicatorStyles: false,
  historyCacheSize: 0,
  defaultSettleDelay: 0,
});

const receipt = "M8 6h16v20l-4-3-4 3-4-3-4 3z";
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6e5f"/>' +
  `<path d="${receipt}" fill="#fff"/><path d="M12 12h8M12 17h8" stroke="#0b6e5f" stroke-width="2"/></svg>`;

/** The icon of the tab, beside the name. */
function Mark(): JSX.Element {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d={receipt} />
      <path class="lines" d="M12 12h8M12 17h8" />
    </svg>
  );
}

function Header({ reader, live, tab }: HeaderProps): JSX.Element {
  const { t } = reader;
  const { world, date } = reader.live.look();
  const offset = isoWithOffset(date).slice(-6);
  const isFaulty = countFaults(world) > 0;
  return (
    <header class="top">
      <a class="skip" href="#main">
        {t("Skip to the content")}
      </a>
      <a class="brand" href="/" aria-label={t("bpos console")}>
        <Mark /> <span class="brand-name">{t("bpos console")}</span>
      </a>
      <nav class="views" aria-label={t("Views")}>
        {Object.entries(tabNames(t)).map(([name, title]) => (
          <a href={tabs[name as Tab]} aria-current={name === tab ? "page" : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <Live id="scenario-name" parts={live} tag="span" class="scenario" />
      {/* Only what is in the link is replaced, each second: a click on it is not lost. */}
      <a id="to-world" class="pill" href={isFaulty ? `${tabs.world}#faults` : tabs.world}>
        <b>SANDBOX</b> <Live id="status" parts={live} tag="span" />{" "}
        <span id="zone" data-offset={offset}>
          UTC{offset}
        </span>
        <Live id="sandbox" parts={live} tag="span" />
      </a>
    </header>
  );
}
interface HeaderProps {
  readonly reader: Reader;
  readonly live: LiveParts;
  readonly tab: Tab | undefined;
}

function Head({ title }: { title: string }): JSX.Element {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="htmx-config" content={htmxConfig} />
      <title>{title}</title>
      <link rel="icon" href={`data:image/svg+xml,${encodeURIComponent(icon)}`} />
      <link rel="stylesheet" href="/console/static/console.css" />
      {["htmx.js", "sse.js", "console.js"].map((name) => (
        <script src={`/console/static/${name}`} defer />
      ))}
    </head>
  );
}

export const toHtml = (element: JSX.Element): string => (element as { toString(): string }).toString();

/** The whole page around a body: that of a view, or of what a view shows in its dialog. */
export function renderPage(
  reader: Reader,
  body: JSX.Element,
  { tab, path = "" }: Partial<View> = {},
): string {
  const { t, language } = reader;
  const title = tab === undefined ? t("Page not found") : tabNames(t)[tab];
  const query = new URLSearchParams({ ...reader.query, view: path, id: reader.id, at: String(reader.at) });
  const element = (
    <html lang={language}>
      <Head title={`${title} · ${t("bpos console")}`} />
      <body
        hx-ext="sse, json"
        sse-connect={`/console/events?${query.toString()}`}
        data-failed={t("The mock refused this: ")}
        data-unreachable={t("The mock did not respond.")}
        data-copied={t("Copied.")}
        data-not-copied={t("The browser does not allow this page to copy.")}
      >
        <Header reader={reader} live={statusPart(reader)} tab={tab} />
        <noscript>
          <p class="banner">{t("This page needs JavaScript for live updates and for changes.")}</p>
        </noscript>
        <p id="disconnected" class="banner" role="status" hidden>
          {t("The mock does not respond. This page reconnects when the mock is back.")}
        </p>
        <main id="main" tabindex={-1}>
          {body}
        </main>
        <div id="notice" role="status" aria-live="polite" />
        <dialog id="dialog" aria-labelledby="dialog-title">
          <button type="button" class="close" aria-label={t("Close")}>
            ×
          </button>
          <div id="dialog-body" />
        </dialog>
      </body>
    </html>
  );
  return `<!doctype html>${toHtml(element)}`;
}

export function ErrorBody({ message }: { message: string }): JSX.Element {
  return <h1>{message}</h1>;
}
