import type { Detail, OwnDetail, WorldProblem } from "../../errors/problems.ts";
import type { CaFileProblem, CallFacts, ErrorFacts, ProxyTrouble } from "../../errors.ts";
import type { network as enNetwork } from "../en/call-errors.ts";
import { ended, quoted, resumed } from "../phrases.ts";
import { type ErrorTexts, type ErrorWords, said, type Words, wordsFor } from "../shapes.ts";

const types: Readonly<Record<string, string>> = {
  array: "la lista",
  boolean: "el sí o no",
  number: "el número",
  object: "el objeto",
  string: "el texto",
};

const end = "el final del archivo";

const details: Words<OwnDetail, string> = {
  too_slow: ({ ms, complete }) => `no llegó ${complete ? "toda la" : "la"} respuesta en ${ms / 1000} s`,
  given_up: () => "se abandonó de este lado",
  answer_too_large: ({ maxBytes }) => `una respuesta de más de ${maxBytes} bytes`,
  encoding_unasked: ({ encoding }) => `una respuesta con la codificación ${encoding}, que nadie pidió`,
  encoding_broken: ({ encoding, detail }) => `la codificación ${encoding} está rota: ${detail}`,
  redirect: ({ to }) => `una redirección a ${to ?? "ningún lado"}, que bpos no sigue`,
  answer_empty: () => "llegó vacía",
  answer_html: () => "HTML en lugar de JSON",
  answer_too_deep: ({ maxDepth }) => `JSON anidado en más de ${maxDepth} niveles`,
  answer_not_json: () => "no es JSON",
  answer_no_problem: () => "no es un error como los del servicio",
  answer_lacks: ({ path, type }) =>
    path === "" ? `falta ${types[type] ?? type} en JSON` : `falta ${types[type] ?? type} ${path}`,
  not_a_mock: () => "no es la respuesta de un mock",
  proxy_answered: ({ proxy, variable, status }) => `el proxy ${proxy} (${variable}) respondió ${status}`,
  proxy_unreached: ({ proxy, variable, detail }) =>
    `no se pudo llegar al proxy ${proxy} (${variable}): ${detailWords(detail)}`,
  not_json: () => "no es JSON",
  empty: () => "está vacío",
  key_as_file: () => "eso parece la clave misma, y no el nombre de un archivo",
  key_not_for_header: ({ at, length }) => `el carácter ${at} de ${length} no puede ir en un encabezado HTTP`,
  key_too_long: ({ length, max, isCut }) =>
    `${isCut ? "más de " : ""}${length} caracteres, y una clave tiene ${max} como mucho`,
  key_lines: ({ lines }) => `${lines} líneas, y una clave es una sola`,
  secret_form: ({ min, max }) => `no es una línea de ${min} a ${max} letras, números y . _ ~ + = : @ , -`,
  json_unexpected: ({ expected, found }) => {
    const what =
      expected === "value" ? "un valor" : expected === "end" ? end : expected.map(quoted).join(" o ");
    const there = found === null ? end : quoted(found);
    return `se esperaba ${what} y hay ${there}`;
  },
  json_list_twice: ({ listKey }) => `hay otro "${listKey}", y tiene que ser uno solo`,
  is_folder: () => "es una carpeta",
  not_regular: () => "no es un archivo común",
  folder_missing: () => "su carpeta no existe",
  not_allowed: () => "sin permiso para escribir ahí",
  file_missing: () => "no existe ese archivo",
  not_readable: () => "sin permiso para leerlo",
  wrong_type: ({ path, type }) => `${path === "" ? "el archivo entero" : quoted(path)} no es de tipo ${type}`,
  journal_newer: () => "lo escribió un bpos más nuevo",
};

/** Why something failed, as part of a sentence; what others said stays as it came. */
export function detailWords(detail: Detail): string {
  return typeof detail === "string" ? detail : wordsFor(details, detail);
}

/** What is said of requests as they are made, for a person who looks for a fault. */
export const network: typeof enNetwork = {
  attempt: (request, attempt) => (attempt === 1 ? request : `${request}, intento ${attempt}`),
  answer: (status, request) => `${status} a ${request}`,
  via: (proxy) => `por el proxy ${proxy}`,
  more: (characters) => `… ${characters} caracteres más que no se muestran`,
};

interface WhatAndNext {
  what: string;
  next: string;
}

const caFile: Words<CaFileProblem, WhatAndNext> = {
  unreadable: ({ detail }) => ({ what: detail, next: "Revisá el nombre y los permisos del archivo." }),
  no_certificate: () => ({
    what: "ningún certificado en formato PEM (-----BEGIN CERTIFICATE-----)",
    next: "Conseguí el certificado de la CA en PEM. Uno en DER (.cer, .der) se convierte con `openssl x509 -inform der -in ARCHIVO -out ca.pem`.",
  }),
  broken_certificate: ({ number, detail }) => ({
    what: `el certificado ${number} no se puede leer: ${detail}`,
    next: "Conseguí el archivo de nuevo: puede haberse cortado o cambiado.",
  }),
};

/** What is wrong with a file of certificates, as part of a sentence, and what to do next. */
export const caFileWords = (problem: CaFileProblem): WhatAndNext => wordsFor(caFile, problem);

/** What to do about a certificate that is not accepted. */
export const untrustedNext =
  "Si tu red tiene una CA propia, pasá su certificado con --ca-file ARCHIVO o NODE_EXTRA_CA_CERTS. Si no, revisá la dirección y la hora de esta máquina: puede haber alguien escuchando en el medio.";

/** What to do about a proxy that did not pass a request on. */
export function proxyNext({ variable, status, credentials }: Omit<ProxyTrouble, "url">): string {
  if (status === 407)
    return credentials
      ? `Corregí el usuario o la contraseña en ${variable}; ahí los caracteres especiales van codificados con %.`
      : `El proxy pide usuario y contraseña: poné ${variable} como http://USUARIO:CONTRASEÑA@HOST:PUERTO, con los caracteres especiales codificados con %.`;
  return status !== undefined && status < 500
    ? "El proxy no permite esa dirección: pediselo a quien lo maneja, o anotá el host del servicio en NO_PROXY."
    : `Revisá la dirección en ${variable} y que el proxy ande, o anotá el host del servicio en NO_PROXY. Podés correrlo de nuevo sin problema: nada se aplica dos veces.`;
}

/** Status and code of an answer. */
const answered = ({ status, serviceCode }: CallFacts): string =>
  [status, serviceCode].filter((part) => part !== undefined && part !== "").join(" ");

/** What the service answered, as far as it is known: status, code and message, or the beginning of the answer. */
function answer(facts: CallFacts): string {
  const message = facts.serviceMessage ?? facts.quote ?? "";
  return [answered(facts), message === "" ? "" : `"${message}"`].filter((part) => part !== "").join(", ");
}

/** Why a call failed: the answer, or what the network said. */
function because(facts: CallFacts): string {
  const { attempts, retryAfterMs = 0, longestWaitMs } = facts;
  const wait =
    longestWaitMs === undefined
      ? ""
      : `el servicio pide esperar ${Math.ceil(retryAfterMs / 1000)} s, y bpos espera ${longestWaitMs / 1000} s como mucho`;
  const parts = [answer(facts), detailWords(facts.detail ?? ""), wait].filter((part) => part !== "");
  const call = `${facts.askedFor === "time" ? "Al leer la hora del servicio antes de mandar, " : ""}${facts.endpoint} en ${facts.origin}`;
  const tries = attempts > 1 ? ` después de ${attempts} intentos` : "";
  const why = ended(`${call}${tries}: ${parts.join("; ") || "sin respuesta"}`);
  return facts.nothingSent === true ? `${why} No se mandó nada.` : why;
}

/** Whether a catalog or a campaign was being sent; what settles an unknown outcome differs. */
const isCampaign = ({ endpoint }: CallFacts): boolean => endpoint.includes("/campaigns");

/** Too slow, too early, too many: answers that say nothing about what was sent. */
const putOff: ReadonlySet<number> = new Set([408, 425, 429]);

/** A refusal of a call that had been tried before. */
const isRefusal = ({ status = 0 }: CallFacts): boolean =>
  status >= 400 && status < 500 && !putOff.has(status);

const pushAgain =
  "Corré el mismo comando de nuevo, con el mismo archivo o los mismos códigos: sigue con los mismos event_id, y nada se aplica dos veces.";

/** What to do about a refusal other than that of the key. */
function refusedNext(facts: CallFacts): string {
  const { status, endpoint } = facts;
  if (status === 404)
    return "Revisá --base-url y --campaigns-url (BPOS_BASE_URL, BPOS_CAMPAIGNS_URL), con su ruta.";
  if (endpoint.startsWith("GET /campaigns"))
    return "Revisá el campaign_id, y que la campaña se haya mandado con esta clave: las de otra sucursal no se muestran.";
  if (isCampaign(facts))
    return status === 413
      ? "Este lote no se mandó: es demasiado grande. Preguntale el límite a quien maneja el servicio o un proxy."
      : "Este lote no se mandó. Revisá el nombre exacto de la plantilla, que esté aprobada, --language, la cantidad de variables en --params (ninguna: --params '') y, si lleva imagen, video o documento, --header-url.";
  return status === 413 && endpoint.includes("/catalog/")
    ? "Hasta un solo producto es demasiado grande: acortá su texto más largo. Si es corto, preguntale el límite a quien maneja el servicio o un proxy."
    : "Corregí lo que nombra el servicio y corré el comando de nuevo.";
}

/** What settles a campaign whose outcome is unknown. */
const campaignUnknownNext = (facts: CallFacts & { ref?: string }): string =>
  isRefusal(facts)
    ? `Corregí lo que el servicio rechaza, ${facts.status === 403 ? "la clave" : "la plantilla o el archivo de encabezado"}, y después corré ${resumed(facts.ref)}; o preguntale a quien maneja el servicio si llegó.`
    : `Con ${resumed(facts.ref)} se resuelve, con las mismas claves: a nadie le llega dos veces.`;

/** What settles a batch of products whose outcome is unknown. */
function catalogUnknownNext(facts: CallFacts): string {
  const { status, storeId } = facts;
  if (status === 403)
    return `Ahora el servicio rechaza la clave${storeId === undefined ? "" : ` o el store_id "${storeId}"`}, pero un intento anterior puede haberse aplicado. Corregí eso y corré el mismo comando de nuevo: sigue donde estaba.`;
  if (status !== undefined && putOff.has(status)) return `Probá más tarde. ${pushAgain}`;
  return isRefusal(facts)
    ? "Ahora el servicio rechaza este lote, pero un intento anterior puede haberse aplicado. Corregí el archivo y subilo: un archivo cambiado empieza una subida nueva, con marcas posteriores."
    : pushAgain;
}

const stopped = "Cortado con Ctrl-C o una señal.";
const beforeSending = { what: stopped, why: "No se mandó nada.", next: "Corré el comando de nuevo." };
const onlyRead = {
  what: stopped,
  why: "Faltaba leer una parte.",
  next: "Corré el comando de nuevo: no cambia nada.",
};

function interruptedWords({ during, ref }: ErrorFacts["interrupted"]): ErrorWords {
  const runs = { what: stopped, why: "Este comando corre hasta que lo cortan." };
  return {
    reading: beforeSending,
    waiting: beforeSending,
    question: beforeSending,
    setup: { ...beforeSending, why: "No se cambió ningún perfil." },
    follow: onlyRead,
    look: onlyRead,
    watch: {
      ...runs,
      next: "Correlo de nuevo para seguir: los pedidos que hayan entrado se entregan ahí, y ninguno dos veces.",
    },
    listen: {
      ...runs,
      next: "Correlo de nuevo para seguir: las respuestas aceptadas que no se entregaron se entregan ahí.",
    },
    work: {
      what: "Cortado antes del final, con Ctrl-C o una señal.",
      why: "Lo que se mandó quedó en el registro; el resultado de la llamada en curso es desconocido.",
      next:
        ref === undefined
          ? "Corré el mismo comando de nuevo para seguir: nada se aplica ni se manda dos veces."
          : `Con ${resumed(ref)} sigue: a nadie le llega dos veces.`,
    },
  }[during];
}

/** What the service, the network or a signal ends. */
export const callErrors: Pick<
  ErrorTexts,
  "access_denied" | "input_refused" | "unavailable" | "unreadable_answer" | "outcome_unknown" | "interrupted"
> = {
  access_denied: {
    what: (facts) =>
      `El servicio no acepta esta clave${facts.storeId === undefined ? "" : ` con el store_id "${facts.storeId}"`}.`,
    why: because,
    next: (facts) =>
      facts.storeId !== undefined
        ? "Corregí el store_id o sacalo (--store-id, o store_id en el perfil): tiene que ser el de la sucursal de la clave. Después revisá la clave: BPOS_API_KEY, o el perfil de -p."
        : "La clave no es válida, está inactiva o es de otra sucursal. Revisá BPOS_API_KEY o el perfil de -p, o ensayá con --mock.",
    more: "El servicio contestó 401 o 403: la clave está mal, inactiva o es de otra sucursal, o el store_id no es el de la clave. Fijate qué clave se usa: BPOS_API_KEY va antes que un perfil, salvo que -p nombre uno.",
  },
  input_refused: {
    what: (facts) => `El servicio rechazó ${facts.endpoint} con ${answered(facts)}.`,
    why: because,
    next: refusedNext,
    more: "El servicio contestó un 4xx: rechazó lo que se mandó, y esta llamada no se hizo. Su respuesta dice por qué. Con 404, revisá la dirección; si es una campaña, la plantilla, su idioma y sus variables.",
  },
  unavailable: {
    what: (facts) =>
      facts.proxy !== undefined
        ? `El proxy ${facts.proxy.url} no dejó pasar ${facts.endpoint}.`
        : facts.status === undefined
          ? `${facts.origin} no dio una respuesta que sirva.`
          : `El servicio respondió ${answered(facts)} a ${facts.endpoint}.`,
    why: because,
    next: (facts) => {
      if (facts.proxy !== undefined) return proxyNext(facts.proxy);
      if (facts.untrusted === true) return untrustedNext;
      return (facts.status ?? 500) < 400
        ? "La dirección no es la del servicio: corregí --base-url o --campaigns-url (BPOS_BASE_URL, BPOS_CAMPAIGNS_URL)."
        : "Podés correrlo de nuevo sin problema: nada se aplica dos veces. Probá más tarde; si sigue igual, revisá la red, el proxy y la dirección.";
    },
    more: "El servicio no contestó, o contestó que ahora no puede (408, 429, 5xx), también después de todos los reintentos. Lo que había que mandar no se aplicó. Corré el comando más tarde: nada se manda ni se aplica dos veces.",
  },
  unreadable_answer: {
    what: ({ endpoint }) => `La respuesta a ${endpoint} no es del servicio.`,
    why: because,
    next: "Revisá la dirección, y que no conteste un proxy o una página de ingreso en su lugar. Podés correrlo de nuevo sin problema; --verbose muestra cada llamada.",
    more: "Algo contestó, pero no como el servicio: una página web, una respuesta vacía o cortada. La llamada solo leía.",
  },
  outcome_unknown: {
    what: ({ endpoint }) => `Resultado desconocido: puede que ${endpoint} se haya hecho, o no.`,
    why: (facts) =>
      isCampaign(facts) && isRefusal(facts)
        ? `${because(facts)} Un intento anterior puede haber llegado, así que este rechazo no prueba nada.`
        : because(facts),
    next: (facts) => (isCampaign(facts) ? campaignUnknownNext(facts) : catalogUnknownNext(facts)),
    more: "Una llamada salió y su resultado es desconocido. Toda llamada lleva una clave, y el servicio hace una sola vez lo que tiene la misma. Si era una subida, corré el mismo comando con el mismo archivo; si era una campaña, `bpos campaign resume`: nada se manda ni se aplica dos veces.",
  },
  interrupted: {
    ...said(interruptedWords),
    more: "Ctrl-C, SIGTERM, o una terminal que se cerró (SIGHUP). Lo que se hizo quedó en el registro. Corré el comando de nuevo, o `bpos campaign resume` si era un envío: sigue donde estaba.",
  },
};

const elsewhere = "Nombrá otro archivo, o mové este a otro lado para empezar un mundo nuevo.";
const names: Readonly<Record<string, string>> = {
  scenario: "otro escenario",
  seed: "otra semilla",
  clock: "otra hora",
  speed: "otra velocidad",
};

const worldProblems: Words<WorldProblem, WhatAndNext> = {
  not_a_world: () => ({ what: "no es el archivo de un mundo, y quedó como estaba", next: elsewhere }),
  newer: () => ({ what: "lo escribió un bpos más nuevo", next: `Actualizá bpos. ${elsewhere}` }),
  busy: () => ({
    what: "hace 10 s que otro proceso está escribiendo en él",
    next: "Pará ese proceso, o nombrá otro archivo.",
  }),
  damaged: ({ said: reason }) => ({ what: `está dañado (${reason})`, next: elsewhere }),
  unwritable: ({ said: reason }) => ({
    what: `no se puede escribir (${reason})`,
    next: "Revisá los permisos y el lugar en el disco, o nombrá otro archivo; BPOS_HOME nombra otra carpeta para el de --mock.",
  }),
  other_world: ({ of }) => ({
    what: `tiene un mundo con ${of.map((name) => names[name] ?? name).join(" y ")}`,
    next: "Sacá esa opción, vaciá el mundo con `bpos mock reset`, o nombrá otro archivo.",
  }),
};

/** What is wrong with the file of the mock's world, as part of a sentence, and what to do next. */
export const worldWords = (problem: WorldProblem): WhatAndNext => wordsFor(worldProblems, problem);
