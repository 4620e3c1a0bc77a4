import { describe, expect, it } from "vitest";
import { errorOf, parse, phone, recipientsFile, rows, send } from "../../support/campaigns.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { home } from "../../support/profiles.ts";
import type { World } from "../../support/run.ts";
import { localTime, shop, stopsAfter } from "../../support/send-shop.ts";
import { service } from "../../support/service.ts";

const spaniard = (n: number): string => `+346${10_000_007 + n * 10}`;
const mexican = (n: number): string => `+5255${12_000_007 + n * 10}`;
const plain = (text: string): string => text.replace(/\s+/g, " ");

describe("campaign send --between", () => {
  const file = () => recipientsFile([...rows(3), ...[0, 1].map((n) => `${spaniard(n)},Eva ${n},${n}`)]);

  it("sends to who is within the hours of their country, and waits for the others, without the lock", async () => {
    const { run, calls, clock } = await shop();
    let others: ReturnType<typeof run> | undefined;
    let status: ReturnType<typeof run> | undefined;
    const { code, stdout, stderr } = await run(
      send(
        file(),
        "--ref",
        "r",
        "--between",
        "09:00-21:00",
        "--time-zone",
        "Europe/Madrid",
        "--yes",
        "--json",
      ),
      {
        clock: {
          now: () => clock.now(),
          async sleep(ms, signal) {
            // While it waits, another send of the branch is not held up.
            status ??= run(["status", "--json"]);
            await status;
            others ??= run(
              send(recipientsFile(rows(6, 5)), "--ref", "s", "--yes", "--json", "--lock-wait", "0"),
            );
            await others;
            return clock.sleep(ms, signal);
          },
        },
      },
    );
    expect(code, stderr).toBe(0);
    expect((await others!).code).toBe(0);
    // A process waits for it: nothing is to be done.
    expect(JSON.parse((await status!).stdout)).toMatchObject({
      ok: true,
      branches: [{ unfinished_sends: [{ external_ref: "r", remaining: 2 }] }],
    });
    expect(parse(stdout)).toMatchObject({ outcome: "sent", recipients: { added: 5 } });
    expect(stdout).not.toContain("waiting");
    expect(plain(stderr)).toContain(
      "2 recipients are outside their hours. Waiting until 2026-11-27 05:00 (8 h 30 min left)",
    );
    expect(plain(stderr)).toContain("Press Ctrl-C to stop; bpos campaign resume r continues.");
    expect(await calls()).toEqual([
      { at: "2026-11-26T23:30", phones: [0, 1, 2].map(phone) },
      { at: "2026-11-26T23:30", phones: [phone(5)] },
      { at: "2026-11-27T08:00", phones: [0, 1].map(spaniard) },
    ]);
  });

  it("stopped while it waits, is shown as waiting, and resume keeps to its hours", async () => {
    const { run, calls, clock } = await shop();
    const argv = send(file(), "--ref", "r", "--between", "09:00-21:00", "--yes", "--json");
    const stopped = await run(argv, stopsAfter(clock, 3));
    expect(stopped.code).toBe(130);
    expect(stopped.stderr).toContain("`bpos campaign resume r`");
    const waiting = { recipients: 2, until: "2026-11-27T06:00:00.000-03:00", for: "hours" };
    expect(parse(stopped.stdout)).toMatchObject({ outcome: "partial", waiting });

    expect(JSON.parse((await run(["campaign", "list", "--json"])).stdout)).toMatchObject({
      sends: [{ waiting }],
    });
    expect((await run(["campaign", "list"])).stdout).toContain("waiting until 2026-11-27 06:00");
    expect(plain((await run(["campaign", "status", "--ref", "r"])).stderr)).toContain(
      "1 of 2 calls waits until 2026-11-27 06:00",
    );

    const resumed = await run(["campaign", "resume", "--json"]);
    expect(parse(resumed.stdout)).toMatchObject({ outcome: "sent", recipients: { added: 2 } });
    // As late as on the Canary Islands.
    expect((await calls()).map(({ at }) => at)).toEqual(["2026-11-26T23:30", "2026-11-27T09:00"]);
    expect((await run(["campaign", "list", "--json"])).stdout).not.toContain("waiting");
  });

  it("with other hours sends what waits at those: the latest confirmation counts", async () => {
    const { run, calls, clock } = await shop();
    const path = file();
    await run(send(path, "--ref", "r", "--between", "09:00-21:00", "--yes"), stopsAfter(clock, 0));
    await run(send(path, "--ref", "r", "--between", "00:00-24:00", "--yes"));
    expect((await calls()).map(({ at }) => at)).toEqual(["2026-11-26T23:30", "2026-11-26T23:30"]);
  });

  it("keeps to all time zones of a country, unless one is chosen", async () => {
    // 21:30 UTC: 15:30 in Mexico City, 13:30 in Tijuana.
    const { run, calls, clock } = await shop(Date.UTC(2026, 10, 26, 21, 30));
    const path = recipientsFile([`${mexican(0)},Eva,1`]);
    const strict = await run(send(path, "--ref", "a", "--between", "15:00-21:00", "--dry-run"));
    expect(plain(strict.stderr)).toContain("MX has several time zones");
    expect(plain(strict.stdout)).toContain("MX: 1 recipient from 2026-11-26 20:00");
    await run(
      send(path, "--ref", "r", "--between", "15:00-21:00", "--time-zone", "America/Mexico_City", "--yes"),
    );
    expect(clock.slept).toEqual([]);
    expect(await calls()).toHaveLength(1);
  });
});

describe("campaign send --at", () => {
  it("begins then, and says what waits", async () => {
    const { run, calls } = await shop();
    const argv = send(
      recipientsFile(rows(2)),
      "--ref",
      "r",
      "--at",
      "2026-12-01 10:00",
      "--yes",
      "-o",
      "ndjson",
    );
    const { stdout } = await run(argv);
    expect(JSON.parse(stdout.split("\n")[0]!)).toMatchObject({
      event: "send.waiting",
      external_ref: "r",
      recipients: 2,
      until: "2026-12-01T10:00:00.000-03:00",
      for: "at",
    });
    expect(await calls()).toEqual([{ at: "2026-12-01T13:00", phones: [phone(0), phone(1)] }]);
  });

  it("has a status of its own before it has begun", async () => {
    const { run, clock } = await shop();
    await run(send(recipientsFile(rows(2)), "--ref", "r", "--at", "10h", "--yes"), stopsAfter(clock, 0));
    const { code, stderr } = await run(["campaign", "status", "--ref", "r", "--json"]);
    expect(code).toBe(8);
    expect(errorOf(stderr)).toMatchObject({ reason: "send_waits", ref: "r" });
  });
});

describe("campaign send --pace", () => {
  it("sends so many people an hour, also after it was stopped", async () => {
    const { run, calls, clock } = await shop();
    const path = recipientsFile(rows(25));
    const stopped = await run(send(path, "--ref", "r", "--pace", "600/h", "--yes"), stopsAfter(clock, 0));
    expect(stopped.code).toBe(130);
    expect((await calls()).map(({ phones }) => phones.length)).toEqual([10]);
    const { code } = await run(["campaign", "resume", "r"]);
    expect(code).toBe(0);
    expect((await calls()).map(({ at, phones }) => [at, phones.length])).toEqual([
      ["2026-11-26T23:30", 10],
      ["2026-11-26T23:31", 10],
      ["2026-11-26T23:32", 5],
    ]);
  });
});

describe("a send that waits", () => {
  it("is there when the key is right again", async () => {
    const { run, mock, calls, clock } = await shop();
    const path = recipientsFile(rows(3));
    const later = send(path, "--ref", "later", "--between", "09:00-20:00", "--yes", "--json");
    expect((await run(later, stopsAfter(clock, 0))).code).toBe(130);
    await mock.control.addFault({
      method: "POST",
      path: "/campaigns",
      effect: "status",
      status: 403,
      times: 1,
    });
    expect((await run(["campaign", "resume", "--json"])).code).toBe(4);
    expect(await calls()).toHaveLength(0);
    expect((await run(["campaign", "resume", "--json"])).code).toBe(0);
    expect((await calls()).map(({ phones }) => phones.length)).toEqual([3]);
  });

  it("takes the time of a number that belongs to no country for UTC", async () => {
    const { run, calls } = await shop();
    const path = recipientsFile(["+870773111632,Mar,1"]);
    const sent = await run(send(path, "--ref", "r", "--between", "08:00-09:00", "--yes", "--json"));
    expect(sent.code, sent.stderr).toBe(0);
    expect((await calls()).map(({ at }) => at)).toEqual(["2026-11-27T08:00"]);
  });
});

describe("hours of a profile", () => {
  async function branch(world: World = {}) {
    const clock = fakeClock(Date.UTC(2026, 10, 27, 1));
    const { mock, env } = await service({ scenario: "empty", now: () => clock.now() });
    const { run, stored } = home({ clock, ...world });
    const add = ["profile", "add", "centro", "--base-url", env["BPOS_BASE_URL"]!, "--campaigns-url"];
    const hours = ["--between", "09:00-21:00", "--days", "lun-sab"];
    const key = { stdin: env["BPOS_API_KEY"]! };
    await run([...add, env["BPOS_CAMPAIGNS_URL"]!, "--api-key-file", "-", ...hours], key);
    return { run, clock, mock, stored };
  }
  const path = () => recipientsFile(rows(2));

  it("are kept, refuse a send outside them without a terminal, and let one wait that has hours of its own", async () => {
    const { run, stored, mock, clock } = await branch();
    expect(stored().profiles["centro"]).toMatchObject({ between: "09:00-21:00", days: "lun-sab" });
    const refused = await run(send(path(), "--ref", "r", "--yes", "--json"));
    expect(refused.code).toBe(2);
    expect(errorOf(refused.stderr)).toMatchObject({
      reason: "outside_hours",
      people: 2,
      hours: "09:00-21:00",
    });
    expect(refused.stderr).toContain("--between 00:00-24:00");
    expect(await mock.control.messages()).toEqual([]);

    expect((await run(send(path(), "--ref", "r", "--yes", "--between", "00:00-24:00"))).code).toBe(0);
    expect(clock.slept).toEqual([]);
    expect(
      (await run(send(path(), "--ref", "s", "--yes", "--between", "09:00-21:00", "--allow-repeat"))).code,
    ).toBe(0);
    expect(localTime(clock.now())).toBe("2026-11-27T12:00");
  });

  it("are asked about on a terminal, and a send within them asks nothing more", async () => {
    const { run, clock } = await branch();
    const no = await run(send(path(), "--ref", "r", "--yes"), { terminal: 100, answers: [false] });
    expect(no.code).toBe(2);
    const yes = await run(send(path(), "--ref", "r"), { terminal: 100, answers: [true] });
    expect(yes.code, yes.stderr).toBe(0);
    expect(localTime(clock.now())).toBe("2026-11-27T12:00");
    expect((await run(send(path(), "--ref", "t", "--allow-repeat", "--yes"), { terminal: 100 })).code).toBe(
      0,
    );
  });

  it("that are none are named with their profile", async () => {
    const { run } = await branch();
    const bad = ["profile", "add", "centro", "--update", "--days", "mon-fry"];
    expect((await run(bad)).code).toBe(2);
  });
});

describe("a schedule that cannot be", () => {
  it.each([
    [["--between", "21:00-21:00"], "The whole day is 00:00-24:00"],
    [["--between", "9-21"], "09:00-21:00"],
    [["--between", "09:00-25:00"], "09:00-21:00"],
    [["--between", "09:00-21:00", "--days", ""], "mon-sat"],
    [["--between", "09:00-21:00", "--days", "mon-xyz"], "mon-sat"],
    [["--between", "09:00-21:00", "--time-zone", "America/Sao Palo"], "America/Sao_Paulo"],
    [["--time-zone", "America/Sao_Paulo"], "--between"],
    [["--pace", "0.5/h"], "1/h or more"],
    [["--pace", "300"], "300/h"],
    [["--at", "2026-11-26 20:00"], "in the past"],
    [["--canary", "10"], "too many for 3 recipients"],
    [["--canary", "10%"], "10% of 3 recipients selects nobody"],
    [["--max-failed", "10%"], "requires --canary"],
    [["--between", "22:00-23:00", "--not-after", "21:00"], "after --not-after"],
    [["--at", "2h", "--not-after", "1h"], "after --not-after"],
  ])("%j is refused before anything is sent", async (flags, said) => {
    const { run, mock } = await shop();
    const { code, stderr } = await run(send(recipientsFile(rows(3)), "--yes", ...flags));
    expect(code, stderr).toBe(2);
    expect(plain(stderr)).toContain(said);
    expect(await mock.control.messages()).toEqual([]);
  });

  it("has hours that all zones of a country never have at once", async () => {
    const { run } = await shop();
    const path = recipientsFile(["+12125550117,Ann,1"]);
    const { code, stderr } = await run(send(path, "--between", "09:00-10:00", "--yes"));
    expect(code).toBe(2);
    expect(plain(stderr)).toContain(
      "It is never 09:00-10:00 in all time zones of US at the same time: nothing was sent",
    );
    expect(stderr).toContain("--time-zone");
  });
});
