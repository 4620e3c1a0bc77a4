import type { mock as en } from "../en/mock.ts";
import { type Count, plural } from "../plural.ts";

/** What `bpos mock order|reply|advance|fault|reset|log` say. */
export const mock: typeof en = {
  placed: (count: Count, ids: string) => `${plural(count, "pedido cargado", "pedidos cargados")}: ${ids}.`,
  replied: (phone: string, text: string, campaignId: string) =>
    `${phone} respondió "${text}" a ${campaignId}.`,
  advanced: (now: string) => `El reloj del mock marca ${now}.`,
  reset: (scenario: string) => `El mock empieza de nuevo: escenario ${scenario}.`,
  faultAdded: (rule: string) => `Falla activada: ${rule}.`,
  faultsCleared: "No hay fallas activas.",
  faultsTitle: "Fallas activas",
  faults: { rule: "Regla", times: "Veces", rate: "Tasa", fired: "Saltó" },
};
