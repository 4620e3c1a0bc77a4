import { expect, it } from "vitest";
import type { CampaignRequest } from "../../../src/contract/campaign.ts";
import { errorOf, parse, people, poster, send, took } from "../../support/campaigns.ts";
import { type Handler, reply, reset } from "../../support/scripted-server.ts";

const denied = reply({ code: "NO_ACCESS", message: "no" }, 403);
const busy = reply({ code: "BUSY", message: "slow down" }, 429, { "retry-after": "1" });
const argv = (): string[] =>
  send(people(600), "--ref", "r", "--track-all", "--in-flight", "3", "--yes", "--json");

/** Answers in reverse, once so many calls are under way. */
function together(...handlers: Handler[]): Handler[] {
  const waiting: (() => void)[] = [];
  return handlers.map((handler) => (response, request) => {
    waiting.push(() => handler(response, request));
    if (waiting.length === handlers.length) for (const answer of waiting.reverse()) answer();
  });
}

const firstPhone = ({ body }: { body: Buffer }): string =>
  (JSON.parse(body.toString()) as CampaignRequest).recipients[0]!.phone;
const keyOf = ({ body }: { body: Buffer }): string =>
  (JSON.parse(body.toString()) as CampaignRequest).idempotency_key;

it("the first call goes alone, then one more after each answer up to --in-flight, reported in their sequence", async () => {
  const { server, run } = await poster([took, ...together(took, took), ...together(took, took, took)]);
  const { code, stdout } = await run(argv());
  expect(code).toBe(0);
  const { campaigns, recipients } = parse(stdout);
  expect(recipients).toMatchObject({ planned: 600, added: 600 });
  const inOrder = server.requests.toSorted((a, b) => (firstPhone(a) < firstPhone(b) ? -1 : 1));
  expect(campaigns.map(({ idempotency_key: key }) => key)).toEqual(inOrder.map(keyOf));
});

it("after a refusal none begins, those under way are waited for, and resume sends the rest", async () => {
  const { server, run } = await poster([took, ...together(took, denied), ...Array<Handler>(4).fill(took)]);
  const stopped = await run([...argv(), "--retries", "0"]);
  expect([stopped.code, server.requests.length]).toEqual([4, 3]);
  expect(parse(stopped.stdout)).toMatchObject({ outcome: "partial", recipients: { added: 200 } });
  const resumed = await run(["campaign", "resume", "r", "--in-flight", "8", "--json"]);
  expect(resumed.code).toBe(0);
  expect(parse(resumed.stdout)).toMatchObject({ recipients: { added: 400, already_sent: 200 } });
  expect(new Set(server.requests.map(firstPhone)).size).toBe(6);
});

it("an unknown outcome beside a refusal is said, and resume sends the same bytes again", async () => {
  const { server, run } = await poster([took, ...together(reset(), denied), ...Array<Handler>(5).fill(took)]);
  const stopped = await run([...argv(), "--retries", "0"]);
  expect([stopped.code, parse(stopped.stdout).outcome]).toEqual([7, "unknown"]);
  expect(errorOf(stopped.stderr)).toMatchObject({ reason: "outcome_unknown", ref: "r" });
  expect((await run(["campaign", "resume", "r", "--json"])).code).toBe(0);
  const bodies = new Set(server.requests.map(({ body }) => body.toString()));
  expect([server.requests.length, bodies.size]).toEqual([8, 6]);
});

it("a 429 lets the next call begin alone", async () => {
  const later = together(took, took);
  const { server, run } = await poster([took, ...together(took, busy), took, took, ...later]);
  expect((await run(argv())).code).toBe(0);
  expect(server.requests).toHaveLength(7);
});

it("after a 429 none begins before that call is answered, whatever the others beside it say", async () => {
  const { server, run } = await poster([
    ...[took, ...together(took, took)],
    ...[busy, ...together(took, took)],
    ...Array<Handler>(4).fill(took),
  ]);
  const many = send(people(900), "--ref", "r", "--track-all", "--in-flight", "3", "--yes", "--json");
  expect((await run(many)).code).toBe(0);
  const keys = server.requests.map(keyOf);
  expect(keys.slice(6, 7)).toEqual(keys.slice(3, 4));
  expect([keys.length, new Set(keys).size]).toEqual([10, 9]);
});

it("is refused beside --pace, whose calls leave one after the other", async () => {
  const { run } = await poster([]);
  const { code, stderr } = await run([...argv(), "--pace", "10/min"]);
  expect(code).toBe(2);
  expect(errorOf(stderr)).toMatchObject({ problem: { flags: ["--in-flight", "--pace"] } });
});
