import { answered, type Call } from "../core/http.ts";
import type { Sleep } from "../core/webhook.ts";
import type { LiveWorld } from "../core/world/live-world.ts";
import { type LiveParts, toHtml } from "./page.tsx";

/** Between two looks at the world: an event is on the screen well within 300 ms. */
const everyMs = 150;

type StreamSetting = Readonly<{ live: LiveWorld; sleep: Sleep; closing: AbortSignal }>;

/**
 * The id of an event is its world: the page tells by it what is new from what is another world's. A lone CR ends a line too:
 * a text with one must not begin another event.
 */
const formatEvent = (part: string, world: string, html: string): string =>
  `id: ${world}\nevent: ${part}\ndata: ${html.replaceAll(/\r\n?|\n/g, "\ndata: ")}\n\n`;

/** Sends each live part immediately, and then whenever its key changes, until the browser leaves or the mock closes. */
export function streamParts(call: Call, parts: () => LiveParts, setting: StreamSetting): Response {
  const { live, sleep, closing } = setting;
  const { outgoing } = call.env;
  outgoing.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  const left = new AbortController();
  outgoing.once("close", () => left.abort());
  const over = AbortSignal.any([left.signal, closing]);
  const sent = new Map<string, string | number>();
  let world = "";
  const send = (): void => {
    // The same keys may mean something else in another world.
    if (live.worldId() !== world) sent.clear();
    world = live.worldId();
    for (const [id, { key, render }] of Object.entries(parts())) {
      if (sent.get(id) === key) continue;
      sent.set(id, key);
      outgoing.write(formatEvent(id, world, toHtml(render())));
    }
  };
  void (async () => {
    while (!over.aborted) {
      try {
        // A slow reader gets the current state once it has caught up.
        if (!outgoing.writableNeedDrain) send();
      } catch {
        // The file of the world cannot be read at this moment: tried again.
      }
      await sleep(everyMs, over);
    }
    outgoing.end();
  })();
  return answered;
}
