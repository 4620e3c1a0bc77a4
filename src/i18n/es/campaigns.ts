import { detailWords, execEndWords, programWords } from "../../errors/words/details.ts";
import { type Count, plural, shellWord } from "../../texts/phrases.ts";
import { textsIn } from "../../texts/texts.ts";
import type * as en from "../en/campaigns.ts";
import {
  deliveryFailuresIn,
  listeningIn,
  listeningWords,
  nameOutput,
  noStatusWords,
} from "../shared/campaigns.ts";
import { toSentence } from "../template.ts";

const people = (count: Count): string => plural(count, "destinatario", "destinatarios");

/** The preview and the report of a campaign send. */
export const send: typeof en.send = {
  title: "Envío de campaña",
  resumeTitle: "Retomar campaña",
  testMark: "prueba",
  dryRunMark: "simulacro",
  live: "REAL",
  labels: {
    mode: "Modo",
    branch: "Sucursal",
    template: "Plantilla",
    language: "Idioma",
    variables: "Variables",
    test: "Prueba",
    ref: "Referencia",
    header: "Encabezado",
    at: "Inicio",
    hours: "Horario",
    pace: "Ritmo",
    canary: "Muestra",
    sendId: "Envío",
    onlyFailed: "Solo fallidos",
  },
  anyLanguage: "el único de la plantilla",
  wouldSend: (count, calls) =>
    `Se mandaría el mensaje a ${people(count)}, en ${plural(calls, "lote", "lotes")}.`,
  test: (phone) => `un mensaje a ${phone}`,
  variable: (name, at) => `{{${at + 1}}} ${name}`,
  noVariables: "ninguna",
  nobody: "No se le mandaría a nadie.",
  counts: {
    read: "Filas leídas",
    planned: "Para enviar",
    added: "Enviados",
    duplicates: "Repetidos en el archivo",
    invalid: "No válidos",
    excluded: "Excluidos",
    opted_out: "Dados de baja",
    already_sent: "Enviados antes",
    service_duplicates: "Repetidos (servicio)",
  },
  columns: { what: "", count: "Destinatarios" },
  firstTitle: "Los primeros destinatarios",
  first: { phone: "Teléfono", params: "Variables" },
  message: (phone) => `El mensaje a ${phone}`,
  outcome: {
    sent: (count) => `Enviado: el servicio aceptó ${people(count)}.`,
    replayed: "YA ENVIADO: se mandó antes. Ahora no se mandó nada, y nadie recibió el mensaje de nuevo.",
    partial: "Enviado en parte: hay lotes que no se mandaron, o el servicio no lo confirma todo.",
    refused: "Rechazado: el servicio no mandó nada.",
    unknown:
      "Resultado desconocido de un lote. Al retomar se reintenta con la misma clave, salvo que alguien de él se haya dado de baja: nadie recibe el mensaje dos veces.",
    nothing: "No se mandó nada.",
  },
  hours: (between, days) =>
    `${between}${days === null ? "" : `, ${days}`}, en la hora del país de cada destinatario`,
  strictest: (country, zone) =>
    `Nota: ${country} tiene varias zonas horarias, y bpos respeta el horario de todas. --time-zone elige una, por ejemplo ${zone}.`,
  unusedZone: (zone) => `Nota: --time-zone ${zone} no es de ningún país de los destinatarios.`,
  pace: (rate, time) => `${rate}, unas ${time}`,
  canary: (count, time, limit) =>
    `primero ${people(count)}; el resto, salvo que en ${time} ${limit.n === 0 ? "falle alguno" : `fallen más de ${limit.shown}`}`,
  waitsFor: (countries, count, at) => `${countries}: ${people(count)} desde ${at}`,
  waits: (reason, count, { at, left }, ref) => {
    const why = {
      at: `${people(count)} ${count.n === 1 ? "espera" : "esperan"} hasta el ${at}, en ${left}`,
      hours: `${people(count)} fuera de su horario: esperando hasta el ${at}, dentro de ${left}`,
      pace: `El próximo lote sale a las ${at}`,
      canary: `Esperando el estado de la muestra, como máximo hasta el ${at} (${left}); después, ${people(count)} más`,
    };
    return `${why[reason]}. Ctrl-C detiene; bpos campaign resume ${shellWord(ref)} continúa.`;
  },
  canaryPassed: (failed, all) =>
    `Muestra: ${failed.n === 1 ? "falló" : "fallaron"} ${failed.shown} de ${people(all)}. Se manda a los demás.`,
  stillWaits: (reason, count, at) => {
    const what = { at: "su hora", hours: "su horario", pace: "el ritmo", canary: "la muestra" };
    return `${people(count)} ${count.n === 1 ? "espera" : "esperan"} ${what[reason]}, hasta el ${at}.`;
  },
  unsent: (calls, count) =>
    `${calls.n === 1 ? "No se mandó" : "No se mandaron"} ${plural(calls, "lote", "lotes")} para ${people(count)}.`,
  templateAtSend: "El nombre y el idioma de la plantilla solo se comprueban al mandar.",
  dryRun: "No se mandó nada.",
  replayedAt: (at, age) => `Se mandó el ${at} (hace ${age}).`,
  replayedCalls: (count, all) =>
    `YA ENVIADOS: ${count.shown} de ${plural(all, "lote", "lotes")} se habían mandado antes; nadie recibió el mensaje de nuevo.`,
  calls: {
    id: "Campaña",
    status: "Estado",
    people: "Destinatarios",
    added: "Enviados",
    duplicates: "Repetidos",
    errors: "Errores",
    replayed: "Ya enviado",
    name: "Nombre",
  },
  yes: "sí",
  no: "no",
  serviceErrors: "El servicio dejó ‹fuera›",
  leftOutAbove: (count) =>
    `${plural(count, "fila quedó", "filas quedaron")} ‹fuera›, como se ve más arriba; con --json se ven todas.`,
  leftOut: { line: "Línea", phone: "Teléfono", reason: "Motivo" },
  more: (count) =>
    `Hay ${count.shown} más que no se ${count.n === 1 ? "muestra" : "muestran"}; con --json se ve todo.`,
  file: (name, ref, exclude) => {
    const flags = [`--ref ${shellWord(ref)}`, ...exclude.map((file) => `--exclude ${shellWord(file)}`)];
    return `Todas las filas que quedaron ‹fuera› están en ${name}: ‹corrígelo› y ‹manda› ese archivo con ${flags.join(" ")}.`;
  },
  noFile: "--errors ARCHIVO las escribe en un archivo para corregir y mandar.",
  notListed: (unlisted, ref) =>
    `Atención: el servicio no lista a ${people(unlisted)} de "${ref}", así que ${unlisted.n === 1 ? "queda" : "quedan"} ‹fuera›: nadie sabe si el mensaje falló. Un envío con --track-all los lista a todos.`,
  onlyFailed: {
    kept: (ref, failed, out) =>
      `${plural(failed, "destinatario al que no le llegó", "destinatarios a los que no les llegó")} ${shellWord(ref)}${out === "" ? "" : `; ‹fuera›: ${out}`}`,
    not_failed: (count) => `${count.shown} sin falla`,
    not_final: (count) => `${count.shown} sin estado final`,
    not_listed: (count) => `${count.shown} que el servicio no lista`,
    not_in_send: (count) => `${count.shown} que no estaban en ese envío`,
  },
  statusHint: (id) => `bpos campaign status ${shellWord(id)} muestra su estado.`,
  statusHintRef: (ref) => `bpos campaign status --ref ${shellWord(ref)} muestra su estado.`,
};

/** The status of one or more campaigns. */
export const campaign: typeof en.campaign = {
  title: (id) => `Campaña ${id}`,
  several: (count) => plural(count, "campaña", "campañas"),
  labels: { name: "Nombre", ref: "Referencia", status: "Estado" },
  counts: { what: "Mensaje", people: "Destinatarios", share: "Porcentaje", bar: "" },
  names: {
    total_recipients: "Total",
    pending: "Pendiente",
    sent: "Enviado",
    failed: "Falló",
    delivered: "Entregado",
    read: "Leído",
    responded: "Respondió",
  },
  noCounts: "El servicio no dio cantidades.",
  list: { id: "Campaña", status: "Estado", name: "Nombre" },
  columns: {
    phone: "Teléfono",
    line: "Línea",
    status: "Estado",
    message: "Error",
    sent: "Enviado",
    delivered: "Entregado",
    read: "Leído",
    responded: "Respondió",
    campaign: "Campaña",
  },
  failures: {
    recipients: "Destinatarios",
    advice: "Qué hacer",
    noReason: "El servicio no dio un motivo.",
    more: (count) =>
      `${plural(count, "error más", "errores más")}; con -o csv se ve el de cada destinatario.`,
  },
  noRecipients: "No hay destinatarios para mostrar.",
  hidden: (count) =>
    `${plural(count, "destinatario se cuenta pero no figura", "destinatarios se cuentan pero no figuran")} en la lista; un envío con --track-all los muestra a todos.`,
};

/** `campaign find`. */
export const find: typeof en.find = {
  title: (phone, name) => `Envíos a ${name === null ? phone : `${phone} · ${name}`}`,
  reading: "Leyendo campañas",
  columns: {
    at: "Cuándo",
    template: "Plantilla",
    ref: "Referencia",
    status: "Estado",
    campaign: "Campaña",
    error: "Error",
    replies: "Respuestas",
  },
  noStatus: {
    planned: "sin mandar",
    opted_out: "‹fuera›",
    canary: "espera",
    waits_start: "espera",
    waits_hours: "espera",
    waits_pace: "espera",
    held: "retenido",
    too_late: "tarde",
    unconfirmed: "desconocido",
    not_asked: "sin leer",
    not_listed: "no figura",
    service: "ninguno",
  },
  why: noStatusWords({
    planned: "planificado, sin mandar: bpos campaign resume",
    opted_out: "se dio de baja antes de que saliera el mensaje: no se le va a mandar",
    canary: "planificado, sin mandar: la prueba (--canary) no fue aprobada",
    waits_start: "espera su comienzo, {until}",
    waits_hours: "fuera del horario, espera hasta {until}",
    waits_pace: "espera por --pace, como mínimo hasta {until}",
    held: "retenido: alguien del mismo lote recibió esta plantilla con {ref}",
    too_late: "no salió antes de --not-after, {until}",
    unconfirmed: "resultado desconocido hasta correr bpos campaign resume",
    not_asked: "el servicio no informó el estado",
    not_listed: {
      all: "el servicio lista {listed} de {all} destinatarios, y este no está",
      else: "el servicio lista {listed} de sus destinatarios, y este no está",
    },
  }),
  test: (ref) => `${ref} (prueba)`,
  optOut: {
    since: (at, source, text) => `Se dio de baja el ${at} (${source}${text === null ? "" : `: "${text}"`}).`,
    removed: (said, at, reason) => `${said} Salió de la lista el ${at}: ${toSentence(reason)}`,
  },
  leftOutTitle: "No se le mandó",
  leftOut: {
    opted_out: "se dio de baja",
    excluded: "en --exclude",
    not_failed: "no falló (--only-failed-of)",
    not_final: "sin estado final (--only-failed-of)",
    not_listed: "el servicio no lo lista (--only-failed-of)",
    not_in_send: "no estaba en ese envío (--only-failed-of)",
  },
  messagesTitle: "Mensajes",
  repliesTitle: "Respuestas",
  reply: { at: "Cuándo", ref: "Referencia", text: "Texto" },
  noReplies: "Sin respuestas: bpos campaign listen guarda las que recibe.",
  sends: (count) => `${plural(count, "envío", "envíos")}.`,
  otherReplies: (count) =>
    `Hay ${plural(count, "respuesta más", "respuestas más")} de este teléfono que no ${count.n === 1 ? "nombra" : "nombran"} ninguno de estos envíos.`,
};

/** Following campaigns, and the sends of the past. */
export const follow: typeof en.follow = {
  variables: "Variables",
  reading: "Leyendo campañas",
  waiting: (limit) => `Esperando hasta ${limit} a que todos los estados sean definitivos; Ctrl-C termina.`,
  updated: (age) => `Leído hace ${age}`,
  next: (time) => `la próxima en ${time}`,
  readingNow: "leyendo ahora …",
  stops: "Ctrl-C termina",
  noAnswer: (message) => `Sin respuesta, se reintenta. ${message}`,
  final: "Todos los estados son definitivos.",
  over: (limit) => `Se terminó el --wait de ${limit}: todavía no todos los estados son definitivos.`,
  doNotFit: (count) => `${plural(count, "destinatario más no entra", "destinatarios más no entran")} ‹aquí›.`,
  pending: (open, all, ref) =>
    `${open.shown} de ${plural(all, "lote", "lotes")} ${open.n === 1 ? "sigue" : "siguen"} sin respuesta: bpos campaign resume ${shellWord(ref)}`,
  waits: (open, all, at, ref) =>
    `${open.shown} de ${plural(all, "lote", "lotes")} ${open.n === 1 ? "espera" : "esperan"} hasta el ${at}, al bpos que los manda o a: bpos campaign resume ${shellWord(ref)}`,
  nobody: (statuses, present) =>
    `Ningún destinatario listado tiene el estado ${statuses}.${present === null ? "" : ` Hay: ${present}.`}`,
  counted: (name, value) => `${name} ${value}`,
  moved: (from, to) => `${from} → ${to}`,
  list: {
    title: "Envíos de este registro",
    none: "El registro de esta máquina no tiene ningún envío con esta clave. bpos campaign status ID muestra una campaña que se mandó desde otro lado.",
    columns: {
      at: "Fecha",
      age: "Hace",
      template: "Plantilla",
      ref: "Referencia",
      state: "Estado",
      people: "Destinatarios",
      calls: "Lotes",
      added: "Enviados",
      errors: "Errores",
      campaigns: "Campañas",
    },
    state: {
      sent: "enviado",
      doubtful: "enviado en parte",
      planned: "sin enviar",
      waits: (at) => `espera hasta ${at}`,
      part: (sent, all) => `${sent.shown} de ${plural(all, "lote", "lotes")}`,
      unknown: (open, all) => `desconocido: ${open.shown} de ${plural(all, "lote", "lotes")}`,
    },
    test: (state) => `prueba, ${state}`,
    resume: (ref) =>
      `Sin terminar: bpos campaign resume ${shellWord(ref)} (nadie recibe el mensaje dos veces).`,
    check: (ref) =>
      `El servicio no informa qué pasó con todos, o un estado no es "enviado": bpos campaign status --ref ${shellWord(ref)}`,
    all: (count) => `${plural(count, "envío", "envíos")}.`,
    newest: (count) =>
      count.n === 1
        ? "El envío más nuevo; --limit N muestra más."
        : `Los ${count.shown} envíos más nuevos; --limit N muestra más.`,
  },
};

const failed = deliveryFailuresIn({
  detail: (detail) => detailWords(detail, textsIn("es")),
  execEnd: (end) => execEndWords(end, textsIn("es")),
  program: (facts) => programWords(facts, textsIn("es")),
})({
  forward: { status: "{url} respondió {status}", else: "{url} no respondió: {detail}" },
  stdout: "no se pudo escribir en la salida estándar: {detail}",
});

const outputName = nameOutput("la salida estándar");

const refusals: Readonly<Record<number, string>> = {
  400: "el cuerpo no es JSON en UTF-8, o --forward-to vuelve ‹aquí›",
  403: "lo mandó una página web de otro origen",
  404: "su ruta no termina en el secreto",
  413: "el cuerpo es demasiado grande",
  415: "el cuerpo tiene que ser application/json, sin comprimir",
  421: "su Host no es esta máquina ni el de --public-url; detrás de un túnel o un proxy inverso hace falta --public-url URL, o --trust-any-host",
  503: "demasiados a la vez",
};

/** What `campaign listen` says and shows. */
export const listen: typeof en.listen = {
  listening: listeningIn(
    "SECRETO",
    listeningWords({
      publicUrl:
        "Esperando respuestas en {url}. Dale al servicio {publicUrl}[{secret}]. Para ensayar: bpos mock --webhook-url http://127.0.0.1:{port}/[{secret}].[ Donde dice {secret} va tu secreto.] Ctrl-C termina.",
      isLocal:
        "Esperando respuestas en {url}. Solo esta máquina llega ahí: dale al servicio la dirección https de un túnel o un proxy inverso, y ‹pásala› con --public-url. Para ensayar: bpos mock --webhook-url http://127.0.0.1:{port}/[{secret}].[ Donde dice {secret} va tu secreto.] Ctrl-C termina.",
      else: "Esperando respuestas en {url}. Dale al servicio la dirección por la que llega ahí. Para ensayar: bpos mock --webhook-url http://127.0.0.1:{port}/[{secret}].[ Donde dice {secret} va tu secreto.] Ctrl-C termina.",
    }),
  ),
  anybody: (host) =>
    `Cualquiera que llegue a ${host} puede mandar respuestas: el servicio no las firma. ‹Pon› un secreto con --secret-file ARCHIVO, o ‹deja› pasar solo al servicio.`,
  secretFileOpen: (file) =>
    `Atención: otros usuarios de esta máquina pueden leer el secreto de ${file}. ‹Corre›: chmod 600 ${shellWord(file)}`,
  waiting: (replies, output) =>
    `${plural(replies, "respuesta de una ejecución anterior está", "respuestas de una ejecución anterior están")} sin entregar a ${outputName(output)}: una ejecución con esa salida ${replies.n === 1 ? "la entrega" : "las entrega"}.`,
  refused: (status) =>
    `Se rechazó un POST con ${status}: ${refusals[status] ?? ""}. bpos no avisa de otros en el mismo minuto.`,
  notKept: (detail) =>
    `Una respuesta no se pudo escribir en el registro (${detail}). bpos respondió 503, para que el servicio reintente.`,
  journalDown: (detail) =>
    `No se llega al registro (${detail}). bpos contesta las respuestas con 503, para que el servicio reintente, y mientras tanto no entrega nada. Sigue intentando.`,
  journalFailed: (detail, again) =>
    `No se puede escribir en el registro (${detail}). La entrega sigue en ${again}.`,
  failed: (from, failure, again) =>
    `La respuesta de ${from} está guardada, pero no se entregó: ${failed(failure)}. Próximo intento en ${again}.`,
  down: (output, failure, waiting) =>
    `Falla la entrega a ${outputName(output)}: ${failed(failure)}. ${plural(waiting, "respuesta espera y se reintenta", "respuestas esperan y se reintentan")}; --verbose muestra cada intento.`,
  setAside: (output, why, file) =>
    `Una respuesta no se puede entregar a ${outputName(output)} (${why}). ${file === null ? "Queda en el registro" : `Quedó en ${file}`}; las demás se entregan. ‹Infórmalo›: es un defecto de bpos.`,
  full: "Hay ‹100 000› respuestas o 100 MiB sin entregar. bpos contesta las nuevas con 503, para que el servicio reintente, hasta que las salidas se pongan al día.",
  fullNoMore: "Las salidas se pusieron al día: bpos acepta respuestas de nuevo.",
  works: (output) => `Todas las respuestas pendientes se entregaron a ${outputName(output)}.`,
  unfinished: (from, output) =>
    `Cuando lo detuviste, la respuesta de ${from} se estaba entregando a ${outputName(output)}. La próxima vez se entrega de nuevo, marcada como repetida.`,
  optedOut: (phone) => `${phone} se dio de baja: desde este registro ya no se le manda nada.`,
  optOutDoubtful: (phone) =>
    `La respuesta de ${phone} puede ser una baja. Para decidir: bpos campaign optout review`,
  optOutOfNobody:
    "Una respuesta da de baja a alguien y no trae un teléfono que bpos pueda leer: nadie quedó en la lista de bajas. ‹Averigua› quién es y ‹corre›: bpos campaign optout add TELÉFONO",
  nobody: "un teléfono desconocido",
  sent: (ago) => `enviado hace ${ago}`,
  unknownSend: "ningún envío de este registro",
  namesNoCampaign: "no nombra ninguna campaña",
  repeated: "REPETIDA: puede que ya se haya entregado",
};
