import { countFailures } from "../../src/campaigns/failures.ts";
import type { CampaignsStatus } from "../../src/campaigns/read-campaigns.ts";
import type { SendPreview } from "../../src/campaigns/send/view.ts";
import type { SendReport } from "../../src/campaigns/send-report.ts";
import type { PushReport } from "../../src/catalog/sending/report.ts";
import type { CampaignStatus } from "../../src/contract/campaign.ts";
import { examples } from "../../src/contract/examples.ts";
import type { Order } from "../../src/contract/order.ts";

/** The contract's example, with some fields of it changed. */
export function order(more: Partial<Order> = {}): Order {
  return { ...examples.listOrders.response.orders[0]!, ...more };
}

/** An order that somebody fetches and has paid online. */
export const paidPickUp: Order = order({
  order_id: 1043,
  delivery_type: "pick_up",
  delivery_address: null,
  domicilio: null,
  cliente: { nombre: null, telefono: "+5491161230000" },
  pago: { modo: "online", pagado: true, monto: 12_500 },
  costo_envio: 0,
  total: 12_500,
  lineas: [
    {
      codigo: null,
      nombre: "Empanada de carne cortada a cuchillo, con aceituna y huevo, al horno de barro",
      cantidad: 5,
      precio_unitario: 2_500,
      subtotal: 12_500,
      opciones: [{ codigo: "SP", nombre: "Salsa picante", precio_adicional: 150.5 }],
    },
  ],
});

/** A page of orders with more behind it. */
export function page(orders: Order[], more: Partial<typeof examples.listOrders.response> = {}) {
  return { orders, page: 1, per_page: 20, total: orders.length, has_more: false, ...more };
}

/** A push of which both sides rejected something. */
export function push(more: Partial<PushReport> = {}): PushReport {
  return {
    push_id: "p-1",
    action: "upsert",
    occurred_at: "2026-01-01T08:00:00.000-03:00",
    read: 1240,
    sent: 1230,
    batches: 3,
    accepted: 1228,
    skipped_stale: 0,
    duplicate_batches: 0,
    unchanged: 0,
    rejected: [
      {
        source: "file",
        codigo: "00017",
        line: 17,
        problem: { kind: "price_unusable", column: "precio", text: "consultar" },
        cells: ["00017", "Milanesa, napolitana", "consultar"],
      },
      { source: "service", codigo: "-5", line: 40, error: "=unknown category", cells: ["-5", "Flan", "900"] },
    ],
    rejected_file: null,
    outcome: "complete",
    dry_run: false,
    listed: 1230,
    refused: 1,
    unsaid: { before: 0, unanswered: 0, uncounted: 1 },
    ...more,
  };
}

/** Origins of the reports. */
export const from = { file: "prices.csv", branch: "centro" };

/** A send of three calls. */
export function send(more: Partial<SendReport> = {}): SendReport {
  const call = (id: string, added: number) => ({
    campaign_id: id,
    idempotency_key: `key-${id}`,
    status: "sent",
    campaign_name: "API - pedido_listo - enero-1",
    replayed: false,
    recipients: { added, duplicates: 0, errors: [] as string[] },
    people: added,
  });
  return {
    send_id: "s-1",
    template: "pedido_listo",
    external_ref: "enero-1",
    recipients: {
      read: 2351,
      planned: 2345,
      added: 2345,
      duplicates: 4,
      invalid: 1,
      excluded: 1,
      opted_out: 0,
      already_sent: 0,
      errors: [],
    },
    campaigns: [call("cmp_1", 1000), call("cmp_2", 1000), call("cmp_3", 345)],
    invalid: [
      {
        line: 9,
        phone: "15 6123-4567",
        problem: { kind: "phone_area_missing", country: "AR", text: "15 6123-4567" },
        cells: [],
      },
    ],
    duplicates: [
      {
        line: 12,
        phone: "11 6123-4567",
        problem: { kind: "person_repeated", firstLine: 3, same: false },
        cells: [],
      },
    ],
    excluded: [
      {
        line: 14,
        phone: "+5491161230000",
        problem: { kind: "person_excluded", file: "bajas.csv", line: 7 },
        cells: [],
      },
    ],
    outcome: "sent",
    dry_run: false,
    ...more,
  };
}

/** The preview of that send, shown beside its report. */
export function preview(more: Partial<SendPreview> = {}): SendPreview {
  return {
    ...{ branch: "centro", calls: 3 },
    request: {
      ...{ headerUrl: undefined, template: { name: "pedido_listo", id: null, language: "es_AR" } },
      ...{ reading: { paramNames: ["nombre", "pedido"] }, schedule: {} },
    },
    first: [
      { phone: "+5491161234567", params: ["Ana", "1042"] },
      { phone: "+5491161234568", params: ["José", "1043"] },
    ],
    ...{ file: null, waiting: [], canary: 0, planned: 8, isTemplateChecked: true },
    ...more,
  };
}

/** A campaign with one recipient in each of four states, in the service's order. */
export function campaign(more: Partial<CampaignStatus> = {}): CampaignStatus {
  const at = "2026-01-01T08:00:01-03:00";
  return {
    campaign_id: "cmp_1",
    status: "sent",
    campaign_name: "API - pedido_listo - enero-1",
    external_ref: "enero-1",
    counts: {
      total_recipients: 1000,
      pending: 1,
      sent: 995,
      failed: 4,
      delivered: 990,
      read: 600,
      responded: 100,
    },
    recipients: [
      {
        phone: "+5491161230001",
        status: "read",
        sent_at: at,
        delivered_at: at,
        read_at: at,
        responded_at: "",
        error_message: "",
      },
      { phone: "+5491161230002", status: "pending", sent_at: "", delivered_at: null, error_message: null },
      {
        phone: "+5491161230003",
        status: "failed",
        sent_at: at,
        error_message: "The number is not on the platform",
      },
      { phone: "+5491161230004", status: "teleported" },
    ],
    ...more,
  };
}

/** The status of one campaign, or of several. */
export function statusOf(...campaigns: CampaignStatus[]): CampaignsStatus {
  const messages = campaigns.flatMap(({ recipients }) =>
    (recipients ?? []).flatMap(({ error_message: text }) => text || []),
  );
  return {
    campaigns,
    counts: campaigns[0]?.counts ?? {},
    recipients_hidden: 0,
    errors: countFailures(messages),
  };
}
