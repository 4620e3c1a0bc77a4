import type { JSX } from "hono/jsx/jsx-runtime";
import { type Campaign, computeProgress, type RecipientState } from "../campaigns.ts";
import { MockRefusal } from "../refusal.ts";
import { listReplies, type Reply } from "../replies.ts";
import { Bars, Facts } from "./campaigns.tsx";
import { Live, type LivePart, type LiveParts, type Reader, type View } from "./page.tsx";
import { formatCount, joinPath, Pager, readPaging, Tabs } from "./parts.tsx";
import { Bubbles, Phone } from "./phone.tsx";
import { WebhookForm, webhookPart } from "./webhook.tsx";

const perPage = 100;
const states = ["pending", "sent", "delivered", "read", "responded", "failed"] as const;

const findCampaign = ({ live, id }: Reader): Campaign | undefined => live.look().world.campaigns.get(id);

const buildPath = ({ query, id }: Reader, change: Readonly<Record<string, string | number | undefined>>) =>
  joinPath(`/console/campaigns/${id}`, { state: query["state"], phone: query["phone"], ...change });

/** The positions of the recipients that the page shows: by their states when it was rendered, so that no phone goes while somebody writes in it. */
function choosePage(reader: Reader, campaign: Campaign) {
  const { query, at, live } = reader;
  const wanted = (query["phone"] ?? "").replace(/\D/g, "");
  const then = query["state"] ? computeProgress(campaign, live.look().world, at).states : [];
  const positions = [...campaign.recipients.keys()].filter((position) => {
    const isOfState = !query["state"] || then[position] === query["state"];
    return isOfState && campaign.recipients[position]?.phone.includes(wanted);
  });
  const paging = readPaging(reader, positions.length, perPage);
  return { paging, total: positions.length, positions: positions.slice(paging.from, paging.to) };
}

function groupByPhone({ live }: Reader, campaign: Campaign): Map<string, Reply[]> {
  const { world, age } = live.look();
  const byPhone = new Map<string, Reply[]>();
  for (const reply of listReplies(world.replies, age)) {
    if (reply.campaign_id !== campaign.campaign_id) continue;
    const earlier = byPhone.get(reply.phone);
    if (earlier) earlier.push(reply);
    else byPhone.set(reply.phone, [reply]);
  }
  return byPhone;
}

type Progress = ReturnType<typeof computeProgress>;

function phoneParts(reader: Reader, campaign: Campaign, progress: Progress): LiveParts {
  const words = reader.texts.campaigns;
  const replies = groupByPhone(reader, campaign);
  const posted = reader.webhook.postings();
  const hasWebhook = reader.webhook.url() !== null;
  const parts = choosePage(reader, campaign).positions.map((position): [string, LivePart] => {
    const recipient = campaign.recipients[position] ?? { phone: "", params: [] };
    const given = replies.get(recipient.phone) ?? [];
    const outcomes = given.map(({ id }) => {
      const { state, status, error } = posted.get(id) ?? {};
      return `${id} ${state ?? ""} ${status ?? ""} ${error ?? ""}`;
    });
    const status = progress.toStatus(recipient, position);
    const chat = { campaign, recipient, replies: given, posted, hasWebhook, status };
    // Only what was replied shows whether there is a webhook.
    const webhook = given.length > 0 && hasWebhook;
    return [
      `phone-${position + 1}`,
      {
        key: `${progress.states[position] ?? ""} ${webhook} ${outcomes.join()}`,
        render: () => <Bubbles chat={chat} words={words} />,
      },
    ];
  });
  return Object.fromEntries(parts);
}

function Filter({ reader, progress }: { reader: Reader; progress: Progress }): JSX.Element {
  const { texts, query } = reader;
  const words = texts.campaigns;
  const readCount = (state: RecipientState | ""): number =>
    state === "" ? progress.states.length : progress.states.filter((each) => each === state).length;
  return (
    <Tabs
      label={words.filter}
      choices={(["", ...states] as const).map((state) => ({
        id: `filter-${state}`,
        href: buildPath(reader, { state }),
        text: `${state === "" ? words.all : words.counts[state]} ${formatCount(readCount(state), texts)}`,
        isCurrent: (query["state"] ?? "") === state,
      }))}
    />
  );
}

function live(reader: Reader): LiveParts {
  const { texts } = reader;
  const campaign = findCampaign(reader);
  const gone = <p class="banner">{texts.campaigns.gone}</p>;
  if (!campaign) return { gone: { key: "gone", render: () => gone } };
  const { world, age } = reader.live.look();
  const progress = computeProgress(campaign, world, age);
  const key = Object.values(progress.counts).join();
  return {
    gone: { key: "", render: () => <p hidden /> },
    counts: { key, render: () => <Bars counts={progress.counts} texts={texts} /> },
    filter: { key, render: () => <Filter reader={reader} progress={progress} /> },
    ...webhookPart(reader),
    ...phoneParts(reader, campaign, progress),
  };
}

function body(reader: Reader, parts: LiveParts): JSX.Element {
  const { texts, query } = reader;
  const words = texts.campaigns;
  const campaign = findCampaign(reader);
  if (!campaign) throw new MockRefusal(404, words.gone);
  const { positions, paging, total } = choosePage(reader, campaign);
  return (
    <>
      <Live id="gone" parts={parts} />
      <div class="toolbar">
        <h1>
          <bdi>{campaign.campaign_name}</bdi>
        </h1>
        <a href="/console/campaigns">{words.back}</a>
      </div>
      <Facts campaign={campaign} texts={texts} />
      <Live id="counts" parts={parts} class="panel" />
      <section class="panel webhook" aria-label={texts.webhook.title}>
        <WebhookForm texts={texts} parts={parts} />
      </section>
      <div class="toolbar">
        <Live id="filter" parts={parts} />
        <search>
          <form action={`/console/campaigns/${campaign.campaign_id}`}>
            {query["state"] && <input type="hidden" name="state" value={query["state"]} />}
            <label>
              {words.phone}{" "}
              <input type="search" name="phone" value={query["phone"] ?? ""} inputmode="tel" data-key="/" />
            </label>
          </form>
        </search>
        <span class="dim">
          {words.shown(formatCount(positions.length, texts), formatCount(total, texts))}
        </span>
      </div>
      <ol class="phones">
        {positions.map((position) => (
          <Phone
            id={`phone-${position + 1}`}
            phone={campaign.recipients[position]?.phone ?? ""}
            campaign={campaign}
            parts={parts}
            words={words}
          />
        ))}
      </ol>
      <Pager paging={paging} texts={texts} to={(page) => buildPath(reader, { page })} />
    </>
  );
}

export const campaignView: View = { tab: "campaigns", path: "/console/campaigns/:id", live, body };
