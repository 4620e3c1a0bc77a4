import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { schemaVersion } from "../../src/journal/engine/engine.ts";
import { errorOf, people, send, took } from "../../test/support/campaigns.ts";
import { diagnosis } from "../../test/support/doctor.ts";
import { root, shell } from "../../test/support/run.ts";
import { on, scriptedServer } from "../../test/support/scripted-server.ts";
import { pointedAt, service } from "../../test/support/service.ts";
import { type Database, database } from "../support/postgres.ts";
import { password } from "../support/postgres-server.ts";

/** A role of the test's own, that may log in. */
async function role({ name, psql }: Database, of: string): Promise<string> {
  const own = `${name}_${of}`;
  await psql(`CREATE ROLE ${own} LOGIN PASSWORD '${password}'`);
  onTestFinished(async () => {
    await psql(`DROP OWNED BY ${own} CASCADE; DROP ROLE ${own}`);
  });
  return own;
}

/** A database whose owner is nobody who uses it. */
async function guarded(): Promise<Database> {
  const own = await database();
  await own.psql(`ALTER DATABASE ${own.name} OWNER TO postgres`);
  return own;
}

const as = ({ url }: Database, user: string): string => Object.assign(new URL(url), { username: user }).href;

async function machine(url: string) {
  const { env } = await service();
  const run = shell({ env: { ...env, BPOS_JOURNAL: url } });
  return {
    run,
    list: async () => {
      const { code, stderr } = await run(["campaign", "list", "--json"]);
      return code === 0 ? { code } : { ...errorOf(stderr), code };
    },
    doctor: async () => diagnosis(await run(["doctor", "--json"])),
  };
}

describe("a schema bpos that is not the user's own", () => {
  /** Code that runs as whoever writes, and says who that was. */
  const trap = `CREATE TABLE public.ran (who text); GRANT INSERT ON public.ran TO PUBLIC;
    CREATE FUNCTION public.trap() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO public.ran VALUES (current_user); RETURN NULL; END $$;`;
  const statements = "CREATE TRIGGER trap AFTER INSERT ON bpos.holder EXECUTE FUNCTION public.trap()";

  it("is refused where another role made it, and nothing of it runs", async () => {
    const own = await database();
    const eve = await role(own, "eve");
    const other = await machine(as(own, eve));
    await own.psql(`GRANT CREATE ON DATABASE ${own.name} TO ${eve}`);
    expect(await other.list()).toEqual({ code: 0 });
    await own.psql(
      `${trap} GRANT ALL ON SCHEMA bpos TO PUBLIC; GRANT ALL ON ALL TABLES IN SCHEMA bpos TO PUBLIC`,
    );
    await own.psql(statements);
    for (const url of [own.url, as(own, "postgres")]) {
      const { list, doctor } = await machine(url);
      expect(await list()).toMatchObject({
        ...{ code: 9, reason: "journal_unreadable", detail: `the schema bpos belongs to "${eve}"` },
        hint: expect.stringContaining("your own database") as string,
      });
      const said = await doctor();
      expect(said).toMatchObject({
        code: 9,
        failed: ["journal_rights"],
        unchecked: ["journal_schema", "unfinished"],
      });
      expect(said.row("journal_rights").remedy).toContain(`GRANT ${eve} TO`);
    }
    expect(await own.psql("SELECT * FROM public.ran")).toEqual([]);
    // Whoever is told to trust it does.
    await own.psql(`DROP TRIGGER trap ON bpos.holder; GRANT ${eve} TO bpos`);
    expect(await (await machine(own.url)).list()).toEqual({ code: 0 });
  });

  it.each([
    ["a table", "ALTER TABLE bpos.reply OWNER TO $", 'bpos.reply belongs to "$"'],
    ["a function", "ALTER FUNCTION bpos.json_each(text) OWNER TO $", 'bpos.json_each belongs to "$"'],
    [
      "an operator",
      "CREATE OPERATOR bpos.=== (LEFTARG = text, RIGHTARG = text, FUNCTION = texteq); ALTER OPERATOR bpos.=== (text, text) OWNER TO $",
      'bpos.=== belongs to "$"',
    ],
    [
      "a type",
      "CREATE TYPE bpos.mood AS ENUM ('a'); ALTER TYPE bpos.mood OWNER TO $",
      'bpos.mood belongs to "$"',
    ],
  ])("is refused where another role has %s in it", async (_, sql, detail) => {
    const own = await database();
    const eve = await role(own, "eve");
    const { list } = await machine(own.url);
    expect(await list()).toEqual({ code: 0 });
    await own.psql(`GRANT CREATE ON SCHEMA bpos TO ${eve}; ${sql.replace("$", eve)}`);
    expect(await list()).toMatchObject({ code: 9, detail: detail.replace("$", eve) });
  });

  it.each([
    ["a trigger", `${trap} ${statements}`, "trap"],
    ["a rule", "CREATE RULE quiet AS ON INSERT TO bpos.reply DO INSTEAD NOTHING", "quiet"],
    [
      "a policy",
      "ALTER TABLE bpos.reply ENABLE ROW LEVEL SECURITY; CREATE POLICY shown ON bpos.reply USING (false)",
      "shown",
    ],
    [
      "a view",
      "ALTER TABLE bpos.reply RENAME TO replies; CREATE VIEW bpos.reply AS TABLE bpos.replies",
      "_RETURN",
    ],
    [
      "a default",
      `CREATE FUNCTION public.guess() RETURNS text LANGUAGE sql AS 'SELECT ''x''::text';
       ALTER TABLE bpos.reply ALTER person SET DEFAULT public.guess()`,
      "public.guess()",
    ],
    [
      "a check",
      `CREATE FUNCTION public.fine(text) RETURNS boolean LANGUAGE sql AS 'SELECT true';
       ALTER TABLE bpos.reply ADD CHECK (public.fine(body))`,
      "public.fine(text)",
    ],
  ])("is refused where there is %s that bpos did not make, whoever made it", async (_, sql, name) => {
    const own = await database();
    const { list, doctor } = await machine(own.url);
    expect(await list()).toEqual({ code: 0 });
    await own.psql(sql);
    expect(await list()).toMatchObject({
      ...{ code: 9, reason: "journal_unreadable" },
      detail: `the schema bpos contains "${name}", which bpos did not create`,
    });
    expect(await doctor()).toMatchObject({ code: 9, failed: ["journal_rights"] });
  });
});

describe("the rights that docs/explanation/journal.md names", () => {
  const page = readFileSync(join(root, "docs/explanation/journal.md"), "utf8");
  /** The nth block of SQL of the page, for these roles and this database. */
  const block = (n: number, names: Record<string, string>): string => {
    const [, text = ""] = [...page.matchAll(/```sql\n(.*?)```/gs)][n] ?? [];
    expect(text).not.toBe("");
    return text.replaceAll(/\b(bpos_setup|bpos_daily|bpos_data)\b/g, (name) => names[name] ?? name);
  };

  it("are enough: one role for set-up and for daily use, without CREATE on the database", async () => {
    const own = await guarded();
    const setup = await role(own, "setup");
    await own.psql(block(0, { bpos_setup: setup, bpos_data: own.name }));
    const { list, doctor } = await machine(as(own, setup));
    expect((await doctor()).row("journal_rights").status).toBe("pass");
    expect(await list()).toEqual({ code: 0 });
    expect(await own.psql("SELECT version::int FROM bpos.version")).toEqual([{ version: schemaVersion }]);
  });

  it("are enough: one role for set-up, another for daily use", async () => {
    const own = await guarded();
    const names = {
      bpos_setup: await role(own, "setup"),
      bpos_daily: await role(own, "daily"),
      bpos_data: own.name,
    };
    await own.psql(block(0, names));
    expect(await (await machine(as(own, names.bpos_setup))).list()).toEqual({ code: 0 });
    await own.psql(block(1, names));
    const daily = as(own, names.bpos_daily);
    expect(await (await machine(daily)).list()).toEqual({ code: 0 });
    const peer = await scriptedServer(on("POST /campaigns", took));
    const run = shell({ env: { ...pointedAt(peer.url), BPOS_JOURNAL: daily } });
    const sent = await run(send(people(2), "--ref", "lunes", "--yes"));
    expect(sent.code, sent.stderr).toBe(0);
    for (const argv of [
      ["journal", "status"],
      ["journal", "prune", "--yes"],
      ["campaign", "list"],
    ])
      expect((await run(argv)).code, argv.join(" ")).toBe(0);
    // It changes rows, and nothing else.
    const client = await machine(daily);
    expect((await client.doctor()).failed).toEqual([]);
  });

  it("are asked for where they are missing", async () => {
    const own = await guarded();
    const user = await role(own, "setup");
    const { list } = await machine(as(own, user));
    const missing = await list();
    expect(missing).toMatchObject({
      code: 9,
      detail: `the user "${user}" has no permission to create the schema bpos`,
    });
    await own.psql("CREATE SCHEMA bpos");
    const inIt = await list();
    expect(inIt).toMatchObject({
      code: 9,
      detail: `the user "${user}" has no permission to create tables in the schema bpos`,
    });
    await own.psql(/`(GRANT .+?)`/.exec(String("hint" in inIt ? inIt["hint"] : ""))?.[1] ?? "");
    expect(await list()).toEqual({ code: 0 });
  });

  it("may be those of the owner of the database, who finds an empty schema", async () => {
    const own = await database();
    await own.psql("CREATE SCHEMA bpos AUTHORIZATION bpos");
    expect(await (await machine(own.url)).list()).toEqual({ code: 0 });
  });
});
