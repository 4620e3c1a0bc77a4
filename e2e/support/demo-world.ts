import { readFileSync } from "node:fs";
import { join } from "node:path";

export const clock = "2026-03-06T20:45:00-03:00";
const root = join(import.meta.dirname, "../..");

/** The views of the console; of the campaigns the first. */
export const viewsOf = async (url: string): Promise<Readonly<Record<string, string>>> => {
  const answer = await fetch(`${url}/_mock/campaigns`);
  const { campaigns } = (await answer.json()) as { campaigns: { campaign_id: string }[] };
  return {
    orders: "/",
    catalog: "/console/catalog",
    campaigns: "/console/campaigns",
    campaign: `/console/campaigns/${campaigns[0]?.campaign_id ?? ""}`,
    requests: "/console/requests",
    world: "/console/world",
    faults: "/console/world#faults",
    data: "/console/world#data",
  };
};

const key = "bpk_demo_centro";

/** Sends JSON to a mock; its answer, whatever it is. */
export async function call(url: string, method: string, path: string, body: unknown = {}): Promise<unknown> {
  const headers = { "content-type": "application/json", "x-api-key": key };
  const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
  return response.json();
}

const names = ["Ana", "Bruno", "Carla", "Diego", "Elena", "Federico", "Graciela", "Hernán"];

/** A campaign to eight recipients, the magic phones first. */
const campaign = (template: string, ref: string, more: object = {}) => ({
  idempotency_key: ref,
  external_ref: ref,
  template_name: template,
  recipients: names.map((name, n) => {
    return { phone: `+549115555000${n}`, params: template === "pedido_listo" ? [name, "1024"] : [name] };
  }),
  ...more,
});

/** Gives a world of the scenario demo something to show on every view. */
export async function furnish(url: string): Promise<void> {
  const { items } = JSON.parse(readFileSync(join(root, "fixtures/catalog.json"), "utf8")) as {
    items: unknown[];
  };
  const push = (event_id: string, occurred_at: string, some: unknown[]) =>
    call(url, "POST", "/v1/catalog/items", { event_id, occurred_at, action: "upsert", items: some });
  await push("lista-marzo", "2026-03-06T20:30:00-03:00", items.slice(0, 40));
  await push("precios-viejos", "2026-03-01T09:00:00-03:00", [
    { codigo: "00101", precio: 1 },
    { codigo: "X-9", precio: -1 },
  ]);
  await call(url, "POST", "/messaging/campaigns", campaign("pedido_listo", "pedidos-viernes"));
  const image = { header_media_url: "https://example.com/promo.jpg", template_language: "es_AR" };
  await call(url, "POST", "/messaging/campaigns", campaign("promo_semana", "promo-marzo", image));
  await call(url, "POST", "/messaging/campaigns", campaign("encuesta", "encuesta-1"));
  const states = [
    "en_preparacion",
    "listo",
    "en_preparacion",
    "asignado",
    "en_camino",
    "entregado",
    "entregado",
  ];
  const { orders } = (await call(url, "POST", "/_mock/orders", { count: 20 })) as {
    orders: { order_id: number }[];
  };
  for (const [n, { order_id }] of orders.slice(0, -3).entries()) {
    const status = n === 5 ? "rechazado" : n === 11 ? "cancelado" : states[n % states.length];
    await call(url, "PATCH", `/_mock/orders/${order_id}`, { status });
  }
  await fetch(`${url}/v1/orders?status=listos`, { headers: { "x-api-key": key } });
  await fetch(`${url}/v1/orders`, { headers: { "x-api-key": "bpk_demo_inactive" } });
  await call(url, "POST", "/_mock/faults", {
    method: "POST",
    path: "/campaigns",
    effect: "commit-drop",
    times: 2,
  });
  await call(url, "POST", "/_mock/clock", { advance_ms: 120_000 });
}
