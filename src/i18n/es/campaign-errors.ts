import { failureAdvice } from "../../errors/words/failures.ts";
import { textsIn } from "../../texts/texts.ts";
import { type CampaignReason, defineReasons, knownOfCampaigns } from "../shared/errors.ts";
import { fileName } from "./files.ts";
import { dates } from "./general.ts";

/** The reasons that are about a campaign, in Spanish. */
export const campaignErrors = defineReasons<CampaignReason>()(
  knownOfCampaigns({
    file: fileName,
    time: dates.time,
    advice: (failure) => failureAdvice(failure, textsIn("es")),
  }),
)({
  ref_taken: {
    what: {
      by: {
        test: 'La referencia "{ref}" es de una prueba.',
        send: 'La referencia "{ref}" es de un envío real.',
      },
      else: 'La referencia "{ref}" es de un envío de {template}.',
    },
    why: "Con una misma referencia, cada destinatario recibe un solo mensaje, con una plantilla en un idioma.",
    next: "‹Elige› otra referencia con --ref; para resolver aquel envío, ‹córrelo› de nuevo tal como estaba.",
  },
  repeat_within_day: {
    what: {
      hours:
        '{people|destinatario ya recibió|destinatarios ya recibieron} esta plantilla hace {hours} h, con la referencia "{ref}".',
      else: '{people|destinatario ya recibió|destinatarios ya recibieron} esta plantilla hace menos de una hora, con la referencia "{ref}".',
    },
    why: "Mandar la misma plantilla a la misma persona dentro de las 24 horas suele ser un error.",
    next: "Para llegar solo a los demás de un archivo corregido, ‹usa› --ref {ref:shell}; para mandarles de nuevo a todos, ‹usa› --allow-repeat.",
  },
  nobody_to_test: {
    what: "No hay ningún destinatario con el que probar el mensaje.",
    why: "--test-to manda lo que recibiría la primera fila válida, y ninguna es válida.",
    next: "‹Corrige› una fila (--dry-run dice qué está mal) y ‹corre› el comando de nuevo.",
  },
  send_open: {
    what: 'Ningún lote del envío "{ref}" tiene respuesta todavía.',
    why: "Una llamada se interrumpió o quedó sin respuesta, así que no hay un campaign_id.",
    next: "{resume} lo resuelve con las mismas claves: nadie recibe el mensaje dos veces.",
    more: "El envío se interrumpió antes de la primera respuesta, así que no hay un campaign_id. `bpos campaign resume` manda los mismos lotes con las mismas claves: nadie recibe el mensaje dos veces.",
  },
  send_waits: {
    what: 'El envío "{ref}" espera hasta el {time}: todavía no se le mandó a nadie.',
    why: "--at, el horario de los destinatarios o una muestra lo retienen hasta entonces.",
    next: "El bpos que lo espera lo manda entonces; si ninguno está corriendo, {resume}.",
  },
  repeat_held: {
    what: 'Mientras tanto, {people|destinatario|destinatarios} de este envío {people?recibió|recibieron} la plantilla con la referencia "{ref}".',
    why: "Dentro de las 24 horas eso suele ser un error, así que los lotes con ellos no se mandaron.",
    next: "Para mandarlos ‹de todos modos›: `bpos campaign resume {sendRef:shell} --allow-repeat`. Para llegar a los demás: ‹manda› el archivo de nuevo con --ref {sendRef:shell} y esos destinatarios en --exclude.",
    more: "Con este envío sin terminar, algunos destinatarios recibieron la misma plantilla con otra referencia; los lotes con ellos quedaron retenidos. ‹Retómalo› con --allow-repeat para mandarlos ‹de todos modos›, o ‹manda› el archivo de nuevo con esos destinatarios en --exclude.",
  },
  repeat_held_unknown: {
    what: 'Mientras tanto, {people|destinatario|destinatarios} de este envío {people?recibió|recibieron} la plantilla con la referencia "{ref}".',
    why: "Los lotes con ellos no se mandaron de nuevo. El resultado de algunos es desconocido.",
    next: "Para mandarlos ‹de todos modos›: `bpos campaign resume {sendRef:shell} --allow-repeat`; un lote que ya había llegado no se manda otra vez.",
    more: "Como repeat_held, pero el resultado de algunos lotes retenidos es desconocido. ‹Retómalo› con --allow-repeat: un lote que ya había llegado no se manda otra vez.",
  },
  excluded_in_open: {
    what: '{people|destinatario excluido está|destinatarios excluidos están} en un lote de "{ref}" de resultado desconocido.',
    why: "Puede haberse mandado y ya no se puede cambiar.",
    next: "{resume} lo resuelve tal como estaba, y puede que les llegue; después ‹manda› el archivo de nuevo.",
    more: "Un destinatario de --exclude está en un lote de resultado desconocido, que ya no se puede cambiar. ‹Resuélvelo› con `bpos campaign resume`, que puede mandarle el mensaje, y después ‹manda› el archivo de nuevo.",
  },
  opted_out_unknown: {
    what: '{people|destinatario se dio|destinatarios se dieron} de baja después de mandarse un lote de "{ref}" de resultado desconocido.',
    why: "El lote ya no se puede cambiar, y mandarlo de nuevo podría hacerles llegar el mensaje. Queda desconocido y no se manda otra vez.",
    next: "`bpos campaign status --ref {ref:shell}` muestra los lotes con respuesta. ‹Pregúntale› a quien administra el servicio si este llegó. Si era la muestra, `bpos campaign resume {ref:shell} --ignore-canary` manda el resto.",
    more: "Alguien de un lote de resultado desconocido se dio de baja. Sus bytes no se pueden cambiar, y mandarlo de nuevo podría hacerle llegar el mensaje, así que bpos no lo manda nunca más; sus otros destinatarios tampoco están en otro lote de esa referencia. Una respuesta de cualquiera de ellos que nombre su campaña lo resuelve en el próximo `bpos campaign resume`. Si era la muestra, `bpos campaign resume REF --ignore-canary` manda el resto.",
  },
  template_unknown: {
    what: "El mock no tiene la plantilla {template}.",
    why: "Tiene {known}.",
    next: "--template recibe una de ellas; `bpos mock templates` las lista con sus idiomas.",
    more: "El mock no tiene una plantilla con ese nombre o id: el servicio rechazaría el envío. `bpos mock templates` lista las que tiene.",
  },
  test_opted_out: {
    what: "{phone} se dio de baja.",
    why: "A quien se dio de baja no se le manda nada, tampoco una prueba.",
    next: "‹Usa› otro teléfono, o ‹quita› este de la lista: `bpos campaign optout remove {phone:shell}`.",
  },
  outside_hours: {
    what: "Para {people|destinatario|destinatarios} está fuera del horario de este perfil ({hours}).",
    why: "Esperarían hasta el {time}; en una terminal, bpos pregunta.",
    next: "Para que esperen, ‹agrega› --between {hours}; para mandar ahora a todos, --between 00:00-24:00.",
    more: "El perfil tiene un horario (`between`, `days`), y algunos destinatarios están fuera de él ahora. En una terminal, bpos pregunta si tienen que esperar. En un script decide --between: con el mismo horario esperan, con 00:00-24:00 se manda ahora a todos.",
  },
  canary_failed: {
    what: "La muestra detuvo el envío: {failed} de {people|destinatario|destinatarios} {failed?falló|fallaron} (límite: {limit}).",
    why: {
      said: 'El servicio dijo sobre todo[ (a {times})]: "{said}". A nadie más se le mandó.',
      else: "El servicio no dio un motivo. A nadie más se le mandó.",
    },
    next: "[{advice} ]Quiénes fallaron: `bpos campaign status --ref {ref:shell} --only failed`. Para mandar el resto como está: `bpos campaign resume {ref:shell} --ignore-canary`. Para corregir antes el archivo: ‹mándalo› de nuevo con --ref {ref:shell} y sin --canary.",
    more: "De los destinatarios de la muestra (--canary) fallaron más de los que permite --max-failed. Los demás esperan en el registro: `bpos campaign resume REF` vuelve a mirar, y manda el resto solo con --ignore-canary.",
  },
  too_late: {
    what: "Ya pasó la hora límite, {time}: el resto no se mandó.",
    why: "--not-after se fijó al confirmar el envío, y vale también para `bpos campaign resume`.",
    next: "`bpos campaign list` muestra qué se mandó. Para llegar a los demás, ‹manda› el archivo de nuevo con la misma --ref y un --not-after posterior.",
  },
  too_late_unknown: {
    what: "Ya pasó la hora límite, {time}: los lotes sin respuesta no se reintentaron.",
    why: "Un lote se mandó antes de esa hora y su resultado es desconocido; si se resuelve ahora, el mensaje podría llegar demasiado tarde.",
    next: "‹Manda› el archivo de nuevo con la misma --ref y un --not-after posterior para resolverlo, o ‹pregúntale› a quien administra el servicio si llegó.",
  },
});
