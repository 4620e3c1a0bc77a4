import type { journal as enJournal, journalHelp as enJournalHelp } from "../en/journal.ts";
import { plural, sizeText } from "../phrases.ts";

type Removal = Parameters<typeof enJournal.prune.done>[0];
const removal = ({ sends, recipients, replies }: Removal): string =>
  `${plural(sends, "envío", "envíos")} (${plural(recipients, "destinatario", "destinatarios")}) y ${plural(replies, "respuesta", "respuestas")}`;

/** What `bpos journal …` says. */
export const journal: typeof enJournal = {
  title: "Registro",
  size: (bytes) => sizeText(bytes, ","),
  none: (place) => `Todavía no hay registro: ${place} se crea cuando hace falta.`,
  subjects: {
    orders: "pedidos",
    pushes: "cargas del catálogo",
    products: "productos",
    sends: "envíos",
    calls: "lotes de envíos",
    recipients: "destinatarios",
    replies: "respuestas",
  },
  columns: { subject: "Qué", entries: "Guardados", pending: "Pendientes", oldest: "Desde" },
  locksTitle: "Bloqueos",
  locks: {
    work: "Comando",
    branch: "Sucursal",
    consumer: "Consumidor",
    process: "Proceso",
    since: "Desde",
    expires: "Vence en",
  },
  allBranches: "todas",
  noLocks: "Ningún proceso tiene un bloqueo.",
  prune: {
    ask: (found, before) =>
      `¿Borrar los datos personales de ${removal(found)}, terminados antes del ${before}? No se puede deshacer.`,
    would: (found, before) =>
      `Se borrarían los datos personales de ${removal(found)}, terminados antes del ${before}.`,
    done: (found, before) =>
      `Se borraron los datos personales de ${removal(found)}, terminados antes del ${before}.`,
    nothing: (before) =>
      `No hay nada para borrar: ningún envío ni respuesta terminados antes del ${before} tienen datos personales.`,
    kept: "Quedan las cantidades, las claves y los seudónimos de los destinatarios, para que nadie reciba un mensaje dos veces.",
    working: "Borrando",
    shrunk: (bytes) => `El registro ahora ocupa ${bytes}.`,
    inUse:
      "El archivo sigue igual de grande: hay otro bpos que lo usa. Se achica cuando se borra sin nadie más trabajando.",
    notShrunk: (detail) => `El archivo sigue igual de grande (${detail}). Los datos ya están borrados.`,
    autovacuum: "PostgreSQL vuelve a usar el espacio después de su próximo autovacuum.",
  },
};

/** The help of `bpos journal …`. */
export const journalHelp: typeof enJournalHelp = {
  description: "Cuidar el registro: qué guarda, pasarlo a PostgreSQL, borrar datos personales",
  examples: { "bpos journal status": "motor, tamaño, contenido y quién tiene un bloqueo" },
  status: {
    description: "Mostrar dónde está el registro, qué guarda y qué procesos tienen bloqueos",
    examples: {
      "bpos journal status": "el del archivo, o el de la base de BPOS_JOURNAL",
      "bpos journal status --jq '.locks[].pid'": "los procesos que están trabajando",
    },
  },
  copy: {
    description: "Copiar el registro SQLite de esta máquina a una base PostgreSQL",
    to: "dirección de una base vacía: postgres://USUARIO@HOST/BASE (por defecto, BPOS_JOURNAL)",
    examples: {
      "bpos journal copy --to postgres://bpos@db.example.com/bpos":
        "antes pará cron y los watch; si se corta, sigue donde quedó",
    },
  },
  prune: {
    description: "Borrar los datos personales de envíos y respuestas terminados hace mucho",
    olderThan: "terminados hace tanto, 2d o más (por defecto, 90d)",
    dryRun: "decir qué se borraría, sin cambiar nada",
    yes: "no preguntar",
    examples: {
      "bpos journal prune --older-than 90d": "pregunta antes; después nadie recibe un mensaje dos veces",
      "bpos journal prune --older-than 365d --dry-run": "solo cuenta",
      "bpos journal prune --yes --quiet": "desde cron",
    },
  },
};
