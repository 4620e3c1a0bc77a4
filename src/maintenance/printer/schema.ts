import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";

const document = z.object({
  printer: z.string(),
  paper: z.literal([58, 80]),
  drawer: z.union([z.boolean(), z.string()]),
  beep: z.boolean(),
  printer_language: z.enum(["escpos", "star"]),
  bytes: z.int(),
});
export const test = { document };

const station = z.object({
  ...keys(z.string(), "name", "printer"),
  ...keys(z.array(z.string()), "categories", "products"),
});
export const stations = {
  document: z.object({
    stations: z.array(station),
    everywhere: z.array(z.string()).describe("No station has them: all print them."),
  }),
};
