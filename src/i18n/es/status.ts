import type { status as en } from "../en/status.ts";
import { plural } from "../phrases.ts";

/** What `bpos status` says, in Spanish. */
export const status: typeof en = {
  title: "Estado",
  none: (place) =>
    `Todavía no hay registro: ${place} se crea cuando hace falta. \`bpos orders watch\` entrega pedidos; \`bpos init\` configura una sucursal.`,
  noBranches: "El registro todavía no tiene sucursales. `bpos orders watch` entrega pedidos.",
  allWell: (branches) => `Está todo bien: ${plural(branches, "sucursal", "sucursales")}.`,
  notWell: "Qué no anda bien",
  well: (branches) => `${plural(branches, "sucursal más anda", "sucursales más andan")} bien.`,
  columns: {
    branch: "Sucursal",
    state: "Vigilancia",
    process: "Proceso",
    since: "Desde",
    poll: "Últ. consulta",
    outputs: "Sin entregar",
    sends: "Envíos sin terminar",
    push: "Últ. catálogo",
    replies: "Respuestas",
  },
  states: { ok: "bien", outage: "sin servicio", stopped: "detenida", none: "nadie" },
  rejected: (age, rows) => `${age}, rechazadas: ${rows}`,
  problems: {
    stopped: (age) => `Se dejó de vigilar hace ${age}: el servicio la rechaza.`,
    outage: (age) => `Sin servicio hace ${age}: no responde.`,
    died: (age) =>
      age === null
        ? "Se cayó el proceso que la vigilaba."
        : `Se cayó el proceso que la vigilaba: la última consulta completa fue hace ${age}.`,
    unwatched: (age) =>
      age === null ? "Nadie la vigila." : `Nadie la vigila: la última consulta completa fue hace ${age}.`,
    silent: (process, age) =>
      age === null
        ? `El proceso ${process} la vigila, sin una consulta completa hasta ahora. Si está colgado, detenelo y volvé a iniciarlo:`
        : `El proceso ${process} la vigila, pero su última consulta completa fue hace ${age}. Si está colgado, detenelo y volvé a iniciarlo:`,
    undelivered: (orders, output, age) =>
      `${plural(orders, "pedido espera", "pedidos esperan")} a ${output}, el más viejo hace ${age}.`,
    delivers: (output) => `Una vigilancia con --${output} entrega lo que espera:`,
    fails: "Su vigilancia reintenta, y dice por la salida de errores por qué falla. Para descartarlos:",
    send: (ref, people) =>
      `El envío "${ref}" está sin terminar: ${people.n === 1 ? "falta" : "faltan"} ${plural(people, "destinatario", "destinatarios")}.`,
    pushPending: "El último catálogo está sin terminar: hay lotes sin respuesta.",
    pushRejected: (rows) =>
      `${plural(rows, "fila", "filas")} del último catálogo ${rows.n === 1 ? "fue rechazada" : "fueron rechazadas"}. Corregí el archivo, y después:`,
    replies: (replies, age) =>
      `${plural(replies, "respuesta espera", "respuestas esperan")} una salida, la más vieja hace ${age}.`,
  },
  change: (branch, text) => `${branch}: ${text}`,
  isWell: "anda bien",
  journalDown: (detail) => `No se puede leer el registro: ${detail}`,
  updated: (at) => `Actualizado: ${at}`,
  serving: (url) => `Página de estado: ${url} Ctrl-C termina.`,
  anybody: (where) => `Quien llegue a ${where} y sepa la dirección puede leer la página, que no va cifrada.`,
  page: {
    disconnected: "bpos no responde. Esta página sigue sola cuando vuelva.",
    noScript: "Esta página necesita JavaScript para estar al día.",
    forbidden: "La dirección de esta página lleva un token: se muestra donde se inició bpos.",
  },
};
