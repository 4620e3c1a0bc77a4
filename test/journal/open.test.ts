import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { describe, expect, it, onTestFinished } from "vitest";
import { isReason } from "../../src/errors.ts";
import { atomically, branchId, type Journal, openJournal } from "../../src/journal/open.ts";
import { temporaryFolder } from "../support/run.ts";

function open(file: string): Journal {
  const journal = openJournal(file);
  onTestFinished(() => void journal.close());
  return journal;
}
const newFile = (): string => join(temporaryFolder(), "state", "journal.db");
const refusal = (detail: RegExp) =>
  expect.toSatisfy(
    (error) => isReason(error, "journal_unreadable") && detail.test(error.facts.detail),
  ) as unknown;

describe("the journal", () => {
  it("is for its owner only, and every commit is on the disk before the next step", () => {
    const file = newFile();
    const journal = open(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, "..")).mode & 0o777).toBe(0o700);
    expect(journal.prepare("PRAGMA synchronous").get()).toMatchObject({ synchronous: 2 });
    expect(journal.prepare("PRAGMA journal_mode").get()).toMatchObject({ journal_mode: "wal" });
  });

  it("takes back a step that failed halfway, and keeps other processes off meanwhile", () => {
    const file = newFile();
    const journal = open(file);
    const count = (): unknown => journal.prepare("SELECT count(*) AS n FROM branch_stamp").get();
    const work = (): void => {
      journal.prepare("INSERT INTO branch_stamp VALUES ('b', 1)").run();
      throw new Error("halfway");
    };
    expect(() => atomically(journal, work)).toThrow("halfway");
    expect(count()).toMatchObject({ n: 0 });
    const other = new Database(file, { timeout: 0 });
    onTestFinished(() => void other.close());
    atomically(journal, () => {
      expect(() => other.exec("BEGIN IMMEDIATE")).toThrow(/locked|busy/i);
    });
    other.exec("BEGIN IMMEDIATE; ROLLBACK");
  });

  it("of a newer bpos is refused and left untouched", () => {
    const file = newFile();
    const journal = openJournal(file);
    journal.exec("PRAGMA user_version = 99");
    journal.close();
    const before = readFileSync(file);
    expect(() => openJournal(file)).toThrow(refusal(/newer bpos/));
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it("that is another program's database, or none, is refused and left untouched", () => {
    const folder = temporaryFolder();
    const file = join(folder, "other.db");
    const other = new Database(file);
    other.exec("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine')");
    other.close();
    const text = join(folder, "text.db");
    writeFileSync(text, "Not a database at all. ".repeat(100), { mode: 0o644 });
    for (const [each, detail] of [
      [file, /another program/],
      [text, /not a database/],
    ] as const) {
      const before = readFileSync(each);
      const { mode } = statSync(each);
      expect(() => openJournal(each)).toThrow(refusal(detail));
      expect(readFileSync(each).equals(before)).toBe(true);
      expect(statSync(each).mode).toBe(mode);
    }
  });
});

it("a branch is an address and a key; a slash at the end makes no other address", () => {
  const branch = branchId("https://x.test/messaging", "bpk_1");
  expect(branchId("https://x.test/messaging/", "bpk_1")).toBe(branch);
  expect(branchId("https://x.test/other", "bpk_1")).not.toBe(branch);
  expect(branchId("https://x.test/messaging", "bpk_2")).not.toBe(branch);
  expect(branch).not.toContain("bpk_1");
});
