import type { CaFileProblem } from "../../errors.ts";
import type { ErrorTexts } from "../error-words.ts";
import { ended } from "../phrases.ts";
import { type Words, wordsFor } from "../words-for.ts";

/** What is said of requests as they are made, for a person who looks for a fault. */
export const network = {
  attempt: (request: string, attempt: number) => (attempt === 1 ? request : `${request}, attempt ${attempt}`),
  answer: (status: number, request: string) => `${status} to ${request}`,
  via: (proxy: string) => `through the proxy ${proxy}`,
  more: (characters: number) => `… ${characters} more characters are not shown`,
};

const caFile: Words<CaFileProblem, { why: string; next: string }> = {
  unreadable: ({ detail }) => ({
    why: ended(detail),
    next: "Check the name and that you may read the file.",
  }),
  no_certificate: () => ({
    why: 'It holds no certificate in PEM form: nothing between "-----BEGIN CERTIFICATE-----" and "-----END CERTIFICATE-----".',
    next: "Ask for the CA's certificate as PEM. One in DER form (.cer, .der) becomes PEM with `openssl x509 -inform der -in FILE -out ca.pem`.",
  }),
  broken_certificate: ({ number, detail }) => ({
    why: ended(`Certificate ${number} in it cannot be read: ${detail}`),
    next: "Get the file once more: it may have been cut off or changed on its way.",
  }),
};

/** What keeps from going out at all. */
export const networkErrors: Pick<ErrorTexts, "proxy_unusable" | "ca_file_unusable"> = {
  proxy_unusable: ({ variable, scheme }) => ({
    what: `The proxy in ${variable} cannot be used.`,
    why: `${scheme === undefined ? "It is not an address." : `bpos goes through http:// and https:// proxies, not through ${scheme}://.`} Nothing was sent.`,
    next: `Set ${variable} as http://HOST:PORT or http://USER:PASSWORD@HOST:PORT, with special characters percent-encoded; or unset it, or name the service's host in NO_PROXY to do without a proxy.`,
  }),
  ca_file_unusable: ({ file, problem }) => {
    const { why, next } = wordsFor(caFile, problem);
    return { what: `The certificates in ${file} cannot be used.`, why: `${why} Nothing was sent.`, next };
  },
};

/** What to do about a certificate that is not accepted. */
export const untrustedNext =
  "In a network with a CA of its own, name that CA's certificate: --ca-file FILE, or NODE_EXTRA_CA_CERTS. Otherwise check the address and this machine's clock: somebody may be listening in.";

/** What to do about a proxy that did not pass a request on. */
export function proxyNext({
  variable,
  status,
  credentials,
}: {
  variable: string;
  status?: number;
  credentials: boolean;
}): string {
  if (status === 407)
    return credentials
      ? `Correct the user name or password in ${variable}; special characters are percent-encoded there.`
      : `It wants a user name and password: set ${variable} as http://USER:PASSWORD@HOST:PORT, with special characters percent-encoded.`;
  return status !== undefined && status < 500
    ? "The proxy does not allow that address: ask whoever runs it to, or name the service's host in NO_PROXY to go without it."
    : `Check the address in ${variable} and that the proxy runs; or unset it, or name the service's host in NO_PROXY, to go without it. Rerunning is safe: nothing is applied twice.`;
}

/** What to do about a refusal that may be a proxy's own page. */
export const proxyPageNext = ({ url, variable }: { url: string; variable: string }): string =>
  `This is not an answer of the service as it is known: it may be the proxy's (${url}, ${variable}). Ask whoever runs that to allow the address, or name the service's host in NO_PROXY to go without it.`;
