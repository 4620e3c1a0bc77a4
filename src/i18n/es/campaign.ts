import type { campaign as en } from "../en/campaign.ts";
import { type Count, plural } from "../plural.ts";

/** The status of one or more campaigns. */
export const campaign: typeof en = {
  title: (id: string) => `Campaña ${id}`,
  several: (count: Count) => plural(count, "campaña", "campañas"),
  labels: { name: "Nombre", ref: "Referencia", status: "Estado" },
  counts: { what: "Mensaje", people: "Personas", share: "Parte", bar: "" },
  names: {
    total_recipients: "Total",
    pending: "Pendiente",
    sent: "Enviado",
    failed: "Falló",
    delivered: "Entregado",
    read: "Leído",
    responded: "Respondió",
  },
  noCounts: "El servicio no dio cantidades.",
  list: { id: "Campaña", status: "Estado", name: "Nombre" },
  columns: {
    phone: "Teléfono",
    line: "Línea",
    status: "Estado",
    message: "Error",
    sent: "Enviado",
    delivered: "Entregado",
    read: "Leído",
    responded: "Respondió",
    campaign: "Campaña",
  },
  noRecipients: "No hay destinatarios para mostrar.",
  hidden: (count: Count) =>
    `${plural(count, "destinatario se cuenta pero no se lista", "destinatarios se cuentan pero no se listan")}: el servicio lista hasta 100 por campaña. Con --track-all, el próximo envío sale en lotes de 100 y así se listan todos.`,
};
