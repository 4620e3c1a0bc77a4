import * as z from "zod";
import { orderSchema } from "../../contract/order.ts";
import { templateSchema } from "../campaigns.ts";

const textOrNull = z.string().nullable();
const clockFacts = { now: z.string(), frozen: z.boolean(), speed: z.number() };
const world = z.object({
  world_id: textOrNull,
  scenario: z.string(),
  seed: z.int(),
  ...clockFacts,
  branches: z.array(z.string()),
});
const armed = z.object({
  id: z.int(),
  method: z.string(),
  path: z.string(),
  effect: z.string(),
  times: z.int().nullable(),
  rate: z.number().nullable(),
  matched: z.int(),
  fired: z.int(),
  status: z.int().optional(),
  seconds: z.number().optional(),
  ms: z.number().optional(),
});
const request = z.object({
  id: z.int(),
  at: z.string(),
  method: z.string(),
  path: z.string(),
  query: z.string(),
  status: z.int(),
  ms: z.number(),
  key: textOrNull,
  branch: textOrNull,
  event_id: z.string().optional(),
  idempotency_key: z.string().optional(),
  fault: z.string().optional(),
  error: z.string().optional(),
  direction: z.literal("out").optional(),
  reply_id: z.string().optional(),
});

export const mock = {
  document: z.object({
    base_url: z.string(),
    campaigns_base_url: z.string(),
    console_url: z.string(),
    keys: z.array(z.object({ branch: z.string(), store_id: z.string(), key: z.string() })),
    pid: z.int(),
  }),
};
export const order = { document: z.object({ orders: z.array(orderSchema) }) };
export const setState = { document: orderSchema };
export const reply = {
  document: z.object({
    id: z.string(),
    campaign_id: z.string(),
    external_ref: z.string(),
    branch: z.string(),
    phone: z.string(),
    text: z.string(),
    at: z.string(),
  }),
};
export const advance = { document: z.object(clockFacts) };
/** Of a new rule, of --list and --remove, and of --clear. */
export const fault = { document: z.union([armed, z.object({ faults: z.array(armed) }), z.object({})]) };
export const reset = { document: z.object({ scenario: z.string(), seed: z.int(), now: z.string() }) };
export const log = { document: z.object({ requests: z.array(request) }), line: request };
export const templates = {
  document: z.object({ templates: z.array(templateSchema.extend({ name: z.string() })) }),
};
export const clock = { document: z.union([z.object(clockFacts), world]) };
export const webhook = { document: z.object({ url: textOrNull }) };
export const exportWorld = {
  document: z.union([
    z.object({ file: z.string(), exported_at: z.string(), scenario: z.unknown() }),
    z.looseObject({ bpos_mock_world: z.int() }).describe("Of the file -: the world itself."),
  ]),
};
export const importWorld = { document: world };
