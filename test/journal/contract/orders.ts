import { describe, expect, it } from "vitest";
import type { Journal } from "../../../src/journal/journal.ts";
import type { FoundOrder, KnownOrder, Orders, WatchOutput } from "../../../src/journal/records/orders.ts";

const both: WatchOutput[] = [
  { name: "exec", changes: "all" },
  { name: "stdout", changes: "all" },
];
const found = (orderKey: string): FoundOrder => ({
  orderKey,
  createdAt: null,
  status: "pendiente",
  at: 5_000,
  body: `{"order_id":${orderKey}}`,
});

const known = async (orders: Orders, watchId: number, key: string): Promise<KnownOrder | undefined> =>
  (await orders.known(watchId, [key])).get(key);

/** Returns what is pending for an output, in the sequence in which it would be delivered. */
async function pending(orders: Orders, watchId: number, output: string): Promise<string[]> {
  const all: string[] = [];
  for (let event = await orders.next(watchId, output, 0); event !== undefined; ) {
    const { orderKey, from, wasBegun } = (await orders.begin(event, output))!;
    if (!wasBegun) await orders.notDelivered(event, output);
    all.push(from === null ? orderKey : `${orderKey} ${from}`);
    event = await orders.next(watchId, output, event);
  }
  return all;
}

/** Delivers the first event that is pending for an output. */
async function deliver(orders: Orders, watchId: number, output: string): Promise<void> {
  const event = (await orders.next(watchId, output, 0))!;
  await orders.begin(event, output);
  await orders.delivered(event, output);
}

/** Tests of orders and their deliveries, for any engine. */
export function ordersContract(open: () => Promise<Journal>): void {
  async function memory(): Promise<{ orders: Orders; watchId: number }> {
    const { orders } = await open();
    const { watchId } = await orders.open("b", "default");
    await orders.join(watchId, both);
    return { orders, watchId };
  }

  describe("a watch", () => {
    it("begins empty, and is the same one for the same branch and consumer", async () => {
      const { orders, watchId } = await memory();
      const fresh = { watchId, beganAt: null, firstRun: 1, sinceFloor: null };
      expect(await orders.open("b", "default")).toMatchObject(fresh);
      expect((await orders.open("b", "printer")).watchId).not.toBe(watchId);
      expect((await orders.open("c", "default")).watchId).not.toBe(watchId);
    });

    it("keeps how it fares, once it has said so", async () => {
      const { orders, watches } = await open();
      const { watchId } = await orders.open("b", "default");
      await orders.open("c", "default");
      const ok = { watchId, name: "centro", state: "ok", since: 3_000, polledAt: 4_000 } as const;
      await watches.noteAll([{ ...ok, state: "outage", since: 2_000, polledAt: null }]);
      await watches.noteAll([ok]);
      const kept = { ...ok, branch: "b", consumer: "default" };
      const inTime = { behindSince: null, intervalMs: null, everyMs: null };
      expect(await watches.all()).toEqual([{ ...kept, ...inTime }]);

      const slowed = { since: 3_500, intervalMs: 60_000, everyMs: 625_000.4 };
      await watches.noteAll([{ ...ok, slowed }]);
      const behind = { behindSince: 3_500, intervalMs: 60_000, everyMs: 625_000 };
      expect(await watches.all()).toEqual([{ ...kept, ...behind }]);
      await watches.noteAll([ok]);
      expect(await watches.all()).toEqual([{ ...kept, ...inTime }]);
    });

    it("tells of a branch whose key has worked, whoever polled it", async () => {
      const { orders, watches } = await open();
      const { watchId } = await orders.open("b", "default");
      await orders.open("c", "printer");
      expect([await watches.hasWorked("b"), await watches.hasWorked("c")]).toEqual([false, false]);
      const refused = { watchId, name: "centro", state: "stopped", since: 3_000, polledAt: null } as const;
      await watches.noteAll([refused]);
      expect(await watches.hasWorked("b")).toBe(false);
      await watches.noteAll([{ ...refused, polledAt: 4_000 }]);
      const printer = await orders.open("c", "printer");
      await orders.found(printer.watchId, [], { beganAt: 1_000, firstPage: null });
      expect([await watches.hasWorked("b"), await watches.hasWorked("c")]).toEqual([true, true]);
      expect(await watches.hasWorked("d")).toBe(false);
    });

    it("keeps when its first run began, and that it has read everything", async () => {
      const { orders, watchId } = await memory();
      await orders.found(watchId, [], { beganAt: 1_000, firstPage: { total: 57, end: 900 } });
      expect(await orders.open("b", "default")).toMatchObject({
        beganAt: 1_000,
        firstRun: 1,
        firstPage: { total: 57, end: 900 },
      });
      const skipped = [{ orderKey: "7", createdAt: null, status: "listo" }];
      await orders.scanned(watchId, 500, skipped);
      expect(await orders.open("b", "default")).toMatchObject({
        watchId,
        beganAt: 1_000,
        firstRun: 0,
        sinceFloor: 500,
      });
      const skippedOne = { status: "listo", state: "skipped", createdAt: null };
      expect(await known(orders, watchId, "7")).toMatchObject(skippedOne);
      expect(await known(orders, watchId, "8")).toBeUndefined();
      expect(await pending(orders, watchId, "stdout")).toEqual([]);
    });

    it("knows nothing of another's orders", async () => {
      const { orders, watchId } = await memory();
      const other = (await orders.open("b", "printer")).watchId;
      await orders.found(watchId, [found("1")]);
      expect(await known(orders, other, "1")).toBeUndefined();
      expect(await pending(orders, other, "stdout")).toEqual([]);
    });
  });

  describe("an order", () => {
    it("is pending for each output, in the sequence in which it was found, until that has it, and then never again", async () => {
      const { orders, watchId } = await memory();
      await orders.found(watchId, [found("10"), found("9"), found("100")]);
      await deliver(orders, watchId, "exec");
      expect(await pending(orders, watchId, "exec")).toEqual(["9", "100"]);
      expect(await pending(orders, watchId, "stdout")).toEqual(["10", "9", "100"]);
      await orders.found(watchId, [found("10")]);
      expect(await pending(orders, watchId, "exec")).toEqual(["9", "100"]);
      expect(await known(orders, watchId, "10")).toMatchObject({
        status: "pendiente",
        state: "found",
      });
    });

    it("that every output has leaves neither its text nor its deliveries behind", async () => {
      const { orders, watchId } = await memory();
      await orders.found(watchId, [found("1")]);
      for (const output of ["exec", "stdout"]) await deliver(orders, watchId, output);
      await orders.join(watchId, [...both, { name: "another", changes: "all" }]);
      for (const output of ["exec", "stdout", "another"])
        expect(await orders.next(watchId, output, 0)).toBeUndefined();
    });

    it("is owed to an output that a run leaves out, and so is what that run finds, but to a terminal", async () => {
      const { orders, watchId } = await memory();
      await orders.found(watchId, [found("1"), found("2")]);
      await deliver(orders, watchId, "exec");
      await orders.join(watchId, [{ name: "printer", changes: "off" }]);
      await orders.found(watchId, [found("3")]);
      expect(await pending(orders, watchId, "exec")).toEqual(["2", "3"]);
      expect(await pending(orders, watchId, "stdout")).toEqual(["1", "2"]);
      // A new one gets what no command, folder or printer has got.
      expect(await pending(orders, watchId, "printer")).toEqual(["2", "3"]);
      const owed = (await orders.owed(watchId)).map(({ output, orders: n }) => `${output} ${n}`);
      expect(owed).toEqual(["exec 2", "printer 2", "stdout 2"]);
    });

    it("that is given up for an output is none of its own any more, nor when that comes back", async () => {
      const { orders, watchId } = await memory();
      await orders.found(watchId, [found("1"), found("2")]);
      await orders.forget(watchId, "exec");
      await orders.join(watchId, both);
      expect(await pending(orders, watchId, "exec")).toEqual([]);
      expect(await pending(orders, watchId, "stdout")).toEqual(["1", "2"]);
      await orders.forget(watchId, "stdout");
      expect(await orders.owed(watchId)).toEqual([]);
      expect(await orders.find("b", "default")).toBe(watchId);
      expect(await orders.find("b", "nobody")).toBeUndefined();
    });

    it("whose state changes is told to who wants that change", async () => {
      const { orders, watchId } = await memory();
      const change = { orderKey: "1", from: "pendiente", at: 6_000, body: "{}", edited: [], content: null };
      await orders.join(watchId, [
        { name: "exec", changes: "none" },
        { name: "printer", changes: "off" },
      ]);
      await orders.found(watchId, [found("1")]);
      await deliver(orders, watchId, "exec");
      await deliver(orders, watchId, "printer");
      await orders.changed(watchId, [{ ...change, to: "listo" }]);
      expect(await orders.owed(watchId)).toEqual([]);
      await orders.changed(watchId, [{ ...change, to: "listo", edited: ["total"] }]);
      await orders.changed(watchId, [{ ...change, to: "cancelado" }]);
      expect(await orders.owed(watchId)).toEqual([{ output: "printer", orders: 0, changes: 2 }]);
    });

    it("that was edited is told with its fields, once, and its content is kept for the next time", async () => {
      const { orders, watchId } = await memory();
      await orders.found(watchId, [{ ...found("1"), content: "before" }, found("2")]);
      expect(await known(orders, watchId, "1")).toMatchObject({ content: "before" });
      await orders.setContent(watchId, [{ orderKey: "2", content: "late" }]);
      expect(await known(orders, watchId, "2")).toMatchObject({ content: "late" });
      const edit = {
        orderKey: "1",
        from: "pendiente",
        to: "pendiente",
        at: 6_000,
        edited: ["lineas", "total"],
      };
      await orders.changed(watchId, [{ ...edit, content: "after", body: '{"order_id":1}' }]);
      expect(await known(orders, watchId, "1")).toMatchObject({ status: "pendiente", content: "after" });
      expect(await pending(orders, watchId, "stdout")).toEqual(["1", "2"]);
      await deliver(orders, watchId, "stdout");
      await deliver(orders, watchId, "stdout");
      const event = (await orders.next(watchId, "stdout", 0))!;
      expect(await orders.begin(event, "stdout")).toMatchObject({ from: "pendiente", edited: edit.edited });
      await orders.delivered(event, "stdout");
      expect(await orders.next(watchId, "stdout", 0)).toBeUndefined();
    });

    it("of an output that got nothing yet is counted, with when the oldest was found", async () => {
      const journal = await open();
      const { orders, watches } = journal;
      const { watchId } = await orders.open("b", "default");
      await orders.join(watchId, both);
      await orders.found(watchId, [found("1"), { ...found("2"), at: 7_000 }]);
      await deliver(orders, watchId, "exec");
      expect(await watches.undelivered()).toEqual([
        { watchId, output: "exec", undelivered: 1, oldestAt: 7_000 },
        { watchId, output: "stdout", undelivered: 2, oldestAt: 5_000 },
      ]);
    });

    it("that was begun says so, until it is known not to have been taken", async () => {
      const { orders, watchId } = await memory();
      await orders.found(watchId, [found("1")]);
      const event = (await orders.next(watchId, "exec", 0))!;
      const first = { orderKey: "1", body: '{"order_id":1}', from: null, wasBegun: false };
      expect(await orders.begin(event, "exec")).toMatchObject(first);
      expect(await orders.begin(event, "exec")).toMatchObject({ ...first, wasBegun: true });
      expect(await orders.begin(event, "stdout")).toMatchObject(first);
      await orders.notDelivered(event, "exec");
      expect(await orders.begin(event, "exec")).toMatchObject(first);
    });

    it("is followed by its changes, to no output before the order itself", async () => {
      const { orders, watchId } = await memory();
      const unedited = { edited: [], content: null };
      const change = {
        orderKey: "1",
        from: "pendiente",
        to: "listo",
        at: 6_000,
        body: '{"order_id":1}',
        ...unedited,
      };
      await orders.found(watchId, [found("1"), found("2")]);
      await orders.changed(watchId, [change]);
      await orders.changed(watchId, [{ ...change, from: "listo", to: "entregado" }]);
      expect(await known(orders, watchId, "1")).toMatchObject({ status: "entregado" });
      expect(await pending(orders, watchId, "exec")).toEqual(["1", "2"]);
      await deliver(orders, watchId, "exec");
      expect(await pending(orders, watchId, "exec")).toEqual(["2", "1 pendiente"]);
      await deliver(orders, watchId, "exec");
      await deliver(orders, watchId, "exec");
      expect(await pending(orders, watchId, "exec")).toEqual(["1 listo"]);
      expect(await pending(orders, watchId, "stdout")).toEqual(["1", "2"]);
    });

    it("of a page is written down with all others of it, or none is", async () => {
      const { orders, watchId } = await memory();
      const broken = { ...found("2"), status: null as unknown as string };
      await expect(orders.found(watchId, [found("1"), broken])).rejects.toThrow();
      expect(await pending(orders, watchId, "stdout")).toEqual([]);
    });
  });
}
