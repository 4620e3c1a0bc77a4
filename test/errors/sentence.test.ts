import { expect, it } from "vitest";
import { createClient } from "../../src/index.ts";
import { allErrors } from "../cli/error-samples.ts";
import { on, reply, scriptedServer } from "../support/scripted-server.ts";

it("every error has a message that is a sentence on one line, and no JSON", () => {
  for (const { message, reason } of allErrors)
    expect(message, reason).toMatch(/^[A-Z](?!.*(?:\{"|\p{Cc})).*[^.,:]\.$/u);
});

it("the message of a call names it, and what the service said", async () => {
  const refusal = {
    code: "ERROR_CODE_ACCESS_DENIED",
    message: "The API key\u001b[2J is invalid\nat all",
    payload: "",
  };
  const { url } = await scriptedServer(on("GET /v1/orders", reply(refusal, 403)));
  const client = createClient({ baseUrl: url, campaignsBaseUrl: url, apiKey: "bpk_demo_centro" });
  const error: unknown = await client.listOrders({}).catch((thrown: unknown) => thrown);
  expect((error as Error).message).toBe(
    `The service does not accept this key (GET /v1/orders at ${url}: 403, ERROR_CODE_ACCESS_DENIED, The API key [2J is invalid).`,
  );
  await expect(client.listOrders({}, { signal: AbortSignal.abort() })).rejects.toThrow(
    /^Stopped before the work was done\.$/,
  );
  await client.close();
});
