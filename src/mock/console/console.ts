import { Hono } from "hono";
import { openApiDocument } from "../../contract/openapi.ts";
import { readOwnFile } from "../../own-files.ts";
import { findLanguage, type Language, textsIn } from "../../texts/texts.ts";
import { campaignsBase } from "../core/faults.ts";
import { type Call, type HttpEnv, sendText } from "../core/http.ts";
import { MockRefusal } from "../core/refusal.ts";
import type { Sleep } from "../core/webhook.ts";
import { campaignView } from "./campaign.tsx";
import { campaignsView } from "./campaigns.tsx";
import { catalogView } from "./catalog.tsx";
import { ordersView } from "./orders.tsx";
import {
  type ConsoleParts,
  ErrorBody,
  type Reader,
  renderPage,
  statusPart,
  toHtml,
  type View,
} from "./page.tsx";
import { requestsView } from "./requests.tsx";
import { streamParts } from "./stream.ts";
import { findOrder } from "./ticket.tsx";
import { worldView } from "./world.tsx";

export type ConsoleSetting = ConsoleParts &
  Readonly<{ lang: Language | undefined; sleep: Sleep; closing: AbortSignal }>;

const views: readonly View[] = [
  ordersView,
  catalogView,
  campaignsView,
  campaignView,
  requestsView,
  worldView,
];

/** Returns the first available language of `Accept-Language`. */
const findAccepted = (header = ""): Language | undefined =>
  header.split(",").flatMap((tag) => findLanguage(tag.trim().replace(/;.*/, "")) ?? [])[0];

/** The language of the mock, otherwise the first available of the browser's. */
const chooseLanguage = (call: Call, lang: Language | undefined): Language =>
  lang ?? findAccepted(call.req.header("accept-language")) ?? "en";

function toReader(call: Call, { lang, ...parts }: ConsoleSetting): Reader {
  const { id: _id, view: _view, at: asked, ...query } = call.req.query();
  const at = asked === undefined ? parts.live.look().age : Number(asked);
  const address = `http://${call.req.header("host") ?? ""}`;
  const language = chooseLanguage(call, lang);
  return {
    ...parts,
    t: textsIn(language).t,
    language,
    query,
    at,
    id: call.req.param("id") ?? "",
    address,
  };
}

/** Only our own scripts and styles: markup in a text has no effect, even if it got into a page. */
const pageHeaders = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

const types: Readonly<Record<string, string>> = { js: "text/javascript", css: "text/css" };

/** A script or stylesheet of our pages; undefined for an unknown name. */
function readPageFile(name: string): { text: string; type: string } | undefined {
  const [, extension = ""] = /^[a-z]+\.(js|css)$/.exec(name) ?? [];
  if (extension === "") return undefined;
  try {
    const text = readOwnFile(`dist/console/${name}`).toString();
    return { text, type: `${types[extension] ?? ""}; charset=utf-8` };
  } catch {
    return undefined;
  }
}

const sendHtml = (call: Call, html: string, status = 200): Response =>
  sendText(call, status, html, { ...pageHeaders, "content-type": "text/html; charset=utf-8" });

function sendStatic(call: Call): Response {
  const file = readPageFile(call.req.param("name") ?? "");
  if (file === undefined) throw new MockRefusal(404, "this path does not exist");
  return sendText(call, 200, file.text, { ...pageHeaders, "content-type": file.type });
}

async function sendReceipt(call: Call, setting: ConsoleSetting): Promise<Response> {
  const { order, branch } = findOrder(toReader(call, setting));
  const paper = call.req.query("paper") === "58" ? 58 : 80;
  const lang = chooseLanguage(call, setting.lang);
  const png = await setting.drawReceipt?.(order, { paper, lang, branch });
  if (png === undefined) throw new MockRefusal(404, "this path does not exist");
  return sendText(call, 200, Buffer.from(png), { ...pageHeaders, "content-type": "image/png" });
}

/** The mock's page (`docs/reference/mock.md`), as an app that answers GET alone: changes go to the control API. */
export function createConsole(setting: ConsoleSetting): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError((error, call: Call) => {
    // A part of a page is asked for by the page, which shows what went wrong as it does of the control API.
    if (!(error instanceof MockRefusal) || call.req.header("hx-request")) throw error;
    const reader = toReader(call, setting);
    return sendHtml(call, renderPage(reader, ErrorBody({ message: error.message })), error.status);
  });
  app.notFound(() => {
    throw new MockRefusal(404, "this path does not exist");
  });
  app.get("/console/static/:name", sendStatic);
  app.get("/console/receipts/:id", (call) => sendReceipt(call, setting));
  app.get("/openapi.json", (call) => {
    const { address } = toReader(call, setting);
    const document = openApiDocument({ base_url: address, campaigns_base_url: address + campaignsBase });
    return sendText(call, 200, JSON.stringify(document, null, 2), { "content-type": "application/json" });
  });
  app.get("/console/events", (call) => {
    const reader = { ...toReader(call, setting), id: call.req.query("id") ?? "" };
    const view = views.find(({ path }) => path === call.req.query("view"));
    const parts = () => ({ ...statusPart(reader), ...view?.live(reader) });
    return streamParts(call, parts, setting);
  });
  for (const view of views) {
    app.get(view.path, (call) => {
      const reader = toReader(call, setting);
      return sendHtml(call, renderPage(reader, view.body(reader, view.live(reader)), view));
    });
    for (const [path, dialog] of Object.entries(view.dialogs ?? {}))
      app.get(`/console/${path}`, (call) => {
        const reader = toReader(call, setting);
        const body = dialog(reader);
        return sendHtml(call, call.req.header("hx-request") ? toHtml(body) : renderPage(reader, body, view));
      });
  }
  return app;
}
