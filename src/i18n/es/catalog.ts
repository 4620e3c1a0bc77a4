import { type Count, plural, readingFlags } from "../../texts/phrases.ts";
import type * as en from "../en/catalog.ts";
import { toSentence } from "../template.ts";
import { fileName } from "./files.ts";

const delimiters: Readonly<Record<string, string>> = { "\t": "tabulación", " ": "espacio" };

/** The report of `catalog check`. */
export const check: typeof en.check = {
  title: (file) => `Revisión del catálogo · ${fileName(file)}`,
  verdict: {
    good: (rows) => (rows.n === 1 ? "Su única fila es válida." : `Las ${rows.shown} filas son válidas.`),
    bad: (rejected, rows) =>
      `${rejected.shown} de ${plural(rows, "fila", "filas")} ${rejected.n === 1 ? "necesita" : "necesitan"} una corrección; las otras son válidas.`,
    noPrices: "Ningún producto tiene precio: una subida no cambiaría ninguno.",
    none: (rows) =>
      rows.n === 1
        ? "Su única fila necesita una corrección."
        : `Las ${rows.shown} filas necesitan una corrección.`,
  },
  form: {
    format: { csv: "CSV", json: "JSON", ndjson: "NDJSON", xlsx: "XLSX" },
    readAs: (format, encoding) => `Leído como ${format} en ${encoding}`,
    readSheet: (sheet) => `Leído de la hoja "${sheet}"`,
    delimiter: (delimiter) => `separador ${delimiters[delimiter] ?? delimiter}`,
    decimal: (sign) => `signo decimal ${sign}`,
  },
  counts: {
    what: "",
    count: "Filas",
    read: "Leídas",
    products: "Productos para mandar",
    collapsed: "Repiten otra fila",
    rejected: "Rechazadas",
    unpriced: "Productos sin precio",
  },
  columns: {
    field: "Campo",
    column: "Columna del archivo",
    inverse: (header) => `${header} (al revés: sí significa no deshabilitado)`,
    unused: "no se usa",
  },
  firstTitle: "Los primeros productos, como se van a mandar",
  problemsTitle: "Problemas",
  problems: { line: "Línea", code: "Código", problem: "Problema" },
  more: (count) =>
    `Hay ${count.shown} más que no se ${count.n === 1 ? "muestra" : "muestran"}; -o csv y -o json los listan todos.`,
  fixed: (file, products, hasDoubled) =>
    `${file} tiene ${plural(products, "producto", "productos")}${hasDoubled ? ". Los nombres que estaban codificados dos veces ya están corregidos; los códigos no se tocan." : ", listos para subir."}`,
  nothingToFix: "Ninguna fila es válida, así que no se escribió la copia corregida.",
  next: "‹Corrige› estas filas y ‹revisa› de nuevo; o ‹sube› el archivo con --rejected ARCHIVO, que las escribe en un archivo aparte. --fixed ARCHIVO escribe una copia solo con las filas válidas.",
  nextRepair:
    "--fixed ARCHIVO escribe una copia con los nombres que estaban codificados dos veces ya corregidos.",
  unmapped: (fields) =>
    `Ninguna columna tiene ${fields.join(" ni ")}. Si es una de las que no se usan: --map ${fields[0] ?? ""}=ENCABEZADO.`,
};

const part = (accepted: Count, sent: Count): string =>
  accepted.n === sent.n ? products(sent) : `${accepted.shown} de ${products(sent)}`;

const products = (count: Count): string => plural(count, "producto", "productos");

/** A participle without its ending, of rows or of codes and products. */
function counted(n: Count, { unit }: { unit: string }, stem: string, rest = ""): string {
  const ending = (unit === "rows" ? "a" : "o") + (n.n === 1 ? "" : "s");
  return `${n.shown} ${stem}${ending}${rest}`;
}

const rejectedToo = (rejected: Count, one: string, many: string): string =>
  rejected.n === 0 ? "" : `; ${plural(rejected, one, many)}`;

/** The report of a catalog push or delete. */
export const push: typeof en.push = {
  held: {
    incomplete: "‹completa› esta fila y después ‹borra› la celda de la derecha",
    unchecked: "‹revisa› esta fila y después ‹borra› la celda de la derecha",
    excluded: "esta persona está excluida: ‹borra› esta fila",
  },
  title: { upsert: "Subida del catálogo", delete: "Baja de productos" },
  dryRunTitle: { upsert: "Subida del catálogo · simulacro", delete: "Baja de productos · simulacro" },
  outcome: {
    partial:
      "Se detuvo antes del final: el resto no se mandó. ‹Corre› el mismo comando de nuevo para seguir.",
    refused: "Rechazado: el servicio no aceptó nada.",
    stale: "Desactualizado: el servicio tiene datos más nuevos e ignoró estos.",
    unknown:
      "Resultado desconocido de un lote; después no se mandó nada más. ‹Corre› el mismo comando de nuevo para resolverlo: nada se aplica dos veces.",
    nothing: "No se mandó nada.",
    noneGood: (rows) =>
      rows.n === 1
        ? "Nada para mandar: su única fila fue rechazada."
        : `Nada para mandar: las ${rows.shown} filas fueron rechazadas.`,
    allKnown: (rejected, pushed) =>
      `Nada para mandar: ${rejected.n === 0 ? "nada" : "ninguna fila válida"} cambió desde que el servicio lo confirmó en este registro${pushed === undefined ? "" : ` (última subida: ${pushed})`}${rejectedToo(rejected, "fila rechazada", "filas rechazadas")}. Si desde entonces el servicio se restauró o lo cambiaron otros, ‹sube› la lista una vez sin --changed-only.`,
  },
  notKept: (accepted, sent) =>
    `Se detuvo antes del final: el servicio aceptó ${part(accepted, sent)}, y después no se pudo escribir en el registro. ‹Corre› el mismo comando de nuevo para seguir: nada se aplica dos veces.`,
  takenOver: (accepted, sent) =>
    `Se detuvo antes del final: el servicio aceptó ${part(accepted, sent)}, y después otro bpos tomó su lugar.`,
  done: (outcome, action, { accepted, unpriced, hasNoPrices, sum }) => {
    const opening = { complete: "Listo", partial: "Hecho en parte", nothing: "Falló" }[outcome];
    const took = { upsert: "aceptó", delete: "dio de baja" }[action];
    const first =
      hasNoPrices && outcome !== "nothing"
        ? `El servicio aceptó ${products(accepted)}, sin precios: el archivo no tiene`
        : sum === undefined
          ? `${opening}: el servicio ${took} ${products(accepted)}`
          : opening;
    const rest = [
      ...(sum === undefined ? [] : [sum]),
      ...(unpriced.n === 0 || hasNoPrices ? [] : [`${products(unpriced)} sin precio`]),
    ].join("; ");
    return toSentence(rest === "" ? first : `${first}${sum === undefined ? "; " : ". "}${rest}`);
  },
  units: {
    rows: (total) => plural(total, "fila", "filas"),
    codes: (total) => plural(total, "código", "códigos"),
    products,
  },
  became: {
    accepted: (n, of) =>
      counted(n, of, of.action === "delete" ? "dad" : "aceptad", of.action === "delete" ? " de baja" : ""),
    before: (n, of) => counted(n, of, "aplicad", " en un intento anterior"),
    stale: (n, of) => counted(n, of, "desactualizad"),
    unchanged: (n) => `${n.shown} sin cambios`,
    repeated: (n, of) => counted(n, of, "repetid"),
    notSent: (n) => `${n.shown} sin mandar`,
    unanswered: (n) => `${n.shown} sin respuesta`,
    uncounted: (n) =>
      n.n > 0
        ? `${n.shown} fuera de la respuesta del servicio`
        : `${n.shown} porque la respuesta del servicio cuenta más de lo que se mandó`,
  },
  rejectedBy: (all, { here, there }, of) =>
    here.n === 0
      ? counted(all, of, "rechazad", " por el servicio")
      : there.n === 0
        ? counted(all, of, "rechazad", " por bpos")
        : counted(all, of, "rechazad", ` (${here.shown} por bpos, ${there.shown} por el servicio)`),
  nothingNew: (sent) => `Nada nuevo: el servicio ya tenía ${products(sent)}.`,
  dryRun: {
    upsert: (sent, batches) =>
      `No se mandó nada. Se ${sent.n === 1 ? "mandaría" : "mandarían"} ${products(sent)} en ${plural(batches, "lote", "lotes")}.`,
    delete: (sent, batches) =>
      `No se mandó nada. Se ${sent.n === 1 ? "daría" : "darían"} de baja ${products(sent)} en ${plural(batches, "lote", "lotes")}.`,
  },
  columns: { what: "", count: "Productos" },
  counts: {
    read: { upsert: "Filas leídas", delete: "Códigos leídos" },
    sent: "Enviados",
    wouldSend: { upsert: "Se enviarían", delete: "Se darían de baja" },
    accepted: { upsert: "Aceptados", delete: "Dados de baja" },
    unchanged: "Sin cambios, no enviados",
    stale: "Desactualizados, ignorados",
    rejected: "Rechazados por bpos",
    repeated: "Repeticiones de otra fila",
    notSent: "Sin mandar",
    before: "Aplicados en un intento anterior",
    refused: "Rechazados por el servicio",
    unanswered: "Sin respuesta",
    uncounted: "Fuera de la respuesta del servicio",
    leftAlone: "Dejados como están",
    unpriced: "Productos sin precio",
  },
  unknownDuplicates: (count) =>
    `El servicio dice que ya había aplicado ${plural(count, "lote", "lotes")}, y este registro no tiene ningún intento anterior: ‹revisa› los productos en el servicio.`,
  duplicates: (count) =>
    count.n === 1
      ? `${count.shown} lote ya se había aplicado en un intento anterior y no se aplicó de nuevo.`
      : `${count.shown} lotes ya se habían aplicado en un intento anterior y no se aplicaron de nuevo.`,
  staleWhy: (at) =>
    `El servicio había aplicado cambios posteriores al ${at}. ‹Revisa› el reloj de esta máquina y el de la que subió antes.`,
  rejectedTitle: "Rechazados",
  rejected: { line: "Línea", code: "Código", source: "Por", reason: "Motivo" },
  source: { file: "bpos", service: "servicio" },
  more: (count) =>
    count.n === 1 ? "Hay 1 más que no se muestra." : `Hay ${count.shown} más que no se muestran.`,
  howRead: (format) =>
    `Si está mal una columna entera: \`bpos catalog check ARCHIVO\` muestra cómo se leyó cada una; se cambia con ${readingFlags(format).join(", ")} y --map.`,
  file: (name) => `Están todos en ${name}: ‹corrígelo› y ‹corre› el mismo comando con ese archivo.`,
  noFile: "--rejected ARCHIVO los escribe todos en un archivo para corregir; --json los lista.",
  notDeactivated:
    "No se reintenta. `bpos catalog history --json` los lista; si alguno sigue a la venta, ‹corre› `bpos catalog delete CÓDIGO`.",
  firstTitle: "Los primeros productos",
  codesTitle: { missing: "Ya no están en el archivo", named: "Códigos" },
  moreCodes: (count, isPreview) =>
    `${count.n === 1 ? "Hay 1 más que no se muestra" : `Hay ${count.shown} más que no se muestran`}; ${isPreview ? "--json" : "`bpos catalog history --json`"} los lista.`,
  first: { code: "Código", name: "Nombre", category: "Categoría", price: "Precio", disabled: "Inactivo" },
  history: {
    title: "Subidas de catálogo de este registro",
    none: "El registro de esta máquina no tiene ninguna subida de esta sucursal.",
    all: (n) => `${plural(n, "subida", "subidas")}, la más nueva primero.`,
    newest: (n) =>
      n.n === 1
        ? "La subida más nueva; --limit N muestra más."
        : `Las ${n.shown} subidas más nuevas; --limit N muestra más.`,
    goOn: "La más nueva no está completa: si no está corriendo, ‹corre› el mismo comando de nuevo, sin cambiar el archivo. Sigue donde quedó, y nada se aplica dos veces.",
    atMost: (sent) => `≤ ${sent}`,
    overtaken: (file) =>
      `Una subida anterior no está completa${file === null ? "" : ` (${file})`}, y después hubo otras: ‹vuelve› a subir su archivo solo si sus datos siguen siendo correctos.`,
    actions: { upsert: "subida", delete: "baja", undo: "vuelta atrás" },
    outcomes: {
      complete: "completa",
      partial: "parcial",
      refused: "rechazada",
      stale: "desactualizada",
      unknown: "desconocida",
      nothing: "nada",
    },
    columns: {
      at: "Fecha",
      age: "Hace",
      action: "Acción",
      file: "Archivo",
      sent: "Enviados",
      accepted: "Aceptados",
      stale: "Viejos",
      rejected: "Rechazos",
      outcome: "Resultado",
    },
  },
  changes: {
    title: (prices, limit) =>
      `No se mandó nada: ${plural(prices, "precio conocido cambiaría", "precios conocidos cambiarían")} más de ${limit}.`,
    columns: { code: "Código", name: "Nombre", before: "Antes", after: "Ahora", change: "Cambio" },
    fromZero: "desde 0",
  },
  yes: "sí",
  no: "no",
};
