import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { RequestRow, RunningMock } from "../../../src/mock/index.ts";
import { sized } from "../../support/soak.ts";
import { raw, talk } from "../raw.ts";
import { campaign, demoKey, frozen, get, norte, push, send, start } from "../support.ts";
import { linkOf, pageAt, streamOf, textOf, textsOf } from "./support.ts";

const page = "/console/requests";
const item = { codigo: "A", nombre: "x", precio: 1 };
const hostile = `<img src=x onerror="alert('1')">`;

const rowsOf = (html: string): string[] => textsOf(html, "tr").slice(1);
const spanish = { "accept-language": "es-AR" };
const dialogAt = async (mock: RunningMock, id: number, headers = {}): Promise<string> =>
  textOf(await pageAt(mock, `${page}/${id}`, headers));

describe("why a request was refused", () => {
  /** One request of each kind of refusal, and what the page says of it. */
  const refusals: readonly (readonly [status: number, why: RegExp, ask: (mock: RunningMock) => unknown])[] = [
    [403, /request has no key/, (mock) => fetch(`${mock.baseUrl}/v1/orders`)],
    [403, /This key belongs to no branch/, (mock) => get(`${mock.baseUrl}/v1/orders`, "bpk_demo_inactive")],
    [
      403,
      /store_id and the key belong to different branches/,
      (mock) => push(mock, [item], { store_id: "2" }),
    ],
    [400, /status must be one of pendiente/, (mock) => get(`${mock.baseUrl}/v1/orders?status=listos`)],
    [404, /path does not exist/, (mock) => get(`${mock.baseUrl}/nothing`)],
    [405, /does not accept this method.*must be GET/, (mock) => send(`${mock.baseUrl}/v1/orders`, {})],
    [
      415,
      /Content-Type is not JSON/,
      (mock) => send(`${mock.baseUrl}/v1/catalog/items`, "x", { headers: { "content-type": "text/plain" } }),
    ],
    [
      413,
      /too large/,
      (mock) =>
        talk(
          mock,
          `POST /v1/catalog/items HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${demoKey}\r\n` +
            "Content-Type: application/json\r\nContent-Length: 99999999\r\nConnection: close\r\n\r\n",
        ),
    ],
  ];

  test.for(refusals)("%i %s", async ([status, why, ask]) => {
    const mock = await start();
    await ask(mock);
    const [row = ""] = rowsOf(await pageAt(mock, page));
    expect(row).toMatch(new RegExp(`^12:00:00 ${status} `));
    expect(row).toMatch(why);
    expect(await dialogAt(mock, 1)).toMatch(why);
    const both = [await dialogAt(mock, 1), await dialogAt(mock, 1, spanish)];
    const [said, dicho] = both.map((text) => /^.*?(?= Time | Hora )/.exec(text)?.[0]);
    expect(said).not.toBe(dicho);
  });

  test("a fault is named with what it does, in the reader's language", async () => {
    const mock = await start();
    const effects = [
      ["commit-drop", "reset", "cannot know the outcome"],
      ["drop", "reset", "nothing is applied"],
      ["status=503", "503", "the response is an error"],
      ["commit-status=502", "502", "the call is applied"],
      ["retry-after=7", "429", "retry-after"],
      ["html", "502", "an html page"],
      ["garbage", "200", "not json"],
      ["truncate", "200", "halfway through the response"],
    ] as const;
    for (const [n, [effect, status, seen]] of effects.entries()) {
      await mock.control.addFault(`POST /v1/catalog/items ${effect} times=1`);
      await raw(`${mock.baseUrl}/v1/catalog/items`, {
        body: { event_id: `e${n}`, occurred_at: frozen, action: "upsert", items: [item] },
      });
      const row = rowsOf(await pageAt(mock, page))[0] ?? "";
      expect(row).toContain(`12:00:00 ${status} POST /v1/catalog/items fault ${effect} `);
      expect(row.toLowerCase()).toContain(seen);
    }
    expect(await dialogAt(mock, 1, spanish)).toContain("La causó una falla activa");
  });

  test("of the webhook: no answer, and an answer that is no success", async () => {
    const mock = await start({ webhookUrl: "http://127.0.0.1:1/hook" });
    await campaign(mock);
    const { id } = await mock.control.reply({ phone: "+5491161234567", text: hostile });
    await expect.poll(async () => (await mock.control.requests()).length).toBe(2);
    expect(rowsOf(await pageAt(mock, page))[0]).toMatch(/no response POST .*hook Webhook .*did not respond/);
    const html = await pageAt(mock, `${page}/2`);
    expect(html).toContain(`hx-post="/_mock/replies/${id}/send"`);
    expect(html).not.toContain("<img");
  });
});

test("links narrow the log down, and a search finds paths and identifiers", async () => {
  const mock = await start();
  await get(`${mock.baseUrl}/v1/orders?page=2`, norte);
  await push(mock, [item], { event_id: "lista-marzo" });
  await get(`${mock.baseUrl}/v1/orders?status=x`);
  await raw(`${mock.baseUrl}/v1/orders`, { headers: { "X-API-Key": "" } });
  const ids = async (query: string): Promise<string[]> =>
    Array.from((await pageAt(mock, page + query)).matchAll(/id="request-(\d+)"/g), ([, id = ""]) => id);
  expect(await ids("")).toEqual(["4", "3", "2", "1"]);
  expect(await ids("?show=refused")).toEqual(["4", "3"]);
  expect(await ids("?show=changes")).toEqual(["2"]);
  expect(await ids("?show=webhook")).toEqual([]);
  expect(await ids("?show=toString")).toEqual(["4", "3", "2", "1"]);
  expect(await ids("?q=STATUS%3Dx")).toEqual(["3"]);
  expect(await ids("?q=marzo")).toEqual(["2"]);
  expect(await ids("?show=refused&q=marzo")).toEqual([]);
  expect(textOf(await pageAt(mock, `${page}?q=none`))).toContain("No matching requests in the log.");
});

test("an empty log says what to do", async () => {
  const mock = await start();
  const text = textOf(await pageAt(mock, page));
  expect(text).toContain(`export BPOS_MOCK=${mock.baseUrl} bpos orders list`);
});

const kept = sized(1_000, 10_000);
test(`${kept} requests come in pages of 100, most with less than 100 ms of work`, async () => {
  const mock = await start();
  const line = "GET /nothing HTTP/1.1\r\nHost: localhost\r\n";
  await talk(mock, `${line}\r\n`.repeat(kept - 1), `${line}Connection: close\r\n\r\n`);
  const numbers = (html: string): number[] =>
    Array.from(html.matchAll(/id="request-(\d+)"/g), ([, id]) => Number(id));
  let path = page;
  const times: number[] = [];
  const seen: number[] = [];
  for (let pages = 0; pages < kept / 100; pages++) {
    // Milliseconds of the processor: what else the machine does is no matter.
    const began = process.cpuUsage();
    const html = await pageAt(mock, path);
    const { user, system } = process.cpuUsage(began);
    times.push((user + system) / 1_000);
    seen.push(...numbers(html));
    path = linkOf(html, "older");
  }
  expect(seen).toEqual(Array.from({ length: kept }, (_, n) => kept - n));
  expect(path).toBe("");
  expect(times.sort((a, b) => a - b)[times.length / 2]).toBeLessThan(100);
});

describe("the stream", () => {
  test("sends the newest page when a request comes, and an older page once", async () => {
    const mock = await start();
    for (let n = 0; n < 101; n++) await get(`${mock.baseUrl}/v1/orders`);
    const newest = await streamOf(mock, page);
    const older = await streamOf(mock, linkOf(await pageAt(mock, page), "older"));
    await Promise.all([newest.until("requests"), older.until("requests")]);
    await get(`${mock.baseUrl}/nothing`);
    const html = (await newest.until("requests")).at(-1)?.html ?? "";
    expect(rowsOf(`<tr></tr>${html}`)[0]).toContain("/nothing");
    await mock.control.moveClock({ advance_ms: 1_000 });
    expect((await older.until("status")).map(({ id }) => id)).not.toContain("requests");
  });

  test("sends nothing of the log when a request comes that the filter leaves out", async () => {
    const mock = await start();
    const refused = await streamOf(mock, `${page}?show=refused`);
    await refused.until("requests");
    await get(`${mock.baseUrl}/v1/orders`);
    await mock.control.moveClock({ advance_ms: 1_000 });
    expect((await refused.until("status")).map(({ id }) => id)).not.toContain("requests");
    await get(`${mock.baseUrl}/nothing`);
    await refused.until("requests");
  });
});

describe("one request", () => {
  const preOf = (html: string): string[] =>
    Array.from(html.matchAll(/<bdi>([^<]*)<\/bdi><\/pre>/g), ([, text = ""]) => text);

  test("shows JSON on lines of its own, with each number as it was written", async () => {
    const mock = await start();
    const body = `{"event_id":"e","occurred_at":"${frozen}","action":"upsert","items":[{"codigo":"A","nombre":"a, {b}: \\"c\\"","precio":9800.50}, {}]}`;
    await send(`${mock.baseUrl}/v1/catalog/items`, body);
    const [asked = ""] = preOf(await pageAt(mock, `${page}/1`));
    expect(asked.replaceAll("&quot;", '"')).toBe(
      [
        "{",
        '  "event_id": "e",',
        `  "occurred_at": "${frozen}",`,
        '  "action": "upsert",',
        '  "items": [',
        "    {",
        '      "codigo": "A",',
        '      "nombre": "a, {b}: \\"c\\"",',
        '      "precio": 9800.50',
        "    },",
        "    {}",
        "  ]",
        "}",
      ].join("\n"),
    );
  });

  test("shows other text as it is, cuts what is large, and says what was not kept", async () => {
    const mock = await start();
    await send(`${mock.baseUrl}/v1/catalog/items`, "not, json: {}");
    await send(`${mock.baseUrl}/v1/catalog/items`, "[".repeat(300_000));
    await push(mock, [{ ...item, nombre: "x".repeat(1_100_000) }]);
    expect(preOf(await pageAt(mock, `${page}/1`))[0]).toBe("not, json: {}");
    const large = await pageAt(mock, `${page}/2`);
    expect(preOf(large)[0]).toHaveLength(20_000);
    expect(textOf(large)).toContain("300,000 bytes");
    expect(textOf(large)).toContain("Only the start is shown.");
    const dropped = await pageAt(mock, `${page}/3`);
    expect(textOf(dropped)).toContain("Not kept");
    expect(dropped).toMatch(/id="replay"[^>]* disabled/);
    expect((await fetch(`${mock.baseUrl}${page}/99`)).status).toBe(404);
  });

  test("texts that are markup stay text, and the key stays hidden", async () => {
    const mock = await start();
    await push(mock, [{ ...item, nombre: hostile }], { event_id: hostile });
    const path = "/v1/<img/src=x/onerror=alert(1)>?<img/src=x/onerror=alert(1)>";
    await talk(
      mock,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${hostile}\r\nConnection: close\r\n\r\n`,
    );
    for (const path of [page, `${page}/1`, `${page}/2`, `${page}?q=${encodeURIComponent(hostile)}`]) {
      const html = await pageAt(mock, path);
      expect(html).not.toContain("<img");
      expect(html).toContain("&lt;img");
      expect(html).not.toContain(demoKey);
    }
  });

  describe("copied as curl", () => {
    const run = promisify(execFile);
    const curlOf = (html: string): string =>
      /data-copy="(curl|printf)([^"]*)"/
        .exec(html)
        ?.slice(1)
        .join("")
        .replace(
          /&(quot|#39|lt|gt|amp);/g,
          (_, name: string) => ({ quot: '"', "#39": "'", lt: "<", gt: ">" })[name] ?? "&",
        ) ?? "";

    /** Fields that tell one request from another. */
    const essence = ({ id: _id, at: _at, ms: _ms, ...row }: RequestRow) => row;

    async function repeated(mock: RunningMock, id: number, key = demoKey) {
      const command = curlOf(await pageAt(mock, `${page}/${id}`));
      expect(command).not.toContain(key);
      const shell = run("sh", { env: { ...process.env, BPOS_API_KEY: key } });
      shell.child.stdin?.end(command);
      await shell;
      const rows = await mock.control.requests();
      return { row: rows.at(-1)!, command, again: await mock.control.request(rows.at(-1)!.id) };
    }

    test.for([
      [
        "a GET with brackets and signs",
        (mock: RunningMock) => get(`${mock.baseUrl}/v1/orders?page=1&x=[1-3]{a}$HOME'"%27`),
      ],
      [
        "a path that curl would tidy",
        (mock: RunningMock) =>
          talk(
            mock,
            `GET /v1/../orders?a=1 HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${demoKey}\r\nConnection: close\r\n\r\n`,
          ),
      ],
      ["a HEAD", (mock: RunningMock) => raw(`${mock.baseUrl}/v1/orders`, { method: "HEAD" })],
      [
        "quotes, signs and other letters",
        (mock: RunningMock) =>
          push(mock, [{ ...item, nombre: `L'ñandú "$HOME" \`id\` \\ 🍕 \n` }], { event_id: "e" }),
      ],
      [
        "a body longer than an argument may be",
        (mock: RunningMock) =>
          push(
            mock,
            Array.from({ length: 4_000 }, (_, n) => ({ ...item, codigo: `C${n}`, nombre: "it's" })),
            { event_id: "long" },
          ),
      ],
    ] as const)("%s: does the same in a shell", async ([, ask]) => {
      const mock = await start();
      await ask(mock);
      const first = await mock.control.request(1);
      const { row, again } = await repeated(mock, 1);
      expect(row.id).toBe(2);
      expect(essence(row)).toEqual(essence((await mock.control.requests())[0]!));
      if (first.request_body)
        expect(JSON.parse(again.request_body ?? "")).toEqual(JSON.parse(first.request_body));
    });

    test("holds no control character that a terminal would obey", async () => {
      const mock = await start();
      await send(`${mock.baseUrl}/v1/catalog/items`, `{"a":"\u001b[201~\u0003\nrm -rf x\u202e"}`);
      expect(curlOf(await pageAt(mock, `${page}/1`))).toContain(String.raw`\u001b[201~\u0003`);
    });
  });

  test("is sent again by its button", async () => {
    const mock = await start();
    await get(`${mock.baseUrl}/v1/orders?status=listo`, norte);
    const [, path = ""] = /id="replay" hx-post="([^"]*)"/.exec(await pageAt(mock, `${page}/1`)) ?? [];
    await send(mock.baseUrl + path, {});
    expect(rowsOf(await pageAt(mock, page))[0]).toMatch(/200 GET \/v1\/orders\?status=listo .*norte/);
  });
});
