import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { fakeClock } from "../../support/fake-clock.ts";
import { askJournal } from "../../support/journal.ts";
import { type Listener, listenIn, postReply } from "../../support/listen.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
import { sized } from "../../support/soak.ts";

function homed(env: Record<string, string> = {}) {
  const home = temporaryFolder();
  return { home, run: shell({ env: { BPOS_HOME: home, ...env } }) };
}

const received = (listener: Listener, count: number): Promise<void> =>
  vi.waitFor(() => expect(listener.events()).toHaveLength(count), { timeout: 10_000, interval: 10 });

describe("a reply that repeats the secret", () => {
  it.each([
    ["in a number behind a byte order mark", "12345678", '\ufeff{"text":"hola","id":12345678}'],
    ["in a number", "12345678", '{"text":"hola","id":12345678}'],
    ["in the middle of an escape", "12345678", String.raw`{"text":"hola","note":"\u12345678"}`],
    ["in a name", "12345678", '{"text":"hola","12345678":"12345678"}'],
    ["behind a byte order mark", "s3cret-0123", '\ufeff{"text":"hola","note":"s3cret-0123"}'],
  ])("%s is delivered, as the next one is", async (_where, secret, body) => {
    const { home, run } = homed({ BPOS_WEBHOOK_SECRET: secret });
    const listener = await listenIn(run);
    expect((await postReply(`${listener.url}${secret}`, body)).status).toBe(200);
    expect((await postReply(`${listener.url}${secret}`, { text: "the next one" })).status).toBe(200);
    await received(listener, 2);
    expect(listener.events()[0]!.body).toMatchObject({ text: "hola" });
    expect(JSON.stringify(listener.events())).not.toContain(`"${secret}"`);
    expect((await listener.stop()).code).toBe(130);
    for (const { body: kept } of await askJournal(home, "SELECT body FROM reply"))
      expect(() => JSON.parse(String(kept).replace(/^\ufeff/, "")) as unknown).not.toThrow();
  });
});

describe("a reply that cannot be delivered", () => {
  it("is set aside and said once, and the listener goes on, now and when it is started again", async () => {
    const { home, run } = homed();
    const before = await listenIn(run);
    await postReply(before.url, { text: "sí", phone: "+5491155550000" });
    await received(before, 1);
    await before.stop();
    await askJournal(home, 'UPDATE reply SET body = \'{"text": "broken\'');
    await askJournal(
      home,
      "INSERT INTO reply_delivery (output, arrival, state) SELECT 'stdout', arrival, 'open' FROM reply_arrival",
    );

    const listener = await listenIn(run);
    await postReply(listener.url, { text: "the next one" });
    await received(listener, 1);
    const { stderr, code } = await listener.stop();
    expect(code).toBe(130);
    const folder = join(home, "state", "quarantine");
    const [file = ""] = readdirSync(folder);
    expect(readFileSync(join(folder, file), "utf8")).toBe('{"text": "broken');
    expect(stderr.match(/Cannot deliver a reply/g)).toHaveLength(1);
    expect(stderr).toContain(join(folder, file));

    const again = await listenIn(run);
    expect((await again.stop()).stderr).not.toContain("cannot be delivered");
    const env = { BPOS_API_KEY: "bpk_x", BPOS_CAMPAIGNS_URL: "http://127.0.0.1:1" };
    const found = await run(["campaign", "find", "+5491155550000"], { env });
    expect([found.code, found.stderr.includes("SyntaxError")]).toEqual([11, false]);
  });

  it("of ids that no database takes is none: it is delivered", async () => {
    const { run } = homed();
    const listener = await listenIn(run);
    await postReply(
      listener.url,
      String.raw`{"campaign_id":"a\u0000b","external_ref":"\u0000","phone":"\u0000"}`,
    );
    await postReply(listener.url, { text: "the next one" });
    await received(listener, 2);
  });
});

describe("what is pending", () => {
  const pending = (count: number): string[] => [
    `INSERT INTO reply (hash, body) VALUES ('x', '"1"')`,
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
     INSERT INTO reply_arrival (reply, at, again) SELECT (SELECT reply FROM reply WHERE hash = 'x'), 1, 0 FROM n`,
    "INSERT INTO reply_delivery (output, arrival, state) SELECT 'exec', arrival, 'open' FROM reply_arrival",
  ];

  const times10 = Array<string>(8).fill("UPDATE reply SET body = replace(body, '1', '1111111111')");

  const bounds: [string, string[]][] = [
    ["100,000 replies", pending(100_000)],
    ["100 MiB", [...pending(1), ...times10, "UPDATE reply SET body = replace(body, '1', '11')"]],
  ];

  it.each(bounds.slice(0, sized(1, 2)))(
    "is at most %s; then a sender is asked to come again, until there is room",
    { timeout: 60_000 },
    async (_what, fill) => {
      const { home, run } = homed();
      await (await listenIn(run)).stop();
      for (const sql of fill) await askJournal(home, sql);
      const clock = fakeClock();
      const argv = ["-q", "--exec", "sleep 60"];
      const listener = await listenIn(run, argv, {
        clock: { ...clock, sleep: () => new Promise(() => undefined) },
      });
      const post = async () => {
        const { status, headers } = await postReply(listener.url, { text: "sí" });
        return [status, headers.get("retry-after")];
      };
      for (let n = 0; n < 3; n++) expect(await post()).toEqual([503, "5"]);
      // Replies that another output is owed do not count: nothing is added to it.
      await askJournal(home, "UPDATE reply_delivery SET output = 'forward'");
      clock.advance(5_000);
      for (let n = 0; n < 3; n++) expect(await post()).toEqual([200, null]);
      const { stderr } = await listener.stop();
      expect(stderr.match(/replies or 100 MiB are pending/g)).toHaveLength(1);
      expect(stderr.match(/accepts replies again/g)).toHaveLength(1);
    },
  );
});
