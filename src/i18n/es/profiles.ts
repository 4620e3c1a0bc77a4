import type { KeyCommandProblem } from "../../errors/problems.ts";
import { quoted, shellWord } from "../../texts/phrases.ts";
import type { profile as enProfile, questions as enQuestions } from "../en/profiles.ts";
import { profileAdvice } from "../shared/usage.ts";
import { sentences } from "../template.ts";

/** What `bpos init` and `bpos profile` ask and say, in Spanish. */
export const profile: typeof enProfile = {
  title: "Perfiles",
  none: "Todavía no hay perfiles: `bpos init` crea el primero.",
  columns: {
    profile: "  Perfil",
    baseUrl: "Pedidos y catálogo",
    campaignsUrl: "Campañas",
    key: "Clave",
    country: "País",
    kind: "Tipo",
    setting: "Ajuste",
    value: "Valor",
    from: "De dónde sale",
  },
  live: "real",
  byCommand: "key_command",
  marked: "El del * se usa cuando no ‹nombras› otro con -p. `bpos profile show NOMBRE` muestra uno.",
  noDefault: "Ninguno es el predeterminado: ‹nombra› uno con -p, o ‹elígelo› con `bpos profile use NOMBRE`.",
  show: (name) => (name === undefined ? "Configuración sin perfil" : `Configuración con el perfil ${name}`),
  file: (file) => `Los perfiles están guardados en ${file}.`,
  sources: {
    flag: (name) => `opción ${name}`,
    environment: (name) => `entorno ${name}`,
    profile: (name) => `perfil ${name}`,
    config: (name) => (name === "journal" ? "el archivo de perfiles" : "el perfil predeterminado"),
    default: () => "por defecto",
  },
  intro: "Un perfil guarda la clave y las direcciones de una sucursal. Con Ctrl-C no se guarda nada.",
  mockFound: (url) => `Hay un mock en ${url}: con Enter ‹aceptas› su configuración.`,
  ask: {
    name: "Nombre del perfil, por ejemplo centro:",
    change: (name) => `Ya hay un perfil ${quoted(name)}. ¿Lo ‹cambias›?`,
    baseUrl: "Dirección de pedidos y catálogo:",
    campaignsUrl: "Dirección de campañas (- si no hay):",
    key: (special) =>
      `Clave (API key), no se ve al escribir${special === "stays" ? "; Enter deja la que está" : special === "mock" ? "; con Enter va la del mock" : ""}:`,
    noKey:
      "No escribiste nada. ‹Escribe› o ‹pega› la clave y ‹presiona› Enter; con Ctrl-C no se guarda nada.",
    country: "País de la sucursal, para teléfonos e importes, por ejemplo AR (- si no hay):",
    kind: "¿Para qué es esta clave?",
    live: "la sucursal real",
    sandbox: "una sucursal de prueba: cada tabla dice SANDBOX",
    printer: "¿Configurar ahora una impresora de tickets?",
    again: {
      question: "¿Y ahora?",
      retry: "Probar de nuevo",
      key: "Escribir la clave de nuevo",
      addresses: "Escribir las direcciones de nuevo",
      keep: "Guardar el perfil así como está",
    },
    default: (other) => `¿Usarlo desde ahora cuando no nombres otro con -p, en lugar de ${quoted(other)}?`,
    remove: (name) => `¿Borrar el perfil ${quoted(name)} y su clave?`,
  },
  checked: ({ origin, waiting }) => `${origin} acepta la clave; pedidos en pendiente: ${waiting}.`,
  unchecked: "La clave no se comprobó: para eso hace falta la dirección de pedidos.",
  keyDoubtful: (name) =>
    `Atención: el servicio todavía no aceptó la clave de este perfil. \`bpos doctor -p ${shellWord(name)}\` la comprueba; \`bpos profile add ${shellWord(name)} --update --api-key-file -\` pone otra.`,
  notKept: (name) => `El perfil ${quoted(name)} no se guardó. Con --no-check se guarda sin comprobarlo.`,
  kept: (name, file) => `El perfil ${quoted(name)} quedó guardado en ${file}, solo para ‹ti›.`,
  isDefault: "Es el que se usa cuando no ‹nombras› otro con -p.",
  notDefault: (other, name) =>
    `${other === null ? "Ningún perfil es el predeterminado" : `El predeterminado sigue siendo ${quoted(other)}`}: ‹nómbralo› con -p ${name}, o ‹hazlo› el predeterminado con \`bpos profile use ${name}\`.`,
  first: (name, command) => `‹Pruébalo›: \`bpos ${name === null ? "" : `-p ${shellWord(name)} `}${command}\``,
  anotherBranch:
    "Nota: bpos reconoce una sucursal por su clave. Con otra clave no sabe qué se entregó ni qué se mandó: `orders watch` entrega todos los pedidos en pendiente, salvo que la primera vez lo corras con --skip-existing.",
  overridden: (variables) =>
    `Nota: ${variables.join(", ")} ${variables.length === 1 ? "está en el entorno y tiene" : "están en el entorno y tienen"} prioridad sobre un perfil que no ‹nombras› con -p.`,
  mockSet: "Atención: BPOS_MOCK está en el entorno: los comandos van al mock, diga lo que diga el perfil.",
  unencrypted: (address) => `Atención: ${address} no es https: en el camino cualquiera puede leer la clave.`,
  keyFileOpen: (file) =>
    `Atención: otros usuarios de esta máquina pueden leer la clave de ${file}. ‹Corre›: chmod 600 ${shellWord(file)}`,
  keyUnread: (name, key, similar) =>
    `Atención: el perfil ${quoted(name)} tiene el ajuste desconocido ${quoted(key)}${similar === null ? "" : `: ‹escribe› ${similar}`}.`,
  used: (name) => `Desde ahora se usa el perfil ${quoted(name)} cuando no ‹nombras› otro con -p.`,
  renamed: (from, to) =>
    `El perfil ${quoted(from)} ahora se llama ${quoted(to)}. bpos recuerda lo que entregó y mandó.`,
  removed: (name, wasDefault, usual) => {
    const gone = `El perfil ${quoted(name)} se borró.`;
    if (!wasDefault) return gone;
    return usual === null
      ? `${gone} Era el predeterminado, y ahora no hay ninguno: ‹elige› uno con \`bpos profile use NOMBRE\`.`
      : `${gone} Era el predeterminado; ahora lo es ${quoted(usual)}.`;
  },
};

/** Why a profile cannot be kept as it was asked for. */
export const profileProblemWords = profileAdvice({
  name_unusable: {
    what: "Ese nombre no es válido para un perfil.",
    why: "Un nombre lleva de 1 a 64 letras, números, puntos, - o _, empieza con una letra o un número, y no parece una clave.",
    next: "‹Elige› un nombre corto, por ejemplo centro.",
  },
  name_taken: {
    what: 'Ya hay un perfil "{name}".',
    why: "Se reemplazaría el que está.",
    next: "‹Elige› otro nombre, o ‹cambia› ese: `bpos profile add {name:shell} --update` con lo nuevo.",
  },
  address_absent: {
    what: "Falta la dirección.",
    why: "Un perfil necesita la dirección del servicio.",
    next: "‹Pasa› --base-url URL, --campaigns-url URL o las dos.",
  },
  key_absent: {
    what: "Falta la clave.",
    why: "Un perfil necesita una clave.",
    next: "‹Pasa› --api-key-file ARCHIVO (- es la entrada estándar) o --key-command COMANDO.",
  },
  command_is_key: {
    what: "El valor de --key-command parece una clave.",
    why: "Se espera un comando que muestre una.",
    next: "‹Pasa› la clave con --api-key-file ARCHIVO, o con --api-key-file - por la entrada estándar: así no queda en el historial de comandos.",
  },
  code_unknown: {
    what: {
      of: { country: 'No existe el país "{code}".', currency: 'No existe la moneda "{code}".' },
    },
    why: "Un país se nombra con dos letras y una moneda con tres, por ejemplo AR y ARS, o MX y MXN.",
    next: "‹Pon› ese código.",
  },
  text_unusable: {
    what: "El valor de {flag} no es válido.",
    why: "Está vacío o tiene un carácter de control.",
    next: "‹Corrígelo›, o ‹quítalo›.",
  },
});

/** Why the `key_command` of a profile gave no key, as part of a sentence. */
export const keyCommandWords = sentences<KeyCommandProblem>()({
  exit: "terminó con el código {code}",
  killed: "terminó por {signal}",
  timeout: "no mostró una clave en {ms:s} s, y se lo detuvo",
  too_long: "mostró mucho más que una clave",
  not_started: "no se pudo iniciar[ ({code})]",
  empty: "no mostró nada en la salida estándar",
});

/** What the questions say and accept, in Spanish. */
export const questions: typeof enQuestions = {
  yes: ["s", "si", "sí", "y", "yes"],
  no: ["n", "no"],
  hint: "(s/N)",
  answered: { yes: "Sí", no: "No" },
  objection: "‹Escribe› s para sí, o n o solo Enter para no.",
  unseen: "[no se ve lo que ‹escribes›]",
  keys: "Con las flechas te ‹mueves›, con Enter ‹eliges›.",
};
