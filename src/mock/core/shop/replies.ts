import { draw } from "../random.ts";
import { type Campaign, drawTimeline, magicReplies, readNumber } from "./campaigns.ts";

export interface Reply extends Readonly<Pick<Campaign, "campaign_id" | "external_ref" | "branch">> {
  readonly id: string;
  readonly phone: string;
  readonly text: string;
  /** The world's age at that instant, milliseconds. */
  readonly age: number;
  /** The date then, epoch milliseconds, counted from the campaign's as its other times are. */
  readonly at: number;
}

export const startReplies = () => ({
  /** Sorted by age, then in the order in which they became known; includes scheduled ones. */
  replies: [] as Reply[],
  /** Milliseconds from the campaign's creation to the first reply that a person gave, by campaign_id and phone. */
  firstGiven: new Map<string, Map<string, number>>(),
});

type ReplyBook = ReturnType<typeof startReplies>;

const texts = (
  "Sí|Dale, gracias|Buenísimo|Voy para allá|¿A qué hora cierran?|No, gracias|Genial, paso en un rato|" +
  "¿Hacen envíos?|¿Cuánto sale?|Quiero dos, por favor|Perfecto|¿Aceptan tarjeta?|Ya lo retiré, muy rico todo|" +
  "Hoy no puedo, la próxima|¿Tienen opción sin TACC?|👍"
).split("|");

const buildReplyId = (campaign: Campaign, position: number): string =>
  `rpl_${campaign.campaign_id.replace(/^cmp_/, "")}_${position}`;

/** Schedules the replies to a campaign: drawn from the seed, so they need not be stored. */
export function expectReplies(book: ReplyBook, campaign: Campaign, seed: number): void {
  const { campaign_id, external_ref, branch, createdAt } = campaign;
  // Replies before the campaign stay in place: a long history costs nothing.
  const coming = book.replies.splice(book.replies.findLastIndex(({ age }) => age <= campaign.age) + 1);
  for (const [index, { phone }] of campaign.recipients.entries()) {
    const { responded } = drawTimeline(seed, campaign_id, phone);
    if (responded === Infinity) continue;

    const id = buildReplyId(campaign, index + 1);
    const text =
      magicReplies[phone.slice(-4)] ?? draw(seed, "reply", readNumber(campaign_id), phone).pick(texts);
    const age = campaign.age + responded;
    const at = createdAt + responded;
    coming.push({ id, campaign_id, external_ref, branch, phone, text, age, at });
  }
  coming.sort((one, other) => one.age - other.age);
  for (const reply of coming) book.replies.push(reply);
}

export function makeReply(book: ReplyBook, campaign: Campaign, given: Pick<Reply, "phone" | "text" | "age">) {
  const { campaign_id, external_ref, branch } = campaign;
  const position = campaign.recipients.findIndex(({ phone }) => phone === given.phone) + 1;
  const prefix = `${buildReplyId(campaign, position)}_`;
  const earlier = book.replies.filter(({ id }) => id.startsWith(prefix)).length;
  const at = campaign.createdAt + given.age - campaign.age;
  return { id: `${prefix}${earlier + 1}`, campaign_id, external_ref, branch, ...given, at };
}

export function addReply(book: ReplyBook, reply: Reply, campaignAge: number): void {
  const before = book.replies.findLastIndex(({ age }) => age <= reply.age);
  book.replies.splice(before + 1, 0, reply);

  const first = book.firstGiven.get(reply.campaign_id) ?? new Map<string, number>();
  book.firstGiven.set(reply.campaign_id, first);
  if (!first.has(reply.phone)) first.set(reply.phone, reply.age - campaignAge);
}

export const listReplies = ({ replies }: ReplyBook, age: number): Reply[] =>
  replies.slice(0, replies.findLastIndex((reply) => reply.age <= age) + 1);
