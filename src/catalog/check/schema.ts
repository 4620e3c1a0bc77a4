import * as z from "zod";
import { catalogItemSchema } from "../../contract/catalog.ts";

const header = z.string().nullable();

export const document = z.object({
  file: z.string(),
  format: z.string(),
  sheet: z.string().optional().describe("Only of a workbook."),
  encoding: z.string().nullable(),
  delimiter: z.string().nullable(),
  decimal: z.string().nullable(),
  mapping: z.object({
    codigo: header,
    nombre: header,
    categoria: header,
    precio: header,
    deshabilitado: header,
  }),
  inverse: z.boolean(),
  unused: z.array(z.string()),
  read: z.int(),
  products: z.int(),
  without_price: z.int(),
  collapsed: z.int(),
  first: z.array(catalogItemSchema),
  rejected: z.array(
    z.object({
      codigo: z.string().nullable(),
      error: z.string(),
      source: z.literal("file"),
      line: z.int().nullable(),
    }),
  ),
  notices: z.array(z.string()),
  fixed_file: z.string().nullable(),
});
