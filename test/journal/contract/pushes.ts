import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { type Journal, Steps } from "../../../src/journal/journal.ts";
import type { NewPush, PlannedEvent, PushEvent } from "../../../src/journal/records/pushes.ts";

/** Batches of four rows, a millisecond apart. */
const batches =
  (count: number) =>
  (first: number): PlannedEvent[] =>
    Array.from({ length: count }, (_, n) => event(n * 4, 4, first + n));

function event(first_row: number, row_count: number, stamp: number): PlannedEvent {
  return { first_row, row_count, stamp, occurred_at: String(stamp), event_id: `${stamp}:${first_row}` };
}

/** Tests of pushes, for any engine. */
export function pushesContract(open: () => Promise<Journal>): void {
  let journal: Journal;
  let pushes = 0;
  beforeEach(async () => {
    journal = await open();
  });

  const begin = (contentHash: string, more: Partial<NewPush> = {}, count = 3): Promise<string> => {
    const id = `p${++pushes}`;
    const push = { push_id: id, branch: "b", action: "upsert", file: null, at: 1_000, ...more } as const;
    return journal.pushes.begin({ ...push, contentHash }, batches(count));
  };
  const stamps = async (pushId: string) => (await journal.pushes.events(pushId)).map(({ stamp }) => stamp);
  const next = async (pushId: string, from = 0): Promise<PushEvent> =>
    (await journal.pushes.events(pushId)).find((e) => e.first_row >= from && e.state !== "answered")!;
  const finish = async (pushId: string): Promise<void> => {
    for (const each of await journal.pushes.events(pushId))
      await journal.pushes.answered(pushId, [{ event: each, answer: "{}" }]);
  };
  const shapes = async (pushId: string): Promise<[number, number, number, string][]> =>
    (await journal.pushes.events(pushId)).map((e) => [e.first_row, e.row_count, e.stamp, e.state]);

  describe("beginning a push", () => {
    it("reserves a stamp for every batch at once, later than any of the branch before", async () => {
      expect(await stamps(await begin("A"))).toEqual([1000, 1001, 1002]);
      expect(await stamps(await begin("B", { at: 5 }))).toEqual([1003, 1004, 1005]);
      expect(await stamps(await begin("C", { at: 2000 }))).toEqual([2000, 2001, 2002]);
      expect(await stamps(await begin("D", { branch: "other", at: 7 }))).toEqual([7, 8, 9]);
    });

    it("never reserves a stamp again, whatever is forgotten", async () => {
      // The one that had them may be gone; the branch knows them all the same.
      await begin("A", { at: 9000 });
      expect(await journal.pushes.lastStamp("b")).toBe(9002);
      expect(await stamps(await begin("B"))).toEqual([9003, 9004, 9005]);
    });

    it("gives no two pushes of a branch a stamp in common, and later ones to the later push", async () => {
      const starts = fc.array(fc.tuple(fc.nat(50), fc.integer({ min: 1, max: 5 })), { maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(starts, fc.uuid(), async (given, branch) => {
          let last = 0;
          for (const [at, count] of given) {
            const reserved = await stamps(await begin(crypto.randomUUID(), { at, branch }, count));
            expect(Math.min(...reserved)).toBeGreaterThan(Math.max(last, at - 1));
            last = Math.max(...reserved);
          }
        }),
        { numRuns: 30 },
      );
    });

    it("takes the newest push up while it is open, with its events untouched", async () => {
      const first = await begin("A");
      const before = await journal.pushes.events(first);
      expect(await begin("A", { at: 9_999 })).toBe(first);
      expect(await journal.pushes.events(first)).toEqual(before);
    });

    it("takes up neither a finished push, nor other content, nor one of another branch", async () => {
      const first = await begin("A");
      expect(await begin("A", { branch: "other" })).not.toBe(first);
      await finish(first);
      const second = await begin("A");
      expect(second).not.toBe(first);
      expect(await begin("B")).not.toBe(second);
    });

    it.each([true, false])(
      "takes up no older push, whether the newer one is open (%s) or not",
      async (open) => {
        const first = await begin("A");
        const second = await begin("B");
        if (!open) await finish(second);
        expect(await begin("A")).not.toBe(first);
      },
    );

    it("calls newest what came last, though the clock went back", async () => {
      const first = await begin("A", { at: 9_000 });
      const second = await begin("B", { at: 10 });
      expect(await begin("B", { at: 20 })).toBe(second);
      expect(await begin("A", { at: 30 })).not.toBe(first);
    });
  });

  describe("an event", () => {
    it("goes from planned to attempted to answered, and back only when it was not applied", async () => {
      const id = await begin("A");
      const event = await next(id);
      expect(event).toMatchObject({ first_row: 0, state: "planned", answer: null });
      await journal.pushes.attempted(id, [event]);
      expect((await next(id)).state).toBe("attempted");
      await journal.pushes.notApplied(id, [event]);
      expect((await next(id)).state).toBe("planned");
      await journal.pushes.answered(id, [{ event: event, answer: '{"accepted":4}' }]);
      expect((await journal.pushes.events(id))[0]).toMatchObject({
        state: "answered",
        answer: '{"accepted":4}',
      });
      await journal.pushes.attempted(id, [event]);
      await journal.pushes.notApplied(id, [event]);
      expect((await journal.pushes.events(id))[0]!.state).toBe("answered");
      expect((await next(id)).first_row).toBe(4);
      expect((await next(id, 8)).first_row).toBe(8);
      expect(await next(id, 9)).toBeUndefined();
    });

    const halves = ({ first_row, stamp }: PlannedEvent): PlannedEvent[] =>
      [event(first_row, 2, stamp), event(first_row + 2, 2, stamp)].map((each) => ({
        ...each,
        event_id: `${each.event_id}/2`,
      }));

    it("that is too large is replaced by its halves, as are planned ones behind it and none before it", async () => {
      const id = await begin("A", {}, 4);
      await journal.pushes.answered(id, [{ event: await next(id), answer: "{}" }]);
      const large = await next(id);
      await journal.pushes.attempted(id, [large]);
      await journal.pushes.halve(id, large, halves);
      expect(await shapes(id)).toEqual([
        [0, 4, 1000, "answered"],
        [4, 2, 1001, "planned"],
        [6, 2, 1001, "planned"],
        [8, 2, 1002, "planned"],
        [10, 2, 1002, "planned"],
        [12, 2, 1003, "planned"],
        [14, 2, 1003, "planned"],
      ]);
    });

    it("is halved once, though two processes find it too large", async () => {
      const id = await begin("A");
      const large = await next(id);
      await journal.pushes.halve(id, large, halves);
      const after = await shapes(id);
      await journal.pushes.attempted(id, [await next(id)]);
      await journal.pushes.halve(id, large, halves);
      expect((await shapes(id)).map(([row]) => row)).toEqual(after.map(([row]) => row));
      expect((await next(id)).state).toBe("attempted");
    });

    it("that another process is sending, or has settled, is not halved under its feet", async () => {
      const id = await begin("A");
      const [first, second, third] = await journal.pushes.events(id);
      await journal.pushes.attempted(id, [second!]);
      await journal.pushes.answered(id, [{ event: third!, answer: "{}" }]);
      await journal.pushes.halve(id, first!, halves);
      expect((await shapes(id))[2]).toEqual([4, 4, 1001, "attempted"]);
      await journal.pushes.answered(id, [{ event: second!, answer: "{}" }]);
      await journal.pushes.halve(id, second!, halves);
      expect((await shapes(id)).slice(2)).toEqual([
        [4, 4, 1001, "answered"],
        [8, 4, 1002, "answered"],
      ]);
    });
  });

  it("keep what each batch changed, as it was known the first time, of the newest 50 of a branch", async () => {
    const change = (codigo: string, row: number, from: number | null) =>
      ({ codigo, row, kind: "changed", fields: { precio: { from, to: 2 } } }) as const;
    const id = await begin("A");
    expect(await journal.pushes.changes(id)).toBeUndefined();
    await journal.pushes.keepChanges(id, 4, [change("B", 4, 1)]);
    await journal.pushes.keepChanges(id, 0, []);
    await journal.pushes.keepChanges(id, 4, [change("B", 4, null)]);
    expect(await journal.pushes.changes(id)).toEqual([change("B", 4, 1)]);
    await begin("of another", { branch: "other" });
    for (let n = 1; n < 50; n++) await begin(`then ${n}`);
    expect(await journal.pushes.changes(id)).toBeDefined();
    await begin("one too many");
    expect(await journal.pushes.changes(id)).toBeUndefined();
  });

  it("are found by how their id begins, with their parts; without one the newest of which anything was sent", async () => {
    const send = async (id: string) => journal.pushes.attempted(id, await journal.pushes.events(id));
    const ids = async (id?: string) => (await journal.pushes.parts("b", id)).map(({ push_id }) => push_id);
    const first = await begin("A", { push_id: "abc-1" });
    expect(await ids()).toEqual([]);
    await send(first);
    const second = await begin("B", { push_id: "abd-2", parts: 2, undo_of: first });
    await send(second);
    const third = await begin("C", { push_id: "x-3", action: "delete", part_of: second, undo_of: first });
    await send(third);
    await begin("D", { push_id: "y-4" });
    expect([await ids(), await ids("abc"), await ids("x-"), await ids("ab"), await ids("y")]).toEqual([
      ...[[second, third], [first], [second, third], [], []],
    ]);
    expect(await journal.pushes.parts("b")).toMatchObject([
      { undo_of: first, part_of: null, parts: 2, pending: true },
      { undo_of: first, part_of: second, parts: 1, pending: true },
    ]);
  });

  it("are listed newest first, each with its report and whether a batch has no answer", async () => {
    const first = await begin("A", { file: "a.csv", at: 9_000 });
    await finish(first);
    await journal.pushes.report(first, "{}");
    await journal.pushes.report(first, '{"again":1}');
    const second = await begin("B", { action: "delete" });
    const common = { action: "upsert", file: "a.csv", at: 9_000, undo_of: null };
    expect(await journal.pushes.newest("b", 2)).toEqual([
      {
        push_id: second,
        action: "delete",
        file: null,
        at: 1_000,
        undo_of: null,
        report: null,
        pending: true,
      },
      { push_id: first, ...common, report: '{"again":1}', pending: false },
    ]);
    expect(await journal.pushes.newest("b", 1)).toHaveLength(1);
  });

  describe("steps", () => {
    const keep = (done: string[], branch: string) => async (tx: Pick<Journal, "catalog">) => {
      await tx.catalog.keep(branch);
      done.push(branch);
    };

    it("that come up in one turn are written in their order, and resolve when they are there", async () => {
      const steps = new Steps(journal);
      const done: string[] = [];
      steps.note(keep(done, "answer 1"));
      await steps.write(keep(done, "intent 2"));
      steps.note(keep(done, "answer 3"));
      await steps.flush();
      expect(done).toEqual(["answer 1", "intent 2", "answer 3"]);
      for (const branch of done) expect(await journal.catalog.isKept(branch)).toBe(true);
    });

    it("in which anything failed leave nothing; all that wait are told, and nothing is written after it", async () => {
      const steps = new Steps(journal);
      const disk = new Error("disk full");
      const first = steps.write(keep([], "intent 1"));
      steps.note(() => Promise.reject(disk));
      await expect(first).rejects.toBe(disk);
      await expect(steps.write(keep([], "intent 2"))).rejects.toBe(disk);
      await expect(steps.flush()).rejects.toBe(disk);
      for (const branch of ["intent 1", "intent 2"]) expect(await journal.catalog.isKept(branch)).toBe(false);
    });
  });
}
