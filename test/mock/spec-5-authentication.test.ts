import { describe, expect, test } from "vitest";
import { deniedProblem, get, push, start } from "./support.ts";

const paths = ["/v1/orders", "/v1/catalog/items", "/messaging/campaigns", "/messaging/campaigns/cmp_1"];
describe("authentication (docs/reference/service.md 5)", () => {
  test.each(
    paths.flatMap((path) =>
      ["", "bpk_demo_inactive", "bpk_demo_centro2", "__proto__"].map((key) => [path, key]),
    ),
  )("%s with the key %j is 403, whatever else is wrong", async (path, key) => {
    const mock = await start();
    const headers: Record<string, string> = key === "" ? {} : { "X-API-Key": key };
    for (const method of ["GET", "POST", "DELETE"]) {
      const body = method === "POST" ? { body: "not json" } : {};
      const answer = await fetch(mock.baseUrl + path, { method, headers, ...body });
      expect([answer.status, await answer.json()]).toEqual([403, deniedProblem]);
    }
  });

  test("the keys that the mock names work, each for its branch", async () => {
    const mock = await start();
    expect(mock.keys).toEqual([
      { branch: "demo", store_id: "1", key: "bpk_demo_centro" },
      { branch: "norte", store_id: "2", key: "bpk_demo_norte" },
    ]);
    for (const { key, store_id } of mock.keys) {
      expect((await get(`${mock.baseUrl}/v1/orders`, key)).status).toBe(200);
      expect((await push(mock, [], { store_id }, key)).answer.status).toBe(200);
    }
  });
});
