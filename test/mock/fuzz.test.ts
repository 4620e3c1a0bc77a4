import * as fc from "fast-check";
import { Agent, request } from "undici";
import { afterAll, assert, expect, test } from "vitest";
import { serviceCodes } from "../../src/contract/endpoints.ts";
import { isSurelySound, upsertSchema } from "../../src/mock/core/shop/catalog.ts";
import { type RunningMock, readScenarioDefinition } from "../../src/mock/index.ts";
import { seed, sized } from "../support/soak.ts";
import { anyText } from "../support/texts.ts";
import { type Case, cases, requestOf, targets } from "./fuzz-cases.ts";
import { demoKey, norte, start } from "./support.ts";

const workers = sized(2, 20);
const casesEach = sized(100, 500);

// A mock that hangs shows here, as an error of the time-out.
const dispatcher = new Agent({ connections: 2, headersTimeout: 10_000, bodyTimeout: 10_000 });
afterAll(() => dispatcher.close());

interface Answer {
  status: number;
  type: unknown;
  text: string;
}

async function ask(
  mock: RunningMock,
  { method, path, body }: ReturnType<typeof requestOf>,
  key = demoKey,
): Promise<Answer> {
  const type = method === "GET" ? {} : { "content-type": "application/json" };
  const headers = { "x-api-key": key, ...type };
  const answer = await request(mock.baseUrl + path, { dispatcher, method, headers, body });
  return { status: answer.statusCode, type: answer.headers["content-type"], text: await answer.body.text() };
}

/** The pendiente orders of both branches. */
async function orders(mock: RunningMock): Promise<string> {
  const poll = { method: "GET", path: "/v1/orders", body: null } as const;
  const answers = await Promise.all([ask(mock, poll), ask(mock, poll, norte)]);
  assert(
    answers.every((answer) => answer.status === 200),
    answers.map((answer) => answer.text).join(),
  );
  return answers.map((answer) => answer.text).join();
}

/** Everything that the world shows, apart from the request log. */
async function worldOf({ control }: RunningMock): Promise<string> {
  const lists = [control.catalog("demo"), control.catalog("norte"), control.campaigns(), control.messages()];
  return JSON.stringify(
    await Promise.all([...lists, control.replies(), control.templates(), control.faults()]),
  );
}

const isRefusal = (status: number, body: unknown): boolean => {
  const { code, message, payload, ...rest } = body as Record<string, unknown>;
  const [codeWanted, payloadWanted] =
    status === 403
      ? [serviceCodes.accessDenied, '""']
      : [serviceCodes.inputError, '{"campaign_id":null,"external_ref":null}'];
  const isSame = code === codeWanted && JSON.stringify(payload) === payloadWanted;
  return isSame && typeof message === "string" && message !== "" && Object.keys(rest).length === 0;
};

/** Nothing arrives by itself, and it is small: it is compared after every case. */
const scenario = readScenarioDefinition({
  branches: ["demo", "norte"].map((branch, index) => ({
    branch,
    store_id: String(index + 1),
    keys: [index === 0 ? demoKey : norte],
    catalog: [{ codigo: "PIZ-001", nombre: "Pizza", precio: 9_000 }],
    orders: 2,
  })),
});

/** A mock that every case finds as the one before it did. */
async function worker(n: number, seen: Map<string, Set<number>>): Promise<void> {
  const mock = await start({ scenario });
  const [world, ordersBefore] = [await worldOf(mock), await orders(mock)];
  const property = fc.asyncProperty(cases, async (one: Case) => {
    const target = targets[one.target]!;
    const { status, type, text } = await ask(mock, requestOf(one));
    const said = `${one.target}: ${status} ${text}`;
    assert(type === "application/json; charset=utf-8", said);
    seen.get(one.target)?.add(status);
    if (status === 200) {
      target.answer?.parse(JSON.parse(text));
      // Accepted data can be shown: nothing in it breaks a later answer.
      await worldOf(mock);
      await mock.control.clearFaults();
      await orders(mock);
      await mock.control.reset({ scenario, seed: 1 });
    } else {
      assert(status >= 400 && status < 500 && isRefusal(status, JSON.parse(text)), said);
      if (target.movesOrders) assert((await orders(mock)) === ordersBefore, `${said} changed the orders`);
    }
    assert((await worldOf(mock)) === world, `${said} changed the world`);
  });
  await fc.assert(property, { numRuns: casesEach, seed: seed + n });
  assert((await orders(mock)) === ordersBefore, "the orders changed");
}

test("requests with wrong fields: never a 5xx, always the error body, nothing applied on a 4xx, no hang", async () => {
  const seen = new Map(Object.keys(targets).map((name) => [name, new Set<number>()]));
  await Promise.all(Array.from({ length: workers }, (_, n) => worker(n, seen)));
  // The cases tell good from bad: every target took some and refused some.
  for (const [name, statuses] of seen) {
    if (name !== "status" && name !== "reply") expect([name, statuses.has(200)]).toEqual([name, true]);
    if (name !== "disarm") expect([name, statuses.has(400)]).toEqual([name, true]);
  }
}, 240_000);

test("an item that is accepted without zod is one that zod accepts as it is", () => {
  const value = fc.oneof(anyText({ maxLength: 70 }), fc.double(), fc.jsonValue());
  const fields = fc.record(
    {
      codigo: fc.oneof({ weight: 9, arbitrary: anyText({ maxLength: 70 }) }, value),
      nombre: fc.oneof({ weight: 9, arbitrary: fc.string() }, value),
      categoria: fc.oneof({ weight: 9, arbitrary: fc.string() }, value),
      precio: fc.oneof({ weight: 9, arbitrary: fc.double({ min: -1 }) }, value),
      deshabilitado: fc.oneof({ weight: 9, arbitrary: fc.boolean() }, value),
    },
    { requiredKeys: ["codigo", "nombre"] },
  );
  let sound = 0;
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: fields }, fc.jsonValue()), (item) => {
      if (!isSurelySound(item)) return;
      sound += 1;
      expect(upsertSchema.parse(item)).toEqual(item);
    }),
    { seed, numRuns: sized(1_000, 20_000) },
  );
  expect(sound).toBeGreaterThan(100);
});
