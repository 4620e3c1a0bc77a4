import { describe, expect, it } from "vitest";
import type { Journal } from "../../src/journal/journal.ts";
import { journalIn } from "../support/journal.ts";

const [http, https, now] = ["http", "https", "now"] as const;
const rename = (journal: Journal): Promise<void> => journal.renameBranches(now, [http, https]);

/** A send under one identity, its call as far as `state`. */
async function send(
  { sends }: Journal,
  branch: string,
  persons: readonly string[],
  state: "planned" | "attempted" | "sent",
): Promise<string> {
  const id = `${branch} ${persons.join()} ${state}`;
  const scope = { branch, ref: "r", template: { name: "t", id: null, language: null }, at: 0 };
  const call = { idempotency_key: id, body: `{"from":"${branch}"}`, persons, lines: [] };
  await sends.plan({ ...scope, send_id: id, notAfter: null, isTest: false, paramNames: [] }, [call]);
  const [open] = await sends.callsOf(id);
  if (state !== "planned") await sends.attempt(open!, { at: 1 });
  if (state === "sent") await sends.answered(open!, { campaign_id: "c", answer: "{}", at: 2 });
  return id;
}

describe("two sends under one reference", () => {
  const people = async ({ sends }: Journal) =>
    Object.fromEntries(await sends.people({ branch: now, ref: "r" }, ["a", "b", "c"]));
  const kept = async ({ sends }: Journal) =>
    (await sends.callsUnder({ branch: now, ref: "r" })).map(({ idempotency_key: key }) => key);

  it("that share nobody are both there, with their keys and bodies", async () => {
    const journal = journalIn();
    const ids = [await send(journal, http, ["a"], "attempted"), await send(journal, https, ["b"], "sent")];
    await rename(journal);
    expect(await people(journal)).toEqual({ a: "attempted", b: "sent" });
    expect(await kept(journal)).toEqual(ids);
    expect(await journal.sends.named(now, undefined)).toMatchObject([{ send_id: ids[0] }]);
  });

  it.each([
    ["planned", false],
    ["attempted", false],
    ["planned", true],
    ["attempted", true],
  ] as const)("of which one messaged everybody leave nothing %s, pruned: %s", async (state, isPruned) => {
    const journal = journalIn();
    await send(journal, http, ["a", "b"], state);
    const sent = await send(journal, https, ["a", "b", "c"], "sent");
    if (isPruned) await (await journal.upkeep()).prune(Number.MAX_SAFE_INTEGER, () => undefined);
    await rename(journal);
    expect(await people(journal)).toEqual({ a: "sent", b: "sent", c: "sent" });
    // To resume the other one could only message them again.
    expect(await kept(journal)).toEqual([sent]);
  });

  it("without any answer are one: the later could message the same people a second time", async () => {
    const journal = journalIn();
    const first = await send(journal, http, ["a"], "attempted");
    await send(journal, https, ["a"], "attempted");
    await rename(journal);
    expect(await kept(journal)).toEqual([first]);
  });

  it("keep a call that may have reached somebody else", async () => {
    const journal = journalIn();
    const ids = [
      await send(journal, http, ["a", "b"], "attempted"),
      await send(journal, https, ["a"], "sent"),
    ];
    await rename(journal);
    expect(await people(journal)).toEqual({ a: "sent", b: "attempted" });
    expect(await kept(journal)).toEqual(ids);
  });
});

describe("two memories of one consumer", () => {
  const order = (id: string) => ({
    orderId: id,
    createdAt: null,
    status: "pendiente",
    body: `{"order_id":${id}}`,
  });
  const outputs = ["stdout", "exec"];
  const unedited = { edited: [], content: null };

  /** Takes an order to an output, as far as `state`. */
  async function deliver(
    { orders }: Journal,
    watchId: number,
    to: [id: string, output: string, "begun" | "done"],
  ) {
    const [id, output, state] = to;
    for (let event = await orders.next(watchId, output, 0); event !== undefined; ) {
      const { orderId, wasBegun } = await orders.begin(event, output);
      if (orderId === id) {
        if (state === "done") await orders.delivered(event, output);
        return;
      }
      if (!wasBegun) await orders.notDelivered(event, output);
      event = await orders.next(watchId, output, event);
    }
  }

  /** What an output gets next, in its sequence: the order, the state it was in, and whether it may have it. */
  async function rest({ orders }: Journal, watchId: number, output: string): Promise<string[]> {
    const all: string[] = [];
    for (let event = await orders.next(watchId, output, 0); event !== undefined; ) {
      const { orderId, from, wasBegun } = await orders.begin(event, output);
      all.push([orderId, ...(from === null ? [] : [from]), ...(wasBegun ? ["begun"] : [])].join(" "));
      event = await orders.next(watchId, output, event);
    }
    return all.sort();
  }

  it("know every order of both; what either delivered is delivered, what either skipped may be pending", async () => {
    const journal = journalIn();
    const { orders } = journal;
    const { watchId: one } = await orders.open(http, "default");
    const { watchId: two } = await orders.open(https, "default");
    for (const watch of [one, two])
      await orders.join(
        watch,
        outputs.map((name) => ({ name, changes: "all" })),
      );
    await orders.found(one, ["1", "2", "3", "4"].map(order));
    await orders.found(two, ["1", "2", "3", "5", "6", "7"].map(order));
    for (const output of outputs) {
      await deliver(journal, one, ["1", output, "done"]);
      await deliver(journal, two, ["2", output, "done"]);
      await deliver(journal, two, ["7", output, "done"]);
    }
    await deliver(journal, one, ["2", "exec", "begun"]);
    await deliver(journal, one, ["3", "stdout", "done"]);
    await deliver(journal, two, ["3", "exec", "begun"]);
    await deliver(journal, two, ["5", "exec", "done"]);
    await orders.changed(two, [{ orderId: "1", from: "pendiente", to: "listo", body: "{}", ...unedited }]);
    await orders.scanned(one, 20, [order("6"), order("7")]);
    await orders.found(one, [], { beganAt: 5, firstPage: null });
    await orders.found(two, [], { beganAt: 3, firstPage: null });
    await rename(journal);
    const memory = await orders.open(now, "default");
    expect(memory).toMatchObject({ beganAt: 3, firstRun: 0, sinceFloor: 20 });
    const all = ["1", "2", "3", "4", "5", "6", "7"];
    const known = await orders.known(memory.watchId, all);
    expect(all.map((id) => known.get(id)?.state)).toEqual(all.map(() => "found"));
    // A change that some output has not got is told, though the order itself was delivered.
    expect(await rest(journal, memory.watchId, "exec")).toEqual(["1 pendiente", "3 begun", "4", "6"]);
    expect(await rest(journal, memory.watchId, "stdout")).toEqual(["1 pendiente", "4", "5", "6"]);
  });

  it("of different consumers stay apart", async () => {
    const journal = journalIn();
    const { orders } = journal;
    await orders.found((await orders.open(http, "a")).watchId, [order("1")]);
    await orders.open(https, "b");
    await rename(journal);
    const known = async (consumer: string) =>
      (await orders.known((await orders.open(now, consumer)).watchId, ["1"])).get("1")?.state;
    expect([await known("a"), await known("b")]).toEqual(["found", undefined]);
  });
});

describe("two histories of pushes", () => {
  const push = ({ pushes }: Journal, branch: string, stamp: number): Promise<string> => {
    const given = { push_id: `${branch} ${stamp}`, branch, action: "upsert", file: null } as const;
    const event = { first_row: 0, row_count: 1, event_id: `e${stamp}`, occurred_at: "x", stamp };
    return pushes.begin({ ...given, contentHash: "h", at: stamp }, () => [event]);
  };
  const product = (codigo: string, precio = 1) =>
    new Map([[codigo, { item: { codigo, precio }, active: true, pending: false }]]);

  it("have the later stamp, and the newest push is the one that is taken up", async () => {
    const journal = journalIn();
    await push(journal, http, 900);
    await push(journal, https, 500);
    await rename(journal);
    expect([await journal.pushes.lastStamp(now), await journal.pushes.lastStamp(http)]).toEqual([900, 0]);
    const [event] = await journal.pushes.events(await push(journal, now, 1));
    expect(event).toMatchObject({ stamp: 500, event_id: "e500" });
  });

  it("leave no product certain: neither knew what the other one pushed", async () => {
    const journal = journalIn();
    for (const [branch, precio] of [
      [http, 1],
      [https, 2],
    ] as const) {
      await journal.catalog.keep(branch);
      await push(journal, branch, precio);
      await journal.catalog.put(branch, product("A", precio));
    }
    await journal.catalog.put(http, product("B"));
    await rename(journal);
    const known = await journal.catalog.get(now, ["A", "B"]);
    expect([known.get("A"), known.get("B")]).toMatchObject([
      { pending: true, active: true },
      { pending: true },
    ]);
  });

  it("of one identity alone keeps what was confirmed", async () => {
    const journal = journalIn();
    await journal.catalog.keep(http);
    await push(journal, http, 1);
    await journal.catalog.put(http, product("A"));
    await rename(journal);
    expect(await journal.catalog.get(now, ["A"])).toEqual(product("A"));
    await rename(journal);
    expect(await journal.catalog.activeCodes(now)).toEqual(["A"]);
  });
});
