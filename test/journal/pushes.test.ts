import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { type Journal, openJournal } from "../../src/journal/open.ts";
import {
  beginPush,
  eventsOf,
  halveEvents,
  type NewPush,
  type PlannedEvent,
  recordAnswer,
  recordAttempt,
  recordNotApplied,
} from "../../src/journal/pushes.ts";

let journal: Journal;
let pushes = 0;
beforeEach(() => {
  journal = openJournal(":memory:");
  pushes = 0;
});

/** Batches of four rows, a millisecond apart. */
const batches =
  (count: number) =>
  (first: number): PlannedEvent[] =>
    Array.from({ length: count }, (_, n) => event(n * 4, 4, first + n));

function event(first_row: number, row_count: number, stamp: number): PlannedEvent {
  return { first_row, row_count, stamp, occurred_at: String(stamp), event_id: `${stamp}:${first_row}` };
}

function begin(contentHash: string, more: Partial<NewPush> = {}, count = 3): string {
  const push = {
    push_id: `p${++pushes}`,
    branch: "b",
    action: "upsert" as const,
    file: null,
    at: 1_000,
    ...more,
  };
  return beginPush(journal, { ...push, contentHash }, batches(count));
}

const stamps = (pushId: string): number[] => eventsOf(journal, pushId).map(({ stamp }) => stamp);
const next = (pushId: string, from = 0) =>
  eventsOf(journal, pushId).find((each) => each.first_row >= from && each.state !== "answered")!;
const finish = (pushId: string): void => {
  for (const each of eventsOf(journal, pushId)) recordAnswer(journal, pushId, each, "{}");
};
const shapes = (pushId: string): [number, number, number, string][] =>
  eventsOf(journal, pushId).map((e) => [e.first_row, e.row_count, e.stamp, e.state]);

describe("beginning a push", () => {
  it("reserves a stamp for every batch at once, later than any of the branch before", () => {
    expect(stamps(begin("A"))).toEqual([1000, 1001, 1002]);
    expect(stamps(begin("B", { at: 5 }))).toEqual([1003, 1004, 1005]);
    expect(stamps(begin("C", { at: 2000 }))).toEqual([2000, 2001, 2002]);
    expect(stamps(begin("D", { branch: "other", at: 7 }))).toEqual([7, 8, 9]);
  });

  it("never reserves a stamp again, whatever is forgotten", () => {
    begin("A", { at: 9000 });
    journal.exec("DELETE FROM push_event; DELETE FROM push");
    expect(stamps(begin("B"))).toEqual([9003, 9004, 9005]);
  });

  it("gives no two pushes of a branch a stamp in common, and later ones to the later push", () => {
    const starts = fc.array(fc.tuple(fc.nat(50), fc.integer({ min: 1, max: 5 })), { maxLength: 8 });
    fc.assert(
      fc.property(starts, (given) => {
        const own = openJournal(":memory:");
        let last = 0;
        given.forEach(([at, count], n) => {
          const push = {
            push_id: `p${n}`,
            branch: "b",
            action: "upsert",
            file: null,
            contentHash: `${n}`,
            at,
          } as const;
          const reserved = eventsOf(own, beginPush(own, push, batches(count))).map(({ stamp }) => stamp);
          expect(Math.min(...reserved)).toBeGreaterThan(Math.max(last, at - 1));
          last = Math.max(...reserved);
        });
        own.close();
      }),
      { numRuns: 30 },
    );
  });

  it("takes the newest push up while it is open, with its events untouched", () => {
    const first = begin("A");
    const before = eventsOf(journal, first);
    expect(begin("A", { at: 9_999 })).toBe(first);
    expect(eventsOf(journal, first)).toEqual(before);
  });

  it("takes up neither a finished push, nor other content, nor one of another branch", () => {
    const first = begin("A");
    expect(begin("A", { branch: "other" })).not.toBe(first);
    finish(first);
    const second = begin("A");
    expect(second).not.toBe(first);
    expect(begin("B")).not.toBe(second);
  });

  it.each([true, false])("takes up no older push, whether the newer one is open (%s) or not", (open) => {
    const first = begin("A");
    const second = begin("B");
    if (!open) finish(second);
    expect(begin("A")).not.toBe(first);
  });

  it("calls newest what came last, though the clock went back", () => {
    const first = begin("A", { at: 9_000 });
    const second = begin("B", { at: 10 });
    expect(begin("B", { at: 20 })).toBe(second);
    expect(begin("A", { at: 30 })).not.toBe(first);
  });
});

describe("an event", () => {
  it("goes from planned to attempted to answered, and back only when it was not applied", () => {
    const id = begin("A");
    const event = next(id);
    expect(event).toMatchObject({ first_row: 0, state: "planned", answer: null });
    recordAttempt(journal, id, event);
    expect(next(id).state).toBe("attempted");
    recordNotApplied(journal, id, event);
    expect(next(id).state).toBe("planned");
    recordAnswer(journal, id, event, '{"accepted":4}');
    expect(eventsOf(journal, id)[0]).toMatchObject({ state: "answered", answer: '{"accepted":4}' });
    recordAttempt(journal, id, event);
    recordNotApplied(journal, id, event);
    expect(eventsOf(journal, id)[0]!.state).toBe("answered");
    expect(next(id).first_row).toBe(4);
    expect(next(id, 8).first_row).toBe(8);
    expect(next(id, 9)).toBeUndefined();
  });

  const halves = ({ first_row, stamp }: PlannedEvent): PlannedEvent[] =>
    [event(first_row, 2, stamp), event(first_row + 2, 2, stamp)].map((each) => ({
      ...each,
      event_id: `${each.event_id}/2`,
    }));

  it("that is too large is replaced by its halves, as are planned ones behind it and none before it", () => {
    const id = begin("A", {}, 4);
    recordAnswer(journal, id, next(id), "{}");
    const large = next(id);
    recordAttempt(journal, id, large);
    halveEvents(journal, id, large, halves);
    expect(shapes(id)).toEqual([
      [0, 4, 1000, "answered"],
      [4, 2, 1001, "planned"],
      [6, 2, 1001, "planned"],
      [8, 2, 1002, "planned"],
      [10, 2, 1002, "planned"],
      [12, 2, 1003, "planned"],
      [14, 2, 1003, "planned"],
    ]);
  });

  it("is halved once, though two processes find it too large", () => {
    const id = begin("A");
    const large = next(id);
    halveEvents(journal, id, large, halves);
    const after = shapes(id);
    recordAttempt(journal, id, next(id));
    halveEvents(journal, id, large, halves);
    expect(shapes(id).map(([row]) => row)).toEqual(after.map(([row]) => row));
    expect(next(id).state).toBe("attempted");
  });

  it("that another process is sending, or has settled, is not halved under its feet", () => {
    const id = begin("A");
    const [first, second, third] = eventsOf(journal, id);
    recordAttempt(journal, id, second!);
    recordAnswer(journal, id, third!, "{}");
    halveEvents(journal, id, first!, halves);
    expect(shapes(id)[2]).toEqual([4, 4, 1001, "attempted"]);
    recordAnswer(journal, id, second!, "{}");
    halveEvents(journal, id, second!, halves);
    expect(shapes(id).slice(2)).toEqual([
      [4, 4, 1001, "answered"],
      [8, 4, 1002, "answered"],
    ]);
  });
});
