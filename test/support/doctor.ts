import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer } from "node:net";
import { onTestFinished } from "vitest";
import type { Run } from "./run.ts";
import { listening } from "./server.ts";
import { expiredCertificate } from "./tls.ts";

/** A row of `bpos doctor --json`. */
export interface Row {
  name: string;
  status: "pass" | "warn" | "fail";
  detail: string;
  remedy: string | null;
}

/** Returns the rows that `bpos doctor --json` printed, by their names. */
export function diagnosis({ stdout, code }: Run) {
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Row[] };
  const namesOf = (wanted: (row: Row) => boolean): string[] => checks.filter(wanted).map(({ name }) => name);
  const isUnchecked = ({ detail }: Row): boolean => detail.startsWith("not checked: ");
  return {
    ...{ code, ok },
    names: namesOf(() => true),
    row: (name: string): Row => {
      const found = checks.find((check) => check.name === name);
      if (found === undefined) throw new Error(`there is no row ${name}`);
      return found;
    },
    failed: namesOf(({ status }) => status === "fail"),
    warned: namesOf((row) => row.status === "warn" && !isUnchecked(row)),
    unchecked: namesOf(isUnchecked),
  };
}

/** A server that takes connections and never says anything; it stops when the test ends. */
export async function silentServer(): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on("error", () => undefined);
    onTestFinished(() => void socket.destroy());
  });
  return `http://127.0.0.1:${await listening(server)}`;
}

/** A web server that is not the service; it stops when the test ends. */
export const webServer = async (answer: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listening(createServer(answer))}`;

/** A server whose certificate has ended, and that certificate; it stops when the test ends. */
export async function expiredServer(): Promise<{ url: string; certificate: string }> {
  const server = createTlsServer(expiredCertificate, (_request, response) => response.end("{}"));
  return { url: `https://127.0.0.1:${await listening(server)}`, certificate: expiredCertificate.cert };
}
