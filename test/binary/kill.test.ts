import { describe, expect, it } from "vitest";
import type { CampaignRequest } from "../../src/contract/campaign.ts";
import type { CatalogEvent } from "../../src/contract/catalog.ts";
import { startBinary } from "../support/binary.ts";
import { people, phone, send, took } from "../support/campaigns.ts";
import { locksLeft } from "../support/journal.ts";
import { accepted, batches, parse, priceList } from "../support/push.ts";
import { fixture, shell, temporaryFolder } from "../support/run.ts";
import {
  clockQuestion,
  type Handler,
  hanging,
  reply,
  reset,
  scriptedServer,
} from "../support/scripted-server.ts";
import { pointedAt } from "../support/service.ts";
import { sized } from "../support/soak.ts";

const takesAll: Handler = (response, request) => {
  const { items } = JSON.parse(request.body.toString()) as CatalogEvent;
  reply(accepted(items.length))(response, request);
};

/** A service that answers every call but the second, which stays open. */
async function deadlyService() {
  const bodies: string[] = [];
  const second = hanging();
  const calls = Object.entries({ "POST /campaigns": took, "POST /v1/catalog/items": takesAll });
  const server = await scriptedServer(
    clockQuestion,
    ...calls.map(([call, answer]) => ({
      on: call,
      aside: true as const,
      handler: (...[response, request]: Parameters<Handler>) => {
        bodies.push(request.body.toString());
        (bodies.length === 2 ? second.handler : answer)(response, request);
      },
    })),
  );
  return {
    bodies,
    secondIsOut: second.arrived,
    env: { BPOS_HOME: temporaryFolder(), ...pointedAt(server.url) },
  };
}

const commands = [
  {
    name: "campaign send",
    argv: () => [...send(people(2_345)), "--yes", "--json"],
    all: Array.from({ length: 2_345 }, (_, n) => phone(n)),
    named: (bodies: object[]) =>
      (bodies as CampaignRequest[]).flatMap(({ recipients }) => recipients.map((each) => each.phone)),
  },
  {
    name: "catalog push",
    argv: () => ["catalog", "push", priceList(1_500), "--json"],
    all: Array.from({ length: 1_500 }, (_, n) => String(n).padStart(5, "0")),
    named: (bodies: object[]) =>
      (bodies as CatalogEvent[]).flatMap(({ items }) => items.map((each) => each.codigo)),
  },
];

describe.each(commands)("$name", ({ argv: line, all, named }) => {
  it("runs in one process at a time, and when that one is killed while a call is out, the next goes on with the same bytes", async () => {
    const { env, bodies, secondIsOut } = await deadlyService();
    const argv = line();
    const first = startBinary(argv, { env });
    await secondIsOut;
    const run = shell({ env });
    const second = await run([...argv, "--lock-wait", "0"]);
    expect(second).toMatchObject({ code: 9, stdout: "" });
    expect(JSON.parse(second.stderr)).toMatchObject({ error: { reason: "locked", pid: first.child.pid } });
    expect(await first.stop("SIGKILL")).toBe("SIGKILL");
    expect(bodies).toHaveLength(2);

    expect((await run(argv)).code).toBe(0);
    // Neither the one that was killed nor those that ended leave a lock behind.
    expect(await locksLeft(env.BPOS_HOME)).toEqual([]);
    // Call 2 goes out again, which the service applies once; no other call is repeated.
    expect(bodies).toHaveLength(4);
    expect(bodies[2]).toBe(bodies[1]);
    const distinct = [...new Set(bodies)].map(
      (body) => JSON.parse(body) as Partial<CampaignRequest & CatalogEvent>,
    );
    expect(named(distinct)).toEqual(all);
    expect(new Set(distinct.map((body) => body.event_id ?? body.idempotency_key)).size).toBe(3);
    const stamps = distinct.map(({ occurred_at }) => occurred_at ?? "");
    expect(stamps.toSorted()).toEqual(stamps);
  });
});

it("a push ends with 130 on Ctrl-C while a call is out, says that it is unknown, and settles it the next time", async () => {
  const { arrived, handler } = hanging();
  const answers = [accepted(1), accepted(1, { duplicate: true }), accepted(1)].map((each) => reply(each));
  const server = await scriptedServer(...batches(answers[0]!, handler, answers[1]!, answers[2]!));
  const env = { BPOS_HOME: temporaryFolder(), ...pointedAt(server.url) };
  const argv = ["catalog", "push", priceList(3), "--batch-size", "1", "--json"];
  const first = startBinary(argv, { env });
  await arrived;
  expect(await first.stop("SIGINT")).toBe(130);
  const { stdout, stderr } = await first.ended;
  expect(parse(stdout)).toMatchObject({ outcome: "unknown", sent: 2, batches: 2, accepted: 1 });
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: "interrupted" } });
  const second = await shell({ env })(argv);
  expect(second.code).toBe(0);
  expect(parse(second.stdout)).toMatchObject({ outcome: "complete", accepted: 3, duplicate_batches: 1 });
  expect(server.requests[2]!.body.equals(server.requests[1]!.body)).toBe(true);
});

const push = (file: string, ...flags: string[]): string[] => ["catalog", "push", file, ...flags];
const catalog = fixture("catalog.csv");
const ends = [
  {
    what: "the unknown outcome of a push",
    argv: () => push(priceList(1), "--retries=0"),
    answers: [reset()],
    code: 7,
  },
  { what: "rejected rows", argv: () => push(catalog), answers: [reply(accepted(293))], code: 3 },
  { what: "rejected rows of a dry run", argv: () => push(catalog, "--dry-run"), answers: [], code: 3 },
  { what: "rejected rows with --strict", argv: () => push(catalog, "--strict"), answers: [], code: 2 },
];
it.each(ends.slice(0, sized(1, 4)))(
  "tells a script of $what though nobody reads its output",
  async ({ argv, answers, code }) => {
    const server = await scriptedServer(...batches(...answers));
    const { child, exited } = startBinary(argv(), {
      env: { BPOS_HOME: temporaryFolder(), ...pointedAt(server.url) },
    });
    child.stdout.destroy();
    expect(await exited).toBe(code);
  },
);
