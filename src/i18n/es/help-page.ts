import type { helpPage as enHelpPage } from "../en/help-page.ts";

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
  mm: "mm",
  n: "n",
  name: "nombre",
  names: "nombres",
  "new-name": "nombre-nuevo",
  pairs: "pares",
  phone: "teléfono",
  program: "programa",
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
  when: "cuándo",
  which: "cuál",
  words: "palabras",
};

/** What stands for a value, in Spanish. */
export const placeholder = (name: string): string => placeholders[name] ?? name;

/** A flag or a command line with what stands for its values in Spanish. */
export const spoken = (line: string): string =>
  line.replace(/(?<=[<[])[a-z-]+(?=[>\]])/g, (name) => placeholder(name));

const exitWords: (typeof enHelpPage)["exits"] = {
  ok: "bien",
  bug: "un defecto de bpos",
  usage: "uso",
  partial: "rechazado en parte",
  denied: "sin permiso",
  refused: "rechazado por el servicio",
  unavailable: "no disponible",
  unknown: "resultado desconocido",
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
    where: "Salidas:",
    screen: "La pantalla:",
    printer: "La impresora:",
    message: "El mensaje:",
    people: "Los destinatarios:",
    sent: "Qué se manda:",
    reading: "Cómo se lee el archivo:",
    sending: "Cómo se manda:",
    output: "Salida:",
    safety: "Seguridad:",
    listening: "Escucha:",
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
      "bpos demo": "un recorrido guiado; nada es real",
      "bpos init": "configurá tu sucursal: la clave y las direcciones",
      "bpos orders list": "los pedidos pendientes",
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
      "bpos help exit-codes": "qué significa cada código de salida para un script",
      "bpos help errors key_missing": "qué significa el reason de un error en JSON",
    },
    topics: {
      "exit-codes": "qué significa cada código de salida y qué hace un script con él",
      environment: "todas las variables que lee bpos, y su prioridad",
      files: "qué archivos lee y escribe bpos, y dónde están",
      json: "la forma del JSON que imprimen los comandos",
      errors: "todos los reason de un error con su código de salida; con un REASON, qué hacer",
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
