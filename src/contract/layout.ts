import * as z from "zod";

/** Blocks that a kitchen, a courier or the till needs. */
const neededBlocks = ["number", "delivery", "customer", "items", "notes", "collect"] as const;
/** The parts of a receipt, in the sequence that they have without a layout. */
export const receiptBlocks = [
  ...(["number", "delivery", "customer", "notes", "items", "totals", "collect"] as const),
];
export type ReceiptBlock = (typeof receiptBlocks)[number];

const lines = z.array(z.string().max(200)).max(10);

/** The layout of a receipt, as its file has it. */
export const layoutSchema = z.strictObject({
  header: lines.describe("Lines above everything, the first in large letters.").optional(),
  logo: z.string().min(1).describe("A PNG above the header; a relative path starts at this file.").optional(),
  blocks: z
    .array(z.enum(receiptBlocks))
    .describe(`The parts in their sequence, each once; all but totals are needed.`)
    .optional(),
  items_size: z.enum(["normal", "double"]).describe("double: twice as wide, too.").optional(),
  prices: z.boolean().describe("Amounts of the items; false leaves them out.").optional(),
  qr: z.enum(["map", "phone", "none"]).describe("map: only for a delivery.").optional(),
  footer: lines.optional(),
  copies: z.int().min(1).max(9).optional(),
  cut_between: z.boolean().describe("Cuts between the copies.").optional(),
  lang: z.enum(["en", "es", "es-AR"]).describe("The language of the paper.").optional(),
});

export type LayoutFile = z.infer<typeof layoutSchema>;
export type LayoutKey = keyof LayoutFile;

/** The first block that must be on paper and is not, and the first that stands there twice. */
export function checkBlocks(blocks: readonly ReceiptBlock[]) {
  return {
    missing: neededBlocks.find((block) => !blocks.includes(block)),
    twice: blocks.find((block, n) => blocks.indexOf(block) !== n),
  };
}
