import type { Detail, OwnDetail } from "../../errors/detail.ts";
import { capitalised, ended } from "../phrases.ts";
import { quoted } from "../quoted.ts";
import { type Words, wordsFor } from "../words-for.ts";

const types: Readonly<Record<string, string>> = {
  array: "la lista",
  boolean: "el sí o no",
  number: "el número",
  object: "el objeto",
  string: "el texto",
};

const end = "el final del archivo";

const details: Words<OwnDetail, string> = {
  too_slow: ({ ms, complete }) => `no llegó ${complete ? "toda la" : "la"} respuesta en ${ms / 1000} s`,
  given_up: () => "se abandonó de este lado",
  answer_too_large: ({ maxBytes }) => `una respuesta de más de ${maxBytes} bytes`,
  encoding_unasked: ({ encoding }) => `una respuesta con la codificación ${encoding}, que nadie pidió`,
  encoding_broken: ({ of, encoding, detail }) =>
    `la codificación ${encoding} ${of === "answer" ? "de la respuesta" : "del archivo"} está rota: ${detail}`,
  broke_off: ({ detail }) => `la conexión se cortó en medio de la respuesta: ${detailWords(detail)}`,
  redirect: ({ to }) => `una redirección a ${to ?? "ningún lado"}, que no se sigue`,
  answer_empty: () => "llegó vacía",
  answer_html: () => "HTML en lugar de JSON",
  answer_cut_off: () => "el JSON está cortado",
  answer_too_deep: ({ maxDepth }) => `JSON anidado en más de ${maxDepth} niveles`,
  answer_not_json: () => "no es JSON",
  answer_no_problem: () => "no es un error como los del servicio",
  answer_lacks: ({ path, type }) =>
    path === "" ? `falta ${types[type] ?? type} en JSON` : `falta ${types[type] ?? type} ${path}`,
  not_a_mock: () => "no es la respuesta de un mock",
  proxy_answered: ({ proxy, variable, status, said }) =>
    `el proxy ${proxy} (${variable}) respondió ${`${status} ${said}`.trimEnd()}`,
  proxy_unreached: ({ proxy, variable, detail }) =>
    `no se pudo llegar al proxy ${proxy} (${variable}): ${detailWords(detail)}`,
  not_json: () => "no es JSON",
  empty: () => "está vacío",
  key_as_file: () => "eso parece la clave misma, y no se puede leer ningún archivo con ese nombre",
  key_not_for_header: ({ at, length }) => `el carácter ${at} de ${length} no puede ir en un encabezado HTTP`,
  key_too_long: ({ length, max, isCut }) =>
    `tiene ${isCut ? "más de " : ""}${length} caracteres, y una clave tiene ${max} como mucho`,
  key_lines: ({ lines }) => `tiene ${lines} líneas, y una clave es una sola`,
  secret_form: ({ min, max }) => `no es una línea de ${min} a ${max} letras, números y . _ ~ + = : @ , -`,
  json_unexpected: ({ expected, found }) => {
    const what =
      expected === "value" ? "un valor" : expected === "end" ? end : expected.map(quoted).join(" o ");
    const there = found === null ? end : quoted(found);
    return `se esperaba ${what} y hay ${there}`;
  },
  json_list_twice: ({ listKey }) => `hay otro "${listKey}", y tiene que ser uno solo`,
  is_folder: () => "es una carpeta",
  not_regular: () => "no es un archivo común",
  folder_missing: () => "su carpeta no existe",
  not_allowed: () => "no tenés permiso para escribir ahí",
  file_missing: () => "no existe ese archivo",
  not_readable: () => "no tenés permiso para leerlo",
  wrong_type: ({ path, type }) => `${path === "" ? "el archivo entero" : quoted(path)} no es de tipo ${type}`,
  journal_newer: () => "lo escribió un bpos más nuevo",
  journal_moved_meanwhile: () => "otro bpos lo encontró dañado y lo está apartando en este momento",
  journal_damaged_in_use: () => "está dañado, y primero hay que parar el otro bpos que trabaja con él",
};

/** Why something failed, as part of a sentence; what others said stays as it came. */
export function detailWords(detail: Detail): string {
  return typeof detail === "string" ? detail : wordsFor(details, detail);
}

/** Why something failed, as a sentence of its own; what others said keeps its first letter. */
export function detailSentence(detail: Detail): string {
  return ended(typeof detail === "string" ? detail : capitalised(detailWords(detail)));
}
