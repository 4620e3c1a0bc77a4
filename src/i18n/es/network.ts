import type { CaFileProblem } from "../../errors.ts";
import type {
  network as en,
  networkErrors as enErrors,
  proxyNext as enNext,
  proxyPageNext as enPageNext,
} from "../en/network.ts";
import { ended } from "../phrases.ts";
import { type Words, wordsFor } from "../words-for.ts";

/** What is said of requests as they are made, for a person who looks for a fault. */
export const network: typeof en = {
  attempt: (request, attempt) => (attempt === 1 ? request : `${request}, intento ${attempt}`),
  answer: (status, request) => `${status} a ${request}`,
  via: (proxy) => `por el proxy ${proxy}`,
  more: (characters) => `… ${characters} caracteres más que no se muestran`,
};

const caFile: Words<CaFileProblem, { why: string; next: string }> = {
  unreadable: ({ detail }) => ({
    why: ended(detail),
    next: "Revisá el nombre y que puedas leer el archivo.",
  }),
  no_certificate: () => ({
    why: 'No tiene ningún certificado en formato PEM: nada entre "-----BEGIN CERTIFICATE-----" y "-----END CERTIFICATE-----".',
    next: "Pedí el certificado de la CA en PEM. Uno en DER (.cer, .der) se pasa a PEM con `openssl x509 -inform der -in ARCHIVO -out ca.pem`.",
  }),
  broken_certificate: ({ number, detail }) => ({
    why: ended(`El certificado ${number} no se puede leer: ${detail}`),
    next: "Conseguí el archivo de nuevo: puede haberse cortado o cambiado en el camino.",
  }),
};

/** What keeps from going out at all. */
export const networkErrors: typeof enErrors = {
  proxy_unusable: ({ variable, scheme }) => ({
    what: `No se puede usar el proxy de ${variable}.`,
    why: `${scheme === undefined ? "No es una dirección." : `bpos sale por proxies http:// y https://, no por ${scheme}://.`} No se mandó nada.`,
    next: `Poné ${variable} como http://HOST:PUERTO o http://USUARIO:CONTRASEÑA@HOST:PUERTO, con los caracteres especiales codificados con %; o borrala, o anotá el host del servicio en NO_PROXY para salir sin proxy.`,
  }),
  ca_file_unusable: ({ file, problem }) => {
    const { why, next } = wordsFor(caFile, problem);
    return { what: `No se pueden usar los certificados de ${file}.`, why: `${why} No se mandó nada.`, next };
  },
};

/** What to do about a certificate that is not accepted. */
export const untrustedNext =
  "Si tu red tiene una CA propia, pasá su certificado con --ca-file ARCHIVO o NODE_EXTRA_CA_CERTS. Si no, revisá la dirección y la hora de esta máquina: puede haber alguien escuchando en el medio.";

/** What to do about a proxy that did not pass a request on. */
export const proxyNext: typeof enNext = ({ variable, status, credentials }) => {
  if (status === 407)
    return credentials
      ? `Corregí el usuario o la contraseña en ${variable}; ahí los caracteres especiales van codificados con %.`
      : `Pide usuario y contraseña: poné ${variable} como http://USUARIO:CONTRASEÑA@HOST:PUERTO, con los caracteres especiales codificados con %.`;
  return status !== undefined && status < 500
    ? "El proxy no deja pasar a esa dirección: pediselo a quien lo maneja, o anotá el host del servicio en NO_PROXY para salir sin él."
    : `Revisá la dirección en ${variable} y que el proxy ande; o borrala, o anotá el host del servicio en NO_PROXY, para salir sin él. Podés correrlo de nuevo sin problema: nada se aplica dos veces.`;
};

/** What to do about a refusal that may be a proxy's own page. */
export const proxyPageNext: typeof enPageNext = ({ url, variable }) =>
  `Así no responde el servicio: puede ser la respuesta del proxy (${url}, ${variable}). Pedile a quien lo maneja que permita esa dirección, o poné el host del servicio en NO_PROXY para no usarlo.`;
