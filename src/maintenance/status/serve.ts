import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { describeError, type Output } from "../../cli/display/output.ts";
import { createTheme } from "../../cli/display/theme.ts";
import type { Ui } from "../../cli/display/ui.ts";
import type { ListenAddress } from "../../cli/line/listen-address.ts";
import { loadTexts, type Runtime } from "../../cli/runtime.ts";
import { type Answer, serveReaders } from "../../cli/session/local-server.ts";
import { isLoopback } from "../../contract/addresses.ts";
import { BposError } from "../../errors.ts";
import { findAccepted, findLanguage } from "../../i18n/shapes.ts";
import { isJournalAway } from "../../journal/engine.ts";
import { pageHeaders, readPageFile } from "../../page/document.tsx";
import type { ShownPlace } from "../journal/place.ts";
import { renderPage, type Shown } from "./page.tsx";
import type { Status } from "./status.ts";

interface Serving {
  output: Output;
  where: ShownPlace;
  address: ListenAddress;
  read: () => Promise<Status | undefined>;
}

type Site = Serving & { runtime: Runtime; token: string | undefined; last: Status | undefined };

/** How all fare; while the journal is away, how they fared last, and why. */
async function readShown(site: Site, { texts }: Ui): Promise<Shown> {
  try {
    site.last = await site.read();
    return { status: site.last, trouble: undefined };
  } catch (error) {
    const trouble = isJournalAway(error) ? texts.detail(error.detail) : await describeError(error, texts);
    return { status: site.last, trouble };
  }
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** The language of ?lang, else the first of the browser's that there is, else that of the command. */
async function openUi({ headers }: IncomingMessage, query: URLSearchParams, site: Site): Promise<Ui> {
  const { output, runtime } = site;
  const language = findLanguage(query.get("lang") ?? "") ?? findAccepted(headers["accept-language"]);
  const texts = language === undefined ? output.ui.texts : await loadTexts(language);
  const now = runtime.system.clock.now();
  return { ...output.ui, theme: createTheme(false), texts, width: undefined, now };
}

async function answer(incoming: IncomingMessage, site: Site): Promise<Answer> {
  const { where, token } = site;
  const [path = "", search = ""] = (incoming.url ?? "").split("?");
  const [first = "", ...rest] = path.slice(1).split("/");
  const inside = token === undefined ? [first, ...rest] : rest;
  const ui = await openUi(incoming, new URLSearchParams(search), site);
  // Of digests the comparison takes the same time whatever was sent.
  if (token !== undefined && !timingSafeEqual(digest(first), digest(token)))
    return { status: 403, text: `${ui.texts.status.page.forbidden}\n` };

  // What the page loads is below its own address.
  if (inside.length === 0) return { status: 308, text: "", headers: { location: `/${first}/` } };
  const [name = "", file = "", ...deeper] = inside;
  const found = name === "static" && deeper.length === 0 ? readPageFile(file) : undefined;
  if (found !== undefined) return { status: 200, ...found };
  if (inside.length !== 1 || name !== "") return { status: 404, text: "there is nothing at this path\n" };

  const text = renderPage({ shown: await readShown(site, ui), where, ui });
  return { status: 200, text, type: "text/html; charset=utf-8" };
}

/** Serves the page until it is stopped. Throws where the first reading fails: it may be the wrong journal. */
export async function serveStatus(runtime: Runtime, serving: Serving): Promise<void> {
  const { system, signal } = runtime;
  const { output, address, read } = serving;
  const last = await read();
  const token = isLoopback(address.host.toLowerCase()) ? undefined : system.uuid().replaceAll("-", "");
  const site = { ...serving, runtime, token, last };
  const { name, close } = await serveReaders(system, address, async (incoming) => {
    const { headers, ...found } = await answer(incoming, site);
    return { ...found, headers: { ...pageHeaders, ...headers } };
  });
  try {
    const url = `http://${name}/${token === undefined ? "" : `${token}/`}`;
    // With --quiet too: nobody could guess the token.
    await output.data(`${output.ui.texts.status.serving(url)}\n`);
    if (token !== undefined) await output.warning(output.texts.status.anybody(name));
    if (!signal.aborted) await once(signal, "abort");
  } finally {
    await close();
  }
  throw new BposError("interrupted", { during: "follow" });
}
