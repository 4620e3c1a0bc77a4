import { readFileSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { createServer, type ServerOptions } from "node:https";
import { join } from "node:path";
import { createSecureContext, TLSSocket } from "node:tls";
import { temporaryFolder } from "./run.ts";
import { listening } from "./server.ts";

const read = (name: string): string => readFileSync(join(import.meta.dirname, "certificates", name), "utf8");
const pairOf = (name: string) => ({ key: read(`${name}.key`), cert: read(`${name}.pem`) });

/** The certificate of a CA that exists in tests alone, good until the year 2120. */
export const caCertificate = read("ca.pem");
/** By that CA: localhost, 127.0.0.1 and whatever is below example.com. */
export const hostCertificate = pairOf("host");
/** By itself, for the hosts of files that tests name; good until the year 2120. */
export const filesCertificate = pairOf("files");
/** By itself, for localhost and 127.0.0.1; it ended in February 2020. */
export const expiredCertificate = pairOf("expired");

/** A file with a text, by default the certificate of the CA of tests; removed when the test ends. */
export function caFile(text: string = caCertificate): string {
  const file = join(temporaryFolder(), "ca.pem");
  writeFileSync(file, text);
  return file;
}

/** Files with a certificate and its key, of which only their owner can read the second; removed when the test ends. */
export function clientFiles({ cert, key }: { cert: string; key: string }): { cert: string; key: string } {
  const folder = temporaryFolder();
  const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key, { mode: 0o600 });
  return files;
}

/** A certificate only for who names the host that is wanted, as where many hosts share an address. */
const pickedByName: ServerOptions = {
  SNICallback: (_name, callback) => callback(null, createSecureContext(hostCertificate)),
};

/** Starts a real HTTPS server that answers every request with this JSON, and keeps the headers of each and whose client certificate it came with. */
export async function secureServer(
  body: unknown,
  { byName = false, own = {} }: { byName?: boolean; own?: ServerOptions } = {},
): Promise<{ port: number; requests: IncomingHttpHeaders[]; shown: string[] }> {
  const requests: IncomingHttpHeaders[] = [];
  const shown: string[] = [];
  const server = createServer(
    { ...(byName ? pickedByName : hostCertificate), ...own },
    (request, response) => {
      requests.push(request.headers);
      const { socket } = request;
      // A client that showed none has no subject.
      const peer: { subject?: { CN?: string | string[] } | undefined } =
        socket instanceof TLSSocket ? socket.getPeerCertificate() : {};
      shown.push([peer.subject?.CN ?? "nobody"].flat().join());
      request.resume().on("end", () => {
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
      });
    },
  );
  return { port: await listening(server), requests, shown };
}
