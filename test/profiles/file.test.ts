import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { System } from "../../src/system.ts";
import { diagnosis } from "../support/doctor.ts";
import { addUnchecked as add, home, secretKey as key, modeOf as mode } from "../support/profiles.ts";
import { temporaryFolder } from "../support/run.ts";
import { on, reply, type ScriptedServer, scriptedServer } from "../support/scripted-server.ts";

const empty = { orders: [], page: 1, per_page: 20, total: 0, has_more: false };
const lists = (count: number): Promise<ScriptedServer> =>
  scriptedServer(...Array.from({ length: count }, () => on("GET /v1/orders", reply(empty))));
const asJson = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

describe("the file of profiles", () => {
  it.each([
    [0o644, 0o700, /chmod 600 \S+config\.json`?\.?$/m],
    [0o600, 0o750, /chmod 700 \S+home`?\.?$/m],
    [0o660, 0o777, /chmod 700 \S+home && chmod 600 \S+config\.json`?\.?$/m],
  ])(
    "is refused with mode %o in a folder of mode %o, with the command that helps",
    async (of, folderMode, fix) => {
      const { run, write, file, folder } = home({ env: { BPOS_BASE_URL: "http://127.0.0.1:9" } });
      write({ default: "a", profiles: { a: { api_key: key } } });
      chmodSync(file, of);
      chmodSync(folder, folderMode);
      for (const argv of [["orders", "list"], ["profile", "list"], add("b")]) {
        const { code, stderr } = await run(argv, { stdin: key });
        expect(code).toBe(9);
        expect(stderr).toMatch(fix);
        expect(stderr).not.toContain(key);
      }
    },
  );

  it("is neither read nor made up for where it is broken", async () => {
    const { run, write, file } = home();
    for (const broken of [`{"profiles":{"a":{"api_key":"${key}"`, "[]", '{"profiles":{"a":{"api_key":7}}}']) {
      write(broken);
      for (const argv of [["profile", "list"], add("b"), ["profile", "use", "a"]]) {
        const { code, stderr } = await run(argv, { stdin: key });
        expect(code).toBe(9);
        expect(stderr).not.toContain(key);
      }
      expect(readFileSync(file, "utf8")).toBe(broken);
    }
  });

  it("may begin with a byte order mark, and keeps what bpos does not know of, to the digit", async () => {
    const { run, write, file } = home();
    write('\ufeff{"big":12345678901234567890,"profiles":{"a":{"store_id":1.10,"x":{"__proto__":1}}}}');
    expect((await run(add("b"), { stdin: key })).code).toBe(0);
    const text = readFileSync(file, "utf8");
    for (const kept of ["12345678901234567890", "1.10", '"__proto__": 1']) expect(text).toContain(kept);
    expect(mode(file)).toBe("600");
  });

  it("has no slip that passes unseen, and may hold what others read", async () => {
    const { run, write } = home();
    const { url } = await lists(2);
    write({ default: "a", profiles: { a: { api_key: key, base_url: url, sandBox: true, note: "mine" } } });
    const slip = 'Warning: profile "a" has an unknown setting, "sandBox". Did you mean sandbox?\n';
    expect((await run(["orders", "list", "--json"])).stderr).toBe(slip);
    expect((await run(["profile", "show"])).stderr).toBe(
      `${slip}Warning: profile "a" has an unknown setting, "note".\n`,
    );
    const { row } = diagnosis(await run(["doctor", "--json"]));
    expect(row("profile")).toEqual({
      name: "profile",
      status: "warn",
      detail: 'a (the default profile); unknown setting: "sandBox", "note"',
      remedy: 'Write sandbox instead of "sandBox". Remove "note" from the profile.',
    });
  });

  it("is written behind a link, also where that leads nowhere yet", async () => {
    const { run, folder, file } = home();
    const target = join(temporaryFolder(), "dotfiles.json");
    mkdirSync(folder, { mode: 0o700 });
    symlinkSync(target, file);
    for (const name of ["a", "b"]) expect((await run(add(name), { stdin: key })).code).toBe(0);
    expect(Object.keys((JSON.parse(readFileSync(target, "utf8")) as { profiles: object }).profiles)).toEqual([
      "a",
      "b",
    ]);
    expect(mode(target)).toBe("600");
  });

  it("is refused where others could put another file in the place of the one behind the link", async () => {
    const { run, folder, file } = home({ env: { BPOS_BASE_URL: "http://127.0.0.1:9" } });
    const shared = temporaryFolder();
    mkdirSync(folder, { mode: 0o700 });
    symlinkSync(join(shared, "dotfiles.json"), file);
    writeFileSync(join(shared, "dotfiles.json"), "{}", { mode: 0o600 });
    chmodSync(shared, 0o757);
    for (const argv of [["orders", "list"], add("b")]) {
      const { code, stderr } = await run(argv, { stdin: key });
      expect(code).toBe(9);
      expect(stderr).toContain(`chmod 755 ${shared}`);
    }
    // Nobody removes from a sticky folder what is not theirs.
    for (const fine of [0o755, 0o1777]) {
      chmodSync(shared, fine);
      expect((await run(["profile", "list"])).code).toBe(0);
    }
  });

  it("is refused below a folder whose content others can replace, wherever that is on the way to it", async () => {
    const top = temporaryFolder();
    const real = join(top, "real", "bpos");
    mkdirSync(real, { recursive: true, mode: 0o700 });
    symlinkSync(join(top, "real"), join(top, "link"));
    const { run } = home({ env: { BPOS_HOME: join(top, "link", "bpos") } });
    writeFileSync(join(real, "config.json"), "{}", { mode: 0o600 });
    expect((await run(["profile", "list"])).code).toBe(0);
    for (const open of [top, join(top, "real")]) {
      chmodSync(open, 0o777);
      const { code, stderr } = await run(["profile", "list"]);
      expect(code).toBe(9);
      expect(stderr).toContain(`chmod 755 ${open}\``);
      chmodSync(open, 0o1777);
      expect((await run(["profile", "list"])).code).toBe(0);
      chmodSync(open, 0o700);
    }
  });

  // Nobody but root can give a folder to a group of which it is not a member.
  it.skipIf(process.geteuid?.() !== 0)(
    "is read below a folder that its owner's own group may write, and refused where another group may",
    async () => {
      const { run, write, folder } = home();
      write({ profiles: {} });
      const above = join(folder, "..");
      chmodSync(above, 0o775);
      for (const [gid, code] of [
        [0, 0],
        [65534, 9],
      ] as const) {
        chownSync(above, 0, gid);
        expect((await run(["profile", "list"])).code).toBe(code);
      }
    },
  );

  // Nobody but root can give a file away.
  it.skipIf(process.geteuid?.() !== 0)(
    "runs no command of a profile that another user wrote, neither for a command nor for doctor",
    async () => {
      const { run, write, folder, file } = home({ env: { BPOS_BASE_URL: "http://127.0.0.1:9" } });
      const trace = join(temporaryFolder(), "trace");
      write({ default: "a", profiles: { a: { key_command: `touch ${trace}; echo ${key}` } } });
      for (const owned of [file, folder, join(folder, "..")]) {
        chownSync(owned, 65534, 65534);
        for (const argv of [["orders", "list"], ["doctor"], add("b")]) {
          const { code, stdout, stderr } = await run(argv, { stdin: key });
          expect(code).toBe(9);
          expect(stdout + stderr).toContain("belongs to another user of this machine (user id 65534)");
          expect(stdout + stderr).toMatch(/Run bpos as that user|set BPOS_HOME/);
        }
        chownSync(owned, 0, 0);
      }
      // The file stands in a folder where everybody may put something.
      const shared = temporaryFolder();
      chmodSync(shared, 0o1777);
      renameSync(file, join(shared, "config.json"));
      symlinkSync(join(shared, "config.json"), file);
      chownSync(join(shared, "config.json"), 65534, 65534);
      expect((await run(["orders", "list"])).code).toBe(9);
      expect(existsSync(trace)).toBe(false);
    },
  );

  it("that names something twice is read, but not written, and says what it is", async () => {
    const { run, write, file } = home();
    const twice = `{"profiles":{"a":{"api_key":"old","api_key":"${key}"}}}`;
    write(twice);
    expect((await run(["profile", "list"])).code).toBe(0);
    const { code, stderr } = await run([...add("b"), "--json"], { stdin: "bpk_b" });
    expect(code).toBe(9);
    expect(asJson(stderr)).toMatchObject({
      error: {
        reason: "config_unreadable",
        detail: '"api_key" appears twice',
        file,
      },
    });
    expect(stderr).not.toContain(key);
    expect(readFileSync(file, "utf8")).toBe(twice);
  });
});

describe("key_command", () => {
  it("prints the key on its first line, and runs only when the key is needed", async () => {
    const server = await lists(1);
    const { run, write, folder } = home();
    const ran = join(folder, "ran");
    const key_command = `echo x >> '${ran}'; echo; echo '  ${key}  '; echo second`;
    write({ default: "a", profiles: { a: { key_command, api_key: "old", base_url: server.url } } });
    for (const argv of [
      ["profile", "show"],
      ["profile", "list"],
      ["catalog", "check", "-", "--format", "ndjson"],
      ["--mock", "-p", "a", "orders", "list"],
    ])
      expect((await run(argv, { stdin: '{"codigo":"A"}\n' })).code).toBe(0);
    expect(statSync(ran, { throwIfNoEntry: false })).toBeUndefined();
    const { code, stdout, stderr } = await run(["orders", "list", "-v"]);
    expect(code).toBe(0);
    expect(server.requests[0]?.headers["x-api-key"]).toBe(key);
    expect(stdout + stderr).not.toContain("S3cretPart");
    expect(readFileSync(ran, "utf8")).toBe("x\n");
  });

  it("goes after the environment, and before it with -p", async () => {
    const server = await lists(2);
    const { run, write } = home({ env: { BPOS_API_KEY: "bpk_env" } });
    write({ default: "a", profiles: { a: { key_command: `echo ${key}`, base_url: server.url } } });
    await run(["orders", "list"]);
    await run(["-p", "a", "orders", "list"]);
    expect(server.requests.map(({ headers }) => headers["x-api-key"])).toEqual(["bpk_env", key]);
  });

  it.each([
    ["exit", `echo ${key}; exit 3`, { kind: "exit", code: 3 }],
    ["be killed", `echo ${key}; kill -9 $$`, { kind: "killed", signal: "SIGKILL" }],
    ["print nothing", "true", { kind: "empty" }],
    ["print without end", `yes ${key}`, { kind: "too_long" }],
    ["be no text", `echo ${key}\u0000`, { kind: "not_started" }],
  ])("ends with 9 and shows no key when it happens to %s", async (_name, key_command, problem) => {
    const { run, write } = home();
    write({ default: "a", profiles: { a: { key_command, base_url: "http://127.0.0.1:9" } } });
    const { code, stderr } = await run(["orders", "list", "--json", "-v"]);
    expect(code).toBe(9);
    expect(asJson(stderr)).toMatchObject({ error: { reason: "key_command_failed", profile: "a", problem } });
    expect(stderr).not.toContain("S3cretPart");
  });

  it.each([
    ["before and after it prints it", `echo "a ${key}" >&2; echo ${key}; echo "b ${key}" >&2`],
    ["in small letters, and fails", `echo "a ${key.toLowerCase()}" >&2; echo ${key}; exit 3`],
    ["without printing it", `echo "a ${key}" >&2; exit 3`],
  ])("may repeat the key on standard error %s: it is masked", async (_how, key_command) => {
    const { run, write } = home();
    write({ default: "a", profiles: { a: { key_command, base_url: "http://127.0.0.1:9" } } });
    for (const terminal of [undefined, 80]) {
      const { stderr } = await run(["orders", "list", "--retries", "0"], {
        ...(terminal !== undefined && { terminal }),
      });
      expect(stderr).toMatch(/^a bpk_…6789$/m);
      expect(stderr).not.toMatch(/S3cretPart/i);
    }
  });
});

it("repeats no key that stands in the place of a profile's name", async () => {
  const { run, write } = home();
  write({ profiles: { centro: { api_key: key, base_url: "http://c" } } });
  const secret = "bpk_live_4f9Xy72bQw81";
  for (const [expected, ...argv] of [
    [2, "profile", "add", secret, "--base-url", "http://h", "--api-key-file", "-"],
    [2, "profile", "rename", "centro", secret],
    [11, "profile", "show", secret],
    [11, "orders", "list", "-p", secret],
    [2, "init", "-p", secret],
  ] as const)
    for (const form of [[], ["--json"]]) {
      const { code, stdout, stderr } = await run([...argv, ...form], { stdin: key });
      expect({ argv, code, stdout }).toEqual({ argv, code: expected, stdout: "" });
      expect(stderr).not.toContain(secret.slice(4, -4));
    }
  const answers = [secret, "a1b2c3d4e5f6a7b8c9d0e1f2", "x".repeat(65), "sur"];
  const text = (_question: string, { check }: Parameters<System["prompts"]["text"]>[1]): Promise<string> => {
    const name = answers.shift() ?? "";
    const objection = check(name);
    if (objection !== undefined) objections.push(objection);
    return objection === undefined ? Promise.reject(left) : text(_question, { check });
  };
  const objections: string[] = [];
  const left = Object.assign(new Error("left"), { name: "ExitPromptError" });
  await run(["init"], { terminal: 80, prompts: { text } });
  expect(objections).toHaveLength(3);
  expect(objections.join()).not.toMatch(/live|a1b2|xxx/);
});
