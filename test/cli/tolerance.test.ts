import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixedServer } from "../support/peers.ts";
import { shell, temporaryFolder } from "../support/run.ts";
import { pointedAt } from "../support/service.ts";

/** Orders as a service may send them that keeps to what the specification leaves open. */
const strange = [
  {
    order_id: 1,
    created_at: 1_767_265_200_000,
    created_at_iso: "2026-01-01T08:00:00-03:00",
    status: "en_revision",
    delivery_type: "drone",
    delivery_address: "Ruta 8 km 42, tranquera verde",
    domicilio: { calle: null, numero: null, piso_depto: null, localidad: null, referencia: null },
    cliente: { nombre: null, telefono: "+5491155550000", vip: true },
    pago: { modo: "cripto", pagado: false, monto: 1500.5 },
    costo_envio: 500,
    total: 1500.5,
    lineas: [
      { codigo: null, nombre: "Torta\u001b[2J", cantidad: 1, precio_unitario: 1000.5, subtotal: 1000.5 },
    ],
    propina: { monto: 12 },
  },
  {
    order_id: 2,
    created_at: 1_767_265_260_000,
    created_at_iso: "2026-01-01T08:01:00-03:00",
    status: "pendiente",
    delivery_type: "delivery",
    delivery_address: "Calle sin número",
    cliente: {
      nombre: null,
      telefono: "+5491155550001",
      telefono_pais: null,
      telefono_area: null,
      telefono_numero: null,
    },
    pago: { modo: "online", pagado: true, monto: 2000 },
    costo_envio: 0,
    total: 2000,
    lineas: [],
  },
  { order_id: 3, total: "no sé" },
];

const answers: Record<string, unknown> = {
  "/v1/orders": { orders: strange, page: 1, per_page: 20, total: 3, has_more: false, server: "x" },
  "/v1/catalog/items": { duplicate: null, accepted: 1, rejected: null, note: "gracias" },
  "/campaigns": { campaign_id: "c-9", status: "queued", extra: 1, recipients: null },
  "/campaigns/c-9": {
    campaign_id: "c-9",
    status: "archived",
    counts: { total_recipients: 2, bounced: 1 },
    recipients: [
      { phone: "+5491155550000", status: "bounced", sent_at: null, error_message: null },
      { phone: "+5491155550001", status: null },
    ],
  },
};

async function strangeService(): Promise<Record<string, string>> {
  const url = await fixedServer(({ pathname }) => ({ status: 201, body: answers[pathname] ?? {} }));
  return pointedAt(url);
}

describe("a service that uses every freedom of the specification, with 201 for 200", () => {
  it("lists, in every form, with unknown states and fields untouched", async () => {
    const run = shell({ env: await strangeService() });
    const json = await run(["orders", "list", "--json"]);
    expect(json.code).toBe(0);
    expect(JSON.parse(json.stdout)).toEqual(answers["/v1/orders"]);
    const ndjson = await run(["orders", "list", "-o", "ndjson"]);
    expect(
      ndjson.stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(strange);
    for (const terminal of [80, 200]) {
      const table = await run(["orders", "list"], { terminal });
      expect(table.code).toBe(0);
      if (terminal === 200) expect(table.stdout).toContain("en_revision");
      expect(table.stdout).not.toContain("\u001b[2J");
    }
    expect((await run(["orders", "list", "-o", "csv"])).stdout.trimEnd().split(/\r?\n/)).toHaveLength(4);
  });

  it("pushes, sends and follows", async () => {
    const run = shell({ env: await strangeService() });
    const folder = temporaryFolder();
    writeFileSync(join(folder, "one.csv"), "codigo,precio\nA1,5\n");
    writeFileSync(join(folder, "ana.csv"), "telefono\n+5491155550000\n");
    for (const storeId of ["7", "siete"]) {
      expect((await run(["catalog", "push", join(folder, "one.csv"), "--store-id", storeId])).code).toBe(0);
    }
    const sent = await run([
      "campaign",
      "send",
      join(folder, "ana.csv"),
      "--template",
      "t",
      "--yes",
      "--json",
    ]);
    // Nobody knows what became of the recipient: the service says "queued", and counts nobody.
    expect(sent.code).toBe(3);
    expect(JSON.parse(sent.stdout)).toMatchObject({
      ...{ outcome: "partial", campaigns: [{ campaign_id: "c-9", status: "queued" }] },
    });
    const status = await run(["campaign", "status", "c-9", "--json"]);
    expect(JSON.parse(status.stdout)).toEqual(answers["/campaigns/c-9"]);
    const table = await run(["campaign", "status", "c-9"], { terminal: 80 });
    expect(table.code).toBe(0);
    expect(table.stdout).toContain("bounced");
  });
});
