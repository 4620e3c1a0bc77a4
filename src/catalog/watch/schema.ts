import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";
import { forms as push } from "../push/schema.ts";

const about = keys(z.string(), "at", "branch");
const failure = { reason: z.string(), status: z.int().optional() };

const line = z.discriminatedUnion("event", [
  z.object({ event: z.literal("catalog.pushed"), ...about, file: z.string(), push: push.document }),
  z.object({
    event: z.literal("catalog.refused"),
    ...about,
    ...keys(z.string(), "file", "reason", "message"),
    refused_file: z.string().nullable(),
  }),
  z.object({ event: z.literal("watch.outage"), ...about, since: z.string(), ...failure }),
  z.object({ event: z.literal("watch.recovered"), ...about, after_s: z.int() }),
  z.object({ event: z.literal("watch.stopped"), ...about, ...failure }),
]);
export const forms = { line };
