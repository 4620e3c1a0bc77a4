import * as z from "zod";
import { type JsonForms, keys } from "../../contract/json-schema.ts";
import { orderSchema } from "../../contract/order.ts";
import { templateSchema } from "../core/shop/campaigns.ts";

const text = z.string();
const textOrNull = text.nullable();
const clockFacts = {
  now: text,
  frozen: z.boolean().describe("Whether the clock stands still."),
  speed: z.number().describe("Seconds of the mock per real second."),
};
const start = { scenario: text, seed: z.int() };
const world = z.object({ world_id: textOrNull, ...start, ...clockFacts, branches: z.array(text) });
const armed = z.object({
  id: z.int(),
  matched: z.int().describe("Requests that the rule fits."),
  fired: z.int().describe("Requests that it applied to."),
  ...keys(text, "method", "path", "effect"),
  times: z.number().nullable().describe("How many times it applies; null without a limit."),
  rate: z.number().nullable().describe("The share of requests to which it applies; null for all."),
  ...keys(
    z.number().optional().describe("The value of the effect, if it has one."),
    ...(["status", "seconds", "ms"] as const),
  ),
});
const request = z.object({
  ...keys(z.int(), "id", "status"),
  ms: z.number(),
  ...keys(text, "at", "method", "path", "query"),
  key: textOrNull.describe("Masked."),
  branch: textOrNull,
  ...keys(text.optional(), "event_id", "idempotency_key"),
  fault: text.optional().describe("The rule that applied."),
  error: text.optional().describe("Why the request was refused."),
  reply_id: text.optional().describe("The reply that the webhook posted."),
  direction: z.literal("out").optional().describe("out: the mock posted it to the webhook."),
});

const addresses = keys(text, "base_url", "campaigns_base_url", "console_url");
const key = z.object(keys(text, "branch", "store_id", "key"));
const mock = { document: z.object({ ...addresses, keys: z.array(key), pid: z.int() }) };
const order = { document: z.object({ orders: z.array(orderSchema) }) };
const setState = { document: orderSchema };
const reply = {
  document: z.object(keys(text, "id", "campaign_id", "external_ref", "branch", "phone", "text", "at")),
};
const advance = { document: z.object(clockFacts) };
/** The forms of a new rule, of --list and --remove, and of --clear. */
const fault = { document: z.union([armed, z.object({ faults: z.array(armed) }), z.object({})]) };
const reset = { document: z.object({ ...start, now: text }) };
const log = { document: z.object({ requests: z.array(request) }), line: request };
const templates = {
  document: z.object({ templates: z.array(templateSchema.extend({ name: text })) }),
};
const clock = { document: z.union([z.object(clockFacts), world]) };
const webhook = { document: z.object({ url: textOrNull.describe("Null if no webhook is set.") }) };
const exported = z.object({
  ...keys(text, "file", "exported_at"),
  scenario: z.unknown().describe("The scenario of the world."),
});
const itself = z.looseObject({ bpos_mock_world: z.int() }).describe("With - as the file: the world itself.");
const exportWorld = { document: z.union([exported, itself]) };
const importWorld = { document: world };

/** JSON forms of each command of the mock. */
export const forms: Readonly<Record<string, JsonForms>> = {
  mock,
  "mock order": order,
  "mock reply": reply,
  "mock advance": advance,
  "mock fault": fault,
  "mock reset": reset,
  "mock log": log,
  "mock orders set": setState,
  "mock templates": templates,
  "mock clock": clock,
  "mock webhook": webhook,
  "mock export": exportWorld,
  "mock import": importWorld,
};
