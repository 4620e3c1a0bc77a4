/** The limits of `spec.md` section 8, in the units that each name says. */
export const limits = {
  ordersPerPage: 20,
  recipientsPerCampaign: 1000,
  idempotencyKeyLength: 128,
  recipientsReturned: 100,
  headerImageBytes: 5 * 1024 * 1024,
  headerVideoBytes: 16 * 1024 * 1024,
  headerDocumentBytes: 100 * 1024 * 1024,
} as const;

/** The language of a template, language_COUNTRY (`spec.md` 4.3). */
export const templateLanguage = /^[a-z]{2,3}_[A-Z]{2}$/;
