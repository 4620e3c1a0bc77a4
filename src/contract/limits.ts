// Separate from the schemas, so that help and completion need not build them.

/** The limits of `docs/reference/service.md` 8, in the units that each name says. */
export const limits = {
  ordersPerPage: 20,
  recipientsPerCampaign: 1000,
  idempotencyKeyLength: 128,
  recipientsReturned: 100,
  headerImageBytes: 5 * 1024 * 1024,
  headerVideoBytes: 16 * 1024 * 1024,
  headerDocumentBytes: 100 * 1024 * 1024,
} as const;

/** The language of a template, language_COUNTRY (`docs/reference/service.md` 4.3). */
export const templateLanguage = /^[a-z]{2,3}_[A-Z]{2}$/;

/** The eight order states of `docs/reference/service.md` 3, in its order; also the values of the status filter. */
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

/** One of the eight order states of `docs/reference/service.md` 3. */
export type OrderState = (typeof orderStates)[number];

/** The states that follow the first one, in which an order waits for the shop. */
export const [, ...laterStates] = orderStates;

/** The states of a cancelled order: whoever works on it must see that, and nothing is to be collected. */
export const offStates: readonly OrderState[] = ["cancelado", "rechazado"];

export const isOffState = (state: unknown): boolean => offStates.some((off) => off === state);

const image = { kind: "image", limit: limits.headerImageBytes } as const;
const video = { kind: "video", limit: limits.headerVideoBytes } as const;
const document = { kind: "document", limit: limits.headerDocumentBytes } as const;

/** The files that a header takes (`docs/reference/service.md` 8), their limits in bytes, and other types under which hosts serve them. */
export const headerTypes = {
  "image/jpeg": { ...image, extensions: ["jpg", "jpeg"], aliases: ["image/jpg", "image/pjpeg"] },
  "image/png": { ...image, extensions: ["png"], aliases: ["image/x-png"] },
  "video/mp4": { ...video, extensions: ["mp4"], aliases: ["application/mp4"] },
  "application/pdf": { ...document, extensions: ["pdf"], aliases: ["application/x-pdf"] },
} as const;

export type HeaderType = keyof typeof headerTypes;

export type HeaderWarning =
  | { kind: "file_name"; name: string }
  | { kind: "content_type"; said: string; type: HeaderType };

export const worldHeader = "bpos-mock-world";
/** The mock's time to the millisecond, which `Date` cannot hold. */
export const worldTimeHeader = "bpos-mock-time";

export const scenarioNames = ["demo", "empty", "rush", "busy"] as const;

/** The active keys of the built-in scenarios. Any other, `bpk_demo_inactive` too, is answered with 403. */
export const activeKeys = [
  { branch: "demo", store_id: "1", key: "bpk_demo_centro" },
  { branch: "norte", store_id: "2", key: "bpk_demo_norte" },
] as const;

/** Epoch milliseconds. A date of the language ends at 8.64e15, and a time zone may move it by a day. */
export const maxInstant = 8.6e15;

/** Epoch milliseconds as ISO 8601 with this machine's offset. */
export function isoWithOffset(instant: number): string {
  const offset = -new Date(instant).getTimezoneOffset();
  const shifted = new Date(instant + offset * 60_000).toISOString().slice(0, -1);
  const pad = (value: number): string => String(Math.floor(Math.abs(value))).padStart(2, "0");
  return `${shifted}${offset < 0 ? "-" : "+"}${pad(offset / 60)}:${pad(Math.abs(offset) % 60)}`;
}

/** A pause that doubles with each failure in a row, from `firstMs` at the first one up to `maxMs`. */
export const backoffMs = (failures: number, { firstMs, maxMs }: { firstMs: number; maxMs: number }): number =>
  Math.min(maxMs, firstMs * 2 ** Math.max(0, failures - 1));
