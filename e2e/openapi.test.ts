import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import createClient from "openapi-fetch";
import { describe, expect, it, test } from "vitest";
import type { paths } from "./service.d.ts";
import { startMock } from "./support/console.ts";

const folder = import.meta.dirname;
const document = join(folder, "service.json");

/** Returns the output of a tool from e2e/node_modules; fails where the tool does. */
async function output(tool: string, ...argv: string[]): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const file = join(folder, "node_modules/.bin", tool);
  return (await promisify(execFile)(file, argv, { cwd: folder, env })).stdout;
}

describe("the document of bpos openapi", () => {
  it("passes Redocly's recommended rules without a warning", async () => {
    const said = await output("redocly", "lint", document, "--extends", "recommended", "--format", "json");
    expect(JSON.parse(said)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] });
  });

  it("passes Spectral's rules for OpenAPI without a warning", async () => {
    const ruleset = join(folder, "spectral.json");
    expect(await output("spectral", "lint", document, "--ruleset", ruleset, "--format", "json")).toMatch(
      /^\[\]/,
    );
  });
});

/** A program as somebody else would write it: `service.d.ts` is what openapi-typescript makes of the document. */
test("a generated client lists orders, pushes a catalog, sends a campaign and reads it", async () => {
  const { url } = await startMock("--scenario", "demo");
  const headers = { "X-API-Key": "bpk_demo_centro" };
  const pos = createClient<paths>({ baseUrl: url, headers });
  const campaigns = createClient<paths>({ baseUrl: `${url}/messaging`, headers });

  const { data: page } = await pos.GET("/v1/orders", { params: { query: { status: "pendiente" } } });
  const [order] = page?.orders ?? [];
  const towns: (string | null | undefined)[] = [order?.domicilio?.localidad, order?.delivery_address];
  expect(towns).toHaveLength(2);
  expect(order?.cliente.telefono.startsWith("+")).toBe(true);
  expect(order?.lineas.map(({ subtotal }) => subtotal > 0)).not.toContain(false);

  const event = {
    event_id: "openapi-1",
    occurred_at: new Date().toISOString(),
    action: "upsert" as const,
    items: [{ codigo: "NUEVO", nombre: "Nuevo", precio: 10 }, { codigo: "X" }],
  };
  const { data: pushed } = await pos.POST("/v1/catalog/items", { body: event });
  expect(pushed).toMatchObject({ duplicate: false, accepted: 1 });
  expect(pushed?.rejected.map(({ codigo }) => codigo)).toEqual(["X"]);

  const { data: sent } = await campaigns.POST("/campaigns", {
    body: {
      idempotency_key: "openapi-1",
      template_name: "pedido_listo",
      recipients: [{ phone: "+5491161234567", params: ["Ana", "1042"] }],
    },
  });
  expect(sent).toMatchObject({ status: "sent", replayed: false, recipients: { added: 1 } });
  const params = { path: { campaign_id: sent?.campaign_id ?? "" } };
  const { data: read } = await campaigns.GET("/campaigns/{campaign_id}", { params });
  expect(read?.counts.total_recipients).toBe(1);
  expect(read?.recipients.map(({ phone }) => phone)).toEqual(["+5491161234567"]);

  const refused = await pos.GET("/v1/orders", { headers: { "X-API-Key": "wrong" } });
  expect(refused.response.status).toBe(403);
  expect(refused.error?.code).toBe("ERROR_CODE_ACCESS_DENIED");
  // @ts-expect-error: no order has this state.
  const unknown = await pos.GET("/v1/orders", { params: { query: { status: "listos" } } });
  expect(unknown.error?.message).toMatch(/status/);
});
