import { describe, expect, it } from "vitest";
import { catalogMemory, unchangedItems } from "../../../src/catalog/push/memory.ts";
import { itemList } from "../../../src/catalog/push/plan.ts";
import type { CatalogItem } from "../../../src/contract/catalog.ts";
import type { PushEvent } from "../../../src/journal/pushes.ts";
import { journalIn } from "../../support/journal.ts";
import { accepted } from "../../support/push.ts";

const water = { codigo: "A", nombre: "Agua", precio: 1.5 };
const dearer = { ...water, precio: 2 };

/** What is known of a branch, and batches that leave and are answered, or are not. */
function branch() {
  const journal = journalIn();
  const { catalog } = journal;
  const batch = (items: readonly CatalogItem[], action: "upsert" | "delete" = "upsert") => {
    const memory = catalogMemory("b", { items: itemList(items), action });
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
      leaves: () => memory.attempted(journal, event),
      isAnswered: (answer: object = accepted(items.length)) =>
        memory.answered(journal, event, JSON.stringify(answer)),
    };
  };
  const confirm = async (...items: CatalogItem[]): Promise<void> => {
    const { leaves, isAnswered } = batch(items);
    await leaves();
    await isAnswered();
  };
  const knows = async (item: CatalogItem): Promise<boolean> =>
    (await unchangedItems(catalog, "b", itemList([item])))[0] === 1;
  const known = async (codigo: string) => (await catalog.get("b", [codigo])).get(codigo);
  const active = (): Promise<string[]> => catalog.activeCodes("b");
  return { known, active, batch, confirm, knows };
}

const rejecting = (...codes: string[]): object => ({
  ...accepted(0),
  rejected: codes.map((codigo) => ({ codigo, error: "no" })),
});

describe("what is known of a product", () => {
  it("is nothing certain between the attempt and the answer, whichever price is asked about", async () => {
    const { batch, confirm, knows } = branch();
    await confirm(water);
    expect(await knows(water)).toBe(true);
    const second = batch([dearer]);
    await second.leaves();
    expect([await knows(water), await knows(dearer)]).toEqual([false, false]);
    // A run that was killed here begins again.
    await second.leaves();
    expect([await knows(water), await knows(dearer)]).toEqual([false, false]);
    await second.isAnswered();
    expect([await knows(water), await knows(dearer)]).toEqual([false, true]);
  });

  it("is what it was when the service rejects a change, and nothing when it rejects a new product", async () => {
    const { known, active, batch, confirm, knows } = branch();
    await confirm(water);
    const both = batch([dearer, { codigo: "N", precio: 1 }]);
    await both.leaves();
    await both.isAnswered(rejecting("A", "N"));
    expect(await knows(water)).toBe(true);
    expect(await known("N")).toBeUndefined();
    expect(await active()).toEqual(["A"]);
  });

  it("ends with a delete, and begins again with the next upsert, fields that were never sent again included", async () => {
    const { active, batch, confirm, knows } = branch();
    await confirm(water);
    const gone = batch([{ codigo: "A" }], "delete");
    await gone.leaves();
    expect(await knows(water)).toBe(false);
    await gone.isAnswered();
    expect(await knows(water)).toBe(false);
    expect(await active()).toEqual([]);
    await confirm({ codigo: "A", precio: 1.5 });
    expect(await knows(water)).toBe(true);
  });

  it.each([
    ["alone", rejecting("A")],
    ["though the rest was stale", { ...(rejecting("A") as { rejected: [] }), skipped_stale: 1 }],
  ])("is nothing when the service refuses to deactivate it, %s", async (_, answer) => {
    const { known, batch, confirm } = branch();
    await confirm(water);
    await confirm({ ...water, codigo: "B" });
    const gone = batch([{ codigo: "A" }, { codigo: "B" }], "delete");
    await gone.leaves();
    await gone.isAnswered(answer);
    expect(await known("A")).toBeUndefined();
    expect(await known("B")).toMatchObject({ pending: true });
  });
});
