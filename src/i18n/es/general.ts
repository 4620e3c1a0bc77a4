import { flagOutputs, listCounts, plural, times } from "../../texts/phrases.ts";
import type * as en from "../en/general.ts";
import { fileName } from "./files.ts";

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

/** What is said beside the data, on standard error. */
export const notices: typeof en.notices = {
  stdoutStalled:
    "Nadie está leyendo la salida estándar. Si la terminal está en pausa, Ctrl-Q la reanuda. Sus entregas esperan; todo lo demás sigue.",
  excludesNobody: (file) => `Nota: ${fileName(file)} no tiene ningún teléfono, así que no excluye a nadie.`,
  askEmpty: "Hace falta una respuesta; Ctrl-C termina.",
  askTemplate: "Plantilla:",
  askOrder: "¿Qué pedido?",
  reading: (file) => `Leyendo ${fileName(file)}`,
  peopleDropped: (people, ref) =>
    `Atención: un envío anterior con "${ref}" no llegó a ${times(people, "destinatario que no está", "destinatarios que no están")} en este archivo: este envío tampoco los incluye. \`bpos campaign resume\` los habría incluido.`,
  unaccounted: (people, all, next) =>
    `Atención: el servicio no informa qué pasó con ${people} de ${times(all, "destinatario", "destinatarios")}: ni agregados, ni repetidos, ni errores. ${next}`,
  statusNotSent: (id, status, more, next) =>
    `Atención: ${status === null ? `la respuesta de la campaña ${id} no trae estado` : `la campaña ${id} tiene el estado "${status}", no "enviado"`}${more === 0 ? "" : `, y hay ${more} más que tampoco ${more === 1 ? "figura" : "figuran"} como "enviado"`}. ${next}`,
  knownNotShown: (why) => `Atención: no se muestra lo que este registro tiene de la campaña. ${why}`,
  headerNotFetched: "El archivo de encabezado no se revisa: el servicio está en esta máquina o en su red.",
  askTest: (phone) => `¿Mandar ahora un mensaje de prueba a ${phone}?`,
  sending: (calls, all) => `Mandando, ${calls} de ${times(all, "lote", "lotes")}`,
  nothingOpen: "El registro de esta máquina no tiene ningún envío sin terminar: nada que retomar.",
  askSend: (people) => `¿Mandar ahora a ${times(people, "destinatario", "destinatarios")}?`,
  askOutside: (people, hours, until) =>
    `Para ${times(people, "destinatario", "destinatarios")} está fuera del horario de este perfil (${hours}): ${people === 1 ? "espera" : "esperan"} hasta el ${until}. ¿Mandar así?`,
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
