import { createHash } from "node:crypto";
import { raw } from "hono/html";
import type { JSX } from "hono/jsx/jsx-runtime";
import { count, isoTime, number, percent, timeOfDay, visible } from "../../cli/display/format.ts";
import type { Ui } from "../../cli/display/ui.ts";
import { isoWithOffset } from "../../contract/limits.ts";
import { readPageFile, toHtml } from "../../page/document.tsx";
import { amountWriters, countryName } from "../send/cost.ts";
import { type CampaignReport, countTimes, listTimes, type Step, steps } from "./collect.ts";
import { listFacts, listLimits, listStages } from "./view.ts";

interface PartProps {
  readonly report: CampaignReport;
  readonly ui: Ui;
}

/** Foreign text, in which nothing acts or turns the direction of what is around it. */
const Foreign = ({ text }: { text: string }): JSX.Element => <bdi>{visible(text)}</bdi>;

/** A bar of a share; drawn, so that the page needs no styles in its elements. */
const Bar = ({ part, tone }: { part: number; tone: string }): JSX.Element => (
  <svg class={`bar ${tone}`} viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width="1000" height="10" />
    <rect width={Math.round(part * 1000)} height="10" />
  </svg>
);

/** Without `sent`: on paper there is no room for all. */
const shownSteps = ["delivered", "read", "responded"] as const;

/** The figures that an owner looks for first. */
function Figures({ report: { counts, cost }, ui }: PartProps): JSX.Element {
  const words = ui.texts.report;
  const figures = [...shownSteps, "failed" as const].flatMap((name) => {
    const people = counts[name];
    if (typeof people !== "number") return [];
    const [share, amount] = [percent(people, counts.total_recipients), number(people, ui)];
    if (name !== "failed")
      return [{ name: words.stages[name], tone: "", value: share || amount, under: amount }];
    return [{ name: words.failed, tone: people > 0 ? "bad" : "", value: amount, under: share }];
  });
  if (cost !== null) {
    const { title: name, noPrice, messages } = ui.texts.cost;
    const paid = cost.countries.reduce((sum, { recipients }) => sum + recipients, 0);
    const under = cost.unpriced > 0 ? `${noPrice}: ${number(cost.unpriced, ui)}` : messages(count(paid, ui));
    figures.push({ name, tone: "long", value: amountWriters(cost, ui).sum(cost.total), under });
  }
  return (
    <ul class="figures">
      {figures.map(({ name, tone, value, under }) => (
        <li class={tone}>
          <span class="name">{name}</span>
          <strong>{value}</strong>
          <span class="under">{under}</span>
        </li>
      ))}
    </ul>
  );
}

function Funnel({ report, ui }: PartProps): JSX.Element {
  const { stages, all } = listStages(report, ui);
  const tones: Readonly<Record<string, string>> = { failed: "bad", pending: "dim" };
  return (
    <section>
      <h2>{ui.texts.report.funnel}</h2>
      <table class="funnel">
        <tbody>
          {stages.map(({ name, stage, recipients }) => (
            <tr class={tones[stage] ?? ""}>
              <th scope="row">{name}</th>
              <td class="draws">
                <Bar part={all > 0 ? Math.min(1, recipients / all) : 0} tone={tones[stage] ?? ""} />
              </td>
              <td class="number">{number(recipients, ui)}</td>
              <td class="number dim">{percent(recipients, all)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const minuteMs = 60_000;
const spans = [1, 5, 15, 30, 60, 180, 360, 720, 1440, 7 * 1440, 30 * 1440].map(
  (minutes) => minutes * minuteMs,
);
const maxColumns = 32;

/** What the four drawings share: spans short enough to show how it went, and few enough to be drawn. */
function layOutTimes(report: CampaignReport) {
  const times = listTimes(report);
  if (times.length === 0) return undefined;
  const all = times.map(({ time }) => time);
  const first = all.reduce((least, time) => Math.min(least, time));
  const last = all.reduce((most, time) => Math.max(most, time));
  const span = spans.find((each) => (last - first) / each < maxColumns - 1) ?? 30 * 1440 * minuteMs;
  const counted = countTimes(times, span);
  const [begin = first] = counted.keys();
  const columns = Math.max(12, Math.floor((last - begin) / span) + 1);
  const isDay = columns * span <= 1440 * minuteMs;
  return { counted, begin, span, columns, isDay };
}

/** Where a span begins; of one day the time alone. */
const describeStart = (at: number, isDay: boolean, ui: Ui): string =>
  isDay ? timeOfDay(isoWithOffset(at)) : isoTime(isoWithOffset(at), ui);

type Times = NonNullable<ReturnType<typeof layOutTimes>>;

function TimeChart({ step, times, ui }: { step: Step; times: Times; ui: Ui }): JSX.Element {
  const { counted, begin, span, columns, isDay } = times;
  const words = ui.texts.report;
  const rows = [...counted].map(([from, row]) => ({
    at: Math.round((from - begin) / span),
    from,
    value: row[step],
  }));
  const highest = rows.reduce((most, row) => (row.value > most.value ? row : most), {
    at: 0,
    from: begin,
    value: 0,
  });
  const said = words.peak(number(highest.value, ui), describeStart(highest.from, isDay, ui));
  return (
    <tr>
      <th scope="row">{words.stages[step]}</th>
      <td class="draws">
        <svg
          class={`times ${step}`}
          viewBox={`0 0 ${columns * 10} 40`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${words.stages[step]}: ${said}`}
        >
          <rect class="track" y="39" width={columns * 10} height="1" />
          {rows.map(({ at, value }) => {
            const height =
              highest.value === 0 ? 0 : Math.max(value > 0 ? 1 : 0, (value / highest.value) * 39);
            return <rect x={at * 10 + 1} y={40 - height} width="8" height={height} />;
          })}
        </svg>
      </td>
      <td class="said dim">{highest.value > 0 && said}</td>
    </tr>
  );
}

function Hours({ report, ui }: PartProps): JSX.Element | null {
  const times = layOutTimes(report);
  if (times === undefined) return null;
  const { begin, span, columns, isDay } = times;
  const marks = [0, Math.floor(columns / 2), columns - 1].map((at) =>
    describeStart(begin + at * span, isDay && at > 0, ui),
  );
  return (
    <section>
      <h2>{ui.texts.report.hours}</h2>
      <table class="hours">
        <tbody>
          {steps.map((step) => (
            <TimeChart step={step} times={times} ui={ui} />
          ))}
          <tr class="axis">
            <td />
            <td class="draws dim">
              <div>
                {marks.map((mark) => (
                  <span>{mark}</span>
                ))}
              </div>
            </td>
            <td />
          </tr>
        </tbody>
      </table>
    </section>
  );
}

function Failures({ report: { errors }, ui }: PartProps): JSX.Element {
  const words = ui.texts.report;
  return (
    <section>
      <h2>{words.errors}</h2>
      {errors.length === 0 && <p class="dim">{words.noErrors}</p>}
      <ul class="failures">
        {errors.map(({ error, kind, recipients }) => (
          <li>
            <strong class="many">{number(recipients, ui)}</strong>
            <div>
              <p class="error">{error === "" ? words.unnamed : <Foreign text={error} />}</p>
              <p>{words.failures[kind].meaning}</p>
              <p class="advice">{words.failures[kind].advice}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Countries({ report: { countries, cost }, ui }: PartProps): JSX.Element | null {
  const words = ui.texts.report;
  if (countries.length === 0) return null;
  const { price, cost: sum } = ui.texts.cost.columns;
  const write = cost === null ? undefined : amountWriters(cost, ui);
  const titles = [
    ...[words.recipients, ...shownSteps.map((step) => words.stages[step]), words.failed],
    ...(write === undefined ? [] : [price, sum]),
  ];
  const costs = new Map(
    cost?.countries.map((row) => [row.country, [write?.price(row.price), write?.sum(row.cost)]]),
  );
  const cells = (row: CampaignReport["countries"][number]): (string | undefined)[] => [
    ...[row.recipients, ...shownSteps.map((step) => row[step]), row.failed].map((value) => number(value, ui)),
    ...(write === undefined ? [] : (costs.get(row.country) ?? ["", ""])),
  ];
  return (
    <section>
      <h2>{words.countries}</h2>
      <section class="scroll" tabindex={0} aria-label={words.countries}>
        <table class="grid">
          <thead>
            <tr>
              <th scope="col">{words.country}</th>
              {titles.map((name) => (
                <th scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {countries.map((row) => (
              <tr>
                <th scope="row">{countryName(row.country, ui)}</th>
                {cells(row).map((cell, at) => (
                  <td class="number" data-name={titles[at]}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

const maxReplies = 200;
/** As long as a message may be. */
const maxText = 4_096;

function Replies({ report: { replies }, ui }: PartProps): JSX.Element {
  const words = ui.texts.report;
  const seen = replies.slice(0, maxReplies);
  return (
    <section class="replies">
      <h2>
        {words.replies} {replies.length > 0 && <span class="dim">{number(replies.length, ui)}</span>}
      </h2>
      {replies.length === 0 && <p class="dim">{words.noReplies}</p>}
      <ul>
        {seen.map(({ at, phone, name, text, opt_out: mark }) => (
          <li>
            <blockquote>{text === "" ? words.noText : <Foreign text={text.slice(0, maxText)} />}</blockquote>
            <p class="dim">
              {name !== null && <Foreign text={name} />} {phone !== null && <Foreign text={phone} />} ·{" "}
              {isoTime(at, ui)}
              {mark !== null && <span class="tag">{words.optOut[mark]}</span>}
            </p>
          </li>
        ))}
      </ul>
      {replies.length > seen.length && (
        <p class="dim">{words.moreOnPage(count(replies.length - seen.length, ui))}</p>
      )}
    </section>
  );
}

/** One page that is whole by itself: its own styles, no scripts, nothing that a browser would load. */
export function renderReport(report: CampaignReport, branch: string, ui: Ui): string {
  const words = ui.texts.report;
  const styles = readPageFile("report.css")?.text ?? "";
  const hash = createHash("sha256").update(styles).digest("base64");
  // Markup that got into a page by mistake could neither run, nor load, nor look like ours.
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const name = report.external_ref ?? report.campaign_ids.join(", ");
  const facts = listFacts(report, branch, ui).filter(([, value]) => value !== name);
  const element = (
    <html lang={ui.texts.language}>
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="content-security-policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{`${visible(name)} · ${words.title}`}</title>
        <style>{raw(styles)}</style>
      </head>
      <body>
        <header>
          <p class="kind">
            {words.title}
            {ui.badge !== null && <span class="tag">{ui.badge}</span>}
          </p>
          <h1>
            <Foreign text={name} />
          </h1>
          <dl>
            {facts.map(([label, value]) => (
              <div>
                <dt>{label}</dt>
                <dd>
                  <Foreign text={value} />
                </dd>
              </div>
            ))}
          </dl>
        </header>
        <main>
          <Figures report={report} ui={ui} />
          <Funnel report={report} ui={ui} />
          <Hours report={report} ui={ui} />
          <Countries report={report} ui={ui} />
          <Failures report={report} ui={ui} />
          <Replies report={report} ui={ui} />
        </main>
        <footer class="dim">
          {listLimits(report, ui).map((text) => (
            <p>{visible(text)}</p>
          ))}
          <p>{words.footer(isoTime(report.read_at, ui))}</p>
        </footer>
      </body>
    </html>
  );
  return `<!doctype html>\n${toHtml(element)}\n`;
}
