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
import { temporaryFolder } from "../../support/run.ts";
import { reply, reset } from "../../support/scripted-server.ts";

const once = ["--yes", "--json", "--retries", "0"];
const refused = (status: number) => reply({ code: "ERROR_CODE_INPUT_ERROR", message: "no" }, status);
const bodyOf = (request: { body: Buffer } | undefined): CampaignRequest =>
  JSON.parse(request?.body.toString() ?? "") as CampaignRequest;
const phonesOf = (request: { body: Buffer } | undefined): string[] =>
  bodyOf(request).recipients.map((each) => each.phone);

describe("a reference", () => {
  it.each([
    ["another template", ["--template", "promo_enero"]],
    ["the same word as an id", ["--template-id", "pedido_listo"]],
    ["another language", ["--template", "pedido_listo", "--language", "es_AR"]],
  ])("that something went out under is refused to %s", async (_name, flags) => {
    const { run } = await poster([took]);
    expect((await run(send(people(2), "--ref", "r", "--yes"))).code).toBe(0);
    // Even to other people: one reference is one send.
    const other = recipientsFile(rows(5, 3));
    const taken = await run(["campaign", "send", other, "--ref", "r", ...flags, "--yes", "--json"]);
    expect(taken.code).toBe(10);
    expect(errorOf(taken.stderr)).toMatchObject({ reason: "ref_taken", ref: "r", template: "pedido_listo" });
    expect(taken.stdout).toBe("");
  });

  it("that something may have gone out under is refused likewise", async () => {
    const { run } = await poster([reset()]);
    expect((await run(send(people(2), "--ref", "r", ...once))).code).toBe(7);
    const taken = await run(["campaign", "send", people(2), "--template", "otra", "--ref", "r", "--yes"]);
    expect(taken.code).toBe(10);
    expect(taken.stderr).toContain("belongs to");
  });

  it.each([400, 403])("of a send refused with %i is free for another template", async (status) => {
    const { server, run } = await poster([refused(status), took]);
    const file = people(2);
    const first = await run(["campaign", "send", file, "--template", "mal", "--ref", "r", ...once]);
    expect(first.code).toBe(status === 400 ? 5 : 4);
    expect(parse(first.stdout)).toMatchObject({
      outcome: "refused",
      campaigns: [],
    });
    const never = await run(["campaign", "status", "--ref", "r"]);
    expect(never.code).toBe(11);
    const second = await run(send(file, "--ref", "r", ...once));
    expect(parse(second.stdout)).toMatchObject({ outcome: "sent", recipients: { planned: 2, added: 2 } });
    expect(bodyOf(server.requests[1]).template_name).toBe("pedido_listo");
  });
});

describe("a call that never left", () => {
  it("is planned afresh from the file of now", async () => {
    // 307 points elsewhere: this service did not take the call.
    const { server, run } = await poster([reply("", 307), took]);
    const folder = temporaryFolder();
    const first = await run(send(people(3, folder), "--ref", "r", ...once));
    expect(first.code).toBe(6);
    expect(parse(first.stdout)).toMatchObject({ outcome: "nothing", campaigns: [] });
    const file = recipientsFile([rows(1)[0]!.replace("Ana 0", "Eva"), ...rows(3, 2)], folder);
    const second = await run(send(file, "--ref", "r", ...once));
    expect(parse(second.stdout).recipients).toMatchObject({ planned: 2, already_sent: 0 });
    expect(bodyOf(server.requests[1]).recipients).toEqual([
      { phone: phone(0), params: ["Eva", "0"] },
      { phone: phone(2), params: ["Ana 2", "2"] },
    ]);
  });
});

describe("a call whose outcome is unknown", () => {
  it.each([400, 403, 404, 307])(
    "stays unknown after a later %i, and goes out with its bytes",
    async (status) => {
      const { server, run } = await poster([reset(), refused(status), took]);
      const folder = temporaryFolder();
      const first = await run(send(people(2, folder), "--ref", "r", ...once));
      expect(first.code).toBe(7);
      const second = await run(send(people(2, folder), "--ref", "r", ...once));
      expect(second.code).toBe(7);
      const unknown = { campaign_id: null, status: "unknown", replayed: false };
      for (const { stdout } of [first, second]) {
        const report = parse(stdout);
        expect(report).toMatchObject({
          outcome: "unknown",
          campaigns: [unknown],
          recipients: { planned: 2 },
        });
        expect(report.campaigns[0]!.idempotency_key).toBe(bodyOf(server.requests[0]).idempotency_key);
      }
      // Whatever became of the file meanwhile.
      const edited = recipientsFile([`${phone(0)},Eva,0`], folder);
      expect((await run(send(edited, "--ref", "r", ...once))).code).toBe(0);
      expect(new Set(server.requests.map(({ body }) => body.toString())).size).toBe(1);
    },
  );

  it("is shown first before the question, then the new people, and goes out in that order", async () => {
    const { server, run } = await poster([reset(), took, took]);
    const folder = temporaryFolder();
    await run(send(recipientsFile(rows(9, 7), folder), "--ref", "r", ...once));
    // The new ones have smaller phones and stand first in the file.
    const file = recipientsFile(rows(9), folder);
    const world = { terminal: 100, answers: [true] };
    const result = await run(send(file, "--ref", "r"), world);
    expect(result.code).toBe(0);
    expect(result.stderr).toMatch(/Ana 7[\s\S]*Ana 8[\s\S]*Ana 0/);
    expect(result.stderr).not.toContain("Ana 1");
    expect(result.stderr).toContain("9 recipients would be messaged, in 2 calls");
    expect(phonesOf(server.requests[1])).toEqual([phone(7), phone(8)]);
    expect(phonesOf(server.requests[2])).toEqual([0, 1, 2, 3, 4, 5, 6].map(phone));
  });
});

describe("a send of several calls", () => {
  it.each([
    ["a refusal", refused(400), 5, "partial"],
    ["a wrong key", refused(403), 4, "partial"],
  ])("stops at %s, says how far it came, and goes on from there", async (_name, handler, code, outcome) => {
    const more = [took, took];
    const { server, run } = await poster([took, handler, ...more]);
    const file = people(2345);
    const first = await run(send(file, "--ref", "r", ...once));
    expect(first.code).toBe(code);
    expect(server.requests).toHaveLength(2);
    const report = parse(first.stdout);
    expect(report).toMatchObject({ outcome, recipients: { planned: 2345, added: 1000 } });
    expect(report.campaigns.map(({ campaign_id: id }) => id)).toEqual(["c1"]);
    const again = parse((await run(send(file, "--ref", "r", ...once))).stdout);
    expect(again).toMatchObject({ outcome: "sent", recipients: { planned: 1345, already_sent: 1000 } });
    expect(again.campaigns.map(({ replayed }) => replayed)).toEqual([true, false, false]);
    const [one, two, three, four] = server.requests.map(phonesOf);
    expect(new Set([...one!, ...three!, ...four!]).size).toBe(2345);
    expect(three).toEqual(two);
  });

  it("goes on past a call without a clear answer, which goes out again later with its bytes", async () => {
    const ok = took;
    const { server, run } = await poster([ok, reset(), ok, ok]);
    const first = await run(send(people(2345), "--ref", "r", ...once));
    expect(first.code).toBe(7);
    const report = parse(first.stdout);
    expect(report).toMatchObject({ outcome: "unknown", recipients: { planned: 2345, added: 1345 } });
    expect(report.campaigns.map(({ campaign_id: id }) => id)).toEqual(["c1", null, "c1"]);
    expect((await run(["campaign", "resume", "r", "--json"])).code).toBe(0);
    expect(server.requests[3]!.body.equals(server.requests[1]!.body)).toBe(true);
  });

  it("stops at the third call in a row without a clear answer, and can be resumed", async () => {
    const ok = took;
    const lost = reset();
    const { server, run } = await poster([lost, lost, ok, lost, lost, lost, ok, ok, ok, ok, ok, ok]);
    const argv = send(people(700), "--ref", "r", "--track-all", ...once);
    const first = await run(argv);
    expect(first.code).toBe(7);
    expect(server.requests).toHaveLength(6);
    expect(parse(first.stdout).campaigns.map(({ campaign_id: id }) => id === null)).toEqual([
      ...[true, true, false],
      ...[true, true, true],
    ]);
    const resumed = await run(["campaign", "resume", "--json"]);
    expect(resumed.code).toBe(0);
    expect(parse(resumed.stdout)).toMatchObject({
      outcome: "sent",
      recipients: { planned: 600, already_sent: 100 },
    });
    const sent = server.requests.map(phonesOf).map((phones) => phones.join());
    expect(sent.slice(6, 11)).toEqual([sent[0], sent[1], sent[3], sent[4], sent[5]]);
  });
});
