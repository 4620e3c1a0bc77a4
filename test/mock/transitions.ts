import { expect } from "vitest";

const way = ["pendiente", "en_preparacion", "listo", "asignado", "en_camino", "entregado"];

/** Expects that an order may have come from one state to another by itself (`docs/reference/service.md` 3), or stayed in it. */
export function expectStep(
  from: { readonly status: string; readonly delivery_type: string },
  to: string,
): void {
  const { status, delivery_type } = from;
  if (to === status) return;
  expect(way.slice(0, -1), `${status} is final, and became ${to}`).toContain(status);
  if (to === "rechazado") expect(status).toBe("pendiente");
  else if (to !== "cancelado") {
    expect(way.indexOf(to), `${status} became ${to}`).toBeGreaterThan(way.indexOf(status));
    if (delivery_type === "pick_up") expect(["asignado", "en_camino"]).not.toContain(to);
  }
}
