import { unescape as decodePercents } from "node:querystring";
import type { JSX } from "hono/jsx/jsx-runtime";
import type { Recipient, RecipientStatus } from "../../contract/campaign.ts";
import { headerTypes } from "../../contract/limits.ts";
import type { T } from "../../texts/texts.ts";
import { formatInstant } from "../core/clock.ts";
import { type Campaign, formatMessage, type RecipientState } from "../core/shop/campaigns.ts";
import type { Reply } from "../core/shop/replies.ts";
import type { WebhookRow } from "../core/webhook.ts";
import { progressNames } from "./campaigns.tsx";
import { Live, type LiveParts } from "./page.tsx";
import { formatHour } from "./parts.tsx";

/** The facts that a phone shows of its recipient. */
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
function Media({ url, t }: { url: string; t: T }): JSX.Element {
  const { protocol = "", pathname = url } = URL.canParse(url) ? new URL(url) : {};
  const name = decodePercents(pathname.split("/").at(-1) ?? "");
  const extension = /[^.]*$/.exec(name)?.[0].toLowerCase() ?? "";
  const type = Object.values(headerTypes).find(({ extensions }) =>
    (extensions as readonly string[]).includes(extension),
  );
  const kind = type?.kind ?? "document";
  const names = { image: t("Image"), video: t("Video"), document: t("Document") };
  return (
    <div class={`media ${kind}`}>
      <svg viewBox="0 0 40 40" aria-hidden="true">
        <path d={pictures[kind]} />
      </svg>
      <span class="unseen">{names[kind]}</span>
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

/** How far the message is, as a chat shows it. */
function Ticks({ state, t }: { state: RecipientState; t: T }): JSX.Element {
  const name = progressNames(t)[state];
  return (
    <span class={`ticks ${state}`} title={name}>
      <span aria-hidden="true">{ticks[state]}</span> <span class="unseen">{name}</span>
    </span>
  );
}

const readState = ({ status }: Chat): RecipientState => status.status as RecipientState;

function Message({ chat, t }: { chat: Chat; t: T }): JSX.Element {
  const { campaign, recipient, status } = chat;
  const at = status.sent_at || formatInstant(campaign.createdAt);
  return (
    <>
      <div class={`bubble in ${readState(chat)}`}>
        {campaign.header_media_url && <Media url={campaign.header_media_url} t={t} />}
        <bdi class="said">{formatMessage(campaign, recipient)}</bdi>
        <p class="when">
          <time>{formatHour(at)}</time> <Ticks state={readState(chat)} t={t} />
        </p>
      </div>
      {status.error_message && <p class="beside bad">{status.error_message}</p>}
    </>
  );
}

const cut = (text: string): string => text.slice(0, 120);

/** A recipient in the list: the state of the message, and the last message of the chat. */
export function Person({ chat, t }: { chat: Chat; t: T }): JSX.Element {
  const { replies, status, recipient, campaign } = chat;
  const last = replies.at(-1);
  const at = last ? formatInstant(last.at) : status.sent_at || formatInstant(campaign.createdAt);
  return (
    <>
      <span class="last">
        {last ? (
          <bdi>↩ {cut(last.text)}</bdi>
        ) : (
          <bdi class={status.error_message ? "bad" : "dim"}>
            {status.error_message || cut(formatMessage(campaign, recipient))}
          </bdi>
        )}
      </span>
      <span class="when">
        <time>{formatHour(at)}</time> <Ticks state={readState(chat)} t={t} />
      </span>
    </>
  );
}

/** The webhook's result for a reply, and a button that posts it again. */
function Posted({ reply, chat, t }: { reply: Reply; chat: Chat; t: T }): JSX.Element {
  const row = chat.posted.get(reply.id);
  const { state, status, error } = row ?? { state: "none", status: null, error: null };
  const reason = error ?? (status === null ? "" : `HTTP ${status}`);
  const outcomes = {
    none: t("not posted to a webhook"),
    trying: t("posting to the webhook"),
    delivered: t("delivered to the webhook"),
    failed: t("the webhook failed"),
  };
  const again = chat.hasWebhook && (state === "none" || state === "failed");
  return (
    <p class="beside mine">
      <span class={state === "failed" ? "bad" : ""}>
        {outcomes[state]}
        {state !== "delivered" && reason !== "" && `: ${reason}`}
      </span>
      {again && (
        <button
          type="button"
          id={`post-${reply.id}`}
          hx-post={`/_mock/replies/${reply.id}/send`}
          hx-swap="none"
        >
          {t(state === "none" ? "Post" : "Post again")}
        </button>
      )}
    </p>
  );
}

export function Bubbles({ chat, t }: { chat: Chat; t: T }): JSX.Element {
  return (
    <>
      <Message chat={chat} t={t} />
      {chat.replies.map((reply) => (
        <>
          <div class="bubble out">
            <bdi class="said">{reply.text}</bdi>
            <p class="when">
              <time>{formatHour(formatInstant(reply.at))}</time>
            </p>
          </div>
          <Posted reply={reply} chat={chat} t={t} />
        </>
      ))}
    </>
  );
}

/** The phone of one recipient, as they hold it: its chat follows the world, the box below it stays as it is. */
export function Phone({ id, phone, business, campaign, parts, t }: PhoneProps): JSX.Element {
  return (
    <li class="phone" id={`of-${id}`} data-phone>
      <h2>
        <a class="to-list" href="#people" aria-label={t("Back to the list")}>
          ‹
        </a>
        <svg class="avatar" viewBox="0 0 40 40" aria-hidden="true">
          <path d="M9 10h22l4 9a4 4 0 0 1-7 2 4 4 0 0 1-8 0 4 4 0 0 1-8 0 4 4 0 0 1-7-2zM9 25h22v8H9z" />
        </svg>
        <span>
          <bdi>{business}</bdi>
          <bdi class="holder">{t("on {phone}'s phone", { phone })}</bdi>
        </span>
      </h2>
      <section class="chat" tabindex={0} aria-label={t("Chat with {phone}", { phone })}>
        <Live id={id} parts={parts} class="bubbles" />
      </section>
      <form
        hx-post="/_mock/replies"
        hx-swap="none"
        class="reply-box"
        data-reset
        data-done={t("{phone} replied.", { phone })}
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
          aria-label={t("Reply as {phone}", { phone })}
          placeholder={t("Reply…")}
        />
        <button type="submit" aria-label={t("Send the reply")}>
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
  readonly business: string;
  readonly campaign: Campaign;
  readonly parts: LiveParts;
  readonly t: T;
}
