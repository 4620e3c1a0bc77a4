import type { en } from "../en.ts";
import { plural } from "../phrases.ts";
import { execEnd } from "./call-errors.ts";

/** What `bpos catalog watch` says, in Spanish. */
export const lists: typeof en.lists = {
  watching: (place, branch) =>
    `Se vigila ${place} para ${branch}: cada lista de precios se sube cuando se guarda. Ctrl-C lo para.`,
  pushed: (file, { accepted, unchanged, rejected, deactivated }) =>
    [
      `${file}: ${plural(accepted, "aceptado", "aceptados")}`,
      `${unchanged.shown} sin cambios`,
      ...(deactivated.n === 0 ? [] : [plural(deactivated, "dado de baja", "dados de baja")]),
      ...(rejected.n === 0 ? [] : [plural(rejected, "rechazado", "rechazados")]),
    ].join(", "),
  refused: (file, why, report) =>
    `${file} no se subió. ${why}${report === null ? "" : ` Lo que está mal está en ${report}.`} ‹Corrige› ${file} y ‹guárdalo› de nuevo; si está bien así, ‹súbelo› con \`bpos catalog push\`.`,
  rejectedRows: (file, rows, report) =>
    `${file}: ${plural(rows, "fila rechazada", "filas rechazadas")}${report === null ? "." : `; ${rows.n === 1 ? "está" : "están"} en ${report}.`} ‹Corrige› ${file} y ‹guárdalo› de nuevo.`,
  stale: (file) =>
    `${file}: el servicio tenía cambios más nuevos y lo ignoró. ‹Revisa› el reloj de esta máquina y el de la que subió antes.`,
  open: (file) => `${file} está abierto en otro programa; se sube cuando se cierre ahí.`,
  unreadable: (why) => `${why} Se sube cuando se pueda leer.`,
  missing: (file) => `${file} todavía no existe; se sube cuando se guarde.`,
  outage: (why) => `No se puede subir ninguna lista: ${why} Se reintenta.`,
  recovered: (after) => `Las listas se pueden subir otra vez, después de ${after}.`,
  stopping: (file) => `Se para después de la subida de ${file}.`,
  execFailed: (end, file, lastLine) =>
    `El comando de --exec ${execEnd(end)}, con ${file}${lastLine === "" ? "." : `: ${lastLine}`}`,
  unprinted: (why) => `No se puede escribir en la salida estándar: ${why}. El watch sigue.`,
  note: (file) => `Lista de precios: ${file}`,
  reasons: {
    price: (from, to, change) =>
      `el precio cambiaría de ${from} a ${to}${change === null ? "" : ` (${change})`}`,
    missing: "ya no está en la lista: se daría de baja",
    older: "cambió en el servicio después de que se guardó esta lista",
  },
};
