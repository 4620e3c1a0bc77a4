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
import { listenIn, postReply } from "../../support/listen.ts";
import { proxyServer } from "../../support/proxy-server.ts";
import { type Run, shell } from "../../support/run.ts";
import {
  type Handler,
  on,
  reply,
  reset,
  type ScriptedServer,
  scriptedServer,
} from "../../support/scripted-server.ts";
import { pointedAt, service } from "../../support/service.ts";

const once = ["--yes", "--json", "--retries", "0"];
const lost = reset();
const resume = ["campaign", "resume", "--json", "--retries", "0"];
const optOut = (...phones: string[]): string[] => ["campaign", "optout", "add", ...phones];
const find = (person: string): string[] => ["campaign", "find", person, "--json"];

/** Who each request was to. */
const sentTo = ({ requests }: ScriptedServer): string[][] =>
  requests.map(({ body }) =>
    (JSON.parse(body.toString()) as CampaignRequest).recipients.map((each) => each.phone),
  );

/** Answers once a person has opted out meanwhile. */
function answerAfter(work: () => Promise<Run>, handler: Handler): Handler {
  return (response, request) => void work().then(() => handler(response, request));
}

/** A shell, and a service whose handlers may use it. */
async function posting(handlers: (run: (argv: string[]) => Promise<Run>) => Handler[], clock = fakeClock()) {
  let own: (argv: string[]) => Promise<Run> = () => Promise.reject(new Error("not yet"));
  const made = await poster(
    handlers((argv) => own(argv)),
    { clock },
  );
  own = made.run;
  return made;
}

describe("who opted out", () => {
  it("is left out by every spelling of the phone, counted, and shown by the preview and `find`", async () => {
    const { server, run } = await poster([took]);
    await run(optOut("011 15 5000-0017", "+54 11 5000-0027", "5491150000037", "--country", "AR"));
    const file = recipientsFile([
      "+54 9 11 5000-0017,Ana,1",
      "5491150000027,Eva,2",
      "011 15 5000-0037,Leo,3",
      ...rows(7, 5),
    ]);
    const dry = await run(send(file, "--ref", "r", "--country", "AR", "--dry-run"));
    expect(dry.stdout).toMatch(/^Opted out +3$/m);
    const { code, stdout } = await run(send(file, "--ref", "r", "--country", "AR", ...once));
    expect([code, parse(stdout)]).toMatchObject([
      0,
      { recipients: { read: 5, planned: 2, added: 2, opted_out: 3, excluded: 0 }, outcome: "sent" },
    ]);
    expect(sentTo(server)).toEqual([[phone(5), phone(6)]]);
    expect(JSON.parse((await run(find("+5491150000017"))).stdout)).toMatchObject({
      opt_out: { source: "added", text: null, removed_at: null },
      left_out: [{ external_ref: "r", template: "pedido_listo", reason: "opted_out" }],
      sends: [],
    });
    const shown = (await run(["campaign", "find", "+5491150000017"], { terminal: 80 })).stdout;
    expect(shown).toMatch(/Opted out on [-\d: ]+ \(added\)\.[\s\S]*Left out[\s\S]* r +opted out/);
  });

  it("is messaged again once they are taken off the list, under the same reference too", async () => {
    const { server, run } = await poster([took, took]);
    await run(optOut(phone(0)));
    await run(send(people(2), "--ref", "r", ...once));
    await run(["campaign", "optout", "remove", phone(0), "--reason", "asked"]);
    expect((await run(send(people(2), "--ref", "r", ...once))).code).toBe(0);
    expect(sentTo(server)).toEqual([[phone(1)], [phone(0)]]);
    const { left_out, opt_out } = JSON.parse((await run(find(phone(0)))).stdout) as Record<string, unknown>;
    expect([left_out, opt_out]).toMatchObject([[], { reason: "asked" }]);
  });

  it("gets no test either", async () => {
    const { server, run } = await poster([]);
    await run(optOut(phone(0)));
    const tested = await run(send(people(2), "--test-to", phone(0), ...once));
    expect([tested.code, errorOf(tested.stderr)["reason"]]).toEqual([2, "test_opted_out"]);
    expect(server.requests).toEqual([]);
  });

  it("leaves nobody to message, if they are all: nothing is sent, nothing is wrong", async () => {
    const { run } = await poster([]);
    await run(optOut(phone(0), phone(1)));
    const { code, stdout } = await run(send(people(2), "--ref", "r", ...once));
    expect([code, parse(stdout)]).toMatchObject([
      0,
      { recipients: { planned: 0, opted_out: 2 }, outcome: "nothing" },
    ]);
  });

  it("is not what --exclude names, which `find` tells too", async () => {
    const { run } = await poster([took]);
    const excluded = recipientsFile(rows(1));
    expect((await run(send(people(2), "--ref", "r", "--exclude", excluded, ...once))).code).toBe(0);
    const { left_out, opt_out } = JSON.parse((await run(find(phone(0)))).stdout) as Record<string, unknown>;
    expect([left_out, opt_out]).toMatchObject([[{ reason: "excluded", external_ref: "r" }], null]);
  });
});

describe("who opts out while a send is under way", () => {
  it("is not in the calls that are still to leave; the others of them are", async () => {
    const { server, run } = await posting((own) => [
      answerAfter(() => own(optOut(phone(3), phone(120))), took),
      took,
    ]);
    const { code, stdout } = await run(send(people(150), "--ref", "r", "--track-all", ...once));
    expect([code, parse(stdout)]).toMatchObject([
      0,
      { recipients: { read: 150, planned: 149, added: 149, opted_out: 1 }, outcome: "sent" },
    ]);
    const [first, second] = sentTo(server);
    expect([first?.length, second?.length]).toEqual([100, 49]);
    expect(second).not.toContain(phone(120));
    expect(JSON.parse((await run(find(phone(120)))).stdout)).toMatchObject({
      left_out: [{ reason: "opted_out" }],
    });
    // A second run of the same file finds everybody sent to.
    expect(parse((await run(send(people(150), "--ref", "r", "--track-all", ...once))).stdout)).toMatchObject({
      recipients: { planned: 0, already_sent: 149, opted_out: 1 },
    });
  });

  it("is left out of a call whose connection is still being made", async () => {
    const closing = reply({ code: "TEST", message: "not told", payload: "" }, 404, { connection: "close" });
    const server = await scriptedServer(
      { ...on("GET /campaigns/bpos-doctor", closing), aside: true },
      on("POST /campaigns", took),
    );
    let own: (argv: string[]) => Promise<Run> = () => Promise.reject(new Error("not yet"));
    let connections = 0;
    // The first asks whether that is a mock.
    const onConnect = async () => (++connections === 2 ? own(optOut(phone(1))) : undefined);
    const proxy = await proxyServer({ onConnect });
    const url = `http://service.example:${new URL(server.url).port}`;
    own = shell({ env: { ...pointedAt(url), HTTP_PROXY: `http://${proxy.host}` } });
    const { code, stdout } = await own(send(people(3), "--ref", "r", ...once));
    expect([code, parse(stdout)]).toMatchObject([0, { recipients: { added: 2, opted_out: 1 } }]);
    expect(sentTo(server)).toEqual([[phone(0), phone(2)]]);
  });

  it("leaves no call that would hold nobody", async () => {
    const { server, run } = await posting((own) => [answerAfter(() => own(optOut(phone(100))), took)]);
    const { code, stdout } = await run(send(people(101), "--ref", "r", "--track-all", ...once));
    expect([code, parse(stdout)]).toMatchObject([0, { recipients: { added: 100, opted_out: 1 } }]);
    expect(server.requests).toHaveLength(1);
    expect((await run(["campaign", "resume"])).stderr).toContain("Nothing to resume");
  });

  it("is left out of a call that waits for `resume`", async () => {
    const { server, run } = await poster([lost, lost, lost, took, took, took, took]);
    const sent = await run(send(people(350), "--ref", "r", "--track-all", ...once));
    expect(sent.code).toBe(7);
    await run(optOut(phone(320)));
    const { code, stdout } = await run(resume);
    expect([code, parse(stdout)]).toMatchObject([
      0,
      { recipients: { read: 350, planned: 349, added: 349, opted_out: 1 }, outcome: "sent" },
    ]);
    expect(sentTo(server).at(-1)).toEqual(
      rows(350, 300).flatMap((_row, n) => (n === 20 ? [] : phone(300 + n))),
    );
  });
});

describe("a call whose outcome is unknown, and somebody in it opts out", () => {
  it("is never sent again, by no command; the others are, and it is said", async () => {
    const { server, run } = await poster([lost, lost, took, took]);
    expect((await run(send(people(250), "--ref", "r", "--track-all", ...once))).code).toBe(7);
    expect(server.requests).toHaveLength(3);
    await run(optOut(phone(5)));

    const resumed = await run(resume);
    expect([resumed.code, parse(resumed.stdout)]).toMatchObject([
      7,
      { recipients: { planned: 100, added: 100, already_sent: 50 }, outcome: "unknown" },
    ]);
    expect(errorOf(resumed.stderr)).toMatchObject({ reason: "opted_out_unknown", people: 1, ref: "r" });
    expect(sentTo(server)[3]).toEqual(sentTo(server)[1]);

    const again = await run(send(people(250), "--ref", "r", "--track-all", ...once));
    expect([again.code, parse(again.stdout)]).toMatchObject([
      7,
      { recipients: { planned: 0, opted_out: 1, already_sent: 150 } },
    ]);
    expect((await run(resume)).code).toBe(7);
    expect(server.requests).toHaveLength(4);

    // Whoever is named in --exclude as well stops no send: that call leaves no more.
    const gone = recipientsFile(rows(6, 5));
    const more = await run(send(people(250), "--ref", "r", "--track-all", "--exclude", gone, ...once));
    expect([more.code, errorOf(more.stderr)["reason"]]).toEqual([7, "opted_out_unknown"]);
  });

  it("is settled by a reply to it, where the service confirms that campaign", async () => {
    const { mock, env } = await service({
      scenario: "empty",
      faults: ["POST /campaigns commit-drop times=1"],
    });
    const run = shell({ env });
    const file = recipientsFile([`${phone(1)},Ana,1`, `${phone(2)},Eva,2`]);
    expect((await run(send(file, "--ref", "r", ...once))).code).toBe(7);
    const [message] = await mock.control.messages();
    const reply = { campaign_id: message?.campaign_id, external_ref: "r", phone: phone(2), text: "BAJA" };
    const listener = await listenIn(run);
    // A campaign that is not there proves nothing.
    await postReply(listener.url, { ...reply, campaign_id: "cmp_none" });
    expect((await run(resume)).code).toBe(7);
    // Whoever else is in the call proves it as well.
    await postReply(listener.url, { ...reply, phone: phone(1), text: "gracias" });
    const { code, stdout } = await run(resume);
    expect([code, parse(stdout)]).toMatchObject([
      0,
      { outcome: "sent", campaigns: [{ campaign_id: message?.campaign_id, recipients: { added: 2 } }] },
    ]);
    expect(await mock.control.messages()).toHaveLength(2);
    expect((await run(["campaign", "resume"])).stderr).toContain("Nothing to resume");
  });

  it("is not tried again within the same command", async () => {
    const { server, run } = await posting((own) => [
      answerAfter(() => own(optOut(phone(1))), reply({}, 502)),
      took,
    ]);
    const { code, stderr, stdout } = await run(
      send(people(150), "--ref", "r", "--track-all", "--yes", "--json"),
    );
    expect([code, errorOf(stderr)]).toMatchObject([7, { reason: "opted_out_unknown", people: 1 }]);
    expect(parse(stdout)).toMatchObject({
      recipients: { added: 50 },
      campaigns: [{ status: "unknown" }, {}],
    });
    expect(sentTo(server).map(({ length }) => length)).toEqual([100, 50]);
  });

  it("says first what `resume` settles", async () => {
    const { run } = await poster([lost, lost, lost]);
    expect((await run(send(people(150), "--ref", "r", "--track-all", ...once))).code).toBe(7);
    await run(optOut(phone(5)));
    const { code, stderr } = await run(resume);
    expect([code, errorOf(stderr)["reason"]]).toEqual([7, "outcome_unknown"]);
  });
});

describe("the journal's prune", () => {
  it("lets nobody be messaged who opted out", async () => {
    const clock = fakeClock();
    const { server, run } = await posting(() => [took], clock);
    await run(optOut(phone(1)));
    clock.advance(100 * 86_400_000);
    const pruned = await run(["journal", "prune", "--yes", "--json"]);
    expect(JSON.parse(pruned.stdout)).toMatchObject({ opt_outs: 1 });
    const list = await run(["campaign", "optout", "list", "--json"]);
    expect(JSON.parse(list.stdout)).toMatchObject({ opt_outs: [{ phone: null, text: null }] });
    expect((await run(send(people(2), "--ref", "r", ...once))).code).toBe(0);
    expect(sentTo(server)).toEqual([[phone(0)]]);
  });
});
