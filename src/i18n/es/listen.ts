import type { ReplyRefusal } from "../../errors/reply-refusal.ts";
import type { listen as en } from "../en/listen.ts";
import { type Count, plural } from "../plural.ts";
import { shellWord } from "../shell-word.ts";
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
  foreign_host:
    "su Host no es esta máquina; detrás de un túnel o un proxy inverso arrancá con --public-url URL, o las respuestas se pierden",
  foreign_origin: "lo mandó una página web",
  wrong_secret: "su ruta no termina en el secreto",
  busy: "llegaron demasiados a la vez",
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
  listening: (url, port, how) => {
    const end = how.hasSecret ? "SECRETO" : "";
    const outside =
      how.publicUrl !== undefined
        ? `Dale al servicio ${how.publicUrl.replace(/\/*$/, "/")}${end}.`
        : how.isLocal
          ? "A esa dirección llega solo esta máquina: hacé que un túnel o un proxy inverso lleve hasta ahí, nombrá su dirección https con --public-url, y dásela al servicio."
          : "Dale al servicio la dirección por la que llega ahí.";
    const secret = how.hasSecret ? " Donde dice SECRETO va tu secreto." : "";
    return `Esperando respuestas en ${url}. ${outside} Para ensayar: bpos mock --webhook-url http://127.0.0.1:${port}/${end}.${secret} Ctrl-C corta.`;
  },
  anybody: (host: string) =>
    `Cualquiera que llegue a ${host} puede mandar respuestas acá: el servicio no las firma. Poné un secreto con --secret-file ARCHIVO, o dejá pasar solo al servicio.`,
  secretFileOpen: (file) =>
    `Ojo: otros usuarios de esta máquina pueden leer el secreto de ${file}. Corré: chmod 600 ${shellWord(file)}`,
  waiting: (replies: Count, output: string) =>
    `${plural(replies, "respuesta de antes todavía espera", "respuestas de antes todavía esperan")} a ${outputName(output)}: se ${replies.n === 1 ? "entrega" : "entregan"} cuando corras esto con esa salida.`,
  refused: (status: number, why: ReplyRefusal) =>
    `Se rechazó un POST con ${status}: ${refusals[why]}. No se guarda nada de eso. ${
      why === "wrong_secret"
        ? "De otros en el mismo minuto no se avisa."
        : `De los próximos rechazos con ${status} no se avisa.`
    }`,
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
