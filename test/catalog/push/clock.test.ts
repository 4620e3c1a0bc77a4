import { describe, expect, it } from "vitest";
import { fakeClock } from "../../support/fake-clock.ts";
import { askJournal } from "../../support/journal.ts";
import { accepted, event, fileOf, parse, priceList } from "../../support/push.ts";
import { type Run, shell, temporaryFolder } from "../../support/run.ts";
import {
  type Handler,
  on,
  reply,
  reset,
  type ScriptedServer,
  scriptedServer,
} from "../../support/scripted-server.ts";
import { pointedAt } from "../../support/service.ts";

const serviceTime = Date.UTC(2026, 0, 1, 12);
const minute = 60_000;
const page = { orders: [], page: 1, per_page: 20, total: 0, has_more: false };
const orders = "GET /v1/orders";
const items = "POST /v1/catalog/items";

/** Answers the question for the time; without a date the answer has no Date at all. */
const tells =
  (date: string | undefined): Handler =>
  (response) => {
    response.sendDate = false;
    response.writeHead(200, { "content-type": "application/json", ...(date !== undefined && { date }) });
    response.end(JSON.stringify(page));
  };
const date = new Date(serviceTime).toUTCString();
const onTime = tells(date);

/** The same answer without a Date. */
const timeless =
  (answer: Handler): Handler =>
  (response, request) => {
    response.sendDate = false;
    answer(response, request);
  };

const reasonIn = (stderr: string): unknown =>
  (JSON.parse(stderr.trim().split("\n").at(-1) ?? "") as { error: { reason: unknown } }).error.reason;

interface Machine {
  server: ScriptedServer;
  home: string;
  push: (aheadMs: number, ...flags: string[]) => Promise<Run>;
}

async function machine(question: Handler, ...answers: Handler[]): Promise<Machine> {
  const ask = { ...on(orders, question), aside: true as const };
  const server = await scriptedServer(ask, ...answers.map((answer) => on(items, answer)));
  const home = temporaryFolder();
  const run = shell({ env: { ...pointedAt(server.url), BPOS_HOME: home } });
  const [one, three] = [priceList(1), priceList(3)];
  const push: Machine["push"] = (aheadMs, ...flags) =>
    run(["catalog", "push", flags.includes("--batch-size") ? three : one, "--json", ...flags], {
      clock: fakeClock(serviceTime + 500 + aheadMs),
    });
  return { server, home, push };
}

const stampsReserved = (home: string) => askJournal(home, "SELECT branch FROM branch_stamp");

describe("the clock of this machine", () => {
  it.each([
    ["right", 0, null],
    ["almost 2 minutes ahead", 2 * minute - 1000, null],
    ["2 minutes ahead", 2 * minute, "2 minutes ahead of the service"],
    ["almost an hour ahead", 60 * minute - 1000, "60 minutes ahead"],
    ["2 minutes behind", -2 * minute, "2 minutes behind the service"],
    ["a day behind", -1440 * minute, "1440 minutes behind"],
  ])("when it is %s lets a push through", async (_, aheadMs, warning) => {
    const { push } = await machine(onTime, reply(accepted(1)));
    const { code, stderr } = await push(aheadMs);
    expect(code).toBe(0);
    if (warning === null) expect(stderr).toBe("");
    else expect(stderr).toContain(warning);
  });

  it("when it is an hour ahead refuses before anything is sent or written, unless forced", async () => {
    const { server, home, push } = await machine(onTime, reply(accepted(1)));
    const { code, stdout, stderr } = await push(60 * minute);
    expect({ code, stdout }).toEqual({ code: 9, stdout: "" });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "config", reason: "clock_ahead" } });
    expect(server.requests).toEqual([]);
    expect(await stampsReserved(home)).toEqual([]);
    const forced = await push(60 * minute, "--force");
    expect(forced.code).toBe(0);
    expect(forced.stderr).toContain("60 minutes ahead");
  });

  describe.each([
    ["no Date", tells(undefined)],
    ["a Date that is none", tells("soon")],
    ["an error without a Date", timeless(reply({ code: "X", message: "no", payload: "" }, 404))],
  ])("that meets %s", (_, question) => {
    const batch = (): Handler => reply(accepted(1), 200, { date });
    const three = ["--batch-size", "1", "--in-flight"];

    it.each(["1", "3"])(
      "sends one batch first, and goes on when that answer shows it right (%s in flight)",
      async (n) => {
        const { server, push } = await machine(question, batch(), batch(), batch());
        const { code, stdout, stderr } = await push(0, ...three, n);
        expect(code).toBe(0);
        expect(stderr).toContain("it sends the first batch alone");
        expect(parse(stdout)).toMatchObject({ batches: 3, accepted: 3, outcome: "complete" });
        expect(server.requests).toHaveLength(3);
      },
    );

    it.each(["1", "3"])(
      "stops before the second batch when that answer shows it an hour ahead (%s in flight)",
      async (n) => {
        const { server, push } = await machine(question, batch(), batch(), batch());
        const { code, stdout, stderr } = await push(2880 * minute, ...three, n);
        expect({ code, reason: reasonIn(stderr) }).toEqual({ code: 9, reason: "clock_ahead" });
        expect(server.requests).toHaveLength(1);
        const { occurred_at: stamp } = event(server.requests[0]!);
        expect(stderr).toContain(`has the timestamp ${stamp}, and no other batch was sent`);
        expect(parse(stdout)).toMatchObject({ batches: 1, accepted: 1 });
        // The clock is right again: the rest goes out behind that stamp, which is said.
        const rest = await push(0, ...three, n);
        expect(rest.stderr).toContain("has a timestamp 48 h ahead of this machine's clock");
        expect(parse(rest.stdout)).toMatchObject({ batches: 3, accepted: 3, outcome: "complete" });
        expect(event(server.requests.at(-1)!).occurred_at >= stamp).toBe(true);
      },
    );
  });

  it("that stands behind the last stamp of the journal is said before the push", async () => {
    const { push } = await machine(onTime, reply(accepted(1)), reply(accepted(1)));
    expect((await push(61 * minute, "--force")).stderr).not.toContain("has a timestamp");
    const { code, stderr } = await push(0);
    expect(code).toBe(0);
    expect(stderr).toContain(
      "the last push of this branch has a timestamp 1 h ahead of this machine's clock",
    );
  });

  it("is not asked about in vain: a key that is denied ends with 4, no way to the service with 6", async () => {
    const denied = await machine(
      reply({ code: "ERROR_CODE_ACCESS_DENIED", message: "No", payload: "" }, 403),
    );
    const refusal = await denied.push(0, "--store-id", "7");
    expect(refusal.code).toBe(4);
    expect(await stampsReserved(denied.home)).toEqual([]);
    const away = await machine(reset());
    const silence = await away.push(0, "--retries", "0");
    expect(silence.code).toBe(6);
    expect(await stampsReserved(away.home)).toEqual([]);
    for (const { stderr } of [refusal, silence]) {
      const { error } = JSON.parse(stderr) as { error: Record<string, unknown> };
      expect(error).toMatchObject({ asked_for: "time", nothing_sent: true });
      expect(error["message"]).toMatch(
        /Cannot read the service's time before sending: .*Nothing was sent\.$/,
      );
      // The store id was not part of that question.
      expect(error).not.toHaveProperty("store_id");
    }
  });
});

describe("--in-flight", () => {
  it("keeps at most that many batches out at once, all with one stamp and an id each", async () => {
    let out = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    // Nobody is answered until four are out, or the last ones are.
    let left = 10;
    const slow: Handler = (response) => {
      out += 1;
      most = Math.max(most, out);
      waiting.push(() => {
        out -= 1;
        reply(accepted(1))(response, undefined as never);
      });
      if (waiting.length === Math.min(4, left)) {
        left -= waiting.length;
        for (const answer of waiting.splice(0)) answer();
      }
    };
    const { server, push } = await inFlight(...Array.from({ length: 10 }, () => slow));
    const { code, stdout } = await push();
    expect(code).toBe(0);
    expect(parse(stdout)).toMatchObject({ sent: 10, accepted: 10, batches: 10, outcome: "complete" });
    expect(most).toBe(4);
    const events = server.requests.map(event);
    expect(new Set(events.map(({ occurred_at }) => occurred_at)).size).toBe(1);
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(10);
  });

  it("starts no batch after an unknown outcome, and settles it the next time with the same bytes", async () => {
    let address = "";
    const held: (() => void)[] = [];
    const hold: Handler = (response, request) => {
      held.push(() => reply(accepted(1))(response, request));
    };
    const breaks: Handler = (response, request) => {
      reset()(response, request);
      // Two ways there and back: by then the reset was noticed.
      void fetch(address)
        .then(() => fetch(address))
        .then(() => {
          for (const answer of held) answer();
        });
    };
    const rest = Array.from({ length: 7 }, () => reply(accepted(1)));
    const { server, push } = await inFlight(hold, hold, hold, breaks, ...rest);
    address = `${server.url}/v1/orders`;
    const first = await push("--retries", "0");
    expect(first.code).toBe(7);
    expect(parse(first.stdout)).toMatchObject({ sent: 4, accepted: 3, outcome: "unknown" });
    expect(server.requests).toHaveLength(4);
    const second = await push();
    expect(second.code).toBe(0);
    expect(parse(second.stdout)).toMatchObject({ sent: 10, accepted: 10, outcome: "complete" });
    const bodies = server.requests.map(({ body }) => body.toString());
    expect(bodies.slice(4)).toContain(bodies[3]);
    expect(new Set(bodies).size).toBe(10);
  });
});

/** Ten products, one a batch, four batches at once. */
async function inFlight(
  ...answers: Handler[]
): Promise<{ server: ScriptedServer; push: (...flags: string[]) => Promise<Run> }> {
  const ask = { ...on(orders, reply(page)), aside: true as const };
  const server = await scriptedServer(ask, ...answers.map((answer) => on(items, answer)));
  const run = shell({ env: pointedAt(server.url) });
  const file = fileOf("codigo,nombre,precio", ...Array.from({ length: 10 }, (_, n) => `P${n},Product,${n}`));
  const always = ["--in-flight", "4", "--batch-size", "1", "--json"];
  return { server, push: (...flags) => run(["catalog", "push", file, ...always, ...flags]) };
}
