import * as z from "zod";
import { catalogItemSchema } from "../../contract/catalog.ts";
import { keys } from "../../contract/json-schema.ts";

const textOrNull = z.string().nullable();
const rejected = z.object({
  codigo: textOrNull.describe("The code as written."),
  error: z.string(),
  source: z.literal("file"),
  line: z.int().nullable(),
});

const document = z.object({
  ...keys(z.string(), "file", "format"),
  sheet: z.string().optional().describe("The sheet that was read; only for a workbook."),
  ...keys(
    textOrNull.describe("Null where the format has none."),
    ...(["encoding", "delimiter", "decimal"] as const),
  ),
  mapping: z
    .object(keys(textOrNull, "codigo", "nombre", "categoria", "precio", "deshabilitado"))
    .describe("The column header of each field; null without one."),
  inverse: z
    .boolean()
    .describe("Whether the column for deshabilitado has the opposite meaning, such as activo."),
  unused: z.array(z.string()).describe("Headers of the columns that were not read."),
  read: z.int().describe("Rows read from the file."),
  products: z.int().describe("Products that a push would send."),
  without_price: z.int().describe("Products without a price."),
  collapsed: z.int().describe("Rows left out because another row with the same code is used."),
  first: z.array(catalogItemSchema).describe("The first products, as a push would send them."),
  rejected: z.array(rejected).describe("Rows that a push would not send."),
  notices: z.array(z.string()).describe("What bpos changed or found doubtful in the file."),
  fixed_file: textOrNull.describe("The file that --fixed wrote."),
});
export const forms = { document };

export type CheckDocument = z.infer<typeof document>;
