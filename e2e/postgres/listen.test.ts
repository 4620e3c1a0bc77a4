import { expect, it, vi } from "vitest";
import { listenIn, postReply } from "../../test/support/listen.ts";
import { shell } from "../../test/support/run.ts";
import { database, server } from "../support/postgres.ts";

const patient = { timeout: 20_000, interval: 50 };
const count = (text: string, part: string): number => text.split(part).length - 1;

it("campaign listen answers 503 while its database is away, and goes on when it is back", async () => {
  const own = await server();
  const { url } = await own.database();
  const listener = await listenIn(shell({ env: { BPOS_JOURNAL: url } }));
  const live = async () => (await fetch(new URL("/livez", listener.url))).status;
  const post = async (text: string) =>
    (await postReply(listener.url, { phone: "+5491155550001", text })).status;
  expect(await post("before")).toBe(200);
  await vi.waitFor(() => expect(listener.events()).toHaveLength(1), patient);
  await own.stop();
  for (const text of ["one", "two", "three"]) expect(await post(text)).toBe(503);
  expect(await live()).toBe(200);
  await own.start();
  await vi.waitFor(async () => expect(await post("after")).toBe(200), patient);
  await vi.waitFor(() => expect(listener.events()).toHaveLength(4), patient);
  expect(listener.events().map(({ event }) => event)).toEqual([
    "reply",
    "watch.outage",
    "watch.recovered",
    "reply",
  ]);
  expect(listener.events()[1]).toMatchObject({ branch: "all", reason: "journal_unreadable" });
  const { code, stderr } = await listener.stop();
  expect(code).toBe(130);
  expect(count(stderr, "Cannot reach the journal")).toBe(1);
  expect(count(stderr, "again after")).toBe(1);
});

it("campaign listen ends with 9 once another process has its lock, and keeps nothing more", async () => {
  const { url, psql } = await database();
  const listener = await listenIn(shell({ env: { BPOS_JOURNAL: url } }));
  await psql(
    "INSERT INTO bpos.holder (id, host, pid, expires_at) VALUES ('other', 'caja-2', 99, now() + interval '1 hour')",
  );
  await psql("UPDATE bpos.claim SET holder = 'other', token = token + 1");
  expect((await postReply(listener.url, { text: "late" })).status).toBe(503);
  const { code, stderr, stdout } = await listener.ended;
  expect({ code, stdout }).toEqual({ code: 9, stdout: "" });
  expect(stderr).toContain('"reason":"lock_lost"');
  expect(await psql("SELECT 1 FROM bpos.reply")).toEqual([]);
});
