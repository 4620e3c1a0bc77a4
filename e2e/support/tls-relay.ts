import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { connect as connectTls, TLSSocket } from "node:tls";
import { listening } from "../../test/support/server.ts";
import { filesCertificate } from "../../test/support/tls.ts";

/** As a client of PostgreSQL asks for TLS. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

async function relay(client: Socket, port: number): Promise<void> {
  const server = connect(port, "127.0.0.1");
  server.on("error", () => undefined).write(sslRequest);
  await once(server, "data");
  const away = connectTls({ socket: server, rejectUnauthorized: false }).on("error", () => undefined);
  client.write("S");
  const near = new TLSSocket(client, { isServer: true, ...filesCertificate }).on("error", () => undefined);
  near.pipe(away).pipe(near);
}

/** Somebody between a client and its server who reads all, with a certificate of their own; returns the address through them. */
export async function tlsRelay(url: string): Promise<string> {
  const { port } = new URL(url);
  const between = createServer((client) => {
    client.on("error", () => undefined).once("data", () => void relay(client, Number(port)));
  });
  return Object.assign(new URL(url), { port: String(await listening(between)) }).href;
}
