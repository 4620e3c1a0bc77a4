import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { inBash, runBinary, startBinary } from "../support/binary.ts";
import { fixedServer, pagesOf } from "../support/peers.ts";
import { shell, temporaryFolder } from "../support/run.ts";
import { pointedAt } from "../support/service.ts";
import { sized } from "../support/soak.ts";

const environment = async (orders: number, perPage: number): Promise<Record<string, string>> => ({
  BPOS_HOME: temporaryFolder(),
  ...pointedAt(await fixedServer(pagesOf(orders, perPage))),
});

it("delivers all lines whole to a reader that is slow", async () => {
  const count = sized(2_000, 80_000);
  const env = await environment(count, 1_000);
  const list = startBinary(["orders", "list", "--all", "-o", "ndjson"], { env });
  list.child.stdout.on("data", () => {
    // The reader takes its time: the pipe is full again and again.
    list.child.stdout.pause();
    void turn()
      .then(turn)
      .then(turn)
      .then(() => list.child.stdout.resume());
  });
  const { code, stdout } = await list.ended;
  expect(code).toBe(0);
  const ids = stdout
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { order_id: number }).order_id);
  expect(ids).toEqual(Array.from({ length: count }, (_, n) => n + 1));
});

it("is quiet when `head` has read enough", async () => {
  const env = await environment(5_000, 1_000);
  const script = `bpos orders list --all -o ndjson | head -1; echo codes: \${PIPESTATUS[*]} >&2`;
  const { stdout, stderr } = await inBash(script, { env });
  expect(JSON.parse(stdout)).toMatchObject({ order_id: 1 });
  expect(stderr).toBe("codes: 0 0\n");
});

it("writes data to standard output and nothing else, plain in a pipe", async () => {
  const env = await environment(3, 20);
  const { code, stdout, stderr } = await runBinary(["orders", "list"], { env });
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).not.toMatch(/\u001b|[─│╭]/);
  const colored = await shell({ env: { ...env, FORCE_COLOR: "1" } })(["orders", "list"]);
  expect(colored.stdout).toContain("\u001b[");
});
