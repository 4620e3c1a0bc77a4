import type { CallFacts } from "../../errors.ts";
import type { callErrors as en } from "../en/call-errors.ts";
import type { ErrorWords } from "../error-words.ts";
import { ended, resumed } from "../phrases.ts";
import { detailWords } from "./detail.ts";
import { proxyNext, proxyPageNext, untrustedNext } from "./network.ts";

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
export const callErrors: typeof en = {
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
