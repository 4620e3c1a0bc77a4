import type { orders as enOrders, ticket as enTicket, watch as enWatch } from "../en/orders.ts";
import { type Count, plural } from "../phrases.ts";

const status: typeof enOrders.status = {
  one: {
    answering: "en línea",
    refused: "rechaza",
    silent: "sin respuesta",
    awaited: "esperando la primera respuesta",
  },
  lastAnswer: (age: string) => `respondió hace ${age}`,
  nextPoll: (age: string) => `próxima consulta en ${age}`,
  askingNow: "consultando",
  waiting: (orders: string) => `${orders} ${orders === "1" ? "pendiente" : "pendientes"}`,
  branches: (n: Count) => plural(n, "sucursal", "sucursales"),
  many: {
    answering: (n: string) => `${n} en línea`,
    refused: (n: string) => `${n} ${n === "1" ? "rechaza" : "rechazan"}`,
    silent: (n: string) => `${n} sin respuesta`,
    awaited: (n: string) => `${n} sin noticias aún`,
  },
};

/** Orders: the list, the ticket and the watch. */
export const orders: typeof enOrders = {
  title: (states: string) => `Pedidos · ${states}`,
  none: (states: string) => `No hay pedidos en ${states}.`,
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
  pickUp: "retira",
  delivery: "envío",
  paidOnline: "PAGÓ ONLINE",
  paid: "PAGADO",
  everything: (total: Count) => `${plural(total, "pedido", "pedidos")}.`,
  some: (shown: Count, total: Count) => `${shown.shown} de ${plural(total, "pedido", "pedidos")}.`,
  someOfMore: (shown: Count) => `${plural(shown, "pedido", "pedidos")}; hay más.`,
  nextPage: (page: number) => `--page ${page} muestra los siguientes, --all los muestra todos.`,
  noMoreHere: "No hay pedidos en esta página.",
  status,
};

/** The kitchen ticket, and the line that says what became of an order. */
export const ticket: typeof enTicket = {
  order: (id: string) => `Pedido ${id}`,
  repeated: "Puede que ya haya salido: bpos se cortó mientras entregaba este pedido.",
  reference: "Nota",
  pickUp: "RETIRA",
  delivery: "ENVÍO",
  noLines: "Sin productos.",
  each: (price: string) => `${price} c/u`,
  shipping: "Envío (ya incluido en el total)",
  total: "Total",
  collect: "A COBRAR",
  nothingToCollect: "PAGÓ ONLINE · nada a cobrar",
  paid: "PAGADO · nada a cobrar",
  onlineUnpaid: "Pago online, todavía sin pagar",
  changed: (id: string, from: string, to: string) => `Pedido ${id}: ${from} → ${to}`,
};

/** What `orders watch` says beside the orders, on standard error. */
export const watch: typeof enWatch = {
  watching: (branch: string, every: string, consumer: string) =>
    `Mirando los pedidos de ${branch} cada ${every} para el consumidor "${consumer}". Ctrl-C corta.`,
  nothingNew: (waiting: number, consumer: string) =>
    waiting === 0
      ? "No hay pedidos en pendiente."
      : `Nada nuevo: ${waiting === 1 ? "el pedido" : `los ${waiting} pedidos`} en pendiente ya se ${waiting === 1 ? "entregó" : "entregaron"} al consumidor "${consumer}".`,
  outageBegan: (why: string) => `Sin respuesta: ${why} Se reintenta; los pedidos esperan en el servicio.`,
  outageEnded: (after: string) => `El servicio responde otra vez, después de ${after}.`,
  givenUp: (why: string) => `Se dejó de mirar esta sucursal: ${why}`,
  watchedAlready: (other: string) => `La misma clave y dirección que ${other}: se mira una sola vez.`,
  outputFailed: (orderId: string, why: string, again: string | null) =>
    `Pedido ${orderId}: ${why} ${again === null ? "La próxima vez se reintenta." : `Próximo intento en ${again}.`}`,
  quarantineFailed: (why: string) => `Un pedido sin un order_id que sirva no se pudo guardar: ${why}`,
  tooDeep: (orderId: string, file: string) =>
    `El pedido ${orderId} está anidado en demasiados niveles y no se entregó. Quedó en ${file}; avisale al servicio.`,
  quarantineFull: (folder: string) =>
    `Un pedido que no se puede entregar no se guardó: ${folder} ya tiene 1.000. Avisale al servicio y vaciala.`,
  numberReused: (orderId: string, createdAt: string, before: string) =>
    `El pedido ${orderId}, creado ${createdAt}, tiene el número de un pedido creado ${before}: se entrega como otro pedido.`,
  firstRunIncomplete: (since: string) =>
    `Puede que no se hayan entregado pedidos que salieron de pendiente antes de la primera lectura completa. Para verlos: bpos orders list --status all --all --since ${since}`,
  journalBusy: "Otro proceso tiene el registro; esta consulta se reintenta.",
  unfinished: (orderId: string, output: string) =>
    `Cuando cortaste, el pedido ${orderId} se estaba entregando en ${output}. El próximo watch lo entrega de nuevo, marcado como repetido.`,
  quarantined: (file: string) => `Un pedido sin un order_id que sirva quedó en ${file}; avisale al servicio.`,
  stateRefused: (state: string, why: string) =>
    `No se pueden listar los pedidos en ${state}, el watch sigue sin ellos: ${why}`,
  outputs: { "out-dir": "--out-dir", exec: "--exec", stdout: "la salida estándar" },
};
