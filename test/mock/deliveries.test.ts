import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CampaignStatus, RecipientStatus } from "../../src/contract/campaign.ts";
import type { RunningMock } from "../../src/mock/index.ts";
import { sized } from "../support/soak.ts";
import { campaign, start, statusOf } from "./support.ts";

const phone = (last: number): string => `+54911612${String(last).padStart(5, "0")}`;
const hundred = Array.from({ length: 100 }, (_, index) => ({ phone: phone(index), params: [] }));

// A message that fails late was sent before, so failed comes after sent.
const rank = ["pending", "sent", "delivered", "read", "responded", "failed"];
const times = ["sent_at", "delivered_at", "read_at", "responded_at"] as const;

function checkCounts(status: CampaignStatus): void {
  const { total_recipients, pending, sent, failed, delivered, read, responded } = status.counts as Record<
    string,
    number
  >;
  const states = status.recipients?.map((one) => one.status) ?? [];
  const count = (...names: string[]): number => states.filter((state) => names.includes(state ?? "")).length;
  expect([total_recipients, pending, failed]).toEqual([states.length, count("pending"), count("failed")]);
  expect(sent).toBe(count("sent", "delivered", "read", "responded"));
  expect(delivered).toBe(count("delivered", "read", "responded"));
  expect(read).toBe(count("read", "responded"));
  expect(responded).toBe(count("responded"));
}

function checkStep(before: RecipientStatus, after: RecipientStatus): void {
  expect(rank.indexOf(after.status ?? "")).toBeGreaterThanOrEqual(rank.indexOf(before.status ?? ""));
  if (before.status === "failed" || before.status === "responded") expect(after.status).toBe(before.status);
  for (const time of times) if (before[time] !== "") expect(after[time]).toBe(before[time]);
}

async function hundredSent(mock: RunningMock): Promise<string> {
  return (await campaign(mock, { recipients: hundred })).campaign_id;
}

describe("what time brings to a message", () => {
  test("statuses never go back and counts always agree, at any instants, the clock set back too", async () => {
    const move = fc.oneof(
      fc.integer({ min: 0, max: 120_000 }).map((advance_ms) => ({ advance_ms })),
      fc
        .integer({ min: -3_600_000, max: 120_000 })
        .map((ms) => ({ now: new Date(1767279600000 + ms).toISOString() })),
    );
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.array(move, { maxLength: 8 }), async (seed, moves) => {
        const mock = await start({ seed });
        const id = await hundredSent(mock);
        let before = await statusOf(mock, id);
        for (const step of moves) {
          await mock.control.moveClock(step);
          const after = await statusOf(mock, id);
          checkCounts(after);
          after.recipients?.forEach((one, index) => {
            checkStep(before.recipients?.[index] as RecipientStatus, one);
          });
          before = after;
        }
        await mock.close();
      }),
      { numRuns: sized(3, 25) },
    );
  });
});

describe("magic phones", () => {
  async function fates(advance_ms: number): Promise<unknown[]> {
    const mock = await start();
    const recipients = ["0000", "0001", "0002", "0003", "0004"].map((last) => ({
      phone: `+549115555${last}`,
      params: [],
    }));
    const { campaign_id } = await campaign(mock, { recipients });
    await mock.control.moveClock({ advance_ms });
    const { recipients: shown, counts } = await statusOf(mock, campaign_id);
    return [...(shown ?? []).map((one) => one.status), counts?.sent, counts?.failed];
  }

  test("0000 fails, 0001 stays pending, 0002 is never read, 0003 responds in seconds, 0004 fails late", async () => {
    expect(await fates(5_000)).toEqual(["failed", "pending", "delivered", "responded", "sent", 3, 1]);
    expect(await fates(86_400_000)).toEqual(["failed", "pending", "delivered", "responded", "failed", 2, 2]);
  });

  test("the one that fails says why, the one that fails late keeps the time it was sent", async () => {
    const mock = await start();
    const recipients = ["0000", "0004"].map((last) => ({ phone: `+549115555${last}`, params: [] }));
    const { campaign_id } = await campaign(mock, { recipients });
    await mock.control.moveClock({ advance_ms: 60_000 });
    expect((await statusOf(mock, campaign_id)).recipients).toMatchObject([
      { status: "failed", sent_at: "", error_message: expect.stringContaining("not on the") as unknown },
      { status: "failed", sent_at: "2026-01-01T12:00:01.000-03:00", delivered_at: "" },
    ]);
  });
});
