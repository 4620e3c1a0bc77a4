import { type CallRequest, type CallTrace, callRequest } from "../../api/call.ts";
import { type AttemptRecord, parseBase } from "../../api/client.ts";
import type { Proxies } from "../../api/proxy.ts";
import type { TransportAnswer } from "../../api/transport.ts";
import { endpoints } from "../../contract/endpoints.ts";
import { masker } from "../../errors/mask-key.ts";
import { detailWords } from "../../errors/words/details.ts";
import type { ClientCertFiles } from "../../settings/client-cert.ts";
import type { T, Texts } from "../../texts/texts.ts";
import { maskKey, visible } from "../display/format.ts";
import { escapeUnit } from "../display/json.ts";
import type { LogFacts } from "../display/log.ts";
import type { GlobalFlags } from "../line/global-flags.ts";
import type { Runtime } from "../runtime.ts";
import { maskPersons, showPhone } from "./mask-persons.ts";

interface Hiding {
  texts: Texts;
  apiKey: string;
  key: string;
  readonly scrub: (text: string) => string;
}

const maxBody = 4096;
const phoneSign = /[+\d\p{Zs}\p{Pd}]/u;
const toCharacter = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

/** A text in which no sign of a phone is written as an escape. */
function unescapeText(text: string): string {
  return text
    .replace(/%(?:25)+(?=[\da-f]{2})/gi, "%")
    .replace(/%(20|2B|3\d)/gi, (_, hex: string) => toCharacter(hex))
    .replace(/\\u([\da-f]{4})/gi, (whole, hex: string) =>
      phoneSign.test(toCharacter(hex)) ? toCharacter(hex) : whole,
    );
}

/** A run of digits as long as a phone, with the signs between them that people write. Within a hexadecimal number it is none. */
const phones =
  /(?:\+|(?<=\\[bfnrt])|(?<![\da-f]))\(?\d(?:(?:[().\t\p{Zs}\p{Pd}]|\\t){0,3}\d){9,14}(?![\da-f])/giu;

const maskPhones = (text: string): string => text.replace(phones, showPhone);

const lines = (sign: string, text: string): string => {
  const signed = text.split("\n").map((line) => `${sign} ${visible(line)}`.trimEnd());
  return signed.join("\n");
};

function bodyText(sign: string, text: string, { texts, scrub }: Hiding): string {
  if (text === "") return "";
  // Before it is cut: of a phone or a key that is cut, half would stay.
  const whole = maskPersons(scrub(unescapeText(text)), maskPhones);
  const left = whole.length - maxBody;
  const more = left > 0 ? `\n${sign} ${texts.t("… {left} more characters are not shown", { left })}` : "";
  return `${sign}\n${lines(sign, whole.slice(0, maxBody))}${more}\n`;
}

function headerText(sign: string, headers: TransportAnswer["headers"], { key, scrub }: Hiding): string {
  const showHeader = (name: string, value: string): string => {
    if (name === "X-API-Key") return key;
    // Cookies are credentials too.
    return /^set-cookie2?$/i.test(name) ? "…" : maskPhones(scrub(unescapeText(value)));
  };
  const all = Object.entries(headers).flatMap(([name, values]) =>
    [values ?? []]
      .flat()
      .map((value) => `${sign} ${visible(scrub(name))}: ${visible(showHeader(name, value))}\n`),
  );
  return all.join("");
}

/** A path with its query, without phones: the id of a campaign that is asked for stays. */
function maskPath(path: string): string {
  const [campaign = ""] = /^[^?]*\/campaigns\/(?!\+|%2B)[^/?]+/i.exec(path) ?? [];
  return campaign + maskPhones(path.slice(campaign.length));
}

const pathText = (path: string, { scrub }: Pick<Hiding, "scrub">): string =>
  visible(maskPath(scrub(unescapeText(path))));

/** A text as one word of a POSIX shell, with the variable wherever it holds the key. */
function word(text: string, { apiKey, scrub }: Hiding): string {
  const quote = (part: string): string => `'${scrub(part).replaceAll("'", String.raw`'\''`)}'`;
  return text.split(apiKey).map(quote).join(`"$BPOS_API_KEY"`);
}

// Linux takes at most 128 KiB as one argument; printf is part of the shell and takes any.
const maxArgument = 100_000;

function curlCommand(
  { method, origin, path, headers, body }: CallRequest,
  hiding: Hiding,
  more: readonly string[],
): string {
  const options = Object.entries(headers)
    .filter(([name]) => name !== "accept-encoding")
    .map(([name, value]) =>
      name === "X-API-Key" ? `-H "${name}: $BPOS_API_KEY"` : `-H ${word(`${name}: ${value}`, hiding)}`,
    );
  // As a flag, so that curl also undoes the encoding.
  options.push("--compressed", ...more);
  // Within the texts of JSON an escape means the same, and a terminal may not have or not copy the sign; beside them are only blanks.
  const text = new TextDecoder().decode(body);
  // Only by their fields: the text of a product is sent as it is.
  const masked = maskPersons(text, (each) => each);
  const json = masked.replaceAll("\r", " ").replace(/[^\n\t\x20-\x7e]/g, escapeUnit);
  const data = word(json, hiding);
  const isLong = data.length > maxArgument;
  if (body !== undefined) options.push(isLong ? "--data-binary @-" : `--data-raw ${data}`);
  const command = [`curl -X ${method} ${word(origin + maskPath(path), hiding)}`, ...options].join(" \\\n  ");
  const warning =
    masked === text
      ? ""
      : `# ${hiding.texts.t("Personal data is masked (…). Put it back before you run this.")}\n`;
  return warning + (isLong ? `printf %s ${data} | ${command}` : command);
}

export function describeOutcome({ status, failure, error }: AttemptRecord, { t }: Pick<Texts, "t">): string {
  const said = error === undefined ? "" : detailWords(error, t);
  return [status, failure === undefined ? said : `${failure}: ${said}`].filter(Boolean).join(" ");
}

export const isTraced = ({ verbose, curl }: GlobalFlags): boolean => verbose !== undefined || curl === true;

export interface Tracing {
  onAttempt?: (record: AttemptRecord) => void;
  trace?: CallTrace;
  /** Prints a call that is not made; only with `--curl`. */
  wouldCall?: (name: "pushCatalog" | "sendCampaign", body: Buffer) => void;
}

/** The requests of a call, and with -vv their answers too. */
function openCallTrace(
  { texts: { t }, flags }: Runtime,
  hiding: Hiding,
  {
    proxies,
    write,
    printCurl,
  }: {
    proxies: Proxies | undefined;
    write: (text: string, facts: LogFacts) => void;
    printCurl: (request: CallRequest) => void;
  },
): CallTrace {
  const { verbose = 0, curl = false } = flags;
  return {
    request(request, attempt) {
      const { method, origin, path, headers, body } = request;
      // A retry is the same command.
      if (curl && attempt === 1) printCurl(request);
      if (verbose < 2) return;

      const proxy = proxies?.of(origin);
      const way = proxy && t("through the proxy {proxy}", { proxy: `${proxy.shown} (${proxy.variable})` });
      const call = `${method} ${origin}${pathText(path, hiding)}`;
      const first = attempt === 1 ? call : t("{call}, attempt {attempt}", { call, attempt });
      const said = lines(">", way === undefined ? first : `${first}\n${way}`);
      const text = new TextDecoder().decode(body);
      const whole = `${said}\n${headerText(">", headers, hiding)}${bodyText(">", text, hiding)}`;
      write(whole, { event: "request", method, url: origin + pathText(path, hiding), attempt });
    },

    answer({ status, headers, text }, { method, origin, path }) {
      if (verbose < 2) return;
      const first = t("{status} to {call}", { status, call: `${method} ${pathText(path, hiding)}` });
      const whole = `${lines("<", first)}\n${headerText("<", headers, hiding)}${bodyText("<", text, hiding)}`;
      write(whole, { event: "response", method, url: origin + pathText(path, hiding), status });
    },
  };
}

interface Traced {
  apiKey: string;
  address: string;
  proxies: Proxies | undefined;
  branch?: string;
  clientCert?: ClientCertFiles | undefined;
}

/** The flags of curl for the certificates and the proxy of a call. */
function curlFlags(
  { origin }: CallRequest,
  { caFile }: Runtime["flags"],
  { proxies, clientCert }: Traced,
  hiding: Hiding,
): string[] {
  const proxy = proxies?.of(origin);
  const more = caFile === undefined ? [] : [`--cacert ${word(caFile, hiding)}`];
  const { cert, key } = clientCert ?? {};
  if (cert !== undefined && key !== undefined)
    more.push(`--cert ${word(cert, hiding)}`, `--key ${word(key, hiding)}`);

  if (proxy !== undefined) more.push(`--proxy "$${proxy.variable}"`);
  else if (proxies !== undefined) more.push("--noproxy '*'");
  return more;
}

function attemptText(
  { call, outcome, ms, attempt }: { call: string; outcome: string; ms: number; attempt: number },
  waitMs: number | undefined,
  t: T,
): string {
  return waitMs === undefined
    ? t("{call} {outcome} {ms} ms, attempt {attempt}", { call, outcome, ms, attempt })
    : t("{call} {outcome} {ms} ms, attempt {attempt}, next in {waitMs} ms", {
        call,
        outcome,
        ms,
        attempt,
        waitMs,
      });
}

export function openTracing(runtime: Runtime, traced: Traced): Tracing {
  const { apiKey, address, proxies, branch } = traced;
  const { texts, system, flags } = runtime;
  const { verbose = 0, curl = false } = flags;
  if (verbose === 0 && !curl) return {};
  const key = maskKey(apiKey);
  const hiding = { texts, apiKey, key, scrub: masker(apiKey, key) };

  const write = (text: string, facts: LogFacts): void => {
    const { log, stderr } = system;
    const line = text.trimEnd();
    // A failed write of a log line must not stop the work.
    (
      log?.("info", line, branch === undefined ? facts : { branch, ...facts }) ?? stderr.write(`${line}\n`)
    ).catch(() => undefined);
  };
  const printCurl = (request: CallRequest): void => {
    const more = curlFlags(request, flags, traced, hiding);
    write(curlCommand(request, hiding, more), { event: "curl" });
  };

  const onAttempt = (record: AttemptRecord): void => {
    const { endpoint, url, status, failure, ms, attempt, waitMs } = record;
    const outcome = status === undefined ? describeOutcome(record, texts) : String(status);
    const { origin, pathname, search } = new URL(url);
    const [method = ""] = endpoint.split(" ");
    const shown = origin + pathText(pathname + search, hiding);
    const took = Math.round(ms);
    const said = { call: `${method} ${shown}`, outcome, ms: took, attempt };
    write(visible(hiding.scrub(attemptText(said, waitMs, texts.t))), {
      event: "response",
      method,
      url: hiding.scrub(shown),
      status,
      failure,
      ms: took,
      attempt,
      wait_ms: waitMs,
    });
  };
  const wouldCall: NonNullable<Tracing["wouldCall"]> = (name, body) => {
    const endpoint = endpoints[name];
    const base = parseBase(endpoint.base, address);
    if (base === undefined) return;
    const there = { origin: base.origin, path: base.path + endpoint.path };
    printCurl(callRequest(endpoint, there, body));
  };

  const trace = openCallTrace(runtime, hiding, { proxies, write, printCurl });
  return { trace, ...(verbose > 0 && { onAttempt }), ...(curl && { wouldCall }) };
}
