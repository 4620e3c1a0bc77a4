/** What stands for a value in usage lines, by its name in the declarations. */
export const placeholders: Readonly<Record<string, string>> = {
  address: "dirección",
  character: "carácter",
  code: "código",
  codes: "códigos",
  column: "columna",
  columns: "columnas",
  command: "comando",
  duration: "duración",
  factor: "factor",
  file: "archivo",
  folder: "carpeta",
  format: "formato",
  id: "id",
  ids: "ids",
  language: "idioma",
  limit: "límite",
  n: "n",
  name: "nombre",
  names: "nombres",
  "new-name": "nombre-nuevo",
  pairs: "pares",
  phone: "teléfono",
  ref: "ref",
  rule: "regla",
  send: "envío",
  shell: "shell",
  sign: "signo",
  state: "estado",
  states: "estados",
  statuses: "estados",
  text: "texto",
  time: "hora",
  url: "url",
  which: "cuál",
  words: "palabras",
};

/** What stands for a value, in Spanish. */
export const placeholder = (name: string): string => placeholders[name] ?? name;

/** A flag or a command line with what stands for its values in Spanish. */
export const spoken = (line: string): string =>
  line.replace(/(?<=<)[a-z-]+(?=>)/g, (name) => placeholder(name));
