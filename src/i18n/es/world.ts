import type { WorldProblem } from "../../errors/world-problem.ts";
import { type Words, wordsFor } from "../words-for.ts";

interface WhyAndNext {
  why: string;
  next: string;
}

const elsewhere = "Nombrá otro archivo, o sacá este de ahí para que empiece un mundo nuevo.";
const names: Readonly<Record<string, string>> = {
  scenario: "otro escenario",
  seed: "otra semilla",
  clock: "otra hora",
  speed: "otra velocidad",
};

const problems: Words<WorldProblem, WhyAndNext> = {
  not_a_file: () => ({ why: "No es un archivo común.", next: "Nombrá un archivo." }),
  not_sqlite: () => ({ why: "No es un archivo de SQLite: quedó como estaba.", next: elsewhere }),
  other_program: () => ({
    why: "Es la base de datos de otro programa: quedó como estaba.",
    next: "Nombrá otro archivo.",
  }),
  newer: () => ({ why: "Lo escribió un bpos más nuevo.", next: `Actualizá bpos. ${elsewhere}` }),
  older: () => ({ why: "Lo escribió un bpos más viejo.", next: elsewhere }),
  busy: () => ({
    why: "Hace 10 s que otro proceso está escribiendo en él.",
    next: "Pará ese proceso, o nombrá otro archivo.",
  }),
  damaged: ({ said }) => ({ why: `Está dañado (${said}).`, next: elsewhere }),
  unwritable: ({ said }) => ({
    why: `No se puede escribir (${said}).`,
    next: "Fijate que tengas permiso para escribir ahí y que haya lugar en el disco, o nombrá otro archivo; BPOS_HOME nombra otra carpeta para el de --mock.",
  }),
  other_world: ({ of }) => ({
    why: `Tiene un mundo con ${of.map((name) => names[name] ?? name).join(" y ")}, y lo que pasó en él no puede ser cierto en este.`,
    next: "Sacá esa opción, vaciá el mundo con `bpos mock reset`, o nombrá otro archivo.",
  }),
};

/** Why the file of the mock's world cannot be used, and what to do next. */
export function worldWords(problem: WorldProblem): WhyAndNext {
  return wordsFor(problems, problem);
}
