import type { Order } from "../../contract/order.ts";
import type { T } from "../../texts/texts.ts";

/** Returns a delivery with all that a receipt may hold. */
export function sampleOrder(t: T, now: number): Order {
  const option = (nombre: string, precio_adicional: number) => ({ codigo: null, nombre, precio_adicional });
  const line = (nombre: string, cantidad: number, precio_unitario: number, extra: object[]) => ({
    codigo: null,
    nombre,
    cantidad,
    precio_unitario,
    subtotal: cantidad * precio_unitario,
    opciones: extra,
  });
  return {
    order_id: 1042,
    created_at: now,
    created_at_iso: new Date(now).toISOString(),
    status: "pendiente",
    delivery_type: "delivery",
    delivery_address: null,
    domicilio: {
      calle: "Güemes",
      numero: "742",
      piso_depto: "2 B",
      localidad: "Córdoba",
      referencia: t("Doorbell broken: knock!"),
    },
    cliente: { nombre: "Íñigo Peña", telefono: "+5493515551234" },
    pago: { modo: "en_entrega", pagado: false, monto: 31_500 },
    costo_envio: 1_000,
    total: 31_500,
    lineas: [
      line(t("Muzzarella pizza"), 2, 12_250, [option(t("Extra cheese"), 250)]),
      line(t("Empanada, hot beef"), 3, 2_000, []),
    ],
  } as unknown as Order;
}
