import type { ExitName } from "../../errors.ts";
import type { TopicPart, Topics } from "../topic.ts";
import { json } from "./topic-json.ts";

const exits: Readonly<Record<ExitName, string>> = {
  ok: "Hecho; una lista vacía también. No hay nada que hacer.",
  bug: "Algo inesperado: un error de bpos. Avisanos.",
  usage:
    "Una opción mal puesta, o un archivo que no se puede leer o usar; no se mandó nada. Corregí la llamada.",
  partial: "Hecho, pero quedaron afuera filas, destinatarios o pedidos, o estaban viejos. Mirá el informe.",
  denied: "403, o no hay clave. Corregí la clave.",
  refused: "El servicio contestó 400 u otra negativa; no se aplicó. Corregí lo que mandás.",
  unavailable:
    "Red, TLS, tiempo agotado, 5xx o 429 después de todos los intentos. Correlo más tarde: no hay riesgo.",
  unknown:
    "No se sabe si un envío llegó. Mandalo de nuevo, o bpos campaign resume: las claves son las mismas.",
  pending: "Se acabó --wait y todavía hay trabajo en curso. Esperá.",
  config:
    "No se puede usar el archivo de perfiles o el registro, u otro bpos tiene el lugar tomado. Arreglá la máquina.",
  interrupted: "Ctrl-C, SIGTERM o SIGHUP, con una parada prolija.",
};

const ofExec: TopicPart = {
  heading: "Qué encuentra --exec",
  rows: [
    [
      "orders watch",
      "BPOS_EVENT, BPOS_BRANCH, BPOS_ORDER_ID, BPOS_REPEATED; si cambió de estado, BPOS_FROM y BPOS_TO",
    ],
    [
      "campaign listen",
      "BPOS_EVENT, BPOS_AT, BPOS_CAMPAIGN_ID, BPOS_EXTERNAL_REF, BPOS_PHONE, BPOS_SEND_ID, BPOS_REPEATED",
    ],
  ],
};

const byPlatform: TopicPart = {
  heading: "En cada plataforma",
  rows: [
    [
      "Linux",
      "configuración en $XDG_CONFIG_HOME/bpos (~/.config/bpos), estado en $XDG_STATE_HOME/bpos (~/.local/state/bpos)",
    ],
    ["macOS", "~/Library/Application Support/bpos, y el estado en su carpeta state"],
    [
      "Windows",
      "%APPDATA%\\bpos y %LOCALAPPDATA%\\bpos; ahí no existen esos modos: las carpetas de un usuario son solo suyas",
    ],
    ["BPOS_HOME", "en todas: la configuración ahí, el estado en su carpeta state"],
  ],
};

/** The topics of `bpos help`, in Spanish. */
export const topics: Topics = {
  "exit-codes": ({ exits: codes }) => ({
    title: "Códigos de salida",
    parts: [
      { rows: codes.map(([code, name]) => [`${code} ${name}`, exits[name]]) },
      {
        text: "Con -o json o ndjson un error es una línea de JSON en la salida de error: su code es el nombre de arriba, su reason dice más (bpos help errors).",
      },
      {
        heading: "En un script",
        code: [
          "bpos catalog push precios.csv -q --rejected rechazados.csv",
          "case $? in",
          "  0) ;;",
          "  3) mail -s 'precios rechazados' yo@example.com < rechazados.csv ;;",
          "  6|7) sleep 300; bpos catalog push precios.csv -q ;;",
          "  *) exit 1 ;;",
          "esac",
        ],
      },
    ],
  }),
  environment: () => ({
    title: "Variables de entorno",
    parts: [
      {
        text: "Una opción le gana al entorno, y el entorno al perfil. Un perfil nombrado con -p le gana al entorno.",
      },
      {
        heading: "Qué sucursal",
        rows: [
          ["BPOS_PROFILE", "el perfil a usar, como -p"],
          [
            "BPOS_API_KEY",
            "la clave de la sucursal; ninguna opción recibe la clave misma, porque se vería en ps y en el historial",
          ],
          ["BPOS_BASE_URL", "dirección de pedidos y catálogo, como --base-url"],
          ["BPOS_CAMPAIGNS_URL", "dirección de campañas, como --campaigns-url"],
          [
            "BPOS_MOCK",
            "1 ensaya contra el mock que viene adentro, como --mock; una dirección http es la de un bpos mock en marcha",
          ],
          ["BPOS_WEBHOOK_SECRET", "el secreto de campaign listen, como el del archivo de --secret-file"],
        ],
      },
      {
        heading: "Cómo habla",
        rows: [
          ["BPOS_OUTPUT", "table, json, ndjson o csv, como -o"],
          ["BPOS_LANG", "en o es, como --lang; si falta cuenta el locale: LC_ALL, LC_MESSAGES, LANG"],
          ["NO_COLOR", "cualquier cosa: sin colores, como --no-color"],
          ["FORCE_COLOR", "colores también en un pipe; 0 o false: sin colores"],
          ["TERM", "dumb: sin colores, nada se redibuja, ASCII en lugar de líneas y signos"],
          ["LC_CTYPE", "con LC_ALL y LANG: un juego de caracteres que no es UTF-8 también recibe ASCII"],
          ["CI", "cualquier cosa: nunca se pregunta nada, como --no-input"],
        ],
      },
      {
        heading: "Dónde están los archivos",
        rows: [
          ["BPOS_HOME", "una carpeta para la configuración y el estado"],
          ["XDG_CONFIG_HOME", "la carpeta que contiene la configuración en Linux (si falta, ~/.config)"],
          ["XDG_STATE_HOME", "la carpeta que contiene el estado en Linux (si falta, ~/.local/state)"],
          ["APPDATA, LOCALAPPDATA", "las mismas dos en Windows"],
        ],
      },
      {
        heading: "La red",
        rows: [
          ["HTTPS_PROXY, HTTP_PROXY, ALL_PROXY", "el proxy por el que se sale; en minúsculas también"],
          ["NO_PROXY", "a qué servidores se llega sin él; en minúsculas también"],
          [
            "NODE_EXTRA_CA_CERTS",
            "un archivo PEM de certificados en los que se confía además de los de siempre, como --ca-file",
          ],
        ],
      },
      ofExec,
    ],
  }),
  files: ({ folders: { config, state } }) => ({
    title: "Archivos",
    parts: [
      {
        heading: "En esta máquina",
        rows: [
          [config, "configuración"],
          [state, "estado"],
        ],
      },
      {
        heading: "Configuración",
        rows: [
          [
            "config.json",
            "los perfiles: claves, direcciones, columnas. Modo 0600, su carpeta 0700: tiene claves. Lo escriben bpos profile, bpos init y --save-map",
          ],
        ],
      },
      {
        heading: "Estado",
        text: "La carpeta tiene modo 0700 y cada archivo 0600: hay teléfonos de clientes. La clave no está en ninguno.",
        rows: [
          [
            "journal.db",
            "el registro, SQLite: qué se entregó, qué se mandó. Es lo que evita que algo se haga dos veces: hacé copias, no lo borres nunca. -wal y -shm, al lado, son parte de él",
          ],
          ["journal.db.*", "un registro que no se podía usar y se apartó"],
          ["locks/", "quién está trabajando ahora; se puede borrar cuando no corre ningún bpos"],
          [
            "quarantine/",
            "pedidos que no se pueden entregar (sin un order_id que sirva, o demasiado anidados), como llegaron; 1.000 como mucho",
          ],
          ["mock-world.db", "el mundo de --mock; bpos mock reset lo vacía"],
          ["mock-journal.db", "el registro de los ensayos, aparte del de verdad"],
          ["mocks/", "dónde corre cada bpos mock, para bpos mock order y los demás"],
        ],
      },
      byPlatform,
      {
        heading: "Donde vos digas",
        rows: [
          ["ARCHIVO", "el catálogo o los destinatarios que lee un comando; - es la entrada estándar"],
          ["--rejected, --errors", "CSV de las filas que quedaron afuera; modo 0600"],
          ["--fixed", "una copia corregida de un catálogo"],
          ["--out-dir", "un ORDER_ID.json por pedido; nunca se escribe encima de uno que ya está"],
          ["--data", "el mundo de bpos mock"],
        ],
      },
    ],
  }),
  json,
  errors: ({ reasons }) => ({
    title: "Errores",
    parts: [
      {
        text: "Con -o json o ndjson un error es una línea de JSON en la salida de error, y su reason es uno de estos. Están debajo de su código de salida.",
      },
      ...reasons.map(([heading, rows]) => ({ heading, rows })),
      { text: "bpos help errors REASON dice qué significa uno de ellos y qué hacer." },
    ],
  }),
};
