import type { HeaderWarning } from "../../contract/limits.ts";
import type { RowProblem } from "../../errors/problems.ts";
import type { FileProblem, HeaderProblem, HeaderUnreachable } from "../../errors.ts";
import type { Notice } from "../../input/table.ts";
import { columnFlags, lettered, quoted, quotedList, times, unhidden } from "../phrases.ts";
import { advice, sentences } from "../shapes.ts";
import { detailWords } from "./call-errors.ts";

const streams: Readonly<Record<string, string>> = {
  "of this branch": "de esta sucursal",
  "standard input": "la entrada estándar",
  "standard output": "la salida estándar",
};

/** A file by its name; what has none is called something in English by whoever reports it. */
export const fileName = (file: string): string => streams[file] ?? file;

/** Why a row is left out and what to do about it, as part of a sentence. */
export const rowProblemWords = sentences<RowProblem>()({
  code_missing: "falta el código: cada producto necesita el suyo",
  code_line_break:
    "{column} tiene un salto de línea: si se juntaron dos códigos, poné cada producto en su propia línea",
  code_not_text: "{column} {text} no es un texto y puede haber perdido sus ceros: escribilo entre comillas",
  digits_lost:
    '{column}: la planilla perdió dígitos de "{text}": dale formato de texto a la columna y exportá de nuevo',
  cell_error: "{column}: el cálculo de la celda falló ({text}): corregilo en la planilla",
  formula_unstored: ({ column, text }) =>
    `${column}: el resultado de la fórmula no quedó guardado${text === "" ? "" : ` (hay un ${text} en su lugar)`}: abrí el archivo en la planilla y guardalo`,
  formula_zero:
    "{column}: la fórmula dio {text}, como cuando apunta a una celda vacía o nadie la calculó: corregí la fórmula, o escribí el 0 si va",
  text_alone:
    '"{text}" está solo en su fila, como un título o una nota: no es un producto; si lo es, escribí también su nombre o su precio',
  value_not_text: '{column} "{text}" es una lista o un objeto: escribí un solo valor',
  price_unusable:
    '{column} "{text}" no es un precio: escribí solo el importe, de 0 o más y con 15 dígitos a lo sumo, o dejá la celda vacía',
  price_ambiguous:
    '{column} "{text}" puede ser {asDecimals} o {asThousands}: corregí la celda, o usá --decimal {decimal} si es {asDecimals}',
  boolean_unknown: '{column} "{text}" no es sí ni no: escribí sí o no, o dejá la celda vacía',
  total_row: "una fila {text} no es un producto: borrala, o dale al producto un código propio",
  duplicate_code: ({ codigo, lines, count }) =>
    `el código ${quoted(codigo)} está en las líneas ${lines.join(", ")}${count > lines.length ? ` y ${count - lines.length} más` : ""} con datos distintos: dejá una sola, o usá --on-duplicate first o last`,
  cell_count: ({ expected, found, left }) =>
    left !== undefined
      ? `la última celda todavía dice ${quoted(left)}: hacelo y mandá el archivo de nuevo`
      : `la fila tiene ${times(found, "celda", "celdas")} y el encabezado ${expected}: ${
          found < expected
            ? "agregá lo que falta, aunque sea una celda vacía"
            : "poné entre comillas el texto que contiene el separador, o borrá las celdas que sobran"
        }`,
  row_too_long: ({ limit }) => `la fila pesa más de ${limit / 1000} kB: acortá su texto más largo`,
  quote_open: "hay una comilla que nunca se cierra: cerrala, o ponela doble si es parte del texto",
  quote_late:
    "una comilla que se abre acá se cierra recién en la línea {lastLine}, y eso no parece una sola fila: cerrala donde termina su celda",
  not_an_object: '"{text}" no es un objeto con campos',
  json_broken: "la línea no es JSON válido ({detail}): corregila, o exportala de nuevo",
  phone_missing: "{column} está vacío",
  phones_several:
    '"{text}" tiene más de un teléfono, o un interno: dejá un número, o poné cada uno en su propia fila',
  phone_country_missing:
    'a "{text}" le falta el + y el código de país: escribilo como +54 9 11 …, o indicá el país con --country AR',
  phone_area_missing: ({ text, local }) =>
    `a ${quoted(text)} le falta el código de área: escribilo delante, como en ${
      local === undefined ? "" : `${local} si es un celular de tu zona; si no, `
    }0ÁREA 15 … o +54 9 ÁREA …`,
  phone_invalid: ({ text, country }) =>
    `${quoted(text)} no es un teléfono${country === null ? "" : ` de ${country}`}: revisá los dígitos`,
  variable_empty: "{name} está vacío: la plantilla necesita un texto ahí",
  variable_line_break: "{name} tiene un salto de línea o una tabulación: la plantilla acepta una sola línea",
  variable_too_long: "{name} tiene {length} caracteres: se permiten hasta {limit}",
  variable_count: ({ expected, found }) =>
    `la fila tiene ${times(found, "variable", "variables")} y la primera ${expected}: todas necesitan la misma cantidad`,
  person_repeated: ({ firstLine, same }) =>
    `es la misma persona que en la línea ${firstLine}${same ? "" : `, con otros valores: solo se mandan los de la línea ${firstLine}`}`,
  person_excluded: ({ file, line }) => `excluido por la línea ${line} de ${fileName(file)}`,
  excluded_before: "{said}",
});

/** All that is wrong with a row, as one line. */
const rowProblemsWords = (problems: readonly RowProblem[]): string =>
  problems.map(rowProblemWords).join(". Además: ");

/** A notice about a file, in whole sentences. */
const noticeWords = sentences<Notice>()({
  sheets_hidden: 'No se leen las hojas ocultas: "{sheets}". Con --sheet se lee una.',
  rows_hidden: ({ lines, count }) =>
    `${times(count, "fila oculta se lee", "filas ocultas se leen")} también (${lines.join(", ")}${count > lines.length ? ", …" : ""}): borrá lo que sobra.`,
  read_as_windows_1252:
    "El archivo no está en UTF-8: se leyó como windows-1252. Si los nombres se ven mal, indicá la codificación con --encoding.",
  double_encoded:
    'La línea {line} tiene "{text}", que parece ser "{proposal}" codificado dos veces: exportá el archivo de nuevo en UTF-8. Se manda como está.',
  columns_hidden: ({ columns }) =>
    `Columnas ocultas: ${quotedList(columns)}. Una de ellas cuenta solo si ninguna columna visible dice lo mismo.`,
  header_row:
    "El encabezado es la línea {line}: lo que está arriba no se lee. Con --header-row N indicás otra línea.",
  columns_ignored: 'Columnas que no se usan: "{columns}". Con --map elegís la columna de cada campo.',
  duplicates_resolved: ({ kept, dropped }) =>
    `${times(dropped, "fila con código repetido quedó", "filas con código repetido quedaron")} afuera: vale la ${kept === "first" ? "primera" : "última"}.`,
  codes_alike: ({ pairs, count }) => {
    const shown = pairs.map(
      (each) =>
        `línea ${each.line}: "${unhidden(each.code)}", línea ${each.otherLine}: "${unhidden(each.otherCode)}"`,
    );
    const more = count > pairs.length ? `; y ${count - pairs.length} más` : "";
    return `${times(count, "código se distingue", "códigos se distinguen")} de otro solo por caracteres que no se ven (${shown.join("; ")}${more}). Se mandan como están, como productos distintos.`;
  },
  landline_shapes: ({ phones, fixed }) => {
    const shown = phones.slice(0, 3).map((each) => `línea ${each.line}: ${each.phone} → ${each.proposal}`);
    const more = phones.length > shown.length ? `, y ${phones.length - shown.length} más` : "";
    const head = `${times(phones.length, "teléfono parece fijo", "teléfonos parecen fijos")}, y para mandar mensajes hace falta el 9`;
    return `${head} (${shown.join("; ")}${more}). ${fixed ? "Se agregó el 9." : "Quedan como están; --fix-phones lo agrega."}`;
  },
});

const asCsv = "Abrilo en el programa de planillas y guardalo como CSV (UTF-8).";
const nameColumn = (field: string): string =>
  field === "phone" ? "--phone-column ENCABEZADO" : `--map ${field}=ENCABEZADO`;
const headersRead = (headers: readonly string[]): string =>
  headers.length === 0 ? "sin encabezados" : `encabezados: ${quotedList(headers)}`;

/** Why a file cannot be used, as part of a sentence, and what to do next. */
export const fileWords = advice<FileProblem>()({
  no_rows: {
    what: "no tiene filas",
    next: "Revisá que la exportación esté completa: un encabezado, y una fila por cada dato.",
  },
  too_large: ({ limit }) => ({
    what: `pesa más de ${limit / 2 ** 20} MiB, o no termina nunca`,
    next: "Dividilo en varios archivos.",
  }),
  json_too_large: ({ limit }) => ({
    what: `es un solo documento JSON de más de ${limit / 2 ** 20} MiB`,
    next: "Exportalo como NDJSON, un objeto por línea, o dividilo.",
  }),
  workbook_old: {
    what: "es una planilla de las viejas (.xls)",
    next: "Abrila en la planilla de cálculo y guardala como .xlsx.",
  },
  workbook_locked: {
    what: "es una planilla con contraseña",
    next: "Guardala sin la contraseña.",
  },
  no_workbook: { what: "no es una planilla .xlsx y no tiene hojas", next: "Sacá --sheet." },
  workbook_other: {
    what: "es un archivo zip y no una planilla .xlsx",
    next: "Abrilo en el programa que lo hizo y guardalo como .xlsx o CSV.",
  },
  workbook_broken: {
    what: "es una planilla dañada: {detail}",
    next: "Abrila en la planilla de cálculo y guardala de nuevo, o volvé a copiarla de donde vino.",
  },
  workbook_too_large: {
    what: "se descomprime en más de lo que puede tener una planilla: {detail}",
    next: "Guardala como CSV, o partila en varias.",
  },
  sheets_several: {
    what: 'tiene varias hojas: "{sheets}"',
    next: "Nombrá la que se lee con --sheet NOMBRE.",
  },
  exclusion_sheets: {
    what: 'tiene varias hojas: "{sheets}"',
    next: "Ocultá las que no van, o guardá en un archivo aparte la que va.",
  },
  sheet_unknown: {
    what: 'no tiene ninguna hoja "{sheet}"',
    next: ({ sheets }) => `Sus hojas: ${quotedList(sheets)}.`,
  },
  binary: {
    what: "es un archivo binario, no de texto",
    next: "Usá un archivo CSV, JSON o NDJSON. Si es UTF-16 sin marca de orden de bytes, agregá --encoding utf-16le.",
  },
  markup: { what: "es una página web (HTML) o XML, aunque su nombre diga otra cosa", next: asCsv },
  encoding_unknown: {
    what: 'no existe la codificación "{encoding}"',
    next: "Usá utf-8, windows-1252, iso-8859-15, utf-16le u otro nombre de la lista WHATWG.",
  },
  encoding_wrong: {
    what: "sus bytes no son {encoding} válido",
    next: "Sacá --encoding para que se detecte sola, o indicá la codificación de la exportación.",
  },
  delimiter_unusable: {
    what: '"{delimiter}" no puede separar celdas',
    next: 'Usá un solo carácter que no sea letra, dígito ni comilla, como ";" o ",", o la palabra tab.',
  },
  header_broken: {
    what: "una celda entre comillas del encabezado nunca termina",
    next: "Cerrala, o sacá la comilla.",
  },
  json_broken: ({ detail }) => ({
    what: `no es JSON válido: ${detailWords(detail).replace(/\.$/, "")}`,
    next: "Corregí ese lugar, o exportá el archivo de nuevo.",
  }),
  list_elsewhere: {
    what: 'es un solo objeto con "{found}", sin una lista en "{listKey}"',
    next: ({ listKey }) =>
      `Poné la lista en ${quoted(listKey)}, en el primer nivel del objeto, o escribila sola: [{…}, {…}].`,
  },
  column_missing: ({ field, headers, of }) => ({
    what: `ninguna columna tiene ${field === "phone" ? "el teléfono" : field} (${headersRead(headers)})`,
    next: `Indicala con ${nameColumn(field)}${of === "text" && field !== "phone" ? ", o el carácter entre celdas con --delimiter" : ""}${of === "json" ? "" : "; si el encabezado está en otra línea, indicala con --header-row N"}.`,
  }),
  columns_compete: ({ field, columns, choices }) => ({
    what: `las columnas ${lettered(columns, choices).join(" y ")} parecen ser ${field === "phone" ? "el teléfono" : field}`,
    next: `Indicá cuál vale: ${columnFlags(field, columns, choices).join(" o ")}.`,
  }),
  header_row_empty: {
    what: "la línea {row}, que nombra --header-row, está vacía o no existe",
    next: "Indicá el número de línea del encabezado, como lo cuenta la planilla o el editor.",
  },
  no_header_row: { what: "es JSON y no tiene fila de encabezado", next: "Sacá --header-row." },
  column_unknown: ({ flag, column, headers }) => ({
    what: `no tiene la columna ${quoted(column)}, que nombra ${flag} (${headersRead(headers)})`,
    next: `Corregí ${flag}.`,
  }),
  field_unknown: {
    what: '--map nombra el campo "{field}", que no existe',
    next: "Los campos son {known}; escribí --map campo=ENCABEZADO.",
  },
  params_hold_phone: {
    what: '--params nombra la columna "{column}", que es la del teléfono',
    next: "Sacala de --params, o indicá la columna del teléfono con --phone-column ENCABEZADO.",
  },
  template_empty: {
    what: "está vacío, y es el de --template-text",
    next: () => "Copiá en él el texto aprobado de la plantilla, con {{1}}, {{2}} para las variables.",
  },
  template_gap: {
    what: ({ number, last }) => `tiene la variable {{${last}}}, pero no {{${number}}}`,
    next: () => "Numerá las variables {{1}}, {{2}}, etc., como en la plantilla aprobada.",
  },
  template_variables: {
    what: ({ text, rows }) => `tiene ${times(text, "variable", "variables")}, y cada fila completa ${rows}`,
    next: "Corregí el texto, o elegí las columnas con --params a,b.",
  },
  exclusion_unreadable: ({ row, more }) => ({
    what: `${rowProblemWords(row)}${more === 0 ? "" : ` (y ${times(more, "línea", "líneas")} más)`}. No se sabe a quién excluye`,
    next: "Corregí la línea, o borrala si no es de nadie.",
  }),
  country_unknown: {
    what: '"{country}" no es el código de un país',
    next: "Usá dos letras, por ejemplo --country AR.",
  },
  decimals_ambiguous: {
    what: '"{sample}" en {column} puede ser {asComma} o {asDot}, y ninguna otra fila lo aclara',
    next: "Usá --decimal , para leerlo como {asComma}, o --decimal . para leerlo como {asDot}.",
  },
  decimals_mixed: ({ column, comma, dot }) => ({
    what: `${column} mezcla signos decimales: coma en ${quoted(comma.text)} (línea ${comma.line}), punto en ${quoted(dot.text)} (línea ${dot.line})`,
    next: "Indicá el correcto con --decimal , o --decimal . ; las filas que no coinciden quedan afuera.",
  }),
});

const own =
  "Poné el archivo en un servidor web público o en un servicio de archivos, y pasá su propia URL https://.";
const direct =
  "Pasá la URL del archivo mismo: en una ventana privada del navegador se tiene que abrir sin una página alrededor.";
const kinds = { image: "una imagen", video: "un video", document: "un documento" };

/** What is wrong with a header's file, as part of a sentence, and what to do next. */
export const headerProblemWords = advice<HeaderProblem>()({
  not_https: { what: "no es una URL https, y el servicio solo descarga por https", next: own },
  credentials: { what: "lleva usuario o contraseña, y el servicio no inicia sesión", next: own },
  unescaped: {
    what: "tiene un #, espacios, acentos u otros caracteres que no van en una URL",
    next: "Escribila como {escaped} (el # de un nombre de archivo, %23), o ponele al archivo un nombre simple.",
  },
  private_host: {
    what: "a {host} solo se llega desde esta máquina o su red, y el servicio descarga el archivo desde internet",
    next: own,
  },
  redirects: { what: "después de {limit} redirecciones no hay archivo", next: direct },
  status: {
    what: "su servidor respondió {status}, y el servicio no inicia sesión",
    next: "Revisá la URL, mayúsculas incluidas: el archivo se tiene que abrir en una ventana privada del navegador.",
  },
  encoding: {
    what: 'su servidor lo manda con la codificación "{encoding}", que nadie pidió',
    next: "Configuralo para que lo mande sin Content-Encoding, o usá otro servidor.",
  },
  empty: { what: "el archivo está vacío", next: "Subilo de nuevo." },
  web_page: {
    what: "es una página web (HTML), para iniciar sesión o alrededor del archivo",
    next: direct,
  },
  other_type: {
    what: "su contenido no es JPEG, PNG, MP4 ni PDF, aunque su nombre diga otra cosa",
    next: "Subí una imagen JPEG o PNG, un video MP4 o un PDF.",
  },
  too_large: ({ of, limit }) => ({
    what: `pesa más de lo que puede pesar ${kinds[of]} (${limit / 2 ** 20} MB)`,
    next: "Hacelo más liviano y subilo de nuevo.",
  }),
});

const unreachableNext: Partial<Record<HeaderUnreachable["kind"], string>> = {
  tls: "Si un navegador en otra red tampoco acepta el certificado, pedí que lo corrijan: el servicio tampoco lo va a aceptar.",
  timeout: "Corré el comando de nuevo, o dale más tiempo con --timeout.",
  proxy: "Corregí la variable del proxy, o agregá el host a NO_PROXY.",
  status: "Corré el comando de nuevo más tarde; ahora el servicio recibiría la misma respuesta.",
};

/** Why a header's file could not be fetched, as part of a sentence, and what to do next. */
export const headerUnreachableWords = (problem: HeaderUnreachable): { what: string; next: string } => ({
  what:
    problem.kind === "status"
      ? `su servidor respondió ${problem.status}: está sobrecargado o fuera de servicio`
      : `no se pudo descargar: ${detailWords(problem.detail)}`,
  next:
    unreachableNext[problem.kind] ?? "Revisá la red de esta máquina y la URL, y corré el comando de nuevo.",
});

const typeNames = {
  "image/jpeg": "una imagen JPEG",
  "image/png": "una imagen PNG",
  "video/mp4": "un video MP4",
  "application/pdf": "un PDF",
};

/** What may go wrong with a header's file, as a line of its own. */
export const headerWarningWords = sentences<HeaderWarning>()({
  file_name:
    'Atención: el nombre del documento sale de su URL, que lo deja en "{name}": hacé que la URL termine en un nombre como menu.pdf.',
  content_type: ({ said, type }) => {
    const claim = said === "" ? "no lo dice (falta el Content-Type)" : `dice que es "${said}"`;
    return `Atención: el archivo de encabezado es ${typeNames[type]}, pero su servidor ${claim}, y WhatsApp puede guiarse por eso: configuralo para que lo mande como ${type}.`;
  },
});

/** What is wrong or remarkable about a file and its rows. */
export const rows = {
  file: fileWords,
  notice: noticeWords,
  problem: rowProblemWords,
  problems: rowProblemsWords,
};
