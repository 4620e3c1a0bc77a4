import type * as enHelp from "../en/help-operations.ts";

/** La ayuda de `bpos openapi`. */
export const openapiHelp: typeof enHelp.openapiHelp = {
  description: "Mostrar la descripción OpenAPI 3.1 del servicio",
  examples: { "bpos openapi > openapi.json": "para tu generador de código" },
};

/** La ayuda de `bpos schema`, y su lista. */
export const schemaHelp: typeof enHelp.schemaHelp = {
  description: "Imprimir el JSON Schema de lo que un comando imprime como JSON",
  command: "un comando, o error, log o version; sin él, la lista de todos",
  lines: "el de una línea de -o ndjson, donde un comando imprime un objeto por línea",
  examples: {
    "bpos schema orders list": "JSON Schema, versión 2020-12, de `bpos orders list --json`",
    "bpos schema orders watch": "los eventos de -o ndjson",
    "bpos schema error": "un error con --json",
  },
  title: "Esquemas de JSON",
  columns: { command: "Comando", formats: "Formatos" },
  next: "bpos schema COMANDO imprime uno.",
};

/** La ayuda de --health y lo que va con ella. */
export const healthHelp: typeof enHelp.healthHelp = {
  health:
    "responder /healthz, /livez y /metrics en este puerto: [DIRECCIÓN:]PUERTO; por defecto, solo para esta máquina",
  maxAge:
    "fallar cuando la última consulta completa de una sucursal es más vieja que esto (por defecto: tres intervalos, al menos 3m)",
  ping: "GET a esta URL tras una consulta con la que todo está entregado, a lo sumo una vez por minuto, y URL/fail una vez en un corte",
  outageAfter: "cuánto debe durar un corte para que corra --on-failure (por defecto 10m)",
  onFailure:
    "correr este comando si el watch termina con un error, si se ‹detiene› una sucursal, en un corte largo o después de él: define BPOS_EVENT, BPOS_BRANCH",
};

/** The help of `bpos status`, in Spanish. */
export const statusHelp: typeof enHelp.statusHelp = {
  description:
    "Mostrar cómo ‹está› cada sucursal: quién la vigila o queda en espera, pedidos sin entregar, envíos sin terminar, catálogo, respuestas",
  maxAge:
    "terminar con 6 si una sucursal vigilada lleva tanto tiempo sin una consulta completa, por ejemplo 5m",
  watch: "quedarse y mostrar los cambios a medida que llegan",
  examples: {
    "bpos status": "qué no ‹funciona› bien, y el comando que lo arregla",
    "bpos status --max-age 5m -q": "para cron, monit o Nagios: en silencio si ‹todo está› bien",
    "bpos status --watch": "en una pantalla que queda encendida",
  },
};
