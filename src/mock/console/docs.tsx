import type { JSX } from "hono/jsx/jsx-runtime";
import { openApiDocument } from "../../contract/openapi.ts";
import type { ConsoleTexts } from "../../i18n/en/console.ts";
import { campaignsBase } from "../faults.ts";
import { quoteWord } from "./curl.ts";
import { FieldTable, type Schema, type SchemaReader } from "./docs-fields.tsx";
import type { Reader, View } from "./page.tsx";

interface Media {
  readonly schema: Schema;
  readonly example: unknown;
}
type Content = Readonly<Record<"application/json", Media>>;
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
  readonly servers?: readonly Server[];
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly example?: string;
  readonly schema: Schema;
}
interface Server {
  readonly url: string;
  readonly description: string;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;
interface Document {
  readonly info: { readonly title: string; readonly description: string; readonly version: string };
  readonly servers: readonly Server[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Paths;
  readonly webhooks: Paths;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}
interface Call {
  readonly method: string;
  /** Of a webhook its name. */
  readonly path: string;
  readonly operation: Operation;
}
interface Page extends SchemaReader {
  readonly document: Document;
  readonly calls: readonly Call[];
  readonly key: string;
  /** The newest one that was sent with the key. */
  readonly campaignId: string | undefined;
  readonly texts: ConsoleTexts;
}

/** The description of the service (`bpos openapi`), with the addresses of this mock. */
export const describeService = (address: string): Record<string, unknown> =>
  openApiDocument({ base_url: address, campaigns_base_url: address + campaignsBase });

const listCalls = (paths: Paths): Call[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** A command that makes this call to this mock. */
function buildCurl({ method, path, operation }: Call, { key, campaignId }: Page): string {
  const { parameters = [], requestBody, servers = [] } = operation;
  const id = campaignId ?? parameters.find(({ name }) => name === "campaign_id")?.example ?? "";
  const address = (servers[0]?.url ?? "") + path.replace("{campaign_id}", id);
  const parts = [`curl ${method === "GET" ? "" : `-X ${method} `}${quoteWord(address)}`];
  parts.push(`-H ${quoteWord(`X-API-Key: ${key}`)}`);
  const body = requestBody && json(requestBody.content["application/json"].example);
  if (body) parts.push("-H 'Content-Type: application/json'", `--data-raw ${quoteWord(body)}`);
  return parts.join(" \\\n  ");
}

function Code({ title, text, copy }: { title: string; text: string; copy?: string }): JSX.Element {
  return (
    <figure>
      <figcaption>
        {title}
        {copy && (
          <button type="button" data-copy={text}>
            {copy}
          </button>
        )}
      </figcaption>
      <pre class="code" tabindex={0}>
        {text}
      </pre>
    </figure>
  );
}

/** Parameters as the fields of an object. */
const toSchema = (parameters: readonly Parameter[]): Schema => ({
  properties: Object.fromEntries(
    parameters.map(({ name, schema, description, example }) => [
      name,
      { ...schema, description, ...(example !== undefined && { examples: [example] }) },
    ]),
  ),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
});

function Answers({ operation, page }: { operation: Operation; page: Page }): JSX.Element {
  const words = page.texts.docs;
  return (
    <>
      {Object.entries(operation.responses).map(([status, { description, content }]) => {
        const media = content?.["application/json"];
        const isDone = status.startsWith("2");
        return (
          <section>
            <h4>
              <span class={isDone ? "good" : "warn"}>{status}</span> {isDone ? words.answer : words.error}
            </h4>
            <p lang="en">{description}</p>
            {media && isDone && <FieldTable schema={media.schema} reader={page} />}
            {media && !isDone && (
              <details>
                <summary>
                  {words.example} {status}
                </summary>
                <pre class="code" tabindex={0}>
                  {json(media.example)}
                </pre>
                <a href="#problem">{words.errors}</a>
              </details>
            )}
          </section>
        );
      })}
    </>
  );
}

function Examples({ call, page }: { call: Call; page: Page }): JSX.Element {
  const { docs, copy } = page.texts;
  const { requestBody, responses, servers } = call.operation;
  const done = responses["200"]?.content?.["application/json"];
  const body = requestBody?.content["application/json"];
  return (
    <div class="samples">
      {servers && <Code title="curl" text={buildCurl(call, page)} copy={copy} />}
      {!servers && body && <Code title={docs.example} text={json(body.example)} />}
      {done && <Code title={docs.answer} text={json(done.example)} />}
    </div>
  );
}

function CallSection({ call, page }: { call: Call; page: Page }): JSX.Element {
  const { method, path, operation } = call;
  const { operationId, summary, description, parameters = [], requestBody, servers } = operation;
  const words = page.texts.docs;
  return (
    <section class="call" id={operationId}>
      <div>
        <h3 lang="en">
          <a href={`#${operationId}`}>{summary}</a>
        </h3>
        <p class="path">
          <span class="tag">{servers ? method : words.webhook}</span>{" "}
          <code>{servers ? `${servers[0]?.url ?? ""}${path}` : method}</code>
        </p>
        <p lang="en">{description}</p>
        {parameters.length > 0 && (
          <>
            <h4>{words.parameters}</h4>
            <FieldTable schema={toSchema(parameters)} reader={page} />
          </>
        )}
        {requestBody && (
          <>
            <h4>{words.body}</h4>
            <FieldTable schema={requestBody.content["application/json"].schema} reader={page} />
          </>
        )}
        <Answers operation={operation} page={page} />
      </div>
      <Examples call={call} page={page} />
    </section>
  );
}

function Contents({ page: { document, calls, texts } }: { page: Page }): JSX.Element {
  return (
    <nav class="contents" aria-label={texts.docs.contents}>
      <ul>
        {document.tags.map(({ name }) => (
          <li>
            <a href={`#tag-${name}`}>
              <b>{name}</b>
            </a>
            <ul>
              {calls
                .filter(({ operation }) => operation.tags.includes(name))
                .map(({ method, path, operation: { operationId, servers } }) => (
                  <li>
                    <a href={`#${operationId}`}>
                      {servers ? `${method} ${path}` : `${texts.docs.webhook} ${path}`}
                    </a>
                  </li>
                ))}
            </ul>
          </li>
        ))}
        <li>
          <a href="#problem">
            <b>{texts.docs.errors}</b>
          </a>
        </li>
      </ul>
    </nav>
  );
}

function Intro({ page: { document, texts, key } }: { page: Page }): JSX.Element {
  const { info, servers } = document;
  const words = texts.docs;
  return (
    <>
      <div class="toolbar">
        <h1>{words.title}</h1>
        <span class="dim">
          <span lang="en">{info.title}</span> {info.version}
        </span>
        <a class="button" href="/openapi.json">
          openapi.json
        </a>
      </div>
      <p lang="en">{info.description}</p>
      <dl class="facts">
        {servers.map(({ url, description }) => (
          <>
            <dt lang="en">{description}</dt>
            <dd>
              <code>{url}</code>
            </dd>
          </>
        ))}
        <dt>X-API-Key</dt>
        <dd>
          <code>{key}</code> <span class="hint">{words.keyHint}</span>
        </dd>
      </dl>
    </>
  );
}

function body(reader: Reader): JSX.Element {
  const { address, texts, live } = reader;
  const document = describeService(address) as unknown as Document;
  const calls = [...listCalls(document.paths), ...listCalls(document.webhooks)];
  const { keys, campaigns } = live.look().world;
  const [key = ""] = keys.keys();
  const campaignId = [...campaigns.values()].findLast((each) => each.key === key)?.campaign_id;
  const { schemas } = document.components;
  const page: Page = { document, calls, key, campaignId, texts, schemas, words: texts.docs };
  return (
    <div class="reference">
      <Contents page={page} />
      <div>
        <Intro page={page} />
        {document.tags.map(({ name, description }) => (
          <section>
            <h2 id={`tag-${name}`} class="group">
              {name}
            </h2>
            <p lang="en">{description}</p>
            {calls
              .filter(({ operation }) => operation.tags.includes(name))
              .map((call) => (
                <CallSection call={call} page={page} />
              ))}
          </section>
        ))}
        <section>
          <h2 id="problem" class="group">
            {texts.docs.errors}
          </h2>
          <p>{texts.docs.errorsHint}</p>
          <FieldTable schema={{ $ref: "#/components/schemas/Problem" }} reader={page} />
        </section>
      </div>
    </div>
  );
}

export const docsView: View = { tab: "docs", path: "/docs", live: () => ({}), body };
