import type { JSX } from "hono/jsx/jsx-runtime";
import type { ConsoleTexts } from "../../i18n/en/console.ts";
import type { RequestRow } from "../request-log.ts";
import { buildCurl } from "./curl.ts";
import type { Reader } from "./page.tsx";
import { formatCount, formatSecond } from "./parts.tsx";

type Words = ConsoleTexts["requests"];
type Refusal = keyof Words["refusals"];

const byStatus: Readonly<Record<number, Refusal>> = {
  400: "input",
  404: "path",
  405: "method",
  413: "size",
  415: "type",
  500: "defect",
  503: "file",
};

function findRefusal({ status, direction, key, branch, error }: RequestRow): Refusal | undefined {
  if (direction === "out") {
    if (status === 0) return "silent";
    return status < 200 || status > 299 ? "declined" : undefined;
  }
  // What a fault answers has no error: the fault is the reason.
  if (error === undefined) return undefined;
  if (status !== 403) return byStatus[status];
  if (key === null) return "noKey";
  return branch === null ? "unknownKey" : "otherStore";
}

interface Reason {
  readonly what: string;
  /** What to do. */
  readonly fix?: string;
}

/** Why a request was not answered as usual, the fault that it met first, in the reader's language. */
export function explainRefusal(row: RequestRow, { faults, requests }: ConsoleTexts): Reason[] {
  const effect = row.fault?.split("=")[0] as keyof typeof faults.effects | undefined;
  const refusal = findRefusal(row);
  const reasons: Reason[] = [];
  if (effect) reasons.push({ what: faults.effects[effect].seen, fix: requests.faultFix });
  if (refusal) reasons.push(requests.refusals[refusal]);
  return reasons;
}

/** The colour of a status: that of a connection without an answer is bad. */
export function chooseTone({ status }: RequestRow): string {
  if (status === 0 || status >= 500) return "bad";
  return status >= 400 ? "warn" : "good";
}

export function formatStatus({ status, direction }: RequestRow, { requests }: ConsoleTexts): string {
  if (status > 0) return String(status);
  return direction === "out" ? requests.noAnswer : requests.reset;
}

const maxShown = 20_000;
const maxIndent = 40;

/** Each value on a line of its own; numbers and texts stay exactly as they are, which JSON.parse would not promise. */
function indent(json: string): string {
  let depth = 0;
  const line = (): string => `\n${"  ".repeat(Math.min(depth, maxIndent))}`;
  return json.replace(/"(?:[^"\\]+|\\.)*"|\s+|[{[]\s*[}\]]|[{}[\],:]/g, (token) => {
    if (token.startsWith('"')) return token;
    if (token.trim() === "") return "";
    if (token === ",") return `,${line()}`;
    if (token === ":") return ": ";
    if (token.length > 1) return `${token.slice(0, 1)}${token.slice(-1)}`;
    depth += token === "{" || token === "[" ? 1 : -1;
    return token === "{" || token === "[" ? token + line() : line() + token;
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function Body({ title, body, texts }: BodyProps): JSX.Element {
  const words = texts.requests;
  const text = body?.toString() ?? "";
  const shown = text.slice(0, maxShown);
  const size = Buffer.byteLength(text);
  return (
    <section class="body">
      <h2>
        {title} {text !== "" && <span class="dim">{words.bytes(formatCount(size, texts))}</span>}
      </h2>
      {text === "" && <p class="dim">{body === null ? words.notKept : words.noBody}</p>}
      {text !== "" && (
        <pre class="code" tabindex={0}>
          <bdi>{isJson(text) ? indent(shown) : shown}</bdi>
        </pre>
      )}
      {text.length > maxShown && <p class="dim">{words.cut}</p>}
    </section>
  );
}
interface BodyProps {
  readonly title: string;
  /** Null when it was not kept. */
  readonly body: Buffer | string | null;
  readonly texts: ConsoleTexts;
}

const listFacts = (row: RequestRow, texts: ConsoleTexts): readonly (readonly [string, string | null])[] => [
  [texts.requests.columns.time, formatSecond(row.at)],
  [texts.requests.took, `${row.ms} ms`],
  [texts.orders.branches, row.branch],
  [texts.requests.key, row.key],
  ["event_id", row.event_id ?? null],
  ["idempotency_key", row.idempotency_key ?? null],
  ["reply_id", row.reply_id ?? null],
];

/** Sends it again: a request as it came, of the webhook the reply that it brought. */
function Again({ row, words, isKept }: AgainProps): JSX.Element {
  const { id, direction, reply_id = "" } = row;
  if (direction === "out")
    return (
      <button
        type="button"
        hx-post={`/_mock/replies/${encodeURIComponent(reply_id)}/send`}
        hx-swap="none"
        data-done={words.replySent}
      >
        {words.sendReply}
      </button>
    );
  return (
    <button
      type="button"
      id="replay"
      hx-post={`/_mock/requests/${id}/replay`}
      hx-swap="none"
      data-open="/console/requests/"
      data-done={words.replayed}
      disabled={!isKept}
    >
      {words.replay}
    </button>
  );
}
interface AgainProps {
  readonly row: RequestRow;
  readonly words: Words;
  readonly isKept: boolean;
}

/** Why the request was not answered as usual; nothing where it was. */
function Reasons({ row, texts }: { row: RequestRow; texts: ConsoleTexts }): JSX.Element | null {
  const words = texts.requests;
  const reasons = explainRefusal(row, texts);
  if (reasons.length === 0 && !row.error) return null;
  return (
    <div class={`reason ${chooseTone(row)}`}>
      {row.fault && <span class="tag fault">{words.fault(row.fault)}</span>}
      {reasons.map(({ what, fix }) => (
        <p>
          <b>{what}</b> {fix}
        </p>
      ))}
      {row.error && (
        <p>
          {row.direction === undefined && words.said} <bdi class="mono">{row.error}</bdi>
        </p>
      )}
    </div>
  );
}

/** All of one request. Throws MockRefusal 404 when the log does not have it any more. */
export function RequestDialog({ log, id, texts, address }: Reader): JSX.Element {
  const { row, exchange } = log.find(Number(id));
  const words = texts.requests;
  const curl = buildCurl(row, exchange, address);
  return (
    <>
      <h1 id="dialog-title" class="request">
        <span class={chooseTone(row)}>{formatStatus(row, texts)}</span> {row.method}{" "}
        <bdi>
          {row.path}
          {row.query && `?${row.query}`}
        </bdi>
      </h1>
      <Reasons row={row} texts={texts} />
      <p class="toolbar">
        {curl !== null && (
          <button type="button" data-copy={curl}>
            {words.curl}
          </button>
        )}
        <Again row={row} words={words} isKept={curl !== null} />
        {curl === null && <span class="dim">{words.noReplay}</span>}
      </p>
      <dl class="facts">
        {listFacts(row, texts).map(
          ([name, value]) =>
            value !== null && (
              <>
                <dt>{name}</dt>
                <dd>
                  <bdi>{value}</bdi>
                </dd>
              </>
            ),
        )}
      </dl>
      <Body title={words.requestBody} body={exchange.request} texts={texts} />
      <Body title={words.responseBody} body={exchange.response} texts={texts} />
    </>
  );
}
