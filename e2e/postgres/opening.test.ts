import { writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { connectPostgres } from "../../src/journal/engine/postgres.ts";
import { sqlOn } from "../../src/journal/engine/postgres-sql.ts";
import { errorOf, people, send, took } from "../../test/support/campaigns.ts";
import { webServer } from "../../test/support/doctor.ts";
import { shell, temporaryFolder } from "../../test/support/run.ts";
import { on, scriptedServer } from "../../test/support/scripted-server.ts";
import { pointedAt } from "../../test/support/service.ts";
import { caFile } from "../../test/support/tls.ts";
import { database, type Server, server, shared } from "../support/postgres.ts";
import { password } from "../support/postgres-server.ts";
import { refusingWay } from "../support/refusing-way.ts";
import { tlsRelay } from "../support/tls-relay.ts";

const nowhere = pointedAt("http://127.0.0.1:9");

/** Returns what a command says of a journal that it opens, which is never its password. */
async function opening(address: string, how: { env?: Record<string, string>; flags?: string[] } = {}) {
  const env = { ...nowhere, HOME: temporaryFolder(), BPOS_JOURNAL: address, ...how.env };
  const ran = await shell({ env })(["campaign", "list", "--json", ...(how.flags ?? [])]);
  const { code, stdout, stderr } = ran;
  for (const form of [password, encodeURIComponent(password)]) expect(stdout + stderr).not.toContain(form);
  if (code === 0) return { code };
  const { reason, file, detail, hint } = errorOf(stderr);
  return { code, reason, file, detail, hint };
}

const unreadable = (detail: string, hint = "") => ({
  ...{ code: 9, reason: "journal_unreadable" },
  ...{ detail: expect.stringContaining(detail) as string, hint: expect.stringContaining(hint) as string },
});
const parts = (address: string, change: Partial<Pick<URL, "username" | "password" | "search" | "port">>) =>
  Object.assign(new URL(address), change).href;

describe("whoever is let in", () => {
  it("needs the right password, user and database", async () => {
    const { url, name } = await database();
    expect(await opening(parts(url, { password: "guessed-123" }))).toMatchObject({
      ...unreadable('does not accept the user "bpos" with this password', "~/.pgpass"),
      file: `${new URL(url).host}/${name}`,
    });
    expect(await opening(parts(url, { password: "" }))).toMatchObject(
      unreadable('asks for a password for the user "bpos"', "~/.pgpass"),
    );
    expect(await opening(parts(url, { username: "nadie" }))).toMatchObject(unreadable('the user "nadie"'));
    expect(await opening(shared().url("el bar"))).toMatchObject(
      unreadable('there is no database "el bar"', "createdb -E UTF8 -T template0 'el bar'"),
    );
  });

  it("may have the password from PGPASSWORD, and the rest of the address too", async () => {
    const { url, name } = await database();
    const { hostname: PGHOST, port: PGPORT } = new URL(url);
    const env = { PGHOST, PGPORT, PGUSER: "bpos", PGDATABASE: name, PGPASSWORD: password };
    expect(await opening("postgres://", { env })).toEqual({ code: 0 });
  });

  it("may come through the socket of its machine", async () => {
    const { folder, port } = shared();
    const { url, name } = await database();
    const through = (of: string) => url.replace(/@.*/, `@${encodeURIComponent(of)}:${port}/${name}`);
    expect(await opening(through(folder))).toEqual({ code: 0 });
    // As libpq has it.
    const asParameter = url.replace(/@.*/, `@/${name}?host=${folder}&port=${port}`);
    expect(await opening(asParameter)).toEqual({ code: 0 });
    expect(
      await opening(
        asParameter.replace("postgres:", "postgresql:").replace(`@/${name}?`, `@:${port}?dbname=${name}&`),
      ),
    ).toEqual({ code: 0 });
    expect(await opening(asParameter.replace(folder, "/no/such"))).toMatchObject({
      ...unreadable("no such socket"),
      file: `/no/such:${port}/${name}`,
    });
    expect(await opening(through("/no/such"))).toMatchObject({
      ...unreadable("no such socket", "its socket folder"),
      file: `/no/such:${port}/${name}`,
    });
  });

  it("needs the right to create the schema, and to work with one that is there", async () => {
    const { url, name, psql } = await database();
    await psql(`ALTER DATABASE ${name} OWNER TO postgres`);
    const grant = `GRANT CREATE ON DATABASE ${name} TO bpos;`;
    expect(await opening(url)).toMatchObject(
      unreadable("has no permission to create the schema bpos", grant),
    );
    await psql(grant);
    expect(await opening(url)).toEqual({ code: 0 });
    await psql(`CREATE ROLE "${name} 2" LOGIN PASSWORD '${password}'`);
    // Who trusts the owner of the database trusts the maker of its schema.
    await psql(`ALTER DATABASE ${name} OWNER TO bpos`);
    const other = parts(url, { username: `${name} 2` });
    const { hint = "", ...said } = await opening(other);
    expect(said).toMatchObject({
      code: 9,
      detail: expect.stringContaining("tables of the schema") as string,
    });
    await psql(/`(GRANT USAGE.+?)`/.exec(String(hint))?.[1] ?? "");
    expect(await opening(other)).toEqual({ code: 0 });
    await psql(`DROP OWNED BY "${name} 2"; DROP ROLE "${name} 2"`);
  });
});

describe("TLS", () => {
  it("is checked by the certificate of --ca-file", async () => {
    const { url } = await database();
    const checked = parts(url, { search: "?sslmode=verify-full" });
    expect(await opening(checked)).toMatchObject(unreadable("certificate is not trusted", "--ca-file FILE"));
    expect(await opening(checked, { flags: ["--ca-file", caFile()] })).toEqual({ code: 0 });
    expect(await opening(parts(url, { search: `?sslmode=verify-full&sslrootcert=${caFile()}` }))).toEqual({
      code: 0,
    });
    const env = { PGSSLMODE: "verify-full", PGSSLROOTCERT: caFile() };
    expect(await opening(url, { env })).toEqual({ code: 0 });
    // Another name of the same machine.
    const renamed = checked.replace("127.0.0.1", "127.1");
    const flags = ["--ca-file", caFile()];
    expect(await opening(renamed, { flags })).toMatchObject(
      unreadable("certificate is for another host", "host name of the certificate"),
    );
    expect(await opening(renamed.replace("verify-full", "verify-ca"), { flags })).toEqual({ code: 0 });
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    onTestFinished(() => void vi.unstubAllEnvs());
    const asOthers = parts(url, { search: "?ssl=true" });
    expect(await opening(asOthers)).toMatchObject(unreadable("certificate is not trusted"));
    expect(await opening(asOthers, { flags: ["--ca-file", caFile()] })).toEqual({ code: 0 });
    expect(await opening(parts(url, { search: "?sslrootcert=/no/such.pem" }))).toMatchObject(
      unreadable("/no/such.pem", "sslrootcert"),
    );
  });

  it("may be refused by the server, or required", async () => {
    const own = await server("ssl = off");
    const { url } = await own.database();
    expect(await opening(parts(url, { search: "?sslmode=require" }))).toMatchObject(
      unreadable("the server does not offer TLS", "sslmode=disable"),
    );
    expect(await opening(parts(url, { search: "?sslmode=prefer" }))).toEqual({ code: 0 });
    await only(own, "hostssl");
    expect(await opening(url)).toMatchObject(unreadable("the server requires TLS", "sslmode=verify-full"));
  });

  it.each([
    ["sslmode=require&channel_binding=require", ""],
    ["sslmode=require&channel_binding=prefer", ""],
    ["sslmode=disable&channel_binding=require", "offers no channel binding"],
    ["sslmode=require&require_auth=scram-sha-256", ""],
    ["sslmode=require&require_auth=!scram-sha-256", "authenticates by scram-sha-256"],
    ["sslmode=require&ssl_min_protocol_version=TLSv1.3", ""],
    ["sslmode=require&sslrootcert=system", "certificate is not trusted"],
  ])("and the proof of the server are as they are asked for: %s", async (search, detail) => {
    const { url } = await database();
    const said = await opening(parts(url, { search: `?${search}` }));
    if (detail === "") expect(said).toEqual({ code: 0 });
    else expect(said).toMatchObject(unreadable(detail));
  });

  it("is nobody else's with channel_binding=require, whatever certificate is accepted", async () => {
    const between = await tlsRelay((await database()).url);
    expect(await opening(parts(between, { search: "?sslmode=require" }))).toEqual({ code: 0 });
    const bound = parts(between, { search: "?sslmode=require&channel_binding=require" });
    expect(await opening(bound)).toMatchObject(
      unreadable("offers no channel binding", "something in between"),
    );
  });

  const only = async (own: Server, kind: string): Promise<void> => {
    const file = join(own.folder, "data/pg_hba.conf");
    const lines = await readFile(file, "utf8");
    await writeFile(file, lines.replaceAll(/^host .*$/gm, `${kind} all bpos 127.0.0.1/32 scram-sha-256`));
    await own.restart();
  };
});

describe("a server that cannot hold the journal", () => {
  it.each([
    ["ALTER DATABASE $ SET default_transaction_read_only = on", "it is read-only", "the primary"],
    ["ALTER DATABASE $ CONNECTION LIMIT 0", "accepts no more connections", "max_connections"],
    ["UPDATE bpos.version SET version = 99", "written by a newer bpos", "Update bpos"],
    ["UPDATE bpos.version SET version = 0", "written by an older bpos", "move it away"],
    ["ALTER TABLE bpos.version RENAME TO versions", 'relation "bpos.version" does not exist', "server log"],
  ])("says so: %s", async (sql, detail, hint) => {
    const { url, name, psql } = await database();
    if (sql.includes("bpos.")) expect(await opening(url)).toEqual({ code: 0 });
    await psql(sql.replace("$", name));
    expect(await opening(url)).toMatchObject(unreadable(detail, hint));
  });

  it("says so of another encoding", async () => {
    const { psql, url } = shared();
    await psql(
      "CREATE DATABASE latin OWNER bpos TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'",
    );
    const said = await opening(url("latin"));
    await psql("DROP DATABASE latin");
    expect(said).toMatchObject(unreadable("its encoding is LATIN1, not UTF8", "createdb -E UTF8"));
  });

  it("says so of a replica, one that is stopped, and what is none", async () => {
    const own = await server();
    const { url } = await own.database();
    await own.stop();
    expect(await opening(url)).toMatchObject(unreadable("connection refused", "Start the server"));
    writeFileSync(join(own.folder, "data/standby.signal"), "");
    await own.start();
    expect(await opening(url)).toMatchObject(unreadable("it is read-only", "the host of the primary"));
    const web = await webServer((_request, response) => void response.end("hello"));
    const { port } = new URL(web);
    expect(await opening(parts(url, { port }))).toMatchObject(unreadable("", "host and port"));
    expect(await opening("postgres://bpos@db.invalid/bar")).toMatchObject(
      unreadable("the host name was not found", "DNS"),
    );
  });
});

it.each(["disable", "require"])(
  "a session in which no answer comes in time ends: sslmode=%s",
  async (mode) => {
    const { url } = await database();
    const connection = connectPostgres(`${url}?sslmode=${mode}`, { env: {}, limitMs: 200 });
    const sql = sqlOn(connection);
    await expect(sql.get("SELECT pg_sleep(5)")).rejects.toMatchObject({
      ...{ trouble: "down", detail: { kind: "database", problem: { kind: "silent" } } },
    });
    expect(await sql.get("SELECT 1 AS one")).toEqual({ one: 1 });
    await connection.close();
  },
);

describe("a database whose disk is full", () => {
  it.each([
    [
      "INSERT INTO send_call",
      { code: 9, requests: [] },
      { reason: "journal_unreadable", hint: "Free disk space on the server." },
    ],
    [
      "UPDATE send_call SET state = 'sent'",
      { code: 7, requests: [on("POST /campaigns", took)] },
      {
        reason: "journal_write_failed",
        hint: /^Free disk space on the server\. Then run `bpos campaign resume lunes`/,
      },
    ],
  ])("ends a send, and what the person reads fits: %s", async (of, { code, requests }, { reason, hint }) => {
    const way = await refusingWay((await database()).url);
    const service = await scriptedServer(...requests);
    const run = shell({ env: { ...pointedAt(service.url), BPOS_JOURNAL: way.url } });
    way.refuse({ of, code: "53100", times: Number.POSITIVE_INFINITY });
    const ran = await run(send(people(2), "--ref", "lunes", "--yes", "--json"));
    expect(ran.code).toBe(code);
    expect(errorOf(ran.stderr)).toMatchObject({
      ...{ reason, detail: "the server's disk is full" },
      hint: expect.stringMatching(hint) as string,
    });
  });
});
