import { describe, expect, it, onTestFinished } from "vitest";
import { createClient } from "../../../src/api/client.ts";
import { planSend, type SendRequest, writeCalls } from "../../../src/campaigns/send/plan.ts";
import { planAndSend } from "../../../src/campaigns/send/send-confirmed.ts";
import type { SendResult } from "../../../src/campaigns/send-report.ts";
import type { CallTools } from "../../../src/campaigns/sending/call-tools.ts";
import type { CampaignRequest } from "../../../src/contract/campaign.ts";
import { BposError, type ErrorReason, isReason } from "../../../src/errors.ts";
import { JournalError } from "../../../src/journal/engine/engine.ts";
import type { Journal } from "../../../src/journal/journal.ts";
import { phone, took } from "../../support/campaigns.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { journalIn, journalWith } from "../../support/journal.ts";
import { on, reply, reset, scriptedServer, silence } from "../../support/scripted-server.ts";

/** A send to these people, by number. */
function request(persons: readonly number[], more: Partial<SendRequest> = {}): SendRequest {
  const recipients = persons.map((n) => ({
    line: n + 2,
    phone: phone(n),
    person: phone(n),
    params: JSON.stringify([`Ana ${n}`]),
  }));
  const reading = {
    columns: [],
    phoneColumn: "",
    paramNames: [],
    recipients,
    invalid: [],
    duplicates: [],
    excluded: [],
    form: { format: "csv" as const, encoding: "utf-8", marked: false, delimiter: "," },
    read: persons.length,
    notices: [],
  };
  return {
    reading,
    branch: "b",
    ref: "r",
    template: { name: "pedido_listo", id: null, language: null },
    campaignName: undefined,
    headerUrl: undefined,
    headerField: undefined,
    excludedPeople: new Set(),
    perCall: 1_000,
    notAfter: null,
    schedule: {},
    isTest: false,
    allowRepeat: false,
    ...more,
  };
}
const range = (to: number, from = 0): number[] => Array.from({ length: to - from }, (_, n) => from + n);

function toolsFor(url: string, journal = journalIn(), more: Partial<CallTools> = {}): CallTools {
  const clock = fakeClock();
  const options = {
    baseUrl: url,
    campaignsBaseUrl: url,
    apiKey: "bpk_x",
    clock,
    random: () => 0,
    retries: 0,
  };
  const client = createClient(options);
  onTestFinished(() => client.close());
  const clockAheadMs = (): undefined => undefined;
  const { signal } = new AbortController();
  const pause = () => expect.unreachable("nothing waits");
  const tell = () => Promise.resolve();
  return { client, journal, clock, clockAheadMs, worldTime: (at) => at, signal, pause, tell, ...more };
}
const sendCampaign = (asked: SendRequest, confirmed: typeof all, tools: CallTools) =>
  planAndSend(asked, confirmed, tools, crypto.randomUUID());
const scope = { branch: "b", ref: "r" };
const statesOf = async (journal: Journal) =>
  (await journal.sends.callsUnder(scope)).map(({ state }) => state);
const all: Parameters<typeof planAndSend>[1] = { planned: 9_999_999, expect: undefined };
const ending = ({ report, failure }: SendResult): [string, ErrorReason | undefined] => [
  report.outcome,
  failure?.reason,
];
const post = (handler: Parameters<typeof on>[1]) => on("POST /campaigns", handler);

describe("between a call's intent and its bytes", () => {
  it("who opts out is taken out of it, and the call leaves without them", async () => {
    const server = await scriptedServer(post(took));
    const tools = toolsFor(server.url);
    const { journal } = tools;
    const optOut = { phone: phone(1), at: 1, source: "added", text: null } as const;
    // Right before the first attempt, behind the intent.
    let checks = 0;
    const check = async (): Promise<void> => {
      if (checks++ === 0) await journal.optOuts.add([optOut]);
    };
    Object.assign(journal, { check });
    const { report, failure } = await sendCampaign(request(range(3)), all, tools);
    expect([report, failure]).toMatchObject([
      { outcome: "sent", recipients: { planned: 2, added: 2, opted_out: 1 } },
      undefined,
    ]);
    const [sent] = server.requests.map(({ body }) => JSON.parse(body.toString()) as CampaignRequest);
    expect(sent?.recipients.map((each) => each.phone)).toEqual([phone(0), phone(2)]);
    const [call] = await journal.sends.whole(await journal.sends.callsUnder(scope));
    expect(call).toMatchObject({ state: "sent", idempotency_key: sent?.idempotency_key, lines: "[2,4]" });
  });
});

/** The rows of the table of transitions that a send went through, in their order. */
function transitionsOf(tools: CallTools): string[] {
  const rows: string[] = [];
  tools.onTransition = ({ of, from, event, to }) => void rows.push(`${of} ${from} ${event} ${to}`);
  return rows;
}

describe("a call under way", () => {
  it("whose hours end between its intent and its bytes has not left, and waits", async () => {
    const server = await scriptedServer();
    const clock = fakeClock();
    const stopped = new BposError("interrupted", { during: "work" });
    const tools = toolsFor(server.url, journalIn(), { clock, pause: () => Promise.reject(stopped) });
    const rows = transitionsOf(tools);
    // 09:00 in Buenos Aires; the lock is checked right before each attempt.
    const check = (): Promise<void> => {
      clock.advance(3_600_000);
      return Promise.resolve();
    };
    Object.assign(tools.journal, { check });
    const between = { text: "08:30-09:30", from: 510, to: 570 };
    const hours = { between, days: { text: "all", days: [0, 1, 2, 3, 4, 5, 6] }, timeZones: [] };
    const result = await sendCampaign(request([0], { schedule: { hours } }), all, tools);
    expect(ending(result)).toEqual(["nothing", "interrupted"]);
    expect(server.requests).toEqual([]);
    expect(await statesOf(tools.journal)).toEqual(["planned"]);
    expect(rows).toEqual([
      "call planned begins leaving",
      "call leaving is_postponed planned",
      "call planned waits planned",
      "send sending waits waiting",
      "send waiting is_cut_off ended",
    ]);
  });

  it("whose answer the journal cannot keep is unknown, and the answer is reported", async () => {
    const journal = journalIn();
    const server = await scriptedServer(
      post((response, seen) => {
        const transaction = () => Promise.reject(new JournalError("disk full", "failed"));
        Object.assign(journal, { transaction });
        took(response, seen);
      }),
    );
    const tools = toolsFor(server.url, journal);
    const rows = transitionsOf(tools);
    const result = await sendCampaign(request(range(2)), all, tools);
    expect(ending(result)).toEqual(["unknown", "journal_write_failed"]);
    expect(result.report.recipients.added).toBe(2);
    expect(await statesOf(journal)).toEqual(["attempted"]);
    expect(rows).toEqual([
      "call planned begins leaving",
      "call leaving is_answered sent",
      "call sent is_not_kept unknown",
      "send sending is_stopped stopping",
      "send stopping is_done ended",
    ]);
  });
});

describe("between the question and the send", () => {
  it("nothing is sent when more people would be messaged than were confirmed, or others than expected", async () => {
    const server = await scriptedServer(post(reset()), post(took), post(took));
    const tools = toolsFor(server.url);
    const shown = await planSend(request(range(3)), tools.journal, { at: 0 });
    expect(shown.planned).toBe(3);
    // Another terminal sends to somebody else under the same reference, and is not answered.
    await sendCampaign(request([7]), all, tools);
    const stopped = (confirmed: { planned: number; expect: number | undefined }) =>
      expect(sendCampaign(request(range(3)), confirmed, tools)).rejects.toSatisfy(
        (error) => isReason(error, "expected_other_count") && error.facts.actual === 4,
      );
    await stopped({ planned: shown.planned, expect: undefined });
    await stopped({ planned: shown.planned, expect: 3 });
    await stopped({ planned: 5, expect: 5 });
    expect(await statesOf(tools.journal)).toEqual(["attempted"]);
    const { report } = await sendCampaign(request(range(3)), { planned: 4, expect: 4 }, tools);
    expect(report.recipients.planned).toBe(4);
    expect(
      server.requests.map(({ body }) => (JSON.parse(body.toString()) as CampaignRequest).recipients.length),
    ).toEqual([1, 1, 3]);
  });

  it("people whom another terminal messaged meanwhile are not messaged again", async () => {
    const server = await scriptedServer(post(took), post(took));
    const tools = toolsFor(server.url);
    const shown = await planSend(request(range(3)), tools.journal, { at: 0 });
    await sendCampaign(request(range(2)), all, tools);
    const { report } = await sendCampaign(
      request(range(3)),
      { planned: shown.planned, expect: undefined },
      tools,
    );
    expect(report).toMatchObject({ outcome: "sent", recipients: { planned: 1, already_sent: 2 } });
    const [first, second] = await tools.journal.sends.callsUnder(scope);
    expect(report.send_id).toBe(second?.send_id);
    expect(report.send_id).not.toBe(first?.send_id);
    const repeated = sendCampaign(request(range(3), { ref: "s" }), all, tools);
    await expect(repeated).rejects.toSatisfy((error) => isReason(error, "repeat_within_day"));
    const taken = sendCampaign(
      request([8], { template: { name: null, id: "t", language: null } }),
      all,
      tools,
    );
    await expect(taken).rejects.toSatisfy((error) => isReason(error, "ref_taken"));
  });
});

describe("a call", () => {
  it.each([400, 403])(
    "refused with %i leaves nothing of its send, nor of the calls behind it",
    async (status) => {
      const server = await scriptedServer(post(reply({ code: "X" }, status)));
      const tools = toolsFor(server.url);
      await sendCampaign(request(range(2345)), all, tools);
      expect(await statesOf(tools.journal)).toEqual([]);
      expect(await tools.journal.sends.people(scope, [])).toEqual(new Map());
    },
  );

  it("that another process attempted since the plan was read is no first attempt", async () => {
    const server = await scriptedServer(post(took), post(reply({ code: "X" }, 400)));
    const { journal, sql } = journalWith();
    const tools = toolsFor(server.url, journal);
    const onProgress = (): void => {
      void sql.run("UPDATE send_call SET state = 'attempted' WHERE n = 1");
    };
    const result = await sendCampaign(request(range(1500)), all, { ...tools, onProgress });
    expect(ending(result)).toEqual(["unknown", "outcome_unknown"]);
    expect(await statesOf(tools.journal)).toEqual(["sent", "attempted"]);
  });

  it("that is out when the person stops is unknown; one that is not, is not", async () => {
    const stop = new AbortController();
    const server = await scriptedServer(
      post((response, seen) => {
        silence()(response, seen);
        stop.abort();
      }),
      post(took),
    );
    const journal = journalIn();
    const out = await sendCampaign(
      request(range(2)),
      all,
      toolsFor(server.url, journal, { signal: stop.signal }),
    );
    expect(ending(out)).toEqual(["unknown", "interrupted"]);
    expect(out.report.campaigns).toMatchObject([{ campaign_id: null, status: "unknown" }]);
    // Stopped before anything left: another reference is untouched, the open call still open.
    const before = toolsFor(server.url, journal, { signal: AbortSignal.abort() });
    expect(ending(await sendCampaign(request([5], { ref: "s" }), all, before))).toEqual([
      "nothing",
      "interrupted",
    ]);
    expect(ending(await sendCampaign(request(range(2)), all, before))).toEqual(["unknown", "interrupted"]);
    expect(ending(await sendCampaign(request(range(2)), all, toolsFor(server.url, journal)))).toEqual([
      "sent",
      undefined,
    ]);
    expect(server.requests[1]!.body.equals(server.requests[0]!.body)).toBe(true);
  });

  it("planned by a process that died right after is discarded, its people planned afresh", async () => {
    const server = await scriptedServer(post(took));
    const tools = toolsFor(server.url);
    const old = await planSend(request(range(3)), tools.journal, { at: 0 });
    const template = { name: "otra", id: null, language: null };
    const dead = {
      ...scope,
      send_id: "dead",
      template,
      at: 0,
      notAfter: null,
      schedule: null,
      isTest: false,
      paramNames: [],
    };
    await tools.journal.sends.plan(dead, writeCalls(request(range(3)), old));
    const shown = await planSend(request(range(2)), tools.journal, { at: 0 });
    expect(shown).toMatchObject({ pending: [], planned: 2 });
    const { report } = await sendCampaign(request(range(2)), { planned: 2, expect: 2 }, tools);
    expect(report).toMatchObject({ outcome: "sent", recipients: { planned: 2 } });
    expect(
      (await tools.journal.sends.callsUnder(scope)).map(({ send_id: id, people }) => [id, people]),
    ).toEqual([[report.send_id, 2]]);
  });
});
