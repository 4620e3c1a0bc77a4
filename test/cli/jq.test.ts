import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { errorOf, people, send } from "../support/campaigns.ts";
import { fixedServer, orderOf, pageOf } from "../support/peers.ts";
import { shell, temporaryFolder } from "../support/run.ts";
import { on, reply, scriptedServer } from "../support/scripted-server.ts";
import { pointedAt, service } from "../support/service.ts";

const list = (...more: string[]): string[] => ["orders", "list", ...more];

/** A shell whose service has these orders. */
async function ordersOf(...orders: unknown[]) {
  const url = await fixedServer(() => ({ body: pageOf(orders) }));
  return shell({ env: pointedAt(url) });
}

describe("--jq", () => {
  it("prints strings as they are and everything else as one line of JSON", async () => {
    const run = await ordersOf(orderOf(7, { delivery_address: "  two\n lines " }), orderOf(8));
    const { code, stdout, stderr } = await run(
      list("--jq", ".orders[0].delivery_address, .total, (.orders | map({order_id})), (.orders[]|.status)"),
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe('  two\n lines \n2\n[{"order_id":7},{"order_id":8}]\npendiente\npendiente\n');
    expect((await run(list("--jq", "empty"))).stdout).toBe("");
    expect((await run(list("--jq", ".orders[].order_id", "--fields", "order_id"))).stdout).toBe("7\n8\n");
    expect((await run(["openapi", "--jq", ".openapi"])).stdout).toBe("3.1.0\n");
  });

  it("keeps every digit of what it takes out", async () => {
    const order = JSON.stringify(orderOf(1)).replace('"order_id":1', '"order_id":12345678901234567890');
    const page = JSON.stringify(pageOf([]))
      .replace('"orders":[]', `"orders":[${order}]`)
      .replace('"total":0', '"total":1,"precise":0.12345678901234567890123');
    const server = await scriptedServer(on("GET /v1/orders", reply(page)));
    const run = shell({ env: pointedAt(server.url) });
    const { stdout } = await run(list("--jq", ".orders[].order_id, .precise, {id: .orders[0].order_id}"));
    expect(stdout).toBe('12345678901234567890\n0.12345678901234567890123\n{"id":12345678901234567890}\n');
  });

  it("is applied to each line of ndjson as it comes, also of a watch", async () => {
    const run = await ordersOf(orderOf(7), orderOf(8));
    const lines = await run(list("-o", "ndjson", "--jq", "select(.order_id > 7).order_id"));
    expect(lines.stdout).toBe("8\n");
    const watched = await run(["orders", "watch", "--once", "--jq", '"\\(.event) \\(.order.order_id)"']);
    expect(watched.stdout).toBe("order.new 7\norder.new 8\n");
    expect(watched.code).toBe(0);
  });

  it("ends with 2 for what is no program, before anything is sent", async () => {
    const { mock, env } = await service();
    const run = shell({ env });
    for (const program of [".orders[", "nothing(.)", "", "foo bar", "# nothing\n|"]) {
      const { code, stdout, stderr } = await run(send(people(2), "--yes", "--jq", program));
      expect([program, code, stdout]).toEqual([program, 2, ""]);
      expect(errorOf(stderr)["message"]).toContain("--jq");
    }
    expect(await mock.control.messages()).toEqual([]);
    for (const format of ["table", "csv"])
      expect((await run(list("-o", format, "--jq", "."))).stderr).toContain("exclude each other");
    const endless = await run(send(people(2), "--dry-run", "--jq", "[limit(2; repeat(1))] | length"));
    expect(endless).toMatchObject({ code: 0, stdout: "2\n" });
    const plain = await run(["--lang", "es", ...list("--jq", ".a.[")], { env: { BPOS_OUTPUT: "table" } });
    expect(errorOf(plain.stderr)["message"]).toContain("It is not a valid jq program: syntax error");
  });

  it("says what failed in the middle, and keeps what came and the command's own exit code", async () => {
    const { mock, env } = await service();
    const run = shell({ env });
    const failed = await run(send(people(2), "--yes", "--jq", '.outcome, .outcome.x, "never"'));
    expect(failed).toMatchObject({ code: 2, stdout: "sent\n" });
    expect(failed.stderr).toContain(
      '--jq: Cannot index string with string ("x"). The command succeeded; only the filter failed.',
    );
    expect(await mock.control.messages()).toHaveLength(2);
    const folder = temporaryFolder();
    writeFileSync(join(folder, "p.csv"), "codigo,nombre,precio\nA1,Pan,1.50\nA2,Sal,abc\n");
    const partial = await run(["catalog", "push", "p.csv", "--jq", "error(.outcome)"], { cwd: folder });
    expect(partial).toMatchObject({ code: 3, stdout: "" });
    expect(partial.stderr).toContain("--jq: partial");
    const each = await run(list("-o", "ndjson", "--limit", "2", "--jq", "error"));
    expect(each.code).toBe(2);
  });

  it("shows nothing of the environment, and nothing that acts on a terminal", async () => {
    const run = await ordersOf(orderOf(7, { delivery_address: "\u001b[2J\u202e" }));
    expect((await run(list("--jq", "$ENV | tostring"))).stdout).not.toContain("BPOS");
    const { stdout } = await run(list("--jq", ".orders[0] | .delivery_address, {delivery_address}"), {
      terminal: 80,
    });
    expect(stdout).toBe('␛[2J‹U+202E›\n{"delivery_address":"\\u001b[2J\\u202e"}\n');
  });
});
