import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { listening } from "./server.ts";

/** An answer of a fixed server: status and JSON body. */
export type Answer = (url: URL) => { status?: number; headers?: Record<string, string>; body: unknown };

/** Starts a server that answers every request by `answer`; stops when the test ends. Returns its address. */
export async function fixedServer(answer: Answer): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      if (request.url === "/_mock/world") response.sendDate = false;
      // The first question to a server on loopback; it is no mock.
      const {
        status = 200,
        headers,
        body,
      }: ReturnType<Answer> = request.url === "/_mock/world"
        ? { status: 404, body: {} }
        : answer(new URL(request.url ?? "/", "http://localhost"));
      response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end(JSON.stringify(body));
    });
  });
  return `http://127.0.0.1:${await listening(server)}`;
}

/** An address at which nobody listens. */
export async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

/** An order as the contract has it, with other values where given. */
export function orderOf(order_id: unknown, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    order_id,
    created_at: Date.UTC(2026, 0, 1, 11),
    created_at_iso: "2026-01-01T08:00:00-03:00",
    status: "pendiente",
    delivery_type: "pick_up",
    delivery_address: null,
    cliente: {
      nombre: null,
      telefono: "+5491155550000",
      telefono_pais: null,
      telefono_area: null,
      telefono_numero: null,
    },
    pago: { modo: "en_entrega", pagado: false, monto: 100 },
    costo_envio: 0,
    total: 100,
    lineas: [],
    ...more,
  };
}

/** A page of orders. */
export function pageOf(orders: readonly unknown[], more: Record<string, unknown> = {}): object {
  return { orders, page: 1, per_page: 20, total: orders.length, has_more: false, ...more };
}

/** Orders numbered 1 to `total`, in pages of `size`, as the service lists them. */
export function pagesOf(total: number, size: number): Answer {
  return (url) => {
    const page = Number(url.searchParams.get("page") ?? "1");
    const first = (page - 1) * size + 1;
    const ids = Array.from({ length: Math.max(0, Math.min(size, total - first + 1)) }, (_, n) => first + n);
    const orders = ids.map((id) => orderOf(id, { created_at: Date.UTC(2026, 0, 1, 11) + id }));
    return { body: pageOf(orders, { page, per_page: size, total, has_more: first + size <= total }) };
  };
}
