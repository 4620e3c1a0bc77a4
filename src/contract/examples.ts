const ordersResponse = {
  orders: [
    {
      order_id: 1042,
      created_at: 1767265200000,
      created_at_iso: "2026-01-01T08:00:00-03:00",
      status: "pendiente",
      delivery_type: "delivery",
      delivery_address: "Av. Corrientes 1234, 5 B, CABA",
      domicilio: {
        calle: "Av. Corrientes",
        numero: "1234",
        piso_depto: "5 B",
        localidad: "CABA",
        referencia: "Timbre roto, llamar",
      },
      cliente: {
        nombre: "Ana Gómez",
        telefono: "+5491161234567",
        telefono_pais: "54",
        telefono_area: "11",
        telefono_numero: "61234567",
      },
      pago: { modo: "en_entrega", pagado: false, monto: 9700 },
      costo_envio: 700,
      total: 9700,
      lineas: [
        {
          codigo: "00123",
          nombre: "Pizza muzzarella",
          cantidad: 1,
          precio_unitario: 9000,
          subtotal: 9000,
          opciones: [{ codigo: null, nombre: "Sin aceitunas", precio_adicional: 0 }],
        },
      ],
    },
  ],
  page: 1,
  per_page: 20,
  total: 1,
  has_more: false,
};

const catalogEvent = {
  event_id: "2f1c6f0e-example",
  occurred_at: "2026-01-01T08:00:00.000-03:00",
  action: "upsert",
  items: [
    { codigo: "00123", nombre: "Pizza muzzarella", categoria: "Pizzas", precio: 9000, deshabilitado: false },
  ],
};

const catalogResult = { duplicate: false, accepted: 1, skipped_stale: 0, rejected: [] };

const campaignRequest = {
  idempotency_key: "9b1d-example",
  recipients: [{ phone: "+5491161234567", params: ["Ana", "1042"] }],
  template_name: "pedido_listo",
  template_language: "es_AR",
  external_ref: "enero-1",
};

const campaign = {
  campaign_id: "cmp_1",
  status: "sent",
  campaign_name: "API - pedido_listo - enero-1",
  external_ref: "enero-1",
};

const campaignStatus = {
  ...campaign,
  counts: { total_recipients: 1, pending: 0, sent: 1, failed: 0, delivered: 1, read: 0, responded: 0 },
  recipients: [
    {
      phone: "+5491161234567",
      status: "delivered",
      sent_at: "2026-01-01T08:00:01-03:00",
      delivered_at: "2026-01-01T08:00:04-03:00",
      read_at: "",
      responded_at: "",
      error_message: "",
    },
  ],
};

/** One example of every body; the tests hold each against its schema. */
export const examples = {
  listOrders: { response: ordersResponse },
  pushCatalog: { body: catalogEvent, response: catalogResult },
  sendCampaign: {
    body: campaignRequest,
    response: { ...campaign, recipients: { added: 1, duplicates: 0, errors: [] }, replayed: false },
  },
  readCampaign: { response: campaignStatus },
  reply: { campaign_id: "cmp_1", external_ref: "enero-1" },
} as const;
