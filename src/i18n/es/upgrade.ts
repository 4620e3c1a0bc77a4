import type { upgrade as en } from "../en/upgrade.ts";

/** What `bpos upgrade --check` says, and the line of `update_check`, in Spanish. */
export const upgrade: typeof en = {
  newest: (version) => `bpos ${version} es la versión más nueva.`,
  newer: (latest, version) => `Hay un bpos ${latest}; este es el ${version}.`,
  download: (file) => `‹Descarga› ${file} del lugar de donde obtuviste este.`,
  replace: "‹Pon› el ejecutable que trae en lugar de este.",
  run: (command) => `Para actualizar: ${command}`,
  known: (latest, version) =>
    `Hay un bpos ${latest}; este es el ${version}. \`bpos upgrade --check\` dice cómo actualizarlo.`,
};
