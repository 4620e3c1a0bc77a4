import { type Answer, fixedServer } from "./peers.ts";

/** A recipient of a status. */
export const person = (n: number, status: unknown, more: object = {}): Record<string, unknown> => ({
  phone: `+54911${50_000_000 + n}`,
  status,
  ...more,
});

/** The status of a campaign in which `pending` people are counted as pending. */
export const statusOf = (
  id: string,
  recipients: readonly unknown[],
  counts: object = {},
): Record<string, unknown> => ({
  campaign_id: id,
  status: "sent",
  counts: { total_recipients: recipients.length, ...counts },
  recipients,
});

/** A service that answers the nth question for a status with the nth answer, and then with the last one again. */
export async function campaignServer(
  ...answers: ReturnType<Answer>[]
): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  const url = await fixedServer(() => {
    const answer = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    return answer ?? { status: 500, body: {} };
  });
  return { url, asked: () => asked };
}
