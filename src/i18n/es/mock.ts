import { plural } from "../../texts/phrases.ts";
import type * as en from "../en/mock.ts";

/** What `bpos mock` and its commands say. */
export const mock: typeof en.mock = {
  running: (scenario) => `El servicio en esta máquina, escenario ${scenario}`,
  addresses: { console: "Consola", orders: "Pedidos y catálogo", campaigns: "Campañas", keys: "Claves" },
  moreKeys: (more) => `y ${more} más: bpos mock -o json`,
  requests: "Llamadas",
  placed: (count, ids) => `${plural(count, "pedido ‹creado›", "pedidos ‹creados›")}: ${ids}.`,
  replied: (phone, text, campaignId) => `${phone} respondió "${text}" a ${campaignId}.`,
  unheard:
    "Nadie recibió la respuesta: este mock no tiene un webhook. `bpos campaign listen` muestra su dirección; ‹pásala› a `bpos mock webhook URL`.",
  advanced: (now) => `El reloj del mock marca ${now}.`,
  reset: (scenario) => `El mock se reinició: escenario ${scenario}.`,
  faultAdded: (rule) => `Falla activada: ${rule}.`,
  faultsCleared: "No hay fallas activas.",
  faultsTitle: "Fallas activas",
  moved: (id, status) => `El pedido ${id} ahora está ${status}.`,
  clock: (now, speed) =>
    speed === null
      ? `El reloj del mock está detenido en ${now}.`
      : `El reloj del mock marca ${now}, a velocidad ${speed}.`,
  webhook: (url) => `Las respuestas se mandan a ${url}.`,
  noWebhook: "Las respuestas no se mandan a ningún lado.",
  exported: (file, now) => `El mundo de ${now} quedó guardado en ${file}.`,
  imported: (scenario, now) => `Importado: el mock sigue desde ${now}, con el escenario ${scenario}.`,
  templates: {
    title: "Plantillas",
    name: "Nombre",
    state: "Estado",
    languages: "Idiomas",
    header: "Encabezado",
    params: "Parámetros",
    id: "Id",
    body: "Texto",
    states: { approved: "aprobada", pending: "en espera", rejected: "rechazada" },
    headers: { none: "ninguno", image: "imagen", video: "video", document: "documento" },
  },
  faults: { id: "Id", rule: "Regla", times: "Veces", rate: "Tasa", fired: "Activada" },
};

/** The narration of `bpos demo`. */
export const demo: typeof en.demo = {
  title: "Un día en el ‹negocio› con bpos, contra un mock: ‹aquí› nada es real.",
  follow: "Para ‹unirte› desde otra terminal:",
  thanks: "Gracias, ya voy",
  scenes: {
    push: "‹Por la mañana› se sube la lista de precios. Una fila está mal: bpos dice cuál y manda las demás.",
    prices: "Sube un precio y se corrige la fila: solo se mandan esas dos.",
    order: "Un cliente hace un pedido. El watch lo entrega, una sola vez, como comanda.",
    noon: "Mediodía: entran más pedidos, una línea cada uno. La lista muestra todo lo que espera.",
    cancel: "Un cliente cancela. La consulta siguiente lo dice, antes de que alguien cocine.",
    outage:
      "El servicio se cae un momento justo cuando entra un pedido. bpos reintenta: el pedido no se pierde.",
    send: "Los pedidos están listos: un mensaje a cada cliente del archivo. bpos avisa del teléfono mal escrito; los demás lo reciben.",
    again: "Alguien manda otra vez el mismo archivo: nadie recibe el mensaje dos veces.",
    reply: "Cinco minutos después un cliente responde. ¿Quién lo recibió, quién lo leyó, quién contestó?",
  },
  live: "‹Por la noche› los pedidos entran en vivo, ‹aquí› y en la consola, donde ‹puedes› ‹crear› los tuyos:",
  end: "Ese fue el día. Ahora: `bpos mock` corre un mock con su consola, `bpos --help` muestra todos los comandos.",
  next: "Enter: escena siguiente · Ctrl-C: terminar",
  more: "Enter: seguir · Ctrl-C: terminar",
  leave: "Enter: terminar",
};
