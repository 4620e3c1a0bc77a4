import type { JSX } from "hono/jsx/jsx-runtime";
import type { T } from "../../texts/texts.ts";
import type { RequestRow } from "../core/request-log.ts";
import { buildCurl } from "./curl.ts";
import { type Effect, effectWords } from "./fault-panel.tsx";
import type { Reader } from "./page.tsx";
import { formatCount, formatSecond } from "./parts.tsx";

type Refusal =
  | ("noKey" | "unknownKey" | "otherStore" | "input" | "path" | "method")
  | ("size" | "type" | "defect" | "file" | "silent" | "declined");

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
  // The response of a fault has no error: the fault is the reason.
  if (error === undefined) return undefined;
  if (status !== 403) return byStatus[status];
  if (key === null) return "noKey";
  return branch === null ? "unknownKey" : "otherStore";
}

interface Reason {
  readonly what: string;
  /** The advice. */
  readonly fix?: string;
}

const refusals: Readonly<Record<Refusal, (t: T) => Reason>> = {
  noKey: (t) => ({
    what: t("The request has no key."),
    fix: t("Send a key in the X-API-Key header. World lists this mock's keys."),
  }),
  unknownKey: (t) => ({
    what: t("This key belongs to no branch, or it is deactivated."),
    fix: t("Use one of the keys listed in World."),
  }),
  otherStore: (t) => ({
    what: t("The store_id and the key belong to different branches."),
    fix: t("Omit store_id, or use that branch's key."),
  }),
  input: (t) => ({
    what: t("The service refused the input. Nothing was applied."),
    fix: t("Fix what the response reports and send the request again."),
  }),
  path: (t) => ({
    what: t("This path does not exist."),
    fix: t("Check the address. World shows both addresses, and bpos openapi prints all paths."),
  }),
  method: (t) => ({
    what: t("This path does not accept this method."),
    fix: t("Use a method listed in the response."),
  }),
  size: (t) => ({
    what: t("The body is too large. Nothing was applied."),
    fix: t("Send fewer items per request."),
  }),
  type: (t) => ({
    what: t("The Content-Type is not JSON."),
    fix: t("Send the header Content-Type: application/json."),
  }),
  defect: (t) => ({
    what: t("The mock itself failed."),
    fix: t("Please report it and include this request."),
  }),
  file: (t) => ({ what: t("The mock could not use its world file."), fix: t("Send the request again.") }),
  silent: (t) => ({
    what: t("The webhook receiver did not respond."),
    fix: t("Check that it is running at this address. The mock posts each reply up to four times."),
  }),
  declined: (t) => ({
    what: t("The webhook receiver did not accept the reply."),
    fix: t("It must respond with 200 to 299. The mock posts each reply up to four times."),
  }),
};

/** Why a request was not answered normally, starting with its fault, in the reader's language. */
export function explainRefusal(row: RequestRow, t: T): Reason[] {
  const effect = row.fault?.split("=")[0] as Effect | undefined;
  const refusal = findRefusal(row);
  const reasons: Reason[] = [];
  if (effect)
    reasons.push({
      what: effectWords(effect, t).seen,
      fix: t("An active fault caused this. You can remove it in World."),
    });
  if (refusal) reasons.push(refusals[refusal](t));
  return reasons;
}

/** The colour of a status: that of a connection without an answer is bad. */
export function chooseTone({ status }: RequestRow): string {
  if (status === 0 || status >= 500) return "bad";
  return status >= 400 ? "warn" : "good";
}

export function formatStatus({ status, direction }: RequestRow, t: T): string {
  if (status > 0) return String(status);
  return t(direction === "out" ? "no response" : "reset");
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

function Body({ title, body, t }: BodyProps): JSX.Element {
  const text = body?.toString() ?? "";
  const shown = text.slice(0, maxShown);
  const size = Buffer.byteLength(text);
  return (
    <section class="body">
      <h2>
        {title}{" "}
        {text !== "" && <span class="dim">{t("{count} bytes", { count: formatCount(size, t) })}</span>}
      </h2>
      {text === "" && (
        <p class="dim">
          {body === null
            ? t(
                "Not kept: it was not read, is larger than 1 MiB, or was dropped to make room for newer requests.",
              )
            : t("None // a body")}
        </p>
      )}
      {text !== "" && (
        <pre class="code" tabindex={0}>
          <bdi>{isJson(text) ? indent(shown) : shown}</bdi>
        </pre>
      )}
      {text.length > maxShown && <p class="dim">{t("Only the start is shown.")}</p>}
    </section>
  );
}
interface BodyProps {
  readonly title: string;
  /** Null when it was not kept. */
  readonly body: Buffer | string | null;
  readonly t: T;
}

const listFacts = (row: RequestRow, t: T): readonly (readonly [string, string | null])[] => [
  [t("Time // of a request"), formatSecond(row.at)],
  [t("Duration"), `${row.ms} ms`],
  [t("Branch"), row.branch],
  [t("Key"), row.key],
  ["event_id", row.event_id ?? null],
  ["idempotency_key", row.idempotency_key ?? null],
  ["reply_id", row.reply_id ?? null],
];

/** Sends it again: a request unchanged; for a webhook attempt, its reply. */
function Again({ row, t, isKept }: AgainProps): JSX.Element {
  const { id, direction, reply_id = "" } = row;
  if (direction === "out")
    return (
      <button
        type="button"
        hx-post={`/_mock/replies/${encodeURIComponent(reply_id)}/send`}
        hx-swap="none"
        data-done={t("The reply was posted again. The log shows the result.")}
      >
        {t("Post the reply again")}
      </button>
    );
  return (
    <button
      type="button"
      id="replay"
      hx-post={`/_mock/requests/${id}/replay`}
      hx-swap="none"
      data-open="/console/requests/"
      data-done={t("The request was sent again. This is the new request.")}
      disabled={!isKept}
    >
      {t("Replay")}
    </button>
  );
}
interface AgainProps {
  readonly row: RequestRow;
  readonly t: T;
  readonly isKept: boolean;
}

/** Why the request was not answered normally; empty if it was. */
function Reasons({ row, t }: { row: RequestRow; t: T }): JSX.Element | null {
  const reasons = explainRefusal(row, t);
  if (reasons.length === 0 && !row.error) return null;
  return (
    <div class={`reason ${chooseTone(row)}`}>
      {row.fault && <span class="tag fault">{t("fault {effect}", { effect: row.fault })}</span>}
      {reasons.map(({ what, fix }) => (
        <p>
          <b>{what}</b> {fix}
        </p>
      ))}
      {row.error && (
        <p>
          {row.direction === undefined && t("Response:")} <bdi class="mono">{row.error}</bdi>
        </p>
      )}
    </div>
  );
}

/** All of one request. Throws MockRefusal 404 when the log no longer has it. */
export function RequestDialog({ log, id, t, address }: Reader): JSX.Element {
  const { row, exchange } = log.find(Number(id));
  const curl = buildCurl(row, exchange, address);
  return (
    <>
      <h1 id="dialog-title" class="request">
        <span class={chooseTone(row)}>{formatStatus(row, t)}</span> {row.method}{" "}
        <bdi>
          {row.path}
          {row.query && `?${row.query}`}
        </bdi>
      </h1>
      <Reasons row={row} t={t} />
      <p class="toolbar">
        {curl !== null && (
          <button type="button" data-copy={curl}>
            {t("Copy as curl")}
          </button>
        )}
        <Again row={row} t={t} isKept={curl !== null} />
        {curl === null && (
          <span class="dim">{t("The body was not kept, so the request cannot be sent again.")}</span>
        )}
      </p>
      <dl class="facts">
        {listFacts(row, t).map(
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
      <Body title={t("Request body")} body={exchange.request} t={t} />
      <Body title={t("Response body")} body={exchange.response} t={t} />
    </>
  );
}
