import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";

const form = z.enum(["npm", "binary", "deb"]);

export const upgrade = {
  document: z.object({
    ...keys(z.string(), "version", "latest"),
    newer: z.boolean(),
    form,
    command: z.string().nullable(),
  }),
};
/** Of `bpos --version`. */
export const version = {
  document: z.object({
    ...keys(z.string(), "version", "node", "os", "arch"),
    commit: z.string().nullable(),
    form,
  }),
};
