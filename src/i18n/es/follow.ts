import type { follow as en } from "../en/follow.ts";
import { type Count, plural } from "../plural.ts";
import { shellWord } from "../shell-word.ts";

/** Following campaigns, and the sends of the past. */
export const follow: typeof en = {
  variables: "Variables",
  reading: "Leyendo campañas",
  waiting: (limit: string) => `Esperando a que todo sea definitivo, ${limit} como mucho; Ctrl-C corta.`,
  looked: (age: string) => `Actualizado hace ${age}`,
  lookingFirst: "Primera consulta …",
  next: (time: string) => `la próxima en ${time}`,
  nextNow: "consultando …",
  stops: "Ctrl-C corta",
  noAnswer: (message: string) => `Sin respuesta, se intenta de nuevo. ${message}`,
  final: "Todo es definitivo.",
  over: (limit: string) => `Se terminó el --wait de ${limit}: no todo es definitivo.`,
  doNotFit: (count: Count) =>
    `${plural(count, "destinatario más no entra", "destinatarios más no entran")} acá.`,
  hidden: (count: Count) =>
    `${plural(count, "destinatario se cuenta pero no se lista", "destinatarios se cuentan pero no se listan")}.`,
  open: (open: Count, all: Count, ref: string) =>
    `${open.shown} de ${plural(all, "lote", "lotes")} ${open.n === 1 ? "sigue" : "siguen"} sin respuesta: bpos campaign resume ${shellWord(ref)}`,
  swapped: (asked: string, answered: string) =>
    `Atención: se preguntó por la campaña ${asked} y el servicio respondió con la campaña ${answered}: lo que se muestra no es de ${asked}.`,
  nobody: (statuses: string, present: string | null) =>
    `Ningún destinatario listado está en ${statuses}.${present === null ? "" : ` Hay: ${present}.`}`,
  onlyHidden:
    "El servicio lista hasta 100 destinatarios por campaña; de los demás solo se saben las cantidades.",
  counted: (name: string, value: string) => `${name} ${value}`,
  moved: (from: string, to: string) => `${from} → ${to}`,
  list: {
    title: "Envíos desde esta máquina",
    none: "Desde esta máquina no se mandó nada con esta clave. bpos campaign send ARCHIVO --template NOMBRE manda; bpos campaign status ID consulta una campaña que se mandó desde otro lado.",
    columns: {
      at: "Fecha",
      age: "Hace",
      template: "Plantilla",
      ref: "Referencia",
      state: "Estado",
      people: "Personas",
      calls: "Lotes",
      added: "Enviados",
      errors: "Errores",
      campaigns: "Campañas",
    },
    state: {
      sent: "enviado",
      doubtful: "enviado en parte",
      planned: "sin enviar",
      part: (sent: Count, all: Count) => `${sent.shown} de ${plural(all, "lote", "lotes")}`,
      unknown: (open: Count, all: Count) => `en duda: ${open.shown} de ${plural(all, "lote", "lotes")}`,
    },
    test: (state: string) => `prueba, ${state}`,
    resume: (ref: string) =>
      `Sin terminar: bpos campaign resume ${shellWord(ref)} (a nadie le llega dos veces).`,
    check: (ref: string) =>
      `El servicio no da cuenta de todos, o un estado no es "sent": bpos campaign status --ref ${shellWord(ref)} muestra qué pasó.`,
    all: (count: Count) => `${plural(count, "envío", "envíos")}.`,
    newest: (count: Count) =>
      count.n === 1
        ? "El envío más nuevo; --limit N muestra más."
        : `Los ${count.shown} envíos más nuevos; --limit N muestra más.`,
  },
};
