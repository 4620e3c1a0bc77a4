import type { CopyProblem } from "../../errors/problems.ts";
import * as words from "../../errors/words/journal.ts";
import { textsIn } from "../../texts/texts.ts";
import { defineReasons, type JournalReason } from "../shared/errors.ts";
import { knownOfJournal, runningWords } from "../shared/journal.ts";
import { detailWords } from "./call-errors.ts";
import { databaseWords } from "./database.ts";
import { fileName } from "./files.ts";

const known = knownOfJournal({
  detail: detailWords,
  database: databaseWords,
  file: fileName,
  running: runningWords({
    pid: "El proceso {pid}[ en {host}] sigue corriendo.",
    else: "Sigue corriendo.",
  }),
  next: {
    file_replaced:
      "Si lo que falta es el registro mismo, ‹devuélvelo› a su lugar o ‹restaura› una copia; mientras bpos corre, nada puede borrar ni reemplazar archivos en su carpeta.",
    journal_copied: "‹Pon› en BPOS_JOURNAL la dirección de esa base.",
    journal_newer: "‹Actualiza› bpos en esta máquina, o ‹usa› otro registro con BPOS_HOME o BPOS_JOURNAL.",
    journal_outdated:
      "‹Termina› con ese bpos lo que quedó pendiente en él. Después ‹muévelo› a otro lado, o ‹usa› otro registro con BPOS_HOME o BPOS_JOURNAL: uno vacío no sabe a quién se le mandó.",
    diskFull: "‹Libera› espacio en disco.",
  },
});

/** The reasons that are about the journal and its locks. */
export const journalErrors = defineReasons<JournalReason>()(known)({
  journal_unreadable: {
    what: "Registro {file}: {detail}.",
    why: "Sin el registro, bpos no puede asegurar que nada se mande dos veces.",
    next: {
      remedy: "{remedy}",
      else: "‹Revisa› que puedas leer y escribir el archivo y que haya espacio en disco, o ‹usa› otra carpeta con BPOS_HOME.",
    },
    more: "No se puede abrir el registro: el archivo o su carpeta, o la base de datos de BPOS_JOURNAL. El mensaje dice por qué; `bpos doctor` lo revisa paso a paso.",
  },
  journal_damaged: {
    what: "Registro {file}: está dañado, o no es de bpos ({detail}).",
    why: "Sin el registro, bpos no puede asegurar que nada se mande dos veces.",
    next: "‹Detén› todos los bpos y ‹restaura› una copia de seguridad. Si no hay, ‹mueve› el archivo y los que están al lado: `mv {file:shell} {aside:shell}`. Un registro vacío no sabe qué pedidos se entregaron ni a quién se le mandó: ‹revísalo› antes de mandar.",
    more: "El registro está dañado o es otro archivo: un corte de luz, una copia hecha mientras corría bpos, un disco que falla. ‹Detén› todos los bpos y ‹restaura› una copia de seguridad. Si no hay, ‹mueve› el archivo y los que están al lado (`-wal`, `-shm`); un registro vacío no sabe qué pedidos se entregaron ni a quién se le mandó.",
  },
  journal_older: {
    what: "Registro {file}: más viejo que lo que esta máquina hizo con él.",
    why: {
      refs: 'Se restauró de una copia de seguridad, o su servidor pasó a una réplica atrasada. No conoce todo lo mandado desde ‹aquí› con "{refs}"[, {more} más].',
      else: "Se restauró de una copia de seguridad, o su servidor pasó a una réplica atrasada. Conoce todos los envíos de las últimas 24 horas desde ‹aquí›, pero no todo lo demás.",
    },
    next: "Si el registro más nuevo todavía existe, ‹usa› ese. Si no, `bpos journal accept-restore` explica qué implica seguir con este, y pregunta.",
    more: "Cada registro cuenta lo que se manda, se sube y se entrega, y cada máquina recuerda las cuentas más altas fuera de él. Un registro restaurado de una copia de seguridad, o cuyo servidor pasó a una réplica atrasada, tiene cuentas más bajas: no sabe a quién se le mandó desde entonces. Si el registro más nuevo todavía existe, ‹usa› ese; si no, `bpos journal accept-restore` sigue con este.",
  },
  locked: {
    what: {
      held: {
        forget: 'Otro bpos ya vigila los pedidos de esta sucursal[ para el consumidor "{consumer}"].',
        watch: 'Otro bpos ya vigila los pedidos de esta sucursal[ para el consumidor "{consumer}"].',
        listen: "Otro bpos ya está recibiendo las respuestas.",
        push: "Otro bpos está subiendo el catálogo de esta sucursal.",
        send: "Otro bpos está mandando una campaña de esta sucursal.",
      },
    },
    why: {
      held: {
        forget:
          "{running} Entregaría lo que ‹aquí› se descarta. No se lo espera: un watch puede correr para siempre.",
        watch: "{running} Con un mismo consumidor, ninguno de los dos recibiría todos los pedidos.",
        listen: "{running} Con un mismo registro, ninguno de los dos entregaría todas las respuestas.",
        else: "{running}",
      },
    },
    next: {
      held: {
        forget: "‹Páralo›, ‹corre› este comando de nuevo y después ‹vuelve› a iniciarlo.",
        watch:
          "‹Detén› el otro, o ‹usa› otro consumidor con --consumer NOMBRE: cada uno recibe todos los pedidos.",
        listen:
          "‹Detén› el otro, o ‹deja› que las reciba todas: acepta cualquier ruta y las campañas de cualquier sucursal.",
        push: "‹Corre› el comando de nuevo cuando termine, o con una espera más larga: --lock-wait 5m.",
        send: "‹Corre› el comando de nuevo cuando termine, o con una espera más larga: --lock-wait 5m. Nadie recibe el mensaje dos veces.",
      },
    },
    more: "Otro bpos hace el mismo trabajo para esta sucursal. Entre dos se entregarían pedidos dos veces o se mezclarían dos listas de precios. ‹Déjalo› terminar o ‹páralo›: el mensaje nombra su proceso. Una subida o un envío espera al otro hasta 60 s (--lock-wait); a un watch nunca se lo espera, y un segundo watch necesita su propio --consumer.",
  },
  lock_lost: {
    what: {
      file: "Alguien borró o reemplazó {file} mientras bpos lo usaba.",
      else: "Otro bpos tomó el lugar de este[ ({holder})].",
    },
    why: {
      file: "Sin ese archivo otro bpos podría hacer el mismo trabajo al mismo tiempo, así que este se detuvo. Ya no entrega ni manda nada.",
      else: "Este no renovó su bloqueo durante 4 segundos: estaba detenido, o no llegaba al registro. Desde entonces no se entregó ni se mandó nada.",
    },
    next: {
      file: "{putBack} Después ‹corre› de nuevo este comando.",
      else: "‹Deja› trabajar al otro, o ‹páralo› y ‹corre› de nuevo este comando. Para que un watch quede en espera, ‹pasa› --standby.",
    },
    more: "Con un registro en PostgreSQL un proceso tiene su bloqueo mientras lo renueve. Uno que se detiene, o que no llega a la base de datos, lo pierde ante el próximo que lo pida. Con un registro en un archivo lo pierde cuando alguien borra o reemplaza ese archivo, o uno de `locks/`. Ya no hace nada más, así ningún pedido se entrega dos veces y nadie recibe dos mensajes. ‹Deja› trabajar al otro, o ‹devuelve› el registro a su lugar, y ‹corre› de nuevo el comando. Para que un watch quede en espera, ‹pasa› --standby.",
  },
  journal_write_failed: {
    what: {
      isLockLost: "Otro bpos tomó el lugar de este[ ({holder})]. Este dejó de mandar.",
      else: "No se pudo escribir en el registro, así que no se mandó nada más: {detail}. El informe dice qué se había mandado hasta ese momento; el registro puede tener menos.",
    },
    why: {
      isLockLost:
        "Este no renovó su bloqueo durante 4 segundos. El informe dice qué mandó hasta ese momento; el registro puede tener menos.",
    },
    next: {
      isLockLost: {
        work: {
          push: "‹Deja› terminar al otro; `bpos catalog history` muestra qué subió cada uno. Después ‹sube› la lista más nueva: vale el último comando.",
          send: "‹Deja› terminar al otro y después ‹corre› {resume}: nadie recibe el mensaje dos veces.",
        },
      },
      else: {
        work: {
          push: "{remedy} Después ‹corre› el mismo comando, con el mismo archivo o los mismos códigos: sigue, y nada se aplica dos veces.",
          send: "{remedy} Después ‹corre› {resume}: nadie recibe el mensaje dos veces.",
        },
      },
    },
    more: "No se pudo escribir en el registro cuando parte de una subida o de un envío ya se había mandado, casi siempre porque el disco está lleno o no se llega a la base de datos. ‹Corrige› eso y ‹sube› el mismo archivo otra vez, o ‹corre› `bpos campaign resume`: nada se manda ni se aplica dos veces. Si otro bpos tomó su lugar, el mensaje lo nombra: ‹déjalo› terminar primero, y ‹sube› el archivo más nuevo.",
  },
});

export const copyWords = (problem: CopyProblem) => words.copyWords(problem, textsIn("es"));
