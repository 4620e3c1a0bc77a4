import { BlockList, isIP } from "node:net";

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
// An IPv4 address that is mapped into an IPv6 one (`::ffff:10.0.0.1`) is found by the rules above.
for (const [net, prefix] of [
  // The old way to write an IPv4 address as one of IPv6: nobody on the internet has such a one.
  ["::", 96],
  // Translation to IPv4 within a network, and tunnels.
  ["64:ff9b:1::", 48],
  ["2001::", 32],
  ["fc00::", 7],
  ["fe80::", 9],
  ["ff00::", 8],
] as const) {
  privateAddresses.addSubnet(net, prefix, "ipv6");
}

/** What is missing of the URL of a header's file; null when it can be used (`docs/service.md` 4.3). Nothing is fetched. */
export function headerUrlProblem(text: string): string | null {
  // Without the two slashes, URL would still make sense of "https:host".
  const url = /^https:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return "must be an https URL";
  if (url.username !== "" || url.password !== "") return "must work without authentication";
  return isPublicHost(url.hostname) ? null : "must be on a public host";
}

const hexGroups = /^(?:64:ff9b::|2002:)([\da-f]{1,4})(?::([\da-f]{1,4}))?/;

/** The IPv4 address that an IPv6 one stands for on the internet: a translated one (`64:ff9b::/96`), or one of 6to4 (`2002::/16`). */
function embeddedIPv4(host: string): string | undefined {
  const [whole, high = "0", low] = hexGroups.exec(host) ?? [];
  if (whole === undefined) return undefined;
  // `64:ff9b::1` has one group only, the last.
  const groups = low === undefined && whole.startsWith("64:") ? ["0", high] : [high, low ?? "0"];
  return groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join(".");
}

/** True unless a host, as `URL` writes it, can surely not be reached from the internet. No name is looked up. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");
  const family = isIP(host);
  if (family === 4) return !privateAddresses.check(host, "ipv4");
  if (family === 6) {
    const inner = embeddedIPv4(host);
    return inner === undefined
      ? !privateAddresses.check(host, "ipv6")
      : !privateAddresses.check(inner, "ipv4");
  }
  return host.includes(".") && !/\.(localhost|local|internal|lan|home\.arpa)$/.test(host);
}

/** True for a host, as `URL` writes it, that is this machine itself. No name is looked up. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|(::ffff:)?127(\.\d+){3}|\[?::1\]?|\[?::ffff:7f[0-9a-f]{2}:[0-9a-f]+\]?)\.?$/.test(
    hostname,
  );
}
