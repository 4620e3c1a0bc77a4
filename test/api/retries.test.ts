import type { ServerResponse } from "node:http";
import { Agent, buildConnector } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { exitCodes, exitNames } from "../../src/errors.ts";
import { on, reply, reset, resetAfter, scriptedServer, silence } from "../support/scripted-server.ts";
import { accepted, campaign, clientOf, created, event, factsOf, noOrders } from "./harness.ts";

const list = "GET /v1/orders";
const push = "POST /v1/catalog/items";
const send = "POST /messaging/campaigns";
const problem = { code: "ERROR_CODE_INPUT_ERROR", message: "Template not found.", payload: {} };

describe("what is tried again", () => {
  it.each([
    ["a 502", reply("<html>bad gateway</html>", 502)],
    ["a 408", reply("", 408)],
    ["a reset before the answer", reset()],
    ["a reset in the middle of the answer", resetAfter('{"campaign_id":')],
    ["an empty answer", reply("")],
    ["HTML", reply("<!doctype html><p>hello")],
  ])("a campaign after %s, with the same bytes", async (_name, handler) => {
    const server = await scriptedServer(on(send, handler), on(send, reply(created)));
    const { client } = clientOf(server.url);
    const answer = await client.sendCampaign(campaign);
    expect(answer).toMatchObject({ body: created, attempts: 2 });
    const [first, second] = server.requests;
    expect(first?.body.length).toBeGreaterThan(50);
    expect(second?.body.toString("hex")).toBe(first?.body.toString("hex"));
  });

  it("pauses longer and longer, and records each attempt", async () => {
    const server = await scriptedServer(
      on(push, reply("", 503)),
      on(push, reply("", 429)),
      on(push, reset()),
      on(push, reply(accepted)),
    );
    const { client, clock, records } = clientOf(server.url);
    await client.pushCatalog(event);
    expect(clock.slept).toEqual([250, 500, 1000]);
    const record = { endpoint: push, url: `${server.url}/v1/catalog/items` };
    expect(records).toEqual([
      { ...record, attempt: 1, status: 503, error: { kind: "answer_empty" }, ms: 0, waitMs: 250 },
      { ...record, attempt: 2, status: 429, error: { kind: "answer_empty" }, ms: 0, waitMs: 500 },
      { ...record, attempt: 3, failure: "reset", error: expect.any(String) as string, ms: 0, waitMs: 1000 },
      { ...record, attempt: 4, status: 200, ms: 0 },
    ]);
  });
});

describe("Retry-After", () => {
  const busy = (header: string) => reply("", 429, { "retry-after": header });
  it.each([
    ["3.5", 4000],
    ["1.5", 2000],
    ["3 seconds", 3000],
    ["3, 3", 3000],
    ["in a while", 1000],
  ])("%s is waited for by reads and by both POSTs", async (header, waitMs) => {
    const server = await scriptedServer(
      ...[list, push, send].flatMap((each, n) => [
        on(each, busy(header)),
        on(each, reply([noOrders, accepted, created][n])),
      ]),
    );
    const { client, clock } = clientOf(server.url);
    await client.listOrders();
    await client.pushCatalog(event);
    await client.sendCampaign(campaign);
    expect(clock.slept).toEqual([waitMs, waitMs, waitMs]);
  });

  it("that is longer than the client waits ends the call, and its error holds it", async () => {
    const server = await scriptedServer(on(list, busy("60.1")));
    const facts = await factsOf("unavailable", clientOf(server.url).client.listOrders());
    expect(facts).toMatchObject({ attempts: 1, retryAfterMs: 61_000, maxWaitMs: 60_000 });
  });
});

describe("what is known of a POST", () => {
  it.each([
    ["502", reply("", 502)],
    ["429", reply("", 429)],
    ["a reset", reset()],
    ["an unreadable answer", reply("{")],
  ])("after %s its outcome is unknown, and a 400 or 403 later proves nothing", async (_name, handler) => {
    for (const status of [400, 403]) {
      const server = await scriptedServer(on(send, handler), on(send, reply(problem, status)));
      const { client } = clientOf(server.url);
      const facts = await factsOf("outcome_unknown", client.sendCampaign(campaign));
      expect(facts).toMatchObject({ attempts: 2, status, serviceCode: problem.code });
    }
  });

  it("is refused when the first answer is a 400", async () => {
    const server = await scriptedServer(on(send, reply(problem, 400)));
    const facts = await factsOf("input_refused", clientOf(server.url).client.sendCampaign(campaign));
    expect(facts).toMatchObject({ attempts: 1, status: 400, serviceMessage: problem.message });
  });

  it("did not arrive when every connection was refused", async () => {
    const { client } = clientOf("http://127.0.0.1:1");
    const facts = await factsOf("unavailable", client.sendCampaign(campaign));
    expect(facts).toMatchObject({ attempts: 5, origin: "http://127.0.0.1:1" });
    expect(facts.detail).toContain("ECONNREFUSED");
  });

  it("did not arrive when the name is unknown", async () => {
    const { client, records } = clientOf("http://bpos.invalid", { retries: 1 });
    expect(await factsOf("unavailable", client.sendCampaign(campaign))).toMatchObject({ attempts: 2 });
    expect(records[0]?.failure).toBe("dns");
  });

  it("did not arrive when TLS failed, and is not tried again", async () => {
    const server = await scriptedServer();
    const { client, records } = clientOf(server.url.replace("http:", "https:"));
    const facts = await factsOf("unavailable", client.sendCampaign(campaign));
    expect(facts).toMatchObject({
      attempts: 1,
      detail: "wrong version number (ERR_SSL_WRONG_VERSION_NUMBER)",
    });
    expect(records[0]?.failure).toBe("tls");
  });

  it("did not arrive, and never will, when time ran out while connecting", async () => {
    const server = await scriptedServer(on(list, reply(noOrders)));
    const connect = buildConnector({});
    let goOn: (() => Promise<void>) | undefined;
    const dispatcher = new Agent({
      connect(options, callback) {
        goOn = () =>
          new Promise((resolve) => {
            connect(options, (...result) => {
              callback(...result);
              resolve();
            });
          });
      },
    });
    onTestFinished(() => dispatcher.destroy());
    const { client } = clientOf(server.url, { dispatcher, timeoutMs: 20, retries: 0 });
    await factsOf("unavailable", client.sendCampaign(campaign));
    await goOn?.();
    await clientOf(server.url).client.listOrders();
    expect(server.requests.map(({ method }) => method)).toEqual(["GET"]);
  });

  it("is unknown when the connection broke after an interim answer", async () => {
    const server = await scriptedServer(
      on(push, (response) => {
        response.writeProcessing();
        setImmediate(() => response.socket?.destroy());
      }),
    );
    const { client, records } = clientOf(server.url, { retries: 0 });
    await factsOf("outcome_unknown", client.pushCatalog(event));
    expect(records).toMatchObject([{ failure: "reset" }]);
  });

  it.each([
    ["is reset", resetAfter('{"campaign_id":')],
    ["ends", (response: ServerResponse) => response.write('{"campaign_id":', () => response.socket?.end())],
  ])("is unknown when its answer %s in the middle; a GET only failed", async (_name, handler) => {
    const server = await scriptedServer(on(send, handler), on(list, handler));
    const { client } = clientOf(server.url, { retries: 0 });
    await factsOf("outcome_unknown", client.sendCampaign(campaign));
    await factsOf("unavailable", client.listOrders());
    expect([exitNames.outcome_unknown, exitNames.unavailable].map((name) => exitCodes[name])).toEqual([7, 6]);
  });

  it("is unknown when no answer came in time", async () => {
    const server = await scriptedServer(on(send, silence()), on(send, silence()));
    const { client } = clientOf(server.url, { timeoutMs: 300, retries: 1 });
    const facts = await factsOf("outcome_unknown", client.sendCampaign(campaign));
    expect(facts).toMatchObject({ attempts: 2, detail: { kind: "too_slow", ms: 300 } });
  });

  it("is unknown, and not repeated, when the answer is valid JSON of another kind", async () => {
    const server = await scriptedServer(on(send, reply({ id: "cmp_1" })));
    const facts = await factsOf("outcome_unknown", clientOf(server.url).client.sendCampaign(campaign));
    expect(facts).toMatchObject({
      attempts: 1,
      detail: { kind: "answer_lacks", path: "campaign_id" },
      quote: '{"id":"cmp_1"}',
    });
  });
});
