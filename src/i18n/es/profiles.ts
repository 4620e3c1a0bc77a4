import { quoted, shellWord } from "../../texts/phrases.ts";
import type { profile as enProfile } from "../en/profiles.ts";

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
