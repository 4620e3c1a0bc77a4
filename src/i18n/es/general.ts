import { flagOutputs, listCounts, plural, times, toOneDecimal } from "../../texts/phrases.ts";
import type * as en from "../en/general.ts";
import { execEnd } from "./call-errors.ts";
import { push } from "./catalog.ts";
import { fileName } from "./files.ts";

/** What tables of every kind say. */
export const table: typeof en.table = {
  leftOut: (columns) => `No hay lugar para: ${columns}. Se ven con una ventana más ancha o con --json.`,
};

/** What stands before the three lines of an error. */
export const errorLabels: typeof en.errorLabels = {
  what: "Error:",
  stopped: "Nota:",
  why: "Por qué:",
  next: "Qué hacer:",
  more: "Más:",
};

/** The last line of an error of a command that would have sent something. */
export const nothingSent: typeof en.nothingSent = "No se mandó nada.";

/** The progress line. */
export const progress: typeof en.progress = {
  left: (time) => `faltan ${time}`,
  perSecond: (count) => `${count}/s`,
};

/** What is said beside the data, on standard error. */
export const notices: typeof en.notices = {
  mismatches: (first, more) =>
    `Nota: la respuesta del servicio no coincide con su especificación (${first}${more > 0 ? ` y ${more} más` : ""}); se muestra tal como llegó.`,
  dateRead: (flag, text, iso) => `Nota: ${flag} ${text} se leyó con el día primero: ${iso}.`,
  request: (line) =>
    `${line.endpoint} ${line.outcome} ${line.ms} ms, intento ${line.attempt}${
      line.waitMs === undefined ? "" : `, otra vez en ${line.waitMs} ms`
    }`,
  sumsDiffer: (batches) =>
    `Atención: en ${times(batches, "lote", "lotes")}, los aceptados, rechazados y desactualizados no suman lo que se mandó.`,
  notDeactivated: (products) =>
    `Atención: el servicio no aceptó dar de baja ${times(products, "producto que ya no está", "productos que ya no están")} en el archivo. ${push.notDeactivated}`,
  filesGone: (said) =>
    `bpos: ${said ?? "Interrumpido."} Sus propios archivos ya no están, seguramente por una actualización, y no puede decir más. ‹Vuelve› a iniciarlo.`,
  stdoutStalled:
    "Nadie está leyendo la salida estándar. Si la terminal está en pausa, Ctrl-Q la reanuda. Sus entregas esperan; todo lo demás sigue.",
  waitingForLock: ({ pid, host, work }, seconds) =>
    `${pid === null ? "Otro bpos" : `El proceso ${pid}`}${host === undefined ? "" : ` en ${host}`} está ${work === "push" ? "subiendo el catálogo de esta sucursal" : "mandando una campaña de esta sucursal"}. Esperando hasta ${seconds} s …`,
  readAgain: (file) => `Nota: ${fileName(file)} cambió mientras tanto, así que se lee de nuevo.`,
  clockSkew: (aheadMs) =>
    `Atención: el reloj de esta máquina está ${Math.round(Math.abs(aheadMs) / 60_000)} minutos ${aheadMs > 0 ? "adelantado" : "atrasado"} respecto del reloj del servicio. ‹Ajústalo›: la hora de una subida decide qué precio vale.`,
  clockUnknown:
    "Atención: el servicio no informa su hora, así que bpos no pudo revisar el reloj de esta máquina. Manda aparte el primer lote.",
  stampAhead: (hours, stamp) =>
    `Atención: la última subida de esta sucursal lleva una marca ${hours} h adelantada respecto del reloj de esta máquina (${stamp}). Esta subida sigue desde ahí: hasta entonces, los precios de otras máquinas cuentan como viejos.`,
  knownWrong: (gone, unchanged) =>
    `Atención: ${
      gone.length === 0
        ? "el servicio tiene datos posteriores a los que tiene este registro de algunos productos confirmados"
        : `el servicio ya no tiene ${gone.slice(0, 3).join(", ")}${gone.length > 3 ? ` y ${gone.length - 3} más` : ""}, que estaban confirmados`
    }. ${unchanged === 1 ? "La fila que no se mandó porque no cambió también puede" : `Las ${unchanged} filas que no se mandaron porque no cambiaron también pueden`} ser distintas en el servicio: ‹sube› el archivo una vez sin --changed-only.`,
  nothingKnown: (deactivates) =>
    `Nota: en este registro todavía no hay ningún producto confirmado: se mandan todas las filas${deactivates ? ", y no se da de baja ninguno" : ""}.`,
  pricesToZero: ({ count, first }, shown) => {
    const named = first.map(
      (each) =>
        `${each.codigo}${each.nombre === null ? "" : ` (${each.nombre})`}, que valía ${shown(each.old_price)}`,
    );
    return `Atención: ${times(count, "precio conocido pasa", "precios conocidos pasan")} a 0: ${named.join("; ")}${count > named.length ? `; y ${count - named.length} más` : ""}.`;
  },
  pricesUnknown: (codes) =>
    `Nota: ${times(codes, "código no tiene", "códigos no tienen")} un precio conocido en este registro: --max-price-change no ${codes === 1 ? "lo" : "los"} revisó.`,
  excludesNobody: (file) => `Nota: ${fileName(file)} no tiene ningún teléfono, así que no excluye a nadie.`,
  jqFailed: (detail) => `--jq: ${detail}. El comando terminó bien; solo falló el filtro.`,
  reportCut: (megabytes) => `El informe se corta ‹aquí›, a los ${megabytes} MiB.`,
  onFailureFailed: (program, end, lastLine) =>
    `Atención: el comando de --on-failure, \`${program}\`, ${execEnd(end)}${lastLine === "" ? "." : `: ${lastLine}`}`,
  stillWritten: (file, seconds) =>
    `${fileName(file)} todavía se está escribiendo. Esperando hasta que pase ${seconds} s sin cambios …`,
  openElsewhere: (file, lock) =>
    `Nota: ${fileName(file)} está en uso en un programa de ‹hojas de cálculo› (${lock}). Los cambios sin guardar no se leen.`,
  readingStdin: "Leyendo la entrada estándar; Ctrl-D la termina.",
  collapsed: (rows) =>
    `Nota: ${times(rows, "fila repite exactamente otra anterior y se manda", "filas repiten exactamente otra anterior y se mandan")} una sola vez.`,
  retrying: (endpoint, outcome, seconds, sign) =>
    `${endpoint}: ${outcome}. Se reintenta en ${toOneDecimal(seconds, sign ?? ",")} s …`,
  askArgument: (name, what) => (what === "" ? `<${name}>:` : `<${name}> (${what}):`),
  askOther: "otra …",
  askEmpty: "Hace falta una respuesta; Ctrl-C termina.",
  askTemplate: "Plantilla:",
  askOrder: "¿Qué pedido?",
  askCodes: "¿En qué columna está el código (codigo) de cada producto?",
  mapUsed: (fields) =>
    `Columnas que se usan: ${Object.entries(fields)
      .flatMap(([field, header]) => (header === null ? [] : [`${field} de "${header}"`]))
      .join(", ")}.`,
  mapNextTime: (pairs, profile) => {
    const ways = [
      ...(pairs === undefined ? [] : [`‹agrega› --map "${pairs}"`]),
      profile === undefined
        ? "‹nombra› un perfil con -p y ‹agrega› --save-map"
        : `‹agrega› --save-map, que lo guarda en el perfil "${profile}"`,
    ];
    return `Para omitir esta pregunta: ${ways.join(", o ")}.`;
  },
  mapKept: (profile) => `La asignación de columnas quedó guardada en el perfil "${profile}".`,
  reading: (file) => `Leyendo ${fileName(file)}`,
  pushing: { upsert: "Subiendo productos", delete: "Dando de baja productos" },
  peopleDropped: (people, ref) =>
    `Atención: un envío anterior con "${ref}" no llegó a ${times(people, "destinatario que no está", "destinatarios que no están")} en este archivo: este envío tampoco los incluye. \`bpos campaign resume\` los habría incluido.`,
  unaccounted: (people, all, next) =>
    `Atención: el servicio no informa qué pasó con ${people} de ${times(all, "destinatario", "destinatarios")}: ni agregados, ni repetidos, ni errores. ${next}`,
  statusNotSent: (id, status, more, next) =>
    `Atención: ${status === null ? `la respuesta de la campaña ${id} no trae estado` : `la campaña ${id} tiene el estado "${status}", no "enviado"`}${more === 0 ? "" : `, y hay ${more} más que tampoco ${more === 1 ? "figura" : "figuran"} como "enviado"`}. ${next}`,
  reportElsewhere: (file, written, isInput) =>
    `${file} ${isInput ? "es un archivo que lee este comando" : "cambió desde que lo escribió bpos, o está abierto en otro programa"}, y queda como está. Las filas que quedaron ‹fuera› están en ${written}.`,
  reportTooLong: (written) =>
    `En una ‹hoja de cálculo› de Excel entran ‹1 048 575› filas. Las que quedaron ‹fuera› son más y están en ${written}.`,
  historyNotKept: (detail) =>
    `Atención: el informe no se pudo guardar en el registro (${detail}): el historial quedará incompleto.`,
  knownNotShown: (why) => `Atención: no se muestra lo que este registro tiene de la campaña. ${why}`,
  headerNotFetched: "El archivo de encabezado no se revisa: el servicio está en esta máquina o en su red.",
  askTest: (phone) => `¿Mandar ahora un mensaje de prueba a ${phone}?`,
  sending: (calls, all) => `Mandando, ${calls} de ${times(all, "lote", "lotes")}`,
  nothingOpen: "El registro de esta máquina no tiene ningún envío sin terminar: nada que retomar.",
  askSend: (people) => `¿Mandar ahora a ${times(people, "destinatario", "destinatarios")}?`,
  askOutside: (people, hours, until) =>
    `Para ${times(people, "destinatario", "destinatarios")} está fuera del horario de este perfil (${hours}): ${people === 1 ? "espera" : "esperan"} hasta el ${until}. ¿Mandar así?`,
  worldNotKept: (file) =>
    `Nota: no se puede escribir ${file}, así que el mundo del mock termina con este comando.`,
  mockUp: (setting) => `En otra terminal:\n  ${setting}\nCtrl-C detiene el mock.`,
  notOpened: (url) => `No se pudo abrir ningún navegador. ‹Abre› ${url} en uno.`,
};

const status: typeof en.orders.status = {
  one: {
    answering: "en línea",
    refused: "rechaza",
    silent: "sin respuesta",
    awaited: "esperando la primera respuesta",
    standby: "en espera",
    halted: "sin llegar al registro",
  },
  lastAnswer: (age) => `respondió hace ${age}`,
  lastShort: (age) => `hace ${age}`,
  nextPoll: (age) => `próxima consulta en ${age}`,
  askingNow: "consultando",
  printer: (retry) => (retry === null ? "impresora: reintentando" : `impresora: reintento en ${retry}`),
  waiting: (orders) => `${orders} ${orders === "1" ? "pendiente" : "pendientes"}`,
  late: (orders, oldest) =>
    `${orders} ${orders === "1" ? "‹retrasado›" : "‹retrasados›"}, el más viejo ${oldest}`,
  lateShort: (orders) => `${orders} ${orders === "1" ? "‹retrasado›" : "‹retrasados›"}`,
  branches: (n) => plural(n, "sucursal", "sucursales"),
  many: {
    answering: (n) => `${n} en línea`,
    refused: (n) => `${n} ${n === "1" ? "rechaza" : "rechazan"}`,
    silent: (n) => `${n} sin respuesta`,
    awaited: (n) => `${n} sin respuesta todavía`,
    standby: (n) => `${n} en espera`,
    halted: (n) => `${n} sin llegar al registro`,
  },
};

/** `31/01/2026`. */
const date = (iso: string): string => iso.slice(0, 10).split("-").reverse().join("/");

/** Times as people read them, of ISO 8601 in this machine's zone. */
export const dates = {
  date,
  time: (iso: string) => `${date(iso)} ${iso.slice(11, 16)}`,
};

type OwedCounts = Parameters<typeof en.watch.owed>[0];
const owedWords = (owed: OwedCounts): string =>
  listCounts(
    " y ",
    [owed.orders, "pedido", "pedidos"],
    [owed.changes, "cambio de un pedido", "cambios de pedidos"],
  );

/** Orders: the list, the ticket and the watch. */
export const orders: typeof en.orders = {
  title: (states) => `Pedidos · ${states}`,
  none: (states) => `No hay pedidos en ${states}.`,
  columns: {
    id: "Pedido",
    created: "Creado",
    age: "Hace",
    state: "Estado",
    delivery: "Entrega",
    customer: "Cliente",
    items: "Productos",
    collect: "A cobrar",
    total: "Total",
  },
  noName: "Sin nombre",
  pickUp: "‹recoge›",
  delivery: "envío",
  paidOnline: "PAGÓ ONLINE",
  paid: "PAGADO",
  everything: (total) => `${plural(total, "pedido", "pedidos")}.`,
  some: (shown, total) => `${shown.shown} de ${plural(total, "pedido", "pedidos")}.`,
  someOfMore: (shown) => `${plural(shown, "pedido", "pedidos")}; hay más.`,
  nextPage: (page) => `--page ${page} muestra los siguientes, --all los muestra todos.`,
  unread: (state, read, total) =>
    `El servicio cuenta ${total} pedidos en ${state}, pero sus páginas traen ${read}: los demás no se pueden leer. Si sigue así, ‹avisa› a quien administra el servicio.`,
  noMoreHere: "No hay pedidos en esta página.",
  status,
  forget: {
    ask: (owed, { output, branch, consumer }) =>
      `¿Descartar ${owedWords(owed)} sin entregar a ${output} (${branch}, consumidor "${consumer}")? Ya no se le van a entregar.`,
    done: (owed, { output, branch, consumer }) =>
      `Se ${owed.orders.n + owed.changes.n === 1 ? "descartó" : "descartaron"} ${owedWords(owed)} sin entregar a ${output} (${branch}, consumidor "${consumer}"). Vuelve a recibir pedidos nuevos desde la próxima vez que se use.`,
    nothing: ({ output, branch, consumer }) =>
      `No queda nada sin entregar a ${output} (${branch}, consumidor "${consumer}"). Vuelve a recibir pedidos nuevos desde la próxima vez que se use.`,
  },
  compact: {
    branch: "Sucursal",
    waits: "Espera",
    nothing: "No hay pedidos pendientes.",
    more: (n) => `+${n.shown} más`,
    today: (n, total) => `Hoy: ${plural(n, "pedido", "pedidos")} · ${total}`,
    repeated: "quizás ya mostrado",
    edited: "modificado",
  },
};

/** The kitchen ticket, and the line that says what became of an order. */
export const ticket: typeof en.ticket = {
  order: (id) => `Pedido ${id}`,
  repeated: "Puede que ya se haya mostrado: bpos se detuvo mientras entregaba este pedido.",
  reference: "Nota",
  pickUp: "‹RECOGE›",
  delivery: "ENVÍO",
  noLines: "Sin productos.",
  each: (price) => `${price} c/u`,
  shipping: "Envío (ya incluido en el total)",
  total: "Total",
  collect: "A COBRAR",
  nothingToCollect: "PAGÓ ONLINE · nada a cobrar",
  paid: "PAGADO · nada a cobrar",
  onlineUnpaid: "Pago online, todavía sin pagar",
  changed: (id, from, to) => `Pedido ${id}: ${from} → ${to}`,
  was: (state) => `Estaba ${state}.`,
  edited: {
    title: "MODIFICADO",
    what: (fields) => `Cambió: ${fields}`,
    fields: {
      lineas: "productos",
      total: "total",
      delivery_type: "‹recoge› o envío",
      delivery_address: "dirección",
      domicilio: "dirección",
      cliente: "cliente",
      pago: "pago",
      costo_envio: "costo de envío",
    },
  },
};

/** What `orders watch` says beside the orders, on standard error. */
export const watch: typeof en.watch = {
  watching: (branch, every, consumer) =>
    `Vigilando los pedidos de ${branch} cada ${every} para el consumidor "${consumer}". Ctrl-C termina.`,
  nothingNew: (waiting, consumer) =>
    waiting === 0
      ? "No hay pedidos en pendiente."
      : `Nada nuevo: ${waiting === 1 ? "el pedido" : `los ${waiting} pedidos`} en pendiente ya se ${waiting === 1 ? "entregó" : "entregaron"} al consumidor "${consumer}".`,
  refusalBegan: (why, limit) =>
    `Rechazo: ${why} Antes funcionaba: bpos lo reintenta durante ${limit} y después se detiene; los pedidos esperan en el servicio.`,
  outageBegan: (why) => `Sin respuesta: ${why} Se reintenta; los pedidos esperan en el servicio.`,
  outageEnded: (after) => `El servicio responde otra vez, después de ${after}.`,
  givenUp: (why) => `Se dejó de vigilar esta sucursal: ${why}`,
  watchedAlready: (other) => `La misma clave y dirección que ${other}: se vigila una sola vez.`,
  outputFailed: (orderId, why, again) =>
    `Pedido ${orderId}: ${why} ${again === null ? "La próxima vez se reintenta." : `Próximo intento en ${again}.`}`,
  printing: (urls) => `Se imprime en ${urls}.`,
  printerFailed: (why, seconds) =>
    `Impresora ${why} Los pedidos la esperan. ${seconds === null ? "Se imprimen la próxima vez." : `bpos reintenta solo, como mucho cada ${seconds}.`}`,
  printerWorks: "La impresora volvió a imprimir.",
  stationWorks: (station) => `La impresora de la estación ${station} volvió a imprimir.`,
  station: (name) => `la estación ${name}`,
  stationsAdopted: (n, output) =>
    `${n === 1 ? "1 entrega pendiente" : `${n} entregas pendientes`} para ${output}, donde este watch no imprime, ${n === 1 ? "sale" : "salen"} donde sí imprime.`,
  quarantineFailed: (why) => `Un pedido sin un order_id válido no se pudo guardar: ${why}`,
  tooDeep: (orderId, file) =>
    `El pedido ${orderId} está anidado en demasiados niveles y no se entregó. Quedó en ${file}; ‹avisa› a quien administra el servicio.`,
  quarantineFull: (folder) =>
    `Un pedido que no se puede entregar no se guardó: ${folder} ya tiene ‹1000› archivos. ‹Avisa› a quien administra el servicio y ‹vacíala›.`,
  numberReused: (orderId, createdAt, before) =>
    `El pedido ${orderId}, creado ${createdAt}, tiene el número de un pedido creado ${before}: se entrega como otro pedido.`,
  firstRunIncomplete: (since) =>
    `Puede que no se hayan entregado pedidos que salieron de pendiente antes de la primera lectura completa. Para verlos: bpos orders list --status all --all --since ${since}`,
  standingBy: (holder, branch, consumer) =>
    `${holder} vigila los pedidos de ${branch} para el consumidor "${consumer}"; este queda en espera.`,
  shares: (here, at, others) =>
    `${[`${plural(here, "sucursal", "sucursales")} ‹aquí›`, ...at.map(([holder, { shown }]) => `${shown} en ${holder}`), ...(others === null ? [] : [`${others.shown} en otros`])].join(", ")}.`,
  journalDown: (detail) =>
    `No se llega al registro (${detail}). Mientras tanto no se entrega nada; bpos sigue intentando y los pedidos esperan.`,
  journalOlder:
    "El registro es más viejo que lo que esta máquina hizo con él: se restauró, o su servidor pasó a una réplica. Los pedidos hechos hasta ahora llegan marcados como repetidos cuando no los conoce.",
  behindSlow: (branches, interval, needed, made) =>
    `El servicio responde demasiado lento para consultar ${plural(branches, "sucursal", "sucursales")} cada ${interval}: hacen falta ${needed} consultas a la vez, y bpos hace como máximo ${made}.`,
  behindStrict: (branches, interval, perSecond) =>
    `El servicio rechaza tantas solicitudes (429) que bpos no puede consultar ${plural(branches, "sucursal", "sucursales")} cada ${interval}: acepta unas ${perSecond} por segundo.`,
  behindEvery: (every) => `En su lugar, cada una se consulta más o menos cada ${every}.`,
  onTime: (interval) => `Cada sucursal se consulta otra vez cada ${interval}.`,
  journalBack: (after) => `El registro responde otra vez, después de ${after}.`,
  journalBusy: "Otro proceso tiene el registro; esta consulta se reintenta.",
  owed: (owed, output, command) =>
    `${owed.orders.n + owed.changes.n === 1 ? "Queda" : "Quedan"} ${owedWords(owed)} sin entregar a ${output}, que esta vez no se usa. Se entregan cuando se vuelva a usar; para no entregarlos nunca: ${command}`,
  unfinished: (orderId, output) =>
    `Cuando lo detuviste, el pedido ${orderId} se estaba entregando en ${output}. El próximo watch lo entrega de nuevo, marcado como repetido.`,
  quarantined: (file) =>
    `Un pedido sin un order_id válido quedó en ${file}; ‹avisa› a quien administra el servicio.`,
  stateRefused: (state, why) =>
    `No se pueden listar los pedidos en ${state}; el watch sigue sin ellos: ${why}`,
  late: (orderId, since) => `El pedido ${orderId} espera hace ${since}.`,
  manyLate: (orders, limit, orderId, since) =>
    `${plural(orders, "pedido espera", "pedidos esperan")} hace más de ${limit}; el más viejo, el ${orderId}, hace ${since}.`,
  newOrders: (orders) => plural(orders, "pedido nuevo", "pedidos nuevos"),
  notifyAbsent: (program) =>
    `Sin notificaciones de escritorio: no se encontró ${program}. ${program === "notify-send" ? "‹Instálalo› (Debian, Ubuntu: sudo apt install libnotify-bin; Fedora: sudo dnf install libnotify)" : "Viene con el sistema: ‹fíjate› en PATH"}, o ‹quita› --notify. El watch sigue.`,
  notifyFailed: (program, why) =>
    `Sin notificación de escritorio: ${program} falló${why === "" ? "" : ` (${why})`}. Necesita una sesión de escritorio iniciada; el watch sigue sin notificaciones.`,
  outputs: {
    ...flagOutputs,
    printer: "la impresora",
    stdout: "la salida estándar",
  },
};
