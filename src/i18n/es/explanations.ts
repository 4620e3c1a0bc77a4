import type { Explanations } from "../shapes.ts";

const nothingTwice = "Nada se manda ni se aplica dos veces.";

/** What lies behind each reason, where the message itself has no room for it. */
export const explanations: Explanations = {
  bug: {
    cause:
      "Pasó algo que bpos no tiene previsto. Puede que lo haya disparado lo que le diste, pero la culpa no es tuya.",
    remedy:
      "Corré el comando de nuevo con --verbose y pasales la salida a quienes mantienen bpos, con el comando y `bpos --version`. Antes fijate que no tenga nombres ni teléfonos de clientes.",
  },
  usage_flag: {
    cause:
      "Una opción o un argumento no existe, falta, tiene un valor que no va, o no se lleva con otro. No se mandó nada.",
    remedy: "El mensaje dice cuál es. Con --help al final del comando ves todas, con ejemplos.",
  },
  not_a_terminal: {
    cause:
      "El comando quiere preguntar algo y nadie puede contestar: corre en un pipe, desde cron, en CI o con --no-input. No se mandó nada.",
    remedy: "Poné la opción que nombra el mensaje, que contesta de antemano; casi siempre es --yes.",
  },
  address_missing: {
    cause:
      "bpos no sabe la dirección del servicio. Los pedidos y el catálogo tienen una (base_url), las campañas otra (campaigns_base_url).",
    remedy:
      "Pasala como opción (--base-url, --campaigns-url), en el entorno (BPOS_BASE_URL, BPOS_CAMPAIGNS_URL) o en el perfil. Con --mock no hace falta.",
  },
  key_missing: {
    cause:
      "Toda llamada lleva la clave de una sucursal, y no está en BPOS_API_KEY, ni en un archivo, ni en un perfil.",
    remedy:
      "Poné BPOS_API_KEY, nombrá un archivo con --api-key-file, o guardá la clave en un perfil. Con --mock no hace falta. Ninguna opción lleva la clave misma: otros en la máquina podrían verla.",
  },
  key_unreadable: {
    cause:
      "El archivo de --api-key-file no se puede leer o está vacío, o lo que tiene no es una clave: más de 512 caracteres, varias líneas, o un carácter que no puede viajar en un encabezado HTTP, como una letra con acento.",
    remedy:
      "Mirá el archivo: tiene que estar la clave sola, en una línea. Copiala de nuevo de donde te la dieron.",
  },
  secret_unusable: {
    cause:
      "El secreto de `campaign listen`, de --secret-file o BPOS_WEBHOOK_SECRET, no se puede leer, o no es una línea de 8 a 512 caracteres con los que pueda terminar una dirección.",
    remedy:
      "Generá uno con `openssl rand -hex 24`, guardalo en un archivo de modo 0600, y dale al servicio una dirección que termine en /SECRETO.",
  },
  tls_unchecked: {
    cause:
      "En el entorno está NODE_TLS_REJECT_UNAUTHORIZED=0: Node aceptaría cualquier certificado, y cualquiera en el medio podría leer la clave.",
    remedy:
      "Sacá esa variable. El certificado en el que hay que confiar se nombra con --ca-file. En esta misma máquina (loopback) la variable se deja pasar.",
  },
  key_command_failed: {
    cause:
      "El perfil saca la clave de un comando (key_command), y ese comando terminó con error, tardó demasiado o no mostró ninguna clave.",
    remedy:
      "Corré ese comando a mano y fijate qué dice. Puede que haya que desbloquear el gestor de contraseñas.",
  },
  profile_missing: {
    cause: "Ningún perfil se llama como dice -p, BPOS_PROFILE o el que el archivo usa por defecto.",
    remedy: "El mensaje nombra los que hay. Corregí el nombre, o agregá el perfil.",
  },
  config_open: {
    cause:
      "El archivo de perfiles tiene claves, y sus permisos dejan que otros usuarios de esta máquina lo lean o lo cambien.",
    remedy: "Corré el comando que muestra el mensaje: deja el archivo solo para vos.",
  },
  config_unreadable: {
    cause: "El archivo de perfiles no es JSON, tiene un valor del tipo equivocado, o no se puede leer.",
    remedy:
      "Corregilo en un editor, o movelo a otro lado y armalo de nuevo. Mientras tanto, BPOS_API_KEY y las opciones funcionan sin él.",
  },
  journal_unreadable: {
    cause:
      "El registro no se puede abrir o escribir: falta permiso, el disco está lleno, o lo escribió un bpos más nuevo. Es lo que evita hacer algo dos veces, así que sin él no se manda nada.",
    remedy:
      "Hacé lugar, devolvele el permiso, o actualizá bpos. Con BPOS_HOME se usa otra carpeta, pero un registro nuevo no sabe lo que se hizo hasta ahora.",
  },
  journal_damaged: {
    cause:
      "El archivo que debería ser el registro está dañado o es otra cosa: un corte de luz, una copia hecha con bpos andando, un disco que falla. bpos lo deja como está y no manda nada.",
    remedy:
      "Pará todos los bpos y restaurá una copia de seguridad. Si no tenés, mové el archivo y los que están al lado (`-wal`, `-shm`): el próximo comando empieza un registro vacío, que no sabe qué pedidos se entregaron ni a quién se le escribió. Fijate eso antes de mandar.",
  },
  world_unusable: {
    cause:
      "El archivo donde el mock guarda su mundo está dañado, es de otra versión, o no se puede escribir.",
    remedy:
      "Movelo a otro lado, o nombrá otro con --data: ahí empieza un mundo nuevo. No tiene ningún pedido real.",
  },
  proxy_unusable: {
    cause:
      "La variable que nombra un proxy (HTTPS_PROXY, HTTP_PROXY) no tiene una dirección por la que bpos pueda pasar.",
    remedy:
      "Escribila como http://servidor:puerto, con usuario:contraseña@ adelante si el proxy lo pide; o sacala.",
  },
  ca_file_unusable: {
    cause: "El archivo de certificados no se puede leer, o lo que tiene no es un certificado en formato PEM.",
    remedy:
      "Un archivo PEM tiene líneas que dicen BEGIN CERTIFICATE. Pedile el certificado en ese formato a quien maneja la red o el proxy.",
  },
  locked: {
    cause:
      "Otro bpos está haciendo lo mismo para esta sucursal. Entre dos se entregarían pedidos repetidos, o se mezclarían dos listas de precios.",
    remedy:
      "Dejalo terminar, o cortalo: el mensaje nombra su proceso. Una subida puede esperarlo con --lock-wait; un watch aparte necesita --consumer.",
  },
  clock_ahead: {
    cause:
      "El reloj de esta máquina está muy adelantado respecto del servicio. Un precio con una hora marcada que todavía no llegó les ganaría a todos los siguientes hasta entonces.",
    remedy:
      "Poné en hora el reloj, mejor si es por la red. Solo si el que anda mal es el del servicio, mandá con --force.",
  },
  rows_unreadable: {
    cause:
      "--deactivate-missing da de baja los productos que no están en el archivo, y hay filas sin un código que se pueda leer: sus productos pueden ser esos.",
    remedy: "Corregí esas filas; `bpos catalog check` dice en qué líneas están.",
  },
  too_many_missing: {
    cause:
      "Faltan en el archivo más productos de los que permite --max-deactivate. Un archivo cortado al exportar se ve igual.",
    remedy: "Fijate que el archivo esté completo. Si de verdad son tantos, permitilo con --max-deactivate.",
  },
  ref_taken: {
    cause:
      "Con una misma referencia a cada persona se le escribe una sola vez, y esta es de un envío con otra plantilla o en otro idioma.",
    remedy: "Ponele a este envío una referencia propia con --ref.",
  },
  repeat_within_day: {
    cause: "Alguien del archivo recibió la misma plantilla en las últimas 24 horas, con otra referencia.",
    remedy:
      "Si corregiste un archivo, mandalo con la referencia que dice el mensaje: así les llega solo a los nuevos. Si es a propósito, poné --allow-repeat.",
  },
  nobody_to_test: {
    cause:
      "--test-to manda el mensaje de la primera fila que sirve a un teléfono tuyo, y no sirve ninguna fila.",
    remedy: "Corregí las filas; --dry-run muestra qué tiene cada una.",
  },
  send_open: {
    cause:
      "El envío se cortó antes de que el servicio contestara alguna llamada, así que no hay ningún campaign_id.",
    remedy: `\`bpos campaign resume\` manda las mismas llamadas con las mismas claves. ${nothingTwice}`,
  },
  repeat_held: {
    cause:
      "Mientras este envío esperaba para terminarse, gente de él recibió la misma plantilla con otra referencia. Las llamadas con esa gente quedaron frenadas.",
    remedy:
      "Retomalo con --allow-repeat para escribirles igual, o mandá el archivo de nuevo con esa gente en --exclude.",
  },
  repeat_held_unknown: {
    cause: "Como repeat_held, y algunas de las llamadas frenadas ya habían salido: no se sabe si llegaron.",
    remedy:
      "Retomalo con --allow-repeat. Las claves son las mismas, así que una llamada que había llegado no se hace de nuevo.",
  },
  excluded_in_open: {
    cause:
      "Alguien de --exclude está en una llamada que quizás ya salió. Lo que dice esa llamada ya no se puede cambiar.",
    remedy:
      "Resolvela con `bpos campaign resume`, que puede llegar a escribirle, y después mandá el archivo de nuevo.",
  },
  journal_write_failed: {
    cause:
      "No se pudo escribir en el registro cuando parte de una subida o de un envío ya había salido: casi siempre es el disco lleno. El informe dice qué aceptó el servicio; el registro puede tener menos.",
    remedy: `Hacé lugar y subí el mismo archivo otra vez, o corré \`bpos campaign resume\`: lo que no tiene respuesta en el registro sale con el mismo id o la misma clave. ${nothingTwice}`,
  },
  too_late: {
    cause: "La hora de --not-after llegó antes de que saliera todo. Lo que faltaba no se mandó.",
    remedy:
      "`bpos campaign list` muestra a quiénes les llegó. Para llegar igual a los demás, mandá el archivo de nuevo con el mismo --ref y un --not-after más tarde.",
  },
  too_late_unknown: {
    cause: "Ya pasó la hora de --not-after, y hay una llamada que salió antes sin una respuesta clara.",
    remedy:
      "Preguntales a los del servicio si llegó, o resolvela: mandá el archivo de nuevo con el mismo --ref y un --not-after más tarde.",
  },
  header_unusable: {
    cause:
      "El archivo de --header-url no puede ser el encabezado de un mensaje: es de otro tipo, es muy grande, hay una página web alrededor, o está en una dirección a la que el servicio no llega.",
    remedy:
      "El mensaje dice cuál de esas es. Abrí la URL en una ventana privada del navegador: se tiene que abrir el archivo solo.",
  },
  header_unreachable: {
    cause: "El archivo de --header-url no se pudo bajar desde esta máquina. Eso no prueba que esté mal.",
    remedy: "Probá más tarde, o mandá sin mirarlo antes: --no-preflight.",
  },
  output_unwritable: {
    cause:
      "Un archivo que había que escribir, o la salida estándar, no recibió nada: no hay carpeta, permiso o lugar.",
    remedy:
      "Arreglalo, o nombrá otro archivo. Lo que se mandó antes ya está mandado, y quedó en el registro.",
  },
  order_file_taken: {
    cause:
      "En la carpeta de --out-dir hay un archivo con el nombre de este pedido que no tiene un pedido adentro. bpos nunca lo pisa.",
    remedy: "Movelo a otro lado, o dale a bpos una carpeta propia.",
  },
  exec_failed: {
    cause:
      "El comando de --exec terminó con un código que no es 0, tardó demasiado, o no arrancó. El pedido cuenta como no entregado.",
    remedy:
      "Corregí el comando. El pedido se le da de nuevo hasta que termine con 0, así que tiene que soportar recibirlo dos veces.",
  },
  port_busy: {
    cause: "Otro programa está escuchando en ese puerto.",
    remedy: "Cortalo, elegí otro puerto con --port, o tomá uno libre cualquiera con --port 0.",
  },
  port_denied: {
    cause: "El sistema no deja que este usuario escuche en ese puerto; suele pasar por debajo del 1024.",
    remedy: "Elegí un puerto desde el 1024, y que un proxy inverso o un túnel lleve hasta ahí.",
  },
  input_unreadable: {
    cause: "El archivo no existe, es una carpeta, o este usuario no lo puede leer. No se mandó nada.",
    remedy:
      "Revisá el nombre y la carpeta. Un nombre con espacios va entre comillas; - es la entrada estándar.",
  },
  input_unusable: {
    cause: "El archivo se leyó, y no es lo que el comando espera. No se mandó nada.",
    remedy:
      "El mensaje dice qué tiene y muchas veces qué opción ayuda. `bpos catalog check` revisa un catálogo sin mandar nada.",
  },
  rows_rejected_strict: {
    cause: "--strict manda todas las filas o ninguna, y algunas no sirven.",
    remedy: "Corregilas, o sacá --strict: así se mandan las demás, y --rejected guarda estas.",
  },
  order_not_found: {
    cause: "El pedido no está en ninguno de los ocho estados entre los pedidos de esta sucursal.",
    remedy:
      "Revisá el número, y que la clave sea de la sucursal que recibió el pedido: con -p elegís otro perfil. Puede que el servicio ya no liste pedidos viejos.",
  },
  send_not_found: {
    cause: "En el registro de esta máquina no hay ningún envío con esa referencia hecho con esta clave.",
    remedy:
      "Mirá `bpos campaign list`. Por un envío hecho en otro lado se puede preguntar con su campaign_id.",
  },
  expected_other_count: {
    cause: "La cantidad de gente a la que se le escribiría no es la de --expect, o no es la que se aceptó.",
    remedy:
      "Con --dry-run ves quién queda afuera y por qué; después correlo de nuevo con el número correcto.",
  },
  declined: {
    cause: "A la pregunta se contestó que no. No se mandó nada.",
    remedy: "Corré el comando de nuevo cuando esté bien.",
  },
  access_denied: {
    cause:
      "El servicio contestó 401 o 403: la clave está mal, inactiva o es de otra sucursal, o el store_id no es el de la clave.",
    remedy:
      "Fijate qué clave se usa: BPOS_API_KEY va antes que un perfil, salvo que -p nombre uno. Si está bien, lo tienen que mirar los del servicio.",
  },
  input_refused: {
    cause: "El servicio contestó un 4xx: no acepta lo que se mandó. Esta llamada no se hizo.",
    remedy:
      "La respuesta dice qué le molesta. Con 404, revisá la dirección; si es una campaña, la plantilla, su idioma y sus variables.",
  },
  unavailable: {
    cause:
      "El servicio no contestó, o dijo que ahora no puede (408, 429, 5xx), y todos los reintentos terminaron igual. Lo que había que mandar no se aplicó.",
    remedy: `Correlo de nuevo más tarde. ${nothingTwice} Si sigue así, revisá la red, el proxy y la dirección.`,
  },
  unreadable_answer: {
    cause:
      "Algo contestó, pero no como el servicio: una página web, una respuesta vacía o cortada. Solo se estaba leyendo.",
    remedy:
      "Revisá la dirección: puede estar contestando el proxy de una empresa, la página de ingreso de un Wi-Fi u otro servicio. --verbose muestra cada llamada.",
  },
  outcome_unknown: {
    cause:
      "Un envío salió y no volvió una respuesta clara: puede que se haya hecho. Todo lo que se manda lleva una clave, y el servicio hace una sola vez lo que tiene la misma.",
    remedy: `Si era una subida de catálogo, corré el mismo comando con el mismo archivo; si era una campaña, \`bpos campaign resume\`. ${nothingTwice}`,
  },
  interrupted: {
    cause:
      "Ctrl-C, SIGTERM del sistema, o una terminal que se cerró (SIGHUP). bpos termina en orden: lo que se hizo queda anotado.",
    remedy: "Corré el comando de nuevo, o `bpos campaign resume` si era un envío: sigue donde estaba.",
  },
};
