import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Run, shell, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";

const nobody = "postgres://caja@127.0.0.1:1/bar";
const branch = { BPOS_API_KEY: "bpk_test_0123456789", BPOS_BASE_URL: "http://127.0.0.1:9" };

/** A shell in a home with that profile file, and what it says of the journal. */
function home(content?: object) {
  const folder = temporaryFolder();
  const file = join(folder, "config.json");
  if (content !== undefined) writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
  const run = shell({ env: { BPOS_HOME: folder } });
  const show = async (BPOS_JOURNAL: string): Promise<Run & { said: Record<string, unknown> }> => {
    const ran = await run(["profile", "show", "--json"], { env: { BPOS_JOURNAL } });
    const said = JSON.parse(ran.stdout || ran.stderr) as Record<string, unknown>;
    return { ...ran, said };
  };
  return { folder, file, run, show };
}

describe("the journal of a rehearsal", () => {
  it("is where `help files` says that it is", async () => {
    const { mock } = await service();
    const { folder, run } = home();
    const there = (name: string): boolean => existsSync(join(folder, "state", name));
    const watched = ["orders", "watch", "--once", "-o", "ndjson"];
    const files = async (...flags: string[]) =>
      (await run(["help", "files", ...flags])).stdout.replace(/\s+/g, " ");

    expect((await run(watched, { env: { BPOS_MOCK: mock.baseUrl } })).code).toBe(0);
    expect([there("journal.db"), there("mock-journal.db")]).toEqual([true, false]);
    expect((await run([...watched, "--mock"])).code).toBe(0);
    expect(there("mock-journal.db")).toBe(true);

    expect(await files()).toMatch(
      /journal\.db .*Rehearsals on a running mock \(BPOS_MOCK=http:\/\/…\) are recorded here/,
    );
    expect(await files()).toContain("mock-journal.db the journal of --mock, separate from the real one");
    expect(await files("--lang", "es")).toContain("mock-journal.db el registro de --mock, aparte del real");
  });
});

describe("the journal that is set", () => {
  it("is that of the environment, then that of the profile file, then the file of SQLite", async () => {
    const { show } = home({ journal: "postgresql://caja@db.example.com/bar", profiles: {} });
    expect((await show(" \n")).said).toMatchObject({
      journal_file: null,
      journal: "postgresql://caja@db.example.com/bar",
      settings: expect.arrayContaining([
        {
          ...{ setting: "journal", value: "postgresql://caja@db.example.com/bar" },
          ...{ source: "config", from: "journal" },
        },
      ]) as unknown,
    });
    expect((await show(`${nobody}\r\n`)).said).toMatchObject({ journal_file: null, journal: nobody });
    const { show: without, folder } = home();
    const journal_file = join(folder, "state", "journal.db");
    expect((await without("")).said).toMatchObject({ journal_file, journal: null });
  });

  it.each([
    ["journal.db", "it must be the address of a PostgreSQL database"],
    ["mysql://caja@db/bar", "it must be the address of a PostgreSQL database"],
    ["postgres:bar", "it must be the address of a PostgreSQL database"],
    ["postgres://caja@db:99999/bar", "the address cannot be read"],
    // Each would make a part of the password the name of a host or of a database.
    ["postgres://caja:12#34567@db/bar", "a special character in the address must be percent-encoded"],
    ["postgres://caja:12/34567@db/bar", "a special character in the address must be percent-encoded"],
    ["postgres://caja:12?34567@db/bar", "a special character in the address must be percent-encoded"],
    ["postgres://caja:100%x34567@db/bar", "a special character in the address must be percent-encoded"],
    ["postgres://a:5432,b:5432/bar", "the address has several hosts"],
    ["postgres:///bar?host=a,b", "the address has several hosts"],
    ["postgres://db/bar", "the address has no user"],
    ["postgres://caja@db/bar?port=x", "its port is not a whole number from 1 to 65535"],
    ["postgres://caja@db/bar?sslmod=verify-full", 'the address has the unknown parameter "sslmod"'],
    ["postgres://caja@db/bar?ssl=maybe", '"maybe" is not an sslmode'],
    ["postgres://caja@db/bar?sslmode=verify_full", '"verify_full" is not an sslmode'],
  ])("is refused as %s", async (address, detail) => {
    const { show, file } = home({ journal: address, profiles: {} });
    for (const [variable, of] of [
      ["", file],
      [address, "BPOS_JOURNAL"],
    ] as const) {
      const { code, stderr, said } = await show(variable);
      expect(code).toBe(9);
      expect(said["error"]).toMatchObject({ code: "config", reason: "journal_unreadable", file: of, detail });
      expect(stderr).not.toContain("34567");
    }
  });

  it.each([
    ["gssencmode=require", "PGGSSENCMODE"],
    ["channel_binding=required", "PGCHANNELBINDING"],
    ["require_auth=scram", "PGREQUIREAUTH"],
    ["require_auth=md5,!password", "PGREQUIREAUTH"],
    ["ssl_min_protocol_version=1.2", "PGSSLMINPROTOCOLVERSION"],
    ["target_session_attrs=standby", "PGTARGETSESSIONATTRS"],
    ["sslcrl=revoked.pem", "PGSSLCRL"],
    ["sslcrldir=revoked", "PGSSLCRLDIR"],
    ["sslcertmode=require", "PGSSLCERTMODE"],
    ["sslnegotiation=direct", "PGSSLNEGOTIATION"],
    ["sslsni=0", "PGSSLSNI"],
    ["requirepeer=postgres", "PGREQUIREPEER"],
    ["requiressl=1", "PGREQUIRESSL"],
    ["min_protocol_version=3.2", "PGMINPROTOCOLVERSION"],
    ["hostaddr=10.0.0.7", "PGHOSTADDR"],
    ["service=bar", "PGSERVICE"],
  ])("is refused where it asks for what bpos does not do: %s", async (given, variable) => {
    const [name = "", value = ""] = given.split("=");
    const refused = (by: string): object => ({
      ...{ code: "config", reason: "journal_unreadable", file: "BPOS_JOURNAL" },
      detail: `bpos does not support "${by}"`,
    });
    const { run, show } = home();
    const inAddress = await show(`${nobody}?${given}`);
    expect([inAddress.code, inAddress.said["error"]]).toMatchObject([9, refused(name)]);
    const env = { BPOS_JOURNAL: nobody, [variable]: value };
    const ofVariable = await run(["profile", "show", "--json"], { env });
    expect(ofVariable.code).toBe(9);
    expect(JSON.parse(ofVariable.stderr)).toMatchObject({ error: refused(variable) });
  });

  it("may ask for what bpos does, or never does anyway", async () => {
    const { show } = home();
    const given = ["gssencmode=disable", "channel_binding=require", "require_auth=scram-sha-256,md5"];
    const more = [
      "target_session_attrs=read-write",
      "ssl_min_protocol_version=TLSv1.3",
      "keepalives_idle=30",
    ];
    expect((await show(`${nobody}?${[...given, ...more].join("&")}`)).code).toBe(0);
  });

  it("may have libpq's form for the socket of this machine", async () => {
    const { show } = home();
    const { said, stdout } = await show("postgres://caja:p+%26-ssw0rd@:5433/bar?host=/run/pg");
    expect(said).toMatchObject({ journal: "postgres:///bar?user=caja&port=5433&host=%2Frun%2Fpg" });
    expect(stdout).not.toContain("ssw0rd");
  });

  it.each([
    [{ journal: 7 }, '"journal" is not of type string'],
    [{ profiles: { centro: { journal: nobody } } }, 'the profile "centro" has a "journal"'],
    [{ Journal: nobody }, 'unknown setting "Journal"'],
  ])("leaves no slip unseen: %j", async (content, detail) => {
    const { said, code } = await home(content).show("");
    expect([code, said["error"]]).toMatchObject([9, { detail }]);
  });

  it("is of no account to a rehearsal with the embedded mock, nor to what has no journal", async () => {
    const { run, folder } = home({ journal: "none", profiles: {} });
    expect((await run(["--mock", "campaign", "list"])).code).toBe(0);
    expect(existsSync(join(folder, "state", "mock-journal.db"))).toBe(true);
    const list = join(folder, "list.csv");
    writeFileSync(list, "codigo,nombre,precio\nA,Muzzarella,100\n");
    expect((await run(["catalog", "check", list])).code).toBe(0);
  });
});

describe("a database that cannot be reached", () => {
  it("is that of a rehearsal on several machines, which share a running mock, too", async () => {
    const { run } = home({ journal: nobody });
    const { code, stderr } = await run(["campaign", "list"], { env: { BPOS_MOCK: "http://127.0.0.1:9" } });
    expect([code, stderr]).toEqual([
      9,
      expect.stringContaining("Journal 127.0.0.1:1/bar: connection refused"),
    ]);
  });

  it("ends with 9 before anything leaves, and says where it was looked for", async () => {
    const { run } = home();
    const { code, stderr } = await run(["campaign", "list", "--json"], {
      env: { ...branch, BPOS_CAMPAIGNS_URL: "http://127.0.0.1:9", BPOS_JOURNAL: nobody },
    });
    expect(code).toBe(9);
    expect(JSON.parse(stderr)).toMatchObject({
      error: {
        reason: "journal_unreadable",
        file: "127.0.0.1:1/bar",
        detail: "connection refused, no server listens there",
      },
    });
  });

  const addressWith = (password: string): string =>
    `postgres://caja:${password}@127.0.0.1:1/bar?password=${password}&application_name=x`;
  const commands = ["profile show", "profile show --json", "profile show -o csv", "doctor", "doctor --json"];

  it.each([
    ["of its own accord, however short it is", "zq7", () => ["campaign list -vv"]],
    ["of its own accord, also one of digits", "90817263", () => ["campaign list --json"]],
    [
      "though it was typed at the wrong place",
      "p%23ssw0rd%20one",
      (address: string) => [address, `orders list ${address}`, `--base-url ${address} orders list`],
    ],
  ])("shows its password nowhere %s", async (_, password, more) => {
    const { run } = home();
    const BPOS_JOURNAL = addressWith(password);
    const env = { ...branch, BPOS_CAMPAIGNS_URL: "http://127.0.0.1:9", BPOS_JOURNAL };
    for (const line of [...commands, ...more(BPOS_JOURNAL)]) {
      const { stdout, stderr } = await run(line.split(" "), { env });
      expect(stdout + stderr, line).not.toBe("");
      expect(stdout + stderr, line).not.toMatch(/zq7|90817263|ssw0rd/);
    }
  });
});
