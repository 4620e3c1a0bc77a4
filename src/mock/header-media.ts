import { BlockList, isIP } from "node:net";
import type { HeaderKind } from "./templates.ts";

const extensions: Readonly<Record<Exclude<HeaderKind, "none">, readonly string[]>> = {
  image: ["jpg", "jpeg", "png"],
  video: ["mp4"],
  document: ["pdf"],
};

const privateAddresses = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["224.0.0.0", 3],
] as const) {
  privateAddresses.addSubnet(net, prefix, "ipv4");
}
for (const [net, prefix] of [
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const) {
  privateAddresses.addSubnet(net, prefix, "ipv6");
}

function looksPublic(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const family = isIP(host);
  if (family !== 0) return !privateAddresses.check(host, family === 4 ? "ipv4" : "ipv6");
  return host.includes(".") && !/\.(localhost|local|internal|lan|home\.arpa)$/.test(host);
}

/**
 * Why a header file's URL does not fit a template, in one sentence; null when it does (`spec.md` 4.3). Only the
 * URL is looked at: nothing is downloaded.
 */
export function headerProblem(kind: HeaderKind, given: string | undefined): string | null {
  if (kind === "none") return null;
  if (given === undefined || given === "") {
    return `header_media_url is required: the template has a header of kind ${kind}`;
  }
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol !== "https:") return "header_media_url must be an https URL";
  if (url.username !== "" || url.password !== "") return "header_media_url must work without authentication";
  if (!looksPublic(url.hostname)) return "header_media_url must be on a public host";
  const extension = /\.([^./]+)$/.exec(url.pathname)?.[1]?.toLowerCase() ?? "";
  const allowed = extensions[kind];
  return allowed.includes(extension)
    ? null
    : `header_media_url must end in .${allowed.join(" or .")} for a header of kind ${kind}`;
}
