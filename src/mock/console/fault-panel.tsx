import type { JSX } from "hono/jsx/jsx-runtime";
import type { T } from "../../texts/texts.ts";
import { type ArmedFault, formatRule, isUsedUp, parseFaultRule } from "../core/faults.ts";
import { Live, type LiveParts, type Reader } from "./page.tsx";
import { formatCount } from "./parts.tsx";

/** The most rehearsed faults. Those that could message somebody twice come first, and fire once. */
const presets = {
  "commit-status": "POST /campaigns commit-status=502 times=1",
  "commit-drop": "POST /campaigns commit-drop times=1",
  drop: "POST /campaigns drop times=1",
  delay: "* / delay=3s",
  status: "* / status=503",
  "retry-after": "* / retry-after=5",
  html: "* / html",
  garbage: "* / garbage",
  truncate: "* / truncate",
  shift: "GET /v1/orders shift times=1",
  late: "GET /v1/orders late times=1",
} as const;

export type Effect = keyof typeof presets;

const effects: Readonly<Record<Effect, (t: T) => { name: string; seen: string }>> = {
  "commit-status": (t) => ({
    name: t("Send applied, response 502"),
    seen: t(
      "The call is applied, but the response is an error. Retrying is safe only with the same idempotency_key or event_id.",
    ),
  }),
  "commit-drop": (t) => ({
    name: t("Connection lost after a send"),
    seen: t("The call is applied, then the connection is reset. The client cannot know the outcome."),
  }),
  drop: (t) => ({
    name: t("Connection lost before a send"),
    seen: t(
      "The connection is reset and nothing is applied. To the client, it looks the same as a connection lost after a send.",
    ),
  }),
  delay: (t) => ({
    name: t("Slow responses (3 s)"),
    seen: t("Each response is delayed. A client with a shorter timeout gives up first."),
  }),
  status: (t) => ({
    name: t("Service unavailable"),
    seen: t("The response is an error and nothing is applied. The client retries or gives up."),
  }),
  "retry-after": (t) => ({
    name: t("Too many requests"),
    seen: t("429 with Retry-After; nothing is applied. The client waits for that time."),
  }),
  html: (t) => ({
    name: t("Proxy error page"),
    seen: t("502 with an HTML page instead of JSON; nothing is applied."),
  }),
  garbage: (t) => ({
    name: t("Invalid JSON"),
    seen: t("200 with a body that is not JSON; nothing is applied."),
  }),
  truncate: (t) => ({
    name: t("Truncated responses"),
    seen: t("The call is applied, but the connection closes halfway through the response."),
  }),
  shift: (t) => ({
    name: t("An order moves between two pages"),
    seen: t("After a page is read, its first order leaves the state, so the next page skips an order."),
  }),
  late: (t) => ({
    name: t("A late order"),
    seen: t(
      "A new order has a created_at in the past. A client that only asks for orders since its last poll misses it.",
    ),
  }),
};

/** Names each effect, and describes what a client sees. */
export const effectWords = (effect: Effect, t: T): { name: string; seen: string } => effects[effect](t);

function Switch({ effect, armed, t }: SwitchProps): JSX.Element {
  const rule = presets[effect];
  const asText = formatRule(parseFaultRule(rule));
  const on = armed.find((fault) => !isUsedUp(fault) && formatRule(fault) === asText);
  const { name, seen } = effectWords(effect, t);
  const change = on
    ? { "hx-delete": `/_mock/faults/${on.id}` }
    : { "hx-post": "/_mock/faults", "hx-vals": JSON.stringify({ rule }) };
  return (
    <li>
      <button
        type="button"
        id={`fault-${effect}`}
        class="switch"
        role="switch"
        aria-checked={on ? "true" : "false"}
        aria-describedby={`fault-${effect}-seen`}
        hx-swap="none"
        {...change}
      >
        {name}
      </button>
      <p id={`fault-${effect}-seen`} class="hint">
        {seen} <code class="whole">{rule}</code>
      </p>
    </li>
  );
}
interface SwitchProps {
  readonly effect: Effect;
  readonly armed: readonly ArmedFault[];
  readonly t: T;
}

function Armed({ armed, t }: Omit<SwitchProps, "effect">): JSX.Element {
  if (armed.length === 0) return <p class="dim">{t("No active faults: the service works normally.")}</p>;
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("Rule")}</th>
            <th scope="col" class="number">
              {t("Matched")}
            </th>
            <th scope="col" class="number">
              {t("Fired // how often a fault acted")}
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {armed.map((fault) => (
            <tr class={isUsedUp(fault) ? "dim" : undefined}>
              <td>
                <bdi class="mono">{formatRule(fault)}</bdi>{" "}
                {isUsedUp(fault) && <span class="tag fault">{t("used up")}</span>}
              </td>
              <td class="number">{formatCount(fault.matched, t)}</td>
              <td class="number">{formatCount(fault.fired, t)}</td>
              <td class="number">
                <button
                  type="button"
                  id={`remove-${fault.id}`}
                  aria-label={t("Remove {rule}", { rule: formatRule(fault) })}
                  hx-delete={`/_mock/faults/${fault.id}`}
                  hx-swap="none"
                >
                  {t("Remove")}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <button type="button" id="remove-all" class="danger" hx-delete="/_mock/faults" hx-swap="none">
          {t("Remove all")}
        </button>
      </p>
    </>
  );
}

/** The switches, and the armed rules; a match without effect moves no switch. */
export function faultParts({ live, t }: Reader): LiveParts {
  const { armed } = live.look().world.faults;
  const effects = Object.keys(presets) as Effect[];
  return {
    "fault-switches": {
      key: armed.map((fault) => `${fault.id}${isUsedUp(fault) ? " used" : ""}`).join(),
      render: () => (
        <>
          {effects.map((effect) => (
            <Switch effect={effect} armed={armed} t={t} />
          ))}
        </>
      ),
    },
    "fault-list": {
      key: armed.map(({ id, matched, fired }) => `${id} ${matched} ${fired}`).join(),
      render: () => <Armed armed={armed} t={t} />,
    },
  };
}

/** Armed faults come first: the possible ones are a long list. */
export function FaultPanel({ t, parts }: { t: T; parts: LiveParts }): JSX.Element {
  return (
    <>
      <section class="panel" aria-labelledby="faults-armed">
        <h2 id="faults-armed">{t("Active")}</h2>
        <Live id="fault-list" parts={parts} class="scroll" />
        <form class="line" hx-post="/_mock/faults" hx-swap="none" data-done={t("Fault added.")}>
          <label>
            {t("Custom rule")}{" "}
            <input type="text" name="rule" required placeholder="POST /campaigns status=502 times=2" />
          </label>
          <button type="submit">{t("Add")}</button>
        </form>
        <p class="hint">
          {t("Rule format:")} <code>METHOD PATH EFFECT [times=N] [rate=0.1]</code>
        </p>
      </section>
      <section class="panel" aria-labelledby="faults-title">
        <h2 id="faults-title">{t("Faults")}</h2>
        <p class="hint">
          {t("Each switch adds a rule. For each request, the first matching rule that is not used up fires.")}
        </p>
        <Live id="fault-switches" parts={parts} tag="ul" class="switches" />
      </section>
    </>
  );
}
