import * as z from "zod";

const document = z.object({
  order_id: z.union([z.int(), z.bigint()]).nullable().describe("null: the sample."),
  paper: z.literal([58, 80]),
  printer_language: z.enum(["escpos", "star"]),
  layout: z.string().nullable(),
  png: z.string().nullable(),
  width: z.int().describe("In dots."),
  height: z.int().describe("In dots."),
  bytes: z.int().describe("What the printer gets."),
});

/** The receipt that was drawn, as JSON has it. */
export type PreviewReport = z.infer<typeof document>;

export const forms = { document };
