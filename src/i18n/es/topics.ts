import type { ExitName } from "../../errors.ts";
import type { helpPage as enHelpPage } from "../en/topics.ts";
import { jsonShapes, type TopicPart, type Topics } from "../shapes.ts";

/** What stands for a value in usage lines, by its name in the declarations. */
export const placeholders: Readonly<Record<string, string>> = {
  address: "dirección",
  character: "carácter",
  code: "código",
  codes: "códigos",
  column: "columna",
  columns: "columnas",
  command: "comando",
  duration: "duración",
  factor: "factor",
  file: "archivo",
  folder: "carpeta",
  format: "formato",
  id: "id",
  ids: "ids",
  language: "idioma",
  limit: "límite",
  n: "n",
  name: "nombre",
  names: "nombres",
  "new-name": "nombre-nuevo",
  pairs: "pares",
  phone: "teléfono",
  ref: "ref",
  rule: "regla",
  send: "envío",
  shell: "shell",
  sign: "signo",
  state: "estado",
  states: "estados",
  statuses: "estados",
  text: "texto",
  time: "hora",
  url: "url",
  which: "cuál",
  words: "palabras",
};

/** What stands for a value, in Spanish. */
export const placeholder = (name: string): string => placeholders[name] ?? name;

/** A flag or a command line with what stands for its values in Spanish. */
export const spoken = (line: string): string =>
  line.replace(/(?<=<)[a-z-]+(?=>)/g, (name) => placeholder(name));

const exitWords: (typeof enHelpPage)["exits"] = {
  ok: "bien",
  bug: "un error de bpos",
  usage: "uso",
  partial: "rechazado en parte",
  denied: "sin permiso",
  refused: "el servicio no lo aceptó",
  unavailable: "no disponible",
  unknown: "no se sabe si llegó",
  pending: "todavía en curso",
  config: "configuración",
  interrupted: "interrumpido",
};

/** The frame of every help page, and the screen of `bpos` alone, in Spanish. */
export const helpPage: typeof enHelpPage = {
  exits: exitWords,
  headings: {
    usage: "Uso:",
    examples: "Ejemplos:",
    arguments: "Argumentos:",
    commands: "Comandos:",
    flags: "Opciones:",
    exitCodes: "Códigos de salida:",
    environment: "Entorno:",
    topics: "Temas:",
  },
  placeholders: { flags: "[opciones]", command: "<comando>" },
  placeholder,
  spoken,
  groups: {
    which: "Cuáles:",
    when: "Cuándo:",
    where: "A dónde van:",
    message: "El mensaje:",
    people: "Los destinatarios:",
    sent: "Qué se manda:",
    reading: "Cómo se lee el archivo:",
    sending: "Cómo se manda:",
    output: "Salida:",
    safety: "Seguridad:",
    listening: "Dónde escucha:",
    world: "El mundo:",
    settings: "Configuración:",
    display: "Salida:",
    connection: "Conexión:",
    work: "Trabajo:",
    setUp: "Puesta a punto:",
    rehearse: "Ensayo:",
    more: "Además:",
    help: "Ayuda:",
  },
  commandHelp: (command) => `${command} --help muestra las opciones y los ejemplos de un comando.`,
  globalHelp: "bpos --help muestra las opciones de todos los comandos.",
  start: {
    title: "bpos: pedidos, catálogo y campañas de un punto de venta.",
    firstTitle: "Empezá por acá:",
    steps: {
      "bpos demo": "mirá todo en diez segundos; nada pasa de verdad",
      "bpos init": "configurá tu sucursal: la clave y las direcciones",
      "bpos orders list": "los pedidos que esperan",
    },
    moreTitle: "Después:",
    more: {
      "bpos --help": "todos los comandos",
      "bpos help catalog push": "un comando, con ejemplos",
      "bpos --mock orders list": "ensayá cualquier comando sin clave",
    },
  },
  help: {
    description: "Mostrar la ayuda de un comando, o explicar un tema",
    words: "un comando, por ejemplo catalog push, o un tema",
    examples: {
      "bpos help catalog push": "lo mismo que bpos catalog push --help",
      "bpos help exit-codes": "qué le dice cada código de salida a un script",
      "bpos help errors key_missing": "qué significa el reason de un error en JSON",
    },
    topics: {
      "exit-codes": "qué significa cada código de salida y qué hace un script con él",
      environment: "todas las variables que lee bpos, y cuál gana",
      files: "qué archivos lee y escribe bpos, y dónde están",
      json: "la forma del JSON que imprimen los comandos",
      errors: "todos los reason de un error con su código de salida; con uno al final: qué hacer",
    },
  },
  completion: {
    description: "Imprimir un script para que el shell complete comandos, opciones y valores",
    shell: "bash, zsh, fish o powershell",
    examples: {
      'eval "$(bpos completion bash)"': "en ~/.bashrc",
      "source <(bpos completion zsh)": "en ~/.zshrc, después de compinit",
      "bpos completion fish > ~/.config/fish/completions/bpos.fish": "una sola vez",
      "bpos completion powershell | Out-String | Invoke-Expression": "en $PROFILE",
    },
  },
};

/** The shapes of what commands print as JSON, in Spanish. */
const json: Topics["json"] = () => ({
  title: "JSON",
  parts: [
    {
      text: "-o json (o --json) imprime un documento; -o ndjson, un objeto por línea a medida que se sabe. Las claves son los nombres del servicio, los campos que bpos no conoce pasan como vienen, nada se redondea ni se traduce. Todo lo demás va a la salida de error.",
    },
    {
      heading: "orders list",
      code: jsonShapes.ordersList,
    },
    { heading: "orders show", text: "El pedido como lo manda el servicio." },
    {
      heading: "orders watch (ndjson, una línea por evento)",
      code: jsonShapes.ordersWatch,
    },
    {
      heading: "catalog push, catalog delete",
      code: jsonShapes.catalogPush,
    },
    {
      text: 'source es file (la fila la rechazó bpos) o service. outcome es complete, partial, refused, stale, unknown o nothing. catalog history imprime {"pushes":[…]}.',
    },
    {
      heading: "campaign send, campaign resume",
      code: jsonShapes.campaignSend,
    },
    {
      text: 'outcome es sent, replayed (no salió nada nuevo), partial, refused, unknown o nothing. Con varios envíos resume imprime {"sends":[…]}; campaign list también, cada uno con at.',
    },
    {
      heading: "campaign status",
      text: "Con un solo id, el documento del servicio sin tocar. Con varios, o con --ref:",
      code: jsonShapes.campaignStatus,
    },
    {
      heading: "Un error, en la salida de error",
      code: jsonShapes.error,
    },
    {
      text: "code es el nombre del código de salida (bpos help exit-codes), reason dice más (bpos help errors); message y hint son para personas.",
    },
    { text: "bpos openapi imprime la forma de lo que habla el servicio mismo." },
  ],
});

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
  rows: {
    "orders watch":
      "BPOS_EVENT, BPOS_BRANCH, BPOS_ORDER_ID, BPOS_REPEATED; si cambió de estado, BPOS_FROM y BPOS_TO",
    "campaign listen":
      "BPOS_EVENT, BPOS_AT, BPOS_CAMPAIGN_ID, BPOS_EXTERNAL_REF, BPOS_PHONE, BPOS_SEND_ID, BPOS_REPEATED",
  },
};

const byPlatform: TopicPart = {
  heading: "En cada plataforma",
  rows: {
    Linux:
      "configuración en $XDG_CONFIG_HOME/bpos (~/.config/bpos), estado en $XDG_STATE_HOME/bpos (~/.local/state/bpos)",
    macOS: "~/Library/Application Support/bpos, y el estado en su carpeta state",
    Windows:
      "%APPDATA%\\bpos y %LOCALAPPDATA%\\bpos; ahí no existen esos modos: las carpetas de un usuario son solo suyas",
    BPOS_HOME: "en todas: la configuración ahí, el estado en su carpeta state",
  },
};

/** The topics of `bpos help`, in Spanish. */
export const topics: Topics = {
  "exit-codes": ({ exits: codes }) => ({
    title: "Códigos de salida",
    parts: [
      { rows: Object.fromEntries(codes.map(([code, name]) => [`${code} ${name}`, exits[name]])) },
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
        rows: {
          BPOS_PROFILE: "el perfil a usar, como -p",
          BPOS_API_KEY:
            "la clave de la sucursal; ninguna opción recibe la clave misma, porque se vería en ps y en el historial",
          BPOS_BASE_URL: "dirección de pedidos y catálogo, como --base-url",
          BPOS_CAMPAIGNS_URL: "dirección de campañas, como --campaigns-url",
          BPOS_MOCK:
            "1 ensaya contra el mock que viene adentro, como --mock; una dirección http es la de un bpos mock en marcha",
          BPOS_WEBHOOK_SECRET: "el secreto de campaign listen, como el del archivo de --secret-file",
        },
      },
      {
        heading: "Cómo habla",
        rows: {
          BPOS_OUTPUT: "table, json, ndjson o csv, como -o",
          BPOS_LANG: "en o es, como --lang; si falta cuenta el locale: LC_ALL, LC_MESSAGES, LANG",
          NO_COLOR: "cualquier cosa: sin colores, como --no-color",
          FORCE_COLOR: "colores también en un pipe; 0 o false: sin colores",
          TERM: "dumb: sin colores, nada se redibuja, ASCII en lugar de líneas y signos",
          LC_CTYPE: "con LC_ALL y LANG: un juego de caracteres que no es UTF-8 también recibe ASCII",
          CI: "cualquier cosa: nunca se pregunta nada, como --no-input",
        },
      },
      {
        heading: "Dónde están los archivos",
        rows: {
          BPOS_HOME: "una carpeta para la configuración y el estado",
          XDG_CONFIG_HOME: "la carpeta que contiene la configuración en Linux (si falta, ~/.config)",
          XDG_STATE_HOME: "la carpeta que contiene el estado en Linux (si falta, ~/.local/state)",
          "APPDATA, LOCALAPPDATA": "las mismas dos en Windows",
        },
      },
      {
        heading: "La red",
        rows: {
          "HTTPS_PROXY, HTTP_PROXY, ALL_PROXY": "el proxy por el que se sale; en minúsculas también",
          NO_PROXY: "a qué servidores se llega sin él; en minúsculas también",
          NODE_EXTRA_CA_CERTS:
            "un archivo PEM de certificados en los que se confía además de los de siempre, como --ca-file",
        },
      },
      ofExec,
    ],
  }),
  files: ({ folders: { config, state } }) => ({
    title: "Archivos",
    parts: [
      {
        heading: "En esta máquina",
        rows: { [config]: "configuración", [state]: "estado" },
      },
      {
        heading: "Configuración",
        rows: {
          "config.json":
            "los perfiles: claves, direcciones, columnas. Modo 0600, su carpeta 0700: tiene claves. Lo escriben bpos profile, bpos init y --save-map",
        },
      },
      {
        heading: "Estado",
        text: "La carpeta tiene modo 0700 y cada archivo 0600: hay teléfonos de clientes. La clave no está en ninguno.",
        rows: {
          "journal.db":
            "el registro, SQLite: qué se entregó, qué se mandó. Es lo que evita que algo se haga dos veces: hacé copias, no lo borres nunca. -wal y -shm, al lado, son parte de él",
          "locks/": "quién está trabajando ahora; se puede borrar cuando no corre ningún bpos",
          "quarantine/":
            "pedidos que no se pueden entregar (sin un order_id que sirva, o demasiado anidados), como llegaron; 1.000 como mucho",
          "mock-world.db": "el mundo de --mock; bpos mock reset lo vacía",
          "mock-journal.db": "el registro de los ensayos, aparte del de verdad",
          "mocks/": "dónde corre cada bpos mock, para bpos mock order y los demás",
        },
      },
      byPlatform,
      {
        heading: "Donde vos digas",
        rows: {
          ARCHIVO: "el catálogo o los destinatarios que lee un comando; - es la entrada estándar",
          "--rejected, --errors": "CSV de las filas que quedaron afuera; modo 0600",
          "--fixed": "una copia corregida de un catálogo",
          "--out-dir": "un ORDER_ID.json por pedido; nunca se escribe encima de uno que ya está",
          "--data": "el mundo de bpos mock",
        },
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
