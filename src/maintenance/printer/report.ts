import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";

const one = { printer: z.string(), bytes: z.int() };
const paper = {
  paper: z.literal([58, 80]),
  drawer: z.union([z.boolean(), z.string()]),
  beep: z.boolean(),
  printer_language: z.enum(["escpos", "star"]),
};
const document = z.union([
  z.object({ ...paper, ...one }),
  z
    .object({ ...paper, stations: z.array(z.object({ name: z.string(), ...one })) })
    .describe("At the stations of a profile: each that printed."),
]);
export const test = { document };

const station = z.object({
  ...keys(z.string(), "name", "printer"),
  ...keys(z.array(z.string()), "categories", "products"),
});
const routed = z.object({
  stations: z.array(station),
  everywhere: z.array(z.string()).describe("No station has them: all print them."),
});

/** The stations with their products, as JSON has them. */
export type StationsReport = z.infer<typeof routed>;

export const stations = { document: routed };
