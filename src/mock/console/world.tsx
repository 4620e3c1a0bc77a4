import type { PropsWithChildren } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { isoWithOffset, scenarioNames } from "../../contract/limits.ts";
import type { ConsoleTexts } from "../../i18n/en/console.ts";
import type { Template } from "../campaigns.ts";
import type { ClockMove } from "../clock.ts";
import { campaignsBase } from "../faults.ts";
import { defineScenario, type MockKey } from "../scenarios.ts";
import { FaultPanel, faultParts } from "./fault-panel.tsx";
import { Live, type LiveParts, type Reader, type View } from "./page.tsx";
import { formatSecond, Tabs } from "./parts.tsx";
import { WebhookForm, webhookPart } from "./webhook.tsx";

type Words = ConsoleTexts["world"];

function Panel({ id, title, children }: PropsWithChildren<{ id: string; title: string }>): JSX.Element {
  return (
    <section class="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

function Copy({ text, texts }: { text: string; texts: ConsoleTexts }): JSX.Element {
  return (
    <button type="button" data-copy={text} aria-label={`${texts.copy}: ${text}`}>
      {texts.copy}
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

function clockParts({ live, texts }: Reader): LiveParts {
  const words = texts.world;
  const { world, date } = live.look();
  const { speed } = world.clock;
  const now = isoWithOffset(date);
  return {
    clock: {
      key: `${now.slice(0, 19)} ${speed}`,
      render: () => (
        <>
          <time datetime={now}>{formatSecond(now)}</time>
          <span class="dim">{speed === 0 ? words.frozen : words.running(speed)}</span>
        </>
      ),
    },
    "clock-pace": {
      key: speed,
      render: () => (
        <>
          <Move id="freeze" move={{ frozen: speed > 0 }}>
            {speed > 0 ? words.freeze : words.goOn}
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

function Clock({ words, parts }: { words: Words; parts: LiveParts }): JSX.Element {
  const { minutes, hour, day } = words.steps;
  const steps = [
    [minutes(1), minute],
    [minutes(5), 5 * minute],
    [hour, 60 * minute],
    [day, 24 * 60 * minute],
  ] as const;
  return (
    <Panel id="world-clock" title={words.clock}>
      <Live id="clock" parts={parts} tag="p" class="now" />
      <fieldset>
        <legend>{words.pace}</legend>
        <Live id="clock-pace" parts={parts} class="line" />
      </fieldset>
      <fieldset>
        <legend>{words.advance}</legend>
        <div class="line">
          {steps.map(([text, advance_ms]) => (
            <Move id={`advance-${advance_ms}`} move={{ advance_ms }}>
              {text}
            </Move>
          ))}
        </div>
      </fieldset>
      <form class="line" hx-post="/_mock/clock" hx-swap="none" data-done={words.advanced}>
        <label>
          {words.byMinutes}{" "}
          <input type="number" name="advance_ms" data-unit={minute} min={1} step={1} required />
        </label>
        <button type="submit">{words.advance}</button>
      </form>
      <form class="line" hx-post="/_mock/clock" hx-swap="none" data-done={words.dateSet}>
        <label>
          {words.date} <input type="datetime-local" name="now" step={1} max="9998-12-30T23:59:59" required />
        </label>
        <button type="submit">{words.set}</button>
      </form>
      <p class="hint">{words.clockHint}</p>
    </Panel>
  );
}

function scenarioPart({ live, texts }: Reader): LiveParts {
  const words = texts.world;
  const { scenario, seed } = live.look().world;
  const worldId = live.worldId();
  return {
    scenario: {
      key: worldId,
      render: () => (
        <>
          <dt>{words.scenario}</dt>
          <dd>{defineScenario(scenario).name}</dd>
          <dt>{words.seed}</dt>
          <dd>{seed}</dd>
          <dt>{words.worldId}</dt>
          <dd class="mono">{worldId}</dd>
        </>
      ),
    },
  };
}

function Scenario({ words, parts }: { words: Words; parts: LiveParts }): JSX.Element {
  return (
    <Panel id="world-scenario" title={words.scenario}>
      <Live id="scenario" parts={parts} tag="dl" class="facts" />
      <form
        class="line"
        hx-post="/_mock/reset"
        hx-swap="none"
        hx-confirm={words.resetLoses}
        data-done={words.wasReset}
      >
        <label>
          {words.scenario}{" "}
          <select name="scenario">
            <option value="">{words.same}</option>
            {scenarioNames.map((name) => (
              <option value={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          {words.seed} <input type="number" name="seed" step={1} />
        </label>
        <button type="submit" class="danger">
          {words.reset}
        </button>
      </form>
      <div class="line">
        <a class="button" href="/_mock/export" download="bpos-world.json">
          {words.export}
        </a>
        <label>
          {words.import}{" "}
          <input
            type="file"
            accept=".json,application/json"
            data-import="/_mock/import"
            data-confirm={words.importLoses}
            data-done={words.imported}
          />
        </label>
      </div>
      <p class="hint">{words.exportHint}</p>
    </Panel>
  );
}

function Keys({ keys, texts }: { keys: readonly MockKey[]; texts: ConsoleTexts }): JSX.Element {
  const words = texts.world;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{texts.orders.branches}</th>
          <th scope="col">store_id</th>
          <th scope="col">{words.key}</th>
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
              <bdi class="mono whole">{key}</bdi> <Copy text={key} texts={texts} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Connect({ reader, parts }: { reader: Reader; parts: LiveParts }): JSX.Element {
  const { texts, address } = reader;
  const words = texts.world;
  const line = `export BPOS_MOCK=${address}`;
  return (
    <Panel id="world-connect" title={words.connect}>
      <p class="line">
        <code>{line}</code> <Copy text={line} texts={texts} />
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
      <p class="hint">{words.keysHint}</p>
    </Panel>
  );
}

function Templates({ templates, words }: { templates: readonly Template[]; words: Words }): JSX.Element {
  const { name, languages, header, params, state, body } = words.columns;
  const { states, headers } = words.templateWords;
  return (
    <table class="roomy">
      <thead>
        <tr>
          {[name, "id", languages, header, params, state, body].map((title) => (
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
  const { texts } = reader;
  const { keys, templates } = reader.live.look().world;
  const all = [...templates.values()];
  return {
    ...clockParts(reader),
    ...scenarioPart(reader),
    ...webhookPart(reader),
    ...faultParts(reader),
    keys: { key: reader.live.worldId(), render: () => <Keys keys={[...keys.values()]} texts={texts} /> },
    templates: {
      key: JSON.stringify(all),
      render: () => <Templates templates={all} words={texts.world} />,
    },
  };
}

const tabs = ["time", "faults", "data"] as const;

/** All three are there; the address says which one shows, else the first. */
function body(reader: Reader, parts: LiveParts): JSX.Element {
  const { texts } = reader;
  const words = texts.world;
  return (
    <>
      <div class="toolbar">
        <h1>{words.title}</h1>
        <Tabs
          label={words.title}
          choices={tabs.map((tab) => ({
            id: `tab-${tab}`,
            href: `#${tab}`,
            text: words.tabs[tab],
            isCurrent: false,
          }))}
        />
      </div>
      <div class="chosen-part">
        <div id="time" class="controls">
          <Clock words={words} parts={parts} />
        </div>
        <div id="faults">
          <FaultPanel texts={texts} parts={parts} />
        </div>
        <div id="data">
          <div class="controls">
            <Scenario words={words} parts={parts} />
            <div>
              <Connect reader={reader} parts={parts} />
              <Panel id="world-webhook" title={texts.webhook.title}>
                <WebhookForm texts={texts} parts={parts} />
              </Panel>
            </div>
          </div>
          <Panel id="world-templates" title={words.templates}>
            <Live id="templates" parts={parts} class="scroll" tabindex={0} />
          </Panel>
        </div>
      </div>
    </>
  );
}

export const worldView: View = { tab: "world", path: "/console/world", live, body };
