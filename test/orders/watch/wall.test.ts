import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Wall } from "../../../src/orders/watch/wall/wall.ts";
import { realClock } from "../../../src/system.ts";
import { askJournal } from "../../support/journal.ts";
import { freePort } from "../../support/listen.ts";
import { fixedServer, orderOf } from "../../support/peers.ts";
import { program } from "../../support/programs.ts";
import { type Run, shell, temporaryFolder } from "../../support/run.ts";
import { pointedAt } from "../../support/service.ts";
import { orderBook } from "../../support/watch.ts";

type Headers = Record<string, string>;
interface Answered {
  status: number;
  text: string;
  headers: Record<string, string | string[] | undefined>;
}

/** A request with headers that fetch does not let anybody set. */
const ask = (url: string, headers: Headers = {}, body?: URLSearchParams): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const method = body === undefined ? "GET" : "POST";
    const sent = request(url, { method, headers: { ...(body && form), ...headers } }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => (text += part));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }));
    });
    sent.on("error", reject).end(body?.toString());
  });

/** A card as a tablet has it. */
interface Card {
  id: string;
  kind: string;
  rings: boolean;
  form: URLSearchParams;
}

function readCard(html: string): Card {
  const find = (pattern: RegExp): string => pattern.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  return {
    id: find(/<h2[^>]*>(.*?)<\/h2>/),
    kind: find(/class="card (\w+)"/),
    rings: find(/data-rings="?(\w+)/) === "true",
    form: new URLSearchParams({
      branch: find(/data-branch="(.*?)"/),
      order: find(/data-order="(.*?)"/),
      mark: find(/data-mark="(.*?)"/),
    }),
  };
}

/** A tablet: what the stream of the page has said so far. */
async function tablet(url: string, headers: Headers = {}) {
  const off = new AbortController();
  onTestFinished(() => off.abort());
  const answer = await fetch(`${url}events`, { headers, signal: off.signal });
  let shown: { ids: string[]; cards: Map<string, Card>; polls: unknown[] } = {
    ids: [],
    cards: new Map(),
    polls: [],
  };
  const waiting = new Set<() => void>();
  void (async () => {
    let text = "";
    for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) {
      const events = (text + part).split("\n\n");
      text = events.pop() ?? "";
      for (const each of events) {
        const [, name, data = "{}"] = /^event: (\w+)\ndata: (.*)$/.exec(each) ?? [];
        const said = JSON.parse(data) as { ids: string[]; cards: Record<string, string>; polls: unknown[] };
        if (name === "tick") shown = { ...shown, polls: said.polls };
        if (name !== "orders") continue;
        for (const [id, html] of Object.entries(said.cards)) shown.cards.set(id, readCard(html));
        shown = { ...shown, ids: said.ids };
      }
      for (const look of waiting) look();
    }
  })().catch(() => undefined);
  const cards = (): Card[] => shown.ids.map((id) => shown.cards.get(id)!);
  return {
    cards,
    brief: () => cards().map(({ id, kind, rings }) => `${id} ${kind}${rings ? " rings" : ""}`),
    find: (id: number): Card => cards().find((card) => card.id === String(id)) ?? readCard(""),
    /** Resolves once this is shown. */
    shows(...brief: string[]): Promise<void> {
      return new Promise((resolve) => {
        const look = (): void => {
          if (this.brief().join() !== brief.join()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      });
    },
  };
}

const touch = (url: string, card: Card, path = "touch", headers: Headers = {}): Promise<Answered> =>
  ask(url + path, { origin: new URL(url).origin, ...headers }, card.form);

/** A service whose orders the test changes, and watches of it that poll all the time. */
async function stage() {
  const orders: Record<string, unknown>[] = [];
  const home = temporaryFolder();
  const url = await fixedServer(orderBook(orders).answer);
  const env = { ...pointedAt(url), BPOS_HOME: home };
  const run = shell({ env });
  const ahead = { ms: 0 };
  const clock = {
    now: () => Date.now() + ahead.ms,
    sleep: (ms: number, signal?: AbortSignal) => realClock.sleep(ms, signal),
  };
  const place = (id: number, fields: object = {}) => {
    const order = orderOf(id, { created_at: Date.now() - (100 - id) * 1_000, ...fields });
    orders.push(order);
    return order;
  };
  const start = async (argv: readonly string[], own: { env?: Headers; clock?: typeof clock } = {}) => {
    let stop = (): void => undefined;
    let ended!: Promise<Run>;
    const url = await new Promise<string>((resolve) => {
      const onError = (text: string): void => {
        const [, said] = /Screen: (http\S+)/.exec(text) ?? [];
        if (said !== undefined) resolve(said.replace("0.0.0.0", "127.0.0.1"));
      };
      const flags = ["orders", "watch", "--interval", "100ms", "--force", "--screen", ...argv];
      const world = { ...own, onError, onStart: (means: () => void) => (stop = means) };
      ended = run(flags, world);
      void ended.then(({ stderr }) => resolve(stderr));
    });
    onTestFinished(async () => {
      stop();
      await ended;
    });
    return {
      url,
      ended,
      stop: () => {
        stop();
        return ended;
      },
    };
  };
  return { orders, home, branch: new URL(url).host, run, place, start, ahead, clock };
}

describe("orders watch --screen", () => {
  it("rings until somebody touches an order, on every screen of the journal, and again for what happens to it", async () => {
    const { orders, home, place, start } = await stage();
    const [one, two] = [place(1), place(2)];
    const watch = await start(["0"]);
    const kitchen = await start(["0", "--consumer", "kitchen"]);
    const [left, right] = [await tablet(watch.url), await tablet(kitchen.url)];
    await left.shows("1 new rings", "2 new rings");
    await right.shows("1 new rings", "2 new rings");

    expect((await touch(watch.url, left.find(1))).status).toBe(204);
    await right.shows("1 calm", "2 new rings");
    // Somebody was faster.
    expect((await touch(kitchen.url, left.find(1))).status).toBe(409);
    expect((await touch(kitchen.url, right.find(1), "undo")).status).toBe(204);
    await left.shows("1 new rings", "2 new rings");

    const before = left.find(2);
    await touch(watch.url, before);
    Object.assign(two, { total: 999, pago: { modo: "en_entrega", pagado: false, monto: 999 } });
    await right.shows("1 new rings", "2 edited rings");
    // A touch of what it was before is none of what it is now.
    expect((await touch(watch.url, before)).status).toBe(409);
    await touch(kitchen.url, right.find(2));
    await touch(kitchen.url, right.find(1));
    Object.assign(one, { status: "cancelado" });
    // What somebody prepares has left the screen once the touch cannot be taken back.
    Object.assign(two, { status: "en_preparacion" });
    await left.shows("1 off rings", "2 calm");
    await right.shows("1 off rings", "2 calm");

    // It is all in the journal.
    await watch.stop();
    await kitchen.stop();
    orders.splice(0);
    const again = await start(["0"]);
    const third = await tablet(again.url);
    await third.shows("1 off rings", "2 calm");
    await touch(again.url, third.find(1));
    await third.shows("1 off", "2 calm");
    const kept = await askJournal(
      home,
      "SELECT count(*) AS n FROM screen_order WHERE acknowledged_at IS NULL",
    );
    expect(kept).toEqual([{ n: 0 }]);
  });

  it("forgets what was ordered a minute after the touch, and never that it was touched", async () => {
    const { home, place, start, ahead, clock } = await stage();
    const one = place(1);
    const watch = await start(["0"], { clock });
    const screen = await tablet(watch.url);
    await screen.shows("1 new rings");
    await touch(watch.url, screen.find(1));
    Object.assign(one, { status: "en_preparacion" });
    await screen.shows("1 calm");
    ahead.ms += 61_000;
    await screen.shows();
    await expect
      .poll(() => askJournal(home, "SELECT body, acknowledged_at > 0 AS touched FROM screen_order"))
      .toEqual([{ body: "", touched: 1 }]);
    // Another consumer that finds it now shows nothing.
    const late = await tablet((await start(["0", "--consumer", "late"], { clock })).url);
    Object.assign(one, { status: "pendiente" });
    await screen.shows("1 calm");
    await late.shows("1 calm");
  });

  it("lets in by a PIN where others reach it, five times a minute, and answers to no name of the internet", async () => {
    const { home, place, start, ahead, clock } = await stage();
    place(1);
    expect(await (await start(["0.0.0.0:0"])).ended).toMatchObject({
      code: 9,
      stderr: /No PIN in BPOS_SCREEN_PIN/,
    });
    const file = join(home, "pin");
    writeFileSync(file, "482913\n", { mode: 0o600 });
    const port = await freePort();
    const { url, stop } = await start([`0.0.0.0:${port}`, "--pin-file", file], { clock });
    const { origin } = new URL(url);
    const statuses = async (headers: Headers): Promise<number[]> => {
      const form = new URLSearchParams({ branch: "", order: "1", mark: "" });
      const paths: [string, URLSearchParams?][] = [
        [""],
        ["?branch=x"],
        ["touch", form],
        ["undo", form],
        ["static/x"],
      ];
      // A stream that is let in has no end.
      if (headers["cookie"] === undefined) paths.push(["events"]);
      const all: number[] = [];
      for (const [path, body] of paths)
        all.push((await ask(url + path, { origin, ...headers }, body)).status);
      return all;
    };
    expect(new Set(await statuses({}))).toEqual(new Set([401]));
    expect(
      new Set(await statuses({ cookie: `bpos_screen_${port}=${Math.floor(Date.now() / 1000)}.a.b` })),
    ).toEqual(new Set([401]));
    const enter = (pin: string, headers: Headers = { origin }): Promise<Answered> =>
      ask(`${url}pin`, headers, new URLSearchParams({ pin }));
    expect((await enter("482913", {})).status).toBe(403);
    expect((await enter("482913", { origin: "http://evil.example" })).status).toBe(403);

    const tried: number[] = [];
    for (let n = 0; n < 5; n += 1) tried.push((await enter("111111")).status);
    expect(tried).toEqual([401, 401, 401, 401, 429]);
    expect((await enter("482913")).status).toBe(429);
    ahead.ms += 60_000;
    const entered = await enter("482913");
    const [cookie = ""] = entered.headers["set-cookie"] ?? [];
    expect([entered.status, entered.headers["location"]]).toEqual([303, "./"]);
    expect(cookie).toMatch(
      /^bpos_screen_\d+=\d+\.[\w-]+\.[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const inside = { cookie: cookie.split(";")[0]! };
    expect(await statuses(inside)).toEqual([200, 404, 404, 404, 404]);
    await (await tablet(url, inside)).shows("1 new rings");

    for (const [host, status] of [
      [`evil.example:${port}`, 421],
      [`192.168.1.20:${port}`, 200],
      [`caja.local:${port}`, 200],
    ] as const)
      expect((await ask(url, { ...inside, host })).status, host).toBe(status);

    // The same device after a restart; not with another PIN.
    await stop();
    const again = await start([`0.0.0.0:${port}`], { env: { BPOS_SCREEN_PIN: "482913" } });
    expect((await ask(again.url, inside)).status).toBe(200);
    await again.stop();
    const other = await start([`0.0.0.0:${port}`], { env: { BPOS_SCREEN_PIN: "482914" } });
    expect((await ask(other.url, inside)).status).toBe(401);
  });

  it("on loopback needs no PIN, and takes no touch that another page sends", async () => {
    const { place, start } = await stage();
    place(1);
    const { url } = await start(["0"]);
    const screen = await tablet(url);
    await screen.shows("1 new rings");
    const from = async (headers: Headers) => (await touch(url, screen.find(1), "touch", headers)).status;
    expect(await from({ origin: "http://evil.example" })).toBe(403);
    expect(await from({ origin: "null" })).toBe(403);
    expect(await from({ host: "evil.example" })).toBe(421);
    const page = await ask(url);
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'; script-src 'self'");
    expect(page.text).not.toMatch(/<style|\sstyle=|\son\w+=|<script>/);
    expect(screen.brief()).toEqual(["1 new rings"]);
  });

  it("forgets a tablet whose connection is closed, however many answers it asked for", async () => {
    const { place, start } = await stage();
    place(1);
    const { url } = await start(["0"]);
    let open = 0;
    const listen = vi.spyOn(Wall.prototype, "listen").mockImplementation(() => {
      open += 1;
      return () => {
        open -= 1;
      };
    });
    onTestFinished(() => listen.mockRestore());
    const { host, port } = new URL(url);
    const socket = connect(Number(port), "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.write(`GET /events HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(3));
    await expect.poll(() => open).toBe(3);
    socket.destroy();
    await expect.poll(() => open).toBe(0);
  });

  it("runs --on-failure for what nobody has touched, and bpos status says how many and since when", async () => {
    const { home, branch, run, place, start, ahead, clock } = await stage();
    place(1);
    place(2);
    const file = join(home, "told");
    const keep = program(
      `require("node:fs").appendFileSync(${JSON.stringify(file)}, process.env.BPOS_EVENT + " " + process.env.BPOS_BRANCH + "\\n")`,
    );
    const { url } = await start(["0", "--unseen", "5m", "--on-failure", keep], { clock });
    const screen = await tablet(url);
    await screen.shows("1 new rings", "2 new rings");
    const status = async () => {
      const { stdout } = await run(["status", "--json"], { clock });
      const { branches } = JSON.parse(stdout) as {
        branches: { unacknowledged: { orders: number; oldest_at: string | null } }[];
      };
      return branches[0]!.unacknowledged;
    };
    expect(await status()).toEqual({ orders: 2, oldest_at: expect.stringMatching(/^\d{4}-/) as string });
    ahead.ms += 4 * 60_000;
    await touch(url, screen.find(1));
    await touch(url, screen.find(2));
    ahead.ms += 4 * 60_000;
    place(3);
    await screen.shows("1 calm", "2 calm", "3 new rings");
    expect(existsSync(file)).toBe(false);
    ahead.ms += 5 * 60_000;
    await expect.poll(() => existsSync(file) && readFileSync(file, "utf8")).toBe(`unseen ${branch}\n`);
    ahead.ms += 60_000;
    expect((await run(["status"], { clock })).stderr).toContain("Nobody has touched 1 order");
    await touch(url, screen.find(3));
    expect(await status()).toEqual({ orders: 0, oldest_at: null });
    // Of the next one it tells again.
    place(4);
    await expect.poll(() => screen.find(4).rings).toBe(true);
    ahead.ms += 5 * 60_000;
    await expect.poll(() => readFileSync(file, "utf8")).toBe(`unseen ${branch}\n`.repeat(2));
  });

  it.each([
    [["--screen", "0", "--once"], "--once"],
    [["--pin-file", "x"], "--screen"],
    [["--unseen", "5m"], "--screen"],
    [["--screen", "0", "--unseen", "5m"], "--on-failure"],
  ])("refuses %j", async (argv, word) => {
    const { run } = await stage();
    expect(await run(["orders", "watch", "--force", ...argv])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(word) as string,
    });
  });
});
