// Apart from the schemas: help and completion do not wait for those to be built.

/** The limits of `docs/service.md` 8, in the units that each name says. */
export const limits = {
  ordersPerPage: 20,
  recipientsPerCampaign: 1000,
  idempotencyKeyLength: 128,
  recipientsReturned: 100,
  headerImageBytes: 5 * 1024 * 1024,
  headerVideoBytes: 16 * 1024 * 1024,
  headerDocumentBytes: 100 * 1024 * 1024,
} as const;

/** The language of a template, language_COUNTRY (`docs/service.md` 4.3). */
export const templateLanguage = /^[a-z]{2,3}_[A-Z]{2}$/;

/** The eight order states of `docs/service.md` 3, in its order; also the values of the status filter. */
export const orderStates = [
  "pendiente",
  "en_preparacion",
  "listo",
  "asignado",
  "en_camino",
  "entregado",
  "rechazado",
  "cancelado",
] as const;

/** One of the eight order states of `docs/service.md` 3. */
export type OrderState = (typeof orderStates)[number];
