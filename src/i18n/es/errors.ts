import type { Detail } from "../../errors/problems.ts";
import type { ErrorFacts } from "../../errors.ts";
import { ended, resumed, shellWord, times } from "../phrases.ts";
import { type ErrorTexts, type ErrorWords, said } from "../shapes.ts";
import { caFileWords, callErrors, detailWords, worldWords } from "./call-errors.ts";
import { fileName, fileWords, headerProblemWords, headerUnreachableWords } from "./files.ts";
import { keyCommandWords } from "./profiles.ts";
import { spoken } from "./topics.ts";
import { usageWords } from "./usage.ts";

const nothingSent = "No se mandó nada.";
const isKind = (detail: Detail, kind: string): boolean => typeof detail === "object" && detail.kind === kind;
const source = (file: string): string => (file === "-" ? "la entrada estándar" : file);
const profileOf = (name: string | undefined): string =>
  name === undefined ? "un perfil" : `el perfil "${name}"`;
const held = ({ people, ref }: { people: number; ref: string }): string =>
  `Mientras tanto, a ${times(people, "destinatario", "destinatarios")} de este envío ya ${people === 1 ? "le" : "les"} llegó la plantilla, con la referencia "${ref}".`;
const redirected = (to: string | undefined): string => (to === undefined ? "" : ` (redirige a ${to})`);

function lockedWords({ pid, work, consumer }: ErrorFacts["locked"]): ErrorWords {
  const why = pid === null ? "Sigue corriendo." : `El proceso ${pid} sigue corriendo.`;
  switch (work) {
    case "watch":
      return {
        what: `Otro bpos ya mira los pedidos de esta sucursal${consumer === undefined ? "" : ` para el consumidor "${consumer}"`}.`,
        why: `${why} Con un mismo consumidor, a ninguno de los dos le llegarían todos los pedidos.`,
        next: "Pará el otro, o poné otro consumidor con --consumer NOMBRE: cada uno recibe todos los pedidos.",
      };
    case "listen":
      return {
        what: "Otro bpos ya está recibiendo las respuestas.",
        why: `${why} Con un mismo registro, ninguno de los dos entregaría todas las respuestas.`,
        next: "Pará el otro, o dejá que las reciba todas: acepta cualquier ruta y las campañas de cualquier sucursal.",
      };
    case "push":
      return {
        what: "Otro bpos está subiendo el catálogo de esta sucursal.",
        why: `${why} ${nothingSent}`,
        next: "Esperalo con --lock-wait 5m, o corré el comando de nuevo cuando termine.",
      };
    case "send":
      return {
        what: "Otro bpos está mandando una campaña de esta sucursal.",
        why: `${why} ${nothingSent}`,
        next: "Corré el comando de nuevo cuando termine: a nadie le llega dos veces.",
      };
  }
}

function execEnd({ exitCode, killedBy, timedOutMs }: ErrorFacts["exec_failed"]): string {
  if (timedOutMs !== null) return `seguía corriendo después de ${timedOutMs / 1000} s y se lo cortó`;
  if (exitCode !== null) return `terminó con el código de salida ${exitCode}`;
  return killedBy === null ? "no se pudo iniciar" : `lo terminó ${killedBy}`;
}

/** Every reason for which a command cannot go on. */
export const errors: ErrorTexts = {
  ...callErrors,
  bug: {
    what: ({ detail }) => `Falla inesperada: ${ended(detail)}`,
    why: "Es un defecto de bpos, no de lo que le diste.",
    next: "Corré el comando de nuevo con --verbose y reportá la salida y `bpos --version`. Antes fijate que no tenga nombres ni teléfonos de clientes.",
  },
  usage_flag: {
    ...said(({ problem }: ErrorFacts["usage_flag"]) => usageWords(problem)),
    more: "Una opción o un argumento no existe, falta, tiene un valor que no va o excluye a otro. El mensaje dice cuál; --help al final del comando los muestra todos.",
  },
  not_a_terminal: {
    what: ({ flag }) =>
      `${flag.startsWith("-") ? `Falta ${spoken(flag)}` : "Faltan las respuestas"}, y no hay una terminal donde preguntar.`,
    why: `bpos solo pregunta en una terminal, fuera de CI y sin --no-input. ${nothingSent}`,
    next: ({ flag }) => `Contestá de antemano con ${spoken(flag)}.`,
    more: "El comando tiene una pregunta y no hay una terminal: corre en un pipe, desde cron, en CI o con --no-input. Poné la opción que nombra el mensaje, casi siempre --yes.",
  },
  address_missing: {
    what: ({ which }) => `Falta la dirección del servicio (${which}).`,
    why: ({ which, profile }) => {
      const [flag, variable] = addressNames(which);
      return `No está en ${flag}, ni en ${variable}, ni en ${profileOf(profile)}. ${nothingSent}`;
    },
    next: ({ which, profile }) => {
      const [flag, variable] = addressNames(which);
      const inProfile =
        profile === undefined
          ? "nombrá un perfil con -p NOMBRE, armá uno con `bpos init`"
          : `agregala a ese perfil con \`bpos profile add ${shellWord(profile)} --update ${flag} URL\``;
      return `Pasala con ${flag} URL o en ${variable}, ${inProfile}, o ensayá con --mock.`;
    },
    more: "Los pedidos y el catálogo tienen una dirección (base_url), las campañas otra (campaigns_base_url). Pasala como opción (--base-url, --campaigns-url), en el entorno (BPOS_BASE_URL, BPOS_CAMPAIGNS_URL) o en el perfil. Con --mock no hace falta.",
  },
  key_missing: {
    what: "Falta la clave (API key).",
    why: ({ profile }) => `No está en el entorno ni en ${profileOf(profile)}. ${nothingSent}`,
    next: ({ profile }) =>
      `Poné BPOS_API_KEY, ${profile === undefined ? "nombrá un perfil que tenga una con -p NOMBRE, armá uno con `bpos init`" : `agregala a ese perfil con \`bpos profile add ${shellWord(profile)} --update --api-key-file ARCHIVO\``}, o ensayá con --mock.`,
    more: "Toda llamada lleva la clave de una sucursal. Poné BPOS_API_KEY, pasá --api-key-file, o guardá la clave en un perfil. Con --mock no hace falta. Ninguna opción lleva la clave misma: otros usuarios de la máquina podrían verla.",
  },
  key_unreadable: {
    what: ({ source: from, detail }) => `No hay una clave en ${source(from)}: ${ended(detailWords(detail))}`,
    why: "El archivo tiene que tener la clave sola, en una línea de 512 caracteres como mucho, sin acentos.",
    next: ({ detail }) =>
      isKind(detail, "key_as_file")
        ? "En --api-key-file va el nombre de un archivo: guardá la clave en uno. Con BPOS_API_KEY no hace falta archivo, y con --mock ni clave."
        : "Corregí el archivo, usá BPOS_API_KEY, o ensayá con --mock.",
    more: "El archivo de --api-key-file no se puede leer, está vacío o no tiene una clave: una línea de 512 caracteres como mucho, que pueda ir en un encabezado HTTP. Copiala de nuevo de donde te la dieron.",
  },
  secret_unusable: {
    what: ({ source: from, detail }) =>
      `No hay un secreto del webhook en ${source(from)}: ${ended(detailWords(detail))}`,
    why: "Sin el secreto cualquiera podría mandar respuestas. No se recibió nada.",
    next: "Generá uno con `openssl rand -hex 24` en un archivo de modo 0600, y dale al servicio una dirección que termine en /SECRETO.",
    more: "El secreto de `campaign listen`, de --secret-file o BPOS_WEBHOOK_SECRET, no se puede leer o no es una línea de 8 a 512 caracteres con los que pueda terminar una URL.",
  },
  tls_unchecked: {
    what: ({ origin }) => `Está NODE_TLS_REJECT_UNAUTHORIZED=0, y ${origin} no es esta máquina.`,
    why: `Sin controlar los certificados, cualquiera en el medio podría leer la clave y los pedidos. ${nothingSent}`,
    next: "Sacá NODE_TLS_REJECT_UNAUTHORIZED del entorno. Un certificado propio se acepta con --ca-file ARCHIVO.",
    more: "Con NODE_TLS_REJECT_UNAUTHORIZED=0 Node acepta cualquier certificado, y cualquiera en el medio podría leer la clave y los pedidos. En esta misma máquina (loopback) bpos lo permite.",
  },
  key_command_failed: {
    what: ({ profile, problem }) => `key_command del perfil "${profile}": ${keyCommandWords(problem)}.`,
    why: `La primera línea que muestra tiene que ser la clave. ${nothingSent}`,
    next: "Corré ese comando a mano; puede que haya que desbloquear el gestor de contraseñas. Con BPOS_API_KEY no hace falta.",
    more: "El perfil saca la clave de un comando, y ese comando falló, tardó demasiado o no mostró ninguna clave.",
  },
  profile_missing: {
    what: ({ name }) => `No existe el perfil "${name}".`,
    why: ({ known, file, similar }) =>
      known.length === 0
        ? `${file} no tiene ningún perfil.`
        : `En ${file} están: ${known.join(", ")}.${similar === null ? "" : ` ¿Quisiste decir "${similar}"?`}`,
    next: ({ known, isArgument }) =>
      known.length === 0
        ? "Armá uno con `bpos init`, o usá BPOS_API_KEY o --mock."
        : isArgument
          ? "Nombrá uno de esos."
          : "Nombrá uno de esos con -p NOMBRE, armá este con `bpos init`, o usá BPOS_API_KEY o --mock.",
    more: "Ningún perfil se llama como dice -p, BPOS_PROFILE o el archivo. `bpos profile list` muestra los que hay.",
  },
  config_open: {
    what: ({ open }) =>
      `Otros usuarios de esta máquina pueden usar ${open.map(({ path }) => path).join(" y ")}.`,
    why: ({ open }) =>
      `Los perfiles tienen claves, y los permisos son ${open.map(({ mode }) => mode).join(" y ")}. ${nothingSent}`,
    next: ({ open }) =>
      `Corré \`${open.map(({ path, fix }) => `chmod ${fix} ${shellWord(path)}`).join(" && ")}\`.`,
    more: "El archivo de perfiles tiene claves, y otros usuarios lo pueden leer o cambiar. Corré el chmod que muestra el mensaje.",
  },
  config_unreadable: {
    what: ({ file, detail }) => `${file}: ${ended(detailWords(detail))}`,
    why: `Ahí están los perfiles. ${nothingSent}`,
    next: "Corregí el archivo, o movelo a otro lado: BPOS_API_KEY y las opciones funcionan sin perfiles.",
    more: "El archivo de perfiles no es JSON, tiene un valor del tipo equivocado, o no se puede leer.",
  },
  journal_unreadable: {
    what: ({ file, detail }) => `Registro ${fileName(file)}: ${ended(detailWords(detail))}`,
    why: `Sin el registro, bpos no puede asegurar que nada salga dos veces. ${nothingSent}`,
    next: ({ detail }) =>
      isKind(detail, "journal_newer")
        ? "Actualizá bpos en esta máquina, o usá otra carpeta con BPOS_HOME."
        : "Fijate que el archivo se pueda leer y escribir y que haya lugar en el disco, o usá otra carpeta con BPOS_HOME.",
    more: "El registro no se puede abrir o escribir: falta permiso, el disco está lleno, o lo escribió un bpos más nuevo. Arreglá eso o actualizá bpos. Un registro nuevo (BPOS_HOME) no sabe qué se mandó antes.",
  },
  journal_damaged: {
    what: ({ file, detail }) => `Registro ${file}: está dañado, o no es de bpos (${detail}).`,
    why: `Sin el registro, bpos no puede asegurar que nada salga dos veces. ${nothingSent}`,
    next: ({ file }) =>
      `Pará todos los bpos y restaurá una copia de seguridad. Si no tenés, mové el archivo y los que están al lado: \`mv ${shellWord(file)} ${shellWord(`${file}.damaged`)}\`. Un registro vacío no sabe qué pedidos se entregaron ni a quién se le escribió: fijate eso antes de mandar.`,
    more: "El registro está dañado o es otro archivo: un corte de luz, una copia hecha con bpos andando, un disco que falla. Pará todos los bpos y restaurá una copia de seguridad. Si no tenés, mové el archivo y los que están al lado (`-wal`, `-shm`); un registro vacío no sabe qué pedidos se entregaron ni a quién se le escribió.",
  },
  world_unusable: {
    ...said(({ file, problem }: ErrorFacts["world_unusable"]) => {
      const { what, next } = worldWords(problem);
      return { what: `${file}: ${what}.`, why: "En ese archivo el mock guarda su mundo.", next };
    }),
    more: "El archivo donde el mock guarda su mundo está dañado, es de otra versión, o no se puede escribir. Movelo a otro lado o nombrá otro con --data: ahí empieza un mundo nuevo. No tiene ningún pedido real.",
  },
  proxy_unusable: {
    what: ({ variable, scheme }) =>
      scheme === undefined
        ? `${variable} no tiene la dirección de un proxy.`
        : `${variable} nombra un proxy ${scheme}://, y bpos solo usa http:// y https://.`,
    why: nothingSent,
    next: ({ variable }) =>
      `Poné ${variable} como http://HOST:PUERTO o http://USUARIO:CONTRASEÑA@HOST:PUERTO (los caracteres especiales, codificados con %), sacala, o anotá el host del servicio en NO_PROXY.`,
    more: "HTTPS_PROXY o HTTP_PROXY no tiene una dirección que bpos pueda usar. Ponela como http://HOST:PUERTO, con USUARIO:CONTRASEÑA@ adelante si el proxy lo pide, o sacala.",
  },
  ca_file_unusable: {
    what: ({ file, problem }) => `${file}: ${ended(caFileWords(problem).what)}`,
    why: nothingSent,
    next: ({ problem }) => caFileWords(problem).next,
    more: "El archivo de --ca-file no se puede leer o no tiene un certificado en formato PEM, con líneas que dicen BEGIN CERTIFICATE. Lo tiene quien maneja la red o el proxy.",
  },
  locked: {
    ...said(lockedWords),
    more: "Otro bpos hace lo mismo para esta sucursal. Entre dos se entregarían pedidos repetidos o se mezclarían dos listas de precios. Dejalo terminar o cortalo: el mensaje nombra su proceso. Una subida lo espera con --lock-wait; otro watch necesita su propio --consumer.",
  },
  clock_ahead: {
    what: ({ aheadMs }) =>
      `El reloj de esta máquina está ${Math.round(aheadMs / 60_000)} minutos adelantado respecto del reloj del servicio.`,
    why: ({ stamped }) =>
      stamped === undefined
        ? `Un precio marcado con una hora futura les gana a todos los que vengan hasta esa hora. ${nothingSent}`
        : `El servicio recién dijo su hora en la primera respuesta. Ese lote lleva la marca ${stamped}; no se mandó ningún otro.`,
    next: ({ stamped }) =>
      stamped === undefined
        ? "Poné en hora esta máquina. Si el que está mal es el reloj del servicio, corré el comando de nuevo con --force."
        : "Poné en hora esta máquina y subí el archivo de nuevo desde acá: hasta esa hora, los precios que manden otras máquinas de esos productos cuentan como viejos.",
    more: "Un precio marcado con una hora futura les ganaría a todos los siguientes hasta entonces. Poné en hora esta máquina, mejor por la red. Solo si el que está mal es el reloj del servicio, subí con --force.",
  },
  rows_unreadable: {
    what: ({ rows }) => `${times(rows, "fila no tiene", "filas no tienen")} un código que se pueda leer.`,
    why: `Sus productos parecerían faltar, así que --deactivate-missing no da de baja ninguno. ${nothingSent}`,
    next: "Corregí esas filas (`bpos catalog check` las nombra), o subí el archivo sin --deactivate-missing.",
    more: "--deactivate-missing da de baja los productos que no están en el archivo, y una fila sin código puede ser uno de ellos.",
  },
  too_many_missing: {
    what: ({ missing, known }) =>
      `${missing} de los ${known} productos que tiene el servicio no ${missing === 1 ? "está" : "están"} en el archivo.`,
    why: ({ limit }) =>
      `Se pueden dar de baja ${limit} como mucho: una exportación cortada se ve igual. ${nothingSent}`,
    next: "Fijate que el archivo esté completo. Si lo está, permití más con --max-deactivate N o con un porcentaje, por ejemplo 50%.",
    more: "Faltan en el archivo más productos de los que permite --max-deactivate. Una exportación cortada se ve igual.",
  },
  output_unwritable: {
    what: ({ file, detail }) => `${fileName(file)}: ${ended(detailWords(detail))}`,
    why: "No se pudo escribir. Lo que se mandó antes ya está mandado, y quedó en el registro.",
    next: ({ isOwn }) =>
      isOwn
        ? "Revisá los permisos y el lugar en el disco, o usá otra carpeta con BPOS_HOME."
        : "Revisá que exista la carpeta, los permisos y el lugar en el disco.",
    more: "No se pudo escribir un archivo o la salida estándar: falta la carpeta, el permiso o el lugar. Lo que se mandó antes ya está mandado, y quedó en el registro.",
  },
  order_file_taken: {
    what: ({ file }) => `${file} ya existe y no tiene este pedido.`,
    why: "bpos nunca pisa un archivo de pedidos.",
    next: "Mové ese archivo a otro lado, o nombrá otra carpeta con --out-dir: ahí se escribe el pedido.",
    more: "En la carpeta de --out-dir hay un archivo con el nombre de este pedido y otro contenido. bpos nunca pisa un archivo de pedidos.",
  },
  exec_failed: {
    what: (facts) =>
      ended(`\`${facts.command}\` ${execEnd(facts)}${facts.detail === "" ? "" : `: ${facts.detail}`}`),
    why: ({ orderId }) =>
      `El pedido ${orderId} cuenta como no entregado y se le da de nuevo al comando hasta que termine con 0.`,
    next: ({ timedOutMs }) =>
      timedOutMs === null
        ? "Corregí el comando o lo que necesita."
        : "Hacé más rápido el comando, o dale más tiempo con --exec-timeout.",
    more: "El comando de --exec terminó con un código que no es 0, tardó demasiado o no arrancó. Se le da el pedido de nuevo hasta que termine con 0, así que tiene que tolerar repetidos.",
  },
  port_busy: {
    what: ({ host, port }) => `El puerto ${port} de ${host} está ocupado.`,
    why: ({ pid }) =>
      pid === null
        ? "Ahí escucha otro programa, quizás otro `bpos mock` o `bpos campaign listen`."
        : `Ahí escucha otro \`bpos mock\`, el proceso ${pid}.`,
    next: "Pará ese programa, elegí otro puerto con --port N, o uno libre cualquiera con --port 0.",
    more: "Otro programa escucha en ese puerto.",
  },
  port_denied: {
    what: ({ host, port }) => `Sin permiso para escuchar en el puerto ${port} de ${host}.`,
    why: "Los puertos por debajo del 1024 suelen quedar para el administrador.",
    next: "Elegí un puerto del 1024 en adelante con --port N, y que un proxy inverso o un túnel lleve hasta ahí.",
    more: "El sistema no deja que este usuario escuche en ese puerto; los de menos de 1024 suelen quedar para el administrador.",
  },
  input_unreadable: {
    what: ({ file, detail }) => `${fileName(file)}: ${ended(detailWords(detail))}`,
    why: nothingSent,
    next: "Revisá el nombre y los permisos; un nombre con espacios va entre comillas. - lee la entrada estándar.",
    more: "El archivo no existe, es una carpeta, o este usuario no lo puede leer.",
  },
  input_unusable: {
    what: ({ file, line, problem }) =>
      `${fileName(file)}${line === undefined ? "" : `, línea ${line}`}: ${fileWords(problem).what}.`,
    why: nothingSent,
    next: ({ problem }) => fileWords(problem).next,
    more: "El archivo se leyó, y el comando no lo puede usar. El mensaje dice por qué y muchas veces qué opción ayuda. `bpos catalog check` lee un catálogo sin mandar nada.",
  },
  rows_rejected_strict: {
    what: ({ file, rejected }) =>
      `${fileName(file)}: ${times(rejected, "fila rechazada", "filas rechazadas")}, y --strict no permite ninguna.`,
    why: nothingSent,
    next: "Corregí las filas de la lista, o sacá --strict para mandar las demás; --rejected ARCHIVO guarda estas.",
    more: "--strict manda todas las filas o ninguna, y algunas fueron rechazadas.",
  },
  order_not_found: {
    what: ({ orderId }) => `No existe el pedido ${orderId}.`,
    why: "No está en ninguno de los ocho estados de esta sucursal.",
    next: "Revisá el número con `bpos orders list --status all --all`, y la sucursal con -p NOMBRE. Puede que el servicio ya no liste pedidos viejos.",
    more: "El pedido no está en ninguno de los ocho estados de esta sucursal.",
  },
  send_not_found: {
    what: ({ ref }) => `No existe el envío "${ref}".`,
    why: "Desde esta máquina no se mandó ninguna campaña con esa referencia y esta clave.",
    next: "Revisá la referencia (`bpos campaign list`) y la sucursal (-p NOMBRE), o pasá un campaign_id: `bpos campaign status ID`.",
  },
  expected_other_count: {
    what: ({ expected, actual }) =>
      `${actual === 1 ? "Le" : "Les"} llegaría a ${times(actual, "destinatario", "destinatarios")}, no a ${expected}.`,
    why: `bpos manda solo a tantos como dice --expect, o como se confirmaron. ${nothingSent}`,
    next: "Con --dry-run ves quién queda afuera y por qué; después corré el comando con el --expect correcto.",
  },
  declined: {
    what: ({ of }) => (of === "send" ? nothingSent : "No se cambió nada."),
    why: "A la pregunta se le contestó que no.",
    next: "Corré el comando de nuevo cuando esté todo bien; --yes contesta de antemano.",
  },
  ref_taken: {
    what: ({ ref, template, by }) =>
      `La referencia "${ref}" es de ${by === undefined ? `un envío de ${template}` : by === "test" ? "una prueba" : "un envío de verdad"}.`,
    why: `Con una misma referencia se le escribe una sola vez a cada destinatario, con una plantilla en un idioma. ${nothingSent}`,
    next: "Elegí otra referencia con --ref; para resolver aquel envío, correlo de nuevo tal como estaba.",
  },
  repeat_within_day: {
    what: ({ people, ref, hoursAgo }) =>
      `A ${times(people, "destinatario", "destinatarios")} ya ${people === 1 ? "le" : "les"} llegó esta plantilla hace ${hoursAgo < 1 ? "menos de una hora" : `${hoursAgo} h`}, con la referencia "${ref}".`,
    why: `La misma plantilla a la misma persona dentro de las 24 horas suele ser un error. ${nothingSent}`,
    next: ({ ref }) =>
      `Para llegar solo a los demás de un archivo corregido, usá --ref ${shellWord(ref)}; para escribirles de nuevo a todos, --allow-repeat.`,
    more: "Un destinatario recibió la misma plantilla en las últimas 24 horas con otra referencia. Si el archivo está corregido, usá esa referencia: les llega solo a los nuevos. Si es a propósito, usá --allow-repeat.",
  },
  nobody_to_test: {
    what: "No hay ningún destinatario con el que probar el mensaje.",
    why: `--test-to manda lo que recibiría la primera fila que sirva, y ninguna sirve. ${nothingSent}`,
    next: "Corregí una fila (--dry-run dice qué tiene) y corré el comando de nuevo.",
  },
  send_open: {
    what: ({ ref }) => `Ningún lote del envío "${ref}" tiene respuesta todavía.`,
    why: "Una llamada se cortó o quedó sin respuesta, así que no hay un campaign_id.",
    next: ({ ref }) => `Con ${resumed(ref)} se resuelve, con las mismas claves: a nadie le llega dos veces.`,
    more: "El envío se cortó antes de la primera respuesta, así que no hay un campaign_id. `bpos campaign resume` manda lo mismo con las mismas claves: a nadie le llega dos veces.",
  },
  too_late: {
    what: ({ notAfter }) => `Ya pasó ${notAfter}: el resto no se mandó.`,
    why: "--not-after se fijó al confirmar el envío, y vale también para `bpos campaign resume`.",
    next: "`bpos campaign list` muestra qué se mandó. Para llegar a los demás, mandá el archivo de nuevo con la misma --ref y un --not-after posterior.",
    more: "La hora de --not-after llegó antes de que saliera todo; el resto no se mandó.",
  },
  too_late_unknown: {
    what: ({ notAfter }) => `Ya pasó ${notAfter}: los lotes sin respuesta no se reintentaron.`,
    why: "Un lote salió antes y su resultado es desconocido; resolverlo ahora podría hacer que el mensaje llegue demasiado tarde.",
    next: "Mandá el archivo de nuevo con la misma --ref y un --not-after posterior para resolverlo, o preguntale a quien maneja el servicio si llegó.",
    more: "Ya pasó la hora de --not-after, y el resultado de un lote que salió antes es desconocido.",
  },
  repeat_held: {
    what: held,
    why: "Dentro de las 24 horas eso suele ser un error, así que los lotes con ellos no se mandaron.",
    next: ({ sendRef }) =>
      `Para mandarles igual: \`bpos campaign resume ${shellWord(sendRef)} --allow-repeat\`. Para llegar a los demás: mandá el archivo de nuevo con --ref ${shellWord(sendRef)} y esos destinatarios en --exclude.`,
    more: "Con este envío sin terminar, algunos destinatarios recibieron la misma plantilla con otra referencia; los lotes con ellos quedaron frenados. Retomalo con --allow-repeat para mandarles igual, o mandá el archivo de nuevo con ellos en --exclude.",
  },
  repeat_held_unknown: {
    what: held,
    why: "Los lotes con ellos no se mandaron de nuevo. El resultado de algunos es desconocido.",
    next: ({ sendRef }) =>
      `Para mandarles igual: \`bpos campaign resume ${shellWord(sendRef)} --allow-repeat\`; un lote que ya había llegado no se manda otra vez.`,
    more: "Como repeat_held, y el resultado de algunos lotes frenados es desconocido. Retomalo con --allow-repeat: un lote que ya había llegado no se manda otra vez.",
  },
  excluded_in_open: {
    what: ({ ref, people }) =>
      `${times(people, "destinatario excluido está", "destinatarios excluidos están")} en un lote de "${ref}" de resultado desconocido.`,
    why: "Puede haber salido y ya no se puede cambiar. Ahora no se mandó nada.",
    next: ({ ref }) =>
      `Con ${resumed(ref)} se resuelve tal como estaba, y puede que les llegue; después mandá el archivo de nuevo.`,
    more: "Un destinatario de --exclude está en un lote de resultado desconocido, que ya no se puede cambiar. Resolvelo con `bpos campaign resume`, que puede llegar a escribirle, y después mandá el archivo de nuevo.",
  },
  journal_write_failed: {
    what: ({ detail }) => `No se pudo escribir en el registro, así que el envío se detuvo: ${ended(detail)}`,
    why: "El informe dice qué se había mandado hasta ahí; el registro puede tener menos.",
    next: ({ work, ref }) =>
      work === "push"
        ? "Hacé lugar en el disco y corré el mismo comando, con el mismo archivo o los mismos códigos: sigue, y nada se aplica dos veces."
        : `Hacé lugar en el disco y corré ${resumed(ref)}: a nadie le llega dos veces.`,
    more: "No se pudo escribir en el registro cuando parte de una subida o de un envío ya había salido, casi siempre por el disco lleno. Hacé lugar y subí el mismo archivo otra vez, o corré `bpos campaign resume`: usa los mismos ids y claves, así que nada se manda ni se aplica dos veces.",
  },
  header_unusable: {
    what: ({ url, redirectedTo, problem }) =>
      `Archivo de encabezado ${url}${redirected(redirectedTo)}: ${headerProblemWords(problem).what}.`,
    why: `Al servicio no le serviría. ${nothingSent}`,
    next: ({ problem }) => headerProblemWords(problem).next,
    more: "El archivo de --header-url no puede ser el encabezado de un mensaje: es de otro tipo, es muy grande, es una página web, o está donde el servicio no llega. Abrí la URL en una ventana privada del navegador: se tiene que abrir el archivo solo.",
  },
  header_unreachable: {
    what: ({ url, redirectedTo, problem }) =>
      ended(
        `Archivo de encabezado ${url}${redirected(redirectedTo)}: ${headerUnreachableWords(problem).what}`,
      ),
    why: `No se pudo revisar desde esta máquina; igual puede estar bien. ${nothingSent}`,
    next: ({ problem }) =>
      `${headerUnreachableWords(problem).next} Con --no-preflight se manda sin revisarlo.`,
    more: "El archivo de --header-url no se pudo bajar desde esta máquina, y eso no prueba que esté mal. Probá más tarde, o mandá sin revisarlo: --no-preflight.",
  },
};

function addressNames(which: "base_url" | "campaigns_base_url"): [flag: string, variable: string] {
  return which === "base_url" ? ["--base-url", "BPOS_BASE_URL"] : ["--campaigns-url", "BPOS_CAMPAIGNS_URL"];
}
