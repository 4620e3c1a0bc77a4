import type { TracedRequest } from "./trace-text.ts";

/** What of this run's settings curl must be told. */
export interface CurlSettings {
  apiKey: string;
  /** Hides the key where it is written otherwise than as it is. */
  readonly scrub: (text: string) => string;
  caFile: string | undefined;
  /** The variable of the proxy; null where the environment has one that is not meant; undefined where it has none. */
  proxy: string | null | undefined;
}

const keyVariable = `"$BPOS_API_KEY"`;

// What may act on a terminal or hide, and what a terminal may not have or not copy. Inside of JSON texts an escape means the
// same; outside of them it has only blanks.
const unsafe = /[^\n\t\x20-\x7e]/gu;
const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");

/** JSON in ASCII, in which nothing can act on a terminal. */
const safeJson = (text: string): string => text.replaceAll("\r", " ").replace(unsafe, escaped);

/** A text as one word of a POSIX shell, with the variable wherever it holds the key. */
function word(text: string, { apiKey, scrub }: CurlSettings): string {
  const quoted = (part: string): string => `'${scrub(part).replaceAll("'", String.raw`'\''`)}'`;
  return text.split(apiKey).map(quoted).join(keyVariable);
}

// Linux takes at most 128 KiB as one argument; printf is part of the shell and takes any.
const longestArgument = 100_000;

/**
 * The curl command that makes the same request from a POSIX shell, with `$BPOS_API_KEY` for the key. The body is as it is, phones
 * included; characters beyond ASCII are escaped as JSON has it.
 */
export function curlCommand(
  { method, origin, path, headers, body }: TracedRequest,
  settings: CurlSettings,
): string {
  const { caFile, proxy } = settings;
  const json = body === undefined ? undefined : safeJson(new TextDecoder().decode(body));
  const isLong = json !== undefined && Buffer.byteLength(json) > longestArgument;
  const data = json === undefined ? undefined : word(json, settings);
  const options = Object.entries(headers)
    .filter(([name]) => name !== "accept-encoding")
    .map(([name, value]) =>
      name === "X-API-Key" ? `-H "${name}: $BPOS_API_KEY"` : `-H ${word(`${name}: ${value}`, settings)}`,
    );
  // As a flag, so that curl also undoes the encoding.
  options.push("--compressed");
  if (caFile !== undefined) options.push(`--cacert ${word(caFile, settings)}`);
  if (proxy === null) options.push("--noproxy '*'");
  if (typeof proxy === "string") options.push(`--proxy "$${proxy}"`);
  if (data !== undefined) options.push(isLong ? "--data-binary @-" : `--data-raw ${data}`);
  const command = [`curl -X ${method} ${word(origin + path, settings)}`, ...options].join(" \\\n  ");
  return isLong ? `printf %s ${data} | ${command}` : command;
}
