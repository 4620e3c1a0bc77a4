import * as z from "zod";
import type { Campaign } from "./campaigns.ts";
import { timelineOf } from "./deliveries.ts";
import type { LiveWorld } from "./live-world.ts";
import { parseInput } from "./parse.ts";
import { badInput, MockRefusal } from "./refusal.ts";
import { makeReply, type Reply, repliesUpTo } from "./reply-book.ts";
import { formatInstant } from "./time.ts";
import type { Webhook, WebhookRow } from "./webhook.ts";
import type { World } from "./world.ts";

/** What a person answers. */
export interface GiveReply {
  readonly phone: string;
  /** 1 to 4,096 characters. */
  readonly text: string;
  /** Default the newest campaign whose message to that phone has not failed. */
  readonly campaign_id?: string | undefined;
}

/** A reply as the control API shows it. */
export interface ReplyRow {
  id: string;
  campaign_id: string;
  external_ref: string;
  phone: string;
  text: string;
  /** RFC 3339. */
  at: string;
  branch: string;
}

/** A row of `GET /_mock/replies`: what came of posting the reply, null when it was not posted. */
export interface RepliesRow extends ReplyRow {
  webhook: Pick<WebhookRow, "state" | "attempts" | "status" | "error"> | null;
}

const replySchema = z.object({
  phone: z.string().min(1),
  text: z.string().min(1).max(4_096),
  campaign_id: z.string().optional(),
});

const replyRow = ({ id, campaign_id, external_ref, phone, text, at, branch }: Reply): ReplyRow => ({
  id,
  campaign_id,
  external_ref,
  phone,
  text,
  at: formatInstant(at),
  branch,
});

function hasFailed(world: World, campaign: Campaign, phone: string, age: number): boolean {
  const { campaign_id } = campaign;
  if (world.replies.firstGiven.get(campaign_id)?.has(phone)) return false;
  return timelineOf(world.seed, campaign_id, phone).failed <= age - campaign.age;
}

/** A person replies now. Throws MockRefusal 400 when no message went to the phone, or each one failed. */
export function giveReply(live: LiveWorld, input: GiveReply): ReplyRow {
  const { phone, text, campaign_id } = parseInput(replySchema, input);
  const { world, age } = live.look();
  const sent = [...world.campaigns.values()].filter(
    (campaign) =>
      (campaign_id === undefined || campaign.campaign_id === campaign_id) &&
      campaign.recipients.some((recipient) => recipient.phone === phone),
  );
  if (sent.length === 0) {
    const where = campaign_id === undefined ? "" : ` in campaign ${campaign_id}`;
    throw badInput(`no message went to ${phone}${where}`);
  }
  const campaign = sent.findLast((one) => !hasFailed(world, one, phone, age));
  if (!campaign) throw badInput(`the message to ${phone} failed: it cannot be replied to`);
  const reply = makeReply(world.replies, campaign, { phone, text, age });
  live.commit({ type: "reply_given", age, reply });
  return replyRow(reply);
}

/** The replies so far and what came of posting each. */
export function listReplies(live: LiveWorld, sender: Webhook | null): RepliesRow[] {
  const { world, age } = live.look();
  // Of several deliveries of one reply the last stays.
  const outcomes = new Map(sender?.rows().map((row) => [row.reply_id, row]));
  return repliesUpTo(world.replies, age).map((reply) => {
    const row = outcomes.get(reply.id);
    const webhook = row
      ? { state: row.state, attempts: row.attempts, status: row.status, error: row.error }
      : null;
    return { ...replyRow(reply), webhook };
  });
}

/** Posts a reply again, whatever came of it before. Throws MockRefusal 400 without a webhook, 404 for an unknown id. */
export async function resendReply(live: LiveWorld, webhook: Webhook | null, id: string): Promise<WebhookRow> {
  if (!webhook) throw badInput("there is no webhook: start the mock with the URL of one");
  const { world, age } = live.look();
  const reply = repliesUpTo(world.replies, age).find((one) => one.id === id);
  if (!reply) throw new MockRefusal(404, `there is no reply ${id}`);
  return webhook.send(reply);
}
