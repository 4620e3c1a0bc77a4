import type * as en from "../en/help-optout.ts";

/** The help of `bpos campaign optout …`. */
export const optoutHelp: typeof en.optoutHelp = {
  description: "Administrar quiénes se dieron de baja: ningún envío de este registro les manda mensajes",
  country: "país de los teléfonos sin signo más, por ejemplo AR (por defecto, el del perfil)",
  examples: {
    "bpos campaign optout list": "quiénes se dieron de baja, cuándo y cómo",
    "bpos campaign optout review": "decidir sobre las respuestas que pueden ser una baja",
  },
  add: {
    description:
      "Dar de baja a personas, en todas las formas de su teléfono y para todas las sucursales de este registro",
    phone: "teléfono de la persona; pueden seguir varios",
    examples: { "bpos campaign optout add +5491155550101 '011 15 5555-0102' --country AR": "dos personas" },
  },
  remove: {
    description: "Quitar a una persona de la lista; el registro guarda la entrada y el motivo",
    phone: "teléfono de la persona",
    reason: "por qué se le puede mandar de nuevo",
    examples: {
      "bpos campaign optout remove +5491155550101 --reason 'asked for the newsletter on 2026-11-20'":
        "sin --reason lo pregunta",
    },
  },
  list: {
    description: "Listar quiénes se dieron de baja",
    examples: {
      "bpos campaign optout list": "con lo que escribieron",
      "bpos campaign optout list --jq '.opt_outs[].phone'": "solo los teléfonos",
    },
  },
  import: {
    description:
      "Dar de baja a todos los de un archivo: CSV u hoja de cálculo con una columna de teléfonos, o solo teléfonos",
    file: "archivo con los teléfonos, - para la entrada estándar",
    examples: {
      "bpos campaign optout import optouts.csv": "con un informe de las filas sin un teléfono utilizable",
    },
  },
  export: {
    description: "Escribir la lista en un archivo nuevo .csv o .xlsx",
    file: "archivo que se escribe",
    examples: { "bpos campaign optout export optouts.csv": "para otro registro, o para otro programa" },
  },
  review: {
    description: "Decidir una por una sobre las respuestas que contienen, entre otras, una palabra como BAJA",
    examples: {
      "bpos campaign optout review": "pregunta: se dio de baja, no, o más tarde",
      "bpos campaign optout review --json": "las lista, sin cambiar nada",
    },
  },
};
