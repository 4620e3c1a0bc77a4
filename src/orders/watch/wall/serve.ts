import type { IncomingMessage, ServerResponse } from "node:http";
import { timeOfDay, timeToSecond } from "../../../cli/display/format.ts";
import type { Ui } from "../../../cli/display/ui.ts";
import type { ListenAddress } from "../../../cli/line/listen-address.ts";
import type { Runtime } from "../../../cli/runtime.ts";
import { type Answer, serveReaders } from "../../../cli/session/local-server.ts";
import { ipVersion, isLoopback, isPublicHost } from "../../../contract/addresses.ts";
import { isoWithOffset } from "../../../contract/limits.ts";
import { BposError } from "../../../errors.ts";
import { pageHeaders, readPageFile } from "../../../page/document.tsx";
import { readSecret } from "../../../settings/key-file.ts";
import { version } from "../../../version.ts";
import { cardId, renderCard, renderPin, renderWall, type WallPage } from "./page.tsx";
import { PinGate } from "./pin.ts";
import type { Wall, WallOrder } from "./wall.ts";

const maxBytes = 4_096;
const html = "text/html; charset=utf-8";
/** `same-origin` so that a browser says of a form where it comes from. */
const headers = { ...pageHeaders, "referrer-policy": "same-origin" };

interface Site extends Pick<WallPage, "lateMs" | "maxAgeMs" | "build"> {
  wall: Wall;
  ui: Ui;
  now: () => number;
  gate: PinGate | undefined;
}

/** An address, or a name of no page of the internet: whoever owns a name may lead the visitors of its page to this machine. */
function isLocalName({ headers: { host = "" } }: IncomingMessage, own: string): boolean {
  const name = host.replace(/:\d+$/, "").toLowerCase();
  const isAddress = ipVersion(name.replace(/^\[|\]$/g, "")) > 0;
  return name !== "" && (isAddress || name === own.toLowerCase() || !isPublicHost(name));
}

/** A page of another origin may not touch an order for whoever is let in. */
const isOwn = ({ headers: { origin = "", host } }: IncomingMessage): boolean =>
  URL.canParse(origin) && new URL(origin).host === host;

async function readForm(incoming: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) break;
    chunks.push(chunk);
  }
  return new URLSearchParams(size > maxBytes ? "" : Buffer.concat(chunks).toString());
}

const formatEvent = (name: string, data: object): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** Sends what has changed, and with each look at the journal what time it is and when each branch was polled. */
function stream(outgoing: ServerResponse, branches: readonly string[], { wall, now, build }: Site): void {
  const sent = new Map<string, WallOrder>();
  let order = "";
  const send = (): void => {
    // Who reads slowly gets what holds once it has caught up.
    if (outgoing.writableNeedDrain) return;
    const shown = wall.orders.filter(({ name }) => branches.includes(name));
    const ids = shown.map(cardId);
    const changed = shown.flatMap((each, n): [string, string][] => {
      const id = ids[n] ?? "";
      if (sent.get(id) === each) return [];
      sent.set(id, each);
      return [[id, renderCard(each, branches.length > 1)]];
    });
    for (const id of sent.keys()) if (!ids.includes(id)) sent.delete(id);
    if (changed.length > 0 || order !== ids.join() || order === "") {
      order = ids.join() || "none";
      outgoing.write(formatEvent("orders", { ids, cards: Object.fromEntries(changed) }));
    }
    const polls = branches.map((name) => {
      const at = wall.polledAt(name) ?? null;
      return [name, at, at === null ? "—" : timeToSecond(isoWithOffset(at))];
    });
    const time = timeOfDay(isoWithOffset(now()));
    outgoing.write(formatEvent("tick", { now: now(), time, polls, build }));
  };
  const { socket } = outgoing.req;
  if (socket.destroyed) return;
  outgoing.write("retry: 1000\n\n");
  // An answer that waits behind another on its connection is never closed itself.
  socket.once("close", wall.listen(send));
  send();
}

async function post(incoming: IncomingMessage, path: string, { wall, gate, ui }: Site): Promise<Answer> {
  if (!isOwn(incoming)) return { status: 403, text: "the Origin must be that of this page\n" };
  const form = await readForm(incoming);
  const read = (name: string): string => form.get(name) ?? "";
  if (path === "/pin" && gate !== undefined) {
    const entered = gate.enter(read("pin"));
    if (entered === "wait")
      return { status: 429, text: renderPin(ui, entered), type: html, headers: { "retry-after": "60" } };
    if (entered === "wrong") return { status: 401, text: renderPin(ui, entered), type: html };
    return { status: 303, text: "", headers: { location: "./", "set-cookie": entered.cookie } };
  }

  const isTouch = path === "/touch" || path === "/undo";
  if (!isTouch || !wall.branches.includes(read("branch"))) return nothing;
  try {
    const named = { orderId: read("order"), mark: read("mark") };
    const isDone = await wall.touch(read("branch"), named, path === "/undo");
    return { status: isDone ? 204 : 409, text: "" };
  } catch {
    return { status: 503, text: "the journal does not answer\n" };
  }
}

const nothing = { status: 404, text: "there is nothing at this path\n" };

async function answer(incoming: IncomingMessage, site: Site): Promise<Answer> {
  const { wall, ui, gate } = site;
  const [path = "", search = ""] = (incoming.url ?? "").split("?");
  const isPost = incoming.method === "POST";
  const [, file] = /^\/static\/([a-z.]+)$/.exec(path) ?? [];
  const found = file === undefined || isPost ? undefined : readPageFile(file);
  if (found !== undefined) return { status: 200, ...found };
  if (gate?.isIn(incoming) === false && !(isPost && path === "/pin"))
    return { status: 401, text: renderPin(ui), type: html };
  if (isPost) return post(incoming, path, site);

  const only = new URLSearchParams(search).get("branch");
  const branches = wall.branches.filter((name) => only === null || only === name);
  if (path === "/events" && incoming.method === "GET")
    return { status: 200, text: "", type: "text/event-stream", stream: (out) => stream(out, branches, site) };
  if (path !== "/" && path !== "/events") return nothing;
  if (branches.length === 0)
    return { status: 404, text: `${ui.texts.wall.noBranch(only ?? "", wall.branches.join(", "))}\n` };
  return { status: 200, text: renderWall({ ...site, ui: { ...ui, now: site.now() }, branches }), type: html };
}

interface Serving extends Omit<Site, "gate" | "now" | "build"> {
  address: ListenAddress;
  pinFile: string | undefined;
  /** Of the journal, by which the cookies are signed. */
  secret: () => Promise<string>;
  say: (text: string, url: string) => Promise<void>;
  warn: (text: string) => Promise<void>;
}

/** Serves the screen until it is closed. Throws `pin_unusable`, and what `startServer` throws. */
export async function serveWall({ system }: Runtime, serving: Serving): Promise<() => Promise<void>> {
  const { address, pinFile, ui, say, warn, lateMs } = serving;
  const words = ui.texts.wall;
  const pin = await readSecret(system, "BPOS_SCREEN_PIN", pinFile);
  if (pin === undefined && !isLoopback(address.host.toLowerCase()))
    throw new BposError("pin_unusable", { source: "BPOS_SCREEN_PIN", detail: { kind: "empty" } });
  if (pin?.isOpen === true && pinFile !== undefined) await warn(words.pinFileOpen(pinFile));

  const { port } = address;
  const gate = pin && new PinGate(pin.key, { secret: await serving.secret(), port, system });
  const build = `${version} ${ui.texts.language} ${lateMs}`;
  const site: Site = { ...serving, gate, build, now: () => system.clock.now() };
  const { name, isLocal, close } = await serveReaders(system, address, {
    posts: true,
    isCalled: (incoming) => isLocalName(incoming, address.host),
    async read(incoming) {
      const { headers: own, ...found } = await answer(incoming, site);
      return { ...found, headers: { ...headers, ...own } };
    },
  });
  const url = `http://${name}/`;
  await say(words.serving(url), url);
  if (!isLocal) await warn(words.plain(name.replace(/.*:/, "")));
  return close;
}
