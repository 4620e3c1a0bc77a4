import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { schemaVersion } from "../../src/journal/engine/engine.ts";
import { openJournal } from "../../src/journal/journal.ts";
import { branchId } from "../../src/journal/records/branches.ts";
import { rows as people, recipientsFile, send } from "../../test/support/campaigns.ts";
import { diagnosis, silentServer } from "../../test/support/doctor.ts";
import { shell, temporaryFolder } from "../../test/support/run.ts";
import { pointedAt, service } from "../../test/support/service.ts";
import { type Database, database } from "../support/postgres.ts";
import { password } from "../support/postgres-server.ts";

const doctor = ["doctor", "--json"];
const schemas = ({ psql }: Database) => psql("SELECT 1 FROM pg_namespace WHERE nspname = 'bpos'");

/** A machine whose journal is that database; nothing that it prints holds the password. */
async function machine({ url }: { url: string }) {
  const { env, mock } = await service();
  const run = shell({ env: { ...env, BPOS_JOURNAL: url } });
  return {
    mock,
    run,
    diagnose: async (...argv: string[]) => {
      const ran = await run([...doctor, ...argv]);
      expect(ran.stdout + ran.stderr).not.toContain(password);
      return diagnosis(ran);
    },
  };
}

it("looks at the database, and makes nothing there", async () => {
  const own = await database();
  const { diagnose, run } = await machine(own);
  const before = await diagnose();
  expect(before).toMatchObject({ code: 0, ok: true, failed: [] });
  const place = `${new URL(own.url).host}/${own.name}`;
  expect(before.row("journal").detail).toMatch(
    new RegExp(`^PostgreSQL [\\d.]+ at ${place} answers in \\d+ ms, without TLS$`),
  );
  expect(before.row("journal_rights").detail).toBe("bpos can create the schema bpos");
  expect(before.row("journal_schema").detail).toBe("none yet: created when needed");
  expect(before.row("unfinished").detail).toBe("none");
  expect(await schemas(own)).toEqual([]);
  expect((await run(["campaign", "list"])).code).toBe(0);
  const { row } = await diagnose();
  expect(row("journal_rights").detail).toBe("bpos reads and writes the schema bpos");
  expect(row("journal_schema").detail).toBe(`version ${schemaVersion}, up to date`);
});

it("warns of a journal of this machine that the database does not have", async () => {
  const own = await database();
  const { env } = await service();
  const home = temporaryFolder();
  const alone = shell({ env: { ...env, BPOS_HOME: home } });
  const shared = shell({ env: { ...env, BPOS_HOME: home, BPOS_JOURNAL: own.url } });
  const schemaRow = async () => diagnosis(await shared(doctor)).row("journal_schema");
  expect((await alone(["campaign", "list"])).code).toBe(0);
  expect((await schemaRow()).status).toBe("pass");
  expect((await alone(send(recipientsFile(people(2)), "--yes"))).code).toBe(0);
  expect(await schemaRow()).toMatchObject({
    status: "warn",
    detail: `none yet: created when needed; ${join(home, "state", "journal.db")} was not copied to it`,
    remedy: expect.stringContaining("`bpos journal copy`") as string,
  });
  expect((await shared(["journal", "copy"])).code).toBe(0);
  expect((await schemaRow()).status).toBe("pass");
});

it("says over which way it is reached", async () => {
  const { url } = await database();
  const { diagnose } = await machine({ url: `${url}?sslmode=require` });
  expect((await diagnose()).row("journal").detail).toMatch(/, over TLS$/);
});

it("fails in the row to which the fault belongs", async () => {
  const own = await database();
  const { diagnose, run } = await machine(own);
  await own.psql(`ALTER DATABASE ${own.name} OWNER TO postgres`);
  const rights = await diagnose();
  expect(rights).toMatchObject({
    ...{ code: 9, failed: ["journal_rights"], unchecked: ["journal_schema", "unfinished"] },
  });
  expect(rights.row("journal").status).toBe("pass");
  expect(rights.row("journal_rights").remedy).toContain(`GRANT CREATE ON DATABASE ${own.name} TO bpos;`);
  await own.psql(`GRANT CREATE ON DATABASE ${own.name} TO bpos`);
  expect((await run(["campaign", "list"])).code).toBe(0);
  await own.psql("UPDATE bpos.version SET version = 99");
  const newer = await diagnose();
  expect(newer).toMatchObject({ code: 9, failed: ["journal_schema"], unchecked: ["unfinished"] });
  expect(newer.row("journal_schema").remedy).toContain("Update bpos");
});

it("waits no longer than it is told for one that says nothing", async () => {
  const { port } = new URL(await silentServer());
  const { diagnose } = await machine({
    url: `postgres://bpos:${encodeURIComponent(password)}@127.0.0.1:${port}/x`,
  });
  const began = performance.now();
  const { failed, unchecked, row } = await diagnose("--timeout", "300ms");
  expect(performance.now() - began).toBeLessThan(3_000);
  expect({ failed, unchecked }).toEqual({
    ...{ failed: ["journal"], unchecked: ["journal_rights", "journal_schema", "unfinished"] },
  });
  expect(row("journal").detail).toContain("no answer in time");
});

it("tells what a machine left unfinished, and which other one is at it", async () => {
  const own = await database();
  const { mock, run, diagnose } = await machine(own);
  await mock.control.addFault("POST /campaigns status=502 times=1");
  const left = send(recipientsFile(people(2)), "--ref", "martes", "--yes", "--retries", "0");
  expect((await run(left)).code).toBe(7);
  expect((await diagnose()).row("unfinished")).toMatchObject({
    ...{ status: "warn", detail: 'unfinished campaigns: "martes" (2)' },
    remedy: expect.stringContaining("`bpos campaign resume martes`") as string,
  });
  const journal = await openJournal(own.url, { holder: { id: "other", pid: 4712, host: "caja-2" }, env: {} });
  const { world_id: world } = await mock.control.world();
  const branch = branchId({ address: mock.campaignsBaseUrl, world, apiKey: mock.keys[0]!.key });
  await journal.under({ work: "send", branch });
  // One that died before the server's clock was set back is not.
  await own.psql(
    `INSERT INTO bpos.holder VALUES ('dead', 'caja-9', 99, now(), now() + interval '1 hour');
     INSERT INTO bpos.claim VALUES ('push ${branch}', 'dead', 1)`,
  );
  expect((await diagnose()).row("unfinished")).toMatchObject({
    ...{ status: "pass", detail: "running in process 4712 on caja-2" },
  });
  await journal.close();
});

it("completes what another machine remembers, and makes no schema for that", async () => {
  const own = await database();
  const { run } = await machine(own);
  const offered = async (): Promise<string> =>
    (await run(["__complete", "bash", "--", "campaign", "resume", ""])).stdout;
  expect(await offered()).toBe("words\n");
  expect(await schemas(own)).toEqual([]);
  const sent = send(recipientsFile(people(2)), "--ref", "martes", "--yes");
  expect((await (await machine(own)).run(sent)).code).toBe(0);
  expect(await offered()).toMatch(/^words\nmartes\t\w+\n$/);
  // From the file too, which is read without its schema.
  const home = temporaryFolder();
  writeFileSync(join(home, "config.json"), JSON.stringify({ journal: own.url }), { mode: 0o600 });
  const ofFile = await shell({ env: { BPOS_HOME: home } })([
    "__complete",
    "bash",
    "--",
    "campaign",
    "resume",
    "m",
  ]);
  expect(ofFile.stdout).toMatch(/^words\nmartes\t/);
});

it.each([
  ["that nobody listens at", () => Promise.resolve("127.0.0.1:1")],
  ["that says nothing", async () => new URL(await silentServer()).host],
])("completes nothing, without a word, from a database %s", async (_, hostOf) => {
  const env = { ...pointedAt("http://127.0.0.1:9"), BPOS_JOURNAL: `postgres://bpos@${await hostOf()}/x` };
  const began = performance.now();
  const { stdout, stderr } = await shell({ env })(["__complete", "bash", "--", "campaign", "resume", ""]);
  expect({ stdout, stderr }).toEqual({ stdout: "words\n", stderr: "" });
  expect(performance.now() - began).toBeLessThan(1_500);
});
