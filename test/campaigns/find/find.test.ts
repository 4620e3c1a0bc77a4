import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { created, errorOf, people, phone, recipientsFile, send } from "../../support/campaigns.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { listenIn, postReply } from "../../support/listen.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
import { on, reply, reset, scriptedServer } from "../../support/scripted-server.ts";
import { pointedAt, service } from "../../support/service.ts";
import { sized } from "../../support/soak.ts";

interface Found {
  phone: string;
  sends: (Record<string, unknown> & { replies: Record<string, unknown>[] })[];
}
const found = ({ stdout }: { stdout: string }): Found => JSON.parse(stdout) as Found;

/** Whose messages never fail, and are answered after four seconds. */
const ana = "+5491155550003";
const find = (...more: string[]): string[] => ["campaign", "find", ...more];

/** A desk that messaged Ana twice, her phone written in two ways, and somebody else. */
async function desk() {
  const { mock, env } = await service();
  const run = shell({ env: { ...env, NO_COLOR: "1" } });
  const first = recipientsFile([`${ana},Ana,118`, "+5491155550017,Leo,7"]);
  const second = recipientsFile(["011 15 5555-0003,Ana Paz,119"]);
  await run(send(first, "--yes", "--ref", "enero"));
  await run(send(second, "--yes", "--ref", "febrero", "--allow-repeat", "--country", "AR"));
  await mock.control.moveClock({ advance_ms: 3_600_000 });
  return { mock, env, run };
}

describe("campaign find", () => {
  it("shows every send to a person, newest first, with its status now and the replies", async () => {
    const { run } = await desk();
    const campaigns = found(await run(find(ana, "--json"))).sends.map((each) => each["campaign_id"]);
    const { url, stop, events } = await listenIn(run);
    const body = { campaign_id: campaigns[1], phone: "5491155550003", text: "¿A qué hora?" };
    await postReply(url, body);
    await postReply(url, body);
    await postReply(url, { phone: ana, text: "Hola" });
    await expect.poll(events).toHaveLength(3);
    expect(events().map(({ name }) => name)).toEqual(["Ana", "Ana", null]);
    await stop();
    const { code, stdout, stderr } = await run(find(ana, "--json"));
    expect(code).toBe(0);
    const at = expect.any(String) as string;
    const times = { sent_at: at, delivered_at: at, read_at: at, responded_at: at, error_message: "" };
    expect(JSON.parse(stdout)).toEqual({
      phone: ana,
      opt_out: null,
      left_out: [],
      sends: [
        {
          ...{ send_id: at, at, template: "pedido_listo", external_ref: "febrero" },
          ...{ campaign_id: campaigns[0], status: at },
          ...{ error: null, params: ["Ana Paz", "119"], replies: [] },
          ...{ ...times, message: "Hola Ana Paz, tu pedido 119 está listo." },
        },
        {
          ...{ send_id: at, at, template: "pedido_listo", external_ref: "enero" },
          ...{ campaign_id: campaigns[1], status: at },
          ...{ error: null, params: ["Ana", "118"], replies: [{ at, text: "¿A qué hora?", body }] },
          ...{ ...times, message: "Hola Ana, tu pedido 118 está listo." },
        },
      ],
    });
    expect(stderr).toContain("1 more reply from this phone names none of these sends.");
    const table = (await run(find(ana), { terminal: 120 })).stdout;
    expect(table).toContain(`Sends to ${ana} · Ana Paz`);
    expect(table).toContain("¿A qué hora?");
    expect((await run(find(ana, "--lang", "es"), { terminal: 120 })).stdout).toContain(
      `Envíos a ${ana} · Ana Paz`,
    );
  });

  it("takes a phone in every spelling, and campaign status one with a plus", async () => {
    const { run } = await desk();
    const whole = (await run(find(ana, "--json"))).stdout;
    for (const spelling of [["011 15 5555-0003"], ["11", "5555", "0003"], ["(011)", "5555-0003"]])
      expect((await run(find(...spelling, "--country", "AR", "--json"))).stdout).toBe(whole);
    for (const spelling of [["+54 9 11 5555 0003"], ["+54", "11", "5555-0003"]])
      expect((await run(["campaign", "status", ...spelling, "--json"])).stdout).toBe(whole);
    const csv = (await run(find(ana, "-o", "csv", "--fields", "external_ref,status"))).stdout;
    expect(csv).toMatch(/^external_ref,status\r?\nfebrero,\w+\r?\nenero,\w+\r?\n$/);
    const lines = (await run(find(ana, "-o", "ndjson", "--fields", "external_ref"))).stdout;
    expect(lines).toBe('{"external_ref":"febrero"}\n{"external_ref":"enero"}\n');
  });

  it("tells when each was sent, delivered and read, or why it failed, in a table, a CSV and JSON", async () => {
    const { mock, env } = await service({ clock: "2026-01-01T12:00:00-03:00" });
    const run = shell({ env: { ...env, NO_COLOR: "1", TZ: "America/Argentina/Buenos_Aires" } });
    await run(send(recipientsFile([`${ana},Ana,118`, "+5491155550000,Off,9"]), "--yes", "--ref", "enero"));
    await mock.control.moveClock({ advance_ms: 60_000 });
    const status = JSON.parse((await run(["campaign", "status", "--ref", "enero", "--json"])).stdout) as {
      campaigns: { recipients: Record<string, string>[] }[];
    };
    const [listed, off] = [ana, "+5491155550000"].map((each) =>
      status.campaigns[0]!.recipients.find(({ phone: its }) => its === each),
    );
    const names = ["sent_at", "delivered_at", "read_at", "responded_at", "error_message"];
    const [own] = found(await run(find(ana, "--json"))).sends;
    expect(Object.keys(own!)).toEqual(expect.arrayContaining(names));
    expect(own!["sent_at"]).toBe(listed!["sent_at"]);
    expect(own!["sent_at"]).toMatch(/^2026-01-01T/);
    const [failed] = found(await run(find("+5491155550000", "--json"))).sends;
    expect(failed).toMatchObject({ error_message: off!["error_message"] });

    const table = (await run(find(ana), { terminal: 100 })).stdout;
    expect(table).toMatch(/Status +.*Sent +/);
    expect(table).toContain("Hola Ana, tu pedido 118 está listo.");
    const csv = (await run(find(ana, "-o", "csv"))).stdout;
    expect(csv.split("\r\n")[0]).toContain("sent_at,delivered_at,read_at,responded_at,error_message,message");
  });

  it("knows the message of a send to the service by --template-text", async () => {
    const server = await scriptedServer(
      on("POST /campaigns", reply(created)),
      on("GET /campaigns/c1", reply({ campaign_id: "c1", recipients: [] })),
    );
    const run = shell({ env: pointedAt(server.url) });
    const text = join(temporaryFolder(), "text.txt");
    writeFileSync(text, "Hola {{1}}: {{2}}.");
    await run(
      send(recipientsFile([`${ana},Ana,1`, "+5491155550017,Leo,7"]), "--yes", "--template-text", text),
    );
    expect(found(await run(find(ana, "--json"))).sends[0]!["message"]).toBe("Hola Ana: 1.");
  });

  it("takes a phone as a chat names it, and a local number that is the end of one recipient's", async () => {
    const { run } = await desk();
    const whole = (await run(find(ana, "--json"))).stdout;
    for (const spelling of [
      [`whatsapp:${ana}`],
      ["5555-0003"],
      ["15 5555-0003"],
      ["5555", "0003"],
      [` ${ana} `],
    ])
      expect([spelling, (await run(find(...spelling, "--json"))).stdout]).toEqual([spelling, whole]);
    expect((await run(["campaign", "status", `whatsapp:${ana}`, "--json"])).stdout).toBe(whole);
    expect((await run(find("5555-0003", "--country", "AR", "--json"))).stdout).toBe(whole);
    // Two people may own it, so nobody does; less than a local number is nobody's.
    await run(send(recipientsFile(["+5493515550003,Eva,1"]), "--yes", "--ref", "marzo"));
    for (const text of ["5550003", "50003"]) {
      const { code, stderr } = await run(find(text, "--json"));
      expect([code, errorOf(stderr)["reason"]]).toEqual([2, "usage_flag"]);
    }
  });

  const refused: [string, string[], string, string][] = [
    ["nobody", [phone(9)], "person_not_found", "no send to +54911"],
    ["no country", ["011 15 5555-0003"], "usage_flag", "--country AR"],
    ["no phone", ["cmp_1"], "usage_flag", "<phone>"],
    ["another country", [ana, "--country", "Argentina"], "usage_flag", "two letters"],
  ];
  it.each(refused.slice(0, sized(2, 4)))("finds nothing for %s", async (_, argv, reason, words) => {
    const { run } = await desk();
    const run1 = await run(find(...argv, "--json"));
    expect(run1.code).toBe(reason === "person_not_found" ? 11 : 2);
    expect(run1.stdout).toBe("");
    expect(errorOf(run1.stderr)["reason"]).toBe(reason);
    expect((await run(find(...argv))).stderr).toContain(words);
  });

  it("refuses what a person has none of", async () => {
    const { run } = await desk();
    const { code, stderr } = await run(["campaign", "status", ana, "--watch"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--watch");
  });

  it("shows what the journal knows when the service is down, and ends with 6", async () => {
    const server = await scriptedServer(
      on("POST /campaigns", reply(created)),
      on("GET /campaigns/c1", reset()),
    );
    const own = shell({ env: pointedAt(server.url), clock: fakeClock() });
    await own(send(recipientsFile([`${ana},Ana,1`, "+5491155550017,Leo,7"]), "--yes", "--ref", "enero"));
    const { code, stdout, stderr } = await own(find(ana, "--json", "--retries", "0"));
    expect(code).toBe(6);
    const [only] = found({ stdout }).sends;
    expect(only).toMatchObject({
      ...{ external_ref: "enero", campaign_id: "c1", status: null },
      ...{ error: "the service did not report the status", params: ["Ana", "1"] },
    });
    expect(errorOf(stderr)["code"]).toBe("unavailable");
  });

  it("says which recipient the service does not list, and why no status is known of a send", async () => {
    const { env } = await service();
    const run = shell({ env });
    await run(send(people(150), "--yes", "--ref", "many"));
    const last = found(await run(find(phone(149), "--json"))).sends[0]!;
    expect(last["status"]).toBeNull();
    expect(last["error"]).toBe("the service lists 100 of 150 recipients, but not this one");
    expect((await run(find(phone(149)))).stdout).toContain("not shown");
    const blocked = { added: 1, duplicates: 0, errors: [`${ana}: opted out`] };
    const none = { code: "ERROR_CODE_INPUT_ERROR", message: "campaign not found", payload: {} };
    const server = await scriptedServer(
      on("POST /campaigns", reply({ ...created, recipients: blocked })),
      on("POST /campaigns", reply({ ...created, campaign_id: "c2" })),
      on("POST /campaigns", reset()),
      on("GET /campaigns/c1", reply({ campaign_id: "c1", counts: { total_recipients: 1 }, recipients: [] })),
      on("GET /campaigns/c2", reply(none, 400)),
    );
    const own = shell({ env: pointedAt(server.url), clock: fakeClock() });
    const file = recipientsFile([`${ana},Ana,1`, "+5491155550017,Leo,7"]);
    for (const ref of ["a", "b", "c"])
      await own(send(file, "--yes", "--ref", ref, "--allow-repeat", "--retries", "0"));
    const { stdout, code } = await own(find(ana, "--json"));
    expect(code).toBe(0);
    expect(found({ stdout }).sends.map(({ status, error }) => [status, error])).toEqual([
      [null, "outcome unknown until bpos campaign resume"],
      [null, "campaign not found"],
      [null, `${ana}: opted out`],
    ]);
  });
});
