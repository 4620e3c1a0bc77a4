import type { health as english } from "../en/health.ts";

export const health: typeof english = {
  listening: (url) => `Salud: ${url}/healthz, /livez y /metrics.`,
  anybody: (where) =>
    `Cualquiera que llegue a ${where} puede leer cómo ‹está› este proceso, y no va cifrado.`,
  pingFailed: (host, why) => `Falló el ping a ${host}: ${why}. Los pedidos se entregan ‹de todos modos›.`,
};
