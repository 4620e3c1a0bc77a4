import { expect, it } from "vitest";
import { openJournal } from "../../src/journal/open.ts";
import { Steps } from "../../src/journal/steps.ts";

function steps() {
  const journal = openJournal(":memory:");
  journal.exec("CREATE TABLE note (text TEXT)");
  const add = (text: string) => () => void journal.prepare("INSERT INTO note VALUES (?)").run(text);
  const written = (): unknown[] => journal.prepare("SELECT text FROM note").pluck().all();
  return { steps: new Steps(journal), add, written };
}

it("writes what comes up in one turn in its order, and resolves when it is there", async () => {
  const { steps: all, add, written } = steps();
  all.note(add("answer 1"));
  await all.write(add("intent 2"));
  expect(written()).toEqual(["answer 1", "intent 2"]);
});

it("writes at once what waits, when asked to", () => {
  const { steps: all, add, written } = steps();
  all.note(add("answer"));
  all.flush();
  expect(written()).toEqual(["answer"]);
});

it("keeps nothing of a step in which anything failed, tells all that wait, and writes nothing after it", async () => {
  const { steps: all, add, written } = steps();
  const disk = new Error("disk full");
  const broken = () => {
    throw disk;
  };
  const [first] = [all.write(add("intent 1"))];
  all.note(broken);
  await expect(first).rejects.toBe(disk);
  await expect(all.write(add("intent 2"))).rejects.toBe(disk);
  expect(written()).toEqual([]);
  expect(() => all.flush()).toThrow(disk);
});
