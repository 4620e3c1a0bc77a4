import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { textWidth } from "../../../src/cli/display/text.ts";
import { lines, uncoloured } from "../../cli/ui.ts";
import { diagnosis } from "../../support/doctor.ts";
import { program } from "../../support/programs.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
import { service } from "../../support/service.ts";

const doctor = ["doctor", "--json"];
const allNames = [
  ...["node", "config", "profile", "key"],
  ...["base_url", "base_url_dns", "base_url_tcp", "base_url_tls", "base_url_http"],
  ...["campaigns_base_url", "campaigns_base_url_dns", "campaigns_base_url_tcp", "campaigns_base_url_tls"],
  ...["campaigns_base_url_http", "proxy", "base_url_access", "campaigns_base_url_access"],
  ...["clock", "journal", "unfinished", "disk"],
];

/** A home with a profile file. */
function homeWith(profiles: object, { mode = 0o600, text = JSON.stringify(profiles) } = {}): string {
  const home = temporaryFolder();
  writeFileSync(join(home, "config.json"), text);
  chmodSync(join(home, "config.json"), mode);
  return home;
}

const one = (profile: object): object => ({ default: "centro", profiles: { centro: profile } });

describe("when all is well", () => {
  it("passes every row, in an order that scripts may rely on, and ends with 0", async () => {
    const { env } = await service();
    const run = await shell({ env })(doctor);
    const { code, ok, names, failed, warned, unchecked, row } = diagnosis(run);
    expect({ code, ok, names }).toEqual({ code: 0, ok: true, names: allNames });
    expect([failed, warned, unchecked]).toEqual([[], [], []]);
    expect(row("key")).toEqual({
      name: "key",
      status: "pass",
      detail: "bpk_…ntro (environment BPOS_API_KEY)",
      remedy: null,
    });
    expect(row("node").detail).toMatch(/^[\d.]+, with bpos [\d.]+ \(npm package\)$/);
    expect(row("base_url_access").detail).toBe("accepted; 4 orders wait");
    expect(row("campaigns_base_url_access").detail).toBe("accepted");
    expect(run.stdout + run.stderr).not.toContain(env["BPOS_API_KEY"]);
  });

  it("checks the embedded mock, and the state that belongs to it", async () => {
    const { ok, row, warned } = diagnosis(await shell()(["--mock", ...doctor]));
    expect({ ok, warned }).toEqual({ ok: true, warned: [] });
    expect(row("profile").detail).toBe("none");
    expect(row("journal").detail).toContain("mock-journal.db");
  });

  it("prints a table that fits a terminal, in the person's language, and JSON in English", async () => {
    const { env } = await service();
    const run = shell({ env });
    const { stdout } = await run(["doctor", "--lang", "es"], { terminal: 80 });
    expect(stdout).toContain("\u001b[32m✓\u001b[39m");
    expect(Math.max(...lines(stdout).map(textWidth))).toBeLessThanOrEqual(80);
    expect(uncoloured(stdout)).toMatch(
      /^Revisión\n\n✓ Node\.js .* \(paquete de npm\)\n(?:.*\n)*\nTodo está bien\.\n$/,
    );
    expect(uncoloured(stdout)).toContain("✓ Clave en pedidos       aceptada; 4 pedidos esperan\n");
    const json = diagnosis(await run([...doctor, "--lang", "es"]));
    expect(json.row("unfinished").detail).toBe("none");
  });

  it("prints one line a row in a pipe, without colours, and one object a row as ndjson", async () => {
    const { env } = await service();
    const run = shell({ env });
    const { stdout } = await run(["doctor"]);
    expect(stdout).not.toContain("\u001b");
    // The same server is not told of twice.
    expect(stdout.match(/^✓ /gm)).toHaveLength(allNames.length - 3);
    const ndjson = await run(["doctor", "-o", "ndjson"]);
    const names = ndjson.stdout
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { name: string }).name);
    expect(names).toEqual(allNames);
  });
});

describe("the settings", () => {
  it("are told with where they come from, and SANDBOX", async () => {
    const { mock } = await service();
    const home = homeWith(
      one({
        api_key: mock.keys[0]!.key,
        base_url: mock.baseUrl,
        campaigns_base_url: mock.campaignsBaseUrl,
        sandbox: true,
      }),
    );
    const run = shell({ env: { BPOS_HOME: home } });
    const { ok, row } = diagnosis(await run(doctor));
    expect(ok).toBe(true);
    expect(row("config").detail).toBe(`${join(home, "config.json")}, 1 profile`);
    expect(row("profile").detail).toBe("centro (the default profile), SANDBOX");
    expect(row("base_url").detail).toBe(`${mock.baseUrl} (profile centro)`);
    expect((await run(["doctor"])).stdout).toMatch(/^SANDBOX · Check-up\n/);
    const named = diagnosis(await run([...doctor, "-p", "centro"]));
    expect(named.row("profile").detail).toBe("centro (flag -p), SANDBOX");
  });

  it("that are not JSON are one failure, whatever depends on them", async () => {
    const home = homeWith({}, { text: "{" });
    const { code, failed, unchecked } = diagnosis(
      await shell({ env: { BPOS_HOME: home } })([...doctor, "-p", "centro"]),
    );
    expect({ code, failed }).toEqual({ code: 9, failed: ["config"] });
    expect(unchecked).toEqual(
      expect.arrayContaining(["profile", "key", "base_url", "campaigns_base_url", "clock"]),
    );
    const mock = diagnosis(await shell({ env: { BPOS_HOME: home } })(["--mock", ...doctor]));
    expect({ ok: mock.ok, warned: mock.warned }).toEqual({ ok: true, warned: ["config"] });
  });

  it("that others may read fail with the command that closes them, and are used to check the rest", async () => {
    const { mock } = await service();
    const home = homeWith(one({ api_key: mock.keys[0]!.key, base_url: mock.baseUrl }), { mode: 0o644 });
    const { code, failed, row } = diagnosis(await shell({ env: { BPOS_HOME: home } })(doctor));
    expect({ code, failed }).toEqual({ code: 9, failed: ["config"] });
    expect(row("config").remedy).toContain(`chmod 600 ${join(home, "config.json")}`);
    expect(row("base_url_access").status).toBe("pass");
  });

  it("name an address that is none, and one that is not set", async () => {
    const env = { BPOS_API_KEY: "bpk_test_secret_0123456789", BPOS_BASE_URL: "https://ana:secreto@x.test" };
    const run = await shell({ env })(doctor);
    expect(run.stdout).not.toContain("secreto");
    const { code, failed, warned, row } = diagnosis(run);
    expect({ code, failed }).toEqual({ code: 2, failed: ["base_url"] });
    expect(warned).toEqual(["campaigns_base_url"]);
    expect(row("campaigns_base_url").remedy).toContain("--campaigns-url URL");
  });
});

describe("the key", () => {
  it("is refused with 4, masked, and is still the only failure", async () => {
    const { env } = await service();
    const run = await shell({ env: { ...env, BPOS_API_KEY: "bpk_test_secret_0123456789" } })(doctor);
    const { code, failed, row } = diagnosis(run);
    expect({ code, failed }).toEqual({ code: 4, failed: ["base_url_access", "campaigns_base_url_access"] });
    expect(row("base_url_http").detail).toMatch(/^the service answers in \d+ ms \(403\)$/);
    expect(row("key").detail).toContain("bpk_…6789");
    expect(row("base_url_access").detail).toContain("The service does not accept this key.");
    expect(run.stdout).not.toContain("bpk_test_secret");
  });

  it("comes from key_command, which may fail, hang, or print what no header carries", async () => {
    const { mock } = await service();
    const withCommand = (command: string, more: string[] = []) =>
      shell({ env: { BPOS_HOME: homeWith(one({ key_command: command, base_url: mock.baseUrl })) } })([
        ...doctor,
        ...more,
      ]).then(diagnosis);
    const good = await withCommand(`echo ${mock.keys[0]!.key}`);
    expect(good.row("key").detail).toBe("bpk_…ntro (profile centro)");
    expect(good.row("base_url_access").status).toBe("pass");
    const bad = await withCommand("exit 3");
    expect({ code: bad.code, failed: bad.failed }).toEqual({ code: 9, failed: ["key"] });
    const slow = await withCommand(program("setTimeout(() => undefined, 60000)"), ["--timeout", "300ms"]);
    expect(slow.failed[0]).toBe("key");
    expect(slow.row("key").remedy).toContain("--timeout 60s");
    const odd = await withCommand("printf 'clave\\303\\261'");
    expect(odd.row("key")).toMatchObject({ status: "fail" });
  });

  it("in a file that others may read is a warning with the command", async () => {
    const { env, mock } = await service();
    const file = join(temporaryFolder(), "key");
    writeFileSync(file, mock.keys[0]!.key, { mode: 0o644 });
    const { ok, row } = diagnosis(await shell({ env })([...doctor, "--api-key-file", file]));
    expect(ok).toBe(true);
    expect(row("key")).toMatchObject({ status: "warn", remedy: `Run: chmod 600 ${file}` });
    const gone = diagnosis(await shell({ env })([...doctor, "--api-key-file", "/nowhere/key"]));
    expect({ code: gone.code, failed: gone.failed }).toEqual({ code: 9, failed: ["key"] });
  });
});
