import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { campaign, push, start } from "./support.ts";
import { until } from "./webhook-receiver.ts";

/** Starts a webhook. Returns its address, and what was posted to it. */
async function receiver(): Promise<{ url: string; got: Record<string, unknown>[] }> {
  const got: Record<string, unknown>[] = [];
  const take = async (request: IncomingMessage): Promise<void> => {
    got.push(JSON.parse(await readText(request)) as Record<string, unknown>);
  };
  const server = createServer((request, response) => void take(request).then(() => response.end()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, got };
}

describe("events (docs/reference/service.md 6)", () => {
  test("a reply is posted to the webhook with the campaign_id and external_ref of its campaign; orders and catalog send nothing", async () => {
    const { url, got } = await receiver();
    const mock = await start({ scenario: "busy", webhookUrl: url });
    await mock.control.placeOrders({ count: 3 });
    await push(mock, [{ codigo: "A1", nombre: "Uno", precio: 10 }]);
    await mock.control.moveClock({ advance_ms: 600_000 });
    const phone = "+5491155550002";
    const sent = await campaign(mock, { external_ref: "ref-1", recipients: [{ phone, params: [] }] });
    await mock.control.reply({ phone, text: "sí" });
    await until(() => expect(got).not.toEqual([]));
    expect(got).toEqual([
      expect.objectContaining({ campaign_id: sent.campaign_id, external_ref: "ref-1", phone, text: "sí" }),
    ]);
  });
});
