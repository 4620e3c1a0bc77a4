import type { Exchange, RequestRow } from "../core/request-log.ts";

// Linux takes at most 128 KiB as one argument; printf is part of the shell and takes any.
const maxArgument = 100_000;

/** A text as one word of a POSIX shell. */
const quoteWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Escapes control characters, which mean the same in JSON: pasted, they could run a command in the terminal. */
const escapeBody = (body: Buffer | string): string =>
  body
    .toString()
    .replace(/^\uFEFF|\r/g, "")
    .replace(/[^\n\t\x20-\x7e]/g, escapeUnit);

/** Returns the URL of a request; the path of a webhook's attempt is a whole URL. */
const buildUrl = ({ path, query, direction }: RequestRow, address: string): string =>
  `${direction === "out" ? "" : address}${path}${query === "" ? "" : `?${query}`}`;

/** The request as a command of curl, with `$BPOS_API_KEY` for its key; null when its body was not kept. */
export function buildCurl(row: RequestRow, exchange: Exchange, address: string): string | null {
  const { key, contentType, request } = exchange;
  if (request === null) return null;
  // curl would wait for the body of a HEAD, tidy /v1/../orders, and take brackets for a range.
  const method = row.method === "HEAD" ? "--head" : `-X ${row.method}`;
  const options = [`curl ${method} --path-as-is --globoff ${quoteWord(buildUrl(row, address))}`];
  if (key !== undefined) options.push(`-H "X-API-Key: $BPOS_API_KEY"`);
  if (row.direction === "out") options.push("-H 'Content-Type: application/json'");
  else if (request !== "")
    options.push(`-H ${quoteWord(`Content-Type:${contentType ? ` ${contentType}` : ""}`)}`);
  const data = quoteWord(escapeBody(request));
  const isLong = data.length > maxArgument;
  if (request !== "") options.push(isLong ? "--data-binary @-" : `--data-raw ${data}`);
  const command = options.join(" \\\n  ");
  return isLong ? `printf %s ${data} | ${command}` : command;
}
