import type { orders as enOrders, ticket as enTicket } from "../en/orders.ts";
import { type Count, plural } from "../plural.ts";

const status: typeof enOrders.status = {
  answering: "en línea",
  refused: "rechaza",
  firstAwaited: "esperando la primera respuesta",
  noAnswer: "sin respuesta",
  noAnswerFor: (age: string) => `sin respuesta hace ${age}`,
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
  allOfThem: "--all los muestra todos.",
  notAllRead: "Lo dice el servicio; en las páginas que llegaron no había otros.",
  noMoreHere: "No hay pedidos en esta página.",
  status,
};

/** The kitchen ticket, and the line that says what became of an order. */
export const ticket: typeof enTicket = {
  order: (id: string) => `Pedido ${id}`,
  repeated: "Puede que ya haya salido: bpos se cortó mientras entregaba este pedido.",
  phone: "Teléfono",
  address: "Dirección",
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
