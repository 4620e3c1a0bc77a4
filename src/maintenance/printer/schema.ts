import * as z from "zod";

const document = z.object({
  printer: z.string(),
  paper: z.literal([58, 80]),
  drawer: z.union([z.boolean(), z.string()]),
  beep: z.boolean(),
  printer_language: z.enum(["escpos", "star"]),
  bytes: z.int(),
});
export const forms = { document };
