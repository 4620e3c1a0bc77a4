import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { release, root, version } from "../../scripts/release/about.ts";
import { filesBelow } from "../../scripts/release/archive.ts";
import { archiveOf } from "../../scripts/release/targets.ts";
import { schemaVersion } from "../../src/journal/engine/engine.ts";
import { startMock } from "../../src/mock/index.ts";
import { type Ended, ended, folderForAll, node24, targetOf, unpack } from "./support.ts";

const folder = folderForAll();
let unpacked: string;
let bpos: string;
beforeAll(async () => {
  unpacked = await unpack("linux-x64", folder);
  bpos = join(unpacked, "bpos");
});

/** A file of 0 to `share` of another, as an interrupted download leaves it. */
function cutShort(file: string, share: number, name: string): string {
  const cut = join(folder, name);
  copyFileSync(file, cut);
  truncateSync(cut, Math.floor(readFileSync(file).length * share));
  return cut;
}

it("says its version and its form, also in the check-up", async () => {
  const env = { BPOS_HOME: join(folder, "form") };
  const told = JSON.parse((await ended([bpos, "--version", "--json"], env)).stdout) as object;
  expect(told).toMatchObject({ version, form: "binary", os: "linux", arch: "x64" });
  expect((await ended([bpos, "--mock", "doctor"], env)).stdout).toMatch(/Node\.js .*\(executable\)/);
});

it("unpacks nothing, and keeps no code outside itself", async () => {
  const home = join(folder, "traces");
  const temporary = join(folder, "temporary");
  mkdirSync(home);
  mkdirSync(temporary);
  const env = { HOME: home, TMPDIR: temporary };
  for (const line of [
    ["--help"],
    ["demo", "--yes"],
    ["catalog", "check", join(root, "fixtures/catalog.csv")],
  ])
    await ended([bpos, ...line], env);
  expect(filesBelow(home)).toEqual([]);
  expect(readdirSync(temporary)).toEqual([]);
});

describe("what a download left incomplete", () => {
  it("is refused by tar", async () => {
    const archive = join(release, archiveOf(targetOf("linux-x64")));
    const cut = cutShort(archive, 0.9, "short.tar.gz");
    const to = join(folder, "short");
    mkdirSync(to);
    const { code, stderr } = await ended(["tar", "-xzf", cut, "-C", to]);
    expect(code).toBe(2);
    expect(stderr).toContain("nexpected end of file");
  });

  // An executable that lacks a thousandth may lack nothing that it needs.
  it.each([0.999, 0.97, 0.5, 0.0001])(
    "as an executable, of which %d is there, does not start, or works",
    async (share) => {
      const cut = cutShort(bpos, share, `short-${share}`);
      const { code, stdout, stderr } = await ended([cut, "--version"]);
      process.stdout.write(`an executable cut to ${share}: ${code} ${stderr.trim().split("\n")[0]}\n`);
      const isWhole = share > 0.99 && code === 0;
      expect(stdout).toBe(isWhole ? `${version}\n` : "");
      expect(code === 0).toBe(isWhole);
    },
  );
});

/** Runs as a user who owns nothing. */
const asNobody = (line: string[], env: Record<string, string>): Promise<Ended> =>
  ended(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", ...line], env);

describe("where nothing can be written", () => {
  it.skipIf(process.getuid?.() !== 0)("says so with 9 before it does anything", async () => {
    chmodSync(folder, 0o755);
    const mock = await startMock();
    const home = join(folder, "read-only");
    mkdirSync(home, { mode: 0o755 });
    const env = { BPOS_HOME: home, BPOS_MOCK: mock.baseUrl };
    const watch = await asNobody([bpos, "orders", "watch", "--once"], env);
    expect(watch.code, watch.stderr).toBe(9);
    expect(watch.stderr).toContain(home);
    const list = await asNobody([bpos, "orders", "list", "--json"], env);
    expect(list.code, list.stderr).toBe(0);
    await mock.close();
  });

  it("works without a HOME, or with one that does not exist", async () => {
    const mock = await startMock();
    for (const env of [{}, { HOME: join(folder, "absent") }]) {
      const list = await ended([bpos, "orders", "list", "--json"], { BPOS_MOCK: mock.baseUrl, ...env });
      expect(list.code, list.stderr).toBe(0);
    }
    expect(existsSync(join(folder, "absent"))).toBe(false);
    const HOME = join(folder, "made");
    const watch = await ended([bpos, "orders", "watch", "--once"], { BPOS_MOCK: mock.baseUrl, HOME });
    expect(watch.code, watch.stderr).toBe(0);
    expect(existsSync(join(HOME, ".local/state/bpos/journal.db"))).toBe(true);
    await mock.close();
  });
});

describe("two installations with one journal", () => {
  it("deliver each order once, whichever runs", async () => {
    const mock = await startMock();
    const other = join(folder, "other");
    cpSync(unpacked, other, { recursive: true });
    const env = { BPOS_HOME: join(folder, "shared"), BPOS_MOCK: mock.baseUrl };
    const watch = ["orders", "watch", "--once", "-o", "ndjson"];
    const first = await ended([bpos, ...watch], env);
    expect(first.stdout.trim().split("\n").length).toBeGreaterThan(2);
    const npm = [node24, join(root, "bin/bpos.js")];
    for (const command of [[join(other, "bpos")], npm, [process.execPath, join(root, "bin/bpos.js")]])
      expect(await ended([...command, ...watch], env)).toMatchObject({ code: 0, stdout: "" });
    await mock.close();
  });

  it.each([
    ["newer", 1, /newer bpos/],
    ["older", -1, /older bpos/],
  ])("refuse with 9 a journal of one that is %s, and say what to do", async (name, difference, reason) => {
    const mock = await startMock();
    const home = join(folder, name);
    const env = { BPOS_HOME: home, BPOS_MOCK: mock.baseUrl };
    expect((await ended([bpos, "orders", "watch", "--once"], env)).code).toBe(0);
    const [path = ""] = readdirSync(home, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith("journal.db"),
    );
    // SQLite has PRAGMA user_version there.
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(schemaVersion + difference);
    writeSync(openSync(join(home, path), "r+"), bytes, 0, 4, 60);
    const { code, stderr } = await ended([bpos, "orders", "watch", "--once"], env);
    expect(code, stderr).toBe(9);
    expect(stderr).toMatch(reason);
    process.stdout.write(`a journal of a bpos that is ${name}: ${stderr}`);
    await mock.close();
  });
});

it("is not confused by files beside it that have the names of its own", async () => {
  const beside = join(folder, "beside");
  mkdirSync(join(beside, "dist"), { recursive: true });
  writeFileSync(join(beside, "dist/main.cjs"), "process.exit(77)");
  writeFileSync(join(beside, "package.json"), "{");
  copyFileSync(bpos, join(beside, "bpos"));
  expect(await ended([join(beside, "bpos"), "--version"], {}, beside)).toMatchObject({ code: 0 });
});
