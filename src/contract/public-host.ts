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
// An IPv4 address inside an IPv6 one (`::ffff:10.0.0.1`) is found by the rules above.
for (const [net, prefix] of [
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const) {
  privateAddresses.addSubnet(net, prefix, "ipv6");
}

/** True unless a host, as `URL` writes it, can surely not be reached from the internet. No name is looked up. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const family = isIP(host);
  if (family !== 0) return !privateAddresses.check(host, family === 4 ? "ipv4" : "ipv6");
  return host.includes(".") && !/\.(localhost|local|internal|lan|home\.arpa)$/.test(host);
}
