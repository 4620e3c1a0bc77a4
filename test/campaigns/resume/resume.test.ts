import { describe, expect, it } from "vitest";
import type { CampaignRequest } from "../../../src/contract/campaign.ts";
import {
  errorOf,
  parse,
  people,
  phone,
  poster,
  recipientsFile,
  rows,
  send,
  took,
} from "../../support/campaigns.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { shell } from "../../support/run.ts";
import { reply, reset, scriptedServer } from "../../support/scripted-server.ts";
import { pointedAt, service } from "../../support/service.ts";

const once = ["--yes", "--json", "--retries", "0"];
const ok = took;
const lost = reset();
const refused = reply({ code: "ERROR_CODE_INPUT_ERROR", message: "no" }, 400);
const resume = ["campaign", "resume", "--json", "--retries", "0"];
const minutes = 60_000;

describe("campaign resume", () => {
  it("has nothing to do when no send is open, and says so", async () => {
    const { env } = await service();
    const run = shell({ env });
    expect(await run(["campaign", "resume"])).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "Nothing to resume: this machine's journal has no pending sends.\n",
    });
    expect(await run(resume)).toMatchObject({ code: 0, stdout: '{\n  "sends": []\n}\n' });
  });

  it("does not know a send of another name", async () => {
    const { env } = await service();
    const { code, stderr } = await shell({ env })([...resume, "enero"]);
    expect(code).toBe(11);
    expect(errorOf(stderr)).toMatchObject({ reason: "send_not_found", ref: "enero" });
  });

  it("says of a finished send that it went out, and sends nothing", async () => {
    const { run } = await poster([ok]);
    const { send_id: id } = parse((await run(send(people(2), "--ref", "r", ...once))).stdout);
    const again = parse((await run([...resume, id])).stdout);
    expect(again).toMatchObject({
      send_id: id,
      external_ref: "r",
      recipients: { read: 2, planned: 0, added: 0, already_sent: 2 },
      outcome: "replayed",
    });
  });

  it("finishes each open send of the branch, by id, by reference or all at once", async () => {
    const { server, run } = await poster([lost, lost, lost, ok, ok, ok]);
    const ids: string[] = [];
    for (const [n, ref] of ["a", "b", "c"].entries()) {
      const file = recipientsFile(rows(n * 2 + 2, n * 2));
      ids.push(parse((await run(send(file, "--ref", ref, ...once))).stdout).send_id);
    }
    expect(parse((await run([...resume, ids[1]!])).stdout)).toMatchObject({
      outcome: "sent",
      send_id: ids[1],
    });
    const all = await run(resume);
    expect(all.code).toBe(0);
    const { sends } = JSON.parse(all.stdout) as { sends: { send_id: string; outcome: string }[] };
    expect(sends).toMatchObject([
      { send_id: ids[0], outcome: "sent" },
      { send_id: ids[2], outcome: "sent" },
    ]);
    const bodies = server.requests.map(({ body }) => body.toString());
    expect(bodies.slice(3)).toEqual([bodies[1], bodies[0], bodies[2]]);
  });

  it("leaves a call unknown that is refused now, ends with 7 and says why", async () => {
    const { run } = await poster([lost, refused, ok]);
    expect((await run(send(people(2), "--ref", "r", ...once))).code).toBe(7);
    const { code, stdout, stderr } = await run(resume);
    expect(code).toBe(7);
    expect(parse(stdout)).toMatchObject({ outcome: "unknown", campaigns: [{ campaign_id: null }] });
    expect(errorOf(stderr)).toMatchObject({ code: "unknown", status: 400 });
    expect((await run(resume)).code).toBe(0);
  });

  it("does not message people who got the template under another reference since, unless told to", async () => {
    const { run } = await poster([lost, ok, ok], { clock: fakeClock() });
    const file = people(2);
    expect((await run(send(file, "--ref", "a", ...once))).code).toBe(7);
    expect((await run(send(file, "--ref", "b", "--allow-repeat", ...once))).code).toBe(0);
    const again = await run(resume);
    // The first call may have gone out.
    expect(again.code).toBe(7);
    expect(parse(again.stdout)).toMatchObject({ outcome: "unknown", campaigns: [{ status: "unknown" }] });
    expect(errorOf(again.stderr)).toMatchObject({ reason: "repeat_held_unknown", people: 2, ref: "b" });
    expect((await run([...resume, "--allow-repeat"])).code).toBe(0);
  });
});

it("holds only the calls with people who got the template meanwhile, even if the clock went back", async () => {
  const clock = fakeClock();
  const { server, run } = await poster([lost, lost, lost, ok, ok, ok, ok], { clock });
  const first = await run(send(people(400), "--ref", "a", "--track-all", ...once));
  expect(parse(first.stdout).campaigns).toHaveLength(3);
  clock.advance(-minutes);
  const late = recipientsFile(rows(400, 395));
  expect((await run(send(late, "--ref", "b", ...once))).code).toBe(0);
  clock.advance(minutes);
  const resumed = await run(resume);
  expect(resumed.code).toBe(3);
  expect(parse(resumed.stdout)).toMatchObject({ outcome: "partial", campaigns: [{}, {}, {}] });
  expect(errorOf(resumed.stderr)).toMatchObject({ reason: "repeat_held", people: 5, ref: "b" });
  expect(server.requests).toHaveLength(7);
});

it.each([0, -5 * minutes])(
  "two resumed one after the other message nobody twice, clocks apart by %i ms",
  async (ms) => {
    const clock = fakeClock();
    const noRight = reply({}, 403);
    const { server, run } = await poster([ok, noRight, ok, noRight, ok], { clock });
    const halves = ["--track-all", ...once];
    const ends = [await run(send(recipientsFile(rows(300, 100)), "--ref", "a", ...halves))];
    const overlapping = recipientsFile([...rows(100), ...rows(300, 250)]);
    ends.push(await run(send(overlapping, "--ref", "b", ...halves)));
    expect(ends.map(({ code }) => code)).toEqual([4, 4]);
    // The other machine settles what was planned first, later.
    clock.advance(ms);
    expect((await run([...resume, "a"])).code).toBe(0);
    clock.advance(-ms);
    const held = await run([...resume, "b"]);
    expect(errorOf(held.stderr)).toMatchObject({ reason: "repeat_held", people: 50, ref: "a" });
    expect(server.requests).toHaveLength(5);
  },
);

describe("what a send leaves behind", () => {
  it("keeps what a key that is refused half-way left over, for resume", async () => {
    const { run } = await poster([ok, reply({ code: "X" }, 403), ok, ok]);
    expect((await run(send(people(300), "--ref", "a", "--track-all", ...once))).code).toBe(4);
    expect(parse((await run(resume)).stdout)).toMatchObject({
      outcome: "sent",
      recipients: { planned: 200, already_sent: 100 },
    });
  });

  it("is refused to somebody who is excluded by now, but is in a call that may have left", async () => {
    const { run } = await poster([lost, ok]);
    const file = people(3);
    expect((await run(send(file, "--ref", "a", ...once))).code).toBe(7);
    const optedOut = recipientsFile(rows(2, 1));
    const { code, stderr } = await run(send(file, "--ref", "a", "--exclude", optedOut, ...once));
    expect(code).toBe(2);
    expect(errorOf(stderr)).toMatchObject({ reason: "excluded_in_open", people: 1, ref: "a" });
    expect((await run(resume)).code).toBe(0);
  });
});

describe("--not-after", () => {
  it("is kept with the send: what has not left by then does not leave, and resume keeps to it", async () => {
    const clock = fakeClock(Date.parse("2026-01-01T12:00:00-03:00"));
    const { server, run } = await poster([lost, lost, lost], { clock });
    const argv = send(people(400), "--ref", "r", "--track-all", "--not-after", "30m", ...once);
    expect((await run(argv)).code).toBe(7);
    clock.advance(31 * minutes);
    const late = await run(resume);
    expect(late.code).toBe(7);
    expect(errorOf(late.stderr)).toMatchObject({ code: "unknown", reason: "too_late_unknown" });
    expect(parse(late.stdout).campaigns).toHaveLength(3);
    // The error alone says what settles it.
    const said = (await run(["campaign", "resume"])).stdout;
    expect(said).toContain("The outcome of a call is unknown");
    expect(said).not.toContain("bpos campaign resume r");
    expect(server.requests).toHaveLength(3);
  });

  it("is no time for another try, however often the service asks to wait", async () => {
    const clock = fakeClock(Date.parse("2026-01-01T12:00:00-03:00"));
    const { run } = await poster([reply({}, 429, { "retry-after": "5" })], { clock });
    const { code } = await run(send(people(2), "--ref", "r", "--not-after", "2s", "--yes", "--json"));
    expect(code).toBe(7);
    expect(clock.slept).toEqual([]);
  });

  it.each([
    ["11:00", "is in the past"],
    ["tomorrow", "It takes a time such as"],
    ["5/6/2026", "could be 2026-06-05 or 2026-05-06"],
  ])("%s is refused before anything is sent", async (time, reason) => {
    const server = await scriptedServer();
    const noon = new Date(2026, 0, 1, 12).getTime();
    const run = shell({ env: pointedAt(server.url), clock: fakeClock(noon) });
    const { code, stderr } = await run(send(people(1), "--not-after", time, "--yes"));
    expect(code).toBe(2);
    expect(stderr).toContain(reason);
  });
});

describe("--test-to", () => {
  const bodyOf = ({ body }: { body: Buffer }): CampaignRequest =>
    JSON.parse(body.toString()) as CampaignRequest;

  it("sends what the first row would get to that phone, as often as it is asked for, and nobody counts as messaged", async () => {
    const { server, run } = await poster([ok, lost, ok, ok], { clock: fakeClock() });
    const file = people(3);
    const test = send(file, "--ref", "r", "--test-to", phone(1), ...once);
    expect(parse((await run(test)).stdout)).toMatchObject({ external_ref: "r-test-1", outcome: "sent" });
    expect((await run(test)).code).toBe(7);
    expect(parse((await run(test)).stdout)).toMatchObject({ external_ref: "r-test-2", outcome: "sent" });
    // The one who tried it out is among the recipients.
    expect(parse((await run(send(file, "--ref", "r", ...once))).stdout)).toMatchObject({
      recipients: { planned: 3 },
    });
    const bodies = server.requests.map(bodyOf);
    expect(bodies[0]!.recipients).toEqual([{ phone: phone(1), params: ["Ana 0", "0"] }]);
    expect(server.requests[2]!.body.equals(server.requests[1]!.body)).toBe(true);
    expect(new Set(bodies.map((body) => body.idempotency_key)).size).toBe(3);
  });

  it("is resumed as the test that it is, though the person got the real message meanwhile", async () => {
    const { run } = await poster([lost, ok, ok]);
    const file = people(3);
    expect((await run(send(file, "--ref", "r", "--test-to", phone(1), ...once))).code).toBe(7);
    expect((await run(send(file, "--ref", "r", ...once))).code).toBe(0);
    const { code, stdout } = await run(resume);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ external_ref: "r-test-1", test: true, outcome: "sent" });
  });

  it("never meets a real send of the same name", async () => {
    const { run } = await poster([lost, ok]);
    expect((await run(send(people(3), "--ref", "r-test-1", ...once))).code).toBe(7);
    const test = await run(send(people(3), "--ref", "r", "--test-to", phone(9), ...once));
    expect(parse(test.stdout)).toMatchObject({ external_ref: "r-test-2", outcome: "sent" });
    const real = await run(send(people(3), "--ref", "r-test-2", ...once));
    expect(real.code).toBe(10);
    expect(errorOf(real.stderr)).toMatchObject({ reason: "ref_taken", template: "a test" });
  });
});
