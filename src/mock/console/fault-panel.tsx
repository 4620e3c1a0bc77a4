import type { JSX } from "hono/jsx/jsx-runtime";
import type { ConsoleTexts } from "../../i18n/en/console.ts";
import { type ArmedFault, formatRule, isUsedUp, parseFaultRule } from "../faults.ts";
import { Live, type LiveParts, type Reader } from "./page.tsx";
import { formatCount } from "./parts.tsx";

type Effect = keyof ConsoleTexts["faults"]["effects"];

/** What people rehearse most. Those that could message somebody twice come first, and fire once. */
const presets: Readonly<Record<Effect, string>> = {
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
};

function Switch({ effect, armed, texts }: SwitchProps): JSX.Element {
  const rule = presets[effect];
  const asText = formatRule(parseFaultRule(rule));
  const on = armed.find((fault) => !isUsedUp(fault) && formatRule(fault) === asText);
  const { name, seen } = texts.faults.effects[effect];
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
  readonly texts: ConsoleTexts;
}

function Armed({ armed, texts }: Omit<SwitchProps, "effect">): JSX.Element {
  const words = texts.faults;
  if (armed.length === 0) return <p class="dim">{words.none}</p>;
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.rule}</th>
            <th scope="col" class="number">
              {words.matched}
            </th>
            <th scope="col" class="number">
              {words.fired}
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {armed.map((fault) => (
            <tr class={isUsedUp(fault) ? "dim" : undefined}>
              <td>
                <bdi class="mono">{formatRule(fault)}</bdi>{" "}
                {isUsedUp(fault) && <span class="tag fault">{words.usedUp}</span>}
              </td>
              <td class="number">{formatCount(fault.matched, texts)}</td>
              <td class="number">{formatCount(fault.fired, texts)}</td>
              <td class="number">
                <button
                  type="button"
                  id={`remove-${fault.id}`}
                  aria-label={words.removeRule(formatRule(fault))}
                  hx-delete={`/_mock/faults/${fault.id}`}
                  hx-swap="none"
                >
                  {words.remove}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <button type="button" id="remove-all" class="danger" hx-delete="/_mock/faults" hx-swap="none">
          {words.removeAll}
        </button>
      </p>
    </>
  );
}

/** The switches, and what is armed; what a request only met moves no switch. */
export function faultParts({ live, texts }: Reader): LiveParts {
  const { armed } = live.look().world.faults;
  const effects = Object.keys(presets) as Effect[];
  return {
    "fault-switches": {
      key: armed.map((fault) => `${fault.id}${isUsedUp(fault) ? " used" : ""}`).join(),
      render: () => (
        <>
          {effects.map((effect) => (
            <Switch effect={effect} armed={armed} texts={texts} />
          ))}
        </>
      ),
    },
    "fault-list": {
      key: armed.map(({ id, matched, fired }) => `${id} ${matched} ${fired}`).join(),
      render: () => <Armed armed={armed} texts={texts} />,
    },
  };
}

/** What is armed comes first: what could be is a long list. */
export function FaultPanel({ texts, parts }: { texts: ConsoleTexts; parts: LiveParts }): JSX.Element {
  const words = texts.faults;
  return (
    <>
      <section class="panel" aria-labelledby="faults-armed">
        <h2 id="faults-armed">{words.armed}</h2>
        <Live id="fault-list" parts={parts} class="scroll" />
        <form class="line" hx-post="/_mock/faults" hx-swap="none" data-done={words.added}>
          <label>
            {words.own}{" "}
            <input type="text" name="rule" required placeholder="POST /campaigns status=502 times=2" />
          </label>
          <button type="submit">{words.add}</button>
        </form>
        <p class="hint">
          {words.grammar} <code>METHOD PATH EFFECT [times=N] [rate=0.1]</code>
        </p>
      </section>
      <section class="panel" aria-labelledby="faults-title">
        <h2 id="faults-title">{words.title}</h2>
        <p class="hint">{words.hint}</p>
        <Live id="fault-switches" parts={parts} tag="ul" class="switches" />
      </section>
    </>
  );
}
