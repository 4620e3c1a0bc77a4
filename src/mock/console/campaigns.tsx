import type { JSX } from "hono/jsx/jsx-runtime";
import type { T } from "../../texts/texts.ts";
import { formatInstant } from "../core/clock.ts";
import { type Campaign, type Counts, computeProgress } from "../core/shop/campaigns.ts";
import { Live, type LiveParts, type Reader, type View } from "./page.tsx";
import {
  branchName,
  Commands,
  chooseBranch,
  formatCount,
  formatMoment,
  joinPath,
  Pager,
  readPaging,
} from "./parts.tsx";

const path = "/console/campaigns";
const perPage = 20;
const bars = ["sent", "delivered", "read", "responded", "pending", "failed"] as const;

/** Names how far recipients got. */
export const progressNames = (t: T): Readonly<Record<keyof Counts, string>> => ({
  total_recipients: t("Recipients"),
  pending: t("Pending"),
  sent: t("Sent"),
  failed: t("Failed"),
  delivered: t("Delivered"),
  read: t("Read"),
  responded: t("Responded"),
});

/** How many of the recipients got how far, each as a bar with its number. */
export function Bars({ counts, t }: { counts: Counts; t: T }): JSX.Element {
  const names = progressNames(t);
  const { total_recipients: total } = counts;
  return (
    <dl class="bars">
      <div>
        <dt>{names.total_recipients}</dt>
        <dd>{formatCount(total, t)}</dd>
      </div>
      {bars.map((name) => (
        <div>
          <dt>{names[name]}</dt>
          <dd>{formatCount(counts[name], t)}</dd>
          <dd class="bar">
            <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect width="100" height="6" class="track" />
              <rect width={((100 * counts[name]) / total).toFixed(2)} height="6" class={name} />
            </svg>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Its template and its reference; a name of its own where it was given one. */
export function formatTitle({ campaign_name, template, external_ref }: Campaign): string {
  if (!campaign_name.startsWith("API - ")) return campaign_name;
  return external_ref === "" ? template : `${template} · ${external_ref}`;
}

/** Who sent a campaign, what and when. */
export function Facts({ campaign, t }: { campaign: Campaign; t: T }): JSX.Element {
  const { template, template_language, branch, external_ref, createdAt, campaign_id } = campaign;
  return (
    <p class="dim facts-line">
      <span class="tag">{branchName(branch, t)}</span> <bdi>{template}</bdi> ({template_language})
      {external_ref !== "" && (
        <>
          {" · "}
          {t("ref")} <bdi>{external_ref}</bdi>
        </>
      )}
      {" · "}
      <time>{formatMoment(formatInstant(createdAt))}</time>
      <span class="mono"> · {campaign_id}</span>
    </p>
  );
}

function List({ reader, rows }: ListProps): JSX.Element {
  const { t } = reader;
  return (
    <ol class="campaigns">
      {rows.map(({ campaign, counts }) => (
        <li class="panel">
          <h2>
            <a id={campaign.campaign_id} href={`${path}/${campaign.campaign_id}`}>
              <bdi>{formatTitle(campaign)}</bdi>
            </a>
          </h2>
          <Facts campaign={campaign} t={t} />
          <Bars counts={counts} t={t} />
        </li>
      ))}
    </ol>
  );
}
interface ListProps {
  readonly reader: Reader;
  readonly rows: readonly Readonly<{ campaign: Campaign; counts: Counts }>[];
}

function Empty({ reader }: { reader: Reader }): JSX.Element {
  const { t } = reader;
  const file = String.raw`printf 'telefono,nombre,pedido\n+5491155550003,Ana,1024\n'`;
  const lines = [`${file} | bpos campaign send - --template pedido_listo --yes`];
  return (
    <section class="panel">
      <p>{t("No campaigns yet. Send one from a terminal:")}</p>
      <Commands reader={reader} branch={chooseBranch(reader)} lines={lines} />
    </section>
  );
}

function live(reader: Reader): LiveParts {
  const { t } = reader;
  const { world, age } = reader.live.look();
  const all = [...world.campaigns.values()].reverse();
  const paging = readPaging(reader, all.length, perPage);
  const rows = all.slice(paging.from, paging.to).map((campaign) => {
    return { campaign, counts: computeProgress(campaign, world, age).counts };
  });
  const numbers = rows.map(({ campaign, counts }) => [campaign.campaign_id, ...Object.values(counts)].join());
  return {
    campaigns: {
      key: `${all.length} ${numbers.join(" ")}`,
      render: () => (
        <>
          {all.length === 0 ? <Empty reader={reader} /> : <List reader={reader} rows={rows} />}
          <Pager paging={paging} t={t} to={(page) => joinPath(path, { page })} />
        </>
      ),
    },
  };
}

function body({ t }: Reader, parts: LiveParts): JSX.Element {
  return (
    <>
      <div class="toolbar">
        <h1>{t("Campaigns")}</h1>
      </div>
      <Live id="campaigns" parts={parts} />
    </>
  );
}

export const campaignsView: View = { tab: "campaigns", path, live, body };
