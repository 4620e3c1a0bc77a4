import { createHash } from "node:crypto";
import { isLoopback } from "../contract/public-host.ts";

/** What tells a branch from every other. */
export interface BranchKey {
  /** Where the service is reached, http or https. */
  address: string;
  /** The world that the service names, as a mock does; undefined for a real one. */
  world: string | undefined;
  apiKey: string;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const short = (hash: string): string => hash.slice(0, 32);

/**
 * The identity under which a branch's state is kept. A branch is its key, whatever the address is called; on loopback the port
 * counts too, and for a mock its world counts and the address does not. The key cannot be told from it.
 */
export function branchId({ address, world, apiKey }: BranchKey): string {
  const key = sha256(apiKey);
  if (world !== undefined) return short(sha256(`mock:${world}\n${key}`));
  const { protocol, hostname, port } = new URL(address);
  if (!isLoopback(hostname)) return short(key);
  return short(sha256(`loopback:${port || (protocol === "https:" ? 443 : 80)}\n${key}`));
}

/** The spellings of an address that 0.1 may have met, each as it took it. */
function spellings(address: string): string[] {
  const { hostname, port, pathname } = new URL(address);
  const hosts = isLoopback(hostname) ? ["127.0.0.1", "localhost", "[::1]", hostname] : [hostname];
  const origins = ["http", "https"].flatMap((scheme) =>
    hosts.map((host) => new URL(`${scheme}://${host}${port && `:${port}`}`).origin),
  );
  const path = pathname.replace(/\/+$/, "");
  const base = path.replace(/\/+messaging$/, "");
  const paths = [path, base, `${base}/messaging`, `${base}//messaging`];
  const single = paths.map((each) => each.replace(/\/{2,}/g, "/"));
  return origins.flatMap((origin) => [...paths, ...single].map((each) => origin + each));
}

/** The identities that 0.1 may have given this branch: it hashed the spelled address together with the key. */
export function earlierBranchIds(addresses: readonly string[], apiKey: string): string[] {
  const key = sha256(apiKey);
  return [...new Set(addresses.flatMap(spellings).map((address) => short(sha256(`${address}\n${key}`))))];
}
