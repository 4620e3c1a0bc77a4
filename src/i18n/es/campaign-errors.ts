import type { campaignErrors as en } from "../en/campaign-errors.ts";
import { ended, resumed, times } from "../phrases.ts";
import { shellWord } from "../shell-word.ts";
import { headerProblemWords, headerUnreachableWords } from "./header.ts";

const heldWords = ({ people, ref }: { people: number; ref: string }): string =>
  `Mientras tanto, a ${times(people, "persona", "personas")} de este envío ya ${people === 1 ? "le" : "les"} llegó la plantilla con la referencia "${ref}".`;

const sendAll = (sendRef: string): string =>
  `Para mandarles igual: \`bpos campaign resume ${shellWord(sendRef)} --allow-repeat\``;

const redirects = (to: string | undefined): string => (to === undefined ? "" : `Redirige a ${to}. `);

/** What stops a campaign. */
export const campaignErrors: typeof en = {
  ref_taken: ({ ref, template, by }) => ({
    what: `La referencia "${ref}" ya está usada.`,
    why: `Con ella salió, o puede haber salido, ${by === undefined ? `un envío de ${template}` : by === "test" ? "una prueba" : "un envío de verdad"}. No se mandó nada.`,
    next: "Para otra plantilla u otro idioma, elegí otra referencia con --ref; para resolver aquel envío, correlo de nuevo tal como estaba.",
  }),
  repeat_within_day: ({ people, ref, hoursAgo }) => ({
    what: `A ${times(people, "persona", "personas")} ya ${people === 1 ? "le" : "les"} llegó esta plantilla hace ${hoursAgo < 1 ? "menos de una hora" : `${hoursAgo} h`}, con la referencia "${ref}".`,
    why: "La misma plantilla a la misma persona dentro de las 24 horas suele ser un error. No se mandó nada.",
    next: `Para llegar solo a los demás de un archivo corregido, usá --ref ${shellWord(ref)}; para mandarla de nuevo a todos, --allow-repeat.`,
  }),
  nobody_to_test: () => ({
    what: "No hay ningún destinatario con el que probar el mensaje.",
    why: "--test-to manda lo que recibiría la primera fila que sirva, y ninguna sirve. No se mandó nada.",
    next: "Corregí una fila del archivo y corré el comando de nuevo.",
  }),
  send_open: ({ ref }) => ({
    what: `Ningún lote del envío "${ref}" tiene todavía una respuesta clara.`,
    why: "Una llamada se cortó o quedó sin respuesta, así que no hay un campaign_id por el que preguntar.",
    next: `Con ${resumed(ref)} se resuelve, con las mismas claves: a nadie le llega dos veces.`,
  }),
  too_late: ({ notAfter }) => ({
    what: `Ya pasó ${notAfter}: lo que no había salido para esa hora no se mandó.`,
    why: "Lo dijo --not-after cuando se confirmó el envío, y vale también para `bpos campaign resume`.",
    next: "`bpos campaign list` muestra qué salió. Para llegar igual a los demás, mandá el archivo de nuevo con la misma --ref y un --not-after posterior.",
  }),
  too_late_unknown: ({ notAfter }) => ({
    what: `Ya pasó ${notAfter}: lo que no tiene una respuesta clara no se intentó de nuevo.`,
    why: "Un lote salió antes y no se sabe si llegó; resolverlo ahora podría hacer que el mensaje llegue demasiado tarde.",
    next: "Mandá el archivo de nuevo con la misma --ref y un --not-after posterior para resolverlo, o preguntale a quien maneja el servicio si llegó.",
  }),
  repeat_held: (facts) => ({
    what: heldWords(facts),
    why: "Dentro de las 24 horas eso suele ser un error, así que los lotes con esas personas no se mandaron.",
    next: `${sendAll(facts.sendRef)}. Para llegar a los demás: mandá el archivo de nuevo con --ref ${shellWord(facts.sendRef)} y esas personas en --exclude.`,
  }),
  repeat_held_unknown: (facts) => ({
    what: heldWords(facts),
    why: "Los lotes con esas personas no se mandaron de nuevo. Algunos ya habían salido, y no se sabe si llegaron.",
    next: `${sendAll(facts.sendRef)}; un lote que ya había llegado no se manda otra vez.`,
  }),
  excluded_in_open: ({ ref, people }) => ({
    what: `${times(people, "persona excluida está", "personas excluidas están")} en un lote de "${ref}" que no tiene una respuesta clara.`,
    why: "Puede haber salido, y lo que dice ya no se puede cambiar. Ahora no se mandó nada.",
    next: `Con ${resumed(ref)} se resuelve tal como estaba, y puede que les llegue; después mandá el archivo de nuevo.`,
  }),
  journal_write_failed: ({ work, detail, ref }) => ({
    what: "No se pudo escribir en el registro, así que el envío se detuvo.",
    why: `${ended(detail)} El informe dice qué se había mandado hasta ahí; el registro no lo tiene todo.`,
    next:
      work === "push"
        ? "Hacé lugar en el disco y corré el mismo comando de nuevo, con el mismo archivo o los mismos códigos: sigue donde termina el registro, y nada se aplica dos veces."
        : `Hacé lugar en el disco y corré ${resumed(ref)}: usa las mismas claves, así que a nadie le llega dos veces.`,
  }),
  header_unusable: ({ url, redirectedTo, problem }) => {
    const { why, next } = headerProblemWords(problem);
    return {
      what: `El archivo de encabezado ${url} no se puede usar.`,
      why: `${redirects(redirectedTo)}${why} No se mandó nada.`,
      next,
    };
  },
  header_unreachable: ({ url, redirectedTo, problem }) => {
    const { why, next } = headerUnreachableWords(problem);
    return {
      what: `No se pudo bajar el archivo de encabezado ${url} para revisarlo.`,
      why: `${redirects(redirectedTo)}${ended(why)} No se mandó nada.`,
      next: `${next} Igual el archivo puede estar bien: con --no-preflight se manda sin bajarlo.`,
    };
  },
  send_not_found: ({ ref }) => ({
    what: `No existe el envío "${ref}".`,
    why: "Desde esta máquina y con esta clave no se mandó ninguna campaña con esa referencia.",
    next: "Revisá la referencia y la sucursal (-p NOMBRE), o preguntá por un campaign_id: `bpos campaign status ID`.",
  }),
  expected_other_count: ({ expected, actual }) => ({
    what: `${actual === 1 ? "Le" : "Les"} llegaría a ${times(actual, "persona", "personas")}, no a ${expected}.`,
    why: "Nunca se manda a más ni a menos personas que las de --expect, o que las que se aceptaron. No se mandó nada.",
    next: "Mirá el plan con --dry-run; si está bien, corré el comando de nuevo con el número correcto en --expect.",
  }),
};
