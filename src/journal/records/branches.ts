import { createHash } from "node:crypto";
import { isLoopback } from "../../contract/addresses.ts";

export interface BranchKey {
  address: string;
  world: string | undefined;
  apiKey: string;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const short = (hash: string): string => hash.slice(0, 32);

/** A branch is its key, whatever the address is called; on loopback the port counts too, and for a mock its world and not the address. */
export function branchId({ address, world, apiKey }: BranchKey): string {
  const key = sha256(apiKey);
  if (world !== undefined) return short(sha256(`mock:${world}\n${key}`));
  const { protocol, hostname, port } = new URL(address);
  if (!isLoopback(hostname)) return short(key);
  return short(sha256(`loopback:${port || (protocol === "https:" ? 443 : 80)}\n${key}`));
}
