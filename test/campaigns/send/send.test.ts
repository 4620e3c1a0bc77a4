import { describe, expect, it } from "vitest";
import { created, parse, people, poster, recipientsFile, rows, send } from "../../support/campaigns.ts";
import { fixture, shell, temporaryFolder } from "../../support/run.ts";
import { on, reply, reset, scriptedServer } from "../../support/scripted-server.ts";
import { pointedAt, service } from "../../support/service.ts";

describe("campaign send", () => {
  it("sends the fixture to its 54 good recipients and lists the 6 bad ones by line", async () => {
    const { mock, env } = await service();
    const result = await shell({ env })(send(fixture("recipients.csv"), "--yes", "--json"));
    expect(result.code).toBe(3);
    const report = parse(result.stdout);
    expect(report.recipients).toMatchObject({ read: 60, planned: 54, added: 54, invalid: 6, duplicates: 0 });
    expect(report.outcome).toBe("sent");
    expect(report.invalid).toHaveLength(6);
    for (const { line, error } of report.invalid) {
      expect(line).toBeGreaterThan(1);
      expect(error).not.toBe("");
    }
    expect(await mock.control.messages()).toHaveLength(54);
    expect(report.external_ref).toMatch(/^recipients-[0-9a-f]{8}$/);
  });

  it("splits 2,345 people into 3 calls with 3 keys, and messages nobody again when the same file is sent again", async () => {
    const { mock, env } = await service();
    const file = people(2345);
    const run = shell({ env });
    const first = await run(send(file, "--yes", "--json"));
    expect(first.code).toBe(0);
    const report = parse(first.stdout);
    expect(new Set(report.campaigns.map((campaign) => campaign.idempotency_key)).size).toBe(3);
    expect(report.campaigns.map((campaign) => campaign.recipients.added)).toEqual([1000, 1000, 345]);
    expect(await mock.control.messages()).toHaveLength(2345);

    const again = await run(send(file, "--yes", "--json"));
    expect(again.code).toBe(0);
    expect(parse(again.stdout)).toMatchObject({
      send_id: report.send_id,
      outcome: "replayed",
      recipients: { planned: 0, already_sent: 2345, added: 0 },
    });
    const table = await run(send(file, "--yes"));
    expect(table.stdout).toMatch(/nothing/i);

    // Another machine knows nothing of it and makes the same keys: the service replays.
    const elsewhere = await shell({ env })(send(file, "--yes", "--json"));
    expect(parse(elsewhere.stdout)).toMatchObject({ outcome: "replayed" });
    expect(parse(elsewhere.stdout).campaigns.map((campaign) => campaign.idempotency_key)).toEqual(
      report.campaigns.map((campaign) => campaign.idempotency_key),
    );
    expect(await mock.control.messages()).toHaveLength(2345);
  });

  it("messages only the added person when an edited file goes out under the same reference", async () => {
    const { mock, env } = await service();
    const folder = temporaryFolder();
    const run = shell({ env });
    await run(send(people(3, folder), "--yes", "--ref", "enero"));
    const edited = await run(send(people(4, folder), "--yes", "--ref", "enero", "--json"));
    expect(parse(edited.stdout)).toMatchObject({
      outcome: "sent",
      recipients: { planned: 1, already_sent: 3, added: 1 },
    });
    expect(new Set((await mock.control.messages()).map(({ phone }) => phone)).size).toBe(4);
    expect(await mock.control.messages()).toHaveLength(4);
  });

  it("asks on a terminal, shows who would get what, and sends nothing on a no", async () => {
    const { mock, env } = await service();
    const run = shell({ env, terminal: 80 });
    const file = people(5);
    const no = await run(send(file), { answers: [false] });
    expect(no.code).toBe(2);
    expect(no.stderr).toContain("pedido_listo");
    expect(no.stderr).toContain("Ana 0");
    // An answer is no error.
    expect(no.stderr).toMatch(/\nNothing was sent\.\n$/);
    expect(no.stderr).not.toContain("Error:");
    expect(await mock.control.messages()).toHaveLength(0);
    expect((await run(send(file), { answers: [true] })).code).toBe(0);
    expect(await mock.control.messages()).toHaveLength(5);
  });

  it.each([
    ["in a pipe", {}, []],
    ["with --no-input", { terminal: 80 }, ["--no-input"]],
    ["in CI", { terminal: 80, env: { CI: "true" } }, []],
  ])("sends nothing without --yes %s, and names the flag", async (_name, world, flags) => {
    const server = await scriptedServer();
    const result = await shell({ env: pointedAt(server.url) })(send(people(1), ...flags), {
      ...world,
      env: { ...pointedAt(server.url), ...(world as { env?: Record<string, string> }).env },
    });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain("--yes");
  });

  it("sends nothing with --dry-run, nor when --expect names another number", async () => {
    const { run } = await poster([]);
    const dry = await run(send(people(1500), "--dry-run"));
    expect(dry.code).toBe(0);
    expect(dry.stdout).toContain("1.500");
    const json = await run(send(people(2), "--dry-run", "--json"));
    expect(parse(json.stdout)).toMatchObject({
      dry_run: true,
      outcome: "nothing",
      recipients: { planned: 2 },
    });
    const other = await run(send(people(2), "--yes", "--expect", "3"));
    expect(other.code).toBe(10);
    expect(other.stderr).toMatch(/3.*2|2.*3/s);
  });

  it("sends language, name, header URL and the params that were named", async () => {
    const server = await scriptedServer(on("POST /campaigns", reply(created)));
    const flags = ["--language", "es_AR", "--name", "Enero", "--ref", "r1", "--params", "pedido,nombre"];
    const header = ["--header-url", "https://example.com/a.png", "--header-field", "media"];
    await shell({ env: pointedAt(server.url) })(send(people(1), ...flags, ...header, "--yes"));
    const body = JSON.parse(server.requests[0]!.body.toString()) as Record<string, unknown>;
    expect(body).toMatchObject({
      template_name: "pedido_listo",
      template_language: "es_AR",
      campaign_name: "Enero",
      external_ref: "r1",
      media: "https://example.com/a.png",
      recipients: [{ phone: "+5491150000007", params: ["0", "Ana 0"] }],
    });
    expect(body).not.toHaveProperty("header_media_url");
  });

  it("lists what cannot be used once, before the question or in the report", async () => {
    const { env } = await service();
    const run = shell({ env: { ...env, NO_COLOR: "1" } });
    const file = recipientsFile([...rows(2), "15,Zoe,9"]);
    const asked = await run(send(file, "--ref", "a"), { terminal: 100, answers: [true] });
    expect(asked.code).toBe(3);
    expect(asked.stderr).toMatch(/Line +Phone +Reason/);
    expect(asked.stdout).not.toMatch(/Line +Phone +Reason/);
    expect(asked.stdout).toMatch(/Invalid +1/);
    expect(asked.stdout).toContain("1 row was left out, as shown above");
    const piped = await run(send(file, "--ref", "a", "--yes"));
    expect(piped.stdout).toMatch(/Line +Phone +Reason/);
    const quiet = await run(send(file, "--ref", "a", "--yes", "-q"), { terminal: 100 });
    expect(quiet.stdout).toMatch(/Line +Phone +Reason/);
  });

  it("reads standard input, says so on a terminal, and takes it for one thing only", async () => {
    const { env } = await service();
    const run = shell({ env });
    const stdin = `telefono,nombre,pedido\n${rows(1).join("\n")}\n`;
    const typed = await run(send("-", "--yes"), { stdin, terminal: 80 });
    expect(typed.code).toBe(0);
    expect(typed.stderr).toContain("Ctrl-D");
    expect((await run(send("-", "--yes"), { stdin })).stderr).not.toContain("Ctrl-D");
    const both = await run(send("-", "--yes", "--api-key-file", "-"), { stdin: "bpk_x" });
    expect(both.code).toBe(2);
    expect(both.stderr).toContain("The file and the key cannot both come from standard input");
  });

  it.each([
    ["errors that are no list", { recipients: { added: "2", duplicates: null, errors: "uno" } }, 2, ["uno"]],
    [
      "errors that are no texts",
      { recipients: { added: 2, errors: [null, { code: 7 }, 8] } },
      2,
      ['{"code":7}', "8"],
    ],
    ["no recipients", { recipients: null, replayed: "no" }, 0, []],
    ["recipients that are a number", { recipients: 2, campaign_name: 5 }, 0, []],
  ])(
    "reports an odd answer once it was sent, now and from the journal: %s",
    async (_name, odd, added, errors) => {
      const { run } = await poster([reply({ ...created, ...odd })]);
      const file = people(2);
      const sent = await run(send(file, "--yes", "--json"));
      expect(sent.code).toBe(3);
      const isKnown = added === 2;
      const outcome = isKnown ? "sent" : "partial";
      expect(parse(sent.stdout)).toMatchObject({ outcome, recipients: { added, errors } });
      expect(sent.stderr.match(/does not match the service's specification/g)).toHaveLength(1);
      const replayed = await run(send(file, "--yes", "--json"));
      expect(parse(replayed.stdout)).toMatchObject({
        outcome: isKnown ? "replayed" : "partial",
        recipients: { added: 0, errors: [] },
      });
      expect(parse(replayed.stdout).campaigns[0]!.recipients).toMatchObject({ added, errors });
      expect((await run(send(file, "--yes"), { terminal: 80 })).code).toBe(isKnown ? 0 : 3);
    },
  );
});

describe("campaign status", () => {
  it("prints the service's document unchanged, a table with bars, and the recipients as CSV", async () => {
    const { mock, env } = await service({ clock: "2026-01-01T12:00:00-03:00" });
    const run = shell({ env });
    const sent = parse(
      (await run(send(fixture("recipients.csv"), "--yes", "--json", "--ref", "enero"))).stdout,
    );
    await mock.control.moveClock({ advance_ms: 3_600_000 });
    const id = sent.campaigns[0]!.campaign_id!;
    const one = await run(["campaign", "status", id, "--json"]);
    expect(one.code).toBe(0);
    expect(JSON.parse(one.stdout)).toMatchObject({
      campaign_id: id,
      external_ref: "enero",
      counts: { total_recipients: 54 },
    });
    const table = await run(["campaign", "status", "--ref", "enero"], { terminal: 100 });
    expect(table.stdout).toContain("54");
    expect(table.stdout).toMatch(/failed/);
    const csv = await run(["campaign", "status", id, "-o", "csv"]);
    expect(csv.stdout.trimEnd().split(/\r?\n/)).toHaveLength(55);
  });

  it("ends with 11 for a reference that was never sent, and for an id that the service does not know", async () => {
    const { env } = await service();
    const run = shell({ env });
    const never = await run(["campaign", "status", "--ref", "nunca"]);
    expect(never.code).toBe(11);
    expect(never.stderr).toContain("nunca");
    expect((await run(["campaign", "status", "cmp_nadie"])).code).toBe(11);
    expect((await run(["campaign", "status"])).code).toBe(2);
  });

  it("says how many calls have no answer yet, and shows the others, of its branch only", async () => {
    const status = { campaign_id: "c1", status: "sent", counts: { total_recipients: 1 }, recipients: [] };
    const server = await scriptedServer(
      on("POST /campaigns", reply(created)),
      on("POST /campaigns", reply({ ...created, campaign_id: "c2" })),
      on("POST /campaigns", reset()),
      on("GET /campaigns/c1", reply(status)),
    );
    const run = shell({ env: pointedAt(server.url) });
    const other = { env: { BPOS_API_KEY: "bpk_other_0123" } };
    const folder = temporaryFolder();
    expect((await run(send(people(2, folder), "--yes", "--ref", "r"))).code).toBe(0);
    expect((await run(send(people(2, folder), "--yes", "--ref", "r"), other)).code).toBe(0);
    await run(send(people(3, folder), "--yes", "--ref", "r", "--retries", "0"));
    const shown = await run(["campaign", "status", "--ref", "r", "--json"]);
    expect(shown.code).toBe(0);
    expect(shown.stderr).toContain("1 of 2 calls has no answer yet: bpos campaign resume r");
    expect((JSON.parse(shown.stdout) as { campaigns: unknown }).campaigns).toEqual([status]);
  });
});
