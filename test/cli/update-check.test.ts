import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { version } from "../../src/version.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { shell, temporaryFolder, type World } from "../support/run.ts";
import { on, reply, scriptedServer } from "../support/scripted-server.ts";

const dayMs = 24 * 60 * 60_000;
const line = `bpos 99.0.0 is available; this is ${version}. \`bpos upgrade --check\` says how to upgrade.\n`;

/** A home whose profile file has this, a terminal, and what was started of bpos beside the command. */
function home({ content = { update_check: true }, known }: { content?: object; known?: unknown } = {}) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "config.json"), JSON.stringify(content), { mode: 0o600 });
  const file = join(folder, "cache", "update.json");
  const write = (value: unknown): void => {
    mkdirSync(join(folder, "cache"), { recursive: true, mode: 0o700 });
    writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
  };
  if (known !== undefined) write(known);
  const started: string[][] = [];
  const clock = fakeClock();
  const run = shell({
    env: { BPOS_HOME: folder },
    clock,
    terminal: 200,
    onAlone: (argv) => started.push([...argv]),
  });
  const list = (world: World = {}, ...more: string[]) => run(["profile", "list", ...more], world);
  return { folder, file, write, started, clock, run, list };
}

describe("with update_check", () => {
  it("another process asks for the newest version, at most once a day", async () => {
    const { started, list, clock, file } = home();
    const first = await list();
    expect(first).toMatchObject({ code: 0, stderr: "" });
    await list();
    clock.advance(dayMs - 1);
    await list();
    expect(started).toEqual([["upgrade", "--check", "--quiet"]]);
    clock.advance(1);
    await list({}, "--ca-file", "red.pem");
    expect(started[1]).toEqual([
      "upgrade",
      "--check",
      "--quiet",
      "--ca-file",
      expect.stringMatching(/^\/.*red\.pem$/),
    ]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ asked_at: clock.now() });
    // A clock that was set back.
    clock.advance(-30 * dayMs);
    await list();
    expect(started).toHaveLength(3);
  });

  it("says behind the command what that process found out, at most once a day", async () => {
    const { run, list, clock } = home();
    const { url } = await scriptedServer(on("GET /bpos/latest", reply({ version: "99.0.0" })));
    const asked = await run(["upgrade", "--check", "--quiet"], { env: { npm_config_registry: url } });
    expect(asked.code).toBe(0);
    const { stdout, stderr } = await list();
    expect(stderr).toBe(line);
    expect(stdout).not.toContain("99.0.0");
    expect((await list()).stderr).toBe("");
    clock.advance(dayMs);
    expect((await list({}, "--lang", "es")).stderr).toBe(
      `Hay un bpos 99.0.0; este es el ${version}. \`bpos upgrade --check\` dice cómo actualizarlo.\n`,
    );
  });

  it("says it behind an error, whose exit code stays, and in a pipe of standard output", async () => {
    const { list, run, clock } = home({ known: { latest: "99.0.0" } });
    const { code, stderr } = await run(["profile", "use", "norte"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^[\s\S]*Error:[\s\S]*99\.0\.0.*\n$/);
    clock.advance(dayMs);
    expect((await list({ piped: true })).stderr.endsWith(line)).toBe(true);
  });

  it.each<[name: string, argv: string[], world?: World]>([
    ["no terminal", [], { terminal: undefined as never }],
    ["CI", [], { env: { CI: "1" } }],
    ["-q", ["-q"]],
    ["--json", ["--json"]],
    ["--jq", ["--jq", "."]],
    ["-o json", ["-o", "json"]],
    ["BPOS_OUTPUT=json", [], { env: { BPOS_OUTPUT: "json" } }],
    ["--log-format json", ["--log-format", "json"]],
  ])("neither asks nor says anything with %s", async (_name, argv, world) => {
    const { started, list } = home({ known: { latest: "99.0.0" } });
    const { code, stderr } = await list(world, ...argv);
    expect({ code, stderr, started }).toEqual({ code: 0, stderr: "", started: [] });
  });

  it("nothing is asked or said for the check itself, help, a version or a Tab", async () => {
    const { started, run } = home({ known: { latest: "99.0.0" } });
    for (const argv of [["upgrade"], ["--help"], ["--version"], ["__complete", "bash", "--", "or"], []])
      expect((await run(argv)).stderr).not.toContain("99.0.0");
    expect(started).toEqual([]);
  });

  it.each([
    ["this version", { latest: version }],
    ["an older one", { latest: "0.0.1" }],
    ["a pre-release of this one", { latest: `${version}-rc.9` }],
    ["no version", { latest: "banana" }],
    ["escapes", { latest: "99.0.0\u001b[2J" }],
    ["a version and a new line", { latest: "99.0.0\n" }],
    ["a list", []],
    ["null", "null"],
    ["half of it", '{"latest":"99'],
    ["other types", { latest: 99, asked_at: "x", said_at: {} }],
  ])("is silent where the file holds %s", async (_name, known) => {
    const { list, write } = home();
    write(known);
    expect(await list()).toMatchObject({ code: 0, stderr: "" });
  });

  it("is silent, and does not ask at each command, where nothing can be kept", async () => {
    const { folder, started, list } = home();
    writeFileSync(join(folder, "cache"), "");
    expect(await list()).toMatchObject({ code: 0, stderr: "" });
    expect(started).toEqual([]);
  });

  it("leaves a folder alone into which others may write, and what a link there names", async () => {
    const { folder, file, started, list, write } = home({ known: { latest: "99.0.0" } });
    chmodSync(join(folder, "cache"), 0o777);
    expect(await list()).toMatchObject({ code: 0, stderr: "" });
    expect(started).toEqual([]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ latest: "99.0.0" });

    const linked = home();
    const other = join(folder, "other");
    writeFileSync(other, "mine");
    write({});
    mkdirSync(join(linked.folder, "cache"), { mode: 0o700 });
    symlinkSync(other, linked.file);
    await linked.list();
    expect(readFileSync(other, "utf8")).toBe("mine");
  });
});

it.each([
  ["without it", {}],
  ["with false", { update_check: false }],
  ["with a word", { update_check: "yes" }],
])("bpos asks nothing and keeps nothing %s", async (_name, content) => {
  const { started, run, file } = home({ content });
  await run(["profile", "list"]);
  expect(started).toEqual([]);
  expect(() => readFileSync(file)).toThrow("ENOENT");
});

it("the key outlives a change of the profiles", async () => {
  const { folder, run } = home({ content: { update_check: true, profiles: {} } });
  const argv = [
    "profile",
    "add",
    "a",
    "--no-check",
    "--base-url",
    "https://pos.example.com",
    "--api-key-file",
    "-",
  ];
  expect((await run(argv, { stdin: "bpk_x", terminal: undefined as never })).code).toBe(0);
  expect(JSON.parse(readFileSync(join(folder, "config.json"), "utf8"))).toMatchObject({ update_check: true });
});
