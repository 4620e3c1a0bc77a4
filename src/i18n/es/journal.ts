import type { CopyProblem, Detail } from "../../errors/problems.ts";
import type { ErrorFacts } from "../../errors.ts";
import type { journal as enJournal } from "../en/journal.ts";
import { ended, plural, resumed, shellWord, sizeText } from "../phrases.ts";
import { advice, type ErrorWords } from "../shapes.ts";
import { detailWords } from "./call-errors.ts";
import { databaseWords } from "./database.ts";

const nothingSent = "No se mandó nada.";

export function lockedWords({ pid, host, work, consumer, wanted }: ErrorFacts["locked"]): ErrorWords {
  const process = `El proceso ${pid ?? ""}${host === undefined ? "" : ` en ${host}`}`;
  const running = pid === null ? "Sigue corriendo." : `${process} sigue corriendo.`;
  const waits = { why: `${running} ${nothingSent}` };
  const watches = `Otro bpos ya vigila los pedidos de esta sucursal${consumer === undefined ? "" : ` para el consumidor "${consumer}"`}.`;
  if (wanted === "forget")
    return {
      what: watches,
      why: `${running} Entregaría lo que acá se descarta. Puede vigilar para siempre, así que no se lo espera.`,
      next: "Paralo, corré este comando de nuevo y después volvé a iniciarlo.",
    };
  return {
    watch: {
      what: watches,
      why: `${running} Con un mismo consumidor, ninguno de los dos recibiría todos los pedidos.`,
      next: "Pará el otro, o usá otro consumidor con --consumer NOMBRE: cada uno recibe todos los pedidos.",
    },
    listen: {
      what: "Otro bpos ya está recibiendo las respuestas.",
      why: `${running} Con un mismo registro, ninguno de los dos entregaría todas las respuestas.`,
      next: "Pará el otro, o dejá que las reciba todas: acepta cualquier ruta y las campañas de cualquier sucursal.",
    },
    push: {
      ...waits,
      what: "Otro bpos está subiendo el catálogo de esta sucursal.",
      next: "Corré el comando de nuevo cuando termine, o con una espera más larga: --lock-wait 5m.",
    },
    send: {
      ...waits,
      what: "Otro bpos está mandando una campaña de esta sucursal.",
      next: "Corré el comando de nuevo cuando termine, o con una espera más larga: --lock-wait 5m. Nadie recibe el mensaje dos veces.",
    },
  }[work];
}

const takenOverBy = ({ host = "", pid }: ErrorFacts["lock_lost"]): string =>
  `Otro bpos tomó el lugar de este${pid === null ? "" : ` (${host}:${pid})`}.`;

/** After the journal, or a file beside it, was removed or replaced. */
const putBack =
  "Si lo que falta es el registro mismo, devolvelo a su lugar o restaurá una copia; mientras bpos corre, nada puede borrar ni reemplazar archivos en su carpeta.";

export function lockLostWords(facts: ErrorFacts["lock_lost"]): ErrorWords {
  const { file } = facts;
  if (file !== undefined)
    return {
      what: `Alguien borró o reemplazó ${file} mientras bpos lo usaba.`,
      why: "Sin ese archivo otro bpos podría hacer el mismo trabajo al mismo tiempo, así que este se detuvo. Ya no entrega ni manda nada.",
      next: `${putBack} Después corré de nuevo este comando.`,
    };
  return {
    what: takenOverBy(facts),
    why: "Este no renovó su bloqueo durante 4 segundos: estaba detenido, o no llegaba al registro. Desde entonces no se entregó ni se mandó nada.",
    next: "Dejá trabajar al otro, o paralo y corré de nuevo este comando. Un watch que tenga que quedar en espera necesita --standby.",
  };
}

export function writeFailedWords(facts: ErrorFacts["journal_write_failed"]): ErrorWords {
  const { work, detail, ref, lockLost } = facts;
  if (lockLost === undefined)
    return {
      what: `No se pudo escribir en el registro, así que no se mandó nada más: ${ended(detailWords(detail))}`,
      why: "El informe dice qué se había mandado hasta ese momento; el registro puede tener menos.",
      next: `${journalNext(detail) ?? "Liberá espacio en disco."} Después corré ${
        work === "push"
          ? "el mismo comando, con el mismo archivo o los mismos códigos: sigue, y nada se aplica dos veces."
          : `${resumed(ref)}: nadie recibe el mensaje dos veces.`
      }`,
    };
  return {
    what: `${takenOverBy(lockLost)} Este dejó de mandar.`,
    why: "Este no renovó su bloqueo durante 4 segundos. El informe dice qué mandó hasta ese momento; el registro puede tener menos.",
    next:
      work === "push"
        ? "Dejá terminar al otro; `bpos catalog history` muestra qué subió cada uno. Después subí la lista más nueva: vale el último comando."
        : `Dejá terminar al otro y después corré ${resumed(ref)}: nadie recibe el mensaje dos veces.`,
  };
}

export function journalNext(detail: Detail): string | undefined {
  if (typeof detail === "string") return undefined;
  if (detail.kind === "database") return databaseWords(detail.problem).next;
  if (detail.kind === "file_replaced") return putBack;
  if (detail.kind === "journal_copied") return "Poné en BPOS_JOURNAL la dirección de esa base.";
  if (detail.kind === "journal_newer")
    return "Actualizá bpos en esta máquina, o usá otro registro con BPOS_HOME o BPOS_JOURNAL.";
  return detail.kind === "journal_outdated"
    ? "Terminá con ese bpos lo que quedó pendiente en él. Después movelo a otro lado, o usá otro registro con BPOS_HOME o BPOS_JOURNAL: uno vacío no sabe a quién se le mandó."
    : undefined;
}

const maxNamed = 5;

/** What a journal does not know of what this machine sent. */
export function lostWords(sends: ErrorFacts["journal_older"]["sends"]): string {
  const refs = sends.slice(0, maxNamed).map(({ ref }) => `"${ref}"`);
  const more = sends.length - refs.length;
  if (more > 0) refs.push(`${more} más`);
  return refs.length === 0
    ? "Conoce todos los envíos de las últimas 24 horas desde acá, pero no todo lo demás."
    : `No conoce todo lo mandado desde acá con ${refs.join(", ")}.`;
}

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
    pushes: "subidas de catálogo",
    products: "productos",
    sends: "envíos",
    calls: "lotes de envíos",
    recipients: "destinatarios",
    replies: "respuestas",
  },
  columns: { subject: "Qué", entries: "Guardados", pending: "Pendientes", oldest: "Desde" },
  owed: {
    title: "Pedidos que esperan una salida",
    output: "Salida",
    orders: "Pedidos",
    changes: "Cambios",
    next: "El próximo `bpos orders watch` con esa salida entrega lo que le falta; `bpos orders forget` lo da por perdido.",
  },
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
  copy: {
    working: "Copiando",
    done: (rows, from, to) =>
      `Se ${rows.n === 1 ? "copió" : "copiaron"} ${plural(rows, "fila", "filas")} de ${from} a ${to}.`,
    resumed: (rows) => `${plural(rows, "fila ya estaba", "filas ya estaban")}, de una copia interrumpida.`,
    next: (address) =>
      `Poné BPOS_JOURNAL=${shellWord(address)} donde sea que corra bpos en esta máquina, y después volvé a arrancar los watch y los cron.`,
    old: (file) =>
      `bpos ya no usa ${file}: sin BPOS_JOURNAL un comando termina con 9. Guardá el archivo como copia de seguridad hasta confiar en el registro nuevo, y después borralo.`,
  },
  accept: {
    older: (place) =>
      `El registro ${place} es más viejo que lo que esta máquina hizo con él: se restauró, o su servidor pasó a una réplica atrasada.`,
    send: (ref, template, at) => `No conoce todo el envío "${ref}" (plantilla ${template}, ${at}).`,
    means:
      "Si lo aceptás, bpos no puede saber quién recibió esos mensajes: alguien los puede recibir otra vez, salvo que no vuelvas a mandar esos archivos o los excluyas con --exclude. Los pedidos hechos hasta ahora llegan marcados como repetidos cuando no los conoce. La próxima subida con --changed-only manda todas las filas. Cada una de las otras máquinas que trabajaron con él también necesita este comando.",
    ask: "¿Seguir con este registro?",
    done: "Aceptado: campaign send, campaign resume y catalog push vuelven a trabajar con este registro.",
    nothing: (place) =>
      `No hay nada que aceptar: el registro ${place} conoce todo lo que esta máquina hizo con él.`,
  },
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

/** Why a journal is not copied, as part of a sentence, and what to do next. */
export const copyWords = advice<CopyProblem>()({
  source_missing: {
    what: "no hay ningún registro ahí",
    next: "Corré el comando en la máquina, y con el usuario, del registro que querés copiar; BPOS_HOME indica su carpeta.",
  },
  not_empty: {
    what: "ya tiene un registro",
    next: "Indicá una base vacía. Si esta es la copia, ponela en BPOS_JOURNAL: no queda nada por copiar.",
  },
  copied_before: {
    what: "el registro de esta máquina ya se copió a otra base",
    next: "Poné esa base en BPOS_JOURNAL: `bpos journal status` sin BPOS_JOURNAL dice cuál es.",
  },
  in_use: {
    what: "el proceso {pid} de {host} está trabajando con él",
    next: "Paralo, y también los cron de bpos; después corré el comando de nuevo.",
  },
  other_copy: {
    what: "tiene una copia sin terminar de {from}",
    next: "Indicá una base vacía, o terminá antes esa copia.",
  },
  differs: {
    what: "su tabla {table} tiene {found} filas, y el registro {rows}",
    next: "Algo más escribió en la base. Corré ahí `DROP SCHEMA bpos CASCADE;` y después el comando de nuevo.",
  },
});
