import type { PropsWithChildren } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { isoWithOffset, scenarioNames } from "../../contract/limits.ts";
import type { T } from "../../texts/texts.ts";
import type { ClockMove } from "../control/move-clock.ts";
import { campaignsBase } from "../core/faults.ts";
import type { Template } from "../core/shop/campaigns.ts";
import { defineScenario, type MockKey } from "../core/world/scenarios.ts";
import { FaultPanel, faultParts } from "./fault-panel.tsx";
import { Live, type LiveParts, type Reader, type View } from "./page.tsx";
import { formatSecond, Tabs } from "./parts.tsx";
import { WebhookForm, webhookPart } from "./webhook.tsx";

function Panel({ id, title, children }: PropsWithChildren<{ id: string; title: string }>): JSX.Element {
  return (
    <section class="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

function Copy({ text, t }: { text: string; t: T }): JSX.Element {
  return (
    <button type="button" data-copy={text} aria-label={`${t("Copy")}: ${text}`}>
      {t("Copy")}
    </button>
  );
}

type MoveProps = PropsWithChildren<{ id: string; move: ClockMove; pressed?: boolean }>;

function Move({ id, move, pressed, children }: MoveProps): JSX.Element {
  return (
    <button
      type="button"
      id={id}
      hx-post="/_mock/clock"
      hx-vals={JSON.stringify(move)}
      hx-swap="none"
      aria-pressed={pressed === undefined ? undefined : String(pressed)}
    >
      {children}
    </button>
  );
}

function clockParts({ live, t }: Reader): LiveParts {
  const { world, date } = live.look();
  const { speed } = world.clock;
  const now = isoWithOffset(date);
  const running = speed === 1 ? t("running") : t("running at {speed} times normal speed", { speed });
  return {
    clock: {
      key: `${now.slice(0, 19)} ${speed}`,
      render: () => (
        <>
          <time datetime={now}>{formatSecond(now)}</time>
          <span class="dim">{speed === 0 ? t("frozen: no time passes") : running}</span>
        </>
      ),
    },
    "clock-pace": {
      key: speed,
      render: () => (
        <>
          <Move id="freeze" move={{ frozen: speed > 0 }}>
            {speed > 0 ? t("Freeze") : t("Resume")}
          </Move>
          {[1, 10, 60].map((pace) => (
            <Move id={`speed-${pace}`} move={{ speed: pace }} pressed={pace === speed}>
              ×{pace}
            </Move>
          ))}
        </>
      ),
    },
  };
}

const minute = 60_000;

function Clock({ t, parts }: { t: T; parts: LiveParts }): JSX.Element {
  const steps = [
    [t("{n} min", { n: 1 }), minute],
    [t("{n} min", { n: 5 }), 5 * minute],
    [t("1 h"), 60 * minute],
    [t("1 day"), 24 * 60 * minute],
  ] as const;
  return (
    <Panel id="world-clock" title={t("Clock")}>
      <Live id="clock" parts={parts} tag="p" class="now" />
      <fieldset>
        <legend>{t("Speed")}</legend>
        <Live id="clock-pace" parts={parts} class="line" />
      </fieldset>
      <fieldset>
        <legend>{t("Advance")}</legend>
        <div class="line">
          {steps.map(([text, advance_ms]) => (
            <Move id={`advance-${advance_ms}`} move={{ advance_ms }}>
              {text}
            </Move>
          ))}
        </div>
      </fieldset>
      <form class="line" hx-post="/_mock/clock" hx-swap="none" data-done={t("The clock was advanced.")}>
        <label>
          {t("Minutes")}{" "}
          <input type="number" name="advance_ms" data-unit={minute} min={1} step={1} required />
        </label>
        <button type="submit">{t("Advance")}</button>
      </form>
      <form class="line" hx-post="/_mock/clock" hx-swap="none" data-done={t("The clock was set.")}>
        <label>
          {t("Date")} <input type="datetime-local" name="now" step={1} max="9998-12-30T23:59:59" required />
        </label>
        <button type="submit">{t("Set")}</button>
      </form>
      <p class="hint">
        {t(
          "As time passes, orders arrive and advance, and messages are read. An earlier date changes only the date.",
        )}
      </p>
    </Panel>
  );
}

function scenarioPart({ live, t }: Reader): LiveParts {
  const { scenario, seed } = live.look().world;
  const worldId = live.worldId();
  return {
    scenario: {
      key: worldId,
      render: () => (
        <>
          <dt>{t("Scenario")}</dt>
          <dd>{defineScenario(scenario).name}</dd>
          <dt>{t("Seed")}</dt>
          <dd>{seed}</dd>
          <dt>{t("World")}</dt>
          <dd class="mono">{worldId}</dd>
        </>
      ),
    },
  };
}

function Scenario({ t, parts }: { t: T; parts: LiveParts }): JSX.Element {
  return (
    <Panel id="world-scenario" title={t("Scenario")}>
      <Live id="scenario" parts={parts} tag="dl" class="facts" />
      <form
        class="line"
        hx-post="/_mock/reset"
        hx-swap="none"
        hx-confirm={t(
          "Reset this world? Its orders, pushed products, campaigns, replies, faults and requests are lost. An export keeps everything except the requests.",
        )}
        data-done={t("The mock was reset.")}
      >
        <label>
          {t("Scenario")}{" "}
          <select name="scenario">
            <option value="">{t("the same")}</option>
            {scenarioNames.map((name) => (
              <option value={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          {t("Seed")} <input type="number" name="seed" step={1} />
        </label>
        <button type="submit" class="danger">
          {t("Reset…")}
        </button>
      </form>
      <div class="line">
        <a class="button" href="/_mock/export" download="bpos-world.json">
          {t("Export")}
        </a>
        <label>
          {t("Import")}{" "}
          <input
            type="file"
            accept=".json,application/json"
            data-import="/_mock/import"
            data-confirm={t(
              "Import this file? The orders, pushed products, campaigns, replies, faults and requests of the current world are lost.",
            )}
            data-done={t("The world was imported.")}
          />
        </label>
      </div>
      <p class="hint">
        {t(
          "An export is a JSON file of this world: keep it, or import it on another machine. A reset without a seed keeps the current seed.",
        )}
      </p>
    </Panel>
  );
}

function Keys({ keys, t }: { keys: readonly MockKey[]; t: T }): JSX.Element {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t("Branch")}</th>
          <th scope="col">store_id</th>
          <th scope="col">{t("Key")}</th>
        </tr>
      </thead>
      <tbody>
        {keys.map(({ branch, store_id, key }) => (
          <tr>
            <th scope="row">{branch}</th>
            <td>
              <bdi>{store_id}</bdi>
            </td>
            <td>
              <bdi class="mono whole">{key}</bdi> <Copy text={key} t={t} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Connect({ reader, parts }: { reader: Reader; parts: LiveParts }): JSX.Element {
  const { t, address } = reader;
  const line = `export BPOS_MOCK=${address}`;
  return (
    <Panel id="world-connect" title={t("Connect")}>
      <p class="line">
        <code>{line}</code> <Copy text={line} t={t} />
      </p>
      <dl class="facts">
        <dt>base_url</dt>
        <dd>
          <code>{address}</code>
        </dd>
        <dt>campaigns_base_url</dt>
        <dd>
          <code>{address + campaignsBase}</code>
        </dd>
        <dt>OpenAPI</dt>
        <dd>
          <a href="/openapi.json">openapi.json</a>
        </dd>
      </dl>
      <Live id="keys" parts={parts} class="scroll" />
      <p class="hint">{t("Any other key gets a 403.")}</p>
    </Panel>
  );
}

function Templates({ templates, t }: { templates: readonly Template[]; t: T }): JSX.Element {
  const states = { approved: t("approved"), pending: t("pending"), rejected: t("rejected") };
  const headers = {
    none: t("none"),
    image: t("image"),
    video: t("video"),
    document: t("document"),
  };
  return (
    <table class="roomy">
      <thead>
        <tr>
          {[t("Name"), "id", t("Languages"), t("Header"), t("Params"), t("State"), t("Body")].map((title) => (
            <th scope="col">{title}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {templates.map((template) => (
          <tr>
            <th scope="row">
              <bdi class="whole">{template.name}</bdi>
            </th>
            <td>
              <bdi class="mono whole">{template.id}</bdi>
            </td>
            <td>{template.languages.join(", ")}</td>
            <td>{headers[template.header]}</td>
            <td>{template.params}</td>
            <td class={template.state === "approved" ? "good" : "warn"}>{states[template.state]}</td>
            <td>
              <bdi>{template.body}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function live(reader: Reader): LiveParts {
  const { t } = reader;
  const { keys, templates } = reader.live.look().world;
  const all = [...templates.values()];
  return {
    ...clockParts(reader),
    ...scenarioPart(reader),
    ...webhookPart(reader),
    ...faultParts(reader),
    keys: { key: reader.live.worldId(), render: () => <Keys keys={[...keys.values()]} t={t} /> },
    templates: {
      key: JSON.stringify(all),
      render: () => <Templates templates={all} t={t} />,
    },
  };
}

const tabs = ["time", "faults", "data"] as const;

/** All three are rendered; the address selects the visible one, by default the first. */
function body(reader: Reader, parts: LiveParts): JSX.Element {
  const { t } = reader;
  const names = { time: t("Time"), faults: t("Faults"), data: t("Data") };
  return (
    <>
      <div class="toolbar">
        <h1>{t("World")}</h1>
        <Tabs
          label={t("World")}
          choices={tabs.map((tab) => ({
            id: `tab-${tab}`,
            href: `#${tab}`,
            text: names[tab],
            isCurrent: false,
          }))}
        />
      </div>
      <div class="chosen-part">
        <div id="time" class="controls">
          <Clock t={t} parts={parts} />
        </div>
        <div id="faults">
          <FaultPanel t={t} parts={parts} />
        </div>
        <div id="data">
          <div class="controls">
            <Scenario t={t} parts={parts} />
            <div>
              <Connect reader={reader} parts={parts} />
              <Panel id="world-webhook" title={t("Reply webhook")}>
                <WebhookForm t={t} parts={parts} />
              </Panel>
            </div>
          </div>
          <Panel id="world-templates" title={t("Templates")}>
            <Live id="templates" parts={parts} class="scroll" tabindex={0} />
          </Panel>
        </div>
      </div>
    </>
  );
}

export const worldView: View = { tab: "world", path: "/console/world", live, body };
