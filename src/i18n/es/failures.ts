import type { failures as enFailures } from "../en/failures.ts";

/** What to do about messages that failed, by the kind of failure, in Spanish. */
export const failures: typeof enFailures = {
  opted_out: "‹Quítala› de la lista. No lo intentes de nuevo.",
  not_on_platform: "‹Pide› el celular actual en el próximo pedido, o ‹quítalo› de la lista.",
  bad_phone: "‹Corrígelo› en el lugar de donde sale la lista.",
  limited: "‹Espera› un día y ‹manda› de nuevo solo a quienes fallaron. Conviene mandar menos seguido.",
  content: "‹Manda› una prueba a tu teléfono y ‹corrige› la plantilla o el archivo antes del próximo envío.",
  refused:
    "Unos pocos es lo normal. Si fueron muchos, ‹pregúntale› a quien administra el servicio antes del próximo envío.",
  not_delivered: "‹Manda› de nuevo solo a quienes fallaron, a otra hora del día.",
  other: "‹Pregúntale› a quien administra el servicio qué significa.",
};
