import type { ClientCertProblem, Detail, WorldProblem } from "../../errors/problems.ts";
import {
  detailWords as detailIn,
  execEndWords as execEndIn,
  programWords as programIn,
} from "../../errors/words/details.ts";
import type { CaFileProblem, ExecEnd } from "../../errors.ts";
import { textsIn } from "../../texts/texts.ts";
import type { network as enNetwork } from "../en/call-errors.ts";
import { failedWords, knownOfCalls, mustWaitWords } from "../shared/calls.ts";
import { type CallReason, defineReasons } from "../shared/errors.ts";
import { advice } from "../template.ts";

const t = textsIn("es");
export const detailWords = (detail: Detail): string => detailIn(detail, t);
export const execEnd = (end: ExecEnd): string => execEndIn(end, t);
export const program = (facts: { program: string; outputNumber: number }): string => programIn(facts, t);

/** What is said of requests as they are made, for a person who looks for a fault. */
export const network: typeof enNetwork = {
  attempt: (request, attempt) => (attempt === 1 ? request : `${request}, intento ${attempt}`),
  answer: (status, request) => `${status} a ${request}`,
  via: (proxy) => `por el proxy ${proxy}`,
  more: (characters) => `… ${characters} caracteres más que no se muestran`,
  masked: "Los datos de personas están ocultos (…): este comando los necesita para correr.",
};

/** What is wrong with a file of certificates, as part of a sentence, and what to do next. */
export const caFileWords = advice<CaFileProblem>()({
  unreadable: { what: "{detail}", next: "‹Revisa› el nombre y los permisos del archivo." },
  no_certificate: {
    what: "ningún certificado en formato PEM (-----BEGIN CERTIFICATE-----)",
    next: "‹Consigue› el certificado de la CA en PEM. Uno en DER (.cer, .der) se convierte con `openssl x509 -inform der -in ARCHIVO -out ca.pem`.",
  },
  broken_certificate: {
    what: "el certificado {number} no se puede leer: {detail}",
    next: "‹Consigue› el archivo de nuevo: puede estar cortado o modificado.",
  },
});

/** What is wrong with a client certificate or its key, as part of a sentence, and what to do next. */
export const clientCertWords = advice<ClientCertProblem>()({
  unreadable: { what: "{detail}", next: "‹Revisa› el nombre y los permisos del archivo." },
  no_certificate: {
    what: "ningún certificado en formato PEM (-----BEGIN CERTIFICATE-----)",
    next: "‹Consigue› el certificado en PEM. De un archivo .p12 o .pfx se saca con `openssl pkcs12 -in ARCHIVO -clcerts -nokeys -out cert.pem`.",
  },
  no_key: {
    what: "ninguna clave privada en formato PEM",
    next: "‹Consigue› la clave en PEM. De un archivo .p12 o .pfx se saca con `openssl pkcs12 -in ARCHIVO -nocerts -nodes -out key.pem`.",
  },
  key_encrypted: {
    what: "la clave está cifrada, y bpos no pide contraseñas de claves",
    next: "‹Descífrala› en un archivo que solo ‹tú› puedas leer: `(umask 077; openssl pkey -in {file:shell} -out key.pem)`. Después ‹pasa› ese.",
  },
  broken: {
    what: "no se puede leer: {detail}",
    next: "‹Consigue› el archivo de nuevo: puede estar cortado o modificado.",
  },
  key_of_other: {
    what: "esta no es la clave del certificado de {cert}",
    next: "‹Pasa› la clave para la que se hizo el certificado, o el certificado de esta clave.",
  },
  half: {
    what: "el perfil tiene {setting} y no {other}",
    next: "‹Pon› los dos en el perfil, o ‹pasa› --client-cert y --client-key.",
  },
});

/** What to do about a service that does not accept the client certificate, or got none. */
export const clientCertNext =
  "El servicio pide un certificado de cliente: ‹pasa› --client-cert ARCHIVO y --client-key ARCHIVO, o ‹pon› client_cert y client_key en el perfil. Si ya lo ‹haces›, ‹pregúntale› a quien administra el servicio qué certificado acepta; `bpos doctor` muestra cuándo vence el tuyo.";

/** What to do about a certificate that is not accepted. */
export const untrustedNext =
  "Si tu red tiene una CA propia, ‹pasa› su certificado con --ca-file ARCHIVO o NODE_EXTRA_CA_CERTS. Si no, ‹revisa› la dirección y la hora de esta máquina: alguien podría estar interceptando la conexión.";

const known = knownOfCalls({
  detail: detailWords,
  failed: failedWords({
    isForTime:
      "Al leer la hora del servicio antes de mandar, {endpoint} en {origin}[ después de {attempts} intentos]: {said}.",
    else: "{endpoint} en {origin}[ después de {attempts} intentos]: {said}.",
  }),
  mustWait: mustWaitWords("el servicio pide esperar {waitS} s, y bpos espera {maxWaitS} s como mucho"),
  noAnswer: "sin respuesta",
});

/** What the service, the network or a signal ends. */
export const callErrors = defineReasons<CallReason>()(known)({
  access_denied: {
    what: {
      storeId: 'El servicio no acepta esta clave con el store_id "{storeId}".',
      else: "El servicio no acepta esta clave.",
    },
    next: {
      storeId:
        "‹Corrige› el store_id o ‹quítalo› (--store-id, o store_id en el perfil): tiene que ser el de la sucursal de la clave. Después ‹revisa› la clave: BPOS_API_KEY, o el perfil de -p.",
      else: "La clave no es válida, está inactiva o es de otra sucursal. ‹Revisa› BPOS_API_KEY o el perfil de -p, o ‹ensaya› con --mock.",
    },
    more: "El servicio respondió 401 o 403: la clave es incorrecta, está inactiva o es de otra sucursal, o el store_id no es el de la clave. ‹Revisa› qué clave se usa: BPOS_API_KEY tiene prioridad sobre un perfil, salvo que -p nombre uno.",
  },
  input_refused: {
    what: {
      template: "No hay ninguna plantilla {template} para esta clave.",
      else: "El servicio rechazó {endpoint} con {answered}.",
    },
    next: {
      clientCert: clientCertNext,
      refused: {
        template:
          "Este lote no se mandó. ‹Revisa› el nombre exacto, o --template-id, y que esté aprobada para esta sucursal (-p NOMBRE): quien administra las plantillas en la plataforma las ve todas.",
        path: "‹Revisa› --base-url y --campaigns-url (BPOS_BASE_URL, BPOS_CAMPAIGNS_URL), y sus rutas.",
        campaign_id:
          "‹Revisa› el campaign_id, y que la campaña se haya mandado con esta clave: las de otra sucursal no se muestran.",
        campaign_size:
          "Este lote no se mandó: es demasiado grande. ‹Pregúntale› el límite a quien administra el servicio o un proxy.",
        campaign:
          "Este lote no se mandó. ‹Revisa› el nombre exacto de la plantilla, que esté aprobada, --language, la cantidad de variables en --params (ninguna: --params '') y, si lleva imagen, video o documento, --header-url.",
        product_size:
          "Hasta un solo producto es demasiado grande: ‹acorta› su texto más largo. Si ya es corto, ‹pregúntale› el límite a quien administra el servicio o un proxy.",
        other: "‹Corrige› lo que indica el servicio y ‹corre› el comando de nuevo.",
      },
    },
    more: "El servicio respondió un 4xx: rechazó lo que se mandó, y esta llamada no se realizó. Su respuesta dice por qué. Con 404, ‹revisa› la dirección; si es una campaña, la plantilla, su idioma y sus variables.",
  },
  campaign_not_found: {
    what: "No hay ninguna campaña {campaignId} para esta clave.",
    next: "‹Revisa› el id (`bpos campaign list` muestra las que se mandaron desde esta máquina) y la sucursal (-p NOMBRE): el servicio muestra una campaña solo a la clave que la mandó. Con un teléfono: `bpos campaign find TELÉFONO`.",
    more: "El servicio no tiene ninguna campaña con ese id para esta clave. `bpos campaign list` muestra los id de lo que se mandó desde esta máquina; -p NOMBRE consulta con la clave de otra sucursal, porque el servicio muestra una campaña solo a la clave que la mandó. `bpos campaign find TELÉFONO` busca por teléfono.",
  },
  unavailable: {
    what: {
      proxyUrl: "El proxy {proxyUrl} no dejó pasar {endpoint}.",
      status: "El servicio respondió {answered} a {endpoint}.",
      else: "{origin} no dio una respuesta válida.",
    },
    next: {
      proxyState: {
        wrong_password:
          "‹Corrige› el usuario o la contraseña en {variable}; ahí los caracteres especiales van codificados con %.",
        no_password:
          "El proxy pide usuario y contraseña: ‹pon› {variable} como http://USUARIO:CONTRASEÑA@HOST:PUERTO, con los caracteres especiales codificados con %.",
        not_allowed:
          "El proxy no permite esa dirección: ‹pídeselo› a quien lo administra, o ‹agrega› el host del servicio a NO_PROXY.",
        down: "‹Revisa› la dirección en {variable} y que el proxy funcione, o ‹agrega› el host del servicio a NO_PROXY. ‹Puedes› repetir el comando sin riesgo: nada se aplica dos veces.",
      },
      clientCert: clientCertNext,
      untrusted: untrustedNext,
      isElsewhere:
        "La dirección no es la del servicio: ‹corrige› --base-url o --campaigns-url (BPOS_BASE_URL, BPOS_CAMPAIGNS_URL).",
      else: "‹Puedes› repetir el comando sin riesgo: nada se aplica dos veces. ‹Prueba› más tarde; si sigue igual, ‹revisa› la red, el proxy y la dirección.",
    },
    more: "El servicio no respondió, o respondió que no está disponible (408, 429, 5xx), incluso después de todos los reintentos. La llamada no se aplicó. ‹Corre› el comando más tarde: nada se manda ni se aplica dos veces.",
  },
  unreadable_answer: {
    what: "La respuesta a {endpoint} no es del servicio.",
    next: "‹Revisa› la dirección, y que no responda un proxy o una página de inicio de sesión en su lugar. ‹Puedes› repetir el comando sin riesgo; --verbose muestra cada llamada.",
    more: "Algo respondió, pero no como el servicio: una página web, una respuesta vacía o cortada. La llamada solo leía.",
  },
  outcome_unknown: {
    what: "Resultado desconocido: puede que {endpoint} se haya realizado, o no.",
    why: {
      refusal: "{refusal} Un intento anterior puede haber llegado, así que este rechazo no prueba nada.",
    },
    next: {
      unsettled: {
        campaign: "{resume} lo resuelve con las mismas claves: nadie recibe el mensaje dos veces.",
        campaign_key:
          "‹Corrige› lo que el servicio rechaza, la clave, y después ‹corre› {resume}; o ‹pregúntale› a quien administra el servicio si el lote llegó.",
        campaign_refused:
          "‹Corrige› lo que el servicio rechaza, la plantilla o el archivo de encabezado, y después ‹corre› {resume}; o ‹pregúntale› a quien administra el servicio si el lote llegó.",
        key: 'Ahora el servicio rechaza la clave[ o el store_id "{storeId}"], pero un intento anterior puede haberse aplicado. ‹Corrige› eso y ‹corre› el mismo comando de nuevo: sigue donde estaba.',
        later:
          "‹Prueba› más tarde. ‹Corre› el mismo comando de nuevo, con el mismo archivo o los mismos códigos: sigue con los mismos event_id, y nada se aplica dos veces.",
        refused:
          "Ahora el servicio rechaza este lote, pero un intento anterior puede haberse aplicado. ‹Corrige› el archivo y ‹súbelo›: un archivo cambiado empieza una subida nueva, con marcas posteriores.",
        catalog:
          "‹Corre› el mismo comando de nuevo, con el mismo archivo o los mismos códigos: sigue con los mismos event_id, y nada se aplica dos veces.",
      },
    },
    more: "Se mandó una llamada y su resultado es desconocido. Cada llamada lleva una clave, y el servicio aplica una sola vez las que llevan la misma. Si era una subida, ‹corre› el mismo comando con el mismo archivo; si era una campaña, `bpos campaign resume`: nada se manda ni se aplica dos veces.",
  },
  interrupted: {
    what: {
      during: {
        work: "Interrumpido antes del final, con Ctrl-C o una señal. Lo que se mandó quedó en el registro; el resultado de la llamada en curso es desconocido.",
        setup: "Interrumpido con Ctrl-C o una señal. No se cambió ningún perfil.",
        printing:
          "Interrumpido con Ctrl-C o una señal. El ticket puede estar en el papel, entero o en parte.",
        upkeep: "Interrumpido con Ctrl-C o una señal. Quedó hecho en parte.",
        reading: "Interrumpido con Ctrl-C o una señal. Faltaba leer una parte.",
        else: "Interrumpido con Ctrl-C o una señal.",
      },
    },
    next: {
      during: {
        unsent: "‹Corre› el comando de nuevo.",
        setup: "‹Corre› el comando de nuevo.",
        printing: "‹Mira› la impresora, y si no salió ‹corre› el comando otra vez.",
        upkeep: "‹Corre› el mismo comando de nuevo para seguir.",
        reading: "‹Corre› el comando de nuevo: no cambia nada.",
        watch:
          "‹Córrelo› de nuevo para seguir: los pedidos que hayan entrado mientras tanto se entregan entonces, ninguno dos veces.",
        listen:
          "‹Córrelo› de nuevo para seguir: las respuestas aceptadas y todavía pendientes se entregan entonces.",
        work: {
          resume: "{resume} lo retoma: nadie recibe el mensaje dos veces.",
          else: "‹Corre› el mismo comando de nuevo para seguir: nada se aplica ni se manda dos veces.",
        },
      },
    },
    more: "Ctrl-C, SIGTERM, o una terminal que se cerró (SIGHUP). Lo que se hizo quedó en el registro. ‹Corre› el comando de nuevo, o `bpos campaign resume` si era un envío: sigue donde estaba.",
  },
});

const elsewhere = "‹Nombra› otro archivo, o ‹mueve› este a otro lado para empezar un mundo nuevo.";
const names: Readonly<Record<string, string>> = {
  scenario: "otro escenario",
  seed: "otra semilla",
  clock: "otra hora",
  speed: "otra velocidad",
};

/** What is wrong with the file of the mock's world, as part of a sentence, and what to do next. */
export const worldWords = advice<WorldProblem>()({
  not_a_file: { what: "no es un archivo común", next: "‹Nombra› un archivo." },
  not_sqlite: { what: "no es un archivo de SQLite, y quedó como estaba", next: elsewhere },
  other_program: {
    what: "es la base de datos de otro programa, y quedó como estaba",
    next: "‹Nombra› otro archivo.",
  },
  newer: { what: "lo escribió un bpos más nuevo", next: `‹Actualiza› bpos. ${elsewhere}` },
  outdated: { what: "lo escribió un bpos más viejo, que este no lee", next: elsewhere },
  busy: {
    what: "otro proceso está escribiendo en él desde hace 10 s",
    next: "‹Detén› ese proceso, o ‹nombra› otro archivo.",
  },
  damaged: { what: "está dañado ({said})", next: elsewhere },
  unwritable: {
    what: "no se puede escribir ({said})",
    next: "‹Revisa› los permisos y el espacio en disco, o ‹nombra› otro archivo; el de --mock está en la carpeta que indica BPOS_HOME.",
  },
  other_world: {
    what: ({ of }) => `tiene un mundo con ${of.map((name) => names[name] ?? name).join(" y ")}`,
    next: "‹Quita› esa opción, ‹vacía› el mundo con `bpos mock reset`, o ‹nombra› otro archivo.",
  },
});
