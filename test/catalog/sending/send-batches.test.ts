import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Client, createClient } from "../../../src/api/client.ts";
import { toItemList } from "../../../src/catalog/item-list.ts";
import type { PushReport } from "../../../src/catalog/sending/report.ts";
import type { PushRequest } from "../../../src/catalog/sending/request.ts";
import { type PushTools, sendBatches } from "../../../src/catalog/sending/send-batches.ts";
import { BposError } from "../../../src/errors.ts";
import type { Journal } from "../../../src/journal/journal.ts";
import { openDatabase } from "../../../src/sqlite.ts";
import { realClock } from "../../../src/system.ts";
import { journalIn } from "../../support/journal.ts";
import { temporaryFolder } from "../../support/run.ts";
import { on, reply, reset, scriptedServer } from "../../support/scripted-server.ts";
import { service } from "../../support/service.ts";

/** A price list of four products at one price, in batches of two. */
function list(precio: number, more: Partial<PushRequest> = {}): PushRequest {
  const items = ["A", "B", "C", "D"].map((codigo) => ({ codigo, nombre: codigo, precio }));
  return {
    items: toItemList(items),
    file: null,
    rejected: [],
    read: 4,
    unchanged: 0,
    action: "upsert",
    branch: "b",
    batchSize: 2,
    inFlight: 1,
    storeId: undefined,
    dryRun: false,
    ...more,
  };
}

function clientOf(url: string, apiKey = "bpk_test_secret_0123456789"): Client {
  const client = createClient({
    baseUrl: url,
    campaignsBaseUrl: url,
    apiKey,
    clock: realClock,
    random: () => 0,
    retries: 0,
  });
  onTestFinished(() => client.close());
  return client;
}

function toolsOf(client: PushTools["client"], journal: Journal): PushTools {
  const { signal } = new AbortController();
  return { client, journal, clock: realClock, uuid: () => crypto.randomUUID(), signal };
}

/** The client, doing something before its call number `n`. */
function before(n: number, client: Client, work: () => Promise<unknown>): PushTools["client"] {
  let calls = 0;
  return {
    async pushCatalog(event, options) {
      calls += 1;
      if (calls === n) await work();
      return client.pushCatalog(event, options);
    },
  };
}

it("lets no batch of an older push win over a newer push that went through meanwhile", async () => {
  const { mock } = await service({ scenario: "empty" });
  const client = clientOf(mock.baseUrl, mock.keys[0]!.key);
  const journal = journalIn();
  let newer: PushReport | undefined;
  const slow = before(2, client, async () => {
    newer = await sendBatches(list(20), toolsOf(client, journal));
  });
  const older = await sendBatches(list(10), toolsOf(slow, journal));
  expect(newer).toMatchObject({ accepted: 4, outcome: "complete" });
  expect(older).toMatchObject({ accepted: 2, skipped_stale: 2, outcome: "partial" });
  const prices = (await mock.control.catalog("demo")).map(({ precio }) => precio);
  expect(prices).toEqual([20, 20, 20, 20]);
});

it("lets two processes without a lock push the same content, halving included", async () => {
  const taken = (n: number) => reply({ duplicate: false, accepted: n, skipped_stale: 0, rejected: [] });
  const tooLarge = reply({ code: "ERROR_CODE_INPUT_ERROR", message: "too large" }, 413);
  const path = "POST /v1/catalog/items";
  const answers = [tooLarge, taken(1), taken(1), taken(1), taken(1), tooLarge];
  const server = await scriptedServer(...answers.map((answer) => on(path, answer)));
  const file = join(temporaryFolder(), "journal.db");
  const client = clientOf(server.url);
  let other: PushReport | undefined;
  const slow = before(1, client, async () => {
    other = await sendBatches(list(10), toolsOf(client, journalIn(file)));
  });
  const own = await sendBatches(list(10), toolsOf(slow, journalIn(file)));
  for (const result of [own, other]) {
    expect(result?.failure).toBeUndefined();
    expect(result).toMatchObject({ batches: 4, accepted: 4, outcome: "complete" });
  }
});

it("takes a push up only when everything that goes out is the same", async () => {
  const requests: [string, PushRequest][] = [
    ["same", list(10)],
    ["action", list(10, { action: "delete" })],
    ["store", list(10, { storeId: "1" })],
    ["kind of store id", list(10, { storeId: 1 })],
    ["batch size", list(10, { batchSize: 3 })],
    ["price", list(11)],
    [
      "order",
      list(10, {
        items: toItemList(["D", "C", "B", "A"].map((codigo) => ({ codigo, nombre: codigo, precio: 10 }))),
      }),
    ],
  ];
  const failing = (): ReturnType<Client["pushCatalog"]> => Promise.reject(new Error("the plug was pulled"));
  for (const [what, request] of requests) {
    const journal = journalIn();
    const tools = toolsOf({ pushCatalog: failing }, journal);
    await expect(sendBatches(list(10), tools)).rejects.toThrow("plug");
    await expect(sendBatches(request, tools)).rejects.toThrow("plug");
    expect(await journal.pushes.newest("b", 9), what).toHaveLength(what === "same" ? 1 : 2);
  }
});

const facts = { endpoint: "POST /v1/catalog/items", origin: "http://x.test", attempts: 1 };
const ok = { duplicate: false, accepted: 2, skipped_stale: 0, rejected: [] };
type Step = "unavailable" | "input_refused" | "outcome_unknown" | "ok";

/** A client to whom these things happen, one a call; keeps the ids that it was given. */
function scripted(...steps: Step[]): PushTools["client"] & { ids: string[] } {
  const ids: string[] = [];
  return {
    ids,
    pushCatalog(body) {
      ids.push((JSON.parse((body as Buffer).toString()) as { event_id: string }).event_id);
      const step = steps.shift() ?? "ok";
      if (step !== "ok") return Promise.reject(new BposError(step, facts));
      return Promise.resolve({ body: ok, status: 200, attempts: 1, date: undefined, mismatches: [] });
    },
  };
}

/** How each of some pushes of one list ended, thrown or reported. */
async function ends(client: PushTools["client"], pushes: number): Promise<string[]> {
  const journal = journalIn();
  const all: string[] = [];
  for (let n = 0; n < pushes; n++) {
    const end = await sendBatches(list(10), toolsOf(client, journal)).then(
      ({ failure, ...report }) => `${report.outcome} ${report.sent} ${failure?.reason ?? "-"}`,
      (error: unknown) => `thrown ${(error as BposError).reason}`,
    );
    all.push(end);
  }
  return all;
}

it("knows that what could not be delivered was not applied: a refusal after it is plain", async () => {
  const client = scripted("unavailable", "input_refused", "ok", "ok");
  expect(await ends(client, 3)).toEqual(["thrown unavailable", "refused 0 input_refused", "complete 4 -"]);
  expect(new Set(client.ids).size).toBe(2);
});

it("does not take an attempt for settled because the service could not be reached later", async () => {
  const client = scripted("outcome_unknown", "unavailable", "input_refused", "ok", "ok");
  expect(await ends(client, 4)).toEqual([
    "unknown 2 outcome_unknown",
    "unknown 2 outcome_unknown",
    "unknown 2 outcome_unknown",
    "complete 4 -",
  ]);
  expect(new Set(client.ids).size).toBe(2);
});

it("reports what landed when a later batch cannot be delivered, and goes on with the same event", async () => {
  const client = scripted("ok", "unavailable", "input_refused", "ok");
  expect(await ends(client, 3)).toEqual(["partial 2 unavailable", "partial 2 input_refused", "complete 4 -"]);
  expect(new Set(client.ids).size).toBe(2);
});

it("calls the outcome unknown when it is interrupted while a call is out, and settles it later", async () => {
  const journal = journalIn();
  const stop = new AbortController();
  const answer = reply({ ...ok, duplicate: true });
  const path = "POST /v1/catalog/items";
  const server = await scriptedServer(
    on(path, () => stop.abort()),
    on(path, answer),
    on(path, reply(ok)),
  );
  const tools = toolsOf(clientOf(server.url), journal);
  const first = await sendBatches(list(10), { ...tools, signal: stop.signal });
  expect(first.failure?.reason).toBe("interrupted");
  expect(first).toMatchObject({ outcome: "unknown", sent: 2, batches: 1, accepted: 0 });
  const second = await sendBatches(list(10), tools);
  expect(second).toMatchObject({ outcome: "complete", accepted: 4, duplicate_batches: 1 });
  expect(server.requests[1]!.body.equals(server.requests[0]!.body)).toBe(true);
});

it("throws an interruption as it is when nothing was attempted, and stops in part between two batches", async () => {
  const journal = journalIn();
  const stopped = { ...toolsOf(scripted("ok"), journal), signal: AbortSignal.abort() };
  await expect(sendBatches(list(10), stopped)).rejects.toMatchObject({ reason: "interrupted" });
  const stop = new AbortController();
  const between = {
    ...toolsOf(scripted("ok"), journal),
    signal: stop.signal,
    onProgress: () => stop.abort(),
  };
  const report = await sendBatches(list(10), between);
  expect(report.failure?.reason).toBe("interrupted");
  expect(report).toMatchObject({ outcome: "partial", sent: 2, accepted: 2 });
});

it("keeps an unknown outcome from before when it is interrupted before it could settle it", async () => {
  const journal = journalIn();
  const server = await scriptedServer(on("POST /v1/catalog/items", reset()));
  const tools = toolsOf(clientOf(server.url), journal);
  await sendBatches(list(10), tools);
  const report = await sendBatches(list(10), { ...tools, signal: AbortSignal.abort() });
  expect(report).toMatchObject({ outcome: "unknown", sent: 2 });
});

it.each([1, 8])(
  "has the intent of every batch on the disk before it leaves, %s in flight",
  async (inFlight) => {
    const file = join(temporaryFolder(), "journal.db");
    const journal = journalIn(file);
    const states: unknown[] = [];
    const answer = { duplicate: false, accepted: 1, skipped_stale: 0, rejected: [] };
    const seen = on("POST /v1/catalog/items", (response, request) => {
      const { event_id } = JSON.parse(request.body.toString()) as { event_id: string };
      // Another connection sees only what is committed.
      const other = openDatabase(file);
      const sql = "SELECT state FROM push_event WHERE event_id = ?";
      states.push((other.prepare(sql).get(event_id) as { state: string }).state);
      other.close();
      reply(answer)(response, request);
    });
    const items = Array.from({ length: 40 }, (_, n) => ({ codigo: `A${n}` }));
    const server = await scriptedServer(...items.map(() => seen));
    const request = list(1, { items: toItemList(items), read: 40, batchSize: 1, inFlight });
    const report = await sendBatches(request, toolsOf(clientOf(server.url), journal));
    expect(report).toMatchObject({ accepted: 40, outcome: "complete" });
    expect(states).toEqual(items.map(() => "attempted"));
  },
);
