import type * as enHelp from "../en/help-operations.ts";

/** La ayuda de `bpos service …`. */
export const serviceHelp: typeof enHelp.serviceHelp = {
  description: "Correr un comando como servicio de esta máquina",
  examples: {
    "bpos service print systemd -- orders watch --all-profiles --out-dir /srv/orders":
      "una vigilancia que arranca con la máquina",
  },
  print: {
    description: "Mostrar el archivo con el que systemd, launchd o el Programador de tareas corre un comando",
    kind: "systemd, launchd (macOS) o task (Windows)",
    command: "el comando y sus flags, detrás de `--` y sin `bpos`",
    examples: {
      "bpos service print systemd -- orders watch --all-profiles --out-dir /srv/orders -q":
        "las primeras líneas dicen cómo se instala",
      "bpos service print launchd -- orders watch --printer tcp://192.168.1.50 -q": "en macOS",
      "bpos service print task -- orders watch --exec order.cmd -q > bpos.xml": "en Windows",
    },
  },
};

/** La ayuda de `bpos openapi`. */
export const openapiHelp: typeof enHelp.openapiHelp = {
  description: "Mostrar la descripción OpenAPI 3.1 del servicio",
  examples: { "bpos openapi > openapi.json": "para tu generador de código" },
};
