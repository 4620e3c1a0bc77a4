import { plural } from "../../texts/phrases.ts";
import type { status as en } from "../en/status.ts";

const polled = (age: string | null): string =>
  age === null ? "" : ` La última consulta completa fue hace ${age}.`;

/** What `bpos status` says, in Spanish. */
export const status: typeof en = {
  title: "Estado",
  none: (place) =>
    `Todavía no hay registro: ${place} se crea cuando hace falta. \`bpos orders watch\` entrega pedidos; \`bpos init\` configura una sucursal.`,
  noBranches: "El registro todavía no tiene sucursales. `bpos orders watch` entrega pedidos.",
  allWell: (branches) => `‹Todo está› bien: ${plural(branches, "sucursal", "sucursales")}.`,
  well: (branches) => `${plural(branches, "sucursal más ‹funciona›", "sucursales más ‹funcionan›")} bien.`,
  more: (n) =>
    `${plural(n, "problema más", "problemas más")}: \`bpos status -p <perfil>\` muestra los de una sucursal.`,
  leftOut: (branches) =>
    `${plural(branches, "sucursal no está", "sucursales no están")} en la tabla: \`bpos status -o csv\` muestra todas.`,
  behind: ({ process, branches, every, interval, since }) =>
    `${process} consulta ${plural(branches, "sucursal", "sucursales")} más o menos cada ${every} en vez de cada ${interval}, desde ${since}: el servicio no acepta más. Su salida de errores dice por qué.`,
  columns: {
    branch: "Sucursal",
    state: "Vigilancia",
    process: "Proceso",
    standby: "En espera",
    since: "Desde",
    poll: "Últ. consulta",
    outputs: "Sin entregar",
    sends: "Envíos sin terminar",
    push: "Últ. catálogo",
    replies: "Respuestas",
  },
  states: { ok: "bien", outage: "sin servicio", stopped: "detenida", standby: "en espera", none: "nadie" },
  rejected: (age, rows) => `${age}, rechazadas: ${rows}`,
  problems: {
    stopped: ({ age }) => `Se dejó de vigilar hace ${age}: el servicio la rechaza.`,
    outage: ({ age }) => `Sin servicio hace ${age}: no responde.`,
    died: ({ age }) => `Se cayó el proceso que la vigilaba.${polled(age)} ‹Vuelve› a iniciarlo como estaba:`,
    unwatched: ({ age }) => `Nadie la vigila.${polled(age)} ‹Vuelve› a iniciar su watch como estaba:`,
    silent: ({ age, name }) =>
      `El proceso ${name} la vigila sin una consulta completa.${polled(age)} Si está colgado, ‹detenlo› y ‹vuelve› a iniciarlo:`,
    frozen: ({ age, name }) =>
      `El proceso ${name} la tiene bloqueada sin una consulta completa.${polled(age)} Otro está en espera, y toma su lugar cuando aquel termine. Si está colgado, esto lo termina:`,
    waits: ({ n, name, age }) =>
      `${plural(n, "pedido espera", "pedidos esperan")} a ${name}, el más viejo hace ${age}. Un watch con --${name} entrega lo que espera:`,
    fails: ({ n, name, age }) =>
      `${plural(n, "pedido espera", "pedidos esperan")} a ${name}, el más viejo hace ${age}. Su watch reintenta, y dice por la salida de errores por qué falla; \`bpos orders forget\` los descarta.`,
    send: ({ n, name }) =>
      `El envío "${name}" está sin terminar: ${n.n === 1 ? "falta" : "faltan"} ${plural(n, "destinatario", "destinatarios")}.`,
    pushPending: () => "El último catálogo está sin terminar: hay lotes sin respuesta.",
    pushRejected: ({ n }) =>
      `El último catálogo tuvo ${plural(n, "fila rechazada", "filas rechazadas")}. ‹Corrige› el archivo, y después:`,
    replies: ({ n, age }) =>
      `${plural(n, "respuesta espera", "respuestas esperan")} una salida, la más vieja hace ${age}.`,
  },
  standsBy: (processes) => `${processes} en espera`,
  isWell: "‹funciona› bien",
  journalDown: (detail) => `No se puede leer el registro: ${detail}`,
  updated: (at) => `Actualizado: ${at}`,
};
