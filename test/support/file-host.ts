import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { LookupFunction } from "node:net";
import { Agent } from "undici";
import { onTestFinished } from "vitest";
import { listening } from "./server.ts";
import { filesCertificate } from "./tls.ts";

const toLoopback: LookupFunction = (_host, { all }, callback) => {
  if (all === true) callback(null, [{ address: "127.0.0.1", family: 4 }]);
  else callback(null, "127.0.0.1", 4);
};

/** Connections to file hosts: every name leads to this machine. `ca: false` trusts no certificate of a test. */
export function publicInternet({
  ca = true,
  lookup = toLoopback,
}: {
  ca?: boolean;
  lookup?: LookupFunction;
} = {}): Agent {
  const trusted = ca ? { ca: filesCertificate.cert } : {};
  const agent = new Agent({ connect: { ...trusted, lookup } });
  onTestFinished(() => agent.destroy());
  return agent;
}

/** A server of files on a free port. */
export interface FileHost {
  /** The URL of a path, at a public name unless another host is given. */
  at: (path: string, host?: string) => string;
  /** The headers of each request, as they arrived. */
  requests: IncomingHttpHeaders[];
}

/** Starts a real HTTPS server; `answer` answers every request. It stops when the test ends. */
export async function fileHost(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
): Promise<FileHost> {
  const requests: IncomingHttpHeaders[] = [];
  const server = createServer(filesCertificate, (request, response) => {
    requests.push(request.headers);
    answer(response, request);
  });
  const port = await listening(server);
  return { at: (path, host = "files.example.com") => `https://${host}:${port}${path}`, requests };
}
