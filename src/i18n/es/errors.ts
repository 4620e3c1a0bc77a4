import type { Detail } from "../../errors/detail.ts";
import { ended, isKeyAsFile, resumed, shellWord, times } from "../phrases.ts";
import type { ErrorTexts } from "../shapes.ts";
import { callErrors, detailSentence, networkErrors, worldWords } from "./call-errors.ts";
import { headerProblemWords, headerUnreachableWords } from "./header.ts";
import { keyCommandWords } from "./profiles.ts";
import { fileName, fileWords } from "./rows.ts";
import { spoken } from "./topics.ts";
import { usageWords } from "./usage.ts";

const heldWords = ({ people, ref }: { people: number; ref: string }): string =>
  `Mientras tanto, a ${times(people, "persona", "personas")} de este envío ya ${people === 1 ? "le" : "les"} llegó la plantilla con la referencia "${ref}".`;

const sendAll = (sendRef: string): string =>
  `Para mandarles igual: \`bpos campaign resume ${shellWord(sendRef)} --allow-repeat\``;

const redirects = (to: string | undefined): string => (to === undefined ? "" : `Redirige a ${to}. `);

const journalNext = (detail: Detail): string =>
  typeof detail !== "string" && detail.kind === "journal_newer"
    ? "Actualizá bpos en esta máquina, o usá otra carpeta con BPOS_HOME."
    : "Fijate que el archivo se pueda leer y escribir, y que haya lugar en el disco. Con BPOS_HOME se usa otra carpeta.";

/** The words of every reason for which a command cannot go on. */
export const errors: ErrorTexts = {
  ...callErrors,
  ...networkErrors,
  bug: ({ detail }) => ({
    what: `Falla inesperada: ${ended(detail)}`,
    why: "Es un defecto de bpos, no de lo que le diste.",
    next: "Corré el comando de nuevo con --verbose y pasales la salida y `bpos --version` a quienes mantienen bpos.",
  }),
  usage_flag: ({ problem }) => usageWords(problem),
  not_a_terminal: ({ flag }) => ({
    what: `${flag.startsWith("-") ? `Falta ${spoken(flag)}` : "Faltan las respuestas"}, y no hay una terminal donde preguntar.`,
    why: "Solo se pregunta en una terminal, fuera de CI y sin --no-input. No se mandó nada.",
    next: `Contestala de antemano con ${spoken(flag)}.`,
  }),
  address_missing: ({ which, profile }) => {
    const flag = which === "base_url" ? "--base-url" : "--campaigns-url";
    const variable = which === "base_url" ? "BPOS_BASE_URL" : "BPOS_CAMPAIGNS_URL";
    return {
      what: `Falta la dirección del servicio (${which}).`,
      why: `No está en ${flag}, ni en ${variable}, ni en ${profile === undefined ? "un perfil" : `el perfil "${profile}"`}. No se mandó nada.`,
      next: `Pasala con ${flag} URL o en ${variable}, ${profile === undefined ? "nombrá un perfil con -p NOMBRE, armá uno con `bpos init`" : `ponésela a ese perfil con \`bpos profile add ${shellWord(profile)} --update ${flag} URL\``}, o ensayá sin configurar nada con --mock.`,
    };
  },
  key_missing: ({ profile }) => ({
    what: "Falta la clave (API key).",
    why: `Toda llamada lleva la clave de una sucursal, y no está en el entorno ni en ${profile === undefined ? "un perfil" : `el perfil "${profile}"`}. No se mandó nada.`,
    next: `Poné la clave en BPOS_API_KEY, ${profile === undefined ? "nombrá con -p NOMBRE un perfil que la tenga, armá uno con `bpos init`" : `ponésela a ese perfil con \`bpos profile add ${shellWord(profile)} --update --api-key-file ARCHIVO\``}, o ensayá sin clave con --mock.`,
  }),
  key_unreadable: ({ source, detail }) => ({
    what: `No se pudo leer la clave (API key) de ${source === "-" ? "la entrada estándar" : source}.`,
    why: detailSentence(detail),
    next: isKeyAsFile(detail)
      ? "--api-key-file lleva el nombre de un archivo: guardá la clave en uno, sola en una línea, y nombralo. Con BPOS_API_KEY no hace falta archivo, y con --mock ni siquiera clave."
      : "Arreglá eso, poné la clave en BPOS_API_KEY, o ensayá sin clave con --mock.",
  }),
  secret_unusable: ({ source, detail }) => ({
    what: `No se pudo leer el secreto del webhook de ${source === "-" ? "la entrada estándar" : source}.`,
    why: detailSentence(detail),
    next: "Generá uno con `openssl rand -hex 24`, y dale al servicio una dirección que termine en /SECRETO.",
  }),
  tls_unchecked: ({ origin }) => ({
    what: `NODE_TLS_REJECT_UNAUTHORIZED=0 apaga el control de los certificados, y ${origin} no es esta máquina.`,
    why: "Cualquiera en el medio podría leer la clave y los pedidos. No se mandó nada.",
    next: "Sacá NODE_TLS_REJECT_UNAUTHORIZED del entorno. Un certificado propio se acepta con --ca-file ARCHIVO.",
  }),
  key_command_failed: ({ profile, problem }) => ({
    what: `El key_command del perfil "${profile}" no dio la clave.`,
    why: `${keyCommandWords(problem)} No se mandó nada.`,
    next: "Corré ese comando a mano para ver qué le falta; la primera línea que da tiene que ser la clave. Con BPOS_API_KEY no hace falta.",
  }),
  profile_missing: ({ name, similar, known, file, isArgument }) => ({
    what: `No existe el perfil "${name}".`,
    why:
      known.length === 0
        ? `${file} no tiene ningún perfil.`
        : `En ${file} están: ${known.join(", ")}.${similar === null ? "" : ` ¿Quisiste decir "${similar}"?`}`,
    next: isArgument
      ? known.length === 0
        ? "Armá uno con `bpos init`."
        : "Nombrá uno de esos; `bpos profile list` los muestra."
      : `${known.length === 0 ? "Armá uno con `bpos init`" : "Nombrá uno de esos con -p NOMBRE, o armá este con `bpos init`"}, o arreglate sin perfil: poné la clave en BPOS_API_KEY, o ensayá con --mock.`,
  }),
  config_open: ({ open }) => ({
    what: `Otros usuarios de esta máquina pueden usar ${open.map(({ path }) => path).join(" y ")}.`,
    why: `Los perfiles tienen claves, y los permisos son ${open.map(({ mode }) => mode).join(" y ")}. No se mandó nada.`,
    next: `Corré \`${open.map(({ path, fix }) => `chmod ${fix} ${shellWord(path)}`).join(" && ")}\`.`,
  }),
  config_unreadable: ({ file, detail }) => ({
    what: `La configuración de ${file} no se puede usar.`,
    why: detailSentence(detail),
    next: "Corregí el archivo, o sacalo de ahí para arreglarte sin perfiles: BPOS_API_KEY y las opciones funcionan igual.",
  }),
  journal_unreadable: ({ file, detail }) => ({
    what: `El registro ${fileName(file)} no se puede usar.`,
    why: `${detailSentence(detail)} Sin él, bpos no puede asegurar que nada salga dos veces, así que no manda nada.`,
    next: journalNext(detail),
  }),
  journal_damaged: ({ file, detail }) => ({
    what: `${file} está dañado, o no es un registro de bpos.`,
    why: `${ended(detail)} No se mandó nada.`,
    next: `Pará todos los bpos y restaurá una copia de seguridad del registro. Si no tenés, mové el archivo y los que están al lado: \`mv ${shellWord(file)} ${shellWord(`${file}.damaged`)}\`. Un registro vacío no sabe qué pedidos ya se entregaron ni a quién ya se le mandó: revisalo antes de volver a mandar algo.`,
  }),
  world_unusable: ({ file, problem }) => ({
    what: `El mock no puede guardar su mundo en ${file}.`,
    ...worldWords(problem),
  }),
  locked: ({ pid, work, consumer }) => {
    const who = pid === null ? "Todavía" : `El proceso ${pid} todavía`;
    const isRunning = pid === null ? "Sigue corriendo" : `El proceso ${pid} sigue corriendo`;
    if (work === "watch") {
      return {
        what: `Otro bpos ya mira los pedidos de esta sucursal${consumer === undefined ? "" : ` para el consumidor "${consumer}"`}.`,
        why: `${isRunning}, y si dos comparten la memoria, a ninguno le llegan todos los pedidos.`,
        next: "Pará el otro, o dale a este una memoria propia con --consumer NOMBRE: cada consumidor recibe todos los pedidos.",
      };
    }
    if (work === "listen") {
      return {
        what: "Otro bpos ya está recibiendo las respuestas.",
        why: `${isRunning}, y si dos comparten el registro, ninguno entrega todas las respuestas.`,
        next: "Pará el otro, o dejá que las reciba todas: le sirve cualquier ruta, y las campañas de cualquier sucursal.",
      };
    }
    return {
      what: `Otro bpos está ${work === "push" ? "subiendo el catálogo" : "mandando una campaña"} de esta sucursal.`,
      why: `${who} no terminó. No se mandó nada.`,
      next:
        work === "push"
          ? "Hacé que este lo espere con --lock-wait 5m, o correlo de nuevo cuando el otro termine."
          : "Esperá a que termine y corré el comando de nuevo: a quien ya le llegó, no le llega otra vez.",
    };
  },
  clock_ahead: ({ aheadMs, stamped }) => ({
    what: `El reloj de esta máquina está ${Math.round(aheadMs / 60_000)} minutos adelantado respecto del reloj del servicio.`,
    why:
      stamped === undefined
        ? "Un producto marcado con una hora futura les gana, hasta esa hora, a todos los precios que vengan después. No se mandó nada."
        : `El servicio recién dijo su hora al contestar el primer lote. Ese lote lleva la marca ${stamped}; no se mandó ningún otro.`,
    next:
      stamped !== undefined
        ? "Poné en hora esta máquina y mandá el archivo de nuevo desde acá: hasta esa hora sus marcas son las últimas, y los precios que otras máquinas manden de esos productos cuentan como viejos."
        : "Poné en hora esta máquina. Si el que está mal es el reloj del servicio, corré el comando de nuevo con --force.",
  }),
  rows_unreadable: ({ rows }) => ({
    what: `${times(rows, "fila no tiene", "filas no tienen")} un código que se pueda leer.`,
    why: "No hay cómo saber si sus productos faltan, así que no se da de baja ninguno. No se mandó nada.",
    next: "Corregí esas filas (`bpos catalog check` las nombra), o subí el archivo sin --deactivate-missing.",
  }),
  too_many_missing: ({ missing, known, limit }) => ({
    what: `${missing} de los ${known} productos que tiene el servicio no ${missing === 1 ? "está" : "están"} en el archivo.`,
    why: `El máximo para dar de baja de una vez es ${limit}: un archivo cortado se ve justo así. No se mandó nada.`,
    next: "Revisá el archivo. Si está bien, permití más con --max-deactivate N o con un porcentaje, por ejemplo 50%.",
  }),
  output_unwritable: ({ file, detail, isOwn }) => ({
    what: `No se pudo escribir ${fileName(file)}.`,
    why: detailSentence(detail),
    next: isOwn
      ? "Fijate que tengas permiso para escribir ahí y que haya lugar en el disco, o poné otra carpeta en BPOS_HOME."
      : "Fijate que exista la carpeta, que tengas permiso para escribir ahí y que haya lugar en el disco.",
  }),
  order_file_taken: ({ file }) => ({
    what: `${file} ya existe y tiene otra cosa.`,
    why: "No es el pedido que va ahí, y bpos nunca pisa un archivo de pedidos.",
    next: "Sacá ese archivo de ahí, o nombrá otra carpeta con --out-dir: el pedido se escribe apenas el nombre quede libre.",
  }),
  exec_failed: ({ command, orderId, exitCode, killedBy, timedOutMs, detail }) => {
    const end =
      timedOutMs !== null
        ? `seguía corriendo después de ${timedOutMs / 1000} s y se lo cortó`
        : exitCode !== null
          ? `terminó con el código de salida ${exitCode}`
          : killedBy !== null
            ? `lo terminó ${killedBy}`
            : "no se pudo iniciar";
    return {
      what: `El comando de --exec no tomó el pedido ${orderId}.`,
      why: ended(`\`${command}\` ${end}${detail === "" ? "" : `: ${detail}`}`),
      next:
        timedOutMs === null
          ? "Corregí el comando o lo que necesita: se le da el pedido de nuevo hasta que termine con 0."
          : "Hacé más rápido el comando, o dale más tiempo con --exec-timeout: se le da el pedido de nuevo hasta que termine con 0.",
    };
  },
  port_busy: ({ host, port, pid }) => ({
    what: `El puerto ${port} de ${host} está ocupado.`,
    why:
      pid === null
        ? "Ahí escucha otro programa; quizás quedó corriendo otro `bpos mock` o `bpos campaign listen`."
        : `Ahí escucha otro \`bpos mock\`, el proceso ${pid}.`,
    next: "Pará ese programa, elegí otro puerto con --port N, o usá cualquiera que esté libre con --port 0.",
  }),
  port_denied: ({ host, port }) => ({
    what: `Este usuario no puede escuchar en el puerto ${port} de ${host}.`,
    why: "Los puertos por debajo del 1024 suelen quedar para el administrador.",
    next: "Elegí un puerto del 1024 en adelante con --port N, y que un proxy inverso o un túnel lleve hasta ahí.",
  }),
  input_unreadable: ({ file, detail }) => ({
    what: `No se pudo leer ${fileName(file)}.`,
    why: `${detailSentence(detail)} No se mandó nada.`,
    next: "Revisá el nombre y que tengas permiso para leer el archivo; - lee la entrada estándar.",
  }),
  input_unusable: ({ file, line, problem }) => {
    const { what, next } = fileWords(problem);
    return {
      what: `No se puede usar ${fileName(file)}${line === undefined ? "" : ` (línea ${line})`}.`,
      why: `${what} No se mandó nada.`,
      next,
    };
  },
  rows_rejected_strict: ({ file, rejected }) => ({
    what: `No se mandó nada: ${fileName(file)} tiene ${times(rejected, "fila que no sirve", "filas que no sirven")}.`,
    why: "Con --strict, un archivo se manda solo si todas sus filas están bien.",
    next: "Corregí las filas de la lista y corré el comando de nuevo, o sacá --strict para mandar las otras.",
  }),
  order_not_found: ({ orderId }) => ({
    what: `No existe el pedido ${orderId}.`,
    why: "No está en ninguno de los ocho estados entre los pedidos de esta sucursal.",
    next: "Revisá el número con `bpos orders list --status all --all`, y la sucursal con -p NOMBRE.",
  }),
  declined: ({ of }) => ({
    what: of === "send" ? "No se mandó nada." : "No se cambió nada.",
    why: "A la pregunta se le contestó que no.",
    next: "Corré el comando de nuevo cuando esté todo bien; --yes contesta de antemano.",
  }),
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
