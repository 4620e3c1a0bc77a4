import type { Detail } from "../../errors/problems.ts";
import type { ErrorFacts } from "../../errors.ts";
import { addressNames, chmodLine, ended, ownedByOthers, resumed, shellWord, times } from "../phrases.ts";
import { defineReasons, type ErrorTexts, said } from "../shapes.ts";
import { caFileWords, callErrors, detailWords, execEnd, worldWords } from "./call-errors.ts";
import { priceChangeWords } from "./catalog.ts";
import { fileName, fileWords, headerProblemWords, headerUnreachableWords } from "./files.ts";
import { dates } from "./general.ts";
import { spoken } from "./help-page.ts";
import {
  copyWords,
  journalNext,
  lockedWords,
  lockLostWords,
  lostWords,
  writeFailedWords,
} from "./journal.ts";
import { printerProblemNext, printerProblemWords } from "./printer.ts";
import { keyCommandWords } from "./profiles.ts";
import { usageWords } from "./usage.ts";

const nothingSent = "No se mandó nada.";
const isKind = (detail: Detail, kind: string): boolean => typeof detail === "object" && detail.kind === kind;
const source = (file: string): string => (file === "-" ? "la entrada estándar" : file);
const profileOf = (name: string | undefined): string =>
  name === undefined ? "un perfil" : `el perfil "${name}"`;
const held = ({ people, ref }: { people: number; ref: string }): string =>
  `Mientras tanto, ${times(people, "destinatario", "destinatarios")} de este envío ${people === 1 ? "recibió" : "recibieron"} la plantilla con la referencia "${ref}".`;
const redirected = (to: string | undefined): string => (to === undefined ? "" : ` (redirige a ${to})`);

/** Every reason for which a command cannot go on. */
export const errors: ErrorTexts = {
  ...callErrors,
  ...defineReasons({
    bug: {
      what: ({ detail }) => `Falla inesperada: ${ended(detail)}`,
      why: "Es un defecto de bpos, no de tus datos.",
      next: "Corré el comando de nuevo con --verbose e informá la salida y `bpos --version`. Antes revisá que no tenga nombres ni teléfonos de clientes.",
    },
    usage_flag: {
      ...said(({ problem }: ErrorFacts["usage_flag"]) => usageWords(problem)),
      more: "Una opción o un argumento no existe, falta, tiene un valor no válido o excluye a otro. El mensaje dice cuál; --help después del comando los muestra todos.",
    },
    not_a_terminal: {
      what: ({ flag }) =>
        `${flag.startsWith("-") ? `Falta ${spoken(flag)}` : "Faltan las respuestas"}, y no hay una terminal donde preguntar.`,
      why: `bpos solo pregunta en una terminal, fuera de CI y sin --no-input. ${nothingSent}`,
      next: ({ flag }) => `Respondé de antemano con ${spoken(flag)}.`,
    },
    address_missing: {
      what: "Falta la dirección del servicio ({which}).",
      why: ({ which, profile }) => {
        const [flag, variable] = addressNames(which);
        return `No está en ${flag}, ni en ${variable}, ni en ${profileOf(profile)}. ${nothingSent}`;
      },
      next: ({ which, profile }) => {
        const [flag, variable] = addressNames(which);
        const inProfile =
          profile === undefined
            ? "nombrá un perfil con -p NOMBRE, creá uno con `bpos init`"
            : `agregala a ese perfil con \`bpos profile add ${shellWord(profile)} --update ${flag} URL\``;
        return `Pasala con ${flag} URL o en ${variable}, ${inProfile}, o ensayá con --mock.`;
      },
      more: "Los pedidos y el catálogo tienen una dirección (base_url), las campañas otra (campaigns_base_url). Pasala como opción (--base-url, --campaigns-url), en el entorno (BPOS_BASE_URL, BPOS_CAMPAIGNS_URL) o en un perfil. Con --mock no hace falta.",
    },
    key_missing: {
      what: "Falta la clave (API key).",
      why: ({ profile }) => `No está en el entorno ni en ${profileOf(profile)}. ${nothingSent}`,
      next: ({ profile }) =>
        `Poné BPOS_API_KEY, ${profile === undefined ? "nombrá un perfil que tenga una con -p NOMBRE, creá uno con `bpos init`" : `agregala a ese perfil con \`bpos profile add ${shellWord(profile)} --update --api-key-file ARCHIVO\``}, o ensayá con --mock.`,
      more: "Cada llamada necesita la clave de una sucursal. Poné BPOS_API_KEY, pasá --api-key-file, o guardá la clave en un perfil. Con --mock no hace falta. Ninguna opción recibe la clave misma: otros usuarios de la máquina podrían verla.",
    },
    key_unreadable: {
      what: ({ source: from, detail }) =>
        `No hay una clave en ${source(from)}: ${ended(detailWords(detail))}`,
      why: "El archivo tiene que tener solo la clave, en una línea de 512 caracteres como mucho, sin acentos.",
      next: ({ detail }) =>
        isKind(detail, "key_as_file")
          ? "--api-key-file recibe el nombre de un archivo: guardá la clave en uno. BPOS_API_KEY no necesita archivo, y --mock no necesita clave."
          : "Corregí el archivo, usá BPOS_API_KEY, o ensayá con --mock.",
    },
    secret_unusable: {
      what: ({ source: from, detail }) =>
        `No hay un secreto del webhook en ${source(from)}: ${ended(detailWords(detail))}`,
      why: "Sin el secreto, cualquiera podría mandar respuestas. No se recibió nada.",
      next: "Generá uno con `openssl rand -hex 24` en un archivo de modo 0600, y dale al servicio una dirección que termine en /SECRETO.",
    },
    tls_unchecked: {
      what: "NODE_TLS_REJECT_UNAUTHORIZED=0 está en el entorno, y {origin} no es esta máquina.",
      why: `Node aceptaría cualquier certificado, y alguien en el medio podría leer la clave y los pedidos. ${nothingSent}`,
      next: "Sacá NODE_TLS_REJECT_UNAUTHORIZED del entorno. Para aceptar un certificado propio, usá --ca-file ARCHIVO.",
    },
    key_command_failed: {
      what: ({ profile, problem }) => `key_command del perfil "${profile}": ${keyCommandWords(problem)}.`,
      why: `El perfil toma la clave de la primera línea que muestra ese comando. ${nothingSent}`,
      next: "Corré ese comando a mano; puede que haya que desbloquear el gestor de contraseñas. Con BPOS_API_KEY no hace falta.",
    },
    profile_missing: {
      what: 'No existe el perfil "{name}".',
      why: ({ known, file, similar }) =>
        known.length === 0
          ? `${file} no tiene ningún perfil.`
          : `En ${file} están: ${known.join(", ")}.${similar === null ? "" : ` ¿Quisiste decir "${similar}"?`}`,
      next: ({ known, isArgument }) =>
        known.length === 0
          ? "Creá uno con `bpos init`, o usá BPOS_API_KEY o --mock."
          : isArgument
            ? "Nombrá uno de esos."
            : "Nombrá uno de esos con -p NOMBRE, creá este con `bpos init`, o usá BPOS_API_KEY o --mock.",
      more: "Ningún perfil tiene el nombre que se indicó con -p, con BPOS_PROFILE o en el archivo. `bpos profile list` muestra los perfiles.",
    },
    config_open: {
      what: ({ open }) => {
        const [strange] = ownedByOthers(open);
        return strange
          ? `${strange.path} es de otro usuario de esta máquina (id ${strange.owner}).`
          : `Otros usuarios de esta máquina pueden usar ${open.map(({ path, mode }) => `${path} (modo ${mode})`).join(" y ")}.`;
      },
      why: `El archivo de perfiles tiene claves, y solo vos deberías poder leerlo o cambiarlo. ${nothingSent}`,
      next: ({ open }) =>
        ownedByOthers(open).length > 0
          ? "Corré bpos con ese usuario, o definí BPOS_HOME con una carpeta tuya."
          : `Corré \`${chmodLine(open)}\`.`,
    },
    config_unreadable: {
      what: ({ file, detail }) => `${file}: ${ended(detailWords(detail))}`,
      why: `Ese archivo guarda los perfiles, y no se puede usar. ${nothingSent}`,
      next: "Corregí el archivo, o movelo a otro lado: BPOS_API_KEY y las opciones funcionan sin perfiles.",
    },
    journal_unreadable: {
      what: ({ file, detail }) => `Registro ${fileName(file)}: ${ended(detailWords(detail))}`,
      why: `Sin el registro, bpos no puede asegurar que nada se mande dos veces. ${nothingSent}`,
      next: ({ detail }) =>
        journalNext(detail) ??
        "Revisá que puedas leer y escribir el archivo y que haya espacio en disco, o usá otra carpeta con BPOS_HOME.",
      more: "No se puede abrir el registro: el archivo o su carpeta, o la base de datos de BPOS_JOURNAL. El mensaje dice por qué; `bpos doctor` lo revisa paso a paso.",
    },
    copy_refused: {
      what: ({ to, problem }) => `${to}: ${ended(copyWords(problem).what)}`,
      why: "La copia tiene que ser el registro entero, y el único en uso: si no, alguien podría recibir un mensaje dos veces.",
      next: ({ problem }) => copyWords(problem).next,
      more: "`bpos journal copy` necesita un registro con el que no trabaje ningún proceso, y una base vacía o con una copia sin terminar de ese registro.",
    },
    journal_damaged: {
      what: "Registro {file}: está dañado, o no es de bpos ({detail}).",
      why: `Sin el registro, bpos no puede asegurar que nada se mande dos veces. ${nothingSent}`,
      next: ({ file }) =>
        `Pará todos los bpos y restaurá una copia de seguridad. Si no hay, mové el archivo y los que están al lado: \`mv ${shellWord(file)} ${shellWord(`${file}.damaged`)}\`. Un registro vacío no sabe qué pedidos se entregaron ni a quién se le mandó: revisalo antes de mandar.`,
      more: "El registro está dañado o es otro archivo: un corte de luz, una copia hecha mientras corría bpos, un disco que falla. Pará todos los bpos y restaurá una copia de seguridad. Si no hay, mové el archivo y los que están al lado (`-wal`, `-shm`); un registro vacío no sabe qué pedidos se entregaron ni a quién se le mandó.",
    },
    journal_older: {
      what: "Registro {file}: más viejo que lo que esta máquina hizo con él.",
      why: ({ sends }) =>
        `Se restauró de una copia de seguridad, o su servidor pasó a una réplica atrasada. ${lostWords(sends)} ${nothingSent}`,
      next: "Si el registro más nuevo todavía existe, usá ese. Si no, `bpos journal accept-restore` explica qué implica seguir con este, y pregunta.",
      more: "Cada registro cuenta lo que se manda, se sube y se entrega, y cada máquina recuerda las cuentas más altas fuera de él. Un registro restaurado de una copia de seguridad, o cuyo servidor pasó a una réplica atrasada, tiene cuentas más bajas: no sabe a quién se le mandó desde entonces. Si el registro más nuevo todavía existe, usá ese; si no, `bpos journal accept-restore` sigue con este.",
    },
    world_unusable: {
      what: ({ file, problem }) => `${file}: ${worldWords(problem).what}.`,
      why: "El mock guarda su mundo en ese archivo. No tiene ningún pedido real.",
      next: ({ problem }) => worldWords(problem).next,
    },
    proxy_unusable: {
      what: ({ variable, scheme }) =>
        scheme === undefined
          ? `${variable} no tiene la dirección de un proxy.`
          : `${variable} nombra un proxy ${scheme}://, y bpos solo admite http:// y https://.`,
      why: nothingSent,
      next: "Poné {variable} como http://HOST:PUERTO o http://USUARIO:CONTRASEÑA@HOST:PUERTO (con los caracteres especiales codificados con %), sacala del entorno, o agregá el host del servicio a NO_PROXY.",
      more: "HTTPS_PROXY o HTTP_PROXY no tiene una dirección que bpos pueda usar. Ponela como http://HOST:PUERTO, con USUARIO:CONTRASEÑA@ antes del host si el proxy lo pide, o sacala del entorno.",
    },
    ca_file_unusable: {
      what: ({ file, problem }) => `${file}: ${ended(caFileWords(problem).what)}`,
      why: `El archivo de --ca-file tiene que tener certificados en formato PEM. ${nothingSent}`,
      next: ({ problem }) => caFileWords(problem).next,
    },
    locked: {
      ...said(lockedWords),
      more: "Otro bpos hace el mismo trabajo para esta sucursal. Entre dos se entregarían pedidos dos veces o se mezclarían dos listas de precios. Dejalo terminar o paralo: el mensaje nombra su proceso. Una subida o un envío espera al otro hasta 60 s (--lock-wait); a un watch nunca se lo espera, y un segundo watch necesita su propio --consumer.",
    },
    lock_lost: {
      ...said(lockLostWords),
      more: "Con un registro en PostgreSQL un proceso tiene su bloqueo mientras lo renueve. Uno que se detiene, o que no llega a la base de datos, lo pierde ante el próximo que lo pida. Con un registro en un archivo lo pierde cuando alguien borra o reemplaza ese archivo, o uno de `locks/`. Ya no hace nada más, así ningún pedido se entrega dos veces y nadie recibe dos mensajes. Dejá trabajar al otro, o devolvé el registro a su lugar, y corré de nuevo el comando. Un watch que tenga que quedar en espera necesita --standby.",
    },
    clock_ahead: {
      what: ({ aheadMs }) =>
        `El reloj de esta máquina está ${Math.round(aheadMs / 60_000)} minutos adelantado respecto del reloj del servicio.`,
      why: ({ stamped }) =>
        stamped === undefined
          ? `Un precio marcado con una hora futura les gana a todos los que se manden hasta esa hora. ${nothingSent}`
          : `El servicio dijo su hora recién en la primera respuesta. Ese lote lleva la marca ${stamped}; no se mandó ningún otro.`,
      next: ({ stamped }) =>
        stamped === undefined
          ? "Poné en hora esta máquina. Si el reloj incorrecto es el del servicio, corré el comando de nuevo con --force."
          : "Poné en hora esta máquina y subí el archivo de nuevo desde acá: hasta esa hora, los precios que manden otras máquinas para esos productos cuentan como viejos.",
      more: "Un precio marcado con una hora futura les ganaría a todos los que se manden hasta entonces. Poné en hora esta máquina, mejor por la red. Solo si el reloj incorrecto es el del servicio, subí con --force.",
    },
    rows_unreadable: {
      what: ({ rows }) => `${times(rows, "fila no tiene", "filas no tienen")} un código legible.`,
      why: `--deactivate-missing da de baja los productos que no están en el archivo, y una fila así puede ser uno de ellos. ${nothingSent}`,
      next: "Corregí esas filas (`bpos catalog check` las nombra), o subí el archivo sin --deactivate-missing.",
    },
    too_many_missing: {
      what: ({ missing, known, limit }) =>
        `${missing} de los ${known} productos que tiene el servicio no ${missing === 1 ? "está" : "están"} en el archivo, y se pueden dar de baja ${limit} como mucho.`,
      why: `Suele ser una exportación cortada. ${nothingSent}`,
      next: "Revisá que el archivo esté completo. Si lo está, permití más con --max-deactivate N o con un porcentaje como 50%.",
    },
    price_change_too_large: priceChangeWords,
    output_unwritable: {
      what: ({ file, detail }) => `${fileName(file)}: ${ended(detailWords(detail))}`,
      why: "No se pudo escribir. Lo que se mandó antes ya está mandado, y quedó en el registro.",
      next: ({ isOwn }) =>
        isOwn
          ? "Revisá los permisos y el espacio en disco, o usá otra carpeta con BPOS_HOME."
          : "Revisá que exista la carpeta, los permisos y el espacio en disco.",
    },
    order_file_taken: {
      what: "{file} ya existe y no tiene este pedido.",
      why: "bpos nunca reemplaza un archivo de pedidos.",
      next: "Mové ese archivo a otro lado, o elegí otra carpeta con --out-dir: entonces se escribe el pedido.",
    },
    exec_failed: {
      what: (facts) =>
        ended(`\`${facts.command}\` ${execEnd(facts)}${facts.detail === "" ? "" : `: ${facts.detail}`}`),
      why: "El pedido {orderId} cuenta como no entregado, y el comando lo recibe de nuevo hasta que termine con 0.",
      next: ({ timedOutMs }) =>
        timedOutMs === null
          ? "Corregí el comando o lo que necesita."
          : "Hacé más rápido el comando, o dale más tiempo con --exec-timeout.",
      more: "El comando de --exec terminó con un código distinto de 0, tardó demasiado o no se pudo iniciar. Recibe el pedido de nuevo hasta que termine con 0, así que tiene que tolerar repetidos.",
    },
    printer_failed: {
      what: ({ printer, problem }) => ended(`${printer}: ${printerProblemWords(problem)}`),
      why: ({ maybe }) => (maybe ? "Puede que una parte esté en el papel." : "No se imprimió nada."),
      next: ({ problem }) => printerProblemNext(problem),
      more: "No se llegó a la impresora, no tiene papel o está abierta, cortó, o su dispositivo o su cola no aceptó los datos. Un watch vuelve a imprimir el pedido, con REIMPRESIÓN si una parte puede estar en el papel.",
    },
    port_busy: {
      what: ({ host, port, pid }) =>
        `El puerto ${port} de ${host} está en uso${pid === null ? "" : ` por otro \`bpos mock\`, el proceso ${pid}`}.`,
      why: "Ahí escucha otro programa, quizás otro `bpos mock` o `bpos campaign listen`.",
      next: "Pará ese programa, elegí otro puerto con --port N, o cualquiera libre con --port 0.",
    },
    port_denied: {
      what: "Sin permiso para escuchar en el puerto {port} de {host}.",
      why: "Los puertos por debajo del 1024 suelen estar reservados para el administrador.",
      next: "Elegí un puerto desde el 1024 con --port N, y dirigí hacia él un proxy inverso o un túnel.",
    },
    memory_short: {
      what: ({ detail = "" }) => `A bpos le falta memoria: ${ended(detailWords(detail))}`,
      why: "Un límite del proceso deja demasiado poca (`ulimit -v`, un contenedor, el hosting), o a la máquina no le queda. La red no tiene nada que ver. El trabajo en curso está en el registro.",
      next: "Subí el límite, o poné NODE_OPTIONS=--disable-wasm-trap-handler si lo limitado son las direcciones (`ulimit -v`); después corré el comando de nuevo.",
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
        `${fileName(file)}: ${times(rejected, "fila rechazada", "filas rechazadas")}.`,
      why: `--strict manda todas las filas o ninguna. ${nothingSent}`,
      next: "Corregí las filas de la lista, o sacá --strict para mandar las demás; --rejected ARCHIVO guarda estas.",
    },
    order_not_found: {
      what: "No existe el pedido {orderId}.",
      why: "No está en ninguno de los ocho estados de esta sucursal.",
      next: "Revisá el número con `bpos orders list --status all --all`, y la sucursal con -p NOMBRE. Puede que el servicio ya no liste pedidos viejos.",
    },
    send_not_found: {
      what: 'No existe el envío "{ref}".',
      why: "En este registro no hay ninguna campaña con esa referencia y esta clave.",
      next: "Revisá la referencia (`bpos campaign list`) y la sucursal (-p NOMBRE), o pasá un campaign_id: `bpos campaign status ID`.",
    },
    person_not_found: {
      what: "No hay ningún envío a {phone}.",
      why: "Ninguna campaña de este registro con esta clave incluyó a esta persona, se escriba como se escriba el teléfono.",
      next: "Revisá el teléfono y su país (--country AR), y la sucursal con -p NOMBRE. `bpos campaign status ID` lista los destinatarios de una campaña que se mandó desde otro lado.",
    },
    expected_other_count: {
      what: ({ expected, actual }) =>
        `Se le mandaría a ${times(actual, "destinatario", "destinatarios")}, no a ${expected}.`,
      why: `bpos manda solo a tantos como dice --expect, o como se confirmaron. ${nothingSent}`,
      next: "Con --dry-run ves quién queda afuera y por qué; después corré el comando con el --expect correcto.",
    },
    declined: {
      what: ({ of }) => (of === "send" ? nothingSent : "No se cambió nada."),
      why: "La respuesta a la pregunta fue no.",
      next: "Corré el comando de nuevo cuando quieras; --yes responde de antemano.",
    },
    ref_taken: {
      what: ({ ref, template, by }) =>
        `La referencia "${ref}" es de ${by === undefined ? `un envío de ${template}` : by === "test" ? "una prueba" : "un envío real"}.`,
      why: `Con una misma referencia, cada destinatario recibe un solo mensaje, con una plantilla en un idioma. ${nothingSent}`,
      next: "Elegí otra referencia con --ref; para resolver aquel envío, correlo de nuevo tal como estaba.",
    },
    repeat_within_day: {
      what: ({ people, ref, hoursAgo }) =>
        `${times(people, "destinatario ya recibió", "destinatarios ya recibieron")} esta plantilla hace ${hoursAgo < 1 ? "menos de una hora" : `${hoursAgo} h`}, con la referencia "${ref}".`,
      why: `Mandar la misma plantilla a la misma persona dentro de las 24 horas suele ser un error. ${nothingSent}`,
      next: ({ ref }) =>
        `Para llegar solo a los demás de un archivo corregido, usá --ref ${shellWord(ref)}; para mandarles de nuevo a todos, usá --allow-repeat.`,
    },
    nobody_to_test: {
      what: "No hay ningún destinatario con el que probar el mensaje.",
      why: `--test-to manda lo que recibiría la primera fila válida, y ninguna es válida. ${nothingSent}`,
      next: "Corregí una fila (--dry-run dice qué está mal) y corré el comando de nuevo.",
    },
    send_open: {
      what: 'Ningún lote del envío "{ref}" tiene respuesta todavía.',
      why: "Una llamada se interrumpió o quedó sin respuesta, así que no hay un campaign_id.",
      next: ({ ref }) =>
        `${resumed(ref)} lo resuelve con las mismas claves: nadie recibe el mensaje dos veces.`,
      more: "El envío se interrumpió antes de la primera respuesta, así que no hay un campaign_id. `bpos campaign resume` manda los mismos lotes con las mismas claves: nadie recibe el mensaje dos veces.",
    },
    too_late: {
      what: ({ notAfter }) => `Ya pasó el ${dates.time(notAfter)}: el resto no se mandó.`,
      why: "--not-after se fijó al confirmar el envío, y vale también para `bpos campaign resume`.",
      next: "`bpos campaign list` muestra qué se mandó. Para llegar a los demás, mandá el archivo de nuevo con la misma --ref y un --not-after posterior.",
    },
    too_late_unknown: {
      what: ({ notAfter }) =>
        `Ya pasó el ${dates.time(notAfter)}: los lotes sin respuesta no se reintentaron.`,
      why: "Un lote se mandó antes de esa hora y su resultado es desconocido; si se resuelve ahora, el mensaje podría llegar demasiado tarde.",
      next: "Mandá el archivo de nuevo con la misma --ref y un --not-after posterior para resolverlo, o preguntale a quien administra el servicio si llegó.",
    },
    repeat_held: {
      what: held,
      why: "Dentro de las 24 horas eso suele ser un error, así que los lotes con ellos no se mandaron.",
      next: ({ sendRef }) =>
        `Para mandarlos igual: \`bpos campaign resume ${shellWord(sendRef)} --allow-repeat\`. Para llegar a los demás: mandá el archivo de nuevo con --ref ${shellWord(sendRef)} y esos destinatarios en --exclude.`,
      more: "Con este envío sin terminar, algunos destinatarios recibieron la misma plantilla con otra referencia; los lotes con ellos quedaron retenidos. Retomalo con --allow-repeat para mandarlos igual, o mandá el archivo de nuevo con esos destinatarios en --exclude.",
    },
    repeat_held_unknown: {
      what: held,
      why: "Los lotes con ellos no se mandaron de nuevo. El resultado de algunos es desconocido.",
      next: ({ sendRef }) =>
        `Para mandarlos igual: \`bpos campaign resume ${shellWord(sendRef)} --allow-repeat\`; un lote que ya había llegado no se manda otra vez.`,
      more: "Como repeat_held, y el resultado de algunos lotes retenidos es desconocido. Retomalo con --allow-repeat: un lote que ya había llegado no se manda otra vez.",
    },
    excluded_in_open: {
      what: ({ ref, people }) =>
        `${times(people, "destinatario excluido está", "destinatarios excluidos están")} en un lote de "${ref}" de resultado desconocido.`,
      why: "Puede haberse mandado y ya no se puede cambiar. Ahora no se mandó nada.",
      next: ({ ref }) =>
        `${resumed(ref)} lo resuelve tal como estaba, y puede que les llegue; después mandá el archivo de nuevo.`,
      more: "Un destinatario de --exclude está en un lote de resultado desconocido, que ya no se puede cambiar. Resolvelo con `bpos campaign resume`, que puede mandarle el mensaje, y después mandá el archivo de nuevo.",
    },
    journal_write_failed: {
      ...said(writeFailedWords),
      more: "No se pudo escribir en el registro cuando parte de una subida o de un envío ya se había mandado, casi siempre porque el disco está lleno o no se llega a la base de datos. Corregí eso y subí el mismo archivo otra vez, o corré `bpos campaign resume`: nada se manda ni se aplica dos veces. Si otro bpos tomó su lugar, el mensaje lo nombra: dejalo terminar primero, y subí el archivo más nuevo.",
    },
    header_unusable: {
      what: ({ url, redirectedTo, problem }) =>
        `Archivo de encabezado ${url}${redirected(redirectedTo)}: ${headerProblemWords(problem).what}.`,
      why: `El servicio no podría usarlo. ${nothingSent}`,
      next: ({ problem }) => headerProblemWords(problem).next,
      more: "El archivo de --header-url no puede ser el encabezado de un mensaje: es de otro tipo, es demasiado grande, es una página web, o está donde el servicio no llega. Abrí la URL en una ventana privada del navegador: se tiene que abrir el archivo mismo.",
    },
    header_unreachable: {
      what: ({ url, redirectedTo, problem }) =>
        ended(
          `Archivo de encabezado ${url}${redirected(redirectedTo)}: ${headerUnreachableWords(problem).what}`,
        ),
      why: `No se pudo revisar desde esta máquina; puede estar bien igual. ${nothingSent}`,
      next: ({ problem }) =>
        `${headerUnreachableWords(problem).next} Con --no-preflight se manda sin revisarlo.`,
    },
  }),
};
