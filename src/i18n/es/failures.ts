import type { failures as enFailures } from "../en/failures.ts";

/** What to do about messages that failed, by the kind of failure, in Spanish. */
export const failures: typeof enFailures = {
  not_on_platform: "‹Pide› el número de celular actual, o ‹quítalo› de la lista.",
  not_delivered: "‹Manda› de nuevo solo a quienes fallaron (--only-failed-of), a otra hora del día.",
  refused:
    "Unos pocos es lo normal. Si son muchos, ‹pregúntale› a quien administra el servicio antes del próximo envío.",
  params: "‹Completa› todas las variables de la plantilla (--params), y ‹prueba› con --test-to.",
  other: "‹Pregúntale› a quien administra el servicio qué significa.",
};
