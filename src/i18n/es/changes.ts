import type { en } from "../en.ts";
import { type Count, plural } from "../phrases.ts";

const products = (count: Count): string => plural(count, "producto", "productos");

/** What a price list changes: of `catalog diff`, the question of `catalog push --confirm` and `catalog undo`. */
export const changes: typeof en.changes = {
  title: "Diferencias del catálogo",
  short: "Qué cambia, según este registro",
  verdict: {
    same: "Sin diferencias: el servicio ya confirmó todo en este registro.",
    differs: (differ) => `${products(differ)} ${differ.n === 1 ? "cambia" : "cambian"}.`,
  },
  what: "",
  count: "Productos",
  kinds: {
    changed: "Con cambios",
    new: "De nuevo a la venta",
    deactivated: "Dados de baja",
    missing: "No están en el archivo",
    unknown: "Nuevos o desconocidos",
    unchanged: "Sin cambios",
  },
  marks: {
    changed: "cambia",
    new: "de nuevo a la venta",
    deactivated: "dado de baja",
    missing: "no está en el archivo",
    unknown: "nuevo o desconocido",
  },
  columns: {
    category: "Categoría",
    code: "Código",
    name: "Nombre",
    what: "Qué",
    before: "Antes",
    after: "Después",
    share: "Cambio",
  },
  fields: {
    precio: "precio",
    nombre: "nombre",
    categoria: "categoría",
    deshabilitado: "inactivo",
    activo: "a la venta",
  },
  more: (count, lists) =>
    `${count.n === 1 ? "Hay 1 más que no se muestra" : `Hay ${count.shown} más que no se muestran`}; ${lists}`,
  lists: {
    diff: "-o csv y --json los listan todos.",
    push: "`bpos catalog diff ARCHIVO` los lista.",
    undo: "`bpos catalog undo --dry-run --json` los lista.",
  },
  missing: "No están en el archivo: una subida los deja como están; con --deactivate-missing los da de baja.",
  unknown:
    "Nuevos o desconocidos: el servicio no los confirmó en este registro, así que puede que ya los tenga.",
  rejected: (rows) =>
    `Atención: ${plural(rows, "fila fue rechazada", "filas fueron rechazadas")} y no se ${rows.n === 1 ? "comparó" : "compararon"}: \`bpos catalog check ARCHIVO\` ${rows.n === 1 ? "la" : "las"} lista.`,
  report: (file) => `Está todo en ${file}.`,
  undo: {
    title: { done: "Vuelta atrás del catálogo", dryRun: "Vuelta atrás del catálogo · simulacro" },
    ask: (sent, at) => `¿Deshacer la subida del ${at}: mandar ${products(sent)}?`,
    alone: (count) =>
      `${products(count)} ${count.n === 1 ? "queda como está: --dry-run lo" : "quedan como están: --dry-run los"} nombra.`,
    leftAlone: "Quedan como están",
    more: (count) =>
      `${count.n === 1 ? "Hay 1 más que no se muestra" : `Hay ${count.shown} más que no se muestran`}; --json los lista.`,
    reasons: {
      changed_since: "cambió después de esa subida",
      former_unknown: "este registro nunca supo cómo era antes",
      state_unknown: "no se sabe qué tiene el servicio ahora",
    },
  },
  ask: (sent) => `¿Mandar ${products(sent)}?`,
};
