import { fileName as fileNameIn, times } from "../../texts/phrases.ts";
import { textsIn } from "../../texts/texts.ts";
import type * as en from "../en/general.ts";

const fileName = (file: string): string => fileNameIn(file, textsIn("es"));

/** What is said beside the data, on standard error. */
export const notices: typeof en.notices = {
  excludesNobody: (file) => `Nota: ${fileName(file)} no tiene ningún teléfono, así que no excluye a nadie.`,
  askTemplate: "Plantilla:",
  reading: (file) => `Leyendo ${fileName(file)}`,
  peopleDropped: (people, ref) =>
    `Atención: un envío anterior con "${ref}" no llegó a ${times(people, "destinatario que no está", "destinatarios que no están")} en este archivo: este envío tampoco los incluye. \`bpos campaign resume\` los habría incluido.`,
  unaccounted: (people, all, next) =>
    `Atención: el servicio no informa qué pasó con ${people} de ${times(all, "destinatario", "destinatarios")}: ni agregados, ni repetidos, ni errores. ${next}`,
  statusNotSent: (id, status, more, next) =>
    `Atención: ${status === null ? `la respuesta de la campaña ${id} no trae estado` : `la campaña ${id} tiene el estado "${status}", no "enviado"`}${more === 0 ? "" : `, y hay ${more} más que tampoco ${more === 1 ? "figura" : "figuran"} como "enviado"`}. ${next}`,
  knownNotShown: (why) => `Atención: no se muestra lo que este registro tiene de la campaña. ${why}`,
  headerNotFetched: "El archivo de encabezado no se revisa: el servicio está en esta máquina o en su red.",
  askTest: (phone) => `¿Mandar ahora un mensaje de prueba a ${phone}?`,
  sending: (calls, all) => `Mandando, ${calls} de ${times(all, "lote", "lotes")}`,
  nothingOpen: "El registro de esta máquina no tiene ningún envío sin terminar: nada que retomar.",
  askSend: (people) => `¿Mandar ahora a ${times(people, "destinatario", "destinatarios")}?`,
  askOutside: (people, hours, until) =>
    `Para ${times(people, "destinatario", "destinatarios")} está fuera del horario de este perfil (${hours}): ${people === 1 ? "espera" : "esperan"} hasta el ${until}. ¿Mandar así?`,
  mockUp: (setting) => `En otra terminal:\n  ${setting}\nCtrl-C detiene el mock.`,
  notOpened: (url) => `No se pudo abrir ningún navegador. ‹Abre› ${url} en uno.`,
};

/** `31/01/2026`. */
const date = (iso: string): string => iso.slice(0, 10).split("-").reverse().join("/");

/** Times as people read them, of ISO 8601 in this machine's zone. */
export const dates = {
  date,
  time: (iso: string) => `${date(iso)} ${iso.slice(11, 16)}`,
};
