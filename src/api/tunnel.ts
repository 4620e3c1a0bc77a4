import { request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type Socket } from "node:net";
import { type SecureContext, type TLSSocket, connect as tlsConnect } from "node:tls";
import { type NamedProxy, ProxyError, withoutCredentials } from "./proxy.ts";
import { explainFailure } from "./transport.ts";

/** How much of what a proxy says beside its status is kept, in characters. */
const longestSaid = 80;

/** Where a tunnel leads; the host without brackets. */
interface TunnelEnd {
  host: string;
  port: number | string;
}

/** What is called once a tunnel is open, or cannot be. */
interface TunnelEvents {
  done: (socket: Socket) => void;
  failed: (error: ProxyError) => void;
}

function connectRequest({ url, authorization }: NamedProxy, authority: string, trust: Trust) {
  const { hostname, port, protocol } = url;
  const options: RequestOptions = {
    method: "CONNECT",
    host: hostname.replace(/^\[|\]$/g, ""),
    path: authority,
    headers: {
      host: authority,
      ...(authorization !== undefined && { "proxy-authorization": authorization }),
    },
    // Its sockets leave for the pool of the tunnel's own end.
    agent: false,
    ...(port !== "" && { port }),
  };
  return protocol === "https:" ? httpsRequest({ ...options, ...trust }) : httpRequest(options);
}

/** Whose certificates are accepted, as node:tls takes it; empty for those that Node accepts. */
type Trust = { secureContext?: SecureContext };

const trustIn = (secureContext: SecureContext | undefined): Trust => (secureContext ? { secureContext } : {});

/** Asks a proxy for a tunnel; what is returned gives it up while it is in the making. */
export function openTunnel(
  proxy: NamedProxy,
  { host, port }: TunnelEnd,
  { secureContext, done, failed }: TunnelEvents & { secureContext: SecureContext | undefined },
): () => void {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const request = connectRequest(proxy, authority, trustIn(secureContext));
  request.on("error", (error) => failed(new ProxyError(proxy, explainFailure(error, false).detail)));
  request.once("connect", ({ statusCode: status = 0, statusMessage = "" }, socket: Socket) => {
    if (status >= 200 && status < 300) {
      done(socket);
      return;
    }
    socket.destroy();
    // Cut last: of a password that is cut, half would stay.
    const said = withoutCredentials(statusMessage, proxy).slice(0, longestSaid);
    failed(new ProxyError(proxy, { status, said }));
  });
  request.end();
  return () => request.destroy();
}

/** Speaks TLS with a host over a connection and names that host, as many a server picks its certificate by it. */
export function speakTls(
  socket: Socket,
  host: string,
  how: {
    secureContext: SecureContext | undefined;
    servername?: string | undefined;
    rejectUnauthorized?: false;
  },
): TLSSocket {
  const { secureContext, servername = isIP(host) === 0 ? host : undefined, rejectUnauthorized = true } = how;
  return tlsConnect({
    ...{ socket, host, rejectUnauthorized, ALPNProtocols: ["http/1.1"] },
    ...(servername !== undefined && { servername }),
    ...trustIn(secureContext),
  });
}
