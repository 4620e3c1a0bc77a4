import { expect, it } from "vitest";
import type { Journal } from "../../../src/journal/journal.ts";
import type { ScheduledPush } from "../../../src/journal/scheduled.ts";

const push = { branch: "b", at: 1_000, due_at: 5_000, file: null, plan: "{}", report: "{}" };
const items = [
  { first_row: 0, lines: "[2,3]", items: '[{"codigo":"A"},{"codigo":"B"}]' },
  { first_row: 2, lines: "[4]", items: '[{"codigo":"C"}]' },
];

/** What holds of pushes that wait for their time, whatever the engine. */
export function scheduledContract(open: () => Promise<Journal>): void {
  const change = (codigo: string) => ({ row: 0, codigo, kind: "changed", fields: {} }) as const;
  const begin = async ({ pushes }: Journal, push_id: string, more: object = {}): Promise<void> => {
    const own = { push_id, branch: "b", action: "upsert", file: null, contentHash: push_id, at: 1, ...more };
    await pushes.begin({ ...own, action: "upsert" }, (stamp) => [
      { first_row: 0, row_count: 1, event_id: `${push_id}-1`, occurred_at: "", stamp },
    ]);
    await pushes.keepChanges(push_id, 0, [change(push_id)]);
  };
  const found = async ({ scheduled }: Journal, id: string): Promise<ScheduledPush> =>
    (await scheduled.find("b", id))[0]!;

  it("are due in the order of their times, and keep their products until their end", async () => {
    const journal = await open();
    const { scheduled } = journal;
    await scheduled.add({ ...push, push_id: "late", due_at: 9_000 }, items);
    await scheduled.add({ ...push, push_id: "soon" }, items);
    await scheduled.add({ ...push, push_id: "next", branch: "c" }, []);
    expect((await scheduled.due()).map(({ push_id }) => push_id)).toEqual(["soon", "next", "late"]);
    const kept = async () => {
      const all: string[] = [];
      for await (const some of scheduled.items("soon")) all.push(some.items);
      return all;
    };
    expect(await kept()).toEqual(items.map((some) => some.items));
    expect(await scheduled.end("soon", "missed", '{"a":1}')).toBe(true);
    expect(await kept()).toEqual([]);
    expect(await found(journal, "soon")).toMatchObject({ state: "missed", report: '{"a":1}' });
    expect((await scheduled.failed()).map(({ push_id }) => push_id)).toEqual(["soon"]);
    await begin(journal, "newer");
    expect(await scheduled.failed()).toEqual([]);
  });

  it("are either claimed or cancelled, and have one end", async () => {
    const { scheduled } = await open();
    await scheduled.add({ ...push, push_id: "one" }, items);
    await scheduled.add({ ...push, push_id: "two" }, items);
    expect(await scheduled.claim("one")).toBe(true);
    expect(await scheduled.claim("one")).toBe(true);
    expect(await scheduled.end("one", "cancelled", "{}")).toBe(false);
    expect(await scheduled.end("two", "cancelled", "{}")).toBe(true);
    expect(await scheduled.claim("two")).toBe(false);
    expect(await scheduled.end("one", "sent", "{}")).toBe(true);
    expect(await scheduled.end("one", "missed", "{}")).toBe(false);
  });

  it("know what was pushed since, but for what was scheduled, however much came after", async () => {
    const journal = await open();
    const { scheduled } = journal;
    await begin(journal, "before");
    await scheduled.add({ ...push, push_id: "waits" }, items);
    await scheduled.add({ ...push, push_id: "other" }, items);
    await begin(journal, "other");
    await begin(journal, "part", { part_of: "other" });
    await begin(journal, "first");
    for (let n = 0; n < 60; n++) await begin(journal, `p${n}`);
    const codes = async () =>
      (await scheduled.changesSince(await found(journal, "waits"))).map(({ codigo }) => codigo);
    expect(await codes()).toHaveLength(61);
    expect((await codes())[0]).toBe("first");
    expect((await scheduled.unsent("b", 9)).map(({ push_id }) => push_id)).toEqual(["waits"]);
    await scheduled.end("waits", "missed", "{}");
    await scheduled.end("other", "missed", "{}");
    await begin(journal, "last");
    expect(await codes()).toEqual(["last"]);
    expect(await journal.pushes.changes("first")).toBeUndefined();
  });
}
