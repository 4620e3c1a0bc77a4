import type {
  demo as enDemo,
  errorLabels as enErrorLabels,
  mock as enMock,
  notices as enNotices,
  progress as enProgress,
  table as enTable,
} from "../en/general.ts";
import { type Count, plural } from "../phrases.ts";
import { push } from "./catalog.ts";
import { fileName } from "./files.ts";

/** What tables of every kind say. */
export const table: typeof enTable = {
  leftOut: (columns: string) =>
    `No se muestra por falta de lugar: ${columns}. Se ve con una ventana más ancha o con --json.`,
};

/** What stands before the three lines of an error. */
export const errorLabels: typeof enErrorLabels = {
  what: "Error:",
  stopped: "Nota:",
  why: "Por qué:",
  next: "Qué hacer:",
  more: "Más:",
};

/** The progress line. */
export const progress: typeof enProgress = {
  left: (time: string) => `faltan ${time}`,
  perSecond: (count: string) => `${count}/s`,
};

/** What is said beside the data, on standard error. */
export const notices: typeof enNotices = {
  mismatches: (first, more) =>
    `Nota: la respuesta del servicio no coincide con su especificación (${first}${more > 0 ? ` y ${more} más` : ""}); se muestra tal como llegó.`,
  dateRead: (flag: string, text: string, iso: string) =>
    `Nota: ${flag} ${text} se leyó con el día primero: ${iso}.`,
  request: (line) =>
    `${line.endpoint} ${line.outcome} ${line.ms} ms, intento ${line.attempt}${
      line.waitMs === undefined ? "" : `, otra vez en ${line.waitMs} ms`
    }`,
  sumsDiffer: (batches) =>
    `Atención: en ${batches} ${batches === 1 ? "lote" : "lotes"}, los aceptados, rechazados y viejos no suman lo que se mandó.`,
  notDeactivated: (products) =>
    `Atención: el servicio no quiso dar de baja ${products} ${products === 1 ? "producto que ya no está" : "productos que ya no están"} en el archivo. ${push.notDeactivated}`,
  stdoutStalled:
    "Nadie lee la salida estándar. Si la terminal está en pausa, Ctrl-Q la reanuda. Lo que va ahí espera; todo lo demás sigue.",
  waitingForLock: (pid, work, seconds) =>
    `${pid === null ? "Otro bpos" : `El proceso ${pid}`} está ${work === "push" ? "subiendo el catálogo de esta sucursal" : "haciendo lo mismo"}. Se lo espera hasta ${seconds} s …`,
  clockSkew: (aheadMs) =>
    `Atención: el reloj de esta máquina está ${Math.round(Math.abs(aheadMs) / 60_000)} minutos ${aheadMs > 0 ? "adelantado" : "atrasado"} respecto del reloj del servicio. Ponelo en hora: la hora de una subida decide qué precio vale.`,
  clockUnknown:
    "Atención: el servicio no dice su hora, así que no se revisó el reloj de esta máquina. El primer lote se manda solo.",
  stampAhead: (hours, stamp) =>
    `Atención: el último envío de esta sucursal lleva una marca ${hours} h adelantada respecto del reloj de esta máquina (${stamp}). Este envío sigue desde ahí: hasta entonces, los precios de otras máquinas cuentan como viejos.`,
  knownWrong: (gone, unchanged) =>
    `Atención: ${
      gone.length === 0
        ? "el servicio tiene datos posteriores a los que mandó esta máquina de algunos productos confirmados"
        : `el servicio ya no tiene ${gone.slice(0, 3).join(", ")}${gone.length > 3 ? ` y ${gone.length - 3} más` : ""}, que estaban confirmados`
    }. ${unchanged === 1 ? "La fila que no se mandó porque no cambió también puede" : `Las ${unchanged} filas que no se mandaron porque no cambiaron también pueden`} estar distintas allá: mandá el archivo una vez sin --changed-only.`,
  nothingKnown: (deactivates) =>
    `Nota: el servicio todavía no le confirmó ningún producto a esta máquina: se mandan todas las filas${deactivates ? ", y no se da de baja ninguno" : ""}.`,
  excludesNobody: (file) => `Nota: ${fileName(file)} no tiene ningún teléfono, así que no excluye a nadie.`,
  readingStdin: "Leyendo la entrada estándar; Ctrl-D la termina.",
  collapsed: (rows) =>
    rows === 1
      ? "Nota: 1 fila repite exactamente otra anterior y se manda una sola vez."
      : `Nota: ${rows} filas repiten exactamente otra anterior y se mandan una sola vez.`,
  retrying: (endpoint, outcome, seconds) =>
    `${endpoint}: ${outcome}. Se reintenta en ${seconds.replace(".", ",")} s …`,
  askCodes: "¿En qué columna está el código (codigo) de cada producto?",
  mapUsed: (fields) =>
    `Columnas que se usan: ${Object.entries(fields)
      .flatMap(([field, header]) => (header === null ? [] : [`${field} de "${header}"`]))
      .join(", ")}.`,
  mapNextTime: (pairs, profile) => {
    const ways = [
      ...(pairs === undefined ? [] : [`agregá --map "${pairs}"`]),
      profile === undefined
        ? "nombrá un perfil con -p y agregá --save-map"
        : `agregá --save-map, que lo guarda en el perfil "${profile}"`,
    ];
    return `Para saltear esta pregunta: ${ways.join(", o ")}.`;
  },
  mapKept: (profile) => `Qué columna va en cada campo quedó guardado en el perfil "${profile}".`,
  reading: (file) => `Leyendo ${fileName(file)}`,
  pushing: { upsert: "Subiendo productos", delete: "Dando de baja productos" },
  peopleDropped: (people, ref) =>
    people === 1
      ? `Atención: 1 destinatario de un envío anterior con "${ref}" no lo recibió y no está en este archivo: este envío no le va a llegar. Con \`bpos campaign resume\` le habría llegado.`
      : `Atención: ${people} destinatarios de un envío anterior con "${ref}" no lo recibieron y no están en este archivo: este envío no les va a llegar. Con \`bpos campaign resume\` les habría llegado.`,
  unaccounted: (people: number, all: number, next: string) =>
    `Atención: el servicio no da cuenta de ${people} de ${all} ${all === 1 ? "destinatario" : "destinatarios"}: ni agregados, ni repetidos, ni errores. ${next}`,
  statusNotSent: (id: string, status: string | null, more: number, next: string) =>
    `Atención: ${status === null ? `la respuesta de la campaña ${id} no trae estado` : `la campaña ${id} tiene el estado "${status}", no "sent"`}${more === 0 ? "" : `, y hay ${more} más que tampoco ${more === 1 ? "está" : "están"} en "sent"`}. ${next}`,
  reportElsewhere: (file, written) =>
    `${file} cambió desde que lo escribió bpos, y queda como está. Las filas que quedaron afuera están en ${written}.`,
  historyNotKept: (detail) =>
    `Atención: el informe no se pudo guardar en el registro (${detail}): el historial va a quedar incompleto.`,
  knownNotShown: (why: string) =>
    `Atención: no se muestra lo que esta máquina tiene registrado de la campaña. ${why}`,
  headerNotFetched: "El archivo de encabezado no se revisa: el servicio está en esta máquina o en su red.",
  askTest: (phone) => `¿Mandar ahora un mensaje de prueba a ${phone}?`,
  sending: (calls, all) => `Mandando, ${calls} de ${all} ${all === 1 ? "lote" : "lotes"}`,
  nothingOpen: "No hay ningún envío sin terminar: nada que retomar.",
  askSend: (people) => `¿Mandar ahora a ${people} ${people === 1 ? "destinatario" : "destinatarios"}?`,
  worldNotKept: (file) =>
    `Nota: no se puede escribir ${file}, así que el mundo del mock termina con este comando.`,
  mockUp: (baseUrl, key) =>
    `El mock está escuchando. En otra terminal:\n  BPOS_BASE_URL=${baseUrl} BPOS_CAMPAIGNS_URL=${baseUrl}/messaging BPOS_API_KEY=${key} bpos orders list\nCtrl-C lo corta.`,
};

/** What `bpos mock order|reply|advance|fault|reset|log` say. */
export const mock: typeof enMock = {
  placed: (count: Count, ids: string) => `${plural(count, "pedido cargado", "pedidos cargados")}: ${ids}.`,
  replied: (phone: string, text: string, campaignId: string) =>
    `${phone} respondió "${text}" a ${campaignId}.`,
  advanced: (now: string) => `El reloj del mock marca ${now}.`,
  reset: (scenario: string) => `El mock se reinició: escenario ${scenario}.`,
  faultAdded: (rule: string) => `Falla activada: ${rule}.`,
  faultsCleared: "No hay fallas activas.",
  faultsTitle: "Fallas activas",
  faults: { rule: "Regla", times: "Veces", rate: "Tasa", fired: "Saltó" },
};

/** The narration of `bpos demo`. */
export const demo: typeof enDemo = {
  title: "Un paseo por bpos con su mock incluido. Acá nada es real.",
  push: "1. Subir una lista de precios como salió de la planilla. Las filas malas se listan, el resto se manda.",
  list: "2. Listar los pedidos en pendiente. Sus líneas traen los códigos del local.",
  watch: "3. Un cliente hace un pedido. El watch lo entrega, una sola vez.",
  send: "4. Mandar una plantilla a los clientes de un archivo CSV. Las filas que no sirven se listan con el motivo.",
  again: "5. El mismo archivo otra vez: nadie recibe el mensaje dos veces.",
  status: "6. Cinco minutos después: el estado.",
  end: "Todo eso fue por HTTP. Ahora: `bpos mock` deja un mock andando, `bpos --help` muestra todos los comandos.",
};
