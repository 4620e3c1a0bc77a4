import type { Endpoint } from "../contract/endpoints.ts";
import type { UsageProblem } from "../errors/problems.ts";
import { BposError } from "../errors.ts";

/** Where a request goes. */
export interface Address {
  origin: string;
  /** Path and query. */
  path: string;
}

type AddressProblem = Extract<UsageProblem, { kind: "address_unusable" }>;

function refuse(name: Endpoint["base"], value: string, because: AddressProblem["because"]): never {
  // Whatever stands before an @ may be a password.
  const shown = value.replace(/^.*@/s, "…@");
  throw new BposError("usage_flag", { problem: { kind: "address_unusable", name, shown, because } });
}

/**
 * Reads a base address, which may have a path and a trailing slash; undefined when it is empty, for a program that
 * uses one of the two. Throws BposError usage_flag for anything that is not http(s) or that carries credentials.
 */
export function parseBase(name: Endpoint["base"], value: string): Address | undefined {
  if (value === "") return undefined;
  // Without the two slashes, URL would still make sense of "http:host"; a person meant something else.
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) {
    return refuse(name, value, "not_http");
  }
  const url = new URL(value);
  if (url.username !== "" || url.password !== "") {
    return refuse(name, value, "credentials");
  }
  if (url.search !== "" || url.hash !== "") {
    return refuse(name, value, "query");
  }
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, "") };
}

/** A campaign_id as one segment of a path. Throws BposError usage_flag when it cannot be one. */
export function pathSegment(id: string): string {
  // Dots are the two segments that servers and proxies resolve away, percent-encoded or not.
  // Half of a surrogate pair has no encoding.
  if (/^\.{0,2}$|\p{Cs}/u.test(id)) {
    throw new BposError("usage_flag", { problem: { kind: "campaign_id_unusable", id } });
  }
  return encodeURIComponent(id);
}

/** The query string of the given values, with its question mark, or nothing when there are none. */
export function queryString(values: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === "" ? "" : `?${text}`;
}
