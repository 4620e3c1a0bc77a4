import { printerProblemNext, printerProblemWords } from "../../errors/words/printer.ts";
import { keyCommandWords } from "../../errors/words/profiles.ts";
import { spokenFlag } from "../../texts/flags.ts";
import { textsIn } from "../../texts/texts.ts";
import type { ErrorTexts } from "../shapes.ts";
import { defineReasons, joinReasons, knownOfReasons, type LocalReason, pathWords } from "../shared/errors.ts";
import {
  caFileWords,
  callErrors,
  clientCertWords,
  detailWords,
  execEnd,
  program,
  worldWords,
} from "./call-errors.ts";
import { campaignErrors } from "./campaign-errors.ts";
import { fileName, fileWords } from "./files.ts";
import { dates } from "./general.ts";
import { headerProblemWords, headerUnreachableWords } from "./header.ts";
import { copyWords, journalErrors } from "./journal.ts";
import { layoutWords } from "./layout.ts";
import { usageWords } from "./usage.ts";

const t = textsIn("es");

const known = knownOfReasons({
  layout: layoutWords,
  caFile: caFileWords,
  clientCert: clientCertWords,
  copy: copyWords,
  detail: detailWords,
  execEnd,
  program,
  file: fileName,
  fileProblem: fileWords,
  header: headerProblemWords,
  keyCommand: (problem) => keyCommandWords(problem, t),
  path: pathWords("{path} (modo {mode})"),
  printer: (problem) => printerProblemWords(problem, t),
  printerNext: (problem) => printerProblemNext(problem, t),
  spoken: (flag) => spokenFlag(flag, t),
  time: dates.time,
  unreachable: headerUnreachableWords,
  usage: usageWords,
  world: worldWords,
  and: "y",
  stdin: "la entrada estándar",
});

const localErrors = defineReasons<LocalReason>()(known)({
  bug: {
    what: "Falla inesperada: {detail}.",
    why: "Es un defecto de bpos, no de tus datos.",
    next: "‹Corre› el comando de nuevo con --verbose e ‹informa› la salida y `bpos --version`. Antes ‹revisa› que no tenga nombres ni teléfonos de clientes.",
  },
  usage_flag: {
    more: "Una opción o un argumento no existe, falta, tiene un valor no válido o excluye a otro. El mensaje dice cuál; --help después del comando los muestra todos.",
  },
  not_a_terminal: {
    what: {
      isWish: "{flag} pregunta, y no hay una terminal donde preguntar.",
      isFlag: "Falta {flag}, y no hay una terminal donde preguntar.",
      else: "Faltan las respuestas, y no hay una terminal donde preguntar.",
    },
    why: "bpos solo pregunta en una terminal, fuera de CI y sin --no-input.",
    next: {
      isWish: "‹Deja› {flag} ‹fuera›; --dry-run muestra lo mismo.",
      else: "‹Responde› de antemano con {flag}.",
    },
  },
  address_missing: {
    what: "Falta la dirección del servicio ({which}).",
    why: {
      profile: 'No está en {flag}, ni en {variable}, ni en el perfil "{profile}".',
      else: "No está en {flag}, ni en {variable}, ni en un perfil.",
    },
    next: {
      profile:
        "‹Pásala› con {flag} URL o en {variable}, ‹agrégala› a ese perfil con `bpos profile add {profile:shell} --update {flag} URL`, o ‹ensaya› con --mock.",
      else: "‹Pásala› con {flag} URL o en {variable}, ‹nombra› un perfil con -p NOMBRE, ‹crea› uno con `bpos init`, o ‹ensaya› con --mock.",
    },
    more: "Los pedidos y el catálogo tienen una dirección (base_url), las campañas otra (campaigns_base_url). ‹Pásala› como opción (--base-url, --campaigns-url), en el entorno (BPOS_BASE_URL, BPOS_CAMPAIGNS_URL) o en un perfil. Con --mock no hace falta.",
  },
  key_missing: {
    what: "Falta la clave (API key).",
    why: {
      profile: 'No está en el entorno ni en el perfil "{profile}".',
      else: "No está en el entorno ni en un perfil.",
    },
    next: {
      profile:
        "‹Pon› BPOS_API_KEY, ‹agrégala› a ese perfil con `bpos profile add {profile:shell} --update --api-key-file ARCHIVO`, o ‹ensaya› con --mock.",
      else: "‹Pon› BPOS_API_KEY, ‹nombra› un perfil que tenga una con -p NOMBRE, ‹crea› uno con `bpos init`, o ‹ensaya› con --mock.",
    },
    more: "Cada llamada necesita la clave de una sucursal. ‹Pon› BPOS_API_KEY, ‹pasa› --api-key-file, o ‹guarda› la clave en un perfil. Con --mock no hace falta. Ninguna opción recibe la clave misma: otros usuarios de la máquina podrían verla.",
  },
  key_unreadable: {
    what: "No hay una clave en {source}: {detail}.",
    why: "El archivo tiene que tener solo la clave, en una línea de 512 caracteres como mucho, sin acentos.",
    next: {
      isKey:
        "--api-key-file recibe el nombre de un archivo: ‹guarda› la clave en uno. BPOS_API_KEY no necesita archivo, y --mock no necesita clave.",
      else: "‹Corrige› el archivo, ‹usa› BPOS_API_KEY, o ‹ensaya› con --mock.",
    },
  },
  secret_unusable: {
    what: "No hay un secreto del webhook en {source}: {detail}.",
    why: "Sin el secreto, cualquiera podría mandar respuestas.",
    next: "‹Genera› uno con `openssl rand -hex 24` en un archivo de modo 0600, y dale al servicio una dirección que termine en /SECRETO.",
  },
  tls_unchecked: {
    what: "NODE_TLS_REJECT_UNAUTHORIZED=0 está en el entorno, y {origin} no es esta máquina.",
    why: "Node aceptaría cualquier certificado, y alguien en el medio podría leer la clave y los pedidos.",
    next: "‹Quita› NODE_TLS_REJECT_UNAUTHORIZED del entorno. Para aceptar un certificado propio, ‹usa› --ca-file ARCHIVO.",
  },
  key_command_failed: {
    what: 'key_command del perfil "{profile}": {problem}.',
    why: "El perfil toma la clave de la primera línea que muestra ese comando.",
    next: "‹Corre› ese comando a mano; puede que haya que desbloquear el gestor de contraseñas. Con BPOS_API_KEY no hace falta.",
  },
  profile_missing: {
    what: 'No existe el perfil "{name}".',
    why: {
      known: 'En {file} están: {known}.[ ¿Quisiste decir "{similar}"?]',
      else: "{file} no tiene ningún perfil.",
    },
    next: {
      known: {
        isArgument:
          "‹Nombra› uno de esos, o ‹agrega› un perfil con `bpos init` o `bpos profile add NOMBRE --base-url URL --api-key-file ARCHIVO`.",
        else: "‹Nombra› uno de esos con -p NOMBRE, ‹crea› este con `bpos init`, o ‹usa› BPOS_API_KEY o --mock.",
      },
      else: "‹Crea› uno con `bpos init`, o ‹usa› BPOS_API_KEY o --mock.",
    },
    more: "Ningún perfil tiene el nombre que se indicó con -p, con BPOS_PROFILE o en el archivo. `bpos profile list` muestra los perfiles.",
  },
  profiles_none: {
    what: "--all-profiles no encontró ningún perfil en {file}.",
    why: "La dirección y la clave de cada sucursal salen de su perfil.",
    next: "‹Crea› uno por sucursal con `bpos init`, o ‹quita› --all-profiles.",
  },
  station_not_found: {
    what: 'La estación "{name}" no existe.',
    why: {
      similar: 'La más parecida es "{similar}".',
      known: "Las estaciones son {known}.",
      else: "El perfil no tiene estaciones.",
    },
    next: "`bpos profile station list` las muestra.",
    more: "El perfil no tiene ninguna estación con ese nombre. `bpos profile station list` muestra las que tiene.",
  },
  config_open: {
    what: {
      strange: "{strange} es de otro usuario de esta máquina[ (id {owner})].",
      else: "Otros usuarios de esta máquina pueden usar {paths}.",
    },
    why: "El archivo de perfiles tiene claves, y solo ‹tú› deberías poder leerlo o cambiarlo.",
    next: {
      strange: "‹Corre› bpos con ese usuario, o ‹define› BPOS_HOME con una carpeta tuya.",
      else: "‹Corre› `{command}`.",
    },
  },
  config_unreadable: {
    why: "Ese archivo guarda los perfiles, y no se puede usar.",
    next: "‹Corrige› el archivo, o ‹muévelo› a otro lado: BPOS_API_KEY y las opciones funcionan sin perfiles.",
  },
  copy_refused: {
    why: "La copia tiene que ser el registro entero, y el único en uso: si no, alguien podría recibir un mensaje dos veces.",
    more: "`bpos journal copy` necesita un registro con el que no trabaje ningún proceso, y una base vacía o con una copia sin terminar de ese registro.",
  },
  world_unusable: {
    why: "El mock guarda su mundo en ese archivo. No tiene ningún pedido real.",
  },
  layout_unusable: {
    more: "Un diseño de tickets tiene una clave o un valor que bpos no conoce, no se puede imprimir su logo, o dejaría fuera una parte que la cocina necesita.",
  },
  proxy_unusable: {
    what: {
      scheme: "{variable} nombra un proxy {scheme}://, y bpos solo admite http:// y https://.",
      else: "{variable} no tiene la dirección de un proxy.",
    },
    next: "‹Pon› {variable} como http://HOST:PUERTO o http://USUARIO:CONTRASEÑA@HOST:PUERTO (con los caracteres especiales codificados con %), ‹quítala› del entorno, o ‹agrega› el host del servicio a NO_PROXY.",
    more: "HTTPS_PROXY o HTTP_PROXY no tiene una dirección que bpos pueda usar. ‹Ponla› como http://HOST:PUERTO, con USUARIO:CONTRASEÑA@ antes del host si el proxy lo pide, o ‹quítala› del entorno.",
  },
  ca_file_unusable: {
    why: "El archivo de --ca-file tiene que tener certificados en formato PEM.",
  },
  client_cert_unusable: {
    why: "El certificado de cliente y su clave son archivos PEM: --client-cert y --client-key, o client_cert y client_key del perfil.",
  },
  clock_ahead: {
    what: "El reloj de esta máquina está {minutes} minutos adelantado respecto del reloj del servicio.",
    why: {
      stamped:
        "El servicio ‹no informó su hora hasta› la primera respuesta. Ese lote lleva la marca {stamped}; no se mandó ningún otro.",
      else: "Un precio marcado con una hora futura les gana a todos los que se manden hasta esa hora.",
    },
    next: {
      stamped:
        "‹Ajusta la hora de› esta máquina y ‹sube› el archivo de nuevo desde ‹aquí›: hasta esa hora, los precios que manden otras máquinas para esos productos cuentan como viejos.",
      else: "‹Ajusta la hora de› esta máquina. Si el reloj incorrecto es el del servicio, ‹corre› el comando de nuevo con --force.",
    },
    more: "Un precio marcado con una hora futura les ganaría a todos los que se manden hasta entonces. ‹Ajusta la hora de› esta máquina, preferentemente por la red. Solo si el reloj incorrecto es el del servicio, ‹sube› con --force.",
  },
  rows_unreadable: {
    what: "{rows|fila no tiene|filas no tienen} un código legible.",
    why: "--deactivate-missing da de baja los productos que no están en el archivo, y una fila así puede ser uno de ellos.",
    next: "‹Corrige› esas filas (`bpos catalog check` las nombra), o ‹sube› el archivo sin --deactivate-missing.",
  },
  too_many_missing: {
    what: {
      isUndo:
        "Daría de baja {missing} de los {known} productos que tiene el servicio, y se pueden dar de baja {limit} como mucho.",
      else: "{missing} de los {known} productos que tiene el servicio no {missing?está|están} en el archivo, y se pueden dar de baja {limit} como mucho.",
    },
    why: {
      isUndo: "Esa subida los puso a la venta.",
      else: "Suele ser una exportación cortada.",
    },
    next: {
      isUndo: "Si es lo que ‹quieres›, ‹permite› más con --max-deactivate N o con un porcentaje como 50%.",
      else: "‹Revisa› que el archivo esté completo. Si lo está, ‹permite› más con --max-deactivate N o con un porcentaje como 50%.",
    },
    more: "Se darían de baja más productos de los que permite --max-deactivate (20% si no se indica). En una subida con --deactivate-missing suele ser una exportación cortada; al deshacer una subida, que esta puso muchos productos a la venta. No se mandó nada; --max-deactivate N o un porcentaje como 50% permite más.",
  },
  push_not_found: {
    what: {
      push: 'El registro de esta máquina no tiene la subida "{push}".',
      else: "El registro de esta máquina no tiene ninguna subida para deshacer.",
    },
    why: {
      push: "Las subidas están solo en el registro. Ninguna de esta sucursal tiene ese id, o hay varias que empiezan así.",
      else: "Las subidas están solo en el registro, y no tiene ninguna de esta sucursal.",
    },
    next: "`bpos catalog history --fields push_id,at,file` las lista; -p NOMBRE elige la sucursal. La que hizo otra máquina se deshace en ella.",
    more: "Una subida está solo en el registro de la máquina que la hizo. Ninguna de esta sucursal tiene ese id, o hay varias que empiezan así.",
  },
  push_not_kept: {
    what: 'Este registro no sabe cómo eran los productos antes de la subida "{push}".',
    why: "Lo guarda de las últimas 50 subidas de una sucursal, y de las de más de 5000 productos solo después de usar --changed-only.",
    next: "‹Vuelve› a subir la lista anterior.",
  },
  price_change_too_large: {
    what: "{count|precio conocido cambiaría|precios conocidos cambiarían} más de {limit}[, {count?el|sobre todo el} de {codigo}, de {before} a {after}].",
    why: "Suele ser un signo decimal, una columna o una unidad equivocada.",
    next: "‹Revisa› esas filas. Si los precios están bien, ‹sube› el archivo con un --max-price-change más alto, o sin él.",
  },
  output_unwritable: {
    what: {
      isOwn: "No se pudo escribir {file}: {detail}.",
      else: "No se pudo escribir {file}: {detail}. Lo que se mandó antes ya está mandado, y quedó en el registro.",
    },
    next: {
      isOwn: "‹Revisa› los permisos y el espacio en disco, o ‹usa› otra carpeta con BPOS_HOME.",
      else: "‹Revisa› que la carpeta exista, sus permisos y el espacio en disco.",
    },
    more: "No se pudo escribir un archivo o la salida. Lo que se mandó antes ya está mandado, y quedó en el registro.",
  },
  order_file_taken: {
    what: "{file} ya existe y no tiene este pedido.",
    why: "bpos nunca reemplaza un archivo de pedidos.",
    next: "‹Mueve› ese archivo a otro lado, o ‹elige› otra carpeta con --out-dir: ahí bpos escribe el pedido.",
  },
  exec_failed: {
    next: {
      timedOutMs:
        "‹Haz› más rápido el comando, o dale más tiempo con --exec-timeout. Hasta que termine con 0, bpos lo corre de nuevo para el pedido {orderId}.",
      else: "‹Corrige› el comando o lo que necesita. Hasta que termine con 0, bpos lo corre de nuevo para el pedido {orderId}.",
    },
    more: "El comando de --exec terminó con un código distinto de 0, tardó demasiado o no se pudo iniciar. Recibe el pedido de nuevo hasta que termine con 0, así que tiene que tolerar repetidos.",
  },
  printer_failed: {
    what: {
      maybe: "{problem} Puede que una parte esté en el papel.",
      else: "{problem} No se imprimió nada.",
    },
    more: "No se llegó a la impresora, no tiene papel, tiene la tapa abierta o cortó la conexión, o su dispositivo o su cola no aceptó los datos. Un watch vuelve a imprimir el pedido, con REIMPRESIÓN si una parte puede estar en el papel.",
  },
  port_busy: {
    what: "El puerto {port} de {host} está en uso[ por el proceso {pid}].",
    why: {
      pid: "Quizás sea otro bpos.",
      else: "Ahí escucha otro programa, quizás otro bpos. `lsof -i :{port}` dice cuál, en Windows `netstat -ano`.",
    },
    next: "‹Detén› ese programa, o ‹elige› otro puerto; 0 es cualquiera libre.",
    more: "Ahí escucha otro programa, quizás otro bpos. `lsof -i :PUERTO` dice cuál, en Windows `netstat -ano`.",
  },
  port_denied: {
    what: "Sin permiso para escuchar en el puerto {port} de {host}.",
    why: "Los puertos por debajo del 1024 suelen estar reservados para el administrador.",
    next: "‹Elige› un puerto desde el 1024, y ‹dirige› hacia él un proxy inverso o un túnel.",
  },
  memory_short: {
    what: "A bpos le falta memoria: {detail}.",
    why: "Un límite del proceso deja demasiado poca (`ulimit -v`, un contenedor, el hosting), o a la máquina no le queda. La red no tiene nada que ver. El trabajo en curso está en el registro.",
    next: "‹Sube› el límite, o ‹pon› NODE_OPTIONS=--disable-wasm-trap-handler si solo está limitado el espacio de direcciones (`ulimit -v`); después ‹corre› el comando de nuevo.",
  },
  input_unreadable: {
    next: "‹Revisa› el nombre y los permisos; un nombre con espacios va entre comillas. - lee la entrada estándar.",
    more: "El archivo no existe, es una carpeta, o este usuario no lo puede leer.",
  },
  input_unusable: {
    what: "{file}[, línea {line}]: {problem}.",
    more: "El archivo se leyó, y el comando no lo puede usar. El mensaje dice por qué y muchas veces qué opción ayuda. `bpos catalog check` lee un catálogo sin mandar nada.",
  },
  rows_rejected_strict: {
    what: "{file}: {rejected|fila rechazada|filas rechazadas}.",
    why: "--strict manda todas las filas o ninguna.",
    next: "‹Corrige› las filas de la lista, o ‹quita› --strict para mandar las demás; --rejected ARCHIVO guarda estas.",
  },
  order_not_found: {
    what: "No existe el pedido {orderId}.",
    why: "No está en ninguno de los ocho estados de esta sucursal.",
    next: "‹Revisa› el número con `bpos orders list --status all --all`, y la sucursal con -p NOMBRE. Puede que el servicio ya no liste pedidos viejos.",
  },
  message_not_found: {
    what: {
      failed: "El mensaje a {phone} falló.",
      else: "No salió ningún mensaje a {phone}.",
    },
    why: "En un mock solo responde un teléfono que recibió un mensaje.",
    next: {
      reached: "‹Responde› como uno que lo recibió: {reached}.",
      else: "‹Manda› primero una campaña; con `bpos mock advance 5m` llegan sus mensajes.",
    },
  },
  send_not_found: {
    what: 'El registro de esta máquina no tiene el envío "{ref}".',
    why: "Se busca solo en el registro, para esta clave: el servicio encuentra una campaña solo por su id.",
    next: "‹Revisa› la referencia (`bpos campaign list`) y la sucursal (-p NOMBRE). Si lo mandó otra máquina, ‹corre› esto en ella, o ‹pregúntale› al servicio: `bpos campaign status ID` con su campaign_id.",
  },
  person_not_found: {
    what: "El registro de esta máquina no tiene ningún envío a {phone}.",
    why: "Se busca solo en el registro, para esta clave, se escriba como se escriba el teléfono: el servicio no encuentra a nadie por teléfono.",
    next: "‹Revisa› el teléfono (--country AR) y la sucursal (-p NOMBRE). Si lo mandó otra máquina, ‹corre› esto en ella, o ‹pregúntale› al servicio: `bpos campaign status ID` con su campaign_id.",
  },
  opt_out_not_found: {
    what: "El registro de esta máquina no tiene ninguna baja de {phone}.",
    why: "Las bajas están solo en el registro.",
    next: "‹Revisa› el teléfono y su país (--country AR); `bpos campaign optout list` muestra quiénes se dieron de baja.",
  },
  mock_not_found: {
    what: "El mock lo rechazó: {said}.",
    next: "`bpos mock fault --list` muestra las fallas con su id.",
    more: "El mundo del mock no tiene nada con ese id. `bpos mock fault --list` muestra las fallas con su id.",
  },
  expected_other_count: {
    what: "Se mandaría a {actual|destinatario|destinatarios}, no a {expected}.",
    why: "bpos manda solo a la cantidad que dice --expect, o que confirmaste.",
    next: "Con --dry-run ves quién queda ‹fuera› y por qué; después ‹corre› el comando con el --expect correcto.",
  },
  declined: {
    what: {
      of: {
        send: "No se mandó nada.",
        push: "No se mandó nada.",
        undo: "No se mandó nada.",
        else: "No se cambió nada.",
      },
    },
    why: "Respondiste que no.",
    next: "‹Corre› el comando de nuevo cuando quieras; --yes responde de antemano.",
  },
  header_unusable: {
    what: "Archivo de encabezado {url}[ (redirige a {redirectedTo})]: {problem}.",
    why: "El servicio no podría usarlo.",
    more: "El archivo de --header-url no puede ser el encabezado de un mensaje: es de otro tipo, es demasiado grande, es una página web, o está donde el servicio no llega. ‹Abre› la URL en una ventana privada del navegador: se tiene que abrir el archivo mismo.",
  },
  header_unreachable: {
    what: "Archivo de encabezado {url}[ (redirige a {redirectedTo})]: {problem}.",
    why: "No se pudo revisar desde esta máquina; puede estar bien ‹de todos modos›.",
    next: "{remedy} Con --no-preflight se manda sin revisarlo.",
  },
});

/** Every reason for which a command cannot go on. */
export const errors: ErrorTexts = joinReasons(
  joinReasons(callErrors, joinReasons(journalErrors, campaignErrors)),
  localErrors,
);
