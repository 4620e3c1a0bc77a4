import type { Texts } from "../i18n/texts.ts";
import { maskPhone, visible } from "./format.ts";

/** A request as it goes out; in its headers `[key]` stands for the key. */
export interface TracedRequest {
  method: string;
  origin: string;
  /** Path and query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer | undefined;
}

/** An answer as it came. */
export interface TracedAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

/** What a trace needs to hide. */
export interface TraceLook {
  texts: Texts;
  /** The key, masked. */
  key: string;
  /** The text with every echo of the key masked. */
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

/** A text in which what may be a phone shows its ends only. */
const maskRuns = (text: string): string => text.replace(digits, (run) => maskPhone(plainDigits(run)));

/** One of `parts`, by what it matched. */
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

function bodyText(sign: string, text: string, { texts, scrub }: TraceLook): string {
  if (text === "") return "";
  // The key goes before the text is cut: of one that is cut, half would stay.
  const whole = scrub(undone(text));
  const isCut = whole.length > mostOfBody;
  const begin = isCut ? whole.slice(0, mostOfBody).replace(cutPhone, "") : whole;
  const masked = /^\s*[{["]/.test(begin) ? maskJson(begin) : maskRuns(begin);
  const more = isCut ? `\n${sign} ${texts.network.more(whole.length - begin.length)}` : "";
  return `${sign}\n${lines(sign, masked)}${more}\n`;
}

function headerText(sign: string, headers: TracedAnswer["headers"], { key, scrub }: TraceLook): string {
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
export function pathText(path: string, { scrub }: Pick<TraceLook, "scrub">): string {
  const text = scrub(undone(path));
  const [campaign = ""] = /^[^?]*\/campaigns\/(?!\+|%2B)[^/?]+/i.exec(text) ?? [];
  return visible(campaign + maskRuns(text.slice(campaign.length)));
}

/** A request for `-vv`, a line each with `>`; `via` is the proxy that it goes through. */
export function requestText(
  { method, origin, path, headers, body }: TracedRequest,
  look: TraceLook,
  { attempt, via }: { attempt: number; via: string | undefined },
): string {
  const way = via === undefined ? "" : `${lines(">", look.texts.network.via(via))}\n`;
  const first = look.texts.network.attempt(`${method} ${origin}${pathText(path, look)}`, attempt);
  const text = body === undefined ? "" : new TextDecoder().decode(body);
  return `${lines(">", first)}\n${way}${headerText(">", headers, look)}${bodyText(">", text, look)}`;
}

/** An answer for `-vv`, a line each with `<`. */
export function answerText(
  { status, headers, text }: TracedAnswer,
  { method, path }: Pick<TracedRequest, "method" | "path">,
  look: TraceLook,
): string {
  const first = look.texts.network.answer(status, `${method} ${pathText(path, look)}`);
  return `${lines("<", first)}\n${headerText("<", headers, look)}${bodyText("<", text, look)}`;
}
