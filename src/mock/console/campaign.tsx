import type { JSX } from "hono/jsx/jsx-runtime";
import { MockRefusal } from "../core/refusal.ts";
import { type Campaign, computeProgress, type RecipientState } from "../core/shop/campaigns.ts";
import { listReplies, type Reply } from "../core/shop/replies.ts";
import { findBusiness } from "../core/world/scenarios.ts";
import { Bars, Facts, formatTitle, progressNames } from "./campaigns.tsx";
import { Live, type LivePart, type LiveParts, type Reader, type View } from "./page.tsx";
import { formatCount, joinPath, Pager, readPaging, SearchField, Tabs } from "./parts.tsx";
import { Bubbles, Person, Phone } from "./phone.tsx";
import { WebhookForm, webhookPart } from "./webhook.tsx";

const perPage = 100;
const states = ["pending", "sent", "delivered", "read", "responded", "failed"] as const;

const findCampaign = ({ live, id }: Reader): Campaign | undefined => live.look().world.campaigns.get(id);

const buildPath = ({ query, id }: Reader, change: Readonly<Record<string, string | number | undefined>>) =>
  joinPath(`/console/campaigns/${id}`, { state: query["state"], phone: query["phone"], ...change });

/** The positions of the recipients that the page shows: by their states when it was rendered, so that no phone disappears while somebody types in it. */
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

/** The recipients of the page: the row of each in the list, and its chat. */
function chatParts(reader: Reader, campaign: Campaign, progress: Progress): LiveParts {
  const { t } = reader;
  const replies = groupByPhone(reader, campaign);
  const posted = reader.webhook.postings();
  const hasWebhook = reader.webhook.url() !== null;
  const rows: [string, LivePart][] = [];
  const chats: [string, LivePart][] = [];
  for (const position of choosePage(reader, campaign).positions) {
    const recipient = campaign.recipients[position] ?? { phone: "", params: [] };
    const given = replies.get(recipient.phone) ?? [];
    const outcomes = given.map(({ id }) => {
      const { state, status, error } = posted.get(id) ?? {};
      return `${id} ${state ?? ""} ${status ?? ""} ${error ?? ""}`;
    });
    const status = progress.toStatus(recipient, position);
    const chat = { campaign, recipient, replies: given, posted, hasWebhook, status };
    // Only replies show whether there is a webhook.
    const webhook = given.length > 0 && hasWebhook;
    const state = progress.states[position] ?? "";
    rows.push([
      `person-${position + 1}`,
      { key: `${state} ${given.length}`, render: () => <Person chat={chat} t={t} /> },
    ]);
    chats.push([
      `phone-${position + 1}`,
      {
        key: `${state} ${webhook} ${outcomes.join()}`,
        render: () => <Bubbles chat={chat} t={t} />,
      },
    ]);
  }
  return Object.fromEntries([...rows, ...chats]);
}

function Filter({ reader, progress }: { reader: Reader; progress: Progress }): JSX.Element {
  const { t, query } = reader;
  const readCount = (state: RecipientState | ""): number =>
    state === "" ? progress.states.length : progress.states.filter((each) => each === state).length;
  return (
    <Tabs
      label={t("Recipients by state")}
      choices={(["", ...states] as const).map((state) => ({
        id: `filter-${state}`,
        href: buildPath(reader, { state }),
        text: `${state === "" ? t("All // recipients") : progressNames(t)[state]} ${formatCount(readCount(state), t)}`,
        isCurrent: (query["state"] ?? "") === state,
      }))}
    />
  );
}

function live(reader: Reader): LiveParts {
  const { t } = reader;
  const campaign = findCampaign(reader);
  const gone = <p class="banner">{t("This campaign no longer exists: the mock was reset.")}</p>;
  if (!campaign) return { gone: { key: "gone", render: () => gone } };
  const { world, age } = reader.live.look();
  const progress = computeProgress(campaign, world, age);
  const key = Object.values(progress.counts).join();
  return {
    gone: { key: "", render: () => <p hidden /> },
    counts: { key, render: () => <Bars counts={progress.counts} t={t} /> },
    filter: { key, render: () => <Filter reader={reader} progress={progress} /> },
    ...webhookPart(reader),
    ...chatParts(reader, campaign, progress),
  };
}

function People({ reader, campaign, parts }: PeopleProps): JSX.Element {
  const { t, query } = reader;
  const { positions, paging, total } = choosePage(reader, campaign);
  return (
    <section class="panel people" id="people" aria-labelledby="people-title">
      <div class="toolbar">
        <h2 id="people-title">{t("Recipients")}</h2>
        <span class="dim">
          {t("{shown} of {total}", {
            shown: formatCount(positions.length, t),
            total: formatCount(total, t),
          })}
        </span>
        <search>
          <form action={`/console/campaigns/${campaign.campaign_id}`}>
            {query["state"] && <input type="hidden" name="state" value={query["state"]} />}
            <SearchField name="phone" value={query["phone"]} label={t("Phone")} inputmode="tel" />
          </form>
        </search>
      </div>
      <Live id="filter" parts={parts} />
      <ol class="person-list">
        {positions.map((position) => (
          <li>
            <a
              id={`row-${position + 1}`}
              href={`#of-phone-${position + 1}`}
              class="person"
              data-person={`of-phone-${position + 1}`}
            >
              <bdi class="who">{campaign.recipients[position]?.phone ?? ""}</bdi>{" "}
              <Live id={`person-${position + 1}`} parts={parts} tag="span" class="person-state" />
            </a>
          </li>
        ))}
      </ol>
      <Pager paging={paging} t={t} to={(page) => buildPath(reader, { page })} />
    </section>
  );
}
interface PeopleProps {
  readonly reader: Reader;
  readonly campaign: Campaign;
  readonly parts: LiveParts;
}

function body(reader: Reader, parts: LiveParts): JSX.Element {
  const { t, live: world } = reader;
  const campaign = findCampaign(reader);
  if (!campaign) throw new MockRefusal(404, t("This campaign no longer exists: the mock was reset."));
  const business = findBusiness(world.look().world.scenario, campaign.branch);
  return (
    <>
      <Live id="gone" parts={parts} />
      <div class="toolbar">
        <h1>
          <bdi>{formatTitle(campaign)}</bdi>
        </h1>
        <a href="/console/campaigns">{t("All campaigns")}</a>
      </div>
      <Facts campaign={campaign} t={t} />
      <Live id="counts" parts={parts} class="panel" />
      <div class="conversation">
        <People reader={reader} campaign={campaign} parts={parts} />
        <ol class="phones">
          {choosePage(reader, campaign).positions.map((position) => (
            <Phone
              id={`phone-${position + 1}`}
              phone={campaign.recipients[position]?.phone ?? ""}
              business={business}
              campaign={campaign}
              parts={parts}
              t={t}
            />
          ))}
        </ol>
        <section class="panel" aria-labelledby="webhook-title">
          <h2 id="webhook-title">{t("Reply webhook")}</h2>
          <WebhookForm t={t} parts={parts} />
        </section>
      </div>
    </>
  );
}

export const campaignView: View = { tab: "campaigns", path: "/console/campaigns/:id", live, body };
