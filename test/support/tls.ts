import { writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { createServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createSecureContext } from "node:tls";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "./run.ts";

/** The certificate of a CA that exists in tests alone, good until the year 2120. */
export const caCertificate = `-----BEGIN CERTIFICATE-----
MIIBdDCCARqgAwIBAgIUQnW5uM8WmPsdzlxjmNWyoeLv1Z0wCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMYnBvcyB0ZXN0IENBMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAw
MTAxMDAwMDAwWjAXMRUwEwYDVQQDDAxicG9zIHRlc3QgQ0EwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAARR99B5gWjkOI+COP3fGKuudhlWCX8h+bdxFflYWLzoeDok
gjlNHl/ZzQ4dLwqb240PRunfGCv2Eh8dUX/kfdGNo0IwQDAPBgNVHRMBAf8EBTAD
AQH/MA4GA1UdDwEB/wQEAwICBDAdBgNVHQ4EFgQUeYIvKDINxCGlmA2O880HXcoA
9BAwCgYIKoZIzj0EAwIDSAAwRQIgKIkrWce/6ASHSaGWmxVBoeF/1QOlRU9GZZnL
+O8BI8oCIQDB3x56CLeuyCSNociWOdXDQD+q8q/sN6HH6fXSCr1U2g==
-----END CERTIFICATE-----
`;

/** The key and certificate by that CA of a host of tests: localhost, 127.0.0.1 and whatever is below example.com. */
export const hostCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgweV1N6bzjwtfigz5
xCVSkxUtDePUVxgB+F3adRElpvShRANCAAQ+rgTW20yX1jiKCs5mtFFILEoRvXwb
RpQhxiDCoxztSX4lpfoWago4QiPUFXHmmuPu+spK3OoxHCKF7TN8WXJp
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBwzCCAWmgAwIBAgIUMumkobmhfKPASeQgCQWKRWL3Vt4wCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMYnBvcyB0ZXN0IENBMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAw
MTAxMDAwMDAwWjAZMRcwFQYDVQQDDA5icG9zIHRlc3QgaG9zdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABD6uBNbbTJfWOIoKzma0UUgsShG9fBtGlCHGIMKjHO1J
fiWl+hZqCjhCI9QVceaa4+76ykrc6jEcIoXtM3xZcmmjgY4wgYswCQYDVR0TBAIw
ADApBgNVHREEIjAggglsb2NhbGhvc3SCDSouZXhhbXBsZS5jb22HBH8AAAEwEwYD
VR0lBAwwCgYIKwYBBQUHAwEwHQYDVR0OBBYEFF7H3QYCjtQHd6WsSVj04Lj35lWV
MB8GA1UdIwQYMBaAFHmCLygyDcQhpZgNjvPNB13KAPQQMAoGCCqGSM49BAMCA0gA
MEUCICBgbWZlkjHXaZT6TqCpxzEdL2VCU94j8zwzYTgPZzyAAiEAh6s+TGTW1wy1
0BdWfXfpTz+SHBE7iekGHfuR49O3FNc=
-----END CERTIFICATE-----`,
};

/** A file with a text, by default the certificate of the CA of tests; removed when the test ends. */
export function caFile(text: string = caCertificate): string {
  const file = join(temporaryFolder(), "ca.pem");
  writeFileSync(file, text);
  return file;
}

/** A server of a test that speaks TLS. */
interface SecureServer {
  port: number;
  /** The headers of each request, as they arrived. */
  requests: IncomingHttpHeaders[];
}

/** A certificate only for who names the host that is wanted, as where many hosts share an address. */
const pickedByName: ServerOptions = {
  SNICallback: (_name, callback) => callback(null, createSecureContext(hostCertificate)),
};

/** Starts a real HTTPS server that answers every request with this JSON; it stops when the test ends. */
export async function secureServer(body: unknown, { byName = false } = {}): Promise<SecureServer> {
  const requests: IncomingHttpHeaders[] = [];
  const server = createServer(byName ? pickedByName : hostCertificate, (request, response) => {
    requests.push(request.headers);
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, requests };
}
