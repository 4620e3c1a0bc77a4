import { copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inspectJournal, readRemembered } from "../../src/journal/upkeep/inspect.ts";
import { databaseIn } from "../support/journal.ts";
import { temporaryFolder } from "../support/run.ts";

it("makes no journal where there is none", async () => {
  const file = join(temporaryFolder(), "journal.db");
  await expect(readRemembered(file, "ref", 10)).rejects.toThrow();
  expect(existsSync(file)).toBe(false);
});

it("reads the newest first, each once, while another holds the journal, and changes nothing", async () => {
  const file = join(temporaryFolder(), "a folder with 100% and #", "journal.db");
  const journal = databaseIn(file);
  const add = journal.prepare(
    "INSERT INTO send (send_id, branch, ref, template_name, param_names, at) VALUES (?, 'b', ?, 'hola', '[]', 0)",
  );
  add.run("1", "enero");
  add.run("2", "marzo");
  add.run("3", "enero");
  journal.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const before = readFileSync(file);
  journal.exec("BEGIN IMMEDIATE");
  expect(await readRemembered(file, "ref", 10)).toEqual([
    { value: "enero", note: "hola" },
    { value: "marzo", note: "hola" },
  ]);
  expect(await readRemembered(file, "template", 10)).toEqual([{ value: "hola", note: null }]);
  expect(await readRemembered(file, "ref", 1)).toHaveLength(1);
  journal.exec("ROLLBACK");
  expect(readFileSync(file).equals(before)).toBe(true);
  journal.close();
});

it("leaves no file beside a journal at rest, and what a killed process left there as it is", async () => {
  const file = join(temporaryFolder(), "journal.db");
  const journal = databaseIn(file);
  const copy = (...endings: string[]): string => {
    const folder = temporaryFolder();
    for (const ending of endings) copyFileSync(file + ending, join(folder, `journal.db${ending}`));
    return folder;
  };
  journal.exec("INSERT INTO branch_stamp VALUES ('b', 1)");
  const killed = copy("", "-wal", "-shm");
  journal.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const atRest = copy("");
  journal.close();
  const wal = readFileSync(join(killed, "journal.db-wal"));
  expect(wal.length).toBeGreaterThan(0);
  for (const folder of [atRest, killed]) {
    const there = readdirSync(folder);
    expect(await readRemembered(join(folder, "journal.db"), "ref", 10)).toEqual([]);
    expect((await inspectJournal(join(folder, "journal.db"), ["p", "s"])).kind).toBe("good");
    expect(readdirSync(folder)).toEqual(there);
  }
  expect(readFileSync(join(killed, "journal.db-wal")).equals(wal)).toBe(true);
});
