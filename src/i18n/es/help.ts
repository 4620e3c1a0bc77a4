import type { help as enHelp } from "../en/help.ts";
import { mockHelp, mockTalkHelp } from "./help-mock.ts";
import { healthHelp, openapiHelp, schemaHelp, statusHelp } from "./help-operations.ts";
import { optoutHelp } from "./help-optout.ts";
import { doctorHelp, initHelp, journalHelp, printerHelp, profileHelp } from "./help-setup.ts";

const anyFormat = "csv, json o ndjson, si el nombre del archivo no tiene una extensión conocida";
const oneJsonALine = "un objeto JSON por línea, para un programa";

/** The words of `--help`: what each command and flag is for, and the examples that come first. */
export const help: typeof enHelp = {
  program: "Pedidos, catálogo y campañas de un punto de venta, desde la línea de comandos.",
  programExamples: {
    "bpos demo": "un recorrido guiado, sin configurar nada",
    "bpos --mock orders list": "ensayar un comando con el mock incluido",
    "bpos orders watch -o ndjson": "entregarle cada pedido nuevo a tu programa",
    "bpos catalog push prices.csv": "subir una lista de precios, con informe de las filas rechazadas",
    "bpos campaign send customers.csv --template pedido_listo": "escribirles a los clientes",
  },
  onFailure:
    "correr este comando si el código de salida no es 0: informe por stdin; con BPOS_EXIT_CODE, BPOS_OUTCOME, BPOS_COMMAND",
  lockWait: "tiempo de espera por otro bpos que hace lo mismo en esta sucursal (por defecto, 60s)",
  hours: {
    between: "mandar solo entre estas horas del país de cada persona, como 09:00-21:00; los demás esperan",
    days: "y solo estos días, como mon-sat (lun-sab)",
    timeZone: "la zona horaria que vale en un país que tiene varias; se puede repetir",
  },
  flags: {
    profile: "perfil de la sucursal que se usa",
    mock: "usar el mock incluido: sin configurar nada, y nada es real",
    output: "table, json, ndjson o csv",
    json: "lo mismo que -o json",
    jq: "filtrar el JSON con este programa de jq; los textos salen sin comillas (implica -o json)",
    fields: "solo estos campos de una lista, en este orden: a,b,c (nombres del JSON)",
    quiet: "sin avisos; si todo salió bien, tampoco el informe",
    verbose:
      "mostrar las llamadas por stderr; con -vv, también encabezados y cuerpos, con la clave y los datos de personas ocultos",
    curl: "mostrar las llamadas por stderr como comandos de curl, la clave como $BPOS_API_KEY, datos de personas ocultos; con --dry-run, lo que se mandaría",
    logFormat: "text, o json: cada línea de stderr es un objeto y no se pregunta nada (o BPOS_LOG_FORMAT)",
    color: "sin colores",
    input: "no preguntar nunca",
    timeout: "tiempo máximo de una llamada (por defecto, 30s)",
    retries: "reintentos de una llamada que falló (por defecto, 4)",
    caFile: "confiar también en los certificados de este archivo PEM",
    baseUrl: "dirección de los pedidos y del catálogo",
    campaignsUrl: "dirección de las campañas",
    apiKeyFile: "leer la clave (API key) de un archivo; - es la entrada estándar",
    lang: "idioma de los textos: en, es, o es-AR con las palabras de Argentina (por defecto, BPOS_LANG y después el del sistema)",
    version: "mostrar la versión",
    help: "mostrar esta ayuda",
  },
  orders: {
    description: "Listar, ver y recibir pedidos",
    examples: { "bpos orders list": "pedidos en estado pendiente" },
    list: {
      description: "Listar pedidos por estado, el más viejo primero",
      status: "uno o más estados, o all (por defecto, pendiente)",
      since: "creados después de 31/1/2026 (primero el día), 2026-01-31T08:00:00-03:00, 2h, hoy o ayer",
      page: "número de página, de 20 pedidos",
      all: "todas las páginas",
      limit: "cantidad máxima de pedidos",
      examples: {
        "bpos orders list": "pedidos en estado pendiente",
        "bpos orders list --status all --since today --all --json":
          "todos los pedidos de hoy, para un script",
      },
    },
    show: {
      description: "Mostrar un pedido como comanda",
      id: "número del pedido",
      print: "imprimirlo también como ticket",
      examples: {
        "bpos orders show 1042": "en el estado que esté",
        "bpos orders show 1042 --print": "en la impresora del perfil",
      },
    },
    watch: {
      description:
        "Consultar y entregar cada pedido nuevo una vez a cada salida; después de un corte, quizás otra vez, marcado repeated",
      interval:
        "tiempo entre consultas (por defecto, 60s; con un mock local, 3s; menos de 10s pide --mock o --force)",
      once: "consultar una vez y terminar",
      consumer:
        'nombre con el que se guarda el avance; cada consumidor recibe todos los pedidos (por defecto, "default")',
      outDir: "escribir cada pedido en ORDER_ID.json dentro de esta carpeta",
      exec: "correr este comando con cada pedido: JSON por stdin; con BPOS_ORDER_ID, BPOS_BRANCH, BPOS_EVENT",
      execTimeout: "tiempo máximo del comando con un pedido (por defecto, 30s)",
      execChanges: "correrlo también con order.changed: otro estado, o una modificación",
      printer:
        "imprimir cada pedido nuevo, cancelado o modificado: tcp://HOST[:PUERTO], file:DISPOSITIVO o lp:COLA; sin valor, lo del perfil",
      bell: "no hacer sonar el timbre de la terminal con pedidos nuevos o modificados",
      notify: "mostrar una notificación de escritorio con cada pedido nuevo",
      late: "sonar otra vez y avisar cuando un pedido espera en pendiente más que esto, por ejemplo 10m",
      compact:
        "una línea por pedido: en una terminal, una pantalla con los pedidos que esperan; en un pipe, una línea con cada pedido nuevo",
      skipExisting: "omitir los pedidos anteriores a la primera ejecución de este consumidor",
      allProfiles: "vigilar las sucursales de todos los perfiles en un solo proceso",
      standby: "si otro proceso ya vigila, esperar, y tomar su lugar en menos de 5s cuando termine",
      force: "permitir un intervalo de menos de 10s",
      examples: {
        "bpos orders watch": "comandas en esta pantalla, hasta Ctrl-C",
        "bpos orders watch --compact --late 10m":
          "los pedidos que esperan, una línea cada uno; en rojo después de diez minutos",
        "bpos orders watch --printer tcp://192.168.1.50":
          "cada pedido nuevo en papel; los cancelados también",
        "bpos orders watch --once --out-dir orders -q": "desde cron: un archivo por pedido",
        "bpos orders watch -o ndjson": oneJsonALine,
      },
    },
    forget: {
      description: "Descartar los pedidos que una salida de orders watch no recibió; pregunta antes",
      output: "la salida, con el nombre de su opción (o stdout)",
      consumer: 'consumidor de los pedidos que se descartan (por defecto, "default")',
      yes: "no preguntar",
      examples: {
        "bpos orders forget --output printer": "los pedidos que esperan a una impresora que ya no está",
        "bpos orders forget --output exec --consumer erp --yes": "sin preguntar, de otro consumidor",
      },
    },
  },
  catalog: {
    description: "Revisar y subir productos",
    examples: { "bpos catalog check prices.csv": "ver qué se mandaría y qué está mal" },
    check: {
      description: "Informar qué mandaría un archivo de catálogo y qué está mal, sin usar la red",
      force: "reemplazar el archivo",
      strict: "terminar con 3 también si un producto no tiene precio",
      fixed: "escribir en este archivo las filas válidas, listas para subir",
      examples: {
        "bpos catalog check prices.csv": "cómo se lee, los primeros productos, cada problema con su línea",
        "bpos catalog check prices.csv --fixed clean.csv": "escribir además una copia limpia",
      },
    },
    delete: {
      description: "Dar de baja productos",
      codes: "códigos de productos",
      file: "archivo CSV, Excel (.xlsx), JSON o NDJSON con una columna de códigos; - es la entrada estándar",
      map: "la columna de los códigos, por ejemplo codigo=SKU",
      rejected:
        "escribir los códigos rechazados en este archivo, una ‹hoja de cálculo› si termina en .xlsx; ‹corrígelo› y ‹pásalo› con --file",
      force: "dar de baja aunque el reloj de esta máquina esté una hora adelantado",
      examples: {
        "bpos catalog delete PIZ-001 PIZ-002": "dar de baja dos productos",
        "bpos catalog delete --file gone.csv --dry-run": "ver los productos de un archivo",
      },
    },
    diff: {
      description: "Mostrar qué cambiaría la subida de un archivo, según el registro, sin mandar nada",
      exitCode: "terminar con 3 si algo cambia, y con 0 si no cambia nada",
      report: "escribir además todos los cambios en esta ‹hoja de cálculo› (.xlsx)",
      examples: {
        "bpos catalog diff prices.csv": "por categoría, primero los mayores cambios de precio",
        "bpos catalog diff prices.csv --exit-code -q": "para un script: 0 sin cambios, 3 con cambios",
      },
    },
    history: {
      description: "Listar las subidas del registro, la más nueva primero",
      limit: "cantidad máxima de subidas (por defecto, 20)",
      examples: { "bpos catalog history": "cada subida y su resultado" },
    },
    push: {
      description: "Subir un archivo de catálogo en lotes, con informe de las filas rechazadas",
      file: "archivo CSV, Excel (.xlsx), JSON o NDJSON; - es la entrada estándar",
      format: anyFormat,
      sheet: "hoja de ‹un libro› .xlsx que tiene varias",
      headerRow: "línea del encabezado, si no se encuentra sola",
      delimiter: "carácter entre celdas",
      encoding: "la codificación, por ejemplo windows-1252",
      decimal: "signo decimal de los precios, , o .",
      map: "pares campo=columna, por ejemplo codigo=SKU,precio=Importe; el perfil completa el resto",
      saveMap: "guardar esos pares en el perfil para los próximos archivos",
      onDuplicate: "cuál de dos filas distintas con el mismo codigo vale: first o last",
      batchSize: "productos por llamada (por defecto, 500)",
      inFlight: "lotes simultáneos, de 1 a 8 (por defecto, 1); con más de uno, todos llevan la misma marca",
      confirm: "mostrar qué cambia y preguntar antes de mandar",
      changedOnly: "dejar ‹fuera› las filas que el servicio ya confirmó",
      deactivateMissing: "dar de baja los productos que se confirmaron antes y no están en el archivo",
      maxDeactivate: "máximo para dar de baja: un porcentaje como 20%, o un número (por defecto, 20%)",
      maxPriceChange:
        "no mandar nada si un precio conocido en el registro sube o baja más que esto, por ejemplo 50%",
      force: "subir aunque el reloj de esta máquina esté una hora adelantado",
      storeId: "comprobar que sea la sucursal de la clave",
      dryRun: "leer y revisar, sin mandar nada",
      strict: "no mandar nada si hay alguna fila rechazada; terminar con 3 si un producto no tiene precio",
      rejected:
        "escribir las filas rechazadas en este archivo, una ‹hoja de cálculo› si termina en .xlsx; ‹corrígelo› y ‹súbelo›",
      examples: {
        "bpos catalog push prices.csv --dry-run": "ver qué se mandaría y qué está mal",
        "bpos catalog push prices.csv --rejected rejected.csv": "después ‹corrige› rejected.csv y ‹súbelo›",
        "export-prices | bpos catalog push - --format ndjson -q":
          "desde otro programa, en silencio si todo va bien",
      },
    },
    undo: {
      description: "Volver a subir los productos de una subida como eran antes de ella; pregunta antes",
      push: "id de una subida, o cómo empieza (por defecto, la última)",
      dryRun: "mostrar qué se mandaría, sin mandar nada",
      yes: "no preguntar",
      examples: {
        "bpos catalog undo --dry-run": "qué mandaría la inversa de la última subida",
        "bpos catalog undo 4c1f02ae": "de la subida cuyo id empieza así",
      },
    },
  },
  campaign: {
    description: "Mandar campañas y seguirlas",
    examples: { "bpos campaign send customers.csv --template pedido_listo": "pregunta antes de mandar" },
    send: {
      description: "Mandar una plantilla aprobada a los destinatarios de un archivo",
      file: "archivo CSV, Excel (.xlsx) o JSON con una columna de teléfono; - es la entrada estándar",
      template: "nombre exacto de una plantilla aprobada; hace falta esto o --template-id",
      templateId: "id de la plantilla, en vez de su nombre",
      language: "el idioma, por ejemplo es_AR, si la plantilla está en varios",
      ref: "tu referencia (por defecto, nombre del archivo y hash)",
      name: "nombre visible de la campaña",
      headerUrl: "dirección https pública de la imagen, el video o el PDF del encabezado",
      headerField: "nombre del campo de la llamada para --header-url",
      phoneColumn: "columna del teléfono",
      params: "columnas con las variables de la plantilla, en orden; '' si no tiene ninguna",
      country: "país de los teléfonos sin +, por ejemplo AR",
      fixPhones: "aplicar las correcciones que proponen los avisos",
      exclude:
        "dejar ‹fuera› a los destinatarios de este archivo, teléfonos solos o con encabezado; se puede repetir",
      errors:
        "escribir las filas que quedan ‹fuera› en este archivo, una ‹hoja de cálculo› si termina en .xlsx; ‹corrígelo› y ‹mándalo› con la misma --ref",
      format: anyFormat,
      sheet: "hoja de ‹un libro› .xlsx que tiene varias; también de los archivos de --exclude que la tienen",
      headerRow: "línea del encabezado, si no se encuentra sola",
      delimiter: "carácter entre celdas",
      encoding: "la codificación, por ejemplo windows-1252",
      dryRun: "mostrar qué se mandaría, sin mandar nada",
      yes: "no preguntar",
      expect: "mandar solo si los destinatarios son exactamente esta cantidad",
      testTo: "mandar solo el mensaje de la primera fila, a este teléfono, como prueba",
      templateText:
        "archivo con el texto de la plantilla, con {{1}} para sus variables, para ver el mensaje antes de mandarlo",
      trackAll: "lotes de 100 destinatarios, así el servicio los lista a todos en el estado",
      inFlight: "lotes simultáneos, de 1 a 8 (por defecto, 1); una muestra sale de a un lote",
      onlyFailedOf: "del archivo, solo a quienes el envío con esta referencia no llegó, según el servicio",
      notAfter: "dejar de mandar después de esta hora: 15:00, 2h (desde ahora) o una hora ISO",
      at: 'empezar a esta hora: 15:00, 2h (desde ahora), "2030-12-01 10:00" o una hora ISO',
      pace: "repartir los lotes en tantos destinatarios: 300/h, 10/min o 2/s",
      canary:
        "mandar primero a este porcentaje o número de destinatarios, sorteados por la referencia, y al resto si fallan pocos",
      canaryWait: "cuánto esperar el estado de la muestra (por defecto, 10m)",
      maxFailed: "porcentaje o número de la muestra que puede fallar (por defecto, 10%)",
      noPreflight: "no descargar el archivo de --header-url para revisarlo",
      allowRepeat: "mandar también a quien recibió esta plantilla hace menos de 24 h con otra referencia",
      examples: {
        "bpos campaign send customers.csv --template pedido_listo --dry-run": "ver a quién le llegaría qué",
        "bpos campaign send customers.csv --template pedido_listo --yes --json": "desde un script",
        "bpos campaign send customers.csv --template pedido_listo --between 09:00-21:00 --days mon-sat --canary 5%":
          "en un horario que no moleste, con una muestra",
      },
    },
    resume: {
      description: "Terminar envíos interrumpidos, con las mismas claves: nadie recibe el mensaje dos veces",
      send: "id o referencia de un envío (por defecto, todos los que no terminaron)",
      allowRepeat: "mandar también a quien recibió esta plantilla mientras tanto con otra referencia",
      ignoreCanary: "mandar el resto, sea cual sea el resultado de la muestra, también si queda desconocido",
      inFlight: "lotes simultáneos, de 1 a 8 (por defecto, 1); una muestra o un ritmo sale de a un lote",
      examples: {
        "bpos campaign resume": "todos los envíos que no terminaron",
        "bpos campaign resume enero-1f2e3d4c": "el envío con esa referencia",
      },
    },
    status: {
      description: "Mostrar las cantidades y los destinatarios de una campaña",
      ids: "ids de campañas; un teléfono con su + muestra lo que se le mandó a esa persona, como campaign find",
      ref: "las campañas del registro con esta referencia",
      only: "solo los destinatarios en estos estados, por ejemplo failed,pending",
      watch:
        "consultar cada 5s a 60s hasta que todos los estados sean definitivos: nadie sin enviar, ninguno de la lista en enviado",
      wait: "como --watch, este tiempo como mucho, por ejemplo 10m; si no alcanza, termina con 8",
      examples: {
        "bpos campaign status cmp_1": "una campaña",
        "bpos campaign status --ref enero --watch":
          "todos los lotes de un envío, hasta que todos los estados sean definitivos o Ctrl-C",
        "bpos campaign status --ref enero --wait 10m --only failed -o csv":
          "a quién no le llegó, para un script",
        "bpos campaign status --ref enero -o csv": "una línea por destinatario, para una hoja de cálculo",
      },
    },
    find: {
      description: "Mostrar todo lo que se le mandó a una persona: su estado ahora y lo que respondió",
      phone: "teléfono, escrito de cualquier forma",
      country: "país de un teléfono sin +, por ejemplo AR",
      examples: {
        "bpos campaign find +5491155550101": "qué recibió y qué respondió esta persona",
        "bpos campaign find 011 15 5555-0101 --country AR": "como lo marca la gente",
      },
    },
    list: {
      description: "Listar los envíos del registro, el más nuevo primero, sin consultar al servicio",
      limit: "cantidad máxima de envíos (por defecto, 20)",
      examples: {
        "bpos campaign list": "cada envío, su tamaño y si terminó",
        "bpos campaign list -o csv": "una línea por envío con sus cantidades, para una hoja de cálculo",
      },
    },
    listen: {
      description:
        "Recibir las respuestas que manda el servicio y mostrar cada una con su envío, hasta Ctrl-C",
      port: "puerto donde escuchar, 0 para cualquiera libre (por defecto, 4020)",
      host: "dirección donde escuchar (por defecto, 127.0.0.1)",
      exec: "correr este comando con cada respuesta: JSON por stdin; con BPOS_CAMPAIGN_ID, BPOS_EXTERNAL_REF, BPOS_PHONE",
      forwardTo: "reenviar ahí cada respuesta sin cambios, hasta recibir un 2xx",
      optOutWords:
        "más palabras que, como mensaje entero, dan de baja a una persona, una por línea, además de BAJA, STOP y similares",
      publicUrl:
        "dirección pública de un túnel o proxy inverso que lleva ‹aquí›: se acepta también su nombre de servidor",
      trustAnyHost: "aceptar cualquier nombre de servidor, para un túnel que manda el suyo",
      secretFile:
        "aceptar solo lo que llega a una ruta que termina en /SECRETO, guardado en este archivo (o BPOS_WEBHOOK_SECRET)",
      examples: {
        "bpos campaign listen":
          "respuestas en esta pantalla; ‹ensaya› con bpos mock --webhook-url http://127.0.0.1:4020/",
        "bpos campaign listen --exec ./reply.sh -q": "a un comando, que se reintenta hasta que termine con 0",
        "bpos campaign listen -o ndjson": oneJsonALine,
        "bpos campaign listen --public-url https://hooks.example.com/bpos/ --secret-file secret.txt":
          "detrás de un proxy inverso, solo para el servicio",
      },
    },
    optout: optoutHelp,
  },
  mock: mockHelp,
  mockTalk: mockTalkHelp,
  demo: {
    description: "Hacer un recorrido guiado con el mock incluido",
    yes: "no esperar Enter entre las escenas: menos de 15 segundos",
    examples: { "bpos demo": "no necesita clave ni red" },
  },
  init: initHelp,
  profile: profileHelp,
  printer: printerHelp,
  doctor: doctorHelp,
  health: healthHelp,
  status: statusHelp,
  journal: journalHelp,
  openapi: openapiHelp,
  schema: schemaHelp,
};
