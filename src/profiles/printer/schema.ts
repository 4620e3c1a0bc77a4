import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";

const row = z.object({
  printer: z.string().describe("Its address, for --printer."),
  ...keys(z.string().nullable(), "port", "driver"),
  state: z
    .enum(["ready", "paused", "offline", "paper_out", "cover_open", "faulty"])
    .nullable()
    .describe("As the system's print service knows it; null of a printer that it does not know."),
  default: z.boolean(),
  profiles: z.array(z.string()).describe("Those that print on it."),
});
export const list = { document: z.object({ printers: z.array(row) }), line: row };
