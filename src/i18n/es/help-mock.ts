import type * as en from "../en/help-mock.ts";

/** The help of `bpos mock …`, in Spanish. */
export const mockHelp: typeof en.mockHelp = {
  description: "Correr el mock del servicio hasta Ctrl-C",
  open: "abrir la consola en el navegador predeterminado",
  port: "puerto donde escuchar, 0 para cualquiera libre (por defecto, 4010)",
  host: "dirección donde escuchar (por defecto, 127.0.0.1)",
  scenario: "demo, empty, rush, busy o un archivo JSON propio (por defecto, demo)",
  fault: "provocar una falla, por ejemplo 'POST /campaigns status=502 times=2'; se puede repetir",
  webhookUrl: "adónde se mandan las respuestas de los destinatarios",
  seed: "otra semilla, otro mundo",
  data: "guardar el mundo en este archivo (por defecto, en memoria, hasta Ctrl-C)",
  clock: "congelar la hora del mundo, por ejemplo en 2026-01-01T12:00:00-03:00",
  speed: "a qué velocidad corre la hora del mundo (por defecto, 1)",
  examples: {
    "bpos mock": "después, en otra terminal: export BPOS_MOCK=http://127.0.0.1:4010",
    "bpos mock --open": "con su consola en el navegador",
    "bpos mock --port 0 --scenario empty": "cualquier puerto libre, sin pedidos",
  },
};

/** The help of the commands that talk to a running mock, in Spanish. */
export const mockTalkHelp: typeof en.mockTalkHelp = {
  url: "dirección del mock (por defecto, el que esté corriendo o el mundo de --mock)",
  order: {
    description: "‹Crear› pedidos en el mock",
    count: "cantidad de pedidos (por defecto, 1)",
    branch: "sucursal (por defecto, demo)",
    status: "estado de los pedidos (por defecto, pendiente)",
    examples: { "bpos mock order --count 3": "tres clientes hacen su pedido" },
  },
  reply: {
    description: "Responder a la última campaña que le llegó a un teléfono",
    examples: { "bpos mock reply +5491155550003 sí, gracias": "también se manda al webhook" },
  },
  advance: {
    description: "Adelantar el reloj del mock",
    examples: { "bpos mock advance 5m": "los mensajes se entregan y se leen, entran pedidos" },
  },
  fault: {
    description: "Provocar una falla en el mock",
    list: "listar las fallas activas y cuántas veces se activó cada una",
    clear: "‹quitar› todas las fallas",
    remove: "‹quitar› una falla, por el número que muestra --list",
    examples: {
      "bpos mock fault 'POST /campaigns commit-drop times=1'": "se aplica, pero la respuesta se pierde",
      "bpos mock fault 'GET /v1/orders status=503 rate=0.2'":
        "falla más o menos una consulta de cada cinco, al azar",
    },
  },
  reset: {
    description: "Reiniciar el mundo del mock",
    scenario: "demo, empty, rush o busy",
    seed: "otra semilla, otro mundo",
    examples: { "bpos mock reset": "historial vacío, los primeros pedidos, el primer catálogo" },
  },
  log: {
    description: "Mostrar las llamadas que recibió el mock",
    follow: "seguir hasta Ctrl-C",
    limit: "cantidad de llamadas (por defecto, 100)",
    examples: { "bpos mock log --follow": "al lado de otra terminal que manda" },
  },
  orders: {
    description: "Cambiar pedidos del mock",
    examples: { "bpos mock orders set 1001 listo": "la cocina terminó el pedido 1001" },
    set: {
      description: "Pasar un pedido a un estado, cualquiera de los ocho",
      id: "número de pedido",
      state: "estado",
      examples: { "bpos mock orders set 1001 cancelado": "el cliente cancela" },
    },
  },
  templates: {
    description: "Listar las plantillas del mock",
    examples: { "bpos mock templates": "nombres, idiomas, encabezados y cantidad de parámetros" },
  },
  clock: {
    description: "Mostrar el reloj del mock, detenerlo o cambiarle la velocidad",
    freeze: "detener el reloj",
    resume: "reanudarlo a la velocidad anterior",
    speed: "segundos del mock por cada segundo real; con 0 se detiene",
    now: "poner la fecha; si es posterior, pasa el tiempo hasta ella",
    examples: {
      "bpos mock clock --speed 60": "una hora del ‹negocio› dura un minuto",
      "bpos mock clock --freeze": "no pasa nada hasta que lo muevas",
    },
  },
  webhook: {
    description: "Mostrar o elegir adónde manda el mock las respuestas",
    address: "URL que recibe cada respuesta desde ahora",
    off: "dejar de mandar las respuestas",
    examples: { "bpos mock webhook http://127.0.0.1:8787/": "donde espera `bpos campaign listen`" },
  },
  export: {
    description: "Guardar el mundo del mock en un archivo",
    file: "archivo que se escribe; con -, la salida estándar",
    force: "reemplazar el archivo",
    examples: { "bpos mock export world.json": "para mostrarlo otra vez, o mandarlo a soporte" },
  },
  import: {
    description: "Reemplazar el mundo del mock por uno exportado",
    file: "archivo que escribió `bpos mock export`; con -, la entrada estándar",
    examples: { "bpos mock import world.json": "sigue desde la fecha en que se exportó" },
  },
};
