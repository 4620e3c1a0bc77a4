import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { startBinary } from "../support/binary.ts";
import { printed, readable } from "../support/printed.ts";
import { shell, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";
import { randomOf, seed, sized } from "../support/soak.ts";
import { virtualPrinter } from "../support/virtual-printer.ts";

it("a watch that is killed at any moment leaves each order on paper once, or again as a reprint, and none out", {
  timeout: 240_000,
}, async () => {
  const random = randomOf("watch --printer");
  const { mock, env: address } = await service({ scenario: "empty", clock: "2026-01-01T12:00:00-03:00" });
  const env = { ...address, BPOS_HOME: temporaryFolder(), BPOS_LANG: "es" };
  const printer = await virtualPrinter();
  const argv = ["orders", "watch", "-o", "ndjson", "-q", "--printer", printer.url];
  const ids: number[] = [];
  const moments: string[] = [`seed ${seed}`];
  for (let n = 0; n < sized(2, 60); n++) {
    const count = 1 + Math.floor(random() * 4);
    ids.push(...(await mock.control.placeOrders({ count })).map((order) => order.order_id));
    // Now and then it hangs up in the middle, or reads so slowly that the kill comes while it prints.
    const resetAfter = random() < 0.15 ? Math.round(random() * 600) : Number.POSITIVE_INFINITY;
    printer.mode = { ...printer.mode, resetAfter, slowMs: Math.round(random() * 15) };
    const before = printer.connections;
    const watch = startBinary([...argv, "--interval", "1s", "--force"], { env });
    const connected = n % 4 !== 0 && printer.connected(before + 1 + Math.floor(random() * count));
    // A printer that hung up leaves some of the orders to a later run.
    if (connected !== false) await Promise.race([connected, watch.exited, pause(1_500)]);
    const ms = Math.round(random() * (connected === false ? 400 : 40));
    await pause(ms);
    watch.child.kill("SIGKILL");
    await watch.ended;
    moments.push(`${connected === false ? "start" : "connection"}+${ms}`);
  }
  printer.repair();
  const { code, stderr } = await shell({ env })([...argv, "--once"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });

  const said = moments.join(" ");
  const jobs = printer.jobs.map((job) => {
    const receipts = printed(job, "escpos");
    const text = receipts.map(readable).join("\n");
    const isWhole = receipts.some(({ acts }) => acts.includes("cut"));
    return { id: Number(/PEDIDO\s+(\d+)/.exec(text)?.[1]), isWhole, isReprint: text.includes("REIMPRESIÓN") };
  });
  for (const id of ids) {
    const [, ...again] = jobs.filter((job) => job.id === id);
    expect(jobs.filter((job) => job.id === id && job.isWhole).length, `${id}: ${said}`).toBeGreaterThan(0);
    for (const job of again) expect(job, `${id}: ${said}`).toMatchObject({ isReprint: true });
  }
  // Otherwise a watch that marks everything would pass.
  expect(jobs.filter(({ isReprint }) => !isReprint).length, said).toBeGreaterThan(ids.length / 2);
});
