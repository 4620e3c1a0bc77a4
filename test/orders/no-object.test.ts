import { expect, it } from "vitest";
import { fixedServer, orderOf, pageOf } from "../support/peers.ts";
import { shell } from "../support/run.ts";
import { pointedAt } from "../support/service.ts";

const listed = [null, orderOf(9), 9, "no anda"];

async function serving(orders: readonly unknown[] = listed): Promise<ReturnType<typeof shell>> {
  const url = await fixedServer(({ searchParams }) => ({
    body: pageOf((searchParams.get("status") ?? "pendiente") === "pendiente" ? orders : []),
  }));
  return shell({ env: pointedAt(url) });
}

it("what is no object among the orders is printed as it came, and told", async () => {
  const run = await serving();
  for (const more of [[], ["--all"], ["--status", "all"]]) {
    const { code, stdout, stderr } = await run(["orders", "list", "--json", ...more]);
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as { orders: unknown }).orders).toEqual(listed);
    expect(stderr).toContain("orders.0: expected object");
  }
  const { stdout } = await run(["orders", "list", "-o", "ndjson"]);
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual(listed);
});

it("tables and CSV show the other orders", async () => {
  const run = await serving();
  const table = await run(["orders", "list"]);
  expect(table.code).toBe(0);
  expect(table.stdout.match(/pendiente/g)).toHaveLength(1);
  expect(table.stderr).toContain("orders.0: expected object and 2 more");
  expect((await run(["orders", "list", "-o", "csv"])).stdout.trim().split("\r\n")).toHaveLength(2);
  const only = await run(["orders", "list", "--fields", "order_id"]);
  expect(only.stdout).toMatch(/^order_id\n +9\n$/);
  const csv = await run(["orders", "list", "-o", "csv", "--fields", "order_id,cliente.telefono"]);
  expect(csv.stdout).toBe("order_id,cliente.telefono\r\n9,+5491155550000\r\n");
  expect((await (await serving([null]))(["orders", "list"])).code).toBe(0);
});
