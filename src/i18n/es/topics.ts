import type { ExitName } from "../../errors.ts";
import { exitScript, jsonShapes, type Topics } from "../shapes.ts";

const exits: Readonly<Record<ExitName, string>> = {
  ok: "Hecho; una lista vacía también. No hay nada que hacer.",
  bug: "Algo inesperado: un defecto de bpos. ‹Infórmalo›.",
  usage:
    "Una opción no válida, o un archivo que no se puede leer o usar; no se mandó nada. ‹Corrige› la llamada.",
  partial:
    "Hecho, pero quedaron ‹fuera› filas, destinatarios o pedidos, o estaban desactualizados. ‹Mira› el informe.",
  denied: "403, o no hay clave. ‹Corrige› la clave.",
  refused: "El servicio respondió 400 u otro rechazo; no se aplicó nada. ‹Corrige› los datos.",
  unavailable:
    "Red, TLS, tiempo agotado, 5xx o 429 después de todos los reintentos. ‹Repítelo› más tarde: no hay riesgo.",
  unknown:
    "El resultado de una llamada es desconocido. ‹Sube› de nuevo, o ‹corre› bpos campaign resume: las claves son las mismas.",
  pending: "Se acabó --wait y todavía hay trabajo en curso. ‹Espera›.",
  config:
    "No hay dirección del servicio, no se pueden usar los perfiles o el registro, u otro bpos está trabajando. ‹Corrígelo› en esta máquina.",
  held: "Lo detuvo un control: precios, bajas de productos, --expect, 24 horas o una referencia en uso. No se mandó nada. ‹Mira› el archivo, y ‹corrige› o ‹pasa› la opción que lo permite.",
  not_found: "No existe ese pedido, campaña, referencia, teléfono, subida, perfil o estación.",
  interrupted: "Ctrl-C, SIGTERM o SIGHUP, después de terminar en orden.",
};

/** The topics of `bpos help`, in Spanish. */
export const topics: Topics = {
  flags: ({ flags }) => ({
    title: "Opciones de todos los comandos",
    parts: ["Pueden ir antes o después del comando.", ...flags.map(([heading, rows]) => ({ heading, rows }))],
  }),
  "exit-codes": ({ exits: codes }) => ({
    title: "Códigos de salida",
    parts: [
      { rows: Object.fromEntries(codes.map(([code, name]) => [`${code} ${name}`, exits[name]])) },
      "Con -o json o ndjson un error es una línea de JSON en la salida de error: su code es el nombre de arriba, su reason dice más (bpos help errors).",
      { heading: "En un script", code: exitScript },
    ],
  }),
  environment: () => ({
    title: "Variables de entorno",
    parts: [
      "Una opción tiene prioridad sobre el entorno, y el entorno sobre el perfil. Un perfil nombrado con -p tiene prioridad sobre el entorno.",
      {
        heading: "Qué sucursal",
        rows: {
          BPOS_PROFILE: "el perfil que se usa, como -p",
          BPOS_API_KEY:
            "la clave de la sucursal; ninguna opción recibe la clave misma: se vería en ps y en el historial",
          BPOS_BASE_URL: "dirección de pedidos y catálogo, como --base-url",
          BPOS_CAMPAIGNS_URL: "dirección de campañas, como --campaigns-url",
          BPOS_MOCK:
            "1 usa el mock incluido, como --mock; una dirección http es la de un bpos mock que corre",
          BPOS_WEBHOOK_SECRET: "el secreto de campaign listen, como el del archivo de --secret-file",
        },
      },
      {
        heading: "Presentación",
        rows: {
          BPOS_OUTPUT: "table, json, ndjson o csv, como -o",
          BPOS_LOG_FORMAT: "text o json, como --log-format",
          BPOS_LANG: "en, es o es-AR, como --lang; si falta, vale el del sistema: LC_ALL, LC_MESSAGES, LANG",
          "BPOS_PAGER, PAGER": "paginador para una lista larga en una terminal; vacío o cat: ninguno",
          NO_COLOR: "cualquier valor: sin colores, como --no-color",
          FORCE_COLOR: "colores también en un pipe; 0 o false: sin colores",
          TERM: "dumb: sin colores, nada se redibuja, ASCII en lugar de líneas y signos",
          LC_CTYPE: "con LC_ALL y LANG: un juego de caracteres que no es UTF-8 también recibe ASCII",
          CI: "cualquier valor: nunca se pregunta nada, como --no-input",
        },
      },
      {
        heading: "Archivos y red",
        rows: {
          BPOS_HOME:
            "una carpeta para configuración y estado; bpos help files muestra las que se usan sin ella",
          BPOS_JOURNAL:
            "postgres://USUARIO@HOST/BASE: el registro está ahí, y lo comparten varias máquinas; sin ella, un archivo",
          "PGHOST, PGUSER, PGPASSWORD…":
            "lo que falta en la dirección de BPOS_JOURNAL, como lo lee psql; también ~/.pgpass",
          "HTTPS_PROXY, HTTP_PROXY, ALL_PROXY": "el proxy que se usa; también en minúsculas",
          NO_PROXY: "a qué servidores se llega sin proxy; también en minúsculas",
          NODE_EXTRA_CA_CERTS: "un archivo PEM de certificados que se aceptan además, como --ca-file",
        },
      },
      {
        heading: "Lo que recibe --exec",
        rows: {
          "orders watch":
            "BPOS_EVENT, BPOS_BRANCH, BPOS_ORDER_ID, BPOS_REPEATED; en un cambio, BPOS_FROM, BPOS_TO y BPOS_CHANGES",
          "campaign listen":
            "BPOS_EVENT, BPOS_AT, BPOS_CAMPAIGN_ID, BPOS_EXTERNAL_REF, BPOS_PHONE, BPOS_SEND_ID, BPOS_REPEATED",
        },
      },
    ],
  }),
  files: ({ folders: { config, state, cache } }) => ({
    title: "Archivos",
    parts: [
      {
        heading: "En esta máquina",
        rows: {
          [config]: "configuración",
          [state]: "estado",
          [cache]: "código compilado de bpos, para arrancar más rápido; se puede borrar",
        },
      },
      {
        heading: "Configuración",
        rows: {
          "config.json":
            "los perfiles: claves, direcciones, columnas; journal, la dirección de un registro compartido. Modo 0600, su carpeta 0700. Lo escriben bpos profile, bpos init y --save-map",
        },
      },
      {
        heading: "Estado",
        text: "La carpeta tiene modo 0700, para que nadie más lea sus archivos: hay teléfonos de clientes. La clave no está en ninguno.",
        rows: {
          "journal.db":
            'el registro, SQLite: qué se entregó, se subió y se mandó, para que nada se haga dos veces; no se usa con BPOS_JOURNAL. También están los ensayos en un mock que corre (BPOS_MOCK=http://…), cada mundo aparte. ‹Haz› copias con `sqlite3 journal.db ".backup ARCHIVO"`, o ‹cópialo› junto con su -wal cuando no corra ningún bpos; no lo borres nunca',
          "seen.db":
            "qué hizo esta máquina con sus registros, para detectar uno restaurado: ‹déjalo› como está cuando restaures una copia",
          "locks/": "qué procesos están corriendo; se puede borrar cuando no corre ningún bpos",
          "quarantine/":
            "pedidos y respuestas que no se pueden entregar (sin un order_id válido, o demasiado anidados), como llegaron; ‹1000› como mucho",
          "mock-world.db": "el mundo de --mock; bpos mock reset lo vacía",
          "mock-journal.db": "el registro de --mock, aparte del real",
          "mocks/": "dónde corre cada bpos mock, para bpos mock order y los demás",
        },
      },
      {
        heading: "En cada plataforma",
        rows: {
          Linux:
            "configuración en $XDG_CONFIG_HOME/bpos (~/.config/bpos), estado en $XDG_STATE_HOME/bpos (~/.local/state/bpos), caché en $XDG_CACHE_HOME/bpos (~/.cache/bpos)",
          macOS:
            "~/Library/Application Support/bpos, y el estado en su carpeta state; la caché en ~/Library/Caches/bpos",
          Windows:
            "%APPDATA%\\bpos y %LOCALAPPDATA%\\bpos; ahí no existen los modos: solo el usuario puede leer esas carpetas",
          BPOS_HOME: "en todas: la configuración ahí, el estado y la caché en sus carpetas state y cache",
        },
      },
    ],
  }),
  json: () => ({
    title: "JSON",
    parts: [
      "-o json (o --json) imprime un documento; -o ndjson, un objeto por línea a medida que se conoce. Las claves son los nombres del servicio, incluidos los campos que bpos no conoce; nada se redondea ni se traduce. Todo lo demás va a la salida de error.",
      { heading: "orders list", code: jsonShapes.ordersList },
      { heading: "orders show", text: "El pedido como lo manda el servicio." },
      { heading: "orders watch (ndjson, un evento por línea)", code: jsonShapes.ordersWatch },
      { heading: "catalog push, catalog delete", code: jsonShapes.catalogPush },
      'source es file (bpos rechazó la fila) o service. outcome es complete, partial, refused, stale, unknown o nothing. catalog history imprime {"pushes":[…]}.',
      { heading: "campaign send, campaign resume", code: jsonShapes.campaignSend },
      'outcome es sent, replayed (no se mandó nada nuevo), partial, refused, unknown o nothing. Con varios envíos resume imprime {"sends":[…]}; campaign list también, cada uno con at.',
      {
        heading: "campaign status",
        text: "Con un solo id, el documento del servicio sin cambios. Con varios, o con --ref:",
        code: jsonShapes.campaignStatus,
      },
      { heading: "campaign find", code: jsonShapes.campaignFind },
      "status es null si no se conoce; entonces error dice por qué.",
      "--jq PROGRAMA filtra todo esto con jq: --jq '.orders[].order_id'. Los textos salen sin comillas.",
      { heading: "Un error, en la salida de error", code: jsonShapes.error },
      "code es el nombre del código de salida (bpos help exit-codes), reason dice más (bpos help errors); message y hint son para personas.",
      "bpos schema COMANDO imprime el JSON Schema de cualquiera de estos; bpos openapi imprime las formas del servicio mismo.",
    ],
  }),
  errors: ({ reasons }) => ({
    title: "Errores",
    parts: [
      "Con -o json o ndjson un error es una línea de JSON en la salida de error, y su reason es uno de estos, por código de salida.",
      ...reasons.map(([heading, rows]) => ({ heading, rows })),
      "bpos help errors REASON explica uno de ellos y qué hacer.",
    ],
  }),
};
