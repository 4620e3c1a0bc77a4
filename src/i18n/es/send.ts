import type { send as en } from "../en/send.ts";
import { type Count, plural } from "../plural.ts";
import { shellWord } from "../shell-word.ts";

const people = (count: Count): string => plural(count, "persona", "personas");

/** The preview and the report of a campaign send. */
export const send: typeof en = {
  previewTitle: "Envío de campaña",
  dryRunTitle: "Envío de campaña · simulacro",
  reportTitle: "Envío de campaña",
  testTitle: "Envío de campaña · prueba",
  testDryRunTitle: "Envío de campaña · prueba · simulacro",
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
    sendId: "Envío",
  },
  anyLanguage: "el único de la plantilla",
  wouldSend: (count: Count, calls: Count) =>
    `Se mandaría el mensaje a ${people(count)}, en ${plural(calls, "lote", "lotes")}.`,
  test: (phone: string) => `un mensaje a ${phone}`,
  wouldTest: (phone: string) => `Saldría un mensaje a ${phone}, y a nadie más.`,
  variable: (name: string, at: number) => `{{${at + 1}}} ${name}`,
  noVariables: "ninguna",
  nobody: "No se le mandaría a nadie.",
  counts: {
    read: "Filas leídas",
    planned: "Para enviar",
    added: "Enviados",
    duplicates: "Repetidos en el archivo",
    invalid: "No sirven",
    excluded: "Excluidos",
    already_sent: "Enviados antes",
    service_duplicates: "Repetidos, según el servicio",
  },
  columns: { what: "", count: "Personas" },
  firstTitle: "Los primeros destinatarios",
  testFirstTitle: "El mensaje",
  first: { phone: "Teléfono", params: "Variables" },
  outcome: {
    sent: (count: Count) => `Enviado: el servicio tomó el mensaje para ${people(count)}.`,
    replayed: "YA HABÍA SALIDO: este envío se hizo antes. Ahora no salió nada y a nadie le llegó de nuevo.",
    partial: "Enviado en parte: los lotes de abajo salieron, los otros no.",
    refused: "Rechazado: el servicio no mandó nada.",
    unknown:
      "No se sabe si llegó un lote. Al retomar se intenta de nuevo con la misma clave, así a nadie le llega dos veces.",
    nothing: "No se mandó nada.",
  },
  doubtful: {
    people: (known: Count, all: Count) =>
      `Enviado en parte: el servicio da cuenta de ${known.shown} de ${people(all)}.`,
    status: (status: string | null) =>
      status === null
        ? "Sin confirmar: el servicio no dio ningún estado."
        : `Sin confirmar: la campaña tiene el estado "${status}", no "sent".`,
  },
  notKept: (count: Count) =>
    `El servicio tomó el mensaje para ${people(count)}, pero el registro no pudo guardar su última respuesta. Al retomar, ese lote se intenta de nuevo con la misma clave, así a nadie le llega dos veces.`,
  unsent: (calls: Count, count: Count) =>
    `${calls.n === 1 ? "No salió" : "No salieron"} ${plural(calls, "lote", "lotes")} para ${people(count)}.`,
  gaveUp: "Se detuvo a propósito: tres lotes seguidos quedaron sin respuesta.",
  resume: (ref: string) => `bpos campaign resume ${shellWord(ref)} lo retoma.`,
  dryRun: "No se mandó nada.",
  replayedAt: (at: string, age: string) => `Salió el ${at} (hace ${age}).`,
  replayedCalls: (count: Count, all: Count) =>
    `YA HABÍAN SALIDO: ${count.shown} de ${plural(all, "lote", "lotes")} ya estaban en el servicio; a nadie le llegó de nuevo.`,
  calls: {
    id: "Campaña",
    status: "Estado",
    people: "Gente",
    added: "Enviados",
    duplicates: "Repetidos",
    errors: "Errores",
    replayed: "Antes",
    name: "Nombre",
  },
  yes: "sí",
  no: "no",
  serviceErrors: "El servicio dejó afuera",
  leftOutAbove: (count: Count, isWritten: boolean) => {
    const all = count.n === 1 ? "la" : "las";
    const file = isWritten ? "" : `, y --errors ARCHIVO ${all} escribe en un archivo para corregir y mandar`;
    return `${plural(count, "fila quedó", "filas quedaron")} afuera, como se ve más arriba; --json ${all} lista${file}.`;
  },
  leftOut: { line: "Línea", phone: "Teléfono", reason: "Motivo" },
  more: (count: Count) =>
    `Hay ${count.shown} más que no se ${count.n === 1 ? "muestra" : "muestran"}; con --json se ve todo.`,
  file: (name: string, ref: string, exclude: readonly string[]) => {
    const flags = [`--ref ${shellWord(ref)}`, ...exclude.map((file) => `--exclude ${shellWord(file)}`)];
    return `Todas las filas que quedaron afuera están en ${name}: corregilo y mandalo así como queda, con ${flags.join(" ")}.`;
  },
  noFile: "--errors ARCHIVO escribe todas las filas en un archivo para corregir y mandar.",
  statusHint: (id: string) => `bpos campaign status ${shellWord(id)} muestra cómo sigue.`,
  statusHintRef: (ref: string) => `bpos campaign status --ref ${shellWord(ref)} muestra cómo sigue.`,
};
