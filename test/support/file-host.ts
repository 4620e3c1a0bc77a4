import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer, type ServerOptions } from "node:https";
import type { AddressInfo, LookupFunction } from "node:net";
import { Agent } from "undici";
import { onTestFinished } from "vitest";

/** Of the tests alone, for the hosts that they name; good until the year 2120. */
const certificate: ServerOptions = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgfjCdNdT+Ye/X75TI
hVtkZSTFwABMnizL3rzz8jA/d12hRANCAATp2UlP64s4GcQJqeqkX5NI/PvsdQMb
06BlYJgWVnpslN2/I11SCDEjTN7K4GMhwTtAEq40f5iB7OS/3/EDgAfy
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBqTCCAU6gAwIBAgIUKkgaiR3rb3G3RSogGeSBGqZvH5EwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJYnBvcyB0ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAx
MDAwMDAwWjAUMRIwEAYDVQQDDAlicG9zIHRlc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATp2UlP64s4GcQJqeqkX5NI/PvsdQMb06BlYJgWVnpslN2/I11SCDEj
TN7K4GMhwTtAEq40f5iB7OS/3/EDgAfyo3wwejAPBgNVHRMBAf8EBTADAQH/MEgG
A1UdEQRBMD+CC2V4YW1wbGUuY29tgg0qLmV4YW1wbGUuY29tghBkcml2ZS5nb29n
bGUuY29tgg93d3cuZHJvcGJveC5jb20wHQYDVR0OBBYEFBLSBpd/v41IFP4/jjpe
il+1yOlmMAoGCCqGSM49BAMCA0kAMEYCIQCR1+CvOkVT73BeNeM/NDZmk2LHSO6J
V6CuO2MW0MePmQIhANfRUlKOMCuuxi0HoyuuxFVqD0aBmNa6Hh6B+hCNoeIA
-----END CERTIFICATE-----`,
};

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
  const trusted = ca ? { ca: certificate.cert as string } : {};
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
  const server = createServer(certificate, (request, response) => {
    requests.push(request.headers);
    answer(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { at: (path, host = "files.example.com") => `https://${host}:${port}${path}`, requests };
}
