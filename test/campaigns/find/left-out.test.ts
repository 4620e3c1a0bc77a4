import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recipientsFile, rows, send } from "../../support/campaigns.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { listenIn, postReply } from "../../support/listen.ts";
import { home } from "../../support/profiles.ts";
import { temporaryFolder, type World } from "../../support/run.ts";
import { service } from "../../support/service.ts";

/** A Thursday, 20:30 in Buenos Aires and 00:30 on Friday in Madrid. */
const evening = Date.UTC(2026, 10, 26, 23, 30);
const [ana, eva, leo] = ["+5491155550017", "+5491155550027", "+5491155550037"];
const spaniard = "+34610000007";
const spellings = ["011 15 5555-0017", "54 11 5555 0017"];

interface Found {
  left_out: { external_ref: string; reason: string }[];
  opt_out: object | null;
  sends: { external_ref: string; status: string | null; error: string | null; replies: { text: string }[] }[];
}

async function desk() {
  const clock = fakeClock(evening);
  const { mock, env } = await service({ scenario: "empty", now: () => clock.now() });
  const { run, write } = home({
    clock,
    env: { ...env, NO_COLOR: "1", TZ: "America/Argentina/Buenos_Aires" },
  });
  write({ default: "centro", profiles: { centro: { country: "AR" }, norte: { country: "MX" } } });
  const find = async (phone: string): Promise<Found> =>
    JSON.parse((await run(["campaign", "find", phone, "--json"])).stdout) as Found;
  const errors = async (phone: string) =>
    (await find(phone)).sends.map(({ external_ref: ref, error }) => [ref, error]);
  const people = [ana, eva, leo].map((phone, n) => `${phone},Ana ${n},${n}`);
  const sendTo = (list: readonly string[], ref: string, ...more: string[]) =>
    run(send(recipientsFile(list), "--ref", ref, "--yes", ...more));
  return { run, mock, clock, find, errors, people, sendTo };
}

/** Stops a command where it would wait. */
function stopping(now: () => number): World {
  let stop = (): void => undefined;
  return {
    onStart: (means) => {
      stop = means;
    },
    clock: {
      now,
      sleep: () => {
        stop();
        return Promise.resolve();
      },
    },
  };
}

describe("campaign find says why a send did not reach a person", () => {
  it("who opted out, was excluded, or had not failed, in every spelling of the phone", async () => {
    const { run, find, people, sendTo, clock } = await desk();
    const excluded = join(temporaryFolder(), "excluded.csv");
    writeFileSync(excluded, "telefono\n11 5555-0017\n");
    await sendTo(people, "enero", "--exclude", excluded);
    clock.advance(1);
    await run(["campaign", "optout", "add", "0111555550017", "--country", "AR"]);
    await sendTo(["15 5555-0017,Ana,1", ...people], "febrero", "--allow-repeat");
    clock.advance(1);
    await sendTo(people.slice(1), "marzo", "--only-failed-of", "enero");
    for (const spelling of [ana, ...spellings]) {
      const { opt_out, left_out, sends } = await find(spelling);
      expect([spelling, opt_out]).toMatchObject([spelling, { source: "added" }]);
      expect(left_out.map(({ external_ref: ref, reason }) => [ref, reason])).toEqual([
        ["febrero", "opted_out"],
        ["enero", "excluded"],
      ]);
      expect(sends).toEqual([]);
    }
    expect((await find(eva)).left_out).toMatchObject([{ external_ref: "marzo", reason: "not_final" }]);
    const piped = await run(["campaign", "find", ana]);
    expect([piped.code, piped.stdout.trimEnd().split("\n").length]).toEqual([0, 3]);
    expect(piped.stdout).toMatch(/febrero +left out +.*opted out\n.* enero +left out +.*in --exclude\n/);
    const spanish = await run(["campaign", "find", ana, "--lang", "es"]);
    expect(spanish.stdout).toMatch(/febrero +no se le mandó +.*se dio de baja\n/);
    const lines = (await run(["campaign", "find", ana, "-o", "ndjson"])).stdout.trimEnd().split("\n");
    const left = { send_id: null, campaign_id: null, status: null, template: "pedido_listo", params: [] };
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { ...left, external_ref: "febrero", error: "opted out" },
      { ...left, external_ref: "enero", error: "in --exclude" },
    ]);
    const csv = (await run(["campaign", "find", ana, "-o", "csv", "--fields", "external_ref,error"])).stdout;
    expect(csv).toBe("external_ref,error\r\nfebrero,opted out\r\nenero,in --exclude\r\n");
    const both = (await run(["campaign", "find", eva])).stdout;
    expect(both).toMatch(/marzo +left out[\s\S]+febrero[\s\S]+enero/);
    const chosen = await run(["campaign", "find", ana, "--fields", "external_ref,error"], { terminal: 80 });
    expect(chosen.stdout).toMatch(/febrero +opted out *\nenero +in --exclude/);

    const table = (await run(["campaign", "find", eva], { terminal: 160 })).stdout;
    expect(table).toMatch(/Left out[\s\S]+marzo +no final status \(--only-failed-of\)/);
  });

  it("who waits for the hours, the start or the pace, and who is late", async () => {
    const { run, clock, errors, people } = await desk();
    const now = () => clock.now();
    const list = [...people, `${spaniard},Eva,9`];
    const stopped = (some: readonly string[], ref: string, ...more: string[]) =>
      run(send(recipientsFile(some), "--ref", ref, "--yes", "--allow-repeat", ...more), stopping(now));
    await stopped(list, "hours", "--between", "09:00-10:00", "--time-zone", "Europe/Madrid");
    await stopped(list, "start", "--at", "2026-12-01 10:00");
    await stopped(rows(3), "pace", "--pace", "60/h");
    expect(await errors(rows(3)[2]?.split(",")[0] ?? "")).toEqual([
      ["pace", expect.stringMatching(/^waiting for --pace, until 2026-11-26T20:31/)],
    ]);
    expect(await errors(spaniard)).toEqual([
      ["start", "waiting for the start time, 2026-12-01T10:00:00.000-03:00"],
      ["hours", "outside the hours, waiting until 2026-11-27T05:00:00.000-03:00"],
    ]);
    const table = (await run(["campaign", "find", spaniard], { terminal: 160 })).stdout;
    expect(table).toMatch(/start +waiting .*waiting for the start time, 2026-12-01 10:00/);
    const spanish = (await run(["campaign", "find", spaniard, "--lang", "es"], { terminal: 160 })).stdout;
    expect(spanish).toContain("fuera del horario, espera hasta 27/11/2026 05:00");

    await stopped(list, "late", "--at", "2026-12-01 10:00", "--not-after", "2026-12-01 11:00");
    clock.advance(6 * 24 * 3_600_000);
    expect(await errors(spaniard)).toEqual([
      ["late", "not sent by --not-after, 2026-12-01T11:00:00.000-03:00"],
      ["start", "planned, not sent: bpos campaign resume"],
      ["hours", expect.stringMatching(/^outside the hours, waiting until 2026-12-03T05:00/)],
    ]);
  });

  it("who waits for a canary that stopped, opted out meanwhile, or is in a held call", async () => {
    const { run, clock, errors, people, sendTo } = await desk();
    const dead = Array.from({ length: 9 }, (_, n) => `+54911${5_000 + n}0000,Ana ${n},${n}`);
    const stopped = await sendTo([...dead, ...people], "trial", "--canary", "50%", "--pace", "600/m");
    expect(stopped.code).toBe(3);
    const trial = (await Promise.all([ana, eva, leo].map((phone) => errors(phone)))).flat();
    expect(trial).toContainEqual(["trial", "planned, not sent: the canary has not passed"]);

    const wait = ["--at", "2026-11-26 21:30", "--allow-repeat"];
    await run(
      send(recipientsFile(rows(3)), "--ref", "waiting", "--yes", ...wait),
      stopping(() => clock.now()),
    );
    const [first = "", second = ""] = rows(3).map((row) => row.split(",")[0] ?? "");
    await sendTo(rows(1), "other", "--allow-repeat");
    expect(await errors(second)).toEqual([
      ["waiting", "held: someone in the same call received this template under other"],
    ]);
    await run(["campaign", "optout", "add", first]);
    expect(await errors(first)).toContainEqual([
      "waiting",
      "opted out before the message was sent: it will not be sent",
    ]);
  });

  it("who is in another call of a send than the one that is held", async () => {
    const { run, clock, errors, sendTo } = await desk();
    const wait = ["--at", "2026-11-26 21:30", "--track-all"];
    await run(
      send(recipientsFile(rows(150)), "--ref", "waiting", "--yes", ...wait),
      stopping(() => clock.now()),
    );
    await sendTo(rows(1), "other", "--allow-repeat");
    const of = async (n: number) => errors(rows(n, n - 1)[0]?.split(",")[0] ?? "");
    const held = ["waiting", "held: someone in the same call received this template under other"];
    expect(await of(2)).toEqual([held]);
    expect(await of(150)).toEqual([
      ["waiting", expect.stringContaining("waiting for the start time") as string],
    ]);
  });

  it("with replies from a phone in national form", async () => {
    const { run, find, people, sendTo } = await desk();
    await sendTo(people, "enero");
    const { url, stop, events } = await listenIn(run);
    await postReply(url, { phone: "011 15 5555-0017", external_ref: "enero", text: "¿A qué hora?" });
    await expect.poll(events).toHaveLength(1);
    await stop();
    expect((await find(ana)).sends[0]?.replies).toMatchObject([{ text: "¿A qué hora?" }]);
  });

  it("with replies whose phone is somebody else's at the branch that looks first", async () => {
    const { run, find, sendTo } = await desk();
    await sendTo(["+5493515550017,Ana,1"], "enero");
    const { url, stop, events } = await listenIn(run);
    await postReply(url, { phone: "3515550017", external_ref: "enero", text: "¿A qué hora?" });
    await expect.poll(events).toHaveLength(1);
    await stop();
    await run(["campaign", "find", "+523515550017", "--profile", "norte"]);
    expect((await find("+5493515550017")).sends[0]?.replies).toMatchObject([{ text: "¿A qué hora?" }]);
  });
});
