import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { errorOf, people, phone, send, took } from "../../test/support/campaigns.ts";
import { accepted, event, parse as parsePush } from "../../test/support/push.ts";
import { shell, temporaryFolder, type World } from "../../test/support/run.ts";
import {
  clockQuestion,
  type Handler,
  on,
  reply,
  type ScriptedServer,
  scriptedServer,
} from "../../test/support/scripted-server.ts";
import { pointedAt } from "../../test/support/service.ts";
import { type Database, database, server as postgres, type Server } from "../support/postgres.ts";

/** Two machines with one journal, on a server that a test may stop, and the service that both talk to. */
async function machines(requests: (own: Server) => Parameters<typeof scriptedServer>) {
  const own = await postgres();
  const { url } = await own.database();
  const service = await scriptedServer(...requests(own));
  const machine = (more: World = {}) =>
    shell({ ...more, env: { ...pointedAt(service.url), BPOS_JOURNAL: url } });
  return { own, service, machine };
}

/** Answers once the database is gone. */
const whileItGoes =
  (own: Server, answer: Handler): Handler =>
  (...request) =>
    void own.stop("immediate").then(() => answer(...request));

const phonesOf = ({ requests }: ScriptedServer): string[] =>
  requests.flatMap(({ body }) =>
    (JSON.parse(body.toString()) as { recipients: { phone: string }[] }).recipients.map((each) => each.phone),
  );
/** Two calls, of a thousand people and of one. */
const everybody = Array.from({ length: 1_001 }, (_, n) => phone(n));

const prices = (): string => {
  const file = join(temporaryFolder(), "prices.csv");
  writeFileSync(file, "codigo,nombre,precio\nA,Agua,10\nB,Pan,20\n");
  return file;
};

describe("without its database a send", () => {
  it("ends with 9 before anything leaves", async () => {
    const { own, service, machine } = await machines(() => []);
    expect((await machine()(["campaign", "list"])).code).toBe(0);
    await own.stop();
    const { code, stderr } = await machine()(send(people(2), "--yes", "--json"));
    expect(code).toBe(9);
    expect(errorOf(stderr)).toMatchObject({ reason: "journal_unreadable" });
    expect(service.requests).toEqual([]);
  });

  it("ends with 7 and its report once something left, and another machine resumes it", async () => {
    const { own, service, machine } = await machines((database) => [
      on("POST /campaigns", whileItGoes(database, took)),
      on("POST /campaigns", took),
      on("POST /campaigns", took),
    ]);
    const { code, stdout, stderr } = await machine()(
      send(people(1_001), "--ref", "lunes", "--yes", "--json"),
    );
    expect(code, stderr).toBe(7);
    expect(errorOf(stderr)).toMatchObject({ reason: "journal_write_failed" });
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "unknown", campaigns: [{ campaign_id: "c1" }] });
    await own.start();
    const resumed = await machine()(["campaign", "resume", "lunes", "--json"]);
    expect(resumed.code, resumed.stderr).toBe(0);
    // The call whose answer was not kept goes out with its key and bytes again, which the service replays.
    const [first, again] = service.requests;
    expect(again?.body).toEqual(first?.body);
    expect(new Set(phonesOf(service))).toEqual(new Set(everybody));
  });
});

describe("without its database a push", () => {
  const push = (file: string): string[] => ["catalog", "push", file, "--batch-size", "1", "--json"];

  it("ends with 9 before anything leaves", async () => {
    const { own, service, machine } = await machines(() => [clockQuestion]);
    await own.stop();
    const { code, stderr } = await machine()(push(prices()));
    expect(code).toBe(9);
    expect(errorOf(stderr)).toMatchObject({ reason: "journal_unreadable" });
    expect(service.requests).toEqual([]);
  });

  it("ends with 7 and its report once something left, and another machine goes on with the same stamps", async () => {
    const { own, service, machine } = await machines((database) => [
      clockQuestion,
      on("POST /v1/catalog/items", whileItGoes(database, reply(accepted(1)))),
      on("POST /v1/catalog/items", reply(accepted(1, { duplicate: true }))),
      on("POST /v1/catalog/items", reply(accepted(1))),
    ]);
    const file = prices();
    const { code, stdout, stderr } = await machine()(push(file));
    expect(code, stderr).toBe(7);
    expect(errorOf(stderr)).toMatchObject({ reason: "journal_write_failed" });
    expect(parsePush(stdout)).toMatchObject({ accepted: 1 });
    await own.start();
    const again = await machine()(push(file));
    expect(again.code, again.stderr).toBe(0);
    const [first, second, third] = service.requests.map(event);
    expect(second).toEqual(first);
    expect(third!.occurred_at > first!.occurred_at).toBe(true);
    expect(third!.items).toMatchObject([{ codigo: "B" }]);
  });
});

describe("whoever loses the lock once something left", () => {
  /** Answers, and by then another process has every lock. */
  const robbed =
    ({ psql }: Database, answer: Handler): Handler =>
    (response, request) => {
      const taking = psql(
        `INSERT INTO bpos.holder VALUES ('other', 'caja-9', 99, now(), now() + interval '4 seconds');
         UPDATE bpos.claim SET holder = 'other', token = token + 1`,
      );
      void taking.then(() => answer(response, request));
    };

  const taken = { reason: "journal_write_failed", lock_lost: { pid: 99, host: "caja-9" } };

  it.each([
    ["en", /Another bpos took over \(caja-9:99\)[\s\S]*Wait until the other one ends[\s\S]*newest list/],
    ["es", /Otro bpos tomó el lugar de este \(caja-9:99\)[\s\S]*Deja terminar al otro[\s\S]*lista más nueva/],
  ])("in a push is told so, and not to free disk space (%s)", async (lang, said) => {
    const shop = await database();
    const service = await scriptedServer(
      clockQuestion,
      on("POST /v1/catalog/items", robbed(shop, reply(accepted(1)))),
    );
    const run = shell({ env: { ...pointedAt(service.url), BPOS_JOURNAL: shop.url } });
    const argv = ["catalog", "push", prices(), "--batch-size", "1", "--lang", lang];
    const { code, stdout, stderr } = await run(argv);
    expect(code, stderr).toBe(7);
    expect(stderr).toMatch(said);
    expect(stdout + stderr).not.toMatch(/disk|disco|could not be written|no se pudo escribir/i);
  });

  it("in a send is told so, and how to go on", async () => {
    const shop = await database();
    const service = await scriptedServer(on("POST /campaigns", robbed(shop, took)));
    const run = shell({ env: { ...pointedAt(service.url), BPOS_JOURNAL: shop.url } });
    const { code, stderr } = await run(send(people(1_001), "--ref", "lunes", "--yes", "--json"));
    expect(code, stderr).toBe(7);
    expect(errorOf(stderr)).toMatchObject(taken);
    expect(errorOf(stderr)["hint"]).toMatch(
      /^Wait until the other one ends, then run `bpos campaign resume lunes`/,
    );
  });
});
