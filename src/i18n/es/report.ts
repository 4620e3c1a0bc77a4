import type { cost as enCost, report as enReport } from "../en/report.ts";
import { type Count, plural, shellWord } from "../phrases.ts";

const recipients = (count: Count): string => plural(count, "destinatario", "destinatarios");

/** What messages cost, and whom `--only-failed-of` leaves out, in Spanish. */
export const cost: typeof enCost = {
  title: "Costo",
  columns: { country: "País", recipients: "Destinatarios", price: "Por mensaje", cost: "Costo" },
  messages: (count) => plural(count, "mensaje", "mensajes"),
  total: (amount) => `Total ${amount}`,
  noPrice: "sin precio",
  noCountry: "sin país",
  unpriced: (people, countries) =>
    `Atención: la tarifa no tiene precio para ${countries}, así que el costo no cuenta a ${recipients(people)}. Se pone con \`bpos profile rates\`.`,
  notListed: (people, ref) =>
    `Atención: el servicio no lista a ${recipients(people)} de "${ref}", así que ${people.n === 1 ? "queda" : "quedan"} ‹fuera›: nadie sabe si el mensaje falló. Un envío con --track-all los lista a todos.`,
  onlyFailed: {
    kept: (ref, failed, out) =>
      `${plural(failed, "destinatario al que no le llegó", "destinatarios a los que no les llegó")} ${shellWord(ref)}${out === "" ? "" : `; ‹fuera›: ${out}`}`,
    not_failed: (count) => `${count.shown} sin falla`,
    not_final: (count) => `${count.shown} sin estado final`,
    not_listed: (count) => `${count.shown} que el servicio no lista`,
    not_in_send: (count) => `${count.shown} que no estaban en ese envío`,
  },
};

/** The report of a campaign, on the screen and as a page, in Spanish. */
export const report: typeof enReport = {
  title: "Informe de campaña",
  labels: {
    ref: "Referencia",
    template: "Plantilla",
    branch: "Sucursal",
    at: "Enviado",
    readAt: "Estado al",
    leftOut: "Quedaron ‹fuera›",
  },
  stages: {
    planned: "Para enviar",
    accepted: "Aceptados",
    sent: "Enviados",
    delivered: "Entregados",
    read: "Leídos",
    responded: "Respondieron",
  },
  failed: "Fallaron",
  pending: "Pendientes",
  funnel: "De la lista a la respuesta",
  hours: "Cuándo pasó",
  hour: "Desde",
  peak: (value, at) => `máximo ${value}, ${at}`,
  errors: "Qué falló y qué hacer",
  countries: "Por país",
  country: "País",
  recipients: "Destinatarios",
  replies: "Respuestas",
  reply: { at: "Cuándo", from: "De", text: "Texto", optOut: "Baja" },
  optOut: { opted_out: "se dio de baja", doubtful: "puede ser una baja" },
  noReplies: "No hay respuestas en el registro.",
  noErrors: "No falló nada.",
  noText: "(sin texto)",
  more: (count) => `${count.shown} más; con --json se ven todas.`,
  moreOnPage: (count) => `Y ${count.shown} más.`,
  listed: (listed, all) =>
    `Las horas, los errores y los países son los de ${recipients(listed)} que el servicio lista, de ${all.shown}. Un envío con --track-all los lista a todos.`,
  open: (open, ref) =>
    `${plural(open, "lote todavía no tiene", "lotes todavía no tienen")} respuesta: bpos campaign resume ${shellWord(ref)}`,
  written: (files) => `Escrito: ${files}.`,
  footer: (at) =>
    `Hecho con bpos, ${at}. Las cantidades son las del servicio; las respuestas son las que bpos recibió.`,
  unnamed: "El servicio no dio un motivo.",
  failures: {
    opted_out: {
      meaning: "La persona bloqueó al remitente o pidió no recibir más mensajes.",
      advice: "‹Quítala› de la lista. No lo intentes de nuevo.",
    },
    not_on_platform: {
      meaning: "Nadie usa la plataforma con ese número: es fijo, tiene un error o ya no se usa.",
      advice: "‹Pide› el celular actual en el próximo pedido, o ‹quítalo› de la lista.",
    },
    bad_phone: {
      meaning: "El número no es válido.",
      advice: "‹Corrígelo› en el lugar de donde sale la lista.",
    },
    limited: {
      meaning: "La plataforma frenó el mensaje: demasiados en poco tiempo, o una persona que recibió muchos.",
      advice: "‹Espera› un día y ‹manda› de nuevo solo a quienes fallaron. Conviene mandar menos seguido.",
    },
    content: {
      meaning: "No se aceptó el mensaje en sí: la plantilla, una variable o el archivo del encabezado.",
      advice:
        "‹Manda› una prueba a tu teléfono y ‹corrige› la plantilla o el archivo antes del próximo envío.",
    },
    refused: {
      meaning: "La plataforma no le entrega a esta persona, y no dice por qué.",
      advice:
        "Unos pocos es lo normal. Si fueron muchos, ‹pregúntale› a quien administra el servicio antes del próximo envío.",
    },
    not_delivered: {
      meaning: "El mensaje salió y no llegó a tiempo al teléfono; puede haber estado apagado.",
      advice: "‹Manda› de nuevo solo a quienes fallaron, a otra hora del día.",
    },
    other: {
      meaning: "El servicio no dice más que esto.",
      advice: "‹Pregúntale› a quien administra el servicio qué significa.",
    },
  },
};
