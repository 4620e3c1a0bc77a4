import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { startMock } from "../../src/mock/index.ts";
import { openDatabase } from "../../src/sqlite.ts";
import { temporaryFolder } from "../support/run.ts";
import { campaign, frozen, get, push, startKept } from "./support.ts";

describe("a file that is not a world of ours is refused in one sentence and left as it is", () => {
  let bytes: Buffer;
  beforeAll(async () => {
    const data = join(mkdtempSync(join(tmpdir(), "bpos-test-")), "world.db");
    const mock = await startMock({ data, scenario: "demo" });
    for (let n = 0; n < 100; n++) await mock.control.placeOrders({ count: 2 });
    await mock.close();
    bytes = readFileSync(data);
    rmSync(dirname(data), { recursive: true });
  });
  /** A file with a world in it and 100 events. */
  const world = (): string => text(bytes);

  function change(file: string, sql: string): string {
    const database = openDatabase(file);
    database.exec(sql);
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
    return file;
  }

  function overwrite(file: string, at: number, by: Buffer): string {
    const content = readFileSync(file);
    content.set(by, at);
    writeFileSync(file, content);
    return file;
  }

  const fresh = (): string => join(temporaryFolder(), "other.db");
  const text = (content: string | Buffer): string => {
    const file = fresh();
    writeFileSync(file, content);
    return file;
  };

  test.each<[string, () => string, string]>([
    ["text", () => text("codigo,precio\nA,1\n"), "it is not an SQLite file"],
    ["a header and no more", () => text("SQLite format 3\0"), "it is another program's database"],
    [
      "our journal",
      () => change(fresh(), "CREATE TABLE push (a); PRAGMA application_id = 1651535731"),
      "it is another program's database",
    ],
    ["a newer bpos's", () => change(world(), "PRAGMA user_version = 3"), "it was written by a newer bpos"],
    ["an older bpos's", () => change(world(), "PRAGMA user_version = 1"), "it was written by an older bpos"],
    ["one cut in half", () => text(bytes.subarray(0, 40_960)), "it is damaged"],
    ["one with a damaged page", () => overwrite(world(), 4096, Buffer.alloc(4096, 7)), "it is damaged"],
    [
      "one with a damaged event",
      () => change(world(), "UPDATE event SET event = 'no' WHERE seq = 9"),
      "it is damaged",
    ],
    [
      "one with an event of no shape",
      () => change(world(), 'UPDATE event SET event = \'{"type":"orders_placed"}\' WHERE seq = 9'),
      "it is damaged",
    ],
    ["one without a beginning", () => change(world(), "DELETE FROM event WHERE seq = 1"), "it is damaged"],
  ])("%s", async (_name, make, why) => {
    const data = make();
    const content = (): string => readFileSync(data, "latin1");
    const before = content();
    const refusal = (await startKept({ data }).catch((error: unknown) => error)) as NodeJS.ErrnoException;
    expect(refusal.message).toContain(data);
    expect(refusal.message).toContain(why);
    expect(refusal.message).not.toContain("\n");
    expect(refusal.code).toBe("MOCK_DATA_REFUSED");
    expect(content() === before).toBe(true);
  });

  test("an empty file is one to begin with", async () => {
    const mock = await startKept({ data: text("") });
    expect(mock.worldId).not.toBeNull();
  });

  test("where none can be made, that is said", async () => {
    for (const data of [join(text("a file"), "world.db"), temporaryFolder()])
      await expect(startKept({ data })).rejects.toMatchObject({ code: "MOCK_DATA_UNWRITABLE", file: data });
  });
});

describe("a call that cannot be made durable", () => {
  test("is answered with 503 and not applied, and the next one is", async () => {
    const data = join(temporaryFolder(), "world.db");
    const mock = await startKept({ data, scenario: "empty", clock: frozen });
    await push(mock, [{ codigo: "A", nombre: "a", precio: 1 }]);
    const spoiler = openDatabase(data);
    spoiler.exec("CREATE TRIGGER full BEFORE INSERT ON event BEGIN SELECT RAISE(ABORT, 'disk full'); END");
    const refused = await campaign(mock, { idempotency_key: "k" });
    expect(refused.answer).toMatchObject({ status: 503, body: { code: "ERROR_CODE_UNAVAILABLE" } });
    expect(await mock.control.messages()).toEqual([]);
    expect((await get(`${mock.baseUrl}/v1/orders`)).status).toBe(200);
    spoiler.exec("DROP TRIGGER full");
    expect(await campaign(mock, { idempotency_key: "k" })).toMatchObject({ replayed: false });
    expect(await mock.control.messages()).toHaveLength(1);
    spoiler.close();
  });
});
