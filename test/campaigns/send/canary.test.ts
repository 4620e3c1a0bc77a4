import { describe, expect, it } from "vitest";
import { errorOf, parse, recipientsFile, send } from "../../support/campaigns.ts";
import { listenIn, postReply } from "../../support/listen.ts";
import { shop, stopsAfter } from "../../support/send-shop.ts";

const minute = 60_000;

describe("campaign send --canary", () => {
  /** People whose phones the mock knows to be dead, by their end. */
  const dead = (count: number): string[] =>
    Array.from({ length: count }, (_, n) => `+54911${5_000 + n}0000,Ana ${n},${n}`);
  const canary = ["--canary", "20%", "--canary-wait", "10m", "--ref", "r", "--yes", "--json"];

  it("sends to a part, waits for its status, and goes on where few failed", async () => {
    const { run, calls } = await shop();
    // These are delivered, and never read.
    const people = Array.from({ length: 20 }, (_, n) => `+54911${5_000 + n}0002,Ana ${n},${n}`);
    const { code, stderr, stdout } = await run(send(recipientsFile(people), ...canary));
    expect(code, stderr).toBe(0);
    expect(parse(stdout)).toMatchObject({ outcome: "sent", recipients: { added: 20 } });
    expect(stderr).toContain("Canary: 0 of 4 recipients failed. Sending to the rest.");
    // As soon as every status is final.
    expect((await calls()).map(({ at, phones }) => [at, phones.length])).toEqual([
      ["2026-11-26T23:30", 4],
      ["2026-11-26T23:30", 16],
    ]);
  });

  it("stops where too many failed, with what the service says, and goes on only when told to", async () => {
    const { run, calls, clock } = await shop();
    const path = recipientsFile(dead(20));
    const { code, stderr, stdout } = await run(send(path, ...canary));
    expect(code).toBe(3);
    expect(errorOf(stderr)).toMatchObject({
      reason: "canary_failed",
      ...{ failed: 4, people: 4, limit: 0, times: 4, said: "This phone is not on the messaging platform." },
    });
    expect(stderr).toContain("remove it from the list");
    expect(parse(stdout)).toMatchObject({ outcome: "partial", recipients: { planned: 20, added: 4 } });

    expect((await run(["campaign", "list"])).stdout).toContain("1 of 2 calls sent");
    clock.advance(60 * minute);
    const resumed = await run(["campaign", "resume", "--json"]);
    expect(resumed.code).toBe(3);
    expect(errorOf(resumed.stderr)).toMatchObject({ reason: "canary_failed" });
    const again = await run(send(path, ...canary));
    expect(errorOf(again.stderr)).toMatchObject({ reason: "canary_failed" });
    expect(await calls()).toHaveLength(1);

    const ignored = await run(["campaign", "resume", "r", "--ignore-canary", "--json"]);
    expect(ignored.code, ignored.stderr).toBe(0);
    expect((await calls()).map(({ phones }) => phones.length)).toEqual([4, 16]);
    const messaged = (await calls()).flatMap(({ phones }) => phones);
    expect(new Set(messaged).size).toBe(20);
  });

  it("stopped while it waits, goes on waiting when it is resumed, with the same part", async () => {
    const { run, calls, clock } = await shop();
    // These stay pending: all of the time is waited for.
    const people = Array.from({ length: 20 }, (_, n) => `+54911${5_000 + n}0001,Ana ${n},${n}`);
    const path = recipientsFile(people);
    const stopped = await run(send(path, ...canary), stopsAfter(clock, 4));
    expect(stopped.code).toBe(130);
    expect(parse(stopped.stdout)).toMatchObject({ waiting: { recipients: 16, for: "canary" } });
    const resumed = await run(["campaign", "resume", "--json"]);
    expect(resumed.code, resumed.stderr).toBe(0);
    expect((await calls()).map(({ at, phones }) => [at, phones.length])).toEqual([
      ["2026-11-26T23:30", 4],
      ["2026-11-26T23:40", 16],
    ]);
  });

  it("stops with what keeps the service from telling, once the time is over", async () => {
    const { run, mock, calls } = await shop();
    await mock.control.addFault("GET /campaigns status=503");
    const { code, stderr } = await run(send(recipientsFile(dead(20)), ...canary, "--retries", "0"));
    expect(code).toBe(6);
    expect(errorOf(stderr)).toMatchObject({ reason: "unavailable" });
    expect(await calls()).toHaveLength(1);
  });
});

describe("a canary whose outcome is unknown, and somebody in it opts out", () => {
  async function stuck() {
    const own = await shop();
    const { run, mock } = own;
    await mock.control.addFault("POST /campaigns commit-drop times=1");
    // These are delivered, and never read.
    const people = Array.from({ length: 10 }, (_, n) => `+54911${5_000 + n}0002,Ana ${n},${n}`);
    const flags = ["--canary", "20%", "--ref", "r", "--yes", "--json", "--retries", "0"];
    expect((await run(send(recipientsFile(people), ...flags))).code).toBe(7);
    const [gone, other] = await mock.control.messages();
    await run(["campaign", "optout", "add", gone!.phone]);
    const held = await run(["campaign", "resume", "--json"]);
    expect([held.code, errorOf(held.stderr)["reason"]]).toEqual([7, "opted_out_unknown"]);
    expect(held.stderr).toContain("--ignore-canary");
    expect(await mock.control.messages()).toHaveLength(2);
    return { ...own, other: other! };
  }

  it("holds the others until anybody in it replies", async () => {
    const { run, mock, other } = await stuck();
    const { url } = await listenIn(run);
    await postReply(url, { ...other, external_ref: "r", text: "gracias" });
    const resumed = await run(["campaign", "resume", "--json"]);
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(resumed.stderr).toContain("Canary: 0 of 2 recipients failed.");
    expect(new Set((await mock.control.messages()).map((each) => each.phone)).size).toBe(10);
  });

  it("holds them otherwise until --ignore-canary; it stays unknown itself", async () => {
    const { run, mock } = await stuck();
    const resumed = await run(["campaign", "resume", "--ignore-canary", "--json"]);
    expect([resumed.code, errorOf(resumed.stderr)["reason"]]).toEqual([7, "opted_out_unknown"]);
    expect(await mock.control.messages()).toHaveLength(10);
  });
});
