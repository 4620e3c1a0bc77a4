import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { describeError, type Output } from "../../cli/display/output.ts";
import { createTheme } from "../../cli/display/theme.ts";
import type { Ui } from "../../cli/display/ui.ts";
import type { ListenAddress } from "../../cli/line/listen-address.ts";
import { loadTexts, type Runtime } from "../../cli/runtime.ts";
import { isCalledBy, machineNames, startServer } from "../../cli/session/local-server.ts";
import { isLoopback } from "../../contract/addresses.ts";
import { BposError } from "../../errors.ts";
import { findLanguage } from "../../i18n/shapes.ts";
import { isJournalAway } from "../../journal/engine.ts";
import { pageHeaders } from "../../page/document.tsx";
import { readPageFile } from "../../page/files.ts";
import { renderPage, renderPart, type Shown } from "./page.tsx";
import type { Status } from "./status.ts";
import type { ShownPlace } from "./view.ts";

const closeMs = 300;

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
  const asked = [query.get("lang") ?? "", ...(headers["accept-language"] ?? "").split(",")];
  const [language] = asked.flatMap((tag) => findLanguage(tag.trim().replace(/;.*/, "")) ?? []);
  const texts = language === undefined ? output.ui.texts : await loadTexts(language);
  const now = runtime.system.clock.now();
  return { ...output.ui, theme: createTheme(false), texts, width: undefined, now };
}

type Answer = { status: number; text: string; type?: string; headers?: object };

const html = "text/html; charset=utf-8";
const plain = "text/plain; charset=utf-8";

async function answer(incoming: IncomingMessage, site: Site): Promise<Answer> {
  const { address, where, token } = site;
  if (isLoopback(address.host.toLowerCase()) && !isCalledBy(incoming, machineNames(incoming, address.host)))
    return { status: 421, text: "this Host is not served here\n" };
  if (incoming.method !== "GET" && incoming.method !== "HEAD")
    return { status: 405, text: "the method must be GET\n", headers: { allow: "GET, HEAD" } };

  const [path = "", search = ""] = (incoming.url ?? "").split("?");
  const query = new URLSearchParams(search);
  const [first = "", ...rest] = path.slice(1).split("/");
  const inside = token === undefined ? [first, ...rest] : rest;
  const ui = await openUi(incoming, query, site);
  // Of digests the comparison takes the same time whatever was sent.
  if (token !== undefined && !timingSafeEqual(digest(first), digest(token)))
    return { status: 403, text: `${ui.texts.status.page.forbidden}\n` };

  // What the page loads is below its own address.
  if (inside.length === 0) return { status: 308, text: "", headers: { location: `/${first}/` } };
  const [name = "", file = "", ...deeper] = inside;
  if (name === "static" && deeper.length === 0) {
    const found = readPageFile(file);
    if (found !== undefined) return { status: 200, ...found };
  }
  if (inside.length !== 1 || name !== "") return { status: 404, text: "there is nothing at this path\n" };

  const shown = await readShown(site, ui);
  const render = query.has("part") ? renderPart : renderPage;
  return { status: 200, text: render({ shown, where, ui }), type: html };
}

function send(outgoing: ServerResponse, { status, text, type = plain, headers }: Answer): void {
  const length = Buffer.byteLength(text);
  outgoing.writeHead(status, { ...pageHeaders, ...headers, "content-type": type, "content-length": length });
  outgoing.end(text);
}

/** Serves the page until it is stopped. Throws where the first reading fails: it may be the wrong journal. */
export async function serveStatus(runtime: Runtime, serving: Serving): Promise<void> {
  const { system, signal } = runtime;
  const { output, address, read } = serving;
  const { host } = address;
  const words = output.texts.status;
  const last = await read();
  const isLocal = isLoopback(host.toLowerCase());
  const token = isLocal ? undefined : system.uuid().replaceAll("-", "");
  const site = { ...serving, runtime, token, last };
  const server = createServer((incoming, outgoing) => {
    answer(incoming, site)
      .then((found) => send(outgoing, found))
      .catch(() => outgoing.destroy());
  });
  const { port, close } = await startServer(server, address, system);
  try {
    const name = host.includes(":") ? `[${host}]` : host;
    // With --quiet too: nobody could guess the token.
    await output.data(
      `${output.ui.texts.status.serving(`http://${name}:${port}/${token === undefined ? "" : `${token}/`}`)}\n`,
    );
    if (!isLocal) await output.warning(words.anybody(`${name}:${port}`));
    if (!signal.aborted) await once(signal, "abort");
  } finally {
    await close(closeMs);
  }
  throw new BposError("interrupted", { during: "follow" });
}
