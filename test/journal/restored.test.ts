import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openDatabase } from "../../src/sqlite.ts";
import { errorOf, people, send } from "../support/campaigns.ts";
import { temporaryFolder } from "../support/run.ts";
import { eventsOf, watchOnce } from "../support/watch.ts";
import { machineWith, type Restorable, restoredContract } from "./contract/restored.ts";

const remove = (file: string): void => {
  for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
};

/** The file in a home, copied as docs/explanation/journal.md has it. */
function fileJournal(): Promise<Restorable> {
  const home = temporaryFolder();
  const file = join(home, "state", "journal.db");
  const backup = join(home, "backup.db");
  return Promise.resolve({
    env: { BPOS_HOME: home },
    backup() {
      rmSync(backup, { force: true });
      const database = openDatabase(file);
      database.exec(`VACUUM INTO '${backup}'`);
      database.close();
      return Promise.resolve();
    },
    restore() {
      remove(file);
      copyFileSync(backup, file);
      return Promise.resolve();
    },
  });
}

restoredContract(fileJournal);

it("a new journal in the place of one that was deleted knows nothing of what was done", async () => {
  const home = temporaryFolder();
  const { mock, run } = await machineWith({ ...(await fileJournal()), env: { BPOS_HOME: home } });
  await mock.control.placeOrders({ count: 2 });
  await watchOnce(run);
  expect((await run(send(people(2), "--ref", "lunes", "--yes"))).code).toBe(0);
  remove(join(home, "state", "journal.db"));

  const again = await watchOnce(run);
  expect(eventsOf(again).map(({ repeated }) => repeated)).toEqual([true, true]);
  const { code, stderr } = await run(send(people(3), "--ref", "lunes", "--yes", "--json"));
  expect([code, errorOf(stderr)["reason"]]).toEqual([9, "journal_older"]);
  expect(errorOf(stderr)["message"]).toContain('"lunes"');
});

it("without the file in which the machine remembers, all goes as before", async () => {
  const home = temporaryFolder();
  const { run } = await machineWith({ ...(await fileJournal()), env: { BPOS_HOME: home } });
  expect((await run(send(people(2), "--ref", "lunes", "--yes"))).code).toBe(0);
  remove(join(home, "state", "seen.db"));
  expect((await run(send(people(3), "--ref", "lunes", "--yes"))).code).toBe(0);
});
