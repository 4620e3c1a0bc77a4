import type { JSX } from "hono/jsx/jsx-runtime";
import type { ConsoleTexts } from "../../i18n/en/console.ts";
import type { Template } from "../campaigns.ts";
import { campaignsBase } from "../faults.ts";
import type { Reader } from "./page.tsx";
import { chooseBranch } from "./parts.tsx";

type Words = ConsoleTexts["send"];

const samples = { none: "", image: "promo.jpg", video: "local.mp4", document: "menu.pdf" };
const people = [
  ["+5491155550002", "Ana", "1024"],
  ["+5491155550003", "Bruno", "1025"],
  ["+5491155551234", "Carla", "1026"],
] as const;

/** A recipient a line, with as many values as the template takes. */
const listPeople = ({ params }: Template): string =>
  people
    .map(([phone, ...values]) =>
      [phone, ...Array.from({ length: params }, (_, n) => values[n] ?? `valor ${n + 1}`)].join(", "),
    )
    .join("\n");

/** Shows the form again with what was chosen. */
const showAgain = {
  "hx-get": "/console/send",
  "hx-trigger": "change",
  "hx-include": "#send-branch, #send-template",
  "hx-target": "#send",
  "hx-select": "#send",
  "hx-swap": "outerHTML",
};

function Choices({ branches, branch, templates, template, words }: ChoicesProps): JSX.Element {
  return (
    <div class="fields">
      <label>
        {words.branch}
        <select id="send-branch" name="branch" data-local {...showAgain}>
          {branches.map((each) => (
            <option selected={each === branch}>{each}</option>
          ))}
        </select>
      </label>
      <label class="wide">
        {words.template}
        <select id="send-template" name="template_name" {...showAgain}>
          {templates.map(({ name }) => (
            <option selected={name === template.name}>{name}</option>
          ))}
        </select>
      </label>
      {template.languages.length > 1 && (
        <label>
          {words.language}
          <select name="template_language">
            {template.languages.map((each) => (
              <option>{each}</option>
            ))}
          </select>
        </label>
      )}
      {template.header !== "none" && (
        <label class="wide">
          {words.header}
          <input
            type="url"
            name="header_media_url"
            required
            value={`https://example.com/${samples[template.header]}`}
          />
        </label>
      )}
    </div>
  );
}
interface ChoicesProps {
  readonly branches: readonly string[];
  readonly branch: string;
  readonly templates: readonly Template[];
  readonly template: Template;
  readonly words: Words;
}

/** A form that sends a campaign as a client of the service would, with the key of the branch. */
export function sendForm(reader: Reader): JSX.Element {
  const { live, texts, query } = reader;
  const words = texts.send;
  const { world, age } = live.look();
  const templates = [...world.templates.values()].filter(({ state }) => state === "approved");
  const template = templates.find(({ name }) => name === query["template_name"]) ?? templates[0];
  if (!template) return <h1 id="dialog-title">{words.noTemplate}</h1>;
  const branch = chooseBranch(reader);
  const key = [...world.keys.values()].find((each) => each.branch === branch)?.key;
  return (
    <form
      id="send"
      class="compose"
      hx-post={`${campaignsBase}/campaigns`}
      hx-headers={JSON.stringify({ "X-API-Key": key })}
      hx-swap="none"
      data-draft={`send ${template.name}`}
      data-go="/console/campaigns/"
    >
      <h1 id="dialog-title">{words.title}</h1>
      <input type="hidden" name="idempotency_key" value={`console-${world.campaigns.size + 1}-${age}`} />
      <Choices
        branches={[...world.catalogs.keys()]}
        branch={branch}
        templates={templates}
        template={template}
        words={words}
      />
      <p class="hint">
        <bdi>{template.body}</bdi>
      </p>
      <label class="stacked">
        {words.recipients}
        <textarea name="recipients" rows={5} required data-recipients>
          {listPeople(template)}
        </textarea>
      </label>
      <p class="hint">{words.phones}</p>
      <div class="fields">
        <label class="wide">
          {words.ref}
          <input name="external_ref" maxlength={128} autocomplete="off" />
        </label>
        <button type="submit" class="primary">
          {words.send}
        </button>
      </div>
    </form>
  );
}
