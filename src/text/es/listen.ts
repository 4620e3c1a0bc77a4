import type { ReplyRefusal } from "../../errors/reply-refusal.ts";
import type { listen as en } from "../en/listen.ts";
import { type Count, plural } from "../plural.ts";
import { detailWords } from "./detail.ts";

type Failure = Parameters<typeof en.failed>[1];

function execEnd({ exitCode, killedBy, timedOutMs }: Extract<Failure, { kind: "exec" }>): string {
  if (timedOutMs !== null) return `seguía corriendo después de ${timedOutMs / 1000} s y se lo cortó`;
  if (exitCode !== null) return `terminó con el código de salida ${exitCode}`;
  return killedBy === null ? "no se pudo iniciar" : `lo terminó ${killedBy}`;
}

function failed(failure: Failure): string {
  switch (failure.kind) {
    case "exec":
      return `\`${failure.command}\` ${execEnd(failure)}${failure.detail === "" ? "" : `: ${failure.detail}`}`;
    case "forward":
      return `${failure.url} ${failure.status === null ? `no respondió: ${detailWords(failure.detail)}` : `respondió ${failure.status}`}`;
    case "stdout":
      return `no se pudo escribir en la salida estándar: ${failure.detail}`;
  }
}

const outputs = new Map([
  ["exec", "--exec"],
  ["forward", "--forward-to"],
  ["stdout", "la salida estándar"],
]);
const outputName = (output: string): string => outputs.get(output) ?? output;

const refusals: Readonly<Record<ReplyRefusal, string>> = {
  not_post: "no es un POST",
  not_json_type: "el Content-Type tiene que ser application/json",
  compressed: "el cuerpo no puede venir comprimido",
  too_large: "el cuerpo es demasiado grande",
  not_json: "el cuerpo no es JSON en UTF-8",
  too_deep: "el cuerpo está anidado demasiado hondo",
  came_back: "lo reenvió este mismo proceso: --forward-to vuelve acá",
  not_kept: "no se pudo guardar",
  not_a_request: "no es un pedido HTTP",
  defect: "un error de bpos",
};

/** What `campaign listen` says and shows. */
export const listen: typeof en = {
  listening: (url: string, port: number, isLocal: boolean) =>
    `Esperando respuestas en ${url}. ${
      isLocal
        ? "A esa dirección llega solo esta máquina: hacé que un túnel o un proxy inverso lleve hasta ahí, y dale al servicio la dirección https."
        : "Dale al servicio la dirección por la que llega ahí."
    } Para ensayar: bpos mock --webhook-url http://127.0.0.1:${port}/. Ctrl-C corta.`,
  anybody: (host: string) =>
    `Cualquiera que llegue a ${host} puede mandar respuestas acá: el servicio no las firma. Dejá pasar solo al servicio.`,
  waiting: (replies: Count, output: string) =>
    `${plural(replies, "respuesta de antes todavía espera", "respuestas de antes todavía esperan")} a ${outputName(output)}: se ${replies.n === 1 ? "entrega" : "entregan"} cuando corras esto con esa salida.`,
  refused: (status: number, why: ReplyRefusal) =>
    `Se rechazó un POST con ${status}: ${refusals[why]}. No se guarda nada de eso. De los próximos rechazos con ${status} no se avisa.`,
  notKept: (detail: string) =>
    `Una respuesta no se pudo escribir en el registro (${detail}). Se contestó 503, para que el servicio la mande de nuevo.`,
  journalFailed: (detail: string, again: string) =>
    `No se puede escribir en el registro (${detail}). La entrega sigue en ${again}.`,
  failed: (from: string, failure: Failure, again: string) =>
    `La respuesta de ${from} está guardada, pero no se entregó: ${failed(failure)}. Próximo intento en ${again}.`,
  down: (output: string, failure: Failure, waiting: Count) =>
    `Las respuestas no pasan por ${outputName(output)}: ${failed(failure)}. ${plural(waiting, "respuesta está guardada y espera", "respuestas están guardadas y esperan")}; se intenta con cada una hasta que pase. --verbose cuenta cada intento.`,
  works: (output: string) => `Todas las respuestas que esperaban ya pasaron por ${outputName(output)}.`,
  unfinished: (from: string, output: string) =>
    `Cuando cortaste, la respuesta de ${from} estaba en ${outputName(output)}; puede que haya pasado. La próxima vez se entrega de nuevo, marcada como repetida.`,
  nobody: "un teléfono desconocido",
  sent: (ago: string) => `enviado hace ${ago}`,
  unknownSend: "ningún envío de esta máquina",
  namesNoCampaign: "no nombra ninguna campaña",
  repeated: "REPETIDA: puede que ya se haya entregado",
};
