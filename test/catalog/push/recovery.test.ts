import { describe, expect, it } from "vitest";
import { fakeClock } from "../../support/fake-clock.ts";
import { accepted, batches, event, parse, priceList } from "../../support/push.ts";
import { type Run, shell } from "../../support/run.ts";
import {
  type Handler,
  reply,
  reset,
  type ScriptedServer,
  scriptedServer,
} from "../../support/scripted-server.ts";
import { pointedAt } from "../../support/service.ts";

const refused = reply({ code: "ERROR_CODE_INPUT_ERROR", message: "No" }, 400);
const denied = reply({ code: "ERROR_CODE_ACCESS_DENIED", message: "No" }, 403);
const tooLarge = reply({ code: "ERROR_CODE_INPUT_ERROR", message: "too large" }, 413);

interface Pusher {
  server: ScriptedServer;
  push: (file: string, ...more: string[]) => Promise<Run>;
}

/** Pushes with batches of two and no second try, to a service that answers like this. */
async function pusher(...answers: Handler[]): Promise<Pusher> {
  const server = await scriptedServer(...batches(...answers));
  const run = shell({ env: pointedAt(server.url) });
  const flags = ["--batch-size", "2", "--retries", "0", "--json"];
  return { server, push: (file, ...more) => run(["catalog", "push", file, ...flags, ...more]) };
}

const ids = ({ requests }: ScriptedServer): string[] => requests.map((request) => event(request).event_id);
const stamps = ({ requests }: ScriptedServer): number[] =>
  requests.map((request) => Date.parse(event(request).occurred_at));
const sizes = ({ requests }: ScriptedServer): number[] =>
  requests.map((request) => event(request).items.length);
const pushIds = (...runs: Run[]): string[] => runs.map(({ stdout }) => parse(stdout).push_id);

describe("what a push does when a call goes wrong", () => {
  it("sends the same bytes again after a 502 and a reset, and says that an earlier try landed", async () => {
    const server = await scriptedServer(
      ...batches(reply("<html>", 502), reset(), reply(accepted(3, { duplicate: true }))),
    );
    const run = shell({ env: pointedAt(server.url), clock: fakeClock() });
    const result = await run(["catalog", "push", priceList(3), "--json"]);
    expect(result.code).toBe(0);
    expect(parse(result.stdout)).toMatchObject({ duplicate_batches: 1, accepted: 3 });
    expect(new Set(server.requests.map(({ body }) => body.toString())).size).toBe(1);
  });

  it.each([408, 425, 429])(
    "says to try later when the service puts an open batch off with %i",
    async (status) => {
      const file = priceList(2);
      const { push } = await pusher(
        reset(),
        reply({ code: "", message: "Later" }, status),
        reply(accepted(2)),
      );
      expect((await push(file)).code).toBe(7);
      const second = await push(file);
      expect(second.code).toBe(7);
      const { error } = JSON.parse(second.stderr) as { error: { status: number; hint: string } };
      expect(error.status).toBe(status);
      expect(error.hint).toMatch(/^Try again later: the same command/);
      expect(error.hint).not.toContain("Correct the file");
      expect((await push(file)).code).toBe(0);
    },
  );

  it("ends with 7 when the outcome is unknown, and takes up there when the same file is pushed again", async () => {
    const file = priceList(6);
    const answers = [accepted(2), accepted(2, { duplicate: true }), accepted(2)].map((each) => reply(each));
    const { server, push } = await pusher(answers[0]!, reset(), answers[1]!, answers[2]!);
    const first = await push(file);
    expect(first.code).toBe(7);
    expect(parse(first.stdout)).toMatchObject({ outcome: "unknown", accepted: 2, sent: 4, batches: 2 });
    const second = await push(file);
    expect(second.code).toBe(0);
    expect(parse(second.stdout)).toMatchObject({ accepted: 6, sent: 6, batches: 3, outcome: "complete" });
    expect(pushIds(second)).toEqual(pushIds(first));
    expect(server.requests[2]!.body.equals(server.requests[1]!.body)).toBe(true);
    expect(stamps(server)[3]).toBe(stamps(server)[0]! + 2);
  });

  it.each([
    ["refuses", refused, 5, "refused"],
    ["denies", denied, 4, "denied"],
  ])("says plainly that the service %s what was never attempted before", async (_, answer, code, name) => {
    const { server, push } = await pusher(answer, answer, reply(accepted(1)));
    const file = priceList(1);
    for (let n = 0; n < 2; n++) {
      const result = await push(file);
      expect(result.code).toBe(code);
      expect(JSON.parse(result.stderr)).toMatchObject({ error: { code: name } });
    }
    expect((await push(file)).code).toBe(0);
    expect(new Set(ids(server)).size).toBe(1);
  });

  it.each([
    ["a refusal", refused],
    ["a denial", denied],
  ])("calls the outcome unknown still when %s follows a try that may have landed", async (_, answer) => {
    const { server, push } = await pusher(reset(), answer, answer, reply(accepted(1, { duplicate: true })));
    const file = priceList(1);
    for (let n = 0; n < 3; n++) {
      const result = await push(file);
      expect(result.code).toBe(7);
      expect(parse(result.stdout)).toMatchObject({ outcome: "unknown", sent: 1, batches: 1, accepted: 0 });
    }
    expect((await push(file)).code).toBe(0);
    expect(new Set(server.requests.map(({ body }) => body.toString())).size).toBe(1);
  });

  it("stops in part at a later batch that is refused and continues there", async () => {
    const { server, push } = await pusher(reply(accepted(2)), refused, reply(accepted(2)));
    const file = priceList(4);
    const first = await push(file);
    expect(first.code).toBe(5);
    expect(parse(first.stdout)).toMatchObject({ outcome: "partial", sent: 2, batches: 1 });
    const second = await push(file);
    expect(second.code).toBe(0);
    expect(parse(second.stdout)).toMatchObject({ accepted: 4, outcome: "complete" });
    expect(ids(server)[2]).toBe(ids(server)[1]);
  });
});

describe("a batch whose intent was written down together with one before it, and which never left", () => {
  const taken = (n: number): Handler => reply(accepted(n));

  it("was not attempted: what the service says of it later is plain", async () => {
    const quick = Array.from({ length: 4 }, () => taken(2));
    const { push } = await pusher(...quick, refused, taken(2), refused);
    const file = priceList(20);
    expect((await push(file)).code).toBe(5);
    const second = await push(file);
    expect(second.code).toBe(5);
    expect(parse(second.stdout)).toMatchObject({ outcome: "partial", sent: 10, batches: 5 });
  });

  it("is halved like any other", async () => {
    const halves = Array.from({ length: 6 }, () => taken(1));
    const { server, push } = await pusher(taken(2), taken(2), taken(2), tooLarge, ...halves);
    expect((await push(priceList(12))).code).toBe(0);
    expect(sizes(server)).toEqual([2, 2, 2, 2, 1, 1, 1, 1, 1, 1]);
  });
});

describe("which push is taken up", () => {
  const ok = reply(accepted(1));

  it("none that ended: the same file again is a new event, with a later stamp", async () => {
    const { server, push } = await pusher(ok, ok);
    const file = priceList(1);
    expect(new Set(pushIds(await push(file), await push(file))).size).toBe(2);
    expect(new Set(ids(server)).size).toBe(2);
    expect(stamps(server)[1]).toBeGreaterThan(stamps(server)[0]!);
  });

  it.each([
    ["open", reset()],
    ["finished", ok],
  ])("not A in A, B, A, where A is open and B is %s: the last is the newest", async (_, answerToB) => {
    const { server, push } = await pusher(reset(), answerToB, ok);
    const [a, b] = [priceList(1), priceList(1, 5)];
    const first = await push(a);
    await push(b);
    const last = await push(a);
    expect(last.code).toBe(0);
    expect(pushIds(last)).not.toEqual(pushIds(first));
    expect(new Set(ids(server)).size).toBe(3);
    expect(stamps(server)[2]).toBeGreaterThan(stamps(server)[1]!);
  });

  it("gives finished A, B, A three ids, though the clock stands still", async () => {
    const server = await scriptedServer(...batches(ok, ok, ok));
    const run = shell({ env: pointedAt(server.url), clock: fakeClock() });
    const [a, b] = [priceList(1), priceList(1, 5)];
    for (const file of [a, b, a]) expect((await run(["catalog", "push", file])).code).toBe(0);
    expect(new Set(ids(server)).size).toBe(3);
    expect(stamps(server)).toEqual([0, 1, 2].map((n) => stamps(server)[0]! + n));
  });

  it("goes by what came last, and never uses a stamp again, even when the machine's clock went back", async () => {
    const server = await scriptedServer(...batches(reset(), ok, ok));
    const run = shell({ env: pointedAt(server.url) });
    const [a, b] = [priceList(1), priceList(1, 5)];
    const push = (file: string, now: number): Promise<Run> =>
      run(["catalog", "push", file, "--retries", "0", "--force"], { clock: fakeClock(now) });
    expect((await push(a, 2_000_000_000_000)).code).toBe(7);
    expect((await push(b, 1_900_000_000_000)).code).toBe(0);
    expect((await push(a, 1_800_000_000_000)).code).toBe(0);
    expect(stamps(server)).toEqual([0, 1, 2].map((n) => 2_000_000_000_000 + n));
  });
});

describe("a batch that is too large", () => {
  const taken = (n: number): Handler => reply(accepted(n));

  it("is halved, as are those behind it, each half with its batch's stamp and its own id", async () => {
    const { server, push } = await pusher(tooLarge, taken(2), taken(2), taken(2), taken(2));
    const result = await push(priceList(8), "--batch-size", "4");
    expect(result.code).toBe(0);
    expect(parse(result.stdout)).toMatchObject({ batches: 4, sent: 8, accepted: 8, outcome: "complete" });
    expect(sizes(server)).toEqual([4, 2, 2, 2, 2]);
    expect(new Set(ids(server)).size).toBe(5);
    const [first] = stamps(server);
    expect(stamps(server).map((stamp) => stamp - first!)).toEqual([0, 0, 0, 1, 1]);
    const codes = server.requests.slice(1).flatMap((request) => event(request).items.map((i) => i.codigo));
    expect(codes).toEqual(Array.from({ length: 8 }, (_, n) => `0000${n}`));
  });

  it("is a refusal when it holds one product", async () => {
    const { server, push } = await pusher(tooLarge, tooLarge);
    const result = await push(priceList(2));
    expect(result.code).toBe(5);
    expect(parse(result.stdout)).toMatchObject({ outcome: "refused", sent: 0, batches: 0 });
    expect(sizes(server)).toEqual([2, 1]);
  });

  it("stays halved when the push is taken up again", async () => {
    const { server, push } = await pusher(tooLarge, taken(1), reset(), taken(1));
    const file = priceList(2);
    expect((await push(file)).code).toBe(7);
    expect((await push(file)).code).toBe(0);
    expect(sizes(server)).toEqual([2, 1, 1, 1]);
    expect(ids(server)[3]).toBe(ids(server)[2]);
  });
});
