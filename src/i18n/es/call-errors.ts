import type { Detail, OwnDetail } from "../../errors/detail.ts";
import type { WorldProblem } from "../../errors/world-problem.ts";
import type { CaFileProblem, CallFacts } from "../../errors.ts";
import type {
  callErrors as enCallErrors,
  network as enNetwork,
  networkErrors as enNetworkErrors,
  proxyNext as enProxyNext,
  proxyPageNext as enProxyPageNext,
} from "../en/call-errors.ts";
import { capitalised, ended, quoted, resumed } from "../phrases.ts";
import { type ErrorWords, type Words, wordsFor } from "../shapes.ts";

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
  encoding_broken: ({ of, encoding, detail }) =>
    `la codificación ${encoding} ${of === "answer" ? "de la respuesta" : "del archivo"} está rota: ${detail}`,
  broke_off: ({ detail }) => `la conexión se cortó en medio de la respuesta: ${detailWords(detail)}`,
  redirect: ({ to }) => `una redirección a ${to ?? "ningún lado"}, que no se sigue`,
  answer_empty: () => "llegó vacía",
  answer_html: () => "HTML en lugar de JSON",
  answer_cut_off: () => "el JSON está cortado",
  answer_too_deep: ({ maxDepth }) => `JSON anidado en más de ${maxDepth} niveles`,
  answer_not_json: () => "no es JSON",
  answer_no_problem: () => "no es un error como los del servicio",
  answer_lacks: ({ path, type }) =>
    path === "" ? `falta ${types[type] ?? type} en JSON` : `falta ${types[type] ?? type} ${path}`,
  not_a_mock: () => "no es la respuesta de un mock",
  proxy_answered: ({ proxy, variable, status, said }) =>
    `el proxy ${proxy} (${variable}) respondió ${`${status} ${said}`.trimEnd()}`,
  proxy_unreached: ({ proxy, variable, detail }) =>
    `no se pudo llegar al proxy ${proxy} (${variable}): ${detailWords(detail)}`,
  not_json: () => "no es JSON",
  empty: () => "está vacío",
  key_as_file: () => "eso parece la clave misma, y no se puede leer ningún archivo con ese nombre",
  key_not_for_header: ({ at, length }) => `el carácter ${at} de ${length} no puede ir en un encabezado HTTP`,
  key_too_long: ({ length, max, isCut }) =>
    `tiene ${isCut ? "más de " : ""}${length} caracteres, y una clave tiene ${max} como mucho`,
  key_lines: ({ lines }) => `tiene ${lines} líneas, y una clave es una sola`,
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
  not_allowed: () => "no tenés permiso para escribir ahí",
  file_missing: () => "no existe ese archivo",
  not_readable: () => "no tenés permiso para leerlo",
  wrong_type: ({ path, type }) => `${path === "" ? "el archivo entero" : quoted(path)} no es de tipo ${type}`,
  journal_newer: () => "lo escribió un bpos más nuevo",
};

/** Why something failed, as part of a sentence; what others said stays as it came. */
export function detailWords(detail: Detail): string {
  return typeof detail === "string" ? detail : wordsFor(details, detail);
}

/** Why something failed, as a sentence of its own; what others said keeps its first letter. */
export function detailSentence(detail: Detail): string {
  return ended(typeof detail === "string" ? detail : capitalised(detailWords(detail)));
}

/** What is said of requests as they are made, for a person who looks for a fault. */
export const network: typeof enNetwork = {
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
export const networkErrors: typeof enNetworkErrors = {
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
export const proxyNext: typeof enProxyNext = ({ variable, status, credentials }) => {
  if (status === 407)
    return credentials
      ? `Corregí el usuario o la contraseña en ${variable}; ahí los caracteres especiales van codificados con %.`
      : `Pide usuario y contraseña: poné ${variable} como http://USUARIO:CONTRASEÑA@HOST:PUERTO, con los caracteres especiales codificados con %.`;
  return status !== undefined && status < 500
    ? "El proxy no deja pasar a esa dirección: pediselo a quien lo maneja, o anotá el host del servicio en NO_PROXY para salir sin él."
    : `Revisá la dirección en ${variable} y que el proxy ande; o borrala, o anotá el host del servicio en NO_PROXY, para salir sin él. Podés correrlo de nuevo sin problema: nada se aplica dos veces.`;
};

/** What to do about a refusal that may be a proxy's own page. */
const proxyPageNext: typeof enProxyPageNext = ({ url, variable }) =>
  `Así no responde el servicio: puede ser la respuesta del proxy (${url}, ${variable}). Pedile a quien lo maneja que permita esa dirección, o poné el host del servicio en NO_PROXY para no usarlo.`;

/** "después de 5 intentos", or nothing when there was only one. */
const after = ({ attempts }: CallFacts): string => (attempts > 1 ? ` después de ${attempts} intentos` : "");

/** Status and code of an answer. */
const answered = ({ status, serviceCode }: CallFacts): string =>
  [status, serviceCode].filter((part) => part !== undefined && part !== "").join(" ");

/** What the service answered, as far as it is known: status, code and message, or the beginning of the answer. */
function answer(facts: CallFacts): string {
  const head = answered(facts);
  const { serviceMessage, quote } = facts;
  const said = serviceMessage ?? quote;
  return [head, said === undefined || said === "" ? "" : `"${said}"`]
    .filter((part) => part !== "")
    .join(", ");
}

/** That the service asked for a longer pause than is made. */
const tooLongAWait = ({ retryAfterMs = 0, longestWaitMs }: CallFacts): string =>
  longestWaitMs === undefined
    ? ""
    : `el servicio pide esperar ${Math.ceil(retryAfterMs / 1000)} s, y se esperan ${longestWaitMs / 1000} s como mucho`;

/** Why a call came to nothing: the answer, or what the network said. */
function because(facts: CallFacts): string {
  const parts = [answer(facts), detailWords(facts.detail ?? ""), tooLongAWait(facts)].filter(
    (part) => part !== "",
  );
  const call = `${facts.endpoint} en ${facts.origin}`;
  const asked =
    facts.askedFor === "time" ? `Antes de mandar nada se le pregunta la hora al servicio (${call})` : call;
  const why = ended(`${asked}${after(facts)}: ${parts.join("; ") || "sin respuesta"}`);
  return facts.nothingSent === true ? `${why} No se mandó nada.` : why;
}

/** Whether a catalog or a campaign was being sent; what settles an unknown outcome differs. */
const isCampaign = ({ endpoint }: CallFacts): boolean => endpoint.includes("/campaigns");

/** A refusal of a call that had been tried before. */
const isRefusal = ({ status = 0 }: CallFacts): boolean =>
  status >= 400 && status < 500 && !putOff.has(status);

const runAgain = {
  push: "Corré el mismo comando de nuevo, con el mismo archivo o los mismos códigos: sigue donde se cortó, con los mismos event_id, y nada se aplica dos veces.",
  send: (ref: string | undefined) =>
    `Con ${resumed(ref)} se resuelve: usa las mismas claves, así a nadie le llega dos veces.`,
};

/** Too slow, too early, too many: answers that say nothing about what was sent. */
const putOff: ReadonlySet<number> = new Set([408, 425, 429]);

/** What to do about a refusal other than that of the key. */
function refusedNext(facts: CallFacts): string {
  if (facts.status === 404)
    return "En esa dirección no hay nada: revisá --base-url y --campaigns-url (BPOS_BASE_URL, BPOS_CAMPAIGNS_URL), ruta incluida.";
  if (facts.endpoint.startsWith("GET /campaigns"))
    return "Revisá el campaign_id, y que la campaña se haya mandado con esta clave: las de otra sucursal no se muestran.";
  if (isCampaign(facts) && facts.status === 413)
    return "Este lote no se mandó: es demasiado grande. Preguntale el límite a quien maneja el servicio o el proxy que está adelante.";
  if (isCampaign(facts))
    return "Este lote no se mandó. Revisá el nombre exacto de la plantilla, que esté aprobada, su --language, que tenga tantas variables como nombra --params (ninguna: --params '') y, si lleva imagen, video o documento, --header-url; después corré el comando de nuevo.";
  return facts.status === 413 && facts.endpoint.includes("/catalog/")
    ? "Hasta un solo producto le resulta demasiado grande: acortá su texto más largo en el archivo. Si no es largo, preguntale el límite a quien maneja el servicio o el proxy que está adelante."
    : "Corregí lo que nombra el servicio y corré el comando de nuevo.";
}

/** What to do where nobody knows whether a part of a campaign arrived. */
function campaignUnknownNext(facts: CallFacts & { ref?: string }): string {
  if (!isRefusal(facts)) return runAgain.send(facts.ref);
  const where =
    facts.status === 403
      ? "en el servicio, la clave"
      : "en el servicio, la plantilla o el archivo de encabezado";
  return `Corregí lo que se rechaza (${where}) y después corré ${resumed(facts.ref)}; o preguntale a quien maneja el servicio si llegó.`;
}

/** What to do where nobody knows whether a batch of products was applied. */
function catalogUnknownNext(facts: CallFacts): string {
  const { status, storeId } = facts;
  if (status === 403)
    return `Ahora el servicio rechaza la clave${storeId === undefined ? "" : ` o el store_id "${storeId}"`}, pero un intento anterior de este lote puede haberse aplicado. Arreglá eso y corré el mismo comando de nuevo: sigue donde se cortó.`;
  if (status !== undefined && putOff.has(status)) return `Probá más tarde. ${runAgain.push}`;
  return isRefusal(facts)
    ? "Ahora el servicio rechaza este lote, pero un intento anterior puede haberse aplicado. Corregí el archivo y subilo: un archivo cambiado empieza una subida nueva, con horas marcadas posteriores."
    : runAgain.push;
}

/** The words of a refusal; where it may be a proxy's own page, those say so first. */
const orProxys = (facts: CallFacts, words: ErrorWords): ErrorWords =>
  facts.proxy === undefined
    ? words
    : {
        ...words,
        what: `El servicio, o el proxy que está en el medio, rechazó ${facts.endpoint} con ${answered(facts)}.`,
        next: `${proxyPageNext(facts.proxy)} O es el servicio mismo el que la rechaza. ${words.next}`,
      };

/** What the service, the network or a signal ends. */
export const callErrors: typeof enCallErrors = {
  access_denied: (facts) =>
    orProxys(facts, {
      what:
        facts.storeId === undefined
          ? "El servicio no acepta esta clave."
          : `El servicio no acepta esta clave, o no con el store_id "${facts.storeId}".`,
      why: because(facts),
      next:
        facts.storeId !== undefined
          ? `El store_id "${facts.storeId}" se mandó con los productos y tiene que ser el de la sucursal de la clave: corregilo o sacalo (--store-id, o store_id en el perfil). Si está bien, revisá la clave: BPOS_API_KEY, o el perfil de -p.`
          : "La clave no es válida, está inactiva o es de otra sucursal (un store_id tiene que ser el suyo). Revisá BPOS_API_KEY o el perfil de -p, o ensayá con --mock.",
    }),
  input_refused: (facts) =>
    orProxys(facts, {
      what: `El servicio rechazó ${facts.endpoint} con ${answered(facts)}.`,
      why: because(facts),
      next: refusedNext(facts),
    }),
  unavailable: (facts) => ({
    what:
      facts.proxy === undefined
        ? facts.status === undefined
          ? `${facts.origin} no dio una respuesta que sirva.`
          : `El servicio respondió ${answered(facts)} a ${facts.endpoint}.`
        : `El proxy ${facts.proxy.url} no dejó pasar ${facts.endpoint}.`,
    why: because(facts),
    next: facts.proxy
      ? proxyNext(facts.proxy)
      : facts.untrusted === true
        ? untrustedNext
        : (facts.status ?? 500) < 400
          ? "La dirección no es la del servicio: corregí --base-url o --campaigns-url (BPOS_BASE_URL, BPOS_CAMPAIGNS_URL)."
          : "Podés correrlo de nuevo sin problema: nada se aplica dos veces. Probá más tarde; si sigue igual, revisá la red, el proxy y la dirección.",
  }),
  unreadable_answer: (facts) => ({
    what: `La respuesta a ${facts.endpoint} no se puede leer.`,
    why: because(facts),
    next: "Fijate que la dirección sea la del servicio y que en el medio no haya un proxy ni una página de ingreso; podés correrlo de nuevo sin problema.",
  }),
  outcome_unknown: (facts) => ({
    what: `Resultado desconocido: puede que ${facts.endpoint} se haya hecho, o no.`,
    why:
      isCampaign(facts) && isRefusal(facts)
        ? `${because(facts)} Un intento anterior puede haber llegado, así que este rechazo no prueba nada.`
        : because(facts),
    next: isCampaign(facts) ? campaignUnknownNext(facts) : catalogUnknownNext(facts),
  }),
  interrupted: ({ during, ref }) =>
    ({
      reading: {
        what: "Cortado con Ctrl-C o una señal mientras se leía el archivo.",
        why: "No se mandó nada.",
        next: "Corré el comando de nuevo.",
      },
      waiting: {
        what: "Cortado con Ctrl-C o una señal mientras esperaba a otro bpos.",
        why: "No se mandó nada.",
        next: "Corré el comando de nuevo.",
      },
      work: {
        what: "Cortado antes del final, con Ctrl-C o una señal.",
        why: "Lo que se mandó hasta ahí quedó anotado; la llamada que estaba en curso puede haber llegado o no.",
        next:
          ref === undefined
            ? "Corré el mismo comando de nuevo para seguir: nada se aplica ni se manda dos veces."
            : `Con ${resumed(ref)} sigue: a nadie le llega dos veces.`,
      },
      question: {
        what: "Cortado con Ctrl-C o una señal.",
        why: "No se mandó nada.",
        next: "Corré el comando de nuevo cuando esté todo bien.",
      },
      setup: {
        what: "Cortado con Ctrl-C o una señal.",
        why: "No se guardó, cambió ni borró ningún perfil.",
        next: "Corré el comando de nuevo cuando quieras: empieza desde el principio.",
      },
      follow: {
        what: "Cortado con Ctrl-C o una señal.",
        why: "Todavía no era todo definitivo.",
        next: "Correlo de nuevo para ver cómo va: mirar no cambia nada.",
      },
      look: {
        what: "Cortado con Ctrl-C o una señal.",
        why: "Faltaba revisar una parte.",
        next: "Correlo de nuevo: mirar no cambia nada.",
      },
      watch: {
        what: "Cortado con Ctrl-C o una señal.",
        why: "Este comando corre hasta que lo cortan.",
        next: "Correlo de nuevo para seguir: lo que haya entrado mientras tanto se entrega ahí, y ningún pedido dos veces.",
      },
      listen: {
        what: "Cortado con Ctrl-C o una señal.",
        why: "Este comando corre hasta que lo cortan. Las respuestas que confirmó quedaron anotadas.",
        next: "Correlo de nuevo para seguir: lo que no se entregó todavía se entrega ahí.",
      },
    })[during],
};

interface WhyAndNext {
  why: string;
  next: string;
}

const elsewhere = "Nombrá otro archivo, o sacá este de ahí para que empiece un mundo nuevo.";
const names: Readonly<Record<string, string>> = {
  scenario: "otro escenario",
  seed: "otra semilla",
  clock: "otra hora",
  speed: "otra velocidad",
};

const problems: Words<WorldProblem, WhyAndNext> = {
  not_a_file: () => ({ why: "No es un archivo común.", next: "Nombrá un archivo." }),
  not_sqlite: () => ({ why: "No es un archivo de SQLite: quedó como estaba.", next: elsewhere }),
  other_program: () => ({
    why: "Es la base de datos de otro programa: quedó como estaba.",
    next: "Nombrá otro archivo.",
  }),
  newer: () => ({ why: "Lo escribió un bpos más nuevo.", next: `Actualizá bpos. ${elsewhere}` }),
  older: () => ({ why: "Lo escribió un bpos más viejo.", next: elsewhere }),
  busy: () => ({
    why: "Hace 10 s que otro proceso está escribiendo en él.",
    next: "Pará ese proceso, o nombrá otro archivo.",
  }),
  damaged: ({ said }) => ({ why: `Está dañado (${said}).`, next: elsewhere }),
  unwritable: ({ said }) => ({
    why: `No se puede escribir (${said}).`,
    next: "Fijate que tengas permiso para escribir ahí y que haya lugar en el disco, o nombrá otro archivo; BPOS_HOME nombra otra carpeta para el de --mock.",
  }),
  other_world: ({ of }) => ({
    why: `Tiene un mundo con ${of.map((name) => names[name] ?? name).join(" y ")}, y lo que pasó en él no puede ser cierto en este.`,
    next: "Sacá esa opción, vaciá el mundo con `bpos mock reset`, o nombrá otro archivo.",
  }),
};

/** Why the file of the mock's world cannot be used, and what to do next. */
export function worldWords(problem: WorldProblem): WhyAndNext {
  return wordsFor(problems, problem);
}
