import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { onTestFinished } from "vitest";
import type { Run } from "./run.ts";

/** A row of `bpos doctor --json`. */
export interface Row {
  name: string;
  status: "pass" | "warn" | "fail";
  detail: string;
  remedy: string | null;
}

/** What `bpos doctor --json` printed, each row by its name. */
export function diagnosis({ stdout, code }: Run): {
  code: number;
  ok: boolean;
  names: string[];
  row: (name: string) => Row;
  failed: string[];
  warned: string[];
  unchecked: string[];
} {
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Row[] };
  const namesOf = (wanted: (row: Row) => boolean): string[] => checks.filter(wanted).map(({ name }) => name);
  const isUnchecked = ({ detail }: Row): boolean => detail.startsWith("not checked: ");
  return {
    ...{ code, ok },
    names: namesOf(() => true),
    row: (name) => {
      const found = checks.find((check) => check.name === name);
      if (found === undefined) throw new Error(`there is no row ${name}`);
      return found;
    },
    failed: namesOf(({ status }) => status === "fail"),
    warned: namesOf((row) => row.status === "warn" && !isUnchecked(row)),
    unchecked: namesOf(isUnchecked),
  };
}

/** Of the tests alone, for localhost and 127.0.0.1; it ended in February 2020. */
const expired = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg9BQa3ogCmn9DoDm/
JJhBahFvcTg5d9fnI8Op9abmdwShRANCAASxPKAmGzK1iJ+G6PLb6L55oj0Ad1+s
9d57Cck/Zi69ceE6Hrj/2RY1cjxj8vsM57aAqV0XfLlBqswvqcG2RB8L
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBbDCCAROgAwIBAgIBATAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA1icG9zIG9s
ZCBob3N0MB4XDTIwMDEwMTAwMDAwMFoXDTIwMDIwMTAwMDAwMFowGDEWMBQGA1UE
AwwNYnBvcyBvbGQgaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABLE8oCYb
MrWIn4bo8tvovnmiPQB3X6z13nsJyT9mLr1x4ToeuP/ZFjVyPGPy+wzntoCpXRd8
uUGqzC+pwbZEHwujTjBMMBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAPBgNV
HRMBAf8EBTADAQH/MB0GA1UdDgQWBBSQ9LR9evGDyaxqYrqhvAQWoWiEjDAKBggq
hkjOPQQDAgNHADBEAiApJMdkU4ltqnVaHu5GIsU9iKW832qw/XQqo9Qv7WIQfwIg
XKLELfL1vBn1x+8POvyWJoKyIh/nHtE4jVbMgQYy4gA=
-----END CERTIFICATE-----`,
};

async function started(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A server that takes connections and never says anything; it stops when the test ends. */
export async function silentServer(): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on("error", () => undefined);
    onTestFinished(() => void socket.destroy());
  });
  return `http://127.0.0.1:${await started(server)}`;
}

/** A web server that is not the service; it stops when the test ends. */
export async function webServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  onTestFinished(() => server.closeAllConnections());
  return `http://127.0.0.1:${await started(server)}`;
}

/** A server whose certificate has ended, and that certificate; it stops when the test ends. */
export async function expiredServer(): Promise<{ url: string; certificate: string }> {
  const server = createTlsServer(expired, (_request, response) => response.end("{}"));
  onTestFinished(() => server.closeAllConnections());
  return { url: `https://127.0.0.1:${await started(server)}`, certificate: expired.cert };
}
