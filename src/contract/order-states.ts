// Apart from the schemas: help and completion do not wait for those to be built.

/** The eight order states of `spec.md` section 3, in its order; also the values of the status filter. */
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

/** One of the eight order states of `spec.md` section 3. */
export type OrderState = (typeof orderStates)[number];
