import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { findWay } from "../../../src/maintenance/upgrade/upgrade.ts";
import { version } from "../../../src/version.ts";
import { proxyServer } from "../../support/proxy-server.ts";
import { type Run, shell, type World } from "../../support/run.ts";
import { hanging, on, reply, resetAfter, scriptedServer, silence } from "../../support/scripted-server.ts";
import { caFile, secureServer } from "../../support/tls.ts";

const latestOf = (answer: unknown): string => JSON.stringify(answer);
const path = "GET /bpos/latest";

/** Asks a registry that gives this answer once. */
async function check(
  handler: ReturnType<typeof reply>,
  argv: string[] = [],
  world: World = {},
): Promise<Run> {
  const { url } = await scriptedServer(on(path, handler));
  return shell({ env: { npm_config_registry: url } })(["upgrade", "--check", ...argv], world);
}

const readError = ({ stderr }: Run): Record<string, unknown> =>
  (JSON.parse(stderr) as { error: Record<string, unknown> }).error;

describe("bpos upgrade --check", () => {
  it("says that there is a newer version, and which command installs it", async () => {
    const newer = reply({ name: "bpos", version: "99.1.0" });
    const { code, stdout, stderr } = await check(newer);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(`bpos 99.1.0 is available; this is ${version}.\nTo upgrade: git pull && npm ci\n`);
    expect((await check(newer, ["--lang", "es"], { terminal: 80 })).stdout).toBe(
      `Hay un bpos 99.1.0; este es el ${version}.\nPara actualizar: git pull && npm ci\n`,
    );
    expect(JSON.parse((await check(newer, ["--json"])).stdout)).toEqual({
      ...{ version, latest: "99.1.0", newer: true, form: "npm", command: "git pull && npm ci" },
    });
    expect((await check(newer, ["-q"])).stdout).toContain("99.1.0");
  });

  it("says that this is the newest, also before its release, with 0", async () => {
    for (const latest of [version, `${version}-rc.1`, "0.1.99", `${version}+build.7`]) {
      const { code, stdout } = await check(reply({ version: latest }));
      expect({ code, stdout }, latest).toEqual({
        code: 0,
        stdout: `bpos ${version} is the newest version.\n`,
      });
    }
    const json = JSON.parse((await check(reply({ version }), ["--json"])).stdout) as object;
    expect(json).toEqual({ version, latest: version, newer: false, form: "npm", command: null });
    expect(await check(reply({ version }), ["-q"])).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("asks the registry of npm's variable below its path, and tells it nothing but this version", async () => {
    const { url, requests } = await scriptedServer(on("GET /nexus/npm/bpos/latest", reply({ version })));
    const env = { NPM_CONFIG_REGISTRY: `${url}/nexus/npm/`, BPOS_API_KEY: "bpk_secret_0123456789" };
    expect((await shell({ env })(["upgrade", "--check"])).code).toBe(0);
    const [{ headers, body } = { headers: {}, body: "" }] = requests;
    const { host: _host, connection: _connection, ...sent } = headers;
    expect(sent).toEqual({ accept: "application/json", "user-agent": `bpos/${version}` });
    expect(body).toHaveLength(0);
  });

  it("goes through a proxy, and trusts the certificates of --ca-file alone", async () => {
    const { port } = await secureServer({ version: "99.0.0" });
    const registry = `https://localhost:${port}`;
    const run = shell({ env: { npm_config_registry: registry } });
    const trusted = await run(["upgrade", "--check", "--ca-file", caFile()]);
    expect(trusted.stdout).toContain("99.0.0");
    const untrusted = await run(["upgrade", "--check"]);
    expect(untrusted.code).toBe(6);
    expect(untrusted.stderr).toContain("certificate");

    const proxy = await proxyServer({ connectAnswers: ["HTTP/1.1 502 Bad Gateway\r\n\r\n"] });
    const env = {
      npm_config_registry: "https://registry.example.com",
      HTTPS_PROXY: `http://${proxy.host}`,
    };
    const { code, stderr } = await shell({ env })(["upgrade", "--check"]);
    expect(code).toBe(6);
    expect(stderr).toContain("HTTPS_PROXY");
    expect(proxy.asked).toEqual(["CONNECT registry.example.com:443"]);
  });

  it("says that nobody has published bpos there", async () => {
    const unknown = reply({ error: "Not found" }, 404);
    const { code, stdout, stderr } = await check(unknown);
    expect({ code, stdout }).toEqual({ code: 6, stdout: "" });
    expect(stderr).toMatch(/does not know bpos\.[\s\S]*Ask whoever gave you this bpos/);
    expect((await check(unknown, ["--lang", "es"])).stderr).toMatch(
      /no conoce bpos\.[\s\S]*Pídele una más nueva/,
    );
    const error = readError(await check(unknown, ["--json"]));
    expect(error).toMatchObject({ code: "unavailable", reason: "registry_failed", status: 404 });
  });

  it.each([
    ["HTML", reply("<!doctype html><title>Log in</title>"), "HTML instead of JSON"],
    ["500", reply("", 500), "answered with 500"],
    ["a redirect", reply("", 302, { location: "https://elsewhere.example.com/" }), "answered with 302"],
    ["a version that is none", reply({ version: "banana" }), "no version string"],
    ["another kind of version", reply({ version: 3 }), "no version string"],
    ["escapes in the version", reply({ version: "9.9.9-\u001b[2J" }), "no version string"],
    ["null", reply("null"), "no version string"],
    ["half of it", reply('{"version":'), "not JSON"],
    ["nothing", reply(""), "not JSON"],
    ["2 MB", reply(latestOf({ version: "9.9.9", readme: "x".repeat(2_000_000) })), "more than 1048576 bytes"],
    [
      "a bomb",
      reply(gzipSync(Buffer.alloc(50_000_000, 32)), 200, { "content-encoding": "gzip" }),
      "No usable answer",
    ],
    ["an end in the middle", resetAfter("{"), "No usable answer"],
    ["silence", silence(), "no complete answer within 0.2 s"],
  ])("ends with 6 and one error for %s", async (_name, handler, said) => {
    const { code, stdout, stderr } = await check(handler, ["--timeout", "200ms"]);
    expect({ code, stdout }, stderr).toEqual({ code: 6, stdout: "" });
    expect(stderr).toContain(said);
    expect(stderr).toContain("So bpos cannot say");
    expect(stderr).not.toContain("\u001b");
  });

  it("stops at a signal", async () => {
    const { arrived, handler } = hanging();
    const { url } = await scriptedServer(on(path, handler));
    const onStart = (stop: () => void): void => void arrived.then(stop);
    const run = await shell({ env: { npm_config_registry: url } })(["upgrade", "--check"], { onStart });
    expect(run.code).toBe(130);
  });

  it("refuses an address of no registry, whose password it does not show", async () => {
    const env = { npm_config_registry: "https://me:hunter22@npm.example.com" };
    const { code, stderr } = await shell({ env })(["upgrade", "--check"]);
    expect(code).toBe(2);
    expect(stderr).toContain("npm_config_registry");
    expect(stderr).not.toContain("hunter22");
  });

  it("never replaces bpos: without --check the line is wrong", async () => {
    const { code, stdout, stderr } = await shell()(["upgrade"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("`bpos upgrade --check`");
    expect((await shell()(["__complete", "bash", "--", "upgrade", "--ch"])).stdout).toContain("--check");
  });
});

it("each form is upgraded by its own command", () => {
  const way = (form: Parameters<typeof findWay>[0], program = "/usr/bin/bpos", platform = "linux" as const) =>
    findWay(form, "1.2.3", { program: [program], platform, machine: "x64" });
  expect(way("global").command).toBe("npm i -g bpos@latest");
  expect(way("local").command).toBe("npm i bpos@latest");
  expect(way("npx").command).toBe("npx bpos@latest");
  const deb = "bpos_1.2.3_amd64.deb";
  expect(way("deb")).toEqual({ command: `sudo apt install ./${deb}`, file: deb });
  expect(way("binary")).toEqual({ command: null, file: "bpos-1.2.3-linux-x64.tar.gz" });
  const windows = { program: ["C:\\bpos.exe"], platform: "win32", machine: "x64" } as const;
  expect(findWay("binary", "1.2.3", windows).file).toBe("bpos-1.2.3-win-x64.zip");
  expect(way("binary", "/opt/homebrew/Cellar/bpos/0.2.0/bin/bpos").command).toBe("brew upgrade bpos");
  expect(way("binary", "C:\\Users\\ana\\scoop\\apps\\bpos\\current\\bpos.exe").command).toBe(
    "scoop update bpos",
  );
});
