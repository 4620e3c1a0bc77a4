import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { openReceiver, Refusal } from "../../../src/campaigns/listen/server.ts";
import { replyFields } from "../../../src/campaigns/replies.ts";
import { postReply } from "../../support/listen.ts";

type Receiver = Awaited<ReturnType<typeof openReceiver>>;

interface Opened {
  receiver: Receiver;
  url: string;
  taken: string[];
  refused: number[];
  defects: unknown[];
}

async function opened(take: (text: string) => void = () => undefined, requestMs = 300): Promise<Opened> {
  const [taken, refused, defects]: [string[], number[], unknown[]] = [[], [], []];
  const receiver = await openReceiver({
    system: { findListener: () => Promise.resolve(undefined) },
    host: "127.0.0.1",
    port: 0,
    requestMs,
    take: (bytes) => {
      take(bytes.toString("utf8"));
      taken.push(bytes.toString("utf8"));
    },
    onRefusal: ({ status }) => refused.push(status),
    onDefect: (defect) => defects.push(defect),
  });
  onTestFinished(() => receiver.close(0));
  return { receiver, url: `http://127.0.0.1:${receiver.port}/`, taken, refused, defects };
}

/** A POST whose body has not come yet; `end` sends the rest, `answer` is what came back so far. */
async function begun({
  port,
}: Receiver): Promise<{ socket: Socket; answered: Promise<string>; end: () => void }> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  const answered = new Promise<string>((resolve) =>
    socket.on("error", () => undefined).on("data", (part) => resolve(String(part))),
  );
  await new Promise<void>((resolve) => socket.write(`${head}Content-Length: 3\r\n\r\n1`, () => resolve()));
  return { socket, answered, end: () => void socket.write("23") };
}

const head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";

/** Returns all that a bare connection is answered until it is closed. */
function spoken({ port }: Receiver, text: string): Promise<string> {
  const socket: Socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.on("data", (part) => {
    answer += String(part);
  });
  socket.write(text);
  return new Promise((resolve) => socket.on("error", () => undefined).once("close", () => resolve(answer)));
}

describe("a receiver", () => {
  it.each([
    ["body", `${head}Content-Length: 100\r\n\r\n{"a":`, 408],
    ["header", "POST / HTTP/1.1\r\nHost: x", 408],
    ["line that is no HTTP", "hello\r\n\r\n", 400],
    ["header without end", `${head}X: ${"x".repeat(100_000)}\r\n\r\n`, 431],
  ])("answers a %s that does not come to its end, and hangs up", async (_what, text, status) => {
    const { receiver, taken } = await opened();
    const answer = await spoken(receiver, text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(taken).toEqual([]);
  });

  it("lets the 65th sender wait for its turn, and asks it to come again when there is none", async () => {
    const { receiver, taken, refused } = await opened(undefined, 3_000);
    const first = await Promise.all(Array.from({ length: 64 }, () => begun(receiver)));
    const waiting = await begun(receiver);
    waiting.end();
    const late = await begun(receiver);
    first[0]!.end();
    expect(await first[0]!.answered).toMatch(/^HTTP\/1.1 200 /);
    expect(await waiting.answered).toMatch(/^HTTP\/1.1 200 /);
    // Its place in turn goes to the one that never ends.
    const busy = await (await begun(receiver)).answered;
    expect(busy).toMatch(/^HTTP\/1.1 503 /);
    expect(busy.toLowerCase()).toContain("retry-after: 5");
    late.socket.destroy();
    expect([taken, refused]).toEqual([["123", "123"], [503]]);
  });

  it("goes on when a sender who waits for its turn hangs up", async () => {
    const { receiver, url, taken, refused, defects } = await opened(undefined, 30_000);
    const first = await Promise.all(Array.from({ length: 64 }, () => begun(receiver)));
    const impatient = await begun(receiver);
    impatient.end();
    // Answered after what came before it.
    expect((await fetch(url)).status).toBe(200);
    impatient.socket.destroy();
    expect((await fetch(url)).status).toBe(200);
    for (const { end, answered } of first) {
      end();
      expect(await answered).toMatch(/^HTTP\/1.1 200 /);
    }
    expect((await postReply(url, "4")).status).toBe(200);
    expect(taken.filter((text) => text === "123").length).toBeGreaterThanOrEqual(64);
    expect([taken.at(-1), refused, defects]).toEqual(["4", [], []]);
  });

  it("takes the next request on a connection on which a body was refused in the middle", async () => {
    const { url } = await opened(undefined, 30_000);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const headers = { "content-type": "application/json" };
    const post = (parts: readonly string[]) =>
      new Promise<number | undefined>((resolve, reject) => {
        const asked = request(url, { method: "POST", agent, headers }, (answer) =>
          answer.resume().once("end", () => resolve(answer.statusCode)),
        );
        asked.once("error", reject);
        for (const part of parts) asked.write(part);
        asked.end();
      });
    expect([
      await post(["1"]),
      await post(Array<string>(3).fill("2".repeat(1024 * 1024))),
      await post(["3"]),
    ]).toEqual([200, 413, 200]);
  });

  it("answers a refusal of what takes it, and its defects too, without a word of them", async () => {
    const { url, refused, defects } = await opened((text) => {
      if (text === "1") throw new Refusal(503, "later");
      throw new TypeError("secret");
    }, 30_000);
    const busy = await postReply(url, "1");
    expect([busy.status, await busy.json()]).toEqual([
      503,
      {
        code: "ERROR_CODE_UNAVAILABLE",
        message: "later",
        payload: { campaign_id: null, external_ref: null },
      },
    ]);
    const broken = await postReply(url, "2");
    expect(broken.status).toBe(500);
    expect(await broken.text()).not.toContain("secret");
    expect([refused, defects]).toEqual([[503, 500], [new TypeError("secret")]]);
  });
});

describe("the fields of a reply", () => {
  it.each([
    ["at the top before deeper ones", { x: { phone: "2" }, phone: "1" }, { phone: "1" }],
    [
      "deeper down",
      { entry: [{ changes: [{ value: { from: 549, text: { body: "hola" } } }] }] },
      { phone: "549", text: null },
    ],
    [
      "of both, each where it is",
      { a: { campaign_id: "c" }, b: [{ external_ref: 7 }] },
      { campaign_id: "c", external_ref: "7" },
    ],
    ["not from texts, lists or nothing", "campaign_id", { campaign_id: null }],
    [
      "not of another kind",
      { campaign_id: { id: 1 }, external_ref: true, phone: null, text: "" },
      { campaign_id: null, external_ref: null, phone: null, text: null },
    ],
    ["not inherited", { constructor: { name: "x" } }, { text: null }],
  ])("are found %s", (_how, body, expected) => {
    expect(replyFields(body)).toMatchObject(expected);
  });
});
