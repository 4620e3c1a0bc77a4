import type * as en from "../en/help-setup.ts";

/** The words of `bpos doctor --help`, in Spanish. */
export const doctorHelp: typeof en.doctorHelp = {
  description:
    "Revisar la configuración, la clave, la red, el reloj, el registro y el disco, y decir cómo arreglar cada falla",
  examples: {
    "bpos doctor": "qué funciona, qué no, y qué hacer",
    "bpos doctor -p centro": "lo mismo para un perfil",
    "bpos doctor --json": "para un script; el código de salida es el de la primera fila que falla",
    "bpos doctor -q || mail -s 'bpos' me@example.com": "para cron: en silencio si ‹todo está› bien",
  },
};

/** The help of `bpos journal …`. */
export const journalHelp: typeof en.journalHelp = {
  description: "Administrar el registro: ver qué guarda, pasarlo a PostgreSQL, borrar datos personales",
  examples: { "bpos journal status": "motor, tamaño, contenido y quién tiene un bloqueo" },
  status: {
    description: "Mostrar dónde está el registro, qué guarda y qué procesos tienen bloqueos",
    examples: {
      "bpos journal status": "el del archivo, o el de la base de BPOS_JOURNAL",
      "bpos journal status --jq '.locks[].pid'": "los procesos que están trabajando",
    },
  },
  copy: {
    description: "Copiar el registro SQLite de esta máquina a una base PostgreSQL",
    to: "dirección de una base vacía: postgres://USUARIO@HOST/BASE (por defecto, BPOS_JOURNAL)",
    examples: {
      "bpos journal copy --to postgres://bpos@db.example.com/bpos":
        "antes ‹detén› los cron y los watch; si se corta, sigue donde quedó",
    },
  },
  prune: {
    description: "Borrar los datos personales de envíos y respuestas terminados hace mucho",
    olderThan: "terminados hace este tiempo o más, desde 2d (por defecto, 90d)",
    dryRun: "mostrar qué se borraría, sin cambiar nada",
    yes: "no preguntar",
    examples: {
      "bpos journal prune --older-than 90d": "pregunta antes; después nadie recibe un mensaje dos veces",
      "bpos journal prune --older-than 365d --dry-run": "solo cuenta",
      "bpos journal prune --yes --quiet": "desde cron",
    },
  },
  accept: {
    description: "Seguir con un registro restaurado, o cuyo servidor pasó a una réplica",
    yes: "no preguntar",
    examples: {
      "bpos journal accept-restore": "dice qué no conoce el registro, y pregunta",
    },
  },
};

/** The help of `bpos printer …`, and of the flags of each command that prints, in Spanish. */
export const printerHelp: typeof en.printerHelp = {
  description: "Probar impresoras de tickets, y ver qué imprimen",
  examples: {
    "bpos printer test tcp://192.168.1.50": "un ticket de prueba",
    "bpos printer preview": "un ticket en la pantalla",
  },
  flags: {
    printer:
      "impresora de tickets: tcp://HOST[:PUERTO], file:DISPOSITIVO o lp:COLA (por defecto, la del perfil)",
    paper: "ancho del papel en mm, 58 u 80 (por defecto, 80)",
    language: "escpos, o star para StarPRNT (por defecto, escpos)",
    drawer:
      "abrir el cajón de dinero conectado a ella: `cash` (también sin valor) si el pedido se cobra en efectivo, `always` con todos los pedidos",
    beep: "hacer sonar ‹el zumbador›",
    layout: "cómo se ve un ticket: un archivo JSON, ver `bpos schema layout` (por defecto, el del perfil)",
    stationMap: "CSV de codigo,station que decide antes que ‹las categorías› del catálogo",
  },
  stations: {
    description: "Mostrar qué estación imprime cada producto; código de salida 3 si alguno sale en todas",
    examples: {
      "bpos printer stations": "los productos que el registro conoce",
      "bpos printer stations --jq '.everywhere[]'": "los que ninguna estación tiene",
    },
  },
  test: {
    description: "Imprimir un ticket de prueba: ancho del papel, letras, tamaños y corte",
    url: "tcp://HOST[:PUERTO], file:DISPOSITIVO o lp:COLA (por defecto, las estaciones, o la impresora, del perfil)",
    examples: {
      "bpos printer test tcp://192.168.1.50": "por la red, puerto 9100",
      "bpos printer test file:/dev/usb/lp0 --paper 58": "por USB, papel angosto",
      "bpos printer test lp:kitchen --drawer --beep": "una cola de CUPS, con cajón y ‹zumbador›",
      "bpos printer test 'file:\\\\localhost\\EPSON'": "una impresora compartida de Windows",
    },
  },
  preview: {
    description: "Dibujar un ticket como lo imprime la impresora",
    id: "número de un pedido (por defecto, un ejemplo)",
    png: "guardarlo también como imagen, punto por punto",
    examples: {
      "bpos printer preview --layout layout.json": "un ejemplo, sin imprimir",
      "bpos printer preview 1042 --paper 58 --png receipt.png": "un pedido, como imagen",
    },
  },
};

export const initHelp: typeof en.initHelp = {
  description: "Configurar una sucursal: pregunta la clave y las direcciones, y las comprueba",
  examples: {
    "bpos init": "pregunta, y guarda lo que ‹contestas› como perfil",
    "bpos profile add centro --base-url https://pos.example.com --api-key-file key.txt":
      "lo mismo sin preguntas",
  },
};

export const profileHelp: typeof en.profileHelp = {
  client: {
    cert: "certificado de cliente para servicios que lo piden, un archivo PEM (client_cert del perfil)",
    key: "su clave privada, un archivo PEM sin cifrar (client_key del perfil)",
  },
  description: "Guardar las claves y direcciones de tus sucursales, un perfil por sucursal",
  examples: { "bpos profile list": "qué sucursales están configuradas, y cuál se usa" },
  name: "nombre del perfil",
  add: {
    description: "Guardar un perfil con opciones; bpos init pregunta lo mismo",
    name: "nombre del perfil, por ejemplo centro",
    keyCommand: "comando que muestra la clave; se corre cuando hace falta, en lugar de --api-key-file",
    country: "país de la sucursal, para teléfonos sin +, moneda y números, por ejemplo AR",
    areaCode:
      "código de área de la sucursal, para los avisos sobre teléfonos que no lo tienen, por ejemplo 11",
    currency: "moneda de los importes en pantalla (si no, la del país o ARS)",
    storeId: "comprobar que lo que se sube sea de la sucursal de la clave",
    headerField: "nombre del campo para la URL del encabezado de una campaña",
    sandbox: "una sucursal de prueba: cada tabla dice SANDBOX",
    live: "la sucursal real",
    noDrawer: "dejar el cajón cerrado",
    noBeep: "sin ‹zumbador›",
    default: "hacerlo el predeterminado, como lo es el primer perfil",
    update: "cambiar un perfil que ya existe; lo demás queda como está",
    check: "no probar la clave",
    examples: {
      "bpos profile add centro --base-url https://pos.example.com --campaigns-url https://msg.example.com --api-key-file key.txt":
        "la clave sale de un archivo; - es la entrada estándar",
      "bpos profile add norte --base-url https://pos.example.com --key-command 'pass show bpos/norte'":
        "la clave queda en el gestor de contraseñas",
      "bpos profile add centro --update --api-key-file new-key.txt": "otra clave",
    },
  },
  list: {
    description: "Listar los perfiles, con las claves ocultas",
    examples: { "bpos profile list": "el * marca el predeterminado" },
  },
  use: {
    description: "Elegir el perfil predeterminado",
    examples: { "bpos profile use norte": "para todos los comandos sin -p" },
  },
  show: {
    description: "Mostrar la configuración vigente, y de dónde sale cada ajuste",
    name: "un perfil (si no, el que se usa)",
    examples: {
      "bpos profile show": "cada ajuste y de dónde sale",
      "bpos profile show norte": "como con -p norte",
    },
  },
  station: {
    description: "Las estaciones de una cocina: impresoras, cada una con ‹las categorías› que imprime",
    examples: {
      "bpos profile station add cocina --printer tcp://192.168.1.50 --category Pizzas":
        "y bpos orders watch --printer imprime ahí las pizzas",
    },
    name: "nombre de la estación",
    printer: "su impresora: tcp://HOST[:PUERTO], file:DISPOSITIVO o lp:COLA",
    category: "‹una categoría› del catálogo que imprime; se repite para otras",
    everything: "imprime todas las líneas de todos los pedidos, con lo que hay que cobrar",
    copies: "cuántos de cada ticket, de 1 a 9 (por defecto, 1)",
    add: {
      description: "Agregar una estación al perfil",
      examples: {
        "bpos profile station add cocina --printer tcp://192.168.1.50 --category Pizzas --category Empanadas":
          "‹dos categorías›",
        "bpos profile station add caja --printer lp:caja --everything --copies 2":
          "pedidos enteros, dos veces",
      },
    },
    list: {
      description: "Listar las estaciones del perfil",
      examples: { "bpos profile station list": "con ‹las categorías› de cada una" },
    },
    remove: {
      description: "Quitar una estación; lo que la espera sale en las otras",
      examples: { "bpos profile station remove barra": "cuando el watch arranca de nuevo" },
    },
  },
  rename: {
    description: "Cambiarle el nombre a un perfil; bpos recuerda lo que entregó y mandó",
    newName: "nombre nuevo del perfil",
    examples: { "bpos profile rename centro microcentro": "todo lo demás queda igual" },
  },
  remove: {
    description: "Borrar un perfil y su clave",
    yes: "no preguntar",
    examples: { "bpos profile remove norte": "primero pregunta" },
  },
};
