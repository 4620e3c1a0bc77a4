import {
  competingWords,
  doubtfulWords,
  fileAdvice,
  landlineWords,
  lookAlikeWords,
  noticesIn,
  problemsIn,
  rowProblemsIn,
} from "../shared/files.ts";
import { detailWords } from "./call-errors.ts";

const streams: Readonly<Record<string, string>> = {
  "of this branch": "de esta sucursal",
  "standard input": "la entrada estándar",
  "standard output": "la salida estándar",
};

/** A file by its name; what has none is called something in English by whoever reports it. */
export const fileName = (file: string): string => streams[file] ?? file;

/** Why a row is left out and what to do about it, as part of a sentence. */
export const rowProblemWords = rowProblemsIn({ file: fileName, area: "ÁREA" })({
  code_missing: "falta el código: cada producto necesita el suyo",
  code_line_break:
    "{column} tiene un salto de línea: si se juntaron dos códigos, ‹pon› cada producto en su propia línea",
  code_not_text: "{column} {text} no es un texto y puede haber perdido sus ceros: ‹escríbelo› entre comillas",
  digits_lost:
    '{column}: la ‹hoja de cálculo› perdió dígitos de "{text}": dale formato de texto a la columna y ‹exporta› de nuevo',
  code_spoiled: {
    as: {
      date: '{column}: la ‹hoja de cálculo› tomó un código por una fecha y lo dejó en "{text}": dale formato de texto a la columna y ‹escribe› el código de nuevo',
      time: '{column}: la ‹hoja de cálculo› tomó un código por una hora y lo dejó en "{text}": dale formato de texto a la columna y ‹escribe› el código de nuevo',
      number:
        '{column}: la ‹hoja de cálculo› tomó un código por un número y lo dejó en "{text}": dale formato de texto a la columna y ‹escribe› el código de nuevo',
      money:
        '{column}: la ‹hoja de cálculo› tomó un código por un importe y lo dejó en "{text}": dale formato de texto a la columna y ‹escribe› el código de nuevo',
      truth:
        '{column} "{text}" es un sí o no de la ‹hoja de cálculo›, no un código: ‹revisa› qué columna tiene los códigos',
      formula: '{column} "{text}" es una fórmula y no su resultado: ‹escribe› el código mismo',
      mark: '{column} "{text}" empieza con el apóstrofo con que la ‹hoja de cálculo› marca un texto: ‹bórralo›',
    },
  },
  cell_error: "{column}: el cálculo de la celda falló ({text}): ‹corrígelo› en la ‹hoja de cálculo›",
  formula_unstored:
    "{column}: el resultado de la fórmula no quedó guardado[ (hay un {text} en su lugar)]: ‹abre› el archivo en la ‹hoja de cálculo› y ‹guárdalo›",
  formula_zero:
    "{column}: la fórmula dio {text}, como cuando apunta a una celda vacía o nadie la calculó: ‹corrige› la fórmula, o ‹escribe› el 0 si va",
  text_alone:
    '"{text}" está solo en su fila, como un título o una nota: si es un producto, ‹escribe› también su nombre o su precio',
  value_not_text: '{column} "{text}" es una lista o un objeto: ‹escribe› un solo valor',
  price_unusable:
    '{column} "{text}" no es un precio: ‹escribe› solo el importe, de 0 o más y con 15 dígitos a lo sumo, o ‹deja› la celda vacía',
  price_ambiguous:
    '{column} "{text}" puede ser {asDecimals} o {asThousands}: ‹corrige› la celda, o ‹usa› --decimal {decimal} si es {asDecimals}',
  boolean_unknown: '{column} "{text}" no es sí ni no: ‹escribe› sí o no, o ‹deja› la celda vacía',
  total_row: "una fila {text} no es un producto: ‹bórrala›, o dale al producto un código propio",
  duplicate_code:
    'el código "{codigo}" está en las líneas {lines}[ y {more} más] con datos distintos: ‹deja› una sola, o ‹usa› --on-duplicate first o last',
  cell_count: {
    isShort:
      "la fila tiene {found|celda|celdas} y el encabezado {expected}: ‹agrega› lo que falta, aunque sea una celda vacía",
    else: "la fila tiene {found|celda|celdas} y el encabezado {expected}: ‹pon› entre comillas el texto que contiene el separador, o ‹borra› las celdas que sobran",
  },
  row_held:
    'su celda bajo {under} todavía dice "{mark}": ‹revisa› la fila, ‹borra› esa celda y ‹manda› el archivo de nuevo',
  row_too_long: "la fila pesa más de {limit:kB} kB: ‹acorta› su texto más largo",
  quote_open: "hay una comilla que nunca se cierra: ‹ciérrala›, o ‹ponla› doble si es parte del texto",
  quote_late:
    "una comilla que se abre ‹aquí› ‹no se cierra hasta› la línea {lastLine}, y eso no parece una sola fila: ‹ciérrala› donde termina su celda",
  not_an_object: {
    element: 'elemento {element}: "{text}" no es un objeto con campos',
    else: '"{text}" no es un objeto con campos',
  },
  key_differs: {
    element:
      'el elemento {element} tiene la clave "{column}" donde los demás tienen "{usual}": ‹ponle› el nombre que tienen los demás',
    else: 'el objeto tiene la clave "{column}" donde los demás tienen "{usual}": ‹ponle› el nombre que tienen los demás',
  },
  json_broken: "la línea no es JSON válido ({detail}): ‹corrígela›, o ‹expórtala› de nuevo",
  phone_missing: "{column} está vacío",
  phones_several:
    '"{text}" tiene más de un teléfono, o ‹una extensión›: ‹deja› un número, o ‹pon› cada uno en su propia fila',
  phone_country_missing:
    'a "{text}" le falta el + y el código de país: ‹escríbelo› como +54 9 11 …, o ‹indica› el país con --country AR',
  phone_area_missing: {
    local:
      'a "{text}" le falta el código de área: ‹escríbelo› delante, como en {local} si es un celular de tu zona; si no, {national} o {international}',
    else: 'a "{text}" le falta el código de área: ‹escríbelo› delante, como en {national} o {international}',
  },
  phone_invalid: '"{text}" no es un teléfono[ de {country}]: ‹revisa› los dígitos',
  variable_empty: "{name} está vacío: la plantilla necesita un texto ahí",
  variable_line_break: "{name} tiene un salto de línea o una tabulación: la plantilla acepta una sola línea",
  variable_spaces: "{name} tiene más de {limit} espacios seguidos: la plataforma de mensajes no los acepta",
  message_too_long:
    "el mensaje tiene {length} caracteres con las variables de esta fila: la plataforma de mensajes acepta {limit}",
  variable_too_long: "{name} tiene {length} caracteres: se permiten hasta {limit}",
  variable_count:
    "la fila tiene {found|variable|variables} y la primera {expected}: todas necesitan la misma cantidad",
  person_repeated: {
    same: "es la misma persona que en la línea {firstLine}",
    else: "es la misma persona que en la línea {firstLine}, con otros valores: solo se mandan los de la línea {firstLine}",
  },
  person_excluded: "excluido por la línea {line} de {file}",
});

/** All that is wrong with a row, as one line. */
const rowProblemsWords = problemsIn(rowProblemWords, "Además");

/** A notice about a file, in whole sentences. */
const noticeWords = noticesIn({
  lookAlike: lookAlikeWords('línea {line}: "{code}", línea {otherLine}: "{otherCode}"'),
  or: "o",
  doubtful: doubtfulWords('línea {line}: "{code}"'),
  landline: landlineWords("línea {line}: {phone} → {proposal}"),
})({
  sheets_hidden: 'No se leen las hojas ocultas: "{sheets}". Con --sheet se lee una.',
  rows_hidden: "{count|fila oculta se lee|filas ocultas se leen} también ({lines}): ‹borra› lo que sobra.",
  read_as_windows_1252:
    "El archivo no está en UTF-8: se leyó como windows-1252. Si los nombres se ven mal, ‹indica› la codificación con --encoding.",
  double_encoded:
    'La línea {line} tiene "{text}", que parece ser "{proposal}" codificado dos veces: ‹exporta› el archivo de nuevo en UTF-8. Se manda como está.',
  columns_hidden:
    'Columnas ocultas: "{columns}". Una de ellas cuenta solo si ninguna columna visible dice lo mismo.',
  header_row:
    "El encabezado es la línea {line}: lo que está arriba no se lee. Con --header-row N ‹indicas› otra línea.",
  sale_unused: {
    areSeveral:
      'Hay columnas que parecen decir qué productos están a la venta y no se usan: "{columns}". Con {flags} se usa una de ellas.',
    else: 'La columna "{columns}" parece decir qué productos están a la venta y no se usa: con {flags} se usa.',
  },
  sale_used: {
    inverse:
      'La columna "{column}" dice qué productos están a la venta: donde dice no, el producto queda deshabilitado.',
    else: 'La columna "{column}" dice qué productos no están a la venta: donde dice sí, el producto queda deshabilitado.',
  },
  columns_ignored: 'Columnas que no se usan: "{columns}". Con --map ‹eliges› la columna de cada campo.',
  duplicates_resolved: {
    kept: {
      first:
        "{dropped|fila con código repetido quedó|filas con código repetido quedaron} ‹fuera›: vale la primera.",
      last: "{dropped|fila con código repetido quedó|filas con código repetido quedaron} ‹fuera›: vale la última.",
    },
  },
  codes_alike:
    "{count|código se distingue|códigos se distinguen} de otro solo por mayúsculas, ceros a la izquierda, acentos, separadores o caracteres que no se ven ({shown}[; y {more} más]). Se mandan como están, como productos distintos.",
  codes_doubtful:
    "{count|código parece|códigos parecen} lo que una ‹hoja de cálculo› hace de otro ({shown}[; y {more} más]). Se mandan como están: si están mal, dale formato de texto a la columna y ‹escríbelos› de nuevo.",
  landline_shapes: {
    fixed:
      "{count|teléfono parece fijo|teléfonos parecen fijos}, y para mandar mensajes hace falta el 9 ({shown}[, y {more} más]). Se agregó el 9.",
    else: "{count|teléfono parece fijo|teléfonos parecen fijos}, y para mandar mensajes hace falta el 9 ({shown}[, y {more} más]). Quedan como están; --fix-phones lo agrega.",
  },
});

const asCsv = "‹Ábrelo› en el programa de ‹hojas de cálculo› y ‹guárdalo› como CSV (UTF-8).";

/** Why a file cannot be used, as part of a sentence, and what to do next. */
export const fileWords = fileAdvice({
  row: rowProblemWords,
  detail: detailWords,
  competing: competingWords({
    isPhone: "las columnas {columns} parecen ser el teléfono",
    else: "las columnas {columns} parecen ser {field}",
  }),
  and: "y",
  or: "o",
  header: "ENCABEZADO",
})({
  no_rows: {
    what: "no tiene filas",
    next: "‹Revisa› que la exportación esté completa: un encabezado, y una fila por cada dato.",
  },
  still_written: {
    what: "todavía se está escribiendo",
    next: "‹Corre› esto de nuevo cuando la exportación esté completa. ‹Haz› que la exportación escriba en otro nombre y cambie el nombre al final.",
  },
  too_large: {
    what: "pesa más de {limit:MiB} MiB, o no termina nunca",
    next: "‹Divídelo› en varios archivos.",
  },
  json_too_large: {
    what: "es un solo documento JSON de más de {limit:MiB} MiB",
    next: "‹Expórtalo› como NDJSON, un objeto por línea, o ‹divídelo›.",
  },
  workbook_old: {
    what: "es una ‹hoja de cálculo› en el formato viejo (.xls)",
    next: "‹Ábrela› en ‹el programa de hojas de cálculo› y ‹guárdala› como .xlsx.",
  },
  workbook_locked: {
    what: "es una ‹hoja de cálculo› con contraseña",
    next: "‹Guárdala› sin la contraseña.",
  },
  no_workbook: { what: "no es una ‹hoja de cálculo› .xlsx y no tiene hojas", next: "‹Quita› --sheet." },
  workbook_other: {
    what: "es un archivo zip y no una ‹hoja de cálculo› .xlsx",
    next: "‹Ábrelo› en el programa que lo creó y ‹guárdalo› como .xlsx o CSV.",
  },
  workbook_broken: {
    what: "es una ‹hoja de cálculo› dañada: {detail}",
    next: "‹Ábrela› en ‹el programa de hojas de cálculo› y ‹guárdala› de nuevo, o ‹vuelve› a copiarla de donde vino.",
  },
  workbook_too_large: {
    what: "se descomprime en más de lo que puede tener una ‹hoja de cálculo›: {detail}",
    next: "‹Guárdala› como CSV, o ‹pártela› en varias.",
  },
  sheets_several: {
    what: 'tiene varias hojas: "{sheets}"',
    next: "‹Nombra› la que se lee con --sheet NOMBRE.",
  },
  exclusion_sheets: {
    what: 'tiene varias hojas: "{sheets}"',
    next: "‹Oculta› las hojas que no cuentan, o ‹guarda› en un archivo aparte la que cuenta.",
  },
  sheet_unknown: {
    what: 'no tiene ninguna hoja "{sheet}"',
    next: 'Sus hojas: "{sheets}".',
  },
  binary: {
    what: "es un archivo binario, no de texto",
    next: "‹Usa› un archivo CSV, JSON o NDJSON. Si es UTF-16 sin marca de orden de bytes, ‹agrega› --encoding utf-16le.",
  },
  markup: { what: "es una página web (HTML) o XML, aunque su nombre diga otra cosa", next: asCsv },
  encoding_unknown: {
    what: 'no existe la codificación "{encoding}"',
    next: "‹Usa› utf-8, windows-1252, iso-8859-15, utf-16le u otro nombre de la lista WHATWG.",
  },
  encoding_wrong: {
    what: "sus bytes no son {encoding} válido",
    next: "‹Quita› --encoding para que se detecte sola, o ‹indica› la codificación de la exportación.",
  },
  delimiter_unusable: {
    what: '"{delimiter}" no puede separar celdas',
    next: '‹Usa› un solo carácter que no sea letra, dígito ni comilla, como ";" o ",", o la palabra tab.',
  },
  header_broken: {
    what: "una celda entre comillas del encabezado nunca termina",
    next: "‹Ciérrala›, o ‹quita› la comilla.",
  },
  json_broken: {
    what: "no es JSON válido: {detail}",
    next: "‹Corrige› ese lugar, o ‹exporta› el archivo de nuevo.",
  },
  list_elsewhere: {
    what: 'es un solo objeto con "{found}", sin una lista en "{listKey}"',
    next: '‹Pon› la lista en "{listKey}", en el primer nivel del objeto, o ‹escríbela› sola: {list}.',
  },
  column_missing: {
    what: {
      isPhone: {
        headers: 'ninguna columna tiene el teléfono (encabezados: "{headers}")',
        else: "ninguna columna tiene el teléfono (sin encabezados)",
      },
      headers: 'ninguna columna tiene {field} (encabezados: "{headers}")[; {more}]',
      else: "ninguna columna tiene {field} (sin encabezados)",
    },
    next: {
      mayBeDelimiter:
        "‹Indícala› con {flag}, o el carácter entre celdas con --delimiter; si el encabezado está en otra línea, ‹indícala› con --header-row N.[ ‹Indica› también las otras: {moreFlags}.]",
      mayBeRow:
        "‹Indícala› con {flag}; si el encabezado está en otra línea, ‹indícala› con --header-row N.[ ‹Indica› también las otras: {moreFlags}.]",
      else: "‹Indícala› con {flag}.[ ‹Indica› también las otras: {moreFlags}.]",
    },
  },
  columns_compete: {
    what: "{said}",
    next: {
      areSeveral: "‹Indica› cuáles valen: {flags}.",
      else: "‹Indica› cuál vale: {flags}.",
    },
  },
  header_row_empty: {
    what: "la línea {row}, que nombra --header-row, está vacía o no existe",
    next: "‹Indica› el número de línea del encabezado, como lo cuenta la ‹hoja de cálculo› o el editor.",
  },
  no_header_row: { what: "es JSON y no tiene fila de encabezado", next: "‹Quita› --header-row." },
  column_unknown: {
    what: {
      headers: 'no tiene la columna "{column}", que nombra {flag} (encabezados: "{headers}")',
      else: 'no tiene la columna "{column}", que nombra {flag} (sin encabezados)',
    },
    next: "‹Corrige› {flag}.",
  },
  field_unknown: {
    what: '--map nombra el campo "{field}", que no existe',
    next: "Los campos son {known}; ‹escribe› --map campo=ENCABEZADO.",
  },
  params_hold_phone: {
    what: '--params nombra la columna "{column}", que es la del teléfono',
    next: "‹Quítala› de --params, o ‹indica› la columna del teléfono con --phone-column ENCABEZADO.",
  },
  template_empty: {
    what: "está vacío, y es el de --template-text",
    next: "‹Copia› en él el texto aprobado de la plantilla, con {first}, {second} para las variables.",
  },
  no_words: {
    what: "no tiene ninguna palabra, o tiene una línea sin letras ni números",
    next: "‹Escribe› las palabras que dan de baja a una persona, una por línea.",
  },
  template_gap: {
    what: "tiene la variable {last}, pero no {number}",
    next: "‹Numera› las variables {first}, {second}, etc., como en la plantilla aprobada.",
  },
  template_variables: {
    what: "tiene {text|variable|variables}, y cada fila completa {rows}",
    next: "‹Corrige› el texto, o ‹elige› las columnas con --params a,b.",
  },
  exclusion_unreadable: {
    what: "{problem}[ (y {more|línea|líneas} más)]. No se sabe a quién excluye",
    next: "‹Corrige› la línea, o ‹bórrala› si no es de nadie.",
  },
  country_unknown: {
    what: '"{country}" no es el código de un país',
    next: "‹Usa› dos letras, por ejemplo --country AR.",
  },
  decimals_ambiguous: {
    what: '"{sample}" en {column} puede ser {asComma} o {asDot}, y ninguna otra fila lo aclara',
    next: "‹Usa› --decimal , para leerlo como {asComma}, o --decimal . para leerlo como {asDot}.",
  },
  decimals_mixed: {
    what: '{column} mezcla signos decimales: coma en "{comma}" (línea {commaLine}), punto en "{dot}" (línea {dotLine})',
    next: "‹Indica› el correcto con --decimal , o --decimal . ; las filas que no coinciden quedan ‹fuera›.",
  },
});

/** What is wrong or remarkable about a file and its rows. */
export const rows = {
  file: fileWords,
  notice: noticeWords,
  problem: rowProblemWords,
  problems: rowProblemsWords,
};
