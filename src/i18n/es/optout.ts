import { type Count, plural } from "../../texts/phrases.ts";
import type * as en from "../en/optout.ts";

const people = (count: Count): string => plural(count, "persona", "personas");

/** What `campaign optout` says and shows. */
export const optout: typeof en.optout = {
  title: "Personas que se dieron de baja",
  columns: { phone: "Teléfono", at: "Cuándo", source: "Origen", text: "Texto" },
  source: { reply: "respuesta", added: "a mano", import: "archivo" },
  none: "Nadie se dio de baja.",
  all: (count) => `${people(count)}. Ningún envío de este registro les manda mensajes.`,
  doubtful: (count) =>
    `${plural(count, "respuesta puede ser una baja", "respuestas pueden ser una baja")}: bpos campaign optout review`,
  added: (added, already) =>
    `${people(added)} en la lista de bajas desde ahora.${already.n === 0 ? "" : ` ${people(already)} ya ${already.n === 1 ? "estaba" : "estaban"}.`}`,
  invalid: (rows) => `${plural(rows, "fila", "filas")} sin un teléfono utilizable`,
  removed: (phone) => `${phone} ya no está en la lista: los envíos pueden volver a mandarle mensajes.`,
  askReason: (phone) => `¿Por qué se le puede mandar de nuevo a ${phone}?`,
  exported: (count, file) => `${people(count)} en ${file}.`,
  pruned: (count) =>
    `${people(count)} no se ${count.n === 1 ? "pudo" : "pudieron"} escribir: \`bpos journal prune\` quitó el teléfono. En este registro siguen de baja.`,
  review: {
    question: "¿Esta persona se dio de baja?",
    optedOut: "Se dio de baja",
    not: "No: seguir mandándole",
    later: "Más tarde",
    none: "Ninguna respuesta espera una decisión.",
    done: (optedOut, not, later) =>
      `${optedOut.shown} de baja, ${not.shown} no, ${later.shown} para más tarde.`,
  },
};
