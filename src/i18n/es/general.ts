import type {
  errorLabels as enErrorLabels,
  progress as enProgress,
  table as enTable,
} from "../en/general.ts";

/** What tables of every kind say. */
export const table: typeof enTable = {
  leftOut: (columns: string) =>
    `No se muestra por falta de lugar: ${columns}. Se ve con una ventana más ancha o con --json.`,
};

/** What stands before the three lines of an error. */
export const errorLabels: typeof enErrorLabels = {
  what: "Error:",
  stopped: "Nota:",
  why: "Por qué:",
  next: "Qué hacer:",
  more: "Más:",
};

/** The progress line. */
export const progress: typeof enProgress = {
  left: (time: string) => `faltan ${time}`,
  perSecond: (count: string) => `${count}/s`,
};
