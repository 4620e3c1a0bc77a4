import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { BposError } from "../../errors.ts";
import type { System } from "../../system.ts";

/** The names of this machine by which a server that is bound to `host` may be called. */
export function machineNames({ socket }: IncomingMessage, host: string): string[] {
  const local = socket.localAddress?.replace(/^::ffff:/, "") ?? "";
  return ["127.0.0.1", "localhost", "[::1]", host.toLowerCase(), `[${host}]`, local, `[${local}]`];
}

/** True if a request names its server by one of these. Otherwise a web page could point its own name at this machine. */
export function isCalledBy({ headers }: IncomingMessage, names: readonly string[]): boolean {
  const host = /^(\[[^\]]*\]|[^:]*)(:\d+)?$/.exec(headers.host ?? "")?.[1]?.toLowerCase() ?? "";
  return host !== "" && names.includes(host);
}

/** The address at which a server of ours listens. */
export interface ListenAddress {
  host: string;
  port: number;
}

type Listening = { port: number; close: (graceMs: number) => Promise<void> };

/** Throws `port_busy`, `port_denied`, and `usage_flag` for a host that is not this machine's. */
export async function startServer(
  server: Server,
  { host, port }: ListenAddress,
  system: Pick<System, "findListener">,
): Promise<Listening> {
  const listening = new Promise<void>((resolve, reject) => {
    // For its whole life: an error without a listener, such as running out of file descriptors, would end the process.
    server.on("error", reject);
    server.listen({ host, port }, resolve);
  });
  await listening.catch(async (error: unknown) => {
    throw await listenFailure(error, { host, port }, system);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: (graceMs) =>
      new Promise((resolve) => {
        const late = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(late);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

async function listenFailure(
  error: unknown,
  { host, port }: ListenAddress,
  system: Pick<System, "findListener">,
): Promise<unknown> {
  const { code = "", message, syscall } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    return new BposError("port_busy", { host, port, pid: (await system.findListener(port)) ?? null });
  if (code === "EACCES" && syscall === "listen") return new BposError("port_denied", { host, port });
  if (["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN", "EINVAL"].includes(code))
    return new BposError("usage_flag", { problem: { kind: "host_unusable", host, detail: message } });
  return error;
}
