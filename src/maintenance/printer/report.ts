import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";

const one = {
  printer: z.string().describe("The printer's address."),
  bytes: z.int().describe("Bytes sent to the printer."),
};
const paper = {
  paper: z.literal([58, 80]).describe("The width in millimetres."),
  drawer: z.union([z.boolean(), z.string()]),
  beep: z.boolean(),
  printer_language: z.enum(["escpos", "star"]),
};
const document = z.union([
  z.object({ ...paper, ...one }),
  z
    .object({ ...paper, stations: z.array(z.object({ name: z.string(), ...one })) })
    .describe("With the stations of a profile: each that printed."),
]);
export const test = { document };

const station = z.object({
  ...keys(z.string(), "name", "printer"),
  categories: z.array(z.string()),
  products: z.array(z.string()).describe("The codes that it prints, of the products that the journal knows."),
});
const routed = z.object({
  stations: z.array(station),
  everywhere: z.array(z.string()).describe("Codes that belong to no station: every station prints them."),
});

/** The stations with their products, as JSON has them. */
export type StationsReport = z.infer<typeof routed>;

export const stations = { document: routed };
