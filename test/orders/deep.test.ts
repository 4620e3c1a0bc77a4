import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { orderOf, pageOf } from "../support/peers.ts";
import { shell, temporaryFolder } from "../support/run.ts";
import { type Expectation, on, reply, scriptedServer } from "../support/scripted-server.ts";
import { pointedAt } from "../support/service.ts";
import { newIds, watchPolls } from "../support/watch.ts";

const nested = (levels: number): string => "[\n".repeat(levels) + "]".repeat(levels);

/** An answer of these orders in pendiente and none in any other state. */
function listing(orders: string): Expectation {
  const none = JSON.stringify(pageOf([]));
  const all = `{"orders":[${orders}],"page":1,"per_page":20,"total":3,"has_more":false}`;
  return {
    ...on("GET /v1/orders", (response, request) => {
      const isPending = !request.url.includes("status=") || request.url.includes("status=pendiente");
      reply(isPending ? all : none)(response, request);
    }),
    aside: true,
  };
}

const text = (id: number): string => JSON.stringify(orderOf(id, { created_at: 1767265200000 + id }));
const deepOrder = (levels: number, more = ""): string =>
  `${text(2).slice(0, -1)},"extra":${nested(levels)}${more}}`;

describe.each([
  ["5,000 levels", deepOrder(5_000)],
  ["5,000 levels beside a long number", deepOrder(5_000, ',"n":12345678901234567890')],
  ["one level too many", deepOrder(98)],
])("an order of %s", (_name, deep) => {
  it("is kept and reported once, and holds no other up", async () => {
    const { url } = await scriptedServer(listing([text(1), deep, text(3)].join(",")));
    const home = temporaryFolder();
    const folder = join(home, "state", "quarantine");
    const run = shell({ env: pointedAt(url) });
    const result = await watchPolls(run, { polls: 3, world: { env: { BPOS_HOME: home } } });
    expect(newIds(result)).toEqual([1, 3]);
    const [name, ...more] = readdirSync(folder);
    expect(more).toEqual([]);
    expect(readFileSync(join(folder, name!), "utf8").replaceAll(/\s/g, "")).toBe(deep.replaceAll(/\s/g, ""));
    expect(result.stderr.match(/Order 2 is nested too deep/g)).toHaveLength(1);
    expect(result.stderr).toContain(join(folder, name!));
  });

  it("is listed and shown with all that it holds", async () => {
    const { url } = await scriptedServer(listing([text(1), deep].join(",")));
    const run = shell({ env: pointedAt(url) });
    const shown = await run(["orders", "show", "2", "--json"]);
    expect(shown.code).toBe(0);
    expect(shown.stdout.replaceAll(/\s/g, "")).toBe(deep.replaceAll(/\s/g, ""));
    const lines = await run(["orders", "list", "-o", "ndjson"]);
    expect(
      lines.stdout
        .trim()
        .split("\n")
        .map((line) => line.replaceAll(/\s/g, "")),
    ).toEqual([text(1), deep].map((order) => order.replaceAll(/\s/g, "")));
    for (const more of [[], ["-o", "csv"], ["--json"], ["--all"], ["--fields", "order_id,extra"], ["-vv"]])
      expect((await run(["orders", "list", ...more])).code).toBe(0);
    expect((await run(["orders", "show", "2"])).code).toBe(0);
  });
});
