import { describe, expect, it } from "vitest";
import { catalogMemory, isUnchanged } from "../../../src/catalog/push/catalog-memory.ts";
import { itemList } from "../../../src/catalog/push/push-plan.ts";
import type { CatalogItem } from "../../../src/contract/catalog.ts";
import { CatalogState } from "../../../src/journal/catalog-state.ts";
import { openJournal } from "../../../src/journal/open.ts";
import type { PushEvent } from "../../../src/journal/pushes.ts";
import { accepted } from "../../support/push.ts";

const water = { codigo: "A", nombre: "Agua", precio: 1.5 };
const dearer = { ...water, precio: 2 };

/** What is known of a branch, and batches that leave and are answered, or are not. */
function branch() {
  const state = new CatalogState(openJournal(":memory:"), "b");
  const batch = (items: readonly CatalogItem[], action: "upsert" | "delete" = "upsert") => {
    const memory = catalogMemory(state, { items: itemList(items), action });
    const event: PushEvent = {
      first_row: 0,
      row_count: items.length,
      event_id: "e",
      occurred_at: "",
      stamp: 0,
      state: "planned",
      answer: null,
    };
    return {
      leaves: () => memory.attempted(event),
      isAnswered: (answer: object = accepted(items.length)) => memory.answered(event, JSON.stringify(answer)),
    };
  };
  const confirm = (...items: CatalogItem[]): void => {
    const { leaves, isAnswered } = batch(items);
    leaves();
    isAnswered();
  };
  return { state, batch, confirm, knows: (item: CatalogItem) => isUnchanged(state, item) };
}

const rejecting = (...codes: string[]): object => ({
  ...accepted(0),
  rejected: codes.map((codigo) => ({ codigo, error: "no" })),
});

describe("what is known of a product", () => {
  it("is nothing certain between the attempt and the answer, whichever price is asked about", () => {
    const { batch, confirm, knows } = branch();
    confirm(water);
    expect(knows(water)).toBe(true);
    const second = batch([dearer]);
    second.leaves();
    expect([knows(water), knows(dearer)]).toEqual([false, false]);
    // A run that was killed here begins again.
    second.leaves();
    expect([knows(water), knows(dearer)]).toEqual([false, false]);
    second.isAnswered();
    expect([knows(water), knows(dearer)]).toEqual([false, true]);
  });

  it("is what it was when the service rejects a change, and nothing when it rejects a new product", () => {
    const { state, batch, confirm, knows } = branch();
    confirm(water);
    const both = batch([dearer, { codigo: "N", precio: 1 }]);
    both.leaves();
    both.isAnswered(rejecting("A", "N"));
    expect(knows(water)).toBe(true);
    expect(state.get("N")).toBeUndefined();
    expect(state.activeCodes()).toEqual(["A"]);
  });

  it("keeps that the product exists, though two lost answers leave no field certain", () => {
    const { state, batch, confirm, knows } = branch();
    confirm(water);
    const second = batch([dearer]);
    second.leaves();
    second.leaves();
    second.isAnswered(rejecting("A"));
    expect([knows(water), knows(dearer)]).toEqual([false, false]);
    expect(state.activeCodes()).toEqual(["A"]);
  });

  it("ends with a delete, and begins again with the next upsert, fields that were never sent again included", () => {
    const { state, batch, confirm, knows } = branch();
    confirm(water);
    const gone = batch([{ codigo: "A" }], "delete");
    gone.leaves();
    expect(knows(water)).toBe(false);
    gone.isAnswered();
    expect(knows(water)).toBe(false);
    expect(state.activeCodes()).toEqual([]);
    confirm({ codigo: "A", precio: 1.5 });
    expect(knows(water)).toBe(true);
  });

  it.each([
    ["alone", rejecting("A")],
    ["though the rest was stale", { ...(rejecting("A") as { rejected: [] }), skipped_stale: 1 }],
  ])("is nothing when the service refuses to deactivate it, %s", (_, answer) => {
    const { state, batch, confirm } = branch();
    confirm(water);
    confirm({ ...water, codigo: "B" });
    const gone = batch([{ codigo: "A" }, { codigo: "B" }], "delete");
    gone.leaves();
    gone.isAnswered(answer);
    expect(state.get("A")).toBeUndefined();
    expect(state.get("B")).toMatchObject({ open: true });
  });

  it.each([
    ["some of it was stale", { ...accepted(1), skipped_stale: 1 }],
    ["its sums do not add up", accepted(5)],
    ["a code is rejected twice", rejecting("A", "A")],
    ["it says nothing that is understood", { ok: true }],
  ])("stays open when an answer says that %s", (_, answer) => {
    const { batch, knows } = branch();
    const two = batch([water, { ...water, codigo: "B" }]);
    two.leaves();
    two.isAnswered(answer);
    expect(knows(water)).toBe(false);
  });
});
