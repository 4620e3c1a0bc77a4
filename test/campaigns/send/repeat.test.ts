import { describe, expect, it } from "vitest";
import {
  created,
  errorOf,
  parse,
  people,
  phone,
  poster,
  recipientsFile,
  rows,
  send,
} from "../../support/campaigns.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
import { type Handler, reply, reset } from "../../support/scripted-server.ts";
import { service } from "../../support/service.ts";

const hour = 3_600_000;
const json = ["--yes", "--json", "--retries", "0"];

describe("the same template to the same person within 24 hours", () => {
  it("is refused when a bad row was fixed and --ref forgotten; with the old reference only that row goes out", async () => {
    const { mock, env } = await service();
    const run = shell({ env });
    const folder = temporaryFolder();
    const broken = recipientsFile([...rows(3), "15,Zoe,9"], folder);
    const first = parse((await run(send(broken, ...json))).stdout);
    expect(first.recipients).toMatchObject({ added: 3, invalid: 1 });

    const file = people(4, folder);
    for (const flags of [["--dry-run", "--json"], json]) {
      const again = await run(send(file, ...flags));
      expect(again.code).toBe(10);
      expect(again.stdout).toBe("");
      expect(errorOf(again.stderr)).toMatchObject({
        reason: "repeat_within_day",
        people: 3,
        ref: first.external_ref,
        hours_ago: 0,
      });
      expect(errorOf(again.stderr)["hint"]).toContain(`--ref ${first.external_ref}`);
    }
    expect(await mock.control.messages()).toHaveLength(3);

    const rest = parse((await run(send(file, "--ref", first.external_ref, ...json))).stdout);
    expect(rest).toMatchObject({ outcome: "sent", recipients: { planned: 1, added: 1, already_sent: 3 } });
    expect((await mock.control.messages()).map((message) => message.phone).sort()).toEqual(
      [0, 1, 2, 3].map(phone),
    );
  });

  it("is refused after an unknown outcome too, and on a terminal before the question", async () => {
    const { run } = await poster([reset()]);
    expect((await run(send(people(2), "--ref", "a", ...json))).code).toBe(7);
    const again = await run(send(people(2), "--ref", "b"), { terminal: 80 });
    expect(again.code).toBe(10);
    expect(again.stderr).toContain("--ref a");
  });

  it("names the newest of the sends, counts each person once, and ends after a day", async () => {
    const clock = fakeClock();
    const { mock, env } = await service({ now: () => clock.now() });
    const run = shell({ env, clock });
    await run(send(people(2), "--ref", "a", ...json));
    clock.advance(5 * hour);
    await run(send(people(2), "--ref", "b", "--allow-repeat", ...json));
    expect(await mock.control.messages()).toHaveLength(4);
    clock.advance(2.5 * hour);
    const third = await run(send(people(3), "--ref", "c", ...json));
    expect(errorOf(third.stderr)).toMatchObject({ people: 2, ref: "b", hours_ago: 2 });
    // The service tells its time in whole seconds.
    clock.advance(21.5 * hour - 2_000);
    expect((await run(send(people(3), "--ref", "c", ...json))).code).toBe(10);
    clock.advance(4_000);
    expect((await run(send(people(3), "--ref", "c", ...json))).code).toBe(0);
  });

  it("goes out with --allow-repeat; another template, branch or person needs none", async () => {
    const { run } = await poster(Array.from({ length: 5 }, () => reply(created)));
    const codes = [
      await run(send(people(2), "--ref", "a", ...json)),
      await run(send(people(2), "--ref", "b", "--allow-repeat", ...json)),
      await run(["campaign", "send", people(2), "--template", "otra", "--ref", "c", ...json]),
      await run(send(people(2), "--ref", "d", ...json), { env: { BPOS_API_KEY: "bpk_test_other_branch" } }),
      await run(send(recipientsFile(rows(7, 5)), "--ref", "e", ...json)),
    ].map(({ code }) => code);
    expect(codes).toEqual([0, 0, 0, 0, 0]);
  });

  it("does not go out with an unknown call either, when the person got it under another reference since", async () => {
    const { run } = await poster([reset(), reply(created)]);
    await run(send(people(2), "--ref", "a", ...json));
    expect((await run(send(people(2), "--ref", "b", "--allow-repeat", ...json))).code).toBe(0);
    const settled = await run(send(people(2), "--ref", "a", ...json));
    expect(errorOf(settled.stderr)).toMatchObject({ reason: "repeat_within_day", ref: "b", people: 2 });
  });

  it("tells templates apart by their ids too", async () => {
    const { run } = await poster([reply(created), reply(created)]);
    const byId = (id: string, ref: string): string[] => [
      "campaign",
      "send",
      people(2),
      "--template-id",
      id,
      "--ref",
      ref,
      ...json,
    ];
    expect((await run(byId("t1", "a"))).code).toBe(0);
    expect(errorOf((await run(byId("t2", "a"))).stderr)).toMatchObject({
      reason: "ref_taken",
      template: "t1",
    });
    expect((await run(byId("t2", "b"))).code).toBe(0);
    expect(errorOf((await run(byId("t1", "c"))).stderr)).toMatchObject({
      reason: "repeat_within_day",
      ref: "a",
    });
  });
});

describe("the 24 hours", () => {
  const start = Date.UTC(2026, 0, 1, 12);

  /** Sends the same people the template under one reference after another, by the clocks of the machine and of the service. */
  async function sendBy(...times: [machine: number, service: number][]): Promise<number[]> {
    let now = start;
    const { mock, env } = await service({ now: () => now });
    const run = shell({ env: { ...env, BPOS_HOME: temporaryFolder() } });
    const file = people(2);
    const codes: number[] = [];
    for (const [n, [machine, hours]] of times.entries()) {
      now = start + hours * hour;
      const clock = fakeClock(start + machine * hour);
      codes.push((await run(send(file, "--ref", `r${n}`, ...json), { clock })).code);
    }
    expect(await mock.control.messages()).toHaveLength(2 * codes.filter((code) => code === 0).length);
    return codes;
  }

  it.each<[string, [number, number][], number[]]>([
    [
      "a machine that jumped two days ahead",
      [
        [0, 0],
        [49, 1],
      ],
      [0, 10],
    ],
    [
      "a machine that was two days behind and was set",
      [
        [-48, 0],
        [1, 1],
      ],
      [0, 10],
    ],
    [
      "a machine that went back",
      [
        [0, 0],
        [-30, 25],
      ],
      [0, 0],
    ],
    [
      "a machine that is always a day ahead",
      [
        [24, 0],
        [47, 23],
      ],
      [0, 10],
    ],
    [
      "two clocks that agree",
      [
        [0, 0],
        [25, 25],
      ],
      [0, 0],
    ],
  ])("are the service's, for %s", async (_, times, codes) => {
    expect(await sendBy(...times)).toEqual(codes);
  });

  it("are this machine's where the service does not send its time", async () => {
    const silent: Handler = (response, request) => {
      response.sendDate = false;
      reply(created)(response, request);
    };
    const { run } = await poster([silent, silent]);
    const at = async (ref: string, hours: number) =>
      (await run(send(people(1), "--ref", ref, ...json), { clock: fakeClock(start + hours * hour) })).code;
    expect([await at("a", 0), await at("b", 23), await at("c", 25)]).toEqual([0, 10, 0]);
  });

  it("hold a resume back as well, whatever this machine's clock says", async () => {
    let now = start;
    const { mock, env } = await service({ now: () => now });
    const run = shell({ env: { ...env, BPOS_HOME: temporaryFolder() } });
    const file = people(1);
    const at = (hours: number) => ({ clock: fakeClock(start + hours * hour) });
    await mock.control.addFault("POST /campaigns drop times=1");
    expect((await run(send(file, "--ref", "a", ...json), at(0))).code).toBe(7);
    now += hour;
    expect((await run(send(file, "--ref", "b", "--allow-repeat", ...json), at(1))).code).toBe(0);
    now += hour;
    const held = await run(["campaign", "resume", "a", "--json"], at(72));
    expect(errorOf(held.stderr)).toMatchObject({ reason: "repeat_held_unknown", hours_ago: 1 });
    expect(await mock.control.messages()).toHaveLength(1);
  });
});
