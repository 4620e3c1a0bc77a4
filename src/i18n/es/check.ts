import type { check as en } from "../en/check.ts";
import { type Count, plural } from "../plural.ts";
import { fileName } from "./file-name.ts";

const delimiters: Readonly<Record<string, string>> = { "\t": "tabulación", " ": "espacio" };

/** The report of `catalog check`. */
export const check: typeof en = {
  title: (file: string) => `Revisión del catálogo · ${fileName(file)}`,
  verdict: {
    good: (rows: Count) =>
      rows.n === 1
        ? "Su única fila se puede mandar así como está."
        : `Las ${rows.shown} filas se pueden mandar así como están.`,
    bad: (rejected: Count, rows: Count) =>
      `${rejected.shown} de ${plural(rows, "fila", "filas")} ${rejected.n === 1 ? "necesita" : "necesitan"} una corrección; las otras se pueden mandar así como están.`,
    none: (rows: Count) =>
      rows.n === 1
        ? "Su única fila necesita una corrección."
        : `Las ${rows.shown} filas necesitan una corrección.`,
  },
  form: {
    format: { csv: "CSV", json: "JSON", ndjson: "NDJSON" },
    readAs: (format: string, encoding: string) => `Leído como ${format} en ${encoding}`,
    delimiter: (delimiter: string) => `${delimiters[delimiter] ?? delimiter} entre celdas`,
    decimal: (sign: string) => `${sign} antes de los decimales`,
  },
  counts: {
    what: "",
    count: "Filas",
    read: "Leídas",
    products: "Productos para mandar",
    collapsed: "Repiten otra fila",
    rejected: "Rechazadas",
  },
  columns: {
    field: "Campo",
    column: "Columna del archivo",
    inverse: (header: string) => `${header} (al revés: ahí sí quiere decir no deshabilitado)`,
    unused: "no se usa",
  },
  firstTitle: "Los primeros productos, como se van a mandar",
  problemsTitle: "Problemas",
  problems: { line: "Línea", code: "Código", problem: "Problema" },
  more: (count: Count) =>
    `Hay ${count.shown} más que no se ${count.n === 1 ? "muestra" : "muestran"}; -o csv y -o json los listan todos.`,
  fixed: (file: string, products: Count, { repaired, isClean }: { repaired: Count; isClean: boolean }) =>
    `${file} tiene ${plural(products, "producto", "productos")}${
      isClean ? " sin ningún problema: subilo así como está." : "."
    }${
      repaired.n === 0
        ? ""
        : ` Ahí ${plural(repaired, "nombre que estaba codificado dos veces ya está corregido", "nombres que estaban codificados dos veces ya están corregidos")}.`
    }`,
  doubledLeft: (left: Count, { line, text, proposal }: { line: number; text: string; proposal: string }) =>
    `${plural(left, "texto que parece codificado dos veces sigue", "textos que parecen codificados dos veces siguen")} igual: ${
      left.n === 1 ? "" : "el primero "
    }en la línea ${line}, "${text}" por "${proposal}". Los códigos no se cambian nunca, ni los nombres que en parte están bien: ${
      left.n === 1 ? "corregilo" : "corregilos"
    } en el archivo donde estén mal.`,
  nothingToFix: "Ninguna fila sirve, así que no se escribió la copia corregida.",
  next: "Corregí estas filas en el archivo y revisalo de nuevo; o subilo así como está con --rejected ARCHIVO, que las escribe en un archivo aparte. --fixed ARCHIVO escribe una copia solo con las filas que sirven.",
  nextRepair: (names: Count) =>
    `--fixed ARCHIVO escribe una copia con ${plural(names, "nombre que estaba codificado dos veces, ya corregido", "nombres que estaban codificados dos veces, ya corregidos")}.`,
  unmapped: (fields: readonly string[]) =>
    `No se encontró la columna de ${fields.join(" ni de ")}. Si es una de las que no se usan, indicala: --map ${fields[0] ?? ""}=ENCABEZADO.`,
};
