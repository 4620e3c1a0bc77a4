import { describe, expect, it } from "vitest";
import { errorOf, people, send, took } from "../../test/support/campaigns.ts";
import { diagnosis } from "../../test/support/doctor.ts";
import { shell } from "../../test/support/run.ts";
import { on, scriptedServer } from "../../test/support/scripted-server.ts";
import { pointedAt, service } from "../../test/support/service.ts";
import { pgbouncer, pooler } from "../support/pooler.ts";
import { type Database, database } from "../support/postgres.ts";

const ignoring = "ignore_startup_parameters = options,extra_float_digits";
const noSession = "a pooler answers there and does not give bpos its own session";

const machine = (BPOS_JOURNAL: string) => {
  const run = shell({ env: { ...pointedAt("http://127.0.0.1:9"), BPOS_JOURNAL } });
  return async () => {
    const { code, stderr } = await run(["campaign", "list", "--json"]);
    return code === 0 ? { code } : { ...errorOf(stderr), code };
  };
};

/** Gives the sessions of `bpos` the settings that a refusal asks for. */
async function obey({ psql }: Database, said: object): Promise<void> {
  const hint = String((said as { hint?: unknown }).hint);
  const [, statements = ""] = /`(ALTER ROLE .+?)`/.exec(hint) ?? [];
  expect(statements).toContain("SET search_path = bpos, pg_temp;");
  await psql(statements);
}

describe.skipIf(pgbouncer === undefined)("through PgBouncer", () => {
  it("that drops the settings of bpos each command and doctor say which, and work once the user has them", async () => {
    const own = await database();
    const url = await pooler(own, "pool_mode = session", ignoring);
    const list = machine(url);
    const said = await list();
    const lost = "search_path, idle_in_transaction_session_timeout, lock_timeout";
    const detail = `the session does not keep the settings of bpos (${lost})`;
    expect(said).toMatchObject({ code: 9, reason: "journal_unreadable", detail });
    expect(await own.psql("SELECT 1 FROM pg_namespace WHERE nspname = 'bpos'")).toEqual([]);
    const { env } = await service();
    const doctor = async () =>
      diagnosis(await shell({ env: { ...env, BPOS_JOURNAL: url } })(["doctor", "--json"]));
    expect(await doctor()).toMatchObject({ code: 9, failed: ["journal"] });
    await obey(own, said);
    // Sessions that are open stay as they are.
    const again = await pooler(own, "pool_mode = session", ignoring);
    expect(await machine(again)()).toEqual({ code: 0 });
    const peer = await scriptedServer(on("POST /campaigns", took));
    const run = shell({ env: { ...pointedAt(peer.url), BPOS_JOURNAL: again } });
    expect((await run(send(people(2), "--yes"))).code).toBe(0);
  });

  it("where the disk is not waited for, neither", async () => {
    const own = await database();
    const said = await machine(await pooler(own, "pool_mode = session", ignoring))();
    await obey(own, said);
    await own.psql(`ALTER DATABASE ${own.name} SET synchronous_commit = off`);
    const url = await pooler(own, "pool_mode = session", ignoring);
    expect(await machine(url)()).toMatchObject({
      ...{ code: 9, detail: "the session does not keep the settings of bpos (synchronous_commit)" },
      hint: expect.stringContaining("SET synchronous_commit = on;") as string,
    });
  });

  it.each(["transaction", "statement"])("in %s mode each command says why not", async (mode) => {
    const own = await database();
    const direct = await machine(await pooler(own, "pool_mode = session", ignoring))();
    await obey(own, direct);
    const list = machine(await pooler(own, `pool_mode = ${mode}`, ignoring));
    // The first of all may have a session to itself.
    await list();
    expect(await list()).toMatchObject({ code: 9, reason: "journal_unreadable", detail: noSession });
  });

  it("that refuses the settings of bpos each command says so", async () => {
    const list = machine(await pooler(await database(), "pool_mode = session"));
    expect(await list()).toMatchObject({ code: 9, reason: "journal_unreadable", detail: noSession });
  });
});
