import * as z from "zod";
import { catalogItemSchema } from "../../contract/catalog.ts";
import { keys } from "../../contract/json-schema.ts";

const textOrNull = z.string().nullable();
const rejected = z.object({
  codigo: textOrNull,
  error: z.string(),
  source: z.literal("file"),
  line: z.int().nullable(),
});

const document = z.object({
  ...keys(z.string(), "file", "format"),
  sheet: z.string().optional().describe("Only of a workbook."),
  ...keys(textOrNull, "encoding", "delimiter", "decimal"),
  mapping: z.object(keys(textOrNull, "codigo", "nombre", "categoria", "precio", "deshabilitado")),
  inverse: z.boolean(),
  unused: z.array(z.string()),
  ...keys(z.int(), "read", "products", "without_price", "collapsed"),
  first: z.array(catalogItemSchema),
  rejected: z.array(rejected),
  notices: z.array(z.string()),
  fixed_file: textOrNull,
});
export const forms = { document };

export type CheckDocument = z.infer<typeof document>;
