import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { startMock } from "./support/console.ts";
import { clock, furnish, viewsOf } from "./support/demo-world.ts";

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** A request with headers that a page cannot set; its status. */
const statusOf = (url: string, method: string, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { "content-type": "application/json", ...headers } });
    sent.on("error", reject).on("response", (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    sent.end(method === "GET" ? undefined : "{}");
  });

async function furnished() {
  const mock = await startMock("--clock", clock);
  await furnish(mock.url);
  return {
    ...mock,
    views: [...Object.values(await viewsOf(mock.url)), "/console/new-order", "/console/requests/1"],
  };
}

describe("every page", () => {
  it("has the policy, no script and no style of its own, and grants no other origin anything", async () => {
    const { url, views } = await furnished();
    for (const path of views) {
      const response = await fetch(url + path, { headers: { "accept-language": "en" } });
      expect(response.status, path).toBe(200);
      expect(response.headers.get("content-security-policy"), path).toBe(policy);
      expect(
        [...response.headers.keys()].filter((name) => name.startsWith("access-control")),
        path,
      ).toEqual([]);
      const html = await response.text();
      const scripts = [...html.matchAll(/<script\b[^>]*>([^<]*)/g)];
      expect(scripts.length, path).toBeGreaterThan(0);
      for (const [tag, content] of scripts) {
        expect(tag, path).toContain(' src="/console/static/');
        expect(content, path).toBe("");
      }
      expect(html.match(/<style|<[^>]*\s(style|on\w+|hx-on[^=]*)=|javascript:/gi), path).toBeNull();
    }
  });

  it("changes nothing by GET", async () => {
    const { url, views } = await furnished();
    const world = async () => {
      const { events, clock } = (await (await fetch(`${url}/_mock/export`)).json()) as Record<string, object>;
      return { events, clock: { ...clock, realAtAnchor: 0 } };
    };
    const before = await world();
    for (const path of views) await fetch(url + path);
    expect(await world()).toEqual(before);
  });

  it("is refused to other hosts and origins", async () => {
    const { url, views } = await furnished();
    const { host } = new URL(url);
    const foreign = { origin: "https://evil.example" };
    for (const path of [...views, "/console/events?view=/", "/openapi.json", "/_mock/export"]) {
      expect(await statusOf(url + path, "GET", {}), path).toBe(200);
      expect(await statusOf(url + path, "GET", { host: "evil.example" }), path).toBe(421);
      expect(await statusOf(url + path, "GET", foreign), path).toBe(403);
      expect(await statusOf(url + path, "GET", { origin: `http://${host}` }), path).toBe(200);
    }
    for (const path of ["/_mock/orders", "/_mock/reset", "/_mock/clock", "/_mock/faults", "/_mock/import"]) {
      expect(await statusOf(url + path, "POST", foreign), path).toBe(403);
      expect(await statusOf(url + path, "POST", { ...foreign, "content-type": "text/plain" }), path).toBe(
        403,
      );
      expect(await statusOf(url + path, "POST", { "content-type": "text/plain" }), path).toBe(415);
      expect(await statusOf(url + path, "POST", { host: "evil.example" }), path).toBe(421);
    }
    expect(await statusOf(`${url}/_mock/orders`, "OPTIONS", foreign)).toBe(403);
  });
});
