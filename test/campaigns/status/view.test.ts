import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CampaignsStatus, isFinal, readCampaigns } from "../../../src/campaigns/read-campaigns.ts";
import { changesSince } from "../../../src/campaigns/status/changes.ts";
import { onlyStatuses } from "../../../src/campaigns/status/only-statuses.ts";
import {
  campaignStatus,
  changeLine,
  countsLine,
  recipientsCsv,
  watchFrame,
} from "../../../src/campaigns/status/view.ts";
import { number } from "../../../src/cli/display/format.ts";
import { type CampaignStatus, countNames } from "../../../src/contract/campaign.ts";
import { campaign } from "../../cli/samples.ts";
import { lines, NOW, pipe, terminal, widest } from "../../cli/ui.ts";

const time = fc.oneof(
  fc.constantFrom("", null, undefined, "soon"),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
);
const value = fc.oneof(
  fc.constantFrom("pending", "sent", "failed", "delivered", "read", "teleported"),
  fc.anything(),
);
const recipient = fc.record(
  {
    ...{ phone: fc.anything(), status: value, sent_at: time, delivered_at: time, read_at: fc.anything() },
    ...{ responded_at: time, error_message: fc.oneof(fc.string(), fc.anything()) },
  },
  { requiredKeys: [] },
);
const amount = fc.oneof(fc.nat(), fc.constantFrom(null, "7", 2n ** 60n), fc.anything());
const counts = fc.record(
  Object.fromEntries(countNames.map((name) => [name, amount])) as Record<
    (typeof countNames)[number],
    typeof amount
  >,
  { requiredKeys: [] },
);
/** Any document that a service might answer with. */
const document = fc.record(
  {
    ...{ campaign_id: fc.string(), status: fc.anything(), campaign_name: fc.anything() },
    ...{ external_ref: fc.anything(), counts: fc.oneof({ weight: 5, arbitrary: counts }, fc.anything()) },
    recipients: fc.oneof(
      { weight: 5, arbitrary: fc.array(fc.oneof(recipient, fc.anything())) },
      fc.anything(),
    ),
  },
  { requiredKeys: ["campaign_id"] },
) as unknown as fc.Arbitrary<CampaignStatus>;

/** Campaigns as a command gets them from a service that answers with these. */
async function read(campaigns: readonly CampaignStatus[]): Promise<CampaignsStatus> {
  let next = 0;
  const readCampaign = () =>
    Promise.resolve({
      ...{ body: campaigns[next++]!, status: 200, attempts: 1, date: undefined, mismatches: [] },
    });
  const ids = campaigns.map(({ campaign_id }) => campaign_id);
  return readCampaigns({ readCampaign }, ids, { signal: new AbortController().signal });
}

const labels = {
  total_recipients: "All",
  pending: "Pending",
  sent: "Sent",
  failed: "Failed",
  delivered: "Delivered",
  read: "Read",
  responded: "Responded",
};

const frameOf = (status: CampaignsStatus, ui = terminal(79), rows = 23): string =>
  watchFrame({ status, polledAt: NOW, nextAt: NOW + 5_000, trouble: undefined, remarks: [] }, ui, rows);

describe("any status document", () => {
  it("is shown in every form, within 80 columns and the rows of the screen", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(document, { minLength: 1, maxLength: 3 }), fc.nat(40), async (all, rows) => {
        const status = await read(all);
        expect(widest(campaignStatus(status, terminal(80)))).toBeLessThanOrEqual(80);
        const frame = frameOf(status, terminal(79), rows + 1);
        expect(widest(frame)).toBeLessThanOrEqual(79);
        expect(lines(frame).length).toBeLessThanOrEqual(rows + 1);
        expect(campaignStatus(status, pipe())).toMatch(/\n$/);
        expect([...recipientsCsv(status, pipe()).text].join("")).toMatch(/^campaign_id,/);
        expect(lines(countsLine(status, pipe()))).toHaveLength(1);
        for (const change of changesSince({ ...status, campaigns: [] }, status))
          expect(lines(changeLine(change))).toHaveLength(1);
        for (const each of all) expect(typeof isFinal(each)).toBe("boolean");
        expect(onlyStatuses(status, ["failed"]).status.counts).toBe(status.counts);
      }),
    );
  });

  it("lists the first on a terminal, those that failed before the others, and says how many more there are", async () => {
    const recipients = Array.from({ length: 30 }, (_, at) => ({
      phone: `+54911612300${at + 10}`,
      status: at === 29 ? "failed" : "read",
    }));
    const status = await read([campaign({ recipients })]);
    const phones = (text: string): string[] => lines(text).filter((line) => line.startsWith("+54"));
    const shown = campaignStatus(status, terminal(80));
    expect(phones(shown)).toHaveLength(20);
    expect(phones(shown)[0]).toMatch(/39 +failed/);
    expect(shown).toContain("10 more are not shown; -o csv and --json list all of them.");
    expect(phones(campaignStatus(status, pipe()))).toHaveLength(30);
    const { found, status: asked } = onlyStatuses(status, ["read"]);
    expect(phones(campaignStatus(asked, terminal(80), { found }))).toHaveLength(29);
  });

  it("shows no count that the service did not give", async () => {
    await fc.assert(
      fc.asyncProperty(counts, fc.array(recipient), async (given, recipients) => {
        const odd = { campaign_id: "c", counts: given, recipients } as unknown as CampaignStatus;
        const status = await read([odd]);
        const any = countNames.some(
          (name) => given[name] !== undefined && given[name] !== null && given[name] !== "",
        );
        const [head = ""] = campaignStatus(status, pipe()).split("\n\nPhone");
        for (const name of countNames) {
          const label = labels[name];
          const row = lines(head).find((line) => line === label || line.startsWith(`${label} `));
          const cell = number(given[name], pipe()).trim();
          if (any) expect(row?.slice(label.length).trim().startsWith(cell)).toBe(true);
          else expect(row).toBeUndefined();
        }
      }),
    );
  });
});

describe("a watch", () => {
  const with_ = (statuses: readonly unknown[], given: object): CampaignStatus =>
    campaign({
      counts: given as NonNullable<CampaignStatus["counts"]>,
      recipients: statuses.map((status) => ({ phone: "+5491161230001", status: status as string })),
    });

  it.each<[boolean, unknown[], object]>([
    [true, ["read", "failed", "delivered"], { total_recipients: 3, pending: 0 }],
    [false, ["read", "failed", "delivered"], { total_recipients: 3, pending: 1 }],
    [false, ["read", "sent"], { total_recipients: 2, pending: 0 }],
    [false, ["pending"], { total_recipients: 1, pending: 0 }],
    [true, ["teleported", null], { pending: "0" }],
    [true, [], { total_recipients: 0, pending: 0 }],
    // Only the count tells about people who are not listed.
    [true, ["read"], { total_recipients: 900, pending: 0 }],
    [false, ["read"], { total_recipients: 900 }],
    // Without the count nobody may be missing, nor be without a status.
    [true, ["read", "teleported"], { total_recipients: 2 }],
    [false, ["read", null], { total_recipients: 2 }],
    [false, [], {}],
  ])("is final: %s with %j and %j", (final, statuses, given) => {
    expect(isFinal(with_(statuses, given))).toBe(final);
  });

  it("tells what changed, with what failed at the first look", () => {
    const before = { campaigns: [campaign()], counts: {}, recipients_hidden: 0, errors: [] };
    expect(changesSince(undefined, before).map(({ phone, to }) => [phone, to])).toEqual([
      ["+5491161230003", "failed"],
    ]);
    const [first, ...rest] = campaign().recipients ?? [];
    const moved = [{ ...first!, status: "responded" }, ...rest, { phone: "+5491161230009", status: null }];
    const after = { ...before, campaigns: [campaign({ recipients: moved })] };
    expect(changesSince(before, after)).toEqual([
      { campaign: "cmp_1", phone: "+5491161230001", from: "read", to: "responded", message: null },
      { campaign: "cmp_1", phone: "+5491161230009", from: null, to: null, message: null },
    ]);
    expect(changesSince(before, before)).toEqual([]);
  });
});

describe("a picture on a terminal", () => {
  it("shows or counts everybody, whatever fits", async () => {
    for (let people = 0; people < 30; people++) {
      const recipients = Array.from({ length: people }, (_, n) => ({ phone: `+54911${50_000_000 + n}` }));
      const seen = lines(
        frameOf(await read([campaign({ recipients, counts: { pending: 0 } })]), terminal(119), 20),
      );
      const listed = seen.filter((line) => line.startsWith("+")).length;
      const left = Number(/(\d+) more recipients? do/.exec(seen.join("\n"))?.[1] ?? 0);
      expect(listed + left).toBe(people);
      expect(seen.length).toBeLessThanOrEqual(20);
    }
  });
});
