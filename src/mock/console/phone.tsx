import { unescape as decodePercents } from "node:querystring";
import type { JSX } from "hono/jsx/jsx-runtime";
import type { Recipient, RecipientStatus } from "../../contract/campaign.ts";
import { headerTypes } from "../../contract/limits.ts";
import type { ConsoleTexts } from "../../i18n/en/console.ts";
import { type Campaign, formatMessage, type RecipientState } from "../campaigns.ts";
import { formatInstant } from "../clock.ts";
import type { Reply } from "../replies.ts";
import type { WebhookRow } from "../webhook.ts";
import { formatHour, Live, type LiveParts } from "./page.tsx";

type Words = ConsoleTexts["campaigns"];

/** All that a phone shows of its recipient. */
export interface Chat {
  readonly campaign: Campaign;
  readonly recipient: Recipient;
  readonly status: RecipientStatus;
  readonly replies: readonly Reply[];
  readonly posted: ReadonlyMap<string, WebhookRow>;
  readonly hasWebhook: boolean;
}

const pictures = {
  image: "M4 26 14 14l8 9 5-5 9 8v2H4zM28 10a3 3 0 1 0 .1 0z",
  video: "M14 8v20l16-10z",
  document: "M10 4h14l8 8v22H10zM14 18h12v2H14zm0 5h12v2H14zm0 5h8v2h-8z",
};

/** A drawn stand-in for the header's file: nothing is loaded from elsewhere. */
function Media({ url, words }: { url: string; words: Words }): JSX.Element {
  const { protocol = "", pathname = url } = URL.canParse(url) ? new URL(url) : {};
  const name = decodePercents(pathname.split("/").at(-1) ?? "");
  const extension = /[^.]*$/.exec(name)?.[0].toLowerCase() ?? "";
  const type = Object.values(headerTypes).find(({ extensions }) =>
    (extensions as readonly string[]).includes(extension),
  );
  const kind = type?.kind ?? "document";
  return (
    <div class={`media ${kind}`}>
      <svg viewBox="0 0 40 40" aria-hidden="true">
        <path d={pictures[kind]} />
      </svg>
      <span class="unseen">{words.media[kind]}</span>
      {protocol === "https:" ? (
        <a href={url} target="_blank" rel="noreferrer noopener">
          <bdi>{name}</bdi>
        </a>
      ) : (
        <bdi>{name}</bdi>
      )}
    </div>
  );
}

const ticks = { pending: "◷", sent: "✓", delivered: "✓✓", read: "✓✓", responded: "✓✓", failed: "!" };

function Message({ chat, words }: { chat: Chat; words: Words }): JSX.Element {
  const { campaign, recipient, status } = chat;
  const state = status.status as RecipientState;
  const at = status.sent_at || formatInstant(campaign.createdAt);
  return (
    <div class={`bubble out ${state}`}>
      {campaign.header_media_url && <Media url={campaign.header_media_url} words={words} />}
      <bdi class="said">{formatMessage(campaign, recipient)}</bdi>
      <p class="when">
        <time>{formatHour(at)}</time>{" "}
        <span class="ticks">
          <span aria-hidden="true">{ticks[state]}</span> {words.counts[state]}
        </span>
      </p>
      {status.error_message && <p class="bad">{status.error_message}</p>}
    </div>
  );
}

/** What the webhook did with a reply, and a button that posts it again. */
function Posted({ reply, chat, words }: { reply: Reply; chat: Chat; words: Words }): JSX.Element {
  const row = chat.posted.get(reply.id);
  const { state, status, error } = row ?? { state: "none", status: null, error: null };
  const reason = error ?? (status === null ? "" : `HTTP ${status}`);
  const again = chat.hasWebhook && (state === "none" || state === "failed");
  return (
    <p class="when">
      <time>{formatHour(formatInstant(reply.at))}</time>{" "}
      <span class={state === "failed" ? "bad" : ""}>
        {words.posted[state]}
        {state !== "delivered" && reason !== "" && `: ${reason}`}
      </span>
      {again && (
        <button
          type="button"
          id={`post-${reply.id}`}
          hx-post={`/_mock/replies/${reply.id}/send`}
          hx-swap="none"
        >
          {words.post[state === "none" ? "first" : "again"]}
        </button>
      )}
    </p>
  );
}

export function Bubbles({ chat, words }: { chat: Chat; words: Words }): JSX.Element {
  return (
    <>
      <Message chat={chat} words={words} />
      {chat.replies.map((reply) => (
        <div class="bubble in">
          <bdi class="said">{reply.text}</bdi>
          <Posted reply={reply} chat={chat} words={words} />
        </div>
      ))}
    </>
  );
}

/** The phone of one recipient: its chat follows the world, the box below it stays as it is. */
export function Phone({ id, phone, campaign, parts, words }: PhoneProps): JSX.Element {
  return (
    <li class="phone">
      <h2>
        <svg class="avatar" viewBox="0 0 40 40" aria-hidden="true">
          <path d="M20 6a8 8 0 1 0 .1 0zM5 38c0-9 7-14 15-14s15 5 15 14z" />
        </svg>
        <bdi>{phone}</bdi>
      </h2>
      <section class="chat" tabindex={0} aria-label={words.chatWith(phone)}>
        <Live id={id} parts={parts} class="bubbles" />
      </section>
      <form
        hx-post="/_mock/replies"
        hx-swap="none"
        class="reply-box"
        data-reset
        data-done={words.replied(phone)}
      >
        <input type="hidden" name="phone" value={phone} />
        <input type="hidden" name="campaign_id" value={campaign.campaign_id} />
        <input
          type="text"
          id={`reply-${id}`}
          name="text"
          required
          maxlength={4096}
          autocomplete="off"
          aria-label={words.replyAs(phone)}
          placeholder={words.reply}
        />
        <button type="submit" aria-label={words.sendReply}>
          <svg class="plane" viewBox="0 0 40 40" aria-hidden="true">
            <path d="M4 6 38 20 4 34l5-14z" />
          </svg>
        </button>
      </form>
    </li>
  );
}
interface PhoneProps {
  readonly id: string;
  readonly phone: string;
  readonly campaign: Campaign;
  readonly parts: LiveParts;
  readonly words: Words;
}
