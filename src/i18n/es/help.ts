import type { help as enHelp } from "../en/help.ts";
import { doctorHelp } from "./doctor.ts";
import { initHelp, profileHelp } from "./profiles.ts";

const anyFormat = "csv, json o ndjson, si el nombre del archivo no lo dice";
const oneJsonALine = "un objeto JSON por línea, para un programa que va leyendo";
const freePort = (usual: number): string =>
  `puerto donde escuchar; 0 usa uno que esté libre (por defecto, ${usual})`;
const host = "dirección donde escuchar (por defecto, 127.0.0.1)";
const howMany = "cuántos como mucho (por defecto, 20)";

/** The words of `--help`: what each command and flag is for, and the examples that come first. */
export const help: typeof enHelp = {
  program: "Pedidos, catálogo y campañas de un punto de venta, desde la línea de comandos.",
  programExamples: [
    ["bpos demo", "verlo todo en diez segundos, sin configurar nada"],
    ["bpos --mock orders list", "ensayar un comando con el mock incluido"],
    ["bpos orders watch -o ndjson", "entregarle cada pedido nuevo a tu programa"],
    ["bpos catalog push prices.csv", "mandar una lista de precios, con informe de las filas rechazadas"],
    ["bpos campaign send customers.csv --template pedido_listo", "escribirles a los clientes"],
  ],
  flags: {
    profile: "la sucursal, por el nombre de su perfil",
    mock: "usar el mock incluido: sin configurar nada, y nada es real",
    output: "table, json, ndjson o csv",
    json: "lo mismo que -o json",
    fields: "solo estos campos de una lista, en este orden: a,b,c con sus nombres del JSON",
    quiet: "sin avisos; si todo salió bien, tampoco el informe",
    verbose:
      "mostrar cada llamada por la salida de errores; dos veces (-vv), también encabezados y cuerpos, con la clave y los teléfonos tapados",
    curl: "mostrar cada llamada por la salida de errores como comando de curl, con $BPOS_API_KEY en lugar de la clave y el cuerpo tal cual, teléfonos incluidos; con --dry-run, lo que se mandaría",
    color: "sin colores",
    input: "no preguntar nunca nada",
    timeout: "cuánto puede tardar una llamada (por defecto, 30s)",
    retries: "cuántas veces se reintenta una llamada que falló (por defecto, 4)",
    caFile: "confiar también en los certificados de este archivo PEM, para una red con CA propia",
    baseUrl: "dirección de los pedidos y del catálogo",
    campaignsUrl: "dirección de las campañas",
    apiKeyFile: "leer la clave (API key) de un archivo; - es la entrada estándar",
    lang: "idioma de lo que lee una persona, en o es (por defecto, BPOS_LANG y después el del sistema)",
    version: "mostrar la versión",
    help: "mostrar esta ayuda",
  },
  orders: {
    description: "Listar, ver y recibir pedidos",
    examples: [["bpos orders list", "qué está pendiente ahora"]],
    list: {
      description: "Listar los pedidos de un estado, el más viejo primero",
      status: "uno o más estados, o all (por defecto, pendiente)",
      since:
        "creados después de esta hora: 31/1/2026 (primero el día), 2026-01-31T08:00:00-03:00, 2h, hoy, ayer",
      page: "qué página de 20",
      all: "todas las páginas",
      limit: "esta cantidad de pedidos como mucho",
      examples: [
        ["bpos orders list", "qué está pendiente ahora"],
        ["bpos orders list --status all --since today --all --json", "todo lo de hoy, para un script"],
      ],
    },
    show: {
      description: "Mostrar un pedido como comanda",
      id: "el número del pedido",
      examples: [["bpos orders show 1042", "lo busca en los ocho estados"]],
    },
    watch: {
      description:
        "Consultar y entregar cada pedido nuevo una vez a cada salida; después de un corte, quizás otra vez, marcado repeated",
      interval:
        "tiempo entre dos consultas (por defecto, 60s, o 3s con un mock en esta máquina; menos de 10s pide --mock o --force)",
      once: "consultar una vez y terminar",
      consumer: 'de quién es la memoria: cada consumidor recibe todos los pedidos (por defecto, "default")',
      outDir: "escribir cada pedido en esta carpeta, en un archivo ORDER_ID.json",
      exec: "correr este comando con cada pedido: su JSON va por la entrada estándar, y BPOS_ORDER_ID, BPOS_BRANCH y BPOS_EVENT por el entorno",
      execTimeout: "cuánto puede tardar el comando con un pedido (por defecto, 30s)",
      execChanges: "correrlo también con order.changed",
      bell: "hacer sonar la terminal",
      skipExisting: "dejar afuera lo que ya estaba la primera vez que corre este consumidor",
      allProfiles: "mirar las sucursales de todos los perfiles en un solo proceso",
      force: "permitir un intervalo de menos de 10s",
      examples: [
        ["bpos orders watch", "comandas en esta pantalla, hasta Ctrl-C"],
        [
          "bpos orders watch --exec 'lp -d kitchen' --consumer printer",
          "cada pedido a un comando, que se reintenta hasta que lo toma",
        ],
        [
          "bpos orders watch --once --out-dir orders -q",
          "para cron: un archivo por pedido, ninguno se escribe dos veces",
        ],
        ["bpos orders watch -o ndjson", oneJsonALine],
      ],
    },
  },
  catalog: {
    description: "Revisar y subir productos",
    examples: [["bpos catalog check prices.csv", "ver qué se mandaría y qué está mal"]],
    check: {
      description: "Leer un archivo de catálogo y decir qué se mandaría y qué está mal, sin usar la red",
      force: "dejar que --fixed reemplace un archivo que ya existe",
      fixed: "escribir acá una copia limpia, solo con las filas que sirven: se sube así como queda",
      examples: [
        ["bpos catalog check prices.csv", "cómo se lee, los primeros productos, cada problema con su línea"],
        ["bpos catalog check prices.csv --fixed clean.csv", "y una copia que sube sin ningún problema"],
      ],
    },
    delete: {
      description: "Dar de baja productos",
      codes: "sus códigos",
      file: "un archivo CSV, JSON o NDJSON con una columna de códigos; - es la entrada estándar",
      map: "la columna de los códigos, por ejemplo codigo=SKU",
      rejected: "escribir acá los códigos rechazados: corregilos y pasá ese archivo con --file",
      force: "dar de baja aunque el reloj de esta máquina esté una hora adelantado",
      examples: [
        ["bpos catalog delete PIZ-001 PIZ-002", "dar de baja dos productos"],
        ["bpos catalog delete --file gone.csv --dry-run", "ver cuáles nombra un archivo"],
      ],
    },
    history: {
      description: "Listar las subidas hechas desde esta máquina, la más nueva primero",
      limit: "cuántas como mucho (por defecto, 20)",
      examples: [["bpos catalog history", "qué se subió, y cómo salió"]],
    },
    push: {
      description: "Mandar un archivo de catálogo en lotes, con informe de las filas rechazadas",
      file: "un archivo CSV, JSON o NDJSON; - es la entrada estándar",
      format: anyFormat,
      delimiter: "el carácter entre dos celdas",
      encoding: "la codificación, por ejemplo windows-1252",
      decimal: "el signo decimal de los precios, , o .",
      map: "pares campo=columna, por ejemplo codigo=SKU,precio=Importe; para los otros campos vale lo que diga el perfil",
      saveMap:
        "guardar esos pares en el perfil, junto con los de otros campos: así se leen los próximos archivos",
      onDuplicate: "cuál de dos filas distintas con el mismo codigo vale: first o last",
      batchSize: "productos por llamada (por defecto, 500)",
      inFlight:
        "lotes que viajan a la vez, de 1 a 8 (por defecto, 1); con más de uno llevan todos la misma hora marcada, porque pueden llegar en cualquier orden",
      changedOnly: "dejar afuera las filas que el servicio ya confirmó, hasta donde sabe esta máquina",
      deactivateMissing: "dar de baja los productos que se confirmaron antes y no están en el archivo",
      maxDeactivate: "cuántos pueden ser: un porcentaje como 20%, o un número (por defecto, 20%)",
      lockWait: "cuánto esperar a otra subida de esta sucursal (por defecto, 0)",
      force: "subir aunque el reloj de esta máquina esté una hora adelantado",
      storeId: "comprobar que sea la sucursal de la clave",
      dryRun: "leer y revisar, sin mandar nada",
      strict: "no mandar nada si hay alguna fila mala",
      rejected: "escribir acá las filas rechazadas: corregilas y subí ese archivo",
      examples: [
        ["bpos catalog push prices.csv --dry-run", "ver qué se mandaría y qué está mal"],
        [
          "bpos catalog push prices.csv --rejected rejected.csv",
          "corregí rejected.csv y subilo así como queda",
        ],
        [
          "export-prices | bpos catalog push - --format ndjson -q",
          "desde otro programa, callado si todo va bien",
        ],
      ],
    },
  },
  campaign: {
    description: "Mandar campañas y seguirlas",
    examples: [
      ["bpos campaign send customers.csv --template pedido_listo", "pregunta antes de que salga nada"],
    ],
    send: {
      description: "Mandar una plantilla aprobada a los destinatarios de un archivo",
      file: "un archivo CSV o JSON con una columna de teléfono; - es la entrada estándar",
      template: "nombre exacto de una plantilla aprobada",
      templateId: "el id de la plantilla, en vez de su nombre",
      language: "el idioma, por ejemplo es_AR, si la plantilla está en varios",
      ref: "tu referencia (por defecto, el nombre del archivo y su hash)",
      name: "el nombre visible de la campaña",
      headerUrl: "dirección https pública de la imagen, el video o el PDF del encabezado",
      headerField: "nombre del campo de la llamada para --header-url",
      phoneColumn: "la columna del teléfono",
      params: "las columnas de las variables de la plantilla, en orden; '' si no tiene ninguna",
      country: "país de los teléfonos sin +, por ejemplo AR",
      fixPhones: "aplicar las correcciones que proponen los avisos",
      exclude:
        "dejar afuera a las personas de este archivo, teléfonos solos o con encabezado; se puede repetir",
      errors: "escribir las filas que quedan afuera, para corregirlas y mandarlas con la misma --ref",
      format: anyFormat,
      delimiter: "el carácter entre dos celdas",
      encoding: "la codificación, por ejemplo windows-1252",
      dryRun: "mostrar qué se mandaría, sin mandar nada",
      yes: "no preguntar",
      expect: "mandar solo si le llegaría exactamente a esta cantidad de personas",
      testTo: "mandar solo lo que recibiría la primera fila, a este teléfono, como prueba",
      trackAll: "lotes de 100 personas, así el servicio las lista a todas en el estado",
      notAfter: "no mandar lo que no haya salido para esa hora: 15:00, 2h (desde ahora) o una hora ISO",
      noPreflight: "no bajar el archivo de --header-url para revisarlo",
      allowRepeat:
        "mandar de nuevo a quien ya recibió esta plantilla en las últimas 24 horas con otra referencia",
      examples: [
        ["bpos campaign send customers.csv --template pedido_listo --dry-run", "ver a quién le llegaría qué"],
        ["bpos campaign send customers.csv --template pedido_listo --yes --json", "desde un script"],
      ],
    },
    resume: {
      description: "Terminar envíos que se cortaron, con las mismas claves: a nadie le llega dos veces",
      send: "id o referencia de un envío (por defecto, todo lo que quedó a medias)",
      allowRepeat: "mandar aunque mientras tanto esta plantilla les haya llegado con otra referencia",
      examples: [
        ["bpos campaign resume", "todo lo que quedó a medias"],
        ["bpos campaign resume enero-1f2e3d4c", "el envío de esa referencia"],
      ],
    },
    status: {
      description: "Mostrar las cantidades y los destinatarios de una campaña",
      ids: "ids de campañas",
      ref: "las campañas mandadas desde esta máquina con esta referencia",
      only: "solo los destinatarios en estos estados, por ejemplo failed,pending",
      watch:
        "mirar de nuevo, a los 5s y después cada vez más espaciado, hasta 60s, hasta que todo sea definitivo: nadie cuenta como pending, y ningún destinatario de la lista está en pending o sent",
      wait: "esperar eso como mucho este tiempo, por ejemplo 10m; si no alcanza, termina con 8",
      examples: [
        ["bpos campaign status cmp_1", "una campaña"],
        ["bpos campaign status --ref customers-1f2e3d4c", "todos los lotes de un envío"],
        ["bpos campaign status --ref enero --watch", "hasta que todo sea definitivo, o Ctrl-C"],
        [
          "bpos campaign status --ref enero --wait 10m --only failed -o csv",
          "a quién no le llegó, para un script",
        ],
      ],
    },
    list: {
      description:
        "Listar los envíos hechos desde esta máquina, el más nuevo primero, sin consultar al servicio",
      limit: howMany,
      examples: [["bpos campaign list", "qué se mandó, a cuántos, y si terminó"]],
    },
    listen: {
      description:
        "Recibir las respuestas que publica el servicio y mostrar cada una con su envío, hasta Ctrl-C",
      port: freePort(4020),
      host,
      exec: "correr este comando con cada respuesta: su JSON va por la entrada estándar, y BPOS_CAMPAIGN_ID, BPOS_EXTERNAL_REF y BPOS_PHONE por el entorno",
      forwardTo: "publicar ahí cada respuesta tal como llegó, hasta que contesten con un 2xx",
      publicUrl:
        "dirección que lleva acá desde afuera, por un túnel o un proxy inverso: entonces da igual con qué nombre llaman",
      secretFile:
        "aceptar solo lo que se publica en una ruta que termina en /SECRETO; el archivo lo tiene (o BPOS_WEBHOOK_SECRET)",
      examples: [
        [
          "bpos campaign listen",
          "respuestas en esta pantalla; para ensayar, corré bpos mock --webhook-url http://127.0.0.1:4020/",
        ],
        [
          "bpos campaign listen --exec ./reply.sh -q",
          "cada respuesta a un comando, que se reintenta hasta que la toma",
        ],
        ["bpos campaign listen -o ndjson", oneJsonALine],
        [
          "bpos campaign listen --public-url https://hooks.example.com/bpos/ --secret-file secreto.txt",
          "detrás de un proxy inverso, solo para el servicio",
        ],
      ],
    },
  },
  mock: {
    description: "Correr el servicio de mentira (mock) hasta Ctrl-C",
    port: freePort(4010),
    host,
    scenario: "demo, empty, rush, busy o un archivo JSON propio (por defecto, demo)",
    fault: "fallar como se elija, por ejemplo 'POST /campaigns status=502 times=2'; se puede repetir",
    webhookUrl: "adónde se publican las respuestas de los destinatarios",
    seed: "otra semilla, otro mundo",
    data: "guardar el mundo en este archivo (por defecto, en memoria, hasta Ctrl-C)",
    clock: "dejar quieta ahí la hora del mundo, por ejemplo 2026-01-01T12:00:00-03:00",
    speed: "a qué velocidad corre la hora del mundo (por defecto, 1)",
    examples: [
      [
        "bpos mock",
        "después: BPOS_BASE_URL=http://127.0.0.1:4010 BPOS_API_KEY=bpk_demo_centro bpos orders list",
      ],
      ["bpos mock --port 0 --scenario empty", "un puerto libre, y un mundo sin pedidos"],
    ],
  },
  mockTalk: {
    url: "el mock con el que se habla (por defecto, el que esté corriendo o el mundo de --mock)",
    order: {
      description: "Cargar pedidos en el mock",
      count: "cuántos (por defecto, 1)",
      branch: "en qué sucursal (por defecto, demo)",
      status: "su estado (por defecto, pendiente)",
      examples: [["bpos mock order --count 3", "tres clientes hacen su pedido"]],
    },
    reply: {
      description: "Responder a la última campaña que le llegó a un teléfono",
      examples: [["bpos mock reply +5491155550003 sí, gracias", "le llega también al webhook"]],
    },
    advance: {
      description: "Adelantar el reloj del mock",
      examples: [["bpos mock advance 5m", "los mensajes se entregan y se leen, entran pedidos"]],
    },
    fault: {
      description: "Hacer que el mock falle como se elija",
      list: "mostrar las fallas activas y cuántas veces saltó cada una",
      clear: "sacarlas todas",
      examples: [
        ["bpos mock fault 'POST /campaigns commit-drop times=1'", "se aplica, pero la respuesta se pierde"],
        ["bpos mock fault 'GET /v1/orders status=503 rate=0.2'", "falla una consulta de cada cinco"],
      ],
    },
    reset: {
      description: "Empezar de nuevo el mundo del mock",
      scenario: "demo, empty, rush o busy",
      seed: "otra semilla, otro mundo",
      examples: [["bpos mock reset", "historial vacío, los primeros pedidos, el primer catálogo"]],
    },
    log: {
      description: "Mostrar las llamadas que recibió el mock",
      follow: "seguir hasta Ctrl-C",
      limit: "cuántas de las últimas (por defecto, 100)",
      examples: [["bpos mock log --follow", "al lado de otra terminal que manda"]],
    },
  },
  demo: {
    description: "Un paseo guiado con el mock incluido, en menos de 15 segundos",
    examples: [["bpos demo", "no necesita clave ni red"]],
  },
  init: initHelp,
  profile: profileHelp,
  doctor: doctorHelp,
  openapi: {
    description: "Mostrar la descripción OpenAPI 3.1 del servicio",
    examples: [["bpos openapi > openapi.json", "para tu generador de código"]],
  },
};
