import type { ConsoleTexts } from "../en/console.ts";
import { mock } from "./mock.ts";

export const worldTexts: Pick<ConsoleTexts, "faults" | "world"> = {
  faults: {
    effects: {
      "commit-status": {
        name: "Un envío contesta 502 aunque salió",
        seen: "La solicitud se aplica, pero contesta un error: repetirla es seguro solo con el mismo idempotency_key o event_id.",
      },
      "commit-drop": {
        name: "Se corta la conexión después de un envío",
        seen: "La solicitud se aplica y después se corta la conexión: el cliente no puede saber cómo salió.",
      },
      drop: {
        name: "Se corta la conexión antes de un envío",
        seen: "Se corta la conexión y no se aplica nada. El cliente no lo distingue de un corte posterior.",
      },
      status: {
        name: "Servicio no disponible",
        seen: "Contesta un error y no se aplica nada: el cliente reintenta o abandona.",
      },
      delay: {
        name: "Respuestas lentas, de 3 s",
        seen: "La respuesta llega tarde: un cliente que espera menos abandona antes.",
      },
      html: {
        name: "Página de error de un proxy",
        seen: "502 con una página HTML en lugar de JSON; no se aplica nada.",
      },
      garbage: { name: "Basura", seen: "200 con un cuerpo que no es JSON; no se aplica nada." },
      truncate: {
        name: "Respuestas cortadas",
        seen: "La solicitud se aplica, y llega la mitad de la respuesta antes de que se corte la conexión.",
      },
      "retry-after": {
        name: "Demasiadas solicitudes",
        seen: "429 con Retry-After, y no se aplica nada: el cliente espera lo que ahí dice.",
      },
      shift: {
        name: "Un pedido se mueve entre dos páginas",
        seen: "Apenas se lee una página, su primer pedido deja el estado: la página siguiente ‹se salta› uno.",
      },
      late: {
        name: "Un pedido atrasado",
        seen: "Aparece un pedido con created_at en el pasado: se le escapa a quien pide solo desde su última consulta.",
      },
    },
    title: "Fallas",
    hint: "Cada interruptor activa una regla. De las que coinciden con una solicitud, actúa la primera que no esté agotada.",
    armed: "Activas",
    none: "No hay ninguna falla activa: el servicio ‹funciona› bien.",
    rule: "Regla",
    matched: "Coincidió",
    fired: "Actuó",
    usedUp: "agotada",
    remove: "Quitar",
    removeRule: (rule) => `Quitar ${rule}`,
    removeAll: "Quitar todas",
    own: "Regla propia",
    add: "Activar",
    added: "La falla está activa.",
    grammar: "Una regla es",
  },
  world: {
    title: "Mundo",
    tabs: { time: "Tiempo", faults: "Fallas", data: "Datos" },
    clock: "Reloj",
    frozen: "detenido: nada pasa por sí solo",
    running: (speed) => (speed === 1 ? "en marcha" : `en marcha, ${speed} veces más rápido`),
    pace: "Ritmo",
    freeze: "Detener",
    goOn: "Seguir",
    advance: "Adelantar",
    steps: { minutes: (count) => `${count} min`, hour: "1 h", day: "1 día" },
    byMinutes: "Minutos",
    advanced: "El reloj se adelantó.",
    date: "Fecha",
    set: "Poner",
    dateSet: "Se cambió la fecha del reloj.",
    clockHint:
      "Al pasar el tiempo llegan y avanzan pedidos, y se leen mensajes. Una fecha anterior cambia solo la fecha.",
    scenario: "Escenario",
    seed: "Semilla",
    worldId: "Mundo",
    same: "el mismo",
    reset: "Reiniciar…",
    resetLoses:
      "¿Empezar de nuevo? Se pierden los pedidos, los productos subidos, las campañas, las respuestas, las fallas y las solicitudes de este mundo. Si lo ‹exportas›, se guarda todo menos las solicitudes.",
    wasReset: "Empezó un mundo nuevo.",
    export: "Exportar",
    import: "Importar",
    importLoses:
      "¿Importar este mundo? Reemplaza al actual, y se pierden sus pedidos, productos subidos, campañas, respuestas, fallas y solicitudes.",
    imported: "Se importó el mundo.",
    exportHint:
      "Lo exportado es un archivo JSON con todo lo que hay en este mundo, para guardarlo o mostrarlo en otra máquina. Reiniciar sin semilla conserva la que hay.",
    connect: "Conectar",
    key: "Clave",
    keysHint: "Cualquier otra clave recibe 403.",
    templates: "Plantillas",
    templateWords: { states: mock.templates.states, headers: mock.templates.headers },
    columns: {
      name: "Nombre",
      languages: "Idiomas",
      header: "Encabezado",
      params: "Parámetros",
      state: "Estado",
      body: "Texto",
    },
  },
};
