import * as z from "zod";

const document = z.object({
  order_id: z.union([z.int(), z.bigint()]).nullable().describe("Null for the sample order."),
  paper: z.literal([58, 80]).describe("The width in millimetres."),
  printer_language: z.enum(["escpos", "star"]),
  layout: z.string().nullable().describe("The layout file."),
  png: z.string().nullable().describe("The image that --png wrote."),
  width: z.int().describe("Width of the image in dots."),
  height: z.int().describe("Height of the image in dots."),
  bytes: z.int().describe("Size of the data for the printer."),
});

/** The receipt that was drawn, as JSON has it. */
export type PreviewReport = z.infer<typeof document>;

export const forms = { document };
