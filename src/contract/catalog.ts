import * as z from "zod";

/** A product as it is pushed (`docs/reference/service.md` 2.6): which fields are required is not shown, so only codigo is. */
export const catalogItemSchema = z
  .object({
    codigo: z.string().min(1).describe("The POS's product code; also its name in rejected[]."),
    nombre: z.string().optional().describe("Name."),
    categoria: z.string().optional().describe("Category."),
    precio: z.number().optional().describe("Price."),
    deshabilitado: z.boolean().optional().describe("True where it is not sold at present."),
  })
  .meta({ id: "CatalogItem", description: "A product; any subset of the fields beside codigo." });
export type CatalogItem = z.infer<typeof catalogItemSchema>;

/** The two actions of a catalog event (`docs/reference/service.md` 4.2). */
export const catalogActions = ["upsert", "delete"] as const;

/** The action of a catalog event: upsert adds or changes, delete deactivates. */
export type CatalogAction = (typeof catalogActions)[number];

/** A batch of products (`docs/reference/service.md` 4.2). */
export const catalogEventSchema = z
  .object({
    event_id: z
      .string()
      .min(1)
      .describe("Unique in the client system; the same event_id is never applied twice."),
    occurred_at: z.iso
      .datetime({ offset: true })
      .describe("When the change happened; sets the order between events."),
    action: z.enum(catalogActions).describe("upsert adds or changes; delete deactivates."),
    items: z.array(catalogItemSchema).describe("An invalid item does not reject the others."),
    store_id: z
      .union([z.string(), z.number()])
      .optional()
      .describe(
        "Cross-check against the branch of the key; 403 when it does not match. Its type is not shown.",
      ),
  })
  .meta({ id: "CatalogEvent", description: "Adds, changes or deactivates products in a batch." });
export type CatalogEvent = z.infer<typeof catalogEventSchema>;

/** An item that the service refused, and why (`docs/reference/service.md` 4.2). */
export const rejectedItemSchema = z
  .looseObject({
    codigo: z.string().nullish().describe("Of the item."),
    error: z.string().nullish().describe("Why it was refused, for people."),
  })
  .meta({ id: "RejectedItem", description: "An item that was not applied; the others were." });

/** The answer to a catalog event (`docs/reference/service.md` 4.2). */
export const catalogResultSchema = z
  .looseObject({
    duplicate: z.boolean().nullish().describe("True when this event_id was handled before."),
    accepted: z.int().describe("Items that were applied."),
    skipped_stale: z.int().nullish().describe("Items older than what was applied already."),
    rejected: z.array(rejectedItemSchema).nullish().describe("Items that were not applied."),
  })
  .meta({ id: "CatalogResult", description: "What came of a batch, item by item." });
export type CatalogResult = z.infer<typeof catalogResultSchema>;

/** The minimum for a usable answer to a catalog event. */
export const usableCatalogSchema = z.looseObject({ accepted: z.int() });
