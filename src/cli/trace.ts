import { type CallRequest, type CallTrace, callRequest } from "../api/call.ts";
import { type AttemptRecord, parseBase } from "../api/client.ts";
import type { Proxies } from "../api/proxy.ts";
import type { TransportAnswer } from "../api/transport.ts";
import { endpoints } from "../contract/endpoints.ts";
import { masker } from "../errors/mask-key.ts";
import type { Texts } from "../i18n/en.ts";
import type { GlobalFlags } from "./command-line.ts";
import { maskKey, maskPhone, visible } from "./format.ts";
import type { Runtime } from "./runtime.ts";

interface Hiding {
  texts: Texts;
  apiKey: string;
  /** The key, masked. */
  key: string;
  readonly scrub: (text: string) => string;
}

/** How much of a body is shown, in characters. */
const mostOfBody = 4096;

/** What may stand between the groups of a phone, in JSON and in addresses, too. */
const between = String.raw`(?:[().\t\p{Zs}\p{Pd}]|%20|\\t)`;

// Between letters of a hexadecimal number digits are no phone; behind an escape such as \n they may be one.
const digits = new RegExp(
  String.raw`(?:\+|%2B|(?<![\da-f])(?!\d{4}-\d\d-\d\d))\(?\d(?:${between}{0,3}\d){9,14}(?![\da-f])|(?<=\\[bfnrt])\d{10,15}`,
  "giu",
);

/** A phone that was cut, at the end of a text. */
const cutPhone = new RegExp(String.raw`(?:[+\d\\]|%2B|${between})+$`, "iu");

const phoneSign = /[+\d\p{Zs}\p{Pd}]/u;
const signOf = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

/** A text in which no sign of a phone is written as an escape. */
function undone(text: string): string {
  return text
    .replace(/%(?:25)+(?=[\da-f]{2})/gi, "%")
    .replace(/%(3\d)/g, (_, hex: string) => signOf(hex))
    .replace(/\\u([\da-f]{4})/gi, (whole, hex: string) =>
      phoneSign.test(signOf(hex)) ? signOf(hex) : whole,
    );
}

/** What of JSON may hold a phone: the value of a name that says so, never that of a code of ours; else texts and long whole numbers. */
const parts = new RegExp(
  [
    String.raw`("[^"\\\n]{0,40}(?:phone|tel[eé]f|celular|m[oó]vil|whatsapp|wa_id|msisdn)[^"\\\n]{0,40}"\s*:\s*)("(?:[^"\\]|\\.)*"?|\d+)`,
    String.raw`("(?:codigo|(?:order|event|campaign|send|push|store|template)_id|idempotency_key)"\s*:\s*(?:"(?!\s*(?:\+|%2B))(?:[^"\\]|\\.)*"?|\d+))`,
    String.raw`("(?:[^"\\]|\\.)*"?)`,
    // Thirteen digits that begin with 1 are a time of this age.
    String.raw`((?<![\d.eE+-])(?!1\d{12}(?!\d))\d{10,15}(?![\d.eE]))`,
  ].join("|"),
  "giu",
);

const plainDigits = (run: string): string =>
  run
    .replace(/%2B/gi, "+")
    .replace(/%20/g, "")
    .replace(/[^\d+]/g, "");

const maskRuns = (text: string): string => text.replace(digits, (run) => maskPhone(plainDigits(run)));

function maskPart(...[whole, name, phone, code, string]: (string | undefined)[]): string {
  if (name !== undefined && phone !== undefined) return `${name}"${maskPhone(plainDigits(phone))}"`;
  return code ?? (string === undefined ? maskPhone(whole ?? "") : maskRuns(string));
}

/** The same of JSON, which need not be whole. */
const maskJson = (text: string): string =>
  text.replace(parts, (...match: (string | undefined)[]) => maskPart(...match));

const lines = (sign: string, text: string): string =>
  text
    .split("\n")
    .map((line) => `${sign} ${visible(line)}`.trimEnd())
    .join("\n");

function bodyText(sign: string, text: string, { texts, scrub }: Hiding): string {
  if (text === "") return "";
  // The key goes before the text is cut: of one that is cut, half would stay.
  const whole = scrub(undone(text));
  const isCut = whole.length > mostOfBody;
  const begin = isCut ? whole.slice(0, mostOfBody).replace(cutPhone, "") : whole;
  const masked = /^\s*[{["]/.test(begin) ? maskJson(begin) : maskRuns(begin);
  const more = isCut ? `\n${sign} ${texts.network.more(whole.length - begin.length)}` : "";
  return `${sign}\n${lines(sign, masked)}${more}\n`;
}

function headerText(sign: string, headers: TransportAnswer["headers"], { key, scrub }: Hiding): string {
  return Object.entries(headers)
    .flatMap(([name, values]) => [values ?? []].flat().map((value) => [name, value] as const))
    .map(([name, value]) => {
      if (name === "X-API-Key") return lines(sign, `${name}: ${key}`);
      // Cookies open doors, too.
      const shown = /^set-cookie2?$/i.test(name) ? "…" : maskRuns(scrub(undone(value)));
      return `${sign} ${visible(scrub(name))}: ${visible(shown)}`;
    })
    .map((line) => `${line}\n`)
    .join("");
}

/** A path with its query as it may be shown: the id of a campaign that is asked for stays. */
function pathText(path: string, { scrub }: Pick<Hiding, "scrub">): string {
  const text = scrub(undone(path));
  const [campaign = ""] = /^[^?]*\/campaigns\/(?!\+|%2B)[^/?]+/i.exec(text) ?? [];
  return visible(campaign + maskRuns(text.slice(campaign.length)));
}

function requestText(
  { method, origin, path, headers, body }: CallRequest,
  look: Hiding,
  { attempt, via }: { attempt: number; via: string | undefined },
): string {
  const way = via === undefined ? "" : `${lines(">", look.texts.network.via(via))}\n`;
  const first = look.texts.network.attempt(`${method} ${origin}${pathText(path, look)}`, attempt);
  const text = body === undefined ? "" : new TextDecoder().decode(body);
  return `${lines(">", first)}\n${way}${headerText(">", headers, look)}${bodyText(">", text, look)}`;
}

function answerText(
  { status, headers, text }: TransportAnswer,
  { method, path }: Pick<CallRequest, "method" | "path">,
  look: Hiding,
): string {
  const first = look.texts.network.answer(status, `${method} ${pathText(path, look)}`);
  return `${lines("<", first)}\n${headerText("<", headers, look)}${bodyText("<", text, look)}`;
}

// What may act on a terminal or hide, and what a terminal may not have or not copy. Inside of JSON texts an escape means the
// same; outside of them it has only blanks.
const unsafe = /[^\n\t\x20-\x7e]/gu;
const escaped = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");

const safeJson = (text: string): string => text.replaceAll("\r", " ").replace(unsafe, escaped);

/** A text as one word of a POSIX shell, with the variable wherever it holds the key. */
function word(text: string, { apiKey, scrub }: Hiding): string {
  const quoted = (part: string): string => `'${scrub(part).replaceAll("'", String.raw`'\''`)}'`;
  return text.split(apiKey).map(quoted).join(`"$BPOS_API_KEY"`);
}

// Linux takes at most 128 KiB as one argument; printf is part of the shell and takes any.
const longestArgument = 100_000;

/** The body is as it is, phones included. `proxy` is its variable; null where the environment has one that is not meant. */
function curlCommand(
  { method, origin, path, headers, body }: CallRequest,
  hiding: Hiding,
  { caFile, proxy }: { caFile: string | undefined; proxy: string | null | undefined },
): string {
  const json = body === undefined ? undefined : safeJson(new TextDecoder().decode(body));
  const isLong = json !== undefined && Buffer.byteLength(json) > longestArgument;
  const data = json === undefined ? undefined : word(json, hiding);
  const options = Object.entries(headers)
    .filter(([name]) => name !== "accept-encoding")
    .map(([name, value]) =>
      name === "X-API-Key" ? `-H "${name}: $BPOS_API_KEY"` : `-H ${word(`${name}: ${value}`, hiding)}`,
    );
  // As a flag, so that curl also undoes the encoding.
  options.push("--compressed");
  if (caFile !== undefined) options.push(`--cacert ${word(caFile, hiding)}`);
  if (proxy === null) options.push("--noproxy '*'");
  if (typeof proxy === "string") options.push(`--proxy "$${proxy}"`);
  if (data !== undefined) options.push(isLong ? "--data-binary @-" : `--data-raw ${data}`);
  const command = [`curl -X ${method} ${word(origin + path, hiding)}`, ...options].join(" \\\n  ");
  return isLong ? `printf %s ${data} | ${command}` : command;
}

export interface Tracing {
  onAttempt?: (record: AttemptRecord) => void;
  trace?: CallTrace;
  /** Prints a call that is not made; only with `--curl`. */
  wouldCall?: (name: "pushCatalog" | "sendCampaign", body: Buffer) => void;
}

export function outcomeOf({ status, failure, error }: AttemptRecord, { detail }: Texts): string {
  const said = error === undefined ? "" : detail(error);
  return [status, failure === undefined ? said : `${failure}: ${said}`].filter(Boolean).join(" ");
}

export const isTraced = ({ verbose, curl }: Pick<GlobalFlags, "verbose" | "curl">): boolean =>
  verbose !== undefined || curl === true;

export function openTracing(
  runtime: Runtime,
  { apiKey, address, proxies }: { apiKey: string; address: string; proxies: Proxies | undefined },
): Tracing {
  const { texts, system, flags } = runtime;
  const { verbose = 0, curl = false, caFile } = flags;
  if (verbose === 0 && !curl) return {};
  const key = maskKey(apiKey);
  const look = { texts, apiKey, key, scrub: masker(apiKey, key) };
  const write = (text: string): void => {
    // A log line that nobody reads must not stop the work.
    system.stderr.write(`${text.trimEnd()}\n`).catch(() => undefined);
  };
  const printCurl = (request: CallRequest): void => {
    const proxy = proxies === undefined ? undefined : (proxies.of(request.origin)?.variable ?? null);
    write(curlCommand(request, look, { caFile, proxy }));
  };
  const trace: CallTrace = {
    request(request, attempt) {
      const proxy = proxies?.of(request.origin);
      const via = proxy === undefined ? undefined : `${proxy.shown} (${proxy.variable})`;
      // Another try is the same command again.
      if (curl && attempt === 1) printCurl(request);
      if (verbose > 1) write(requestText(request, look, { attempt, via }));
    },
    answer(answer, request) {
      if (verbose > 1) write(answerText(answer, request, look));
    },
  };
  const onAttempt = (record: AttemptRecord): void => {
    const { endpoint, url, status, ms, attempt, waitMs } = record;
    const outcome = status === undefined ? outcomeOf(record, texts) : String(status);
    const { origin, pathname, search } = new URL(url);
    const request = `${endpoint.split(" ", 1).join("")} ${origin}${pathText(pathname + search, look)}`;
    const line = { endpoint: request, outcome, ms: Math.round(ms), attempt, waitMs };
    write(visible(look.scrub(texts.notices.request(line))));
  };
  const wouldCall: NonNullable<Tracing["wouldCall"]> = (name, body) => {
    const endpoint = endpoints[name];
    const base = parseBase(endpoint.base, address);
    if (base === undefined) return;
    const there = { origin: base.origin, path: base.path + endpoint.path };
    printCurl(callRequest(endpoint, there, body));
  };
  return { trace, ...(verbose > 0 && { onAttempt }), ...(curl && { wouldCall }) };
}
