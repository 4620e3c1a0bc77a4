import type { HeaderWarning } from "../../contract/limits.ts";
import type { RowProblem } from "../../errors/problems.ts";
import type { FileProblem, HeaderProblem, HeaderUnreachable } from "../../errors.ts";
import type { Notice } from "../../input/table.ts";
import type {
  fileWords as enFileWords,
  noticeWords as enNoticeWords,
  rowProblemsWords as enRowProblemsWords,
  rowProblemWords as enRowProblemWords,
} from "../en/files.ts";
import { quoted, quotedList, unhidden } from "../phrases.ts";
import { type Words, wordsFor } from "../shapes.ts";
import { detailWords } from "./call-errors.ts";

const streams: Readonly<Record<string, string>> = {
  "of this branch": "de esta sucursal",
  "standard input": "la entrada estándar",
  "standard output": "la salida estándar",
};

/** A file by its name; what has none is called something in English by whoever reports it. */
export const fileName = (file: string): string => streams[file] ?? file;

function headersRead(headers: readonly string[]): string {
  return headers.length === 0 ? "sin encabezados" : `encabezados: ${quotedList(headers)}`;
}

const rowProblems: Words<RowProblem, string> = {
  code_missing: () => "falta el código: cada producto necesita el suyo",
  code_line_break: ({ column }) =>
    `${column} tiene un salto de línea: puede que se hayan juntado dos códigos; poné cada producto en su propia línea`,
  code_is_number: ({ column, text }) =>
    `${column} ${text} es un número y puede haber perdido sus ceros: escribilo como texto, entre comillas`,
  code_is_boolean: ({ column, text }) =>
    `${column} ${text} no es un texto, aunque puede haberlo sido: escribilo entre comillas`,
  digits_lost: ({ column, text }) =>
    `${column}: la planilla perdió cifras de ${quoted(text)}: dale formato de texto a la columna y exportá de nuevo`,
  value_not_text: ({ column, text }) =>
    `${column} ${quoted(text)} es una lista o un objeto: escribí un solo valor`,
  price_not_number: ({ column, text }) =>
    `${column} ${quoted(text)} no es un número: escribí el importe solo, o dejá la celda vacía`,
  price_ambiguous: ({ column, text, decimal, asDecimals, asThousands }) =>
    `${column} ${quoted(text)} puede ser ${asDecimals} o ${asThousands}: corregí la celda, o usá --decimal ${decimal} si es ${asDecimals}`,
  price_negative: ({ column, text }) =>
    `${column} ${quoted(text)} es menor que cero: escribí cero o más, o dejá la celda vacía`,
  price_too_long: ({ column, text }) =>
    `${column} ${quoted(text)} tiene más de 15 cifras y se redondearía: escribí un número más corto`,
  boolean_unknown: ({ column, text }) =>
    `${column} ${quoted(text)} no es sí ni no: escribí sí o no, o dejá la celda vacía`,
  total_row: ({ text }) => `una fila ${text} no es un producto: borrala, o dale al producto un código propio`,
  duplicate_code: ({ codigo, lines, count }) =>
    `el código ${quoted(codigo)} está en las líneas ${lines.join(", ")}${count > lines.length ? ` y ${count - lines.length} más` : ""} con datos distintos: dejá una sola, o usá --on-duplicate first o last`,
  cell_count: ({ expected, found, left }) =>
    left !== undefined
      ? `la última celda todavía dice ${quoted(left)}: hacelo y mandá el archivo de nuevo`
      : `la fila tiene ${found} ${found === 1 ? "celda" : "celdas"} y el encabezado ${expected}: ${
          found < expected
            ? "agregá lo que falta, aunque sea una celda vacía"
            : "poné entre comillas el texto que contiene el separador, o sacá lo que sobra"
        }`,
  row_too_long: ({ limit }) => `la fila pasa de ${limit / 1000} kB: acortá su texto más largo`,
  quote_open: () =>
    "hay una comilla que se abre y nunca se cierra: cerrala, o ponela doble si es parte del texto",
  quote_late: ({ lastLine }) =>
    `una comilla que se abre acá recién se cierra en la línea ${lastLine}, y eso no parece una sola fila: cerrala donde termina su celda`,
  not_an_object: ({ text }) => `${quoted(text)} no es un objeto con campos con nombre`,
  json_broken: ({ detail }) => `la línea no es JSON válido (${detail}): corregila, o exportala de nuevo`,
  phone_missing: ({ column }) => `${column} está vacío`,
  phones_several: ({ text }) =>
    `${quoted(text)} tiene más de un teléfono: dejá uno, o poné cada uno en su fila`,
  phone_extension: ({ text }) =>
    `${quoted(text)} tiene un interno: los mensajes solo llegan a un número propio`,
  phone_country_missing: ({ text }) =>
    `a ${quoted(text)} le falta el + y el código de país: escribilo como +54 9 11 …, o indicá el país con --country AR`,
  phone_area_missing: ({ text }) =>
    `a ${quoted(text)} le falta el código de área: escribilo como 011 15 … o +54 9 11 …`,
  phone_invalid: ({ text, country }) =>
    `${quoted(text)} no es un teléfono${country === null ? "" : ` de ${country}`}: revisá las cifras`,
  variable_empty: ({ name }) => `${name} está vacío: la plantilla necesita un texto ahí`,
  variable_line_break: ({ name }) =>
    `${name} tiene un salto de línea o una tabulación: la plantilla acepta una sola línea`,
  variable_too_long: ({ name, length, limit }) => `${name} tiene ${length} caracteres: se permiten ${limit}`,
  variable_count: ({ expected, found }) =>
    `la fila tiene ${found} ${found === 1 ? "variable" : "variables"} y la primera ${expected}: tienen que ser iguales`,
  person_repeated: ({ firstLine, same }) =>
    `es la misma persona que en la línea ${firstLine}${same ? "" : `, con otros valores: solo salen los de la línea ${firstLine}`}`,
  person_excluded: ({ file, line }) => `excluido por la línea ${line} de ${fileName(file)}`,
  excluded_before: ({ said }) => said,
};

const notices: Words<Notice, string> = {
  read_as_windows_1252: () =>
    "El archivo no está en UTF-8: se leyó como windows-1252. Si los nombres se ven mal, indicá la codificación con --encoding.",
  double_encoded: ({ line, text, proposal }) =>
    `La línea ${line} tiene ${quoted(text)}, que debe ser ${quoted(proposal)} codificado dos veces: exportá el archivo de nuevo en UTF-8. Se manda tal como está.`,
  columns_ignored: ({ columns }) =>
    `${columns.length === 1 ? "Esta columna no se usa" : "Estas columnas no se usan"}: ${quotedList(columns)}. Con --map elegís la columna de cada campo.`,
  formula_texts: ({ cells, line, text, meant }) =>
    cells === 1
      ? `Una celda de la línea ${line} tiene un texto escrito como fórmula de planilla: ${text} se lee como ${quoted(meant)}.`
      : `${cells} celdas tienen un texto escrito como fórmula de planilla, la primera en la línea ${line}: ${text} se lee como ${quoted(meant)}.`,
  duplicates_resolved: ({ kept, dropped }) =>
    `${dropped} ${dropped === 1 ? "fila con código repetido quedó" : "filas con código repetido quedaron"} afuera: vale la ${kept === "first" ? "primera" : "última"}.`,
  codes_alike: ({ pairs, count }) => {
    const shown = pairs.map(
      (each) =>
        `línea ${each.line}: "${unhidden(each.code)}", línea ${each.otherLine}: "${unhidden(each.otherCode)}"`,
    );
    const more = count > pairs.length ? `; y ${count - pairs.length} más` : "";
    return `${count} ${count === 1 ? "código difiere" : "códigos difieren"} de otro solo en caracteres que no se ven (${shown.join("; ")}${more}). Se mandan como están, como productos distintos.`;
  },
  landline_shapes: ({ phones, fixed }) => {
    const shown = phones.slice(0, 3).map((each) => `línea ${each.line}: ${each.phone} → ${each.proposal}`);
    const more = phones.length > shown.length ? `, y ${phones.length - shown.length} más` : "";
    const head = `${phones.length} ${phones.length === 1 ? "teléfono parece fijo" : "teléfonos parecen fijos"}, y para mensajes hace falta el 9`;
    return `${head} (${shown.join("; ")}${more}). ${fixed ? "Se agregó el 9." : "Quedan como están; --fix-phones lo agrega."}`;
  },
};

const asCsv = "Abrilo en el programa de planillas y guardalo como CSV (UTF-8).";
const nameColumn = (field: string): string =>
  field === "phone" ? "--phone-column ENCABEZADO" : `--map ${field}=ENCABEZADO`;

const fileProblems: Words<FileProblem, { what: string; next: string }> = {
  no_rows: () => ({
    what: "no tiene filas",
    next: "Fijate si la exportación está completa: un encabezado, y una fila por cada dato.",
  }),
  too_large: ({ limit }) => ({
    what: `pasa los ${limit / 2 ** 20} MiB, o no termina nunca`,
    next: "Partilo en varios archivos.",
  }),
  json_too_large: ({ limit }) => ({
    what: `es un solo documento JSON de más de ${limit / 2 ** 20} MiB`,
    next: "Exportalo como NDJSON, un objeto por línea, o partilo.",
  }),
  spreadsheet: () => ({ what: "es una planilla de cálculo, diga lo que diga su nombre", next: asCsv }),
  binary: () => ({
    what: "es un archivo binario, no de texto",
    next: "Usá un archivo CSV, JSON o NDJSON. Si es UTF-16 sin marca de orden de bytes, agregá --encoding utf-16le.",
  }),
  web_page: () => ({ what: "es una página web (HTML), diga lo que diga su nombre", next: asCsv }),
  xml: () => ({ what: "es XML, diga lo que diga su nombre", next: asCsv }),
  encoding_unknown: ({ encoding }) => ({
    what: `no existe la codificación ${quoted(encoding)}`,
    next: "Usá utf-8, windows-1252, iso-8859-15, utf-16le u otro nombre de la lista WHATWG.",
  }),
  encoding_wrong: ({ encoding }) => ({
    what: `sus bytes no son ${encoding} válido`,
    next: "Sacá --encoding para que se detecte sola, o indicá la de la exportación.",
  }),
  delimiter_unusable: ({ delimiter }) => ({
    what: `${quoted(delimiter)} no sirve para separar celdas`,
    next: 'Usá un solo carácter que no sea letra, cifra ni comilla, como ";" o ",", o la palabra tab.',
  }),
  header_broken: () => ({
    what: "una celda entre comillas del encabezado no termina nunca",
    next: "Cerrala, o sacá la comilla.",
  }),
  json_broken: ({ detail }) => ({
    what: `no es JSON válido: ${detailWords(detail).replace(/\.$/, "")}`,
    next: "Corregí ese lugar, o exportá el archivo de nuevo.",
  }),
  list_elsewhere: ({ found, listKey }) => ({
    what: `es un solo objeto con ${quotedList(found)}, sin una lista en ${quoted(listKey)}`,
    next: `Poné la lista en ${quoted(listKey)}, arriba de todo en el objeto, o escribila sola: [{…}, {…}].`,
  }),
  column_missing: ({ field, headers }) => ({
    what: `no se encontró la columna ${field === "phone" ? "del teléfono" : `de ${field}`} (${headersRead(headers)})`,
    next: `Indicala con ${nameColumn(field)}${field === "phone" ? "" : ", o el carácter entre celdas con --delimiter"}; la primera línea tiene que ser el encabezado.`,
  }),
  columns_compete: ({ field, columns }) => ({
    what: `las columnas ${columns.map(quoted).join(" y ")} parecen ser todas ${field === "phone" ? "el teléfono" : field}`,
    next:
      field === "phone"
        ? "Decí cuál vale con --phone-column ENCABEZADO."
        : `Decí cuál vale: ${columns.map((column) => `--map "${field}=${column}"`).join(" o ")}.`,
  }),
  column_unknown: ({ flag, column, headers }) => ({
    what: `no tiene la columna ${quoted(column)} que nombra ${flag} (${headersRead(headers)})`,
    next: `Corregí ${flag}.`,
  }),
  field_unknown: ({ field, known }) => ({
    what: `--map nombra el campo ${quoted(field)}, que no existe`,
    next: `Los campos son ${known.join(", ")}; escribí --map campo=ENCABEZADO.`,
  }),
  params_hold_phone: ({ column }) => ({
    what: `--params nombra la columna ${quoted(column)}, que es la del teléfono`,
    next: "Sacala de --params, o decí cuál es la columna del teléfono con --phone-column ENCABEZADO.",
  }),
  exclusion_unreadable: ({ row, more }) => ({
    what: `${rowProblemWords(row)}${more === 0 ? "" : ` (y ${more} ${more === 1 ? "línea" : "líneas"} más)`}. No se sabe a quién excluye`,
    next: "Corregí la línea, o sacala si no es de nadie.",
  }),
  country_unknown: ({ country }) => ({
    what: `${quoted(country)} no es el código de un país`,
    next: "Usá dos letras, por ejemplo --country AR.",
  }),
  decimals_ambiguous: ({ column, sample, asComma, asDot }) => ({
    what: `${quoted(sample)} en ${column} puede ser ${asComma} o ${asDot}, y ninguna otra fila lo aclara`,
    next: `Usá --decimal , para leerlo como ${asComma}, o --decimal . para leerlo como ${asDot}.`,
  }),
  decimals_mixed: ({ column, comma, dot }) => ({
    what: `${column} mezcla signos decimales: coma en ${quoted(comma.text)} (línea ${comma.line}), punto en ${quoted(dot.text)} (línea ${dot.line})`,
    next: "Usá --decimal , o --decimal . para decir cuál vale; las filas que no cuadran quedan afuera.",
  }),
};

/** Why a row is left out and what to do about it, as part of a sentence. */
export const rowProblemWords: typeof enRowProblemWords = (problem) => wordsFor(rowProblems, problem);

export const rowProblemsWords: typeof enRowProblemsWords = (problems) =>
  problems.map(rowProblemWords).join(". Además: ");

/** A notice about a file, in whole sentences. */
export const noticeWords: typeof enNoticeWords = (notice) => wordsFor(notices, notice);

/** Why a file cannot be used, as part of a sentence, and what to do next. */
export const fileWords: typeof enFileWords = (problem) => wordsFor(fileProblems, problem);

interface WhatAndNext {
  what: string;
  next: string;
}

const MB = 1024 * 1024;
/** Rounded up: what is over a limit must not look like the limit itself. */
const megabytes = (bytes: number): string =>
  `${String(Math.ceil((bytes / MB) * 10) / 10).replace(".", ",")} MB`;

const own =
  "Poné el archivo en un servidor web público o en un servicio de archivos, y pasá su propia URL https://.";
const direct =
  "Pasá la URL del archivo mismo: en una ventana privada del navegador se tiene que abrir sin una página alrededor.";

const kinds = { image: "una imagen", video: "un video", document: "un documento" };

const problems: Words<HeaderProblem, WhatAndNext> = {
  not_https: () => ({ what: "no es una URL https, y el servicio solo baja el archivo por https", next: own }),
  credentials: () => ({ what: "lleva usuario o contraseña, y el servicio no inicia sesión", next: own }),
  unescaped: ({ escaped }) => ({
    what: "tiene un #, espacios, acentos u otros caracteres que no van en una URL",
    next: `Escribila como ${escaped} (el # de un nombre de archivo, %23), o ponele al archivo un nombre simple.`,
  }),
  private_host: ({ host }) => ({
    what: `a ${host} solo se llega desde esta máquina o su red, y el servicio baja el archivo desde internet`,
    next: own,
  }),
  redirects: ({ limit }) => ({ what: `después de ${limit} redirecciones no hay archivo`, next: direct }),
  status: ({ status }) => ({
    what: `su servidor contesta ${status}, y el servicio no inicia sesión`,
    next: "Revisá la URL, mayúsculas incluidas: el archivo tiene que abrirse en una ventana privada del navegador.",
  }),
  encoding: ({ encoding }) => ({
    what: `su servidor lo manda con la codificación "${encoding}", que nadie pidió`,
    next: "Hacé que lo mande sin Content-Encoding, o usá otro servidor.",
  }),
  empty: () => ({ what: "el archivo está vacío", next: "Subilo de nuevo." }),
  web_page: () => ({
    what: "es una página web (HTML), para iniciar sesión o alrededor del archivo",
    next: direct,
  }),
  other_type: () => ({
    what: "por su contenido no es JPEG, PNG, MP4 ni PDF, diga lo que diga su nombre",
    next: "Subí una imagen JPEG o PNG, un video MP4 o un PDF.",
  }),
  too_large: ({ of, limit }) => ({
    what: `pesa más de lo que puede pesar ${kinds[of]} (${megabytes(limit)})`,
    next: "Achicalo y subilo de nuevo.",
  }),
};

const again = "Revisá la red de esta máquina y la URL, y corré el comando de nuevo.";

const failures: Words<HeaderUnreachable, WhatAndNext> = {
  dns: ({ detail }) => ({ what: `no se encontró su servidor: ${detailWords(detail)}`, next: again }),
  refused: ({ detail }) => ({ what: `no hay conexión con su servidor: ${detailWords(detail)}`, next: again }),
  tls: ({ detail }) => ({
    what: `no se acepta el certificado de su servidor: ${detailWords(detail)}`,
    next: "Si un navegador en otra red también se queja, pedí que arreglen el certificado: el servicio tampoco lo va a aceptar.",
  }),
  timeout: ({ detail }) => ({
    what: `su servidor es demasiado lento: ${detailWords(detail)}`,
    next: "Corré el comando de nuevo, o dale más tiempo con --timeout; lo que es lento acá puede serlo para el servicio.",
  }),
  reset: ({ detail }) => ({
    what: `se cortó la conexión con su servidor: ${detailWords(detail)}`,
    next: again,
  }),
  protocol: ({ detail }) => ({
    what: `su servidor no dio una respuesta válida: ${detailWords(detail)}`,
    next: again,
  }),
  proxy: ({ detail }) => ({
    what: `no se llega a su servidor: ${detailWords(detail)}`,
    next: "Corregí la variable del proxy, o anotá el host en NO_PROXY.",
  }),
  status: ({ status }) => ({
    what: `su servidor contesta ${status}: está sobrecargado o fuera de servicio`,
    next: "Corré el comando de nuevo más tarde; ahora el servicio recibiría la misma respuesta.",
  }),
};

const typeNames = {
  "image/jpeg": "una imagen JPEG",
  "image/png": "una imagen PNG",
  "video/mp4": "un video MP4",
  "application/pdf": "un PDF",
};

const warnings: Words<HeaderWarning, string> = {
  file_name: ({ name }) =>
    `el nombre del documento sale de su URL, que lo deja en "${name}": hacé que la URL termine en un nombre como menu.pdf.`,
  content_type: ({ said, type }) =>
    `el archivo de encabezado es ${typeNames[type]}, pero su servidor ${
      said === "" ? "no lo dice (falta el Content-Type)" : `lo llama "${said}"`
    }, y WhatsApp puede guiarse por eso: hacé que lo mande como ${type}.`,
};

/** What is wrong with a header's file, as part of a sentence, and what to do next. */
export const headerProblemWords = (problem: HeaderProblem): WhatAndNext => wordsFor(problems, problem);

/** Why a header's file could not be fetched, as part of a sentence, and what to do next. */
export const headerUnreachableWords = (problem: HeaderUnreachable): WhatAndNext =>
  wordsFor(failures, problem);

/** What may go wrong with a header's file, as a line of its own. */
export const headerWarningWords = (warning: HeaderWarning): string =>
  `Atención: ${wordsFor(warnings, warning)}`;
